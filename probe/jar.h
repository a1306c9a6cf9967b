/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cookie jar, as curl -c and browsers' exporters write it: Netscape's format,
 * seven fields a line with tabs between.  Never written.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_JAR_H
#define PROBE_JAR_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PROBE_JAR_COOKIES = 4096, /* in a jar; more is an error */
	PROBE_JAR_FIT = 16,       /* to one URL; the rest is left out */
};

struct probe_cookie {
	const char *domain, *path, *pair; /* pair: NAME=VALUE */
	bool subdomains, secure;
	int64_t expires; /* seconds since 1970; 0: with the browser's session */
};

struct probe_jar {
	apr_array_header_t *cookies; /* struct probe_cookie */
};

/*
 * Read a jar, and add it to *jar, which begins with zeros.  APR_EINVAL: *ret_why
 * says what is wrong, and in which line.  Bytes that a request cannot have make
 * a line wrong; what the lines before it had stays in the jar.
 */
apr_status_t probe_jar_read(struct probe_jar *, const char *text, size_t len,
    const char **ret_why, apr_pool_t *result_pool);

/*
 * Those that a browser would send to the URL at this time (RFC 6265 section
 * 5.4), the longest path first: const char *, NAME=VALUE.  host may have a port.
 */
apr_array_header_t *probe_jar_fit(const struct probe_jar *, const char *url,
    const char *host, int64_t now, apr_pool_t *result_pool);
#endif
