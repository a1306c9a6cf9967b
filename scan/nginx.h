/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nginx, as far as Vary goes: gzip without gzip_vary, add_header Vary and where
 * its inheritance ends, if and map on request headers that no Vary names.
 * Not covered: Lua, njs, subrequests, and what a proxied server sends.
 * Room: scan/.  APR pools and files; writes nothing, prints nothing.
 */
#ifndef SCAN_NGINX_H
#define SCAN_NGINX_H

#include <apr_errno.h>

#include "scan/judge.h"

/* eras: what findings are marked with; nginx has none of its own. */
apr_status_t
scan_nginx_file(struct scan_verdict *, const char *path, unsigned eras,
    size_t *ret_files, size_t *ret_bytes, apr_pool_t *result_pool);

/* The same from memory, which has to stay; includes are passed over. */
void scan_nginx_text(struct scan_verdict *, const char *name, const char *b,
    size_t len, unsigned eras, apr_pool_t *result_pool);
#endif
