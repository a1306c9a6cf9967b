/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include <apr_strings.h>

#include "httpdconf/regex.h"
#include "scan/scope.h"

/* What "Header edit" makes of a value, as mod_headers does it. */

/* "$1" is a group, and a backslash hides what stands behind it. */
static char *
filled(const char *replacement, const struct hconf_regex_match *found,
    apr_pool_t *pool)
{
	char *out = apr_pstrdup(pool, "");
	const char *p;

	for (p = replacement; *p != '\0'; p++) {
		struct hconf_span s = { p, 1 };

		if (*p == '$' && p[1] >= '0' && p[1] <= '9')
			s = found->group[*++p - '0'];
		else if (*p == '\\' && p[1] != '\0')
			s.b = ++p;
		if (s.b != NULL)
			out =
			    apr_psprintf(pool, "%s%.*s", out, (int)s.len, s.b);
	}
	return (out);
}

const char *
scan_substitute(
    const struct scan_header_op *o, const char *value, apr_pool_t *pool)
{
	const char *replacement = hconf_span_dup(o->replacement, pool);
	const char *out = "";
	struct hconf_regex_match found;
	size_t at = 0, begin, len = strlen(value);

	do {
		if (!hconf_regex_find(o->value, value, at, &found))
			return (NULL);
		if (found.group[0].b == NULL)
			break;
		begin = (size_t)(found.group[0].b - value);
		out = apr_psprintf(pool, "%s%.*s%s", out, (int)(begin - at),
		    value + at, filled(replacement, &found, pool));
		at = begin + found.group[0].len;
		/* Nothing was found, in front of a byte: that stays. */
		if (found.group[0].len == 0 && at < len && !o->once)
			out = apr_psprintf(pool, "%s%c", out, value[at++]);
	} while (!o->once && at < len);
	return (apr_pstrcat(pool, out, value + at, NULL));
}
