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
#include <string.h>

enum vary_status {
	VARY_OK = 0,   /* *ret was written */
	VARY_END,      /* nothing left; *ret untouched */
	VARY_SYNTAX,   /* a byte RFC 9110 does not allow here; *ret untouched */
	VARY_NOSPACE,  /* the caller's buffer is too small */
	VARY_CONFLICT, /* contradicts what was said before; nothing changed */
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
int vary_name_cmp(struct vary_span, struct vary_span);

/* Are these n > 0 bytes one name?  For vary_name_eq(). */
bool vary_name_same(const char *, const char *, size_t n);

/* Here, because most pairs differ in length, and this asks for nearly all. */
static inline bool
vary_name_eq(struct vary_span a, struct vary_span b)
{
	return (
	    a.len == b.len && (a.len == 0 || vary_name_same(a.b, b.b, a.len)));
}

/* OWS = *( SP / HTAB ) (RFC 9110 section 5.6.3). */
static inline bool
vary_is_ows(char c)
{
	return (c == ' ' || c == '\t');
}

/* From b to before e, without the OWS around it. */
static inline struct vary_span
vary_span_trim(const char *b, const char *e)
{
	while (b < e && vary_is_ows(*b))
		b++;
	while (e > b && vary_is_ows(e[-1]))
		e--;
	return ((struct vary_span){ b, (size_t)(e - b) });
}

/* The span of a NUL-terminated string; of NULL, an empty one. */
static inline struct vary_span
vary_span_str(const char *s)
{
	return ((struct vary_span){ s, s == NULL ? 0 : strlen(s) });
}
#endif
