/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was counted and found, as bytes: text for people, JSON for programs,
 * a textfile for Prometheus' node_exporter, a workload for diskbench.
 * Room: live/.  Decides nothing but the order of rows.
 */
#ifndef LIVE_REPORT_H
#define LIVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "live/finding.h"
#include "live/traffic.h"

struct live_source {
	const char *kind; /* "varnishd", "file", "access-log" */
	const char *name; /* the instance, the file; "" */
	uint64_t bytes, records, transactions, orphans;
	uint64_t overruns, restarts; /* of the live log */
	uint64_t unread;    /* lines of an access log that are no such line */
	bool complete;      /* nothing was lost or damaged */
	const char *damage; /* what was, "" */
};

struct live_report {
	const struct live_source *source;
	const struct live_traffic *traffic;
	const struct live_findings *findings;
	const struct live_audit *audit; /* NULL: none */
	const char *policy;             /* its file's name; NULL: none */
	unsigned top;                   /* rows of groups and findings */
	bool colour;
	unsigned lines, columns; /* of a screen; 0: no limit */
};

/* The groups, those that lose most first.  *ret is the caller's to free. */
int live_report_groups(const struct live_report *,
    const struct live_group ***ret, unsigned *ret_n);

/* Hits lost to the group's most costly member. */
double live_report_lost(const struct live_group *);

/* Lookups that a cache answered or could have. */
uint64_t live_report_lookups(const uint64_t by[LIVE_HANDLING__MAX]);
const char *live_handling_word(enum live_handling);

/* All return 0 or a negative errno; the stream is not closed. */
int live_report_text(const struct live_report *, FILE *);
int live_report_json(const struct live_report *, FILE *);
int live_report_prometheus(const struct live_report *, FILE *);
int live_report_workload(const struct live_report *, FILE *); /* JSON */
int live_report_fio(const struct live_report *, FILE *);      /* a job */
#endif
