/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/report.h"

#include <string.h>

#include <apr_strings.h>

static const struct scan_report reports[] = {
	{ "human", scan_report_text },
	{ "json", scan_report_json },
	{ "sarif", scan_report_sarif },
};

const struct scan_report *
scan_report_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof reports / sizeof *reports; i++)
		if (strcmp(reports[i].name, name) == 0)
			return (&reports[i]);
	return (NULL);
}

const char *
scan_report_names(void)
{
	return ("human json sarif");
}

const char *
scan_printable(const char *s, apr_pool_t *result_pool)
{
	static const char hex[] = "0123456789abcdef";
	const char *p;
	char *r, *w;

	for (p = s; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			break;
	if (*p == '\0')
		return (s);
	r = w = apr_palloc(result_pool, strlen(s) * 4 + 1);
	for (p = s; *p != '\0'; p++) {
		unsigned char c = (unsigned char)*p;

		if (c >= 0x20 && c != 0x7f) {
			*w++ = *p;
			continue;
		}
		*w++ = '\\';
		*w++ = 'x';
		*w++ = hex[c >> 4];
		*w++ = hex[c & 15];
	}
	*w = '\0';
	return (r);
}
