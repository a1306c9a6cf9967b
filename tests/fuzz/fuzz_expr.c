/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * httpd's expressions, as an .htaccess of anybody may hold them.  The first
 * byte says which of the two kinds the rest is.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "httpdconf/expr.h"
#include "tests/fuzz/fuzz_apr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
expression(
    const char *b, size_t len, enum hconf_expr_kind kind, apr_pool_t *pool)
{
	struct hconf_expr x;
	int i;

	hconf_expr_parse((struct hconf_span){ b, len }, kind, &x, pool);
	assert(x.error == NULL || x.error_at <= len);
	for (i = 0; i < x.refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x.refs, i, struct hconf_ref);

		assert(r->where.b >= b && r->where.b + r->where.len <= b + len);
	}
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
	expression(b, size - 1,
	    *data == 'b' ? HCONF_EXPR_BOOL : HCONF_EXPR_STRING, pool);
	apr_pool_destroy(pool);
	free(b);
	return (0);
}
