/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How large a target is and what direct I/O wants of it.
 * Room: diskbench/, doing: the one file that knows the systems' ioctls.
 */
#ifndef DISKBENCH_GEOMETRY_H
#define DISKBENCH_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct bench_geometry {
	uint64_t size;      /* bytes */
	uint32_t logical;   /* the smallest unit it addresses, bytes */
	uint32_t physical;  /* the smallest it writes without reading */
	uint32_t align;     /* offsets and lengths of direct I/O */
	uint32_t align_mem; /* and its buffers */
	/*
	 * What the system says about direct I/O on it.  Before Linux 6.1 nobody
	 * says anything; file systems that keep to the old silence remain.
	 */
	enum bench_direct {
		BENCH_DIRECT_UNKNOWN = 0,
		BENCH_DIRECT_YES,
		BENCH_DIRECT_NO,
	} direct;
	bool read_only;
};

/* Is it a disk?  Block devices; on Darwin and the BSDs also their raw, and so
 * character, devices. */
bool bench_geometry_is_disk(const struct stat *);

/* The kernel's own file system that this is a file of ("sysfs"): no data, but
 * switches and registers; NULL: of no such. */
const char *bench_geometry_kernels(const char *path);

/* Of an open descriptor.  -errno. */
int
bench_geometry_read(int fd, const struct stat *, struct bench_geometry *ret);

/* Have the descriptor go past the page cache from now on, where open() has no
 * flag for that (Darwin: F_NOCACHE).  -errno. */
int bench_geometry_uncache(int fd);
#endif
