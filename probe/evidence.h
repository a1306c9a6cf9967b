/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A confirmed effect, put in a form that a reader can check: which part of the
 * response, and the two texts.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_EVIDENCE_H
#define PROBE_EVIDENCE_H

#include "probe/subject.h"

/* The worst that can come of what separates the trial's answers by now. */
enum probe_effect probe_evidence_effect(const struct probe_trial *);

/* All pairs of the trial are in, and something is left that separates them. */
void probe_evidence_conclude(struct probe_subject *, struct probe_trial *);
#endif
