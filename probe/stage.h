/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an audit tries further, once it has tried what it began with: the headers
 * of a group alone, lines of a repeated header, headers that others may hide, and
 * preflights.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_STAGE_H
#define PROBE_STAGE_H

#include <apr_pools.h>
#include <apr_tables.h>
#include <stdbool.h>

#include "probe/subject.h"

/* Nothing is on its way, and no trial is open.  Are there new ones now? */
bool probe_stage_open(struct probe_subject *);

/*
 * What a GROUP, REST or COOKIES trial adds to a request: struct probe_header, the values
 * of the pool.
 */
apr_array_header_t *probe_stage_headers(
    const struct probe_subject *, const struct probe_trial *, apr_pool_t *pool);

/* What answers to this trial are compared with: in all of those, in any. */
void probe_stage_base(struct probe_subject *, const struct probe_trial *,
    const struct probe_features **ret_stable,
    const struct probe_features **ret_any);

/* May its confirmed answers be what others are compared with? */
bool probe_stage_is_context(
    const struct probe_subject *, const struct probe_trial *);
#endif
