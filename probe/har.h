/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HAR 1.2, as browsers save it: the URLs that were asked for with GET.
 * Room: probe/.
 */
#ifndef PROBE_HAR_H
#define PROBE_HAR_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>

/*
 * *ret is an array of const char *, each URL once, in the order of the file.
 * On an error *ret_why says what the matter is.
 */
apr_status_t probe_har_read(apr_array_header_t **ret, const char *text,
    size_t len, const char **ret_why, apr_pool_t *result_pool);
#endif
