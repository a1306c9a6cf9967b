/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request header's value in its normal form: what the cache keys on and the
 * origin sees.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 *
 * Each form is idempotent, has a bounded result, and keeps absent and empty
 * apart: a form that leaves nothing is absent (RFC 9111 section 4.1: an absent
 * header matches an absent one only).
 */
#ifndef VARY_REQUEST_H
#define VARY_REQUEST_H

#include <stdbool.h>

#include "vary/choose.h"
#include "vary/policy.h"

enum vary_form {
	VARY_FORM_LANGUAGE = 0, /* one of the words, never absent */
	VARY_FORM_MEDIA,        /* one of the words, or absent, or fallback */
	VARY_FORM_ENCODING,     /* one of the words, or absent */
	VARY_FORM_COOKIE,       /* the cookies so named, in the words' order */
	VARY_FORM_ALLOW,        /* one of the words as it stands, or absent */
	VARY_FORM_PRESENCE,     /* "1", or absent */
	VARY_FORM_LIST,         /* the elements, one spelling of the list */
	VARY_FORM_BUCKET,       /* one of the words, or absent */
	VARY_FORM_BRANDS,       /* Sec-CH-UA: sorted, GREASE dropped */
	VARY_FORM_DROP,         /* absent */
};

#define VARY_LIST_MAX   64   /* elements that a list or brands form sorts */
#define VARY_COOKIE_LEN 4096 /* RFC 6265 section 6.1; a longer one is dropped */

struct vary_request_rule {
	struct vary_span name; /* the header; borrowed */
	enum vary_form form;
	struct vary_words words;     /* at most VARY_WORDS_MAX; borrowed */
	enum vary_wildcard wildcard; /* media */
	enum vary_round round;       /* bucket */
	bool sort, lower;            /* list */
	/*
	 * The index of the word for a client that none suits.  A language
	 * always has one, the others with has_fallback.
	 */
	unsigned fallback;
	bool has_fallback;
};

struct vary_request_value {
	bool present;
	struct vary_span v; /* in the words, the input or the caller's buffer */
	bool capped;        /* over a limit, and answered as if absent */
};

/*
 * value: the header's, all lines joined; NULL where it is absent.  buf holds
 * vary_request_bound() bytes, or VARY_NOSPACE is returned.
 */
enum vary_status vary_request_apply(const struct vary_request_rule *,
    const struct vary_span *value, char *buf, size_t cap,
    struct vary_request_value *ret);

size_t vary_request_bound(
    const struct vary_request_rule *, const struct vary_span *value);

/* May this word stand in a rule of this form? */
bool vary_request_word_ok(enum vary_form, struct vary_span word);

/*
 * Does a client send this word in the header that .name says?  Those of
 * VARY_FORM_ALLOW and VARY_FORM_COOKIE are compared byte for byte: a pattern is
 * never met, nor an Origin that is not spelled as browsers do (RFC 6454 section
 * 6.2).
 */
bool
vary_request_word_sent(const struct vary_request_rule *, struct vary_span word);

/* Has this header, .name, such a form?  See vary_policy_doubt(). */
enum vary_doubt vary_request_doubt(const struct vary_request_rule *);

/* Are these two one word to this form?  Only some have a case that counts. */
bool vary_request_word_eq(enum vary_form, struct vary_span, struct vary_span);

/* Is this word, however its case if that does not count, one of the rule's? */
bool vary_request_has_word(const struct vary_request_rule *, struct vary_span);
#endif
