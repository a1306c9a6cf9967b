/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an origin looks like from outside, and what, without its configuration,
 * is the likely cause of a member of Vary.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_LIKELY_H
#define PROBE_LIKELY_H

#include "probe/finding.h"
#include "probe/subject.h"

/*
 * Say of each finding without a cause what causes it in most origins that look
 * like this one: by Server and its like, how Vary is written, which members it
 * has, and whether all answers name them.  Nothing where nothing is known.
 */
void probe_likely_name(const struct probe_subject *, struct probe_result *,
    apr_pool_t *result_pool);
#endif
