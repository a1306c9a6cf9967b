/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one place that says what a feature of a response is: a walk through its
 * head or its decoded body, in their order, that shows each one to a visitor.
 * Not features: Vary itself, and what differs between two equal responses by
 * nature (Date, Age, Content-Length, hop-by-hop fields).
 * Room: probe/.  Pure.
 */
#ifndef PROBE_WALK_H
#define PROBE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/exchange.h"

/* In the order in which a difference is best explained. */
enum probe_feature_kind {
	PROBE_F_STATUS = 1,
	PROBE_F_HEADER,       /* name: value */
	PROBE_F_HEADER_TOKEN, /* a word of it */
	PROBE_F_JSON,         /* path=value */
	PROBE_F_LINE,
	PROBE_F_TOKEN,
	PROBE_F_WHOLE, /* all bytes of the body */
};

/* Where a feature stands: bytes borrowed from the lines or the body. */
struct probe_place {
	const char *what; /* "status", "header", "json", "line", ... */
	const char *name; /* of a header; not NUL-terminated */
	size_t name_len;
	const char *text;
	size_t text_len;
	size_t offset; /* in the decoded body */
};

/* Return true to end the walk.  Only the lower bits of the hash are a feature's:
 * its kind stands above them. */
typedef bool probe_visitor(void *baton, enum probe_feature_kind, uint64_t hash,
    const struct probe_place *);

struct probe_walk {
	uint64_t seed;
	probe_visitor *visit;
	void *baton;
};

/* True: the visitor has ended it. */
bool probe_walk_head(const struct probe_walk *, int status,
    const struct probe_line *lines, size_t nlines);
bool probe_walk_body(const struct probe_walk *, const char *body, size_t len);

/* Is this line of a head none of the features? */
bool probe_walk_passes_over(const struct probe_line *);

enum probe_walk_end {
	PROBE_WALK_OVER = 0, /* the end of the body */
	PROBE_WALK_ENDED,    /* by the visitor */
	PROBE_WALK_NO_JSON,  /* it is something else */
};

/*
 * JSON (RFC 8259) as path=value, each with the members' names and "[]" for any
 * element: a list in another order is the same list.
 */
enum probe_walk_end
probe_walk_json(const struct probe_walk *, const char *body, size_t len);
#endif
