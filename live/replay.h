/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache, replayed: what Varnish did with the requests that it logged, and
 * what it would have done under another Vary.
 *
 * The model is Varnish's: objects of one URL, each with its own Vary and the
 * values of its own backend request; the newest that matches the request's
 * values counts; a ttl, then grace (the hit sets off a fetch in the
 * background), then nothing; hit-for-miss objects; and, with a storage size,
 * least-recently-used eviction.
 *
 * Many caches run at once, one a scenario.  The first is the cache as it was;
 * how well its hits agree with those observed says what the others are worth.
 *
 * Memory is bounded: when objects no longer fit, half of the URLs are left out
 * and the rest counts for all (a sample by the URL's hash, so that each URL is
 * in or out with all of its requests).
 *
 * Room: live/.  Pure.
 */
#ifndef LIVE_REPLAY_H
#define LIVE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/member.h"

enum live_scenario_kind {
	LIVE_AS_IT_WAS = 0,
	LIVE_AS_DECLARED, /* the origin's Vary, whatever VCL made of it */
	LIVE_NO_VARY,     /* every member dropped */
	LIVE_POLICY,      /* --policy */
	LIVE_DROPPED,     /* one member dropped */
	LIVE_NORMALISED,  /* one member in the form of its rule */
};

#define LIVE_SCENARIOS_MAX (4 + 2 * LIVE_MEMBERS_MAX)

struct live_scenario {
	enum live_scenario_kind kind;
	unsigned member;
	uint32_t affects;      /* members that are not as they were */
	double hits;           /* of the replay's lookups */
	double fetched;        /* bytes that had to be fetched and stored */
	uint64_t resident_max; /* bytes of live objects, at most */
	uint64_t evicted;
};

enum live_observed {
	LIVE_SEEN_UNKNOWN = 0, /* no cache was asked: an origin's log */
	LIVE_SEEN_HIT,
	LIVE_SEEN_MISS,
};

/* One lookup, without its text. */
struct live_event {
	int64_t us;
	uint64_t url; /* hash of what Varnish hashes */
	bool purge;   /* no lookup: from now on the URL has no objects */
	unsigned group;
	enum live_observed observed;
	/* A hit: the object's Vary, what was left of it, and since when it is. */
	uint32_t hit_mask;
	double left_ttl, left_grace;
	int64_t born_us; /* negative: not told */
	/* The fetch, if there was one. */
	bool fetched, storable, background, hit_for_miss;
	uint32_t stored_mask, declared_mask;
	int64_t origin_us; /* since when the ttl runs */
	double ttl, grace;
	uint64_t bytes;
	struct live_values req, bereq;
};

struct live_replay_options {
	uint64_t storage; /* bytes; 0: without limit */
	size_t memory;    /* bytes for objects and URLs */
	bool policy;      /* there is one: run LIVE_POLICY */
};

struct live_replay_result {
	double lookups;  /* all below are of these */
	double observed; /* lookups whose outcome the log tells */
	double observed_hits;
	double replayed_hits; /* of the same lookups, as it was */
	double only_observed, only_replayed; /* hits the other does not have */
	double assumed; /* hits on objects older than the log: taken as given */
	double sample;  /* the part of the URLs that is replayed; 1: all */
	size_t objects, urls;
	const struct live_scenario *scenario;
	unsigned scenarios;
};

/* A lookup is decided.  Bit n of `hits`: scenario n has it. */
typedef void live_outcome_f(
    void *priv, const struct live_event *, uint64_t hits, double weight);

struct live_replay;

int live_replay_open(struct live_replay **ret, const struct live_members *,
    const struct live_replay_options *, live_outcome_f *, void *priv);
void live_replay_close(struct live_replay **);

/*
 * Add a lookup.  They may come out of order by a little: they wait until a
 * later one is LIVE_REPLAY_WINDOW_US younger.  0 or -ENOMEM.
 */
#define LIVE_REPLAY_WINDOW_US 2000000
int live_replay_add(struct live_replay *, const struct live_event *);

/* Decide what waits from before this time; INT64_MAX: all of it. */
int live_replay_settle(struct live_replay *, int64_t before_us);

/* Accept-Encoding selects an object, too: http_gzip_support is off. */
void live_replay_key_on_encoding(struct live_replay *, bool);

void
live_replay_result(const struct live_replay *, struct live_replay_result *ret);

/* The number of a scenario; -1: it was never needed, so it is as it was. */
int live_replay_scenario(
    const struct live_replay *, enum live_scenario_kind, unsigned member);
#endif
