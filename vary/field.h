/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read a Vary field value, one member at a time.
 *
 *	Vary = #( "*" / field-name )		RFC 9110 section 12.5.5
 *
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_FIELD_H
#define VARY_FIELD_H

#include <stdbool.h>
#include <stddef.h>

enum vary_status {
	VARY_OK = 0,  /* *ret was written */
	VARY_END,     /* nothing left; *ret untouched */
	VARY_SYNTAX,  /* a byte RFC 9110 does not allow here; *ret untouched */
	VARY_NOSPACE, /* the caller's buffer is too small */
};

/* Bytes borrowed from the caller: not owned, not NUL-terminated. */
struct vary_span {
	const char *b;
	size_t len;
};

/* A reading position.  The members are private to field.c. */
struct vary_field {
	const char *p, *e;
	const char *element;
};

void vary_field_init(struct vary_field *, const char *value, size_t len);

/*
 * Read the next member into *ret.  Empty members ("a,,b") are passed over
 * (RFC 9110 section 5.6.1.2); "*" is a member like any other.  On VARY_SYNTAX
 * the position stays on the offending byte, where vary_field_skip() takes over.
 */
enum vary_status vary_field_next(struct vary_field *, struct vary_span *ret);

/*
 * Leave the element that the position is in, as far as its comma.  *ret is the
 * whole element, without the blanks around it.
 */
void vary_field_skip(struct vary_field *, struct vary_span *ret);

/* Is this byte allowed in a token (RFC 9110 section 5.6.2)? */
bool vary_is_tchar(char);

/* Is this a token, and so possibly a field name? */
bool vary_is_token(const char *, size_t);

/* Field names are compared without regard to case (RFC 9110 section 5.1). */
bool vary_name_eq(struct vary_span, struct vary_span);
int vary_name_cmp(struct vary_span, struct vary_span);

/* OWS = *( SP / HTAB ) (RFC 9110 section 5.6.3). */
static inline bool
vary_is_ows(char c)
{
	return (c == ' ' || c == '\t');
}

/* From b to before e, without the OWS around it. */
struct vary_span vary_span_trim(const char *b, const char *e);

/* The span of a NUL-terminated string; of NULL, an empty one. */
struct vary_span vary_span_str(const char *);
#endif
