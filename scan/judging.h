/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging from within: what its files share.
 * Room: scan/.  Pure: no I/O, no clock, no print.
 */
#ifndef SCAN_JUDGING_H
#define SCAN_JUDGING_H

#include <apr_hash.h>

#include "scan/judge.h"

struct scan_judging {
	struct scan_verdict *v;
	const struct scan_model *m;
	const apr_array_header_t *texts;
	apr_hash_t *broken; /* files that httpd refuses */
	bool server_broken;
	apr_pool_t *pool;
};

/* Add a finding; what the arguments do not say is empty. */
struct scan_finding *
scan_judging_finding(struct scan_judging *, const char *rule, enum scan_level,
    struct scan_place, const char *member, enum scan_when, unsigned eras);

struct scan_place scan_place_of(const struct hconf_node *, apr_pool_t *);

/*
 * Edits for --patch.  false: the place is no span of its file, but was put
 * together from a continued or expanded line, and a person has to do it.
 */

/* [NC] becomes [NC,NV]; a condition without flags gets [NV]. */
bool scan_edit_novary(struct scan_judging *, const struct scan_cond *);

/* %{HTTP_X}, req('X'): asked for all the same, and not in Vary. */
bool
scan_edit_reference(struct scan_judging *, const struct scan_model_source *);

/* A line that holds nothing but "Header append Vary Host" can go. */
bool scan_edit_drop(struct scan_judging *, const struct scan_model_source *);

/* What puts members into Vary; and what should and does not. */
void scan_judge_sources(struct scan_judging *);
void scan_judge_lack(struct scan_judging *, const struct scan_lack *);
#endif
