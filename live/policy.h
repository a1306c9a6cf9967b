/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a request header would be made of before the lookup: the verbs of the
 * vary.policy object, read from the VCL that they stand in, and the form that
 * each gives a value.
 *
 * This is for counting, not for serving: it need only tell apart what the VMOD
 * would tell apart.
 *
 * Room: live/.  No I/O: the caller has read the file.
 */
#ifndef LIVE_POLICY_H
#define LIVE_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "vary/request.h"

#define LIVE_POLICY_MAX  64
#define LIVE_POLICY_ARG  512
#define LIVE_POLICY_NAME 64

enum live_verb {
	LIVE_VERB_KEEP = 0,
	LIVE_VERB_STRIP,
	LIVE_VERB_PRESENCE, /* any value is as good as another */
	LIVE_VERB_LANGUAGE, /* one of .arg, the best that is accepted */
	LIVE_VERB_MEDIA,
	LIVE_VERB_ENCODING,
	LIVE_VERB_COOKIE, /* these cookies only */
	LIVE_VERB_ALLOW,  /* these values only */
	LIVE_VERB_LIST,   /* lines joined, blanks gone */
	LIVE_VERB_DEVICE, /* the class of device */
};

struct live_rule {
	char name[LIVE_POLICY_NAME];
	enum live_verb verb;
	char arg[LIVE_POLICY_ARG]; /* "en, fr, de"; as it is written */
	/* Its words, as places in .arg: the rule may be copied. */
	struct {
		unsigned short at, len;
	} word[VARY_WORDS_MAX];
	unsigned words;
};

struct live_policy {
	struct live_rule rule[LIVE_POLICY_MAX];
	size_t n;
	bool other_strip; /* names without a rule are stripped, not kept */
	bool keep_unkeyable, keep_inert; /* else the cache never keys on them */
	bool declared; /* there was a vary.policy() in the text */
};

/*
 * Read the policy in a piece of VCL: vary.policy(...) and OBJECT.verb("...").
 * Other VCL is passed over.  0; -EINVAL: an argument that cannot be read, and
 * *ret_line says where; -E2BIG: more rules than LIVE_POLICY_MAX, or longer.
 */
int live_policy_read(
    struct live_policy *, const char *vcl, size_t len, unsigned *ret_line);

/* The rule of a name, or NULL. */
const struct live_rule *
live_policy_find(const struct live_policy *, struct vary_span name);

/*
 * What varylive tries for a name without being told: User-Agent to its device,
 * Cookie to its presence, and so on.  False: nothing sensible is known.
 */
bool live_policy_default(struct vary_span name, struct live_rule *ret);

/*
 * The value that the rule makes of a value, as a number that tells different
 * ones apart; 0: absent.  An absent value is one whose .b is NULL.
 */
unsigned live_rule_apply(const struct live_rule *, struct vary_span value);

/* "the device class", "presence": for people. */
const char *live_rule_text(const struct live_rule *);
#endif
