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
#include "diskbench/identity.h"
#include "diskbench/job.h"
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
	uint64_t size;                  /* of geometry: bytes */
	struct bench_identity identity; /* as it was when it was opened */
};

struct bench_target_wish {
	const char *path;
	enum bench_access access;
	bool buffered;
	enum bench_sync sync;
	/* Of a writer: the consent.  The token of its identity, NULL: none. */
	const char *token;
	bool overwrite_data; /* also over data that has an owner */
	bool own;            /* this run made it: no consent is needed */
};

/*
 * Open.  For reading the descriptor is O_RDONLY, and a write is impossible.
 *
 * For writing a device is opened with O_EXCL first, so that it is ours; then
 * all that could speak against it is looked at through this very descriptor,
 * which is the one that will write: nothing can come in between.  The order is
 * write protection, holders (guard.h), the token, signatures, content.
 *
 * On success the caller owns *ret.  On an error (-errno) *ret is untouched and
 * *why says what to tell people.
 */
int bench_target_open(struct bench_target **ret,
    const struct bench_target_wish *, struct bench_refusal *why);

/* Could a file of this name be made?  0, or as bench_target_create() refuses
 * because of the name or the place. */
int bench_target_may_create(const char *path, struct bench_refusal *why);

/*
 * Make a file of so many random bytes and open it.  Never under /dev, /proc or
 * /sys, and never one that exists: neither can be meant.  *stop not 0 ends it
 * early with -EINTR; a file that was not finished is removed.
 */
int bench_target_create(struct bench_target **ret,
    const struct bench_target_wish *, uint64_t size, uint64_t seed,
    const volatile sig_atomic_t *stop, struct bench_refusal *why);

/*
 * Just before the first write: is it still the device that was looked at?
 * -EAGAIN and *why if not.
 */
int bench_target_recheck(const struct bench_target *, struct bench_refusal *);

void bench_target_close(struct bench_target **);

/* Why open() failed, errno r, for people; -r. */
int
bench_target_explain_open(const char *path, int r, struct bench_refusal *why);
#endif
