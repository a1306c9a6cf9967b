/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transactions, counted: into groups, into the replayed cache, into the
 * profile of the disk.  What the findings and the reports are made of.
 * Room: live/.  Pure.
 */
#ifndef LIVE_TRAFFIC_H
#define LIVE_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "live/disk.h"
#include "live/group.h"
#include "live/member.h"
#include "live/policy.h"
#include "live/replay.h"
#include "live/transaction.h"

enum live_gzip {
	LIVE_GZIP_AUTO = 0, /* found out from the requests */
	LIVE_GZIP_ON,       /* Accept-Encoding selects nothing (the default) */
	LIVE_GZIP_OFF,
};

struct live_traffic_options {
	const struct live_policy *policy; /* borrowed; NULL: none */
	size_t groups;
	uint64_t storage;
	size_t replay_memory;
	enum live_gzip gzip;
};

struct live_traffic {
	struct live_members *members;
	struct live_groups *groups;
	struct live_replay *replay;
	struct live_disk disk;
	enum live_gzip gzip; /* AUTO: nothing has told yet */
	/* Of all transactions. */
	uint64_t requests, by[LIVE_HANDLING__MAX], incomplete, restarted;
	uint64_t grace_hits;
	uint64_t unreplayed; /* lookups whose Vary had too many names */
	int64_t first_us, last_us;
	/* Private to traffic.c. */
	struct live_recent *recent;
	bool gzip_told;
	int error;
};

/* 0 or -ENOMEM.  The members are the traffic's until it is closed. */
int
live_traffic_init(struct live_traffic *, const struct live_traffic_options *);
void live_traffic_fini(struct live_traffic *);

/* Count one transaction.  0 or -ENOMEM. */
int live_traffic_take(struct live_traffic *, const struct live_transaction *);

/* Decide the lookups before a time; INT64_MAX: all.  0 or -ENOMEM. */
int live_traffic_settle(struct live_traffic *, int64_t before_us);
#endif
