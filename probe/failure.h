/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers that are none, or that ask us to stay away: what is asked again, and
 * when an audit of a URL ends for it.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_FAILURE_H
#define PROBE_FAILURE_H

#include "probe/subject.h"

/* Does a server that has had enough of somebody answer with this status? */
bool probe_failure_refuses(int status);

/*
 * Is there an answer, and the origin's?  What a proxy is asked for in the clear it
 * may answer itself, with an error of its own.
 */
bool probe_failure_answered(const struct probe_exchange *);

/* Why there is none, for people. */
const char *probe_failure_reason(const struct probe_exchange *, apr_pool_t *);

/* There was no answer to the sample. */
void probe_failure_take(struct probe_subject *, const struct probe_sample *,
    const struct probe_exchange *);

/* True: the answer asks us to come back later, and the sample is repeated. */
bool probe_failure_slow(struct probe_subject *, const struct probe_sample *,
    const struct probe_exchange *);
#endif
