/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration files are written by anybody who may upload one.  The first
 * byte says what the rest is: .htaccess, httpd.conf or nginx.conf; what is found
 * then goes through every report.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "scan/report.h"
#include "scan/scan.h"
#include "tests/fuzz/fuzz_apr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
configuration(
    const char *b, size_t len, enum scan_format format, apr_pool_t *pool)
{
	static FILE *null;
	struct scan_request q = { .format = format };
	const struct scan_view v = { .all = true };
	struct scan_result *r;
	int i;

	if (null == NULL)
		null = fopen("/dev/null", "w");
	if (null == NULL)
		abort();
	scan_text(&r, &q, "file", b, len, pool);
	for (i = 0; i < r->edits->nelts; i++) {
		const struct scan_edit *e =
		    &APR_ARRAY_IDX(r->edits, i, struct scan_edit);

		assert(e->at + e->len <= len);
	}
	(void)scan_report_text(null, r, &v, pool);
	(void)scan_report_json(null, r, &v, pool);
	(void)scan_report_sarif(null, r, &v, pool);
	(void)scan_patch_write(null, r, pool);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	apr_pool_t *pool;
	char *b;

	if (size < 1)
		return (0);
	pool = fuzz_pool();
	b = fuzz_exact(data + 1, size - 1);
	switch (*data) {
	case 'h': configuration(b, size - 1, SCAN_FORMAT_HTACCESS, pool); break;
	case 's': configuration(b, size - 1, SCAN_FORMAT_HTTPD, pool); break;
	default: configuration(b, size - 1, SCAN_FORMAT_NGINX, pool); break;
	}
	apr_pool_destroy(pool);
	free(b);
	return (0);
}
