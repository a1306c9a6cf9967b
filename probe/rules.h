/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From what is known about a URL to findings, ranked.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_RULES_H
#define PROBE_RULES_H

#include "probe/finding.h"
#include "probe/subject.h"

/* Judge a subject that probe_plan_next() calls done. */
struct probe_result *
probe_rules_judge(struct probe_subject *, apr_pool_t *result_pool);

/* The parts of it: a request header; what Vary says by itself; HEAD, 304, 206
 * and ETag. */
void probe_rules_member(
    struct probe_subject *, struct probe_result *, const char *name);
void probe_rules_response(struct probe_subject *, struct probe_result *);
void probe_rules_validators(struct probe_subject *, struct probe_result *);
/* What depends on how a request comes: SNI; and the answers to preflights. */
void probe_rules_sni(
    struct probe_subject *, struct probe_result *, const struct probe_member *);
void probe_rules_preflight(struct probe_subject *, struct probe_result *);
#endif
