/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a result means for Varnish's storage.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 */
#ifndef DISKBENCH_ADVICE_H
#define DISKBENCH_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diskbench/engine.h"

/* What was measured; 0 where it was not, < 0 for amplification. */
struct bench_facts {
	double objects_file; /* a second, within the limit: page by page */
	double objects_raw;  /* the same, one read for each object */
	double object_bytes; /* the mean */
	uint64_t slo_ns;
	double amplification[BENCH_MADVISES]; /* bytes read / bytes wanted */
};

enum bench_storage {
	BENCH_STORAGE_MALLOC = 0, /* the drive is too slow for either */
	BENCH_STORAGE_FILE,
	BENCH_STORAGE_RAW, /* a cache that reads an object at once */
};

struct bench_advice {
	enum bench_storage storage;
	enum bench_madvise madvise; /* of file storage */
	double gbit_file, gbit_raw; /* of hits a second */
	char text[5][240];          /* sentences for people */
	unsigned n;
};

void bench_advice_give(struct bench_advice *, const struct bench_facts *);
extern const char *const bench_storage_names[];
#endif
