/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of request header names: how they are registered, where they
 * stand in a normal form, and which of them can select nothing.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_NAME_H
#define VARY_NAME_H

#include <stddef.h>

#include "vary/field.h"

/*
 * The longest name that Varnish can keep in a stored Vary.  It lets one of 127
 * bytes by, whose length with the colon is negative where char has a sign, and
 * fails an assertion at that.
 */
#define VARY_NAME_MAX 126

enum vary_class {
	VARY_CLASS_PLAIN = 0,
	/*
	 * A cache keeps these from the origin, or rewrites them on the way: a
	 * fetch never carries what the client sent, so a stored value can never
	 * match (Varnish: flag F of tbl/http_headers.h, and X-Varnish).
	 */
	VARY_CLASS_UNKEYABLE,
	/* Names of response or content headers: absent from GET and HEAD. */
	VARY_CLASS_INERT,
};

/* Stands behind all ranked names, in byte order. */
#define VARY_RANK_NONE 255

struct vary_known {
	const char *spelling; /* as registered; NULL: not known */
	/*
	 * Place in the normal form, by how often a name is met.  Never change
	 * one: a new order makes every stored variant cold once.
	 */
	unsigned char rank;
	enum vary_class class;
};

struct vary_known vary_name_known(struct vary_span);

/*
 * Write the one spelling of a name: as registered, else Each-Word with a
 * capital.  Exactly name.len bytes are written, no NUL.
 */
void
vary_name_spell(struct vary_span name, const struct vary_known *, char *buf);

/* Write it in lower case, as HTTP/2 has it (RFC 9113 section 8.2.1). */
void vary_name_lower(struct vary_span name, char *buf);
#endif
