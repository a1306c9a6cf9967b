/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests in, exchanges out; many at a time.  Decides nothing: no redirect is
 * followed, no body decoded, nothing sent twice.
 * Room: probe/.
 */
#ifndef PROBE_TRANSPORT_H
#define PROBE_TRANSPORT_H

#include <apr_errno.h>
#include <apr_pools.h>

#include "probe/exchange.h"
#include "probe/route.h"

struct probe_transport;

/* The exchange lives for the call only.  May submit further requests. */
typedef void
probe_transport_done(void *baton, const struct probe_exchange *exchange);

/* The strings of the route are borrowed until it is closed. */
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
 * has ended.  A signal ends the wait, and so do bytes of the descriptor fd, which
 * is the caller's; -1: there is none. */
apr_status_t
probe_transport_run(struct probe_transport *, int timeout_ms, int fd);

/* What the library is and can do, for --version: "libcurl/7.88.1 ...". */
const char *probe_transport_version(void);
#endif
