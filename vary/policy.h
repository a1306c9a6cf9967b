/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is to become of each member of Vary: who hears of it, and under which
 * name.  Made once, then only read.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_POLICY_H
#define VARY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "vary/field.h"

/*
 *			the cache keys on	clients are told
 *	keep		it			it
 *	strip		-			-
 *	hide		it			-
 *	map		another name (.to)	it
 *	restore		-			it
 *	bypass		nothing is shared	it
 */
enum vary_verb {
	VARY_KEEP = 0,
	VARY_STRIP,
	VARY_HIDE,
	VARY_MAP,
	VARY_RESTORE,
	VARY_BYPASS,
};

struct vary_rule {
	struct vary_span name; /* borrowed; compared without case */
	struct vary_span to;   /* VARY_MAP only; borrowed */
	enum vary_verb verb;
	bool ensure;   /* a member also where the origin forgot it */
	bool promoted; /* in the hash: out of the key, whatever the verb */
	bool chosen; /* .recv() chooses its value by what the client accepts */
	unsigned said; /* which word of the policy; 0: named, no verb said */
};

enum vary_repair {
	VARY_REPAIR_NONE = 0, /* a blank in a member makes Vary malformed */
	VARY_REPAIR_BLANK,    /* "X-A X-B" is read as "X-A, X-B" */
};

struct vary_policy {
	struct vary_rule *rule; /* the caller's, cap of them */
	size_t n, cap;
	enum vary_verb other; /* members without a rule: keep, strip, bypass */
	enum vary_verb unkeyable; /* ... of that class (vary/name.h) */
	enum vary_verb inert;
	enum vary_repair repair;
	bool normalised;     /* clients see the normal form, not the origin's */
	unsigned said;       /* private: words so far */
	bool maps, promotes; /* private: is there such a rule */
};

/* Everything is kept; unkeyable and inert members are only restored. */
void vary_policy_init(struct vary_policy *, struct vary_rule *rule, size_t cap);

/*
 * The rule for this name, a new VARY_KEEP one if there is none yet: *ret
 * points into the caller's array.  VARY_SYNTAX: no field name, or longer than
 * Varnish can keep; VARY_NOSPACE: no room, call again with a larger array.
 */
enum vary_status vary_policy_rule(
    struct vary_policy *, struct vary_span name, struct vary_rule **ret);

/*
 * Say a verb of a rule of this policy.  The last word said of a name counts:
 * VARY_STRIP takes back what was ensured.
 */
void vary_policy_say(struct vary_policy *, struct vary_rule *, enum vary_verb);

/*
 * As VARY_MAP to this name; VARY_SYNTAX: none that Varnish could keep.
 * VARY_CONFLICT: it would lead to itself, or a map to a map, whose clients would
 * be told of a header that only exists inside.  Mapped again, the last word counts.
 */
enum vary_status
vary_policy_map(struct vary_policy *, struct vary_rule *, struct vary_span to);

/* A member of every response, as its verb says; no longer stripped. */
void vary_policy_ensure(struct vary_policy *, struct vary_rule *);

/* Out of the key; told as its verb says, and kept where that was to drop it. */
void vary_policy_promote(struct vary_policy *, struct vary_rule *);

/*
 * The rule that decides for this name: its own, or that of which it is the map
 * target, if nothing was said of the name itself after that; NULL if none.
 */
const struct vary_rule *
vary_policy_find(const struct vary_policy *, struct vary_span name);

/* What makes a rule one that cannot do what it says. */
enum vary_doubt {
	VARY_DOUBT_NONE = 0,
	VARY_DOUBT_ITSELF, /* Vary is what the members are in */
	/* Keyed on, or normalised, and no fetch carries it: never a hit. */
	VARY_DOUBT_UNKEYABLE,
	/* Ensured, promoted, mapped to, normalised: and no request has it. */
	VARY_DOUBT_INERT,
	VARY_DOUBT_ALWAYS, /* ensured and bypassed: nothing is ever shared */
	/* Stripped and chosen: the first visitor's choice is everybody's. */
	VARY_DOUBT_CHOSEN,
	/* Mapped to a registered name from one that is not: the other way round. */
	VARY_DOUBT_REVERSED,
	VARY_DOUBT_COOKIE, /* what only commas separate; Cookie has ";" */
};

enum vary_doubt vary_policy_doubt(const struct vary_rule *);

/* Is this name in the hash instead of the key? */
bool vary_policy_is_promoted(const struct vary_policy *, struct vary_span name);
#endif
