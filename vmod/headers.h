/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of one header in a struct http: read, replaced, taken out, whole or
 * not at all.
 * Room: vmod/.
 */
#ifndef VMOD_HEADERS_H
#define VMOD_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "vary/field.h"
#include "vary/name.h"

struct http;
struct ws;

/* A header's name, as the http_* functions of all Varnish versions take it. */
struct header_name {
	char bytes[VARY_NAME_MAX + 3]; /* length, name, ':', NUL */
};

/* False: no field name, or longer than VARY_NAME_MAX. */
bool header_name_init(struct header_name *, struct vary_span name);
struct vary_span header_name_span(const struct header_name *);

/*
 * The value of the next line of this name at or after *pos, without the blanks
 * around it; *pos moves past it.  Start with *pos = 0.  False: no more.
 */
bool header_next(const struct http *, const struct header_name *, unsigned *pos,
    struct vary_span *ret);

/* What a walk over the array finds of one name; set .name before. */
struct header_seek {
	const struct header_name *name;
	unsigned n;             /* lines of this name */
	unsigned at;            /* place of the first */
	struct vary_span first; /* its value, without the blanks around it */
};

void header_seek(const struct http *, struct header_seek *, unsigned n_seek);

/* Room for one more line than there is now? */
bool header_has_room(const struct http *);

/*
 * One line "Name: value" on the workspace, not yet in any struct http; NULL
 * when the workspace is full, which leaves everything as it was.
 */
const char *
header_line(struct ws *, const struct header_name *, struct vary_span value);

/* Where the value starts in such a line; NULL of NULL. */
const char *header_line_value(const struct header_name *, const char *line);

/*
 * All lines of this name give way to this one; the line is borrowed.  What was
 * sought must be as it was found; a header that has one line keeps its place.
 */
void
header_replace(struct http *, const struct header_seek *, const char *line);
void header_remove(struct http *, const struct header_name *);

/*
 * Make one line of each header that has several (RFC 9110 section 5.3), Cookie
 * by "; " (RFC 6265 section 5.4, as HTTP/2 does), all others by ", ".  Returns how
 * many headers were joined, or -1 when the workspace is full; what was joined
 * until then stays so.
 */
int header_join_all(struct http *, struct ws *);
#endif
