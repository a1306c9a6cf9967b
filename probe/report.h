/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results as bytes: each format begins, takes one URL after the other in the
 * order of the input, and ends with a summary.
 * Room: probe/.
 */
#ifndef PROBE_REPORT_H
#define PROBE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/finding.h"

/* Adds up: the sum of two runs' summaries is the summary of both. */
struct probe_summary {
	uint64_t urls;
	uint64_t outcome[4];
	uint64_t level[3];           /* URLs by their worst finding */
	uint64_t rule[PROBE_NRULES]; /* findings */
	uint64_t requests;
};

void probe_summary_add(struct probe_summary *, const struct probe_result *);

enum {
	PROBE_REPORT_PARTS = 4
};

struct probe_report_context {
	FILE *f;
	bool colour;
	int width;               /* of a terminal; 0: none */
	const char *profile;     /* name of the cache profile */
	const char *anchor;      /* --sarif-anchor, or NULL */
	const char *anchor_text; /* what stands in it; NUL-terminated */
	enum probe_level fail_on;
	uint64_t seed;
	uint64_t number; /* of targets so far: for the format's use */
	/* for the format's use */
	uint64_t printed;
	FILE *part[PROBE_REPORT_PARTS];
};

/* Each returns 0, or -1 when memory or the file is full. */
struct probe_report {
	const char *name;
	int (*begin)(struct probe_report_context *);
	int (*target)(
	    struct probe_report_context *, const struct probe_result *);
	int (*end)(struct probe_report_context *, const struct probe_summary *);
};

extern const struct probe_report probe_report_human;
extern const struct probe_report probe_report_json;
extern const struct probe_report probe_report_ndjson;
extern const struct probe_report probe_report_sarif;
extern const struct probe_report probe_report_junit;
extern const struct probe_report probe_report_tap;
extern const struct probe_report probe_report_github;
extern const struct probe_report probe_report_prometheus;

/*
 * How many bytes the character at s has, of a string that is not over; 0: it is no
 * UTF-8 (RFC 3629), and one byte of it would spoil a whole file for its reader.
 */
size_t probe_report_character(const char *s);
/* The same string on f, with a '?' for each such byte and each control. */
void probe_report_put(FILE *f, const char *s);

/* By name; NULL: none. */
const struct probe_report *probe_report_find(const char *name);
const char *probe_report_names(void); /* "human, json, ..." */
#endif
