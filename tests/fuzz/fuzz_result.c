/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results of audits, from anywhere: as a sum, and as a policy in each format.
 * What is printed is configuration that somebody will load: it
 * is read again here, and must have no more to it than this program's words.
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/judged.h"
#include "probe/policy_print.h"
#include "probe/report.h"
#include "probe/summary.h"
#include "tests/fuzz/fuzz_apr.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static bool
begins(const char *line, const char *with)
{
	return (strncmp(line, with, strlen(with)) == 0);
}

/* Each line is a comment, or one of ours with its string closed. */
static bool
is_ours(const char *line, enum probe_policy_format format)
{
	static const char *const known[PROBE_NPOLICIES][12] = {
		{ "import vary;", "sub vcl_", "}", "\tnew site = vary.policy(",
		    "\tsite." },
		{ "Header edit* Vary ", "Header unset Vary ",
		    "Header always merge Vary ", "RequestHeader unset " },
		{ "gzip_vary on; ", "add_header Vary ", "proxy_set_header " },
		{ "Avail-Language: ", "Avail-Format: ", "Avail-Encoding: ",
		    "Cookie-Indices: " },
	};
	unsigned quotes = 0, i;
	const char *p;

	if (*line == '\0' || *line == '#' || begins(line, "\t#"))
		return (true);
	for (p = line; *p != '\0'; p++) {
		quotes += *p == '"';
		/* The end of a statement or block is the line's. */
		if (quotes % 2 == 0 && format == PROBE_POLICY_VCL &&
		    strchr(";{}", *p) != NULL && p[1] != '\0')
			return (false);
	}
	if (quotes % 2 != 0)
		return (false);
	/* An Apache or nginx would see a variable, a quote, a format. */
	if (format == PROBE_POLICY_NGINX && strpbrk(line, "$'\\") != NULL)
		return (false);
	if (format == PROBE_POLICY_APACHE && begins(line, "Header always") &&
	    strpbrk(line, "%'\"\\$") != NULL)
		return (false);
	for (i = 0; known[format][i] != NULL; i++)
		if (begins(line, known[format][i]))
			return (true);
	return (false);
}

static void
print(struct probe_judged *a, enum probe_policy_format format)
{
	char *text = NULL, *line, *end;
	size_t n = 0, i;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL)
		return;
	probe_policy_print(f, a, format);
	(void)fclose(f);
	for (i = 0; i < n; i++)
		if ((unsigned char)text[i] < 0x20 && text[i] != '\n' &&
		    text[i] != '\t')
			abort();
	for (line = text; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (!is_ours(line, format)) {
			fprintf(stderr, "not ours: %s\n", line);
			abort();
		}
	}
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct probe_judged a;
	struct probe_summary sum;
	char text[512];
	const char *why;
	apr_pool_t *pool;
	unsigned i;
	FILE *f;

	if (len == 0)
		return (0);
	f = fmemopen((void *)(uintptr_t)data, len, "r");
	if (f == NULL)
		return (0);
	pool = fuzz_pool();
	probe_judged_init(&a, pool);
	(void)probe_judged_read(&a, f, &why);
	/* Also of half a result. */
	for (i = 0; i < PROBE_NPOLICIES; i++)
		print(&a, (enum probe_policy_format)i);
	rewind(f);
	memset(&sum, 0, sizeof sum);
	(void)probe_summary_read(&sum, f, text, sizeof text);
	(void)fclose(f);
	apr_pool_destroy(pool);
	return (0);
}
