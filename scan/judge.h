/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From the model to findings: what is worth a person's look, how grave it is,
 * and which fix was measured to work.
 * Room: scan/.  Pure: no I/O, no clock, no print.
 */
#ifndef SCAN_JUDGE_H
#define SCAN_JUDGE_H

#include <apr_tables.h>

#include "scan/model.h"

/* What a reading gave, collected over several models. */
struct scan_verdict {
	apr_array_header_t *sources;  /* struct scan_source */
	apr_array_header_t *findings; /* struct scan_finding */
	apr_array_header_t *changes;  /* struct scan_change */
	apr_array_header_t *edits;    /* struct scan_edit */
};

void scan_verdict_init(struct scan_verdict *, apr_pool_t *result_pool);

/* texts: struct hconf_text, what the nodes of the model point into. */
void scan_judge(struct scan_verdict *, const struct scan_model *,
    const apr_array_header_t *problems, const apr_array_header_t *texts,
    apr_pool_t *result_pool);

/* By file, then line; the same place and text twice is once. */
void scan_verdict_sort(struct scan_verdict *);

/* How grave it is to name a header in Vary. */
enum scan_member_class {
	SCAN_MEMBER_FINE,
	SCAN_MEMBER_KEY,     /* Host: in every cache's key already */
	SCAN_MEMBER_COSTLY,  /* about as many values as visitors */
	SCAN_MEMBER_PRIVATE, /* requests that have it are not for the cache */
	SCAN_MEMBER_STAR,
	SCAN_MEMBER_RESPONSE, /* a header that only responses have */
	SCAN_MEMBER_BAD,      /* no field name at all */
};
enum scan_member_class scan_member_class(const char *member);
#endif
