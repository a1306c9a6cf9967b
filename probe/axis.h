/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The request headers that are tried, and the values.
 * Room: probe/.  Pure; a table.
 */
#ifndef PROBE_AXIS_H
#define PROBE_AXIS_H

#include <stddef.h>

enum {
	/* In every run; the others wait for --axes or for a sign of them. */
	PROBE_AXIS_MAIN = 1 << 0,
	/* Tried together in one request, and alone only if that shows an
	 * effect. */
	PROBE_AXIS_GROUP = 1 << 1,
	/* Part of the cache's key in any case: never missing from Vary. */
	PROBE_AXIS_KEYED = 1 << 2,
	/* Said by a proxy, not by a browser: an echo of it is a danger that
	 * Vary does not cure. */
	PROBE_AXIS_HOP = 1 << 3,
	/* Practically each visitor has a value of his own. */
	PROBE_AXIS_MANY = 1 << 4,
	/* Each value is confirmed, not only the first that has an effect. */
	PROBE_AXIS_EACH = 1 << 5,
	/* A request without it is not tried. */
	PROBE_AXIS_ALWAYS = 1 << 6,
	/* RFC 9110 section 12.5.5: need not be in Vary, but where the answer
	 * is for all by its own word (RFC 9111 section 3.5). */
	PROBE_AXIS_EXEMPT = 1 << 7,
	/* No header: the name in the handshake of TLS. */
	PROBE_AXIS_TLS = 1 << 8,
	/* A page that repeats it has another text for each visitor, and
	 * whoever makes a link chooses it: Vary is no cure here, either. */
	PROBE_AXIS_ECHO = 1 << 9,
};

/*
 * In a value, %c is a word made for this run, %h the URL's host and port, %o
 * its origin (scheme and host), %% a percent sign.
 */
struct probe_axis {
	const char *name;
	unsigned flags;
	const char *const *values; /* NULL-terminated */
};

/* The table; the last has no name. */
extern const struct probe_axis probe_axes[];

/* Cookies by which frameworks choose a language, a look, a currency: tried all at
 * once, and alone only if that shows an effect.  NULL-terminated. */
extern const char *const probe_axis_cookies[];

/* By name, without regard to case; NULL: not in the table. */
const struct probe_axis *probe_axis_find(const char *name, size_t len);

/* The value of this number, from 0; NULL: it has not as many. */
const char *probe_axis_value(const struct probe_axis *, int n);

/* What a browser of today sends, and all samples carry unless varied. */
extern const struct probe_axis_default {
	const char *name, *value;
} probe_axis_defaults[];
enum {
	PROBE_AXIS_NDEFAULTS = 4
};

/* Is this the name of a header that only responses have?  A server that names
 * it in Vary means another one: *ret_meant, or NULL. */
int probe_axis_is_response_header(
    const char *name, size_t len, const char **ret_meant);
#endif
