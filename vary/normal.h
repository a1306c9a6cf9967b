/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members and a policy in, values out: what the cache stores and what clients
 * are told.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_NORMAL_H
#define VARY_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "vary/field.h"
#include "vary/policy.h"
#include "vary/set.h"

/* May a response be used for a second request, and if not, why not? */
enum vary_share {
	VARY_SHARED = 0,
	VARY_UNSHARED_STAR,      /* RFC 9111 section 4.1: "*" never matches */
	VARY_UNSHARED_MALFORMED, /* an unknown dependency */
	VARY_UNSHARED_OVERFLOW,  /* more than VARY_SET_MAX names */
	VARY_UNSHARED_BYPASS,    /* the policy says so */
};

/* How often each verb was used. */
struct vary_tally {
	unsigned kept, stripped, hidden, mapped, restored, ensured;
};

struct vary_normal {
	enum vary_share share;
	/*
	 * Both lie in the caller's buffer, without a NUL; len 0 means that
	 * the header is absent.  Where the response is not shared, .cache still
	 * holds the members that could be read: a hit-for-miss mark kept
	 * under them leaves other variants alone.
	 */
	struct vary_span cache;
	struct vary_span client;
	struct vary_tally tally;
};

/* Where the response goes. */
enum vary_via {
	VARY_VIA_CACHE = 0,
	/*
	 * Passed on and stored for nobody: clients see all that the origin said
	 * but for the cache's own names, and what the policy ensures.
	 */
	VARY_VIA_PASS,
};

/*
 * .cache is in normal form: each name once, spelled as registered, in the
 * order of vary_name_known().rank.  .client keeps the origin's order and
 * spelling unless the policy says "normalised".
 *
 * VARY_NOSPACE if cap is below vary_normal_bound(); *ret is untouched then.
 */
enum vary_status
vary_normal_apply(const struct vary_policy *, const struct vary_set *,
    enum vary_via, char *buf, size_t cap, struct vary_normal *ret);

/* Bytes that vary_normal_apply() may need. */
size_t vary_normal_bound(const struct vary_policy *, const struct vary_set *);

/*
 * The stateless normal form: each name once, in lower case, in byte order,
 * joined by ", "; "*" if it is one of them.  At most as many bytes as
 * vary_normal_bound(NULL, set) says.
 */
enum vary_status vary_normal_write(
    const struct vary_set *, char *buf, size_t cap, size_t *ret_len);
#endif
