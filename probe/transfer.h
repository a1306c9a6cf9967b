/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request on its way, as libcurl has it: its options made of a request, and an
 * exchange made of what came.  One transfer serves many requests, one after the other.
 * Room: probe/.  Used by transport alone.
 */
#ifndef PROBE_TRANSFER_H
#define PROBE_TRANSFER_H

#include <apr_errno.h>
#include <curl/curl.h>

#include "probe/answer.h"
#include "probe/route.h"

/* What all transfers of a run have in common. */
struct probe_transfer_shared {
	struct probe_route route;
	struct curl_slist *connect_to, *resolve;
	bool proxied; /* a proxy is asked for what is not TLS */
};

/* The strings of the route are borrowed.  After an error, too, there is a fini. */
apr_status_t probe_transfer_share(
    struct probe_transfer_shared *, const struct probe_route *);
void probe_transfer_unshare(struct probe_transfer_shared *);

struct probe_transfer {
	CURL *easy;
	/* private to transfer.c */
	const struct probe_transfer_shared *shared;
	bool tls;
	struct curl_slist *headers;
	struct curl_slist *connect_to; /* for this request alone, or NULL */
	struct probe_answer answer;
	char error[CURL_ERROR_SIZE];
};

/* The transfer is all zeros before; after an error, too, there is a fini. */
apr_status_t probe_transfer_init(
    struct probe_transfer *, const struct probe_transfer_shared *);
void probe_transfer_fini(struct probe_transfer *);

/* Make ready for a request, which is copied; until probe_transfer_end(). */
apr_status_t
probe_transfer_begin(struct probe_transfer *, const struct probe_request *);

/* It is over, as code has it.  The exchange is lent until probe_transfer_end(). */
void probe_transfer_exchange(
    struct probe_transfer *, CURLcode code, struct probe_exchange *ret);
void probe_transfer_end(struct probe_transfer *);
#endif
