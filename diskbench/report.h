/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results become bytes.
 * Room: diskbench/.  Prints results, and nothing else, on the stream it gets.
 */
#ifndef DISKBENCH_REPORT_H
#define DISKBENCH_REPORT_H

#include <stdio.h>

#include "diskbench/advice.h"
#include "diskbench/identity.h"
#include "diskbench/profile.h"
#include "diskbench/result.h"
#include "diskbench/search.h"
#include "diskbench/verdict.h"

/* One group of jobs that are reported together. */
struct bench_group {
	struct bench_result *result; /* owned */
	const struct bench_job *job; /* its n jobs; borrowed of the stand */
	unsigned n;
	struct bench_verdict verdict;
	struct bench_identity identity; /* of the target */
};

/* What a profile's run comes to. */
struct bench_headline {
	const struct bench_profile *profile;
	uint64_t slo_ns;
	double objects; /* a second, asked for in the run that is reported */
	double got;     /* of them, had */
	bool held;      /* the 99th percentile within the limit */
	double gbit;    /* of hits a second, at that rate */
	const struct bench_search *search; /* NULL: the rate was given */
	bool advised;
	struct bench_facts facts;
	struct bench_advice advice;
};

struct bench_report {
	const struct bench_headline *headline; /* NULL: no profile */
	struct bench_group *group;
	unsigned n;
	const double *percentile; /* 0 < p < 1, rising */
	unsigned n_percentile;
	bool bins; /* fio's of its json+, beside the buckets */
	char *const *argv; /* the command, for whoever finds the file */
	int argc;
	const char *prepared; /* what was done to the drive before; NULL */
	uint64_t budget_ns;   /* 0: none; then certainty says what it costs */
	char certainty[320];
	bool complete;
	int signal; /* that ended it; 0: none */
};

/* Frees the results. */
void bench_report_fini(struct bench_report *);

/* 0, or -errno of the writing. */
int bench_report_text(FILE *, const struct bench_report *);
int bench_report_json(FILE *, const struct bench_report *);

/* The live line: how far, how fast.  Returns its length. */
struct bench_progress;
int bench_report_progress(char *buf, size_t len,
    const struct bench_progress *now, const struct bench_progress *before);

/* What identify and list say. */
int bench_report_list_text(FILE *, const struct bench_identity *, unsigned n);
int bench_report_identity_text(FILE *, const struct bench_identity *);
int bench_report_list_json(FILE *, const struct bench_identity *, unsigned n);
#endif
