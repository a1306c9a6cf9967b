/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is counted, by host, path prefix and backend.
 *
 * Paths fold by themselves: where a folder shows more than LIVE_GROUP_FANOUT
 * different names, they become one ("/blog/" + "*"), and what was counted for
 * them is counted for it.  Hosts are told apart as they come, up to
 * LIVE_GROUP_HOSTS; all others are one: a stranger who makes up names must not
 * be able to fold the site's own.
 *
 * Room: live/.  Pure.
 */
#ifndef LIVE_GROUP_H
#define LIVE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/member.h"
#include "live/sketch.h"
#include "live/transaction.h"
#include "vary/field.h"

#define LIVE_GROUP_FANOUT   16 /* names of one folder before they fold */
#define LIVE_GROUP_HOSTS    64
#define LIVE_GROUP_DEPTH    3   /* segments of a path that are told apart */
#define LIVE_GROUP_BACKENDS 32  /* then all others are "(other)" */
#define LIVE_GROUP_TEXT     160 /* bytes kept of an example URL */
#define LIVE_GROUP_VARIES   4   /* different Vary values kept by text */

enum live_trap {
	LIVE_TRAP_MISMATCH = 0, /* req and bereq differ in a selecting header */
	LIVE_TRAP_REPEATED,     /* several lines of one, the first keyed on */
	LIVE_TRAP_STAR,         /* "*" was stored for everybody */
	LIVE_TRAP_MALFORMED,    /* an element that names nothing, or a pass */
	LIVE_TRAP_UNKEYABLE,    /* a member that no fetch carries */
	LIVE_TRAP_VARIANTS,     /* "High number of variants" */
	LIVE_TRAP_HIDDEN,       /* a good response behind a hit-for-miss */
	LIVE_TRAP_304,          /* a 304 with another Vary */
	LIVE_TRAP__MAX
};

struct live_trap_count {
	uint64_t n;
	uint32_t members;              /* which, where it is about members */
	char example[LIVE_GROUP_TEXT]; /* the first URL it was seen on */
};

struct live_group_member {
	uint64_t declared;   /* responses that listed it */
	uint64_t mismatches; /* fetches where it differed */
	uint64_t repeated;   /* requests that had it in several lines */
	struct live_sketch values;
	/* By the replay: hits more, had it been dropped, or normalised. */
	double won_dropped, won_normalised;
};

struct live_group {
	unsigned node, backend;
	uint64_t by[LIVE_HANDLING__MAX];
	uint64_t requests, grace_hits, fetches, failed;
	uint64_t bytes;        /* delivered */
	uint64_t stored_bytes; /* fetched and stored */
	int64_t fetch_us;      /* time the origin took, in all */
	unsigned variants_max; /* of the notices */
	struct live_sketch urls, variants;
	struct {
		char text[LIVE_GROUP_TEXT];
		uint64_t n;
	} vary[LIVE_GROUP_VARIES];
	uint64_t vary_other, vary_none;
	struct live_group_member *member[LIVE_MEMBERS_MAX];
	struct live_trap_count *trap[LIVE_TRAP__MAX];
	double replayed, replayed_hits; /* lookups, and hits of them */
	double hits_fixed; /* had a policy been used, or no Vary at all */
};

struct live_groups;

int live_groups_open(struct live_groups **ret, size_t groups_max);
void live_groups_close(struct live_groups **);

/* The number of a backend; "" is the one that is not known. */
unsigned live_groups_backend(struct live_groups *, struct vary_span name);
const char *live_groups_backend_name(const struct live_groups *, unsigned);

/*
 * The group of a request: its number stays good when groups merge.  Returns
 * 0, and *ret; or -ENOMEM.
 */
int live_groups_find(struct live_groups *, struct vary_span host,
    struct vary_span url, unsigned backend, unsigned *ret);

/* The group that a number stands for now. */
struct live_group *live_groups_get(struct live_groups *, unsigned);

/*
 * To see all of them: numbers below live_groups_end(), of which some have
 * merged into others: live_groups_at() is NULL for these.
 */
unsigned live_groups_end(const struct live_groups *);
const struct live_group *live_groups_at(const struct live_groups *, unsigned);

/* "www.example.com/blog/" and a star.  Cut to fit; always ends with a NUL. */
void live_groups_name(const struct live_groups *, const struct live_group *,
    char *buf, size_t cap);
const char *
live_groups_host(const struct live_groups *, const struct live_group *);

/* Verbs on one group.  0 or -ENOMEM. */
int live_group_vary(struct live_group *, struct vary_span value, bool has);
int live_group_member(
    struct live_group *, unsigned id, struct live_group_member **ret);
int live_group_trap(struct live_group *, enum live_trap, uint32_t members,
    struct vary_span url);
#endif
