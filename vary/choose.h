/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choose one of a policy's words for what a client accepts.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 *
 * All take a value that is present and return the index of the word, or
 * VARY_NONE.  Malformed parts of the value are left out, the rest counts.  Ties
 * go to the policy's order, so that the client's order makes no variants.
 * *ret_capped: the value was over a limit of vary/accept.h and not read.
 */
#ifndef VARY_CHOOSE_H
#define VARY_CHOOSE_H

#include <limits.h>
#include <stdbool.h>

#include "vary/accept.h"

#define VARY_NONE UINT_MAX

/*
 * Accept-Language: RFC 4647 section 3.4, lookup, in the order of the weights.
 * A range with q=0 rules out what it names.  Never VARY_NONE while there is a
 * word: where none suits it is the fallback, if that is not ruled out, else the
 * first that is not.
 */
unsigned vary_choose_language(const struct vary_words *, unsigned fallback,
    struct vary_span value, bool *ret_capped);

/* A language range (RFC 4647 section 2.1), "*" aside? */
bool vary_is_language(struct vary_span);

/* What a media range with a wildcard chooses. */
enum vary_wildcard {
	/*
	 * Nothing by the full wildcard, and nothing by image, audio, video
	 * and font wildcards: clients send these without being able to decode
	 * every format that there is.  The type wildcards of others do choose.
	 */
	VARY_WILDCARD_AUTO = 0,
	VARY_WILDCARD_ALL, /* as RFC 9110 section 12.5.1 has it */
	VARY_WILDCARD_NONE,
};

/*
 * Accept: the word of the highest weight, each word's weight being that of the
 * most specific range that covers it.
 */
unsigned vary_choose_media(const struct vary_words *, enum vary_wildcard,
    struct vary_span value, bool *ret_capped);

/* type "/" subtype *( ";" parameter ), without wildcards and weights? */
bool vary_is_media_type(struct vary_span);

/*
 * Accept-Encoding (RFC 9110 section 12.5.3): the coding of the highest weight;
 * VARY_NONE where identity weighs more or no coding is taken.
 */
unsigned vary_choose_encoding(
    const struct vary_words *, struct vary_span value, bool *ret_capped);

enum vary_round {
	VARY_ROUND_UP = 0,
	VARY_ROUND_DOWN
};

/*
 * A number (RFC 9651 sections 3.3.1 and 3.3.2: 15 digits, or 12 and 3, but of
 * any length behind the point, as DPR has it; parameters are passed over): the
 * nearest word above, or below, or equal; beyond the ends the last word on that
 * side.  The words are numbers in rising order (vary_number()).  VARY_NONE: no
 * number.
 */
unsigned vary_choose_bucket(
    const struct vary_words *, enum vary_round, struct vary_span value);

/* In thousandths.  False: no number of RFC 9651. */
bool vary_number(struct vary_span, long long *ret);

/* The word that the value is, byte for byte. */
unsigned vary_choose_exact(const struct vary_words *, struct vary_span value);
#endif
