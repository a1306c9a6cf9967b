/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an answer says about the question: features that part A from B, names in
 * Vary, refusals.
 * Room: probe/.  Pure but for decoding; never sees libcurl.
 */
#ifndef PROBE_ANALYSIS_H
#define PROBE_ANALYSIS_H

#include "probe/decode.h"
#include "probe/subject.h"

/*
 * Take the exchange that a sample led to.  scratch is reused from call to call.
 * The exchange is not needed after it.
 */
void probe_analysis_take(struct probe_subject *, const struct probe_sample *,
    const struct probe_exchange *, struct probe_decoded *scratch);
#endif
