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
	bool ensure; /* a member also where the origin forgot it */
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
	bool normalised; /* clients see the normal form, not the origin's */
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

/* The rule whose name, or whose map target, this is; NULL if none. */
const struct vary_rule *
vary_policy_find(const struct vary_policy *, struct vary_span name);
#endif
