/* SPDX-License-Identifier: BSD-2-Clause */
/* What the fuzz targets of rooms that use APR share. */
#ifndef TESTS_FUZZ_APR_H
#define TESTS_FUZZ_APR_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>
#include <apr_pools.h>

/* A pool for one input; APR is started with the first one. */
static inline apr_pool_t *
fuzz_pool(void)
{
	static apr_pool_t *root;
	apr_pool_t *pool;

	if (root == NULL && (apr_initialize() != APR_SUCCESS ||
				apr_pool_create(&root, NULL) != APR_SUCCESS))
		abort();
	if (apr_pool_create(&pool, root) != APR_SUCCESS)
		abort();
	return (pool);
}

/* A block of the input's very size, so that one byte too many is seen. */
static inline char *
fuzz_exact(const uint8_t *data, size_t size)
{
	char *b = malloc(size > 0 ? size : 1);

	if (b == NULL)
		abort();
	memcpy(b, data, size);
	return (b);
}
#endif
