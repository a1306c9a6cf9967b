/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

struct probe_input {
	const apr_array_header_t *urls, *lists;
	int url, list;
	FILE *f;
	const char *name;
	char *line;
	size_t cap;
	char why[512];
};

apr_status_t
probe_input_open(struct probe_input **ret, const apr_array_header_t *urls,
    const apr_array_header_t *lists, apr_pool_t *result_pool)
{
	struct probe_input *i = apr_pcalloc(result_pool, sizeof *i);

	i->urls = urls;
	i->lists = lists;
	*ret = i;
	return (APR_SUCCESS);
}

void
probe_input_close(struct probe_input **ip)
{
	struct probe_input *i = *ip;

	*ip = NULL;
	if (i == NULL)
		return;
	if (i->f != NULL && i->f != stdin)
		(void)fclose(i->f);
	free(i->line);
}

/* The next line that says something, or NULL at the end. */
static char *
next_line(struct probe_input *i)
{
	ssize_t n;
	char *b, *e;

	while ((n = getline(&i->line, &i->cap, i->f)) >= 0) {
		b = i->line;
		e = b + n;
		/* A file from elsewhere may begin with a byte order mark. */
		if (n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0)
			b += 3;
		while (e > b && strchr(" \t\r\n", e[-1]) != NULL)
			*--e = '\0';
		while (*b == ' ' || *b == '\t')
			b++;
		if (*b != '\0' && *b != '#')
			return (b);
	}
	return (NULL);
}

apr_status_t
probe_input_next(struct probe_input *i, const char **ret, const char **ret_why)
{
	char *line;

	if (i->url < i->urls->nelts) {
		*ret = APR_ARRAY_IDX(i->urls, i->url++, const char *);
		return (APR_SUCCESS);
	}
	for (;;) {
		if (i->f == NULL) {
			if (i->list == i->lists->nelts)
				return (APR_EOF);
			i->name =
			    APR_ARRAY_IDX(i->lists, i->list++, const char *);
			i->f = strcmp(i->name, "-") == 0 ? stdin
							 : fopen(i->name, "re");
			if (i->f == NULL) {
				(void)snprintf(i->why, sizeof i->why, "%s: %s",
				    i->name, strerror(errno));
				*ret_why = i->why;
				return (APR_FROM_OS_ERROR(errno));
			}
		}
		line = next_line(i);
		if (line != NULL) {
			*ret = line;
			return (APR_SUCCESS);
		}
		if (ferror(i->f)) {
			(void)snprintf(i->why, sizeof i->why, "%s: %s", i->name,
			    strerror(errno));
			*ret_why = i->why;
			return (APR_EGENERAL);
		}
		if (i->f != stdin)
			(void)fclose(i->f);
		i->f = NULL;
	}
}
