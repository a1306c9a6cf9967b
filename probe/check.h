/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests whose answers must agree with the 200: HEAD, a condition, a range.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_CHECK_H
#define PROBE_CHECK_H

#include "probe/subject.h"

/* The first baseline's answer says which can be asked. */
void probe_check_plan(struct probe_subject *, const struct probe_exchange *);

/* Is there one to ask?  Then *ret has it. */
bool probe_check_next(struct probe_subject *, struct probe_sample *ret);

/* What it sends besides: at most so many headers, borrowed from the subject.
 * Returns their number. */
enum {
	PROBE_CHECK_HEADERS = 2
};
size_t probe_check_headers(const struct probe_subject *, enum probe_check_kind,
    struct probe_header ret[PROBE_CHECK_HEADERS]);

void probe_check_take(struct probe_subject *, enum probe_check_kind,
    const struct probe_exchange *);
#endif
