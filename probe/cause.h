/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which line of a configuration causes a finding: --config, by way of scan/.
 * Room: probe/.  The only door to scan/, besides main.c.
 */
#ifndef PROBE_CAUSE_H
#define PROBE_CAUSE_H

#include "probe/finding.h"
#include "probe/run.h"

/* Scan what --config names, if anything.  -1: there was a message. */
int probe_cause_read(struct probe_run *);

/* Try the headers, too, that the configuration asks for. */
void probe_cause_ask(const struct scan_result *, struct probe_subject *);

/*
 * Name the cause of each finding that has one: the line that explains best which
 * answers have the member; and the lines that are innocent.  The configuration
 * has to stay as long as the result.
 */
void probe_cause_name(
    const struct scan_result *, struct probe_result *, apr_pool_t *result_pool);
#endif
