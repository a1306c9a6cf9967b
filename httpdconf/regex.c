/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/*
 * PCRE 1 refuses these as well.  Others it may take: to it "\y" is a "y", and
 * "[\w-z]" has a hyphen.
 */
static bool
both(int error)
{
	switch (error) {
	case PCRE2_ERROR_END_BACKSLASH:
	case PCRE2_ERROR_QUANTIFIER_OUT_OF_ORDER:
	case PCRE2_ERROR_QUANTIFIER_TOO_BIG:
	case PCRE2_ERROR_MISSING_SQUARE_BRACKET:
	case PCRE2_ERROR_CLASS_RANGE_ORDER:
	case PCRE2_ERROR_QUANTIFIER_INVALID:
	case PCRE2_ERROR_INVALID_AFTER_PARENS_QUERY:
	case PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS:
	case PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE:
	case PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS: return (true);
	default: return (false);
	}
}

bool
hconf_regex_good(struct hconf_span pattern, struct hconf_regex_fault *ret)
{
	pcre2_code *re;
	int error;

	/*
	 * Names may be given twice, as ap_regcomp() has it.  What else it sets
	 * changes what matches, not what compiles.
	 */
	re = pcre2_compile((PCRE2_SPTR)pattern.b, pattern.len, PCRE2_DUPNAMES,
	    &error, &ret->at, NULL);
	if (re != NULL) {
		pcre2_code_free(re);
		return (true);
	}
	(void)pcre2_get_error_message(
	    error, (PCRE2_UCHAR *)ret->why, sizeof ret->why);
	ret->pcre2_only = !both(error);
	return (false);
}
