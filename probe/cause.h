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

/* Name the cause of each finding that has one. */
void probe_cause_name(const struct scan_result *, struct probe_result *);
#endif
