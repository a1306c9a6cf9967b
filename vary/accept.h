/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read a weighted list: Accept, Accept-Language, Accept-Encoding.
 *
 *	#( value *( OWS ";" OWS parameter ) [ OWS ";" OWS "q=" qvalue ] )
 *
 * RFC 9110 sections 5.6.1, 5.6.6 and 12.4.2.  Weights are thousandths: neither
 * a locale nor a floating-point unit has a say in them.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_ACCEPT_H
#define VARY_ACCEPT_H

#include <stdbool.h>

#include "vary/field.h"

/*
 * What a request may cost: a longer value, or one with more elements, is
 * answered as if the header were absent.
 */
#define VARY_ACCEPT_LEN      4096
#define VARY_ACCEPT_ELEMENTS 64

struct vary_weighted {
	struct vary_span value;  /* up to the first ";", without blanks */
	struct vary_span params; /* what follows it, as far as q */
	unsigned q;              /* 0 to 1000 */
};

/* A reading position.  The members are private to accept.c. */
struct vary_accept {
	const char *p, *e;
};

void vary_accept_init(struct vary_accept *, const char *value, size_t len);

/*
 * Read the next element.  Empty ones are passed over.  VARY_SYNTAX: the
 * element was malformed and is left behind; the reading goes on, and *ret is
 * no element.
 */
enum vary_status
vary_accept_next(struct vary_accept *, struct vary_weighted *ret);

/*
 * Read the next parameter of a params span: ";a=b" or ";a="b"", *ret_value with
 * its quotes.  VARY_SYNTAX: malformed; stop there.
 */
enum vary_status vary_param_next(struct vary_span *params,
    struct vary_span *ret_name, struct vary_span *ret_value);

/*
 * Read all elements, at most VARY_ACCEPT_ELEMENTS, leaving out malformed ones.
 * False: over one of the limits.
 */
bool vary_accept_read(struct vary_span value,
    struct vary_weighted ret[VARY_ACCEPT_ELEMENTS], unsigned *ret_n);

/* The candidates of a policy, in its order of preference. */
#define VARY_WORDS_MAX 64
struct vary_words {
	const struct vary_span *w;
	size_t n;
};
#endif
