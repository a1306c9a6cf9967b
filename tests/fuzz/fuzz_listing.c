/* SPDX-License-Identifier: BSD-2-Clause */
/* What lists URLs, or forbids them: lists, sitemaps, HAR, robots.txt; populations
 * and cookie jars. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/har.h"
#include "probe/jar.h"
#include "probe/list.h"
#include "probe/population.h"
#include "probe/robots.h"
#include "probe/sitemap.h"
#include "tests/fuzz/fuzz_apr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lines are no empty ones, and there are no more than newlines and one. */
static void
list(const char *text, size_t size)
{
	struct probe_list l;
	const char *line;
	char path[32];
	FILE *f = tmpfile();
	apr_status_t st;
	size_t n = 0;

	if (f == NULL)
		return;
	(void)fwrite(text, 1, size, f);
	(void)fflush(f);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
	probe_list_init(&l);
	st = probe_list_open(&l, path);
	while (st == APR_SUCCESS || st == APR_ENAMETOOLONG) {
		st = probe_list_next(&l, &line);
		assert(st != APR_SUCCESS || *line != '\0');
		assert(n++ <= size + 1);
	}
	probe_list_fini(&l);
	(void)fclose(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *loc, *why;
	struct probe_population p;
	struct probe_sitemap *s;
	struct probe_robots *r;
	struct probe_jar jar;
	apr_array_header_t *urls, *fit;
	int i;
	apr_pool_t *pool = fuzz_pool();
	bool index;
	double hits;

	list(text, size);
	r = probe_robots_parse(text, size, "varyprobe", pool);
	assert(probe_robots_allow(r, "/robots.txt"));
	(void)probe_robots_allow(r, "/a/b%2f%zz?c=*$");
	(void)probe_har_read(&urls, text, size, &why, pool);
	if (probe_population_read(&p, "X", text, size, pool) == APR_SUCCESS) {
		hits = probe_population_hits(&p, 100);
		assert(hits >= 0 && hits <= 1);
	}
	memset(&jar, 0, sizeof jar);
	(void)probe_jar_read(&jar, text, size, &why, pool);
	fit = probe_jar_fit(
	    &jar, "https://a.example/x/y", "a.example", 1700000000, pool);
	assert(fit->nelts <= PROBE_JAR_FIT);
	for (i = 0; i < fit->nelts; i++)
		assert(strpbrk(APR_ARRAY_IDX(fit, i, const char *), "\r\n;") ==
		       NULL);
	if (probe_sitemap_open(&s, text, size) == APR_SUCCESS) {
		while (probe_sitemap_next(s, &loc, &index) == APR_SUCCESS)
			assert(*loc != '\0');
		probe_sitemap_close(&s);
	}
	apr_pool_destroy(pool);
	return (0);
}
