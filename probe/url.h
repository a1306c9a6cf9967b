/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * URLs as libcurl reads them, who asks for them.
 * Room: probe/.  No I/O.
 */
#ifndef PROBE_URL_H
#define PROBE_URL_H

#include <apr_errno.h>
#include <apr_pools.h>

/*
 * Is this a URL that can be audited?  APR_EINVAL: no; *ret_why says what is
 * wrong.  *ret_url is the normal form, without a fragment; *ret_host the host
 * with the port if it is not the scheme's own.
 */
apr_status_t probe_url_read(const char *url, const char **ret_url,
    const char **ret_host, const char **ret_why, apr_pool_t *result_pool);
/* A reference, as in Location, to a whole URL.  APR_EINVAL: it makes none. */
apr_status_t probe_url_resolve(const char *base, const char *reference,
    const char **ret, apr_pool_t *result_pool);

/* Is this the URL of a proxy that we know how to ask?  APR_EINVAL: no, and why. */
apr_status_t
probe_url_proxy(const char *url, const char **ret_why, apr_pool_t *result_pool);
#endif
