/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The members that any number of Vary lines name: a union (RFC 9110 sections
 * 5.2, 5.3 and 12.5.5), each name once, in the order and spelling first met.
 * Room: vary/.  C library only; allocates nothing, prints nothing.
 */
#ifndef VARY_SET_H
#define VARY_SET_H

#include <stdbool.h>

#include "vary/field.h"

/* More different names than this in one response are an attack or a bug. */
#define VARY_SET_MAX 64

struct vary_set {
	struct vary_span name[VARY_SET_MAX]; /* borrowed from the lines */
	unsigned n;
	bool star;          /* "*" is one of the names */
	bool overflow;      /* more than VARY_SET_MAX; the rest was left out */
	unsigned lines;     /* field lines added */
	unsigned repeated;  /* members that were there already */
	unsigned blanks;    /* elements where a blank stands for a comma: their
			       parts are among the names */
	unsigned malformed; /* elements that no reading makes names: left out */
	struct vary_span first_bad; /* the first of those two kinds */
};

void vary_set_init(struct vary_set *);

/* Add one field line.  The bytes must outlive the set. */
void vary_set_add(struct vary_set *, const char *line, size_t len);

bool vary_set_has(const struct vary_set *, struct vary_span name);

/* Add one name, or find it there. */
void vary_set_add_name(struct vary_set *, struct vary_span name);

/* Take one name out, whatever its case.  Returns whether it was there. */
bool vary_set_remove(struct vary_set *, struct vary_span name);
#endif
