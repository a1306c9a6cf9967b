/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a response's Vary says, and how that goes together with what the others
 * of the URL said.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_DECLARED_H
#define PROBE_DECLARED_H

#include "probe/subject.h"

/* Take the Vary of the answer to a sample. */
void probe_declared_take(struct probe_subject *, const struct probe_sample *,
    const struct probe_exchange *);

/* All lines of Vary as one, in lower case and sorted; "" if there is none. */
const char *
probe_declared_normal(struct probe_subject *, const struct probe_exchange *);

/* Does a Vary of this answer name it, or say *? */
bool probe_declared_names(const struct probe_exchange *, const char *name);

/* What a trial sends, in words: "Accept: text/html", "a request without Accept" */
const char *
probe_declared_trial(const struct probe_subject *, const struct probe_trial *);
#endif
