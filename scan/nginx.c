/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/nginx.h"

#include <string.h>

#include <apr_strings.h>

#include "httpdconf/tree.h"
#include "scan/nginx_tree.h"

static void
nginx_init(struct scan_nginx *n, struct scan_verdict *v, unsigned eras,
    const char *root, apr_pool_t *pool)
{
	memset(n, 0, sizeof *n);
	n->v = v;
	n->pool = pool;
	n->eras = eras;
	n->root = root;
	n->vars = apr_hash_make(pool);
	n->round = 1;
	n->blocks = apr_array_make(pool, 16, sizeof(struct scan_nginx_block *));
}

apr_status_t
scan_nginx_file(struct scan_verdict *v, const char *path, unsigned eras,
    size_t *ret_files, size_t *ret_bytes, apr_pool_t *result_pool)
{
	struct scan_nginx n;
	const char *b, *slash = strrchr(path, '/');
	size_t len;
	apr_status_t rv;

	rv = hconf_slurp(path, &b, &len, result_pool);
	if (rv != APR_SUCCESS)
		return (rv);
	nginx_init(&n, v, eras,
	    slash == NULL
		? "."
		: apr_pstrmemdup(result_pool, path, (size_t)(slash - path)),
	    result_pool);
	scan_nginx_read(&n, path, b, len);
	scan_nginx_judge(&n);
	*ret_files = n.files;
	*ret_bytes = n.bytes;
	return (APR_SUCCESS);
}

void
scan_nginx_text(struct scan_verdict *v, const char *name, const char *b,
    size_t len, unsigned eras, apr_pool_t *result_pool)
{
	struct scan_nginx n;

	nginx_init(&n, v, eras, NULL, result_pool);
	scan_nginx_read(&n, name, b, len);
	scan_nginx_judge(&n);
}
