/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a page says of one job of a result, be it ours or fio's.
 * Room: diskbench/, deciding.  Borrows from the JSON that it was made of.
 */
#ifndef DISKBENCH_PAGE_CARD_H
#define DISKBENCH_PAGE_CARD_H

#include "diskbench/page_json.h"

/* So many latencies from low to high, ns. */
struct bench_card_bin {
	double low, high, count;
};

struct bench_card_side {
	double ios, iops, bw; /* bw: bytes a second; 0 where missing */
	char block[32];       /* the size of one, or "4k-448k"; "" not said */
	const json_t *percentile;
	const json_t *mean, *max; /* ns */
	bool response; /* from when each was due, not from when it was sent */
	struct bench_card_bin *bin; /* owned, rising */
	unsigned n_bin;
	double binned; /* the sum of their counts */
};

struct bench_card {
	const json_t *root, *job, *own; /* own: NULL where fio made it */
	const json_t *warnings;
	const char *file, *name, *target, *rw, *engine;
	char title[256];       /* name, and the file where there are several */
	const json_t *streams; /* of a profile, or NULL */
	double depth;          /* of all threads together */
	double errors;
	bool complete;
	struct bench_card_side side[2]; /* read, write */
};

/* false: no memory.  Finish it in any case. */
bool bench_card_init(struct bench_card *, const struct bench_sheet *,
    size_t job, bool with_file);
void bench_card_fini(struct bench_card *);

/* One of its options by fio's name; "" where it is not said. */
const char *bench_card_option(const struct bench_card *, const char *name);

/* A size as fio's users write it: "512", "4k", "2M". */
void bench_card_block(double bytes, char *ret, unsigned len);

/* ns; NAN where the result has none. */
double bench_card_quantile_ns(const struct bench_card_side *, double percent);
void bench_card_quantile(
    const struct bench_card_side *, double percent, char *ret, unsigned len);

/* Latency by percentile, of the bins or else of the percentiles. */
void bench_card_spectrum(struct bench_page *, const struct bench_figure *,
    struct bench_line *, const struct bench_card_side *);

/* Its own section: plots, device, environment, warnings. */
void bench_card_draw(struct bench_page *, const struct bench_card *);
#endif
