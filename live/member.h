/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that Vary has been seen to list, each with a number, and the
 * values that requests give them, as numbers too.
 * Room: live/.  Pure.
 */
#ifndef LIVE_MEMBER_H
#define LIVE_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "live/policy.h"
#include "live/transaction.h"
#include "vary/field.h"
#include "vary/name.h"

/* More names than a mask has bits are counted, and not told apart. */
#define LIVE_MEMBERS_MAX 24

struct live_member {
	char name[LIVE_POLICY_NAME];
	enum vary_class class;
	bool accept_encoding;
	bool ruled;            /* .rule has a form to try */
	struct live_rule rule; /* the form "normalised" means */
	enum live_verb policy; /* what the policy does: KEEP, STRIP or a form */
};

struct live_members;

/* `policy` is borrowed until close; NULL: none.  0 or -ENOMEM. */
int live_members_open(struct live_members **ret, const struct live_policy *);
void live_members_close(struct live_members **);

unsigned live_members_count(const struct live_members *);
const struct live_member *
live_members_get(const struct live_members *, unsigned id);

/* How often a name found no number any more. */
uint64_t live_members_overflow(const struct live_members *);

/* One Vary value, several lines joined. */
struct live_vary {
	uint32_t mask; /* bit n: member n is listed */
	bool star;
	bool malformed; /* an element is no field name */
	bool overflow;  /* it lists a name that has no number */
};
void live_members_read(
    struct live_members *, struct vary_span value, struct live_vary *ret);

/* What a request says under each of the names; 0: nothing. */
struct live_values {
	uint32_t raw[LIVE_MEMBERS_MAX];
	uint32_t norm[LIVE_MEMBERS_MAX]; /* in the form of the rule */
	uint32_t repeated;               /* bit n: in more than one line */
};

/* As Varnish keys: the first line of a name counts. */
void live_members_values(struct live_members *, const struct live_header *,
    size_t n, struct live_values *ret);
#endif
