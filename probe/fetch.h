/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sitemaps by HTTP.  What is audited waits meanwhile.
 * Room: probe/.
 */
#ifndef PROBE_FETCH_H
#define PROBE_FETCH_H

#include <apr_errno.h>
#include <stddef.h>

/*
 * For struct probe_input_sources; the baton is the run.  *ret is the run's, until
 * the next call.
 */
apr_status_t probe_fetch(void *baton, const char *url, const char **ret,
    size_t *ret_len, const char **ret_why);
#endif
