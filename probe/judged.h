/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What results of "varyprobe audit --format json" (or ndjson) say of each
 * request header, over all their URLs.  An origin, or whoever sent the file,
 * chose each byte of it.
 * Room: probe/.
 */
#ifndef PROBE_JUDGED_H
#define PROBE_JUDGED_H

#include <stdbool.h>
#include <stdio.h>

#include <apr_pools.h>
#include <apr_tables.h>

#include "probe/finding.h"

enum {
	PROBE_JUDGED_MEMBERS = 1024, /* names; more is an error */
	PROBE_JUDGED_VALUES = 1024   /* of a name; the rest is passed over */
};

/* A request header, over all URLs of the audit. */
struct probe_judged_member {
	const char *name;
	bool declared, declared_unjudged;
	bool effect, none; /* in some judged response; tried without one */
	bool found[PROBE_NRULES];
	apr_array_header_t *works; /* const char *, each once */
	bool more;                 /* than PROBE_JUDGED_VALUES */
};

struct probe_judged {
	apr_pool_t *pool;
	apr_array_header_t *members; /* struct probe_judged_member * */
	int judged, unjudged;
	const char *unjudged_url, *unjudged_why;
	bool star;
	bool full; /* of members */
};

void probe_judged_init(struct probe_judged *, apr_pool_t *);

/*
 * Add a file's documents, one after the other.  APR_EGENERAL, and why in *ret_why
 * (of the pool, or static): no such result.  What it said before that was added.
 */
apr_status_t
probe_judged_read(struct probe_judged *, FILE *, const char **ret_why);
#endif
