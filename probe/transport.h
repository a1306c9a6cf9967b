/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests in, exchanges out; many at a time.  Decides nothing: no redirect is
 * followed, no body decoded, nothing sent twice.
 * Room: probe/.  The only door to libcurl.
 */
#ifndef PROBE_TRANSPORT_H
#define PROBE_TRANSPORT_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <stdbool.h>
#include <stdint.h>

#include "probe/exchange.h"

/* How to reach the origin.  Strings are borrowed until probe_transport_close().
 * Zero or NULL is the default everywhere. */
struct probe_route {
	const char *const
	    *connect_to;            /* libcurl's HOST:PORT:CONNECT-HOST:PORT */
	const char *const *resolve; /* HOST:PORT:ADDRESS */
	const char *unix_socket;
	const char *proxy;      /* NULL: as the environment says */
	const char *user;       /* NAME:PASSWORD */
	const char *cert, *key; /* client certificate, PEM */
	const char *cacert;     /* trust these, PEM */
	bool netrc;
	bool proxy_protocol;  /* begin each connection with HAProxy's line */
	bool insecure;        /* take any certificate */
	int http;             /* 10, 11, 20; 0: 1.1 */
	uint64_t timeout_ms;  /* for a whole exchange; 0: 30 s */
	unsigned concurrency; /* requests at a time; 0: 8 */
	unsigned per_host;    /* connections to one host; 0: no limit */
	size_t max_body;      /* bytes read of a body; 0: 4 MiB */
};

struct probe_transport;

/* The exchange lives for the call only.  May submit further requests. */
typedef void
probe_transport_done(void *baton, const struct probe_exchange *exchange);

apr_status_t probe_transport_open(struct probe_transport **ret,
    const struct probe_route *, apr_pool_t *result_pool);
/* Calls back with PROBE_STOPPED for what is still on its way. */
void probe_transport_close(struct probe_transport **);

/* How many requests may be submitted now. */
unsigned probe_transport_room(const struct probe_transport *);

/* Send a request.  APR_EAGAIN: no room now.  The request and what it points to
 * are copied. */
apr_status_t probe_transport_submit(struct probe_transport *,
    const struct probe_request *, probe_transport_done *, void *baton);

/* Wait up to timeout_ms for something to happen, and call back for all that
 * has ended.  A signal ends the wait. */
apr_status_t probe_transport_run(struct probe_transport *, int timeout_ms);

/* What the library is and can do, for --version: "libcurl/7.88.1 ...". */
const char *probe_transport_version(void);

/*
 * Is this a URL that can be audited?  APR_EINVAL: no; *ret_why says what is
 * wrong.  *ret_url is the normal form, without a fragment; *ret_host the host
 * with the port if it is not the scheme's own.
 */
apr_status_t probe_transport_url(const char *url, const char **ret_url,
    const char **ret_host, const char **ret_why, apr_pool_t *result_pool);
/* A reference, as in Location, to a whole URL.  APR_EINVAL: it makes none. */
apr_status_t probe_transport_relative(const char *base, const char *reference,
    const char **ret, apr_pool_t *result_pool);
#endif
