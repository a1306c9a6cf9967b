/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * URLs, one after the other, from wherever they come; never all in memory.
 * Room: probe/.
 */
#ifndef PROBE_INPUT_H
#define PROBE_INPUT_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <stddef.h>

struct probe_input;

/*
 * Arguments first, then lists ("-" is stdin).  A line of a list is a URL;
 * blanks around it, empty lines and lines that begin with # are passed over.
 */
apr_status_t
probe_input_open(struct probe_input **ret, const apr_array_header_t *urls,
    const apr_array_header_t *lists, apr_pool_t *result_pool);
void probe_input_close(struct probe_input **);

/*
 * The next URL; *ret is good until the next call.  APR_EOF: there is none.
 * Another error: *ret_why says of what file, and what the matter is.
 */
apr_status_t
probe_input_next(struct probe_input *, const char **ret, const char **ret_why);
#endif
