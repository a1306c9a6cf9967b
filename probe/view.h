/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A request header, and what the rules ask about it: all that was tried of it.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_VIEW_H
#define PROBE_VIEW_H

#include <apr_tables.h>
#include <stdbool.h>

#include "probe/finding.h"
#include "probe/subject.h"

struct probe_view {
	struct probe_member *m;
	const struct probe_axis *axis;
	const struct probe_named *named; /* or NULL */
	const struct probe_trial *best;  /* the one with evidence, or NULL */
	const struct probe_trial *lines; /* as two field lines, or NULL */
	int index;
	int with_effect, without_effect, tried;
	bool danger;         /* some response that matters may be stored */
	bool open;           /* one that has the header, too */
	bool beyond_cookies; /* not only Set-Cookie differs */
	bool beyond_coding;  /* not only Content-Encoding does */
	bool reflected;
	bool absent_differs; /* the header's absence, or presence, matters */
	bool failed;
	bool unkeyed; /* a cache on the way does not key on it */
};

/* The header's member becomes one of the result's. */
void probe_view_fill(struct probe_view *, struct probe_subject *,
    struct probe_result *, const char *name);

/* Do all values but the header's absence answer alike, and its absence not? */
bool probe_view_presence_only(
    const struct probe_subject *, const struct probe_view *);

/* Names of cookies (const char *) that had an effect; beyond: on more than which
 * cookies are set, else on that alone. */
apr_array_header_t *probe_view_cookies(const struct probe_subject *,
    const struct probe_view *, bool beyond, apr_pool_t *);
#endif
