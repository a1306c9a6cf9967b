/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/regex.h"

#include <string.h>

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

/* With what ap_regcomp() sets. */
static pcre2_code *
compile(struct hconf_span pattern, int *ret_error, size_t *ret_at)
{
	return (pcre2_compile((PCRE2_SPTR)pattern.b, pattern.len,
	    PCRE2_DUPNAMES | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY, ret_error,
	    ret_at, NULL));
}

bool
hconf_regex_good(struct hconf_span pattern, struct hconf_regex_fault *ret)
{
	pcre2_code *re;
	int error;

	re = compile(pattern, &error, &ret->at);
	if (re != NULL) {
		pcre2_code_free(re);
		return (true);
	}
	(void)pcre2_get_error_message(
	    error, (PCRE2_UCHAR *)ret->why, sizeof ret->why);
	ret->pcre2_only = !both(error);
	return (false);
}

static void
read_groups(const char *text, pcre2_match_data *data, size_t n,
    struct hconf_regex_match *ret)
{
	const size_t *at = pcre2_get_ovector_pointer(data);
	size_t i;

	*ret = (struct hconf_regex_match){ 0 };
	for (i = 0; i < n && i < sizeof ret->group / sizeof *ret->group; i++)
		/* With \K in a look ahead it may end before it begins. */
		if (at[2 * i] != PCRE2_UNSET && at[2 * i] <= at[2 * i + 1])
			ret->group[i] = (struct hconf_span){ text + at[2 * i],
				at[2 * i + 1] - at[2 * i] };
}

bool
hconf_regex_find(struct hconf_span pattern, const char *text, size_t from,
    struct hconf_regex_match *ret)
{
	pcre2_match_data *data;
	pcre2_code *re;
	size_t at;
	int n;

	re = compile(pattern, &n, &at);
	if (re == NULL)
		return (false);
	data = pcre2_match_data_create_from_pattern(re, NULL);
	n = data == NULL ? PCRE2_ERROR_NOMEMORY
			 : pcre2_match(re, (PCRE2_SPTR)text, strlen(text), from,
			       0, data, NULL);
	if (n >= 0 || n == PCRE2_ERROR_NOMATCH)
		read_groups(text, data, n < 0 ? 0 : (size_t)n, ret);
	pcre2_match_data_free(data);
	pcre2_code_free(re);
	return (n >= 0 || n == PCRE2_ERROR_NOMATCH);
}
