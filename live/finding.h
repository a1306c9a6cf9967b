/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: one thing that is wrong, where, what it costs and what to do; and how
 * findings follow from what was counted.
 * Room: live/.  Pure.
 */
#ifndef LIVE_FINDING_H
#define LIVE_FINDING_H

#include <stddef.h>
#include <stdint.h>

#include "live/audit.h"
#include "live/traffic.h"

enum live_level {
	LIVE_NOTE = 0,
	LIVE_WARNING,
	LIVE_ERROR,
};

struct live_finding {
	const char *rule; /* stable */
	enum live_level level;
	const struct live_group *group; /* the traffic's */
	char members[256];              /* "User-Agent, Cookie"; or empty */
	uint64_t count;
	double lost; /* hits, by the replay; 0 where it does not tell */
	enum live_verdict verdict; /* of the member, where it is to go */
	const char *example;       /* the traffic's; "" */
	char message[512], fix[512];
};

struct live_findings {
	struct live_finding *f; /* the worst first */
	size_t n;
};

/* 0 or -ENOMEM.  `audit` may be NULL. */
int live_findings_make(struct live_findings *ret, const struct live_traffic *,
    const struct live_audit *);
void live_findings_fini(struct live_findings *);

const char *live_level_word(enum live_level);

/* A member's verdict on all hosts that declare it: the worst of them. */
enum live_verdict live_member_verdict(
    const struct live_traffic *, const struct live_audit *, unsigned member);
#endif
