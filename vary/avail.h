/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an origin says to be available along one axis of negotiation:
 * Avail-Language, Avail-Format, Avail-Encoding and Cookie-Indices
 * (draft-nottingham-http-availability-hints-02), as structured fields.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_AVAIL_H
#define VARY_AVAIL_H

#include "vary/request.h"

enum vary_avail_axis {
	VARY_AVAIL_LANGUAGE = 0,
	VARY_AVAIL_FORMAT,
	VARY_AVAIL_ENCODING,
	VARY_AVAIL_COOKIE,
};
#define VARY_AVAIL_AXES 4

struct vary_avail_name {
	const char *hint;    /* the response header that says it */
	const char *request; /* the request header that it is about */
	enum vary_form form;
};
const struct vary_avail_name *vary_avail_name(enum vary_avail_axis);

/* More than this is no list that a cache wants a variant each of. */
#define VARY_AVAIL_WORDS 32
#define VARY_AVAIL_TEXT  500

enum vary_avail_state {
	VARY_AVAIL_UNKNOWN = 0, /* nothing was said */
	VARY_AVAIL_KNOWN,
	VARY_AVAIL_OFF, /* as Vary alone has it: said and not said, or too much */
};

/* One axis of several responses.  It owns its words. */
struct vary_avail {
	unsigned char state;
	unsigned char n;
	unsigned char fallback; /* the one marked ";d", else 0 */
	bool has_fallback;
	unsigned short len;
	char text[VARY_AVAIL_TEXT]; /* the words, each with a comma after it */
};

/*
 * Take what one more response says; NULL: its Vary names the request header, and
 * it has no hint.  The words of several responses add up, since a word too many
 * costs a variant and one too few an answer; what one of them does not say, no
 * response of the others can: the axis is off then, as it is when the value is
 * no list of its type (section 3 of the draft).  Returns whether anything
 * changed.
 */
bool vary_avail_learn(
    struct vary_avail *, enum vary_avail_axis, const struct vary_span *value);

/* The words of a VARY_AVAIL_KNOWN; they lie in its text. */
void vary_avail_words(const struct vary_avail *,
    struct vary_span ret_word[VARY_AVAIL_WORDS], struct vary_words *ret);
#endif
