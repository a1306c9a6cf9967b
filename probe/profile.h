/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a cache does with a response: may it store it, does it honour Vary,
 * what does a member cost it.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_PROFILE_H
#define PROBE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/exchange.h"

struct probe_profile {
	const char *name;
	const char *description;
	/* responses without any lifetime of their own */
	int default_ttl; /* seconds; -1: heuristic, RFC 9111 section 4.2.2 */
	const char *statuses;    /* no other is stored; NULL: by RFC 9111 */
	const char *targeted;    /* RFC 9213 field that it obeys, or NULL */
	bool surrogate;          /* obeys Surrogate-Control */
	bool surrogate_lifetime; /* ... of which only max-age counts */
	bool set_cookie_private; /* a response with Set-Cookie is not stored */
	bool no_cache_stored;    /* Cache-Control: no-cache does not stop it */
	bool private_cache;      /* a browser: stores "private" too */
	bool ignores_vary;       /* the key does not know it */
	bool vary_uncached;      /* any Vary but Accept-Encoding: not stored */
	bool folds_encoding;     /* Accept-Encoding makes no variants */
	bool one_variant;        /* a URL has one variant at a time */
	bool first_line;    /* of a repeated request header it keys on one */
	const char *source; /* where the above comes from */
};

/* By name; NULL: none of that name. */
const struct probe_profile *probe_profile_find(const char *name);
/* All, in order; NULL after the last. */
const struct probe_profile *probe_profile_at(size_t);

/*
 * May this response be stored and given to others?  *ret_why is a static
 * string that says what decides.
 */
bool probe_profile_stores(const struct probe_profile *, int status,
    const struct probe_line *lines, size_t nlines, bool authorized,
    const char **ret_why);
#endif
