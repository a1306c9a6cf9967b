/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A path and a consent become an open, measured device or file.
 * Room: diskbench/, doing.
 */
#ifndef DISKBENCH_TARGET_H
#define DISKBENCH_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "diskbench/geometry.h"
#include "diskbench/refusal.h"

enum bench_access {
	/* The descriptor is O_RDONLY: a write is then impossible, whatever
	 * else is wrong. */
	BENCH_ACCESS_READ = 0,
	BENCH_ACCESS_WRITE,
};

#define BENCH_TARGET_MAGIC 0x7461726dU

struct bench_target {
	unsigned magic;
	int fd; /* what is checked is what does the I/O */
	enum bench_access access;
	char *path;           /* as it was given, or /dev/rdisk for /dev/disk */
	char name[64];        /* of a disk: the kernel's, "loop0"; else "" */
	bool is_disk;         /* else a regular file */
	bool made;            /* by us, just now */
	bool buffered;        /* through the page cache, as asked */
	bool direct_unproven; /* O_DIRECT was taken; nobody vouches for it */
	dev_t dev;            /* the block device: itself, or the file's */
	struct bench_geometry geometry;
	uint64_t size; /* of geometry: bytes */
};

struct bench_target_wish {
	const char *path;
	enum bench_access access;
	bool buffered;
};

/*
 * Open for reading.  On success the caller owns *ret.  On an error (-errno)
 * *ret is untouched and *why says what to tell people.
 */
int bench_target_open(struct bench_target **ret,
    const struct bench_target_wish *, struct bench_refusal *why);

/*
 * Make a file of so many random bytes and open it.  Never under /dev, /proc or
 * /sys, and never one that exists: neither can be meant.  *stop not 0 ends it
 * early with -EINTR; a file that was not finished is removed.
 */
int bench_target_create(struct bench_target **ret,
    const struct bench_target_wish *, uint64_t size, uint64_t seed,
    const volatile sig_atomic_t *stop, struct bench_refusal *why);

void bench_target_close(struct bench_target **);
#endif
