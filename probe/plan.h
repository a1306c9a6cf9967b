/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What to ask next about a URL, each request with what it is meant to show.
 * Room: probe/.  Pure: no I/O, no clock; random numbers from the seed.
 */
#ifndef PROBE_PLAN_H
#define PROBE_PLAN_H

#include <apr_errno.h>

#include "probe/subject.h"

enum probe_plan_step {
	PROBE_PLAN_SEND = 0, /* *ret was written: send it */
	PROBE_PLAN_WAIT,     /* for an answer on its way */
	PROBE_PLAN_DONE,     /* all is known that will be */
};

enum probe_plan_step
probe_plan_next(struct probe_subject *, struct probe_sample *ret);

/* The request of a sample.  Memory is of scratch_pool or the subject. */
void
probe_plan_request(const struct probe_subject *, const struct probe_sample *,
    struct probe_request *ret, apr_pool_t *scratch_pool);

/*
 * Pairs, so that the chance that any of so many tests separates the samples of
 * one feature by accident stays below alpha.  One test: p = 2/C(2n,n).
 */
int probe_plan_pairs(double tests, double alpha);
double probe_plan_p(int pairs);

/* The requests that a URL takes when nothing has an effect, and no validator or
 * range asks for a 304 or a 206; for --dry-run. */
unsigned probe_plan_size(const struct probe_subject *);
#endif
