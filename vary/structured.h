/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read a structured field (RFC 9651), one member at a time.
 *
 * A field that is malformed anywhere is to be ignored whole (section 4.2), and
 * a member read says nothing of the next: vary_structured_ok() first, or read
 * to the end before any of it is used.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_STRUCTURED_H
#define VARY_STRUCTURED_H

#include <stdbool.h>

#include "vary/field.h"

/* Section 3: what the field is defined as. */
enum vary_structured_kind {
	VARY_STRUCTURED_ITEM = 0,
	VARY_STRUCTURED_LIST,
	VARY_STRUCTURED_DICTIONARY,
};

enum vary_bare_type {
	VARY_BARE_INTEGER = 0, /* .number, 15 digits */
	VARY_BARE_DECIMAL,     /* .number in thousandths, 12 digits before */
	VARY_BARE_STRING,      /* .text between the quotes, with its "\" */
	VARY_BARE_TOKEN,       /* .text */
	VARY_BARE_BYTES,       /* .text between the colons, in base64 */
	VARY_BARE_BOOLEAN,     /* .number, 0 or 1 */
	VARY_BARE_DATE,        /* .number, seconds since 1970 */
	VARY_BARE_DISPLAY,     /* .text between the quotes, with its "%" */
	VARY_BARE_INNER,       /* .text between the parentheses */
};

struct vary_bare {
	enum vary_bare_type type;
	long long number;
	struct vary_span text; /* borrowed from the value */
};

struct vary_member {
	struct vary_span key; /* of a dictionary; else empty */
	struct vary_bare value;
	struct vary_span params; /* for vary_structured_param() */
};

/* A reading position.  The members are private to structured.c. */
struct vary_structured {
	const char *p, *e;
	unsigned kind, n;
};

/* The value of all lines, joined by "," (section 4.2). */
void vary_structured_init(struct vary_structured *, enum vary_structured_kind,
    const char *value, size_t len);

/* The items between the parentheses of a VARY_BARE_INNER. */
void vary_structured_inner(struct vary_structured *, const struct vary_bare *);

/*
 * The next member.  An item is one member.  A key of a dictionary may come
 * again; its last value counts.  After VARY_SYNTAX there is nothing more.
 */
enum vary_status
vary_structured_next(struct vary_structured *, struct vary_member *ret);

/* The next parameter; the same goes for its key.  *params moves past it. */
enum vary_status vary_structured_param(
    struct vary_span *params, struct vary_span *ret_key, struct vary_bare *ret);

/* Is all of it well-formed? */
bool
vary_structured_ok(enum vary_structured_kind, const char *value, size_t len);

/*
 * A string, byte sequence or display string without its coding, in at most
 * text.len bytes, which buf must hold; any other text as it is.  Returns the
 * length.
 */
size_t vary_bare_decode(const struct vary_bare *, char *buf);
#endif
