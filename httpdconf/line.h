/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of a configuration file, one logical line at a time, as httpd's
 * ap_cfg_getline() sees them:
 *
 *  - "\" right before LF or CRLF joins the next physical line with nothing in
 *    between, in the middle of a word and in comments too; "\" and a blank
 *    does not;
 *  - a CR alone ends no line; blanks at both ends of the logical line go;
 *  - a NUL hides the rest of its physical line, a continuation included.
 *
 * Room: httpdconf/.  APR pools; no I/O, prints nothing.
 */
#ifndef HTTPDCONF_LINE_H
#define HTTPDCONF_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include <apr_pools.h>

/* Bytes borrowed from a file or a pool: not NUL-terminated. */
struct hconf_span {
	const char *b;
	size_t len;
};

/*
 * httpd refuses a logical line of .htaccess from this many bytes on, and one
 * of httpd.conf from 16 MiB on.
 */
#define HCONF_LINE_HTACCESS 8191
#define HCONF_LINE_HTTPD    (16 * 1024 * 1024)

struct hconf_line {
	struct hconf_span text; /* trimmed; of the input, or of the pool */
	unsigned first, last;   /* physical lines, counted from 1 */
	bool joined;            /* made of more than one physical line */
	bool nul;               /* a NUL hid something */
	bool too_long;          /* httpd gives up here; we do not */
};

/* A reading position.  The members are private to line.c. */
struct hconf_lines {
	const char *p, *e;
	unsigned n;
	size_t limit;
};

void
hconf_lines_init(struct hconf_lines *, const char *b, size_t len, size_t limit);

/*
 * The next logical line, blank ones and comments included, into *ret; false
 * at the end.  A joined line is built in the pool, any other is borrowed from
 * the input.
 */
bool hconf_lines_next(
    struct hconf_lines *, struct hconf_line *ret, apr_pool_t *result_pool);

/* What httpd's apr_isspace() takes for a blank. */
static inline bool
hconf_is_space(char c)
{
	return (c == ' ' || (c >= '\t' && c <= '\r'));
}
#endif
