/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the guard looks for, and what it has found so far.
 * Room: diskbench/, deciding: memory alone.  For guard.c and guard_process.c.
 */
#ifndef DISKBENCH_GUARD_LOOK_H
#define DISKBENCH_GUARD_LOOK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "diskbench/devset.h"
#include "diskbench/fileset.h"
#include "diskbench/hold.h"

struct bench_look {
	/* Whoever has one of these has the target, or would be written over
	 * with it: itself, and what the loop devices below it stand on. */
	struct bench_devset ours;
	struct bench_fileset files;
	/* The target's own loop devices are no strangers to it. */
	struct bench_devset through;
	const struct stat *file; /* the target; NULL: a device */
	struct bench_hold *hold;
	/* The first thing that could not be looked at.  It comes last: who is
	 * found elsewhere has a name. */
	char unseen[200];
};

/* The first one found is the most serious, and stays. */
void bench_look_found(struct bench_look *, enum bench_exit, const char *fmt,
    ...) CLI_PRINTF(3, 4);
/* error 0: it is there, and empty. */
void bench_look_unseen(struct bench_look *, const char *what, int error);
bool bench_look_is_ours(const struct bench_look *, const struct stat *);
#endif
