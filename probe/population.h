/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often the values of a request header occur, and what a cache that keys on
 * them makes of it.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_POPULATION_H
#define PROBE_POPULATION_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <stddef.h>

/* count values of probability p each. */
struct probe_share {
	double p;
	double count;
};

/* The shares add up to 1.  All memory is of a pool, or static. */
struct probe_population {
	const char *name; /* of the header */
	const struct probe_share *shares;
	size_t n;
};

/*
 * What is built in for a header, as it is sent; for one that we know nothing of,
 * two values of 90 and 10 %.  Never NULL.
 */
const struct probe_population *probe_population_builtin(const char *name);

/* The same header when a policy has normalised it (facts: device class in place
 * of User-Agent, one of few languages, ...). */
const struct probe_population *probe_population_normalised(const char *name);

/*
 * Read "value<TAB>weight" or "weight<TAB>value" lines; a line without a weight
 * counts 1; # begins a comment.  APR_EINVAL: no line has a weight above 0.
 */
apr_status_t probe_population_read(struct probe_population *ret,
    const char *name, const char *text, size_t len, apr_pool_t *result_pool);

/* Two headers that have nothing to do with each other. */
void probe_population_multiply(struct probe_population *ret,
    const struct probe_population *, const struct probe_population *,
    apr_pool_t *result_pool);

/* Effective number of values: 2 to the power of their entropy. */
double probe_population_effective(const struct probe_population *);

/*
 * The hit ratio of a cache that holds a variant for its lifetime, at n requests
 * for the URL within it: sum of p * (n*p)/(1+n*p).
 */
double probe_population_hits(const struct probe_population *, double n);
#endif
