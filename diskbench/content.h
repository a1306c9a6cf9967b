/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is on a target now, from a sample.
 * Room: diskbench/, doing: only reads.
 */
#ifndef DISKBENCH_CONTENT_H
#define DISKBENCH_CONTENT_H

#include <stdint.h>

struct bench_content {
	unsigned blocks; /* of 4 KiB that were read */
	unsigned zero;   /* of these: nothing but zeros */
	unsigned copies; /* of the others: like one read before */
	double entropy;  /* bits a byte of the others; 8: random */
	/* Of a file, in hundredths: holes and preallocated extents that were
	 * never written.  Negative: the file system does not say. */
	int unwritten_percent;
};

/*
 * Read `blocks` blocks at even distances, the first and the last among them,
 * between offset and offset + span.  fd may be open for direct I/O.
 * -errno of the first read that failed.
 */
int bench_content_sample(int fd, uint64_t offset, uint64_t span,
    unsigned blocks, struct bench_content *ret);
#endif
