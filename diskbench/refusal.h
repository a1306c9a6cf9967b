/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why diskbench did not measure: one exit code and one sentence each.
 * Room: diskbench/.  Allocates nothing, prints nothing; main says it.
 */
#ifndef DISKBENCH_REFUSAL_H
#define DISKBENCH_REFUSAL_H

#include "cli/diag.h"

/* Exit codes of diskbench(1); the manual lists them in this order. */
enum bench_exit {
	BENCH_EXIT_OK = 0,
	BENCH_EXIT_ERRORS = 1,   /* measured, but I/Os failed */
	BENCH_EXIT_USAGE = 2,    /* the command line */
	BENCH_EXIT_INTERNAL = 4, /* memory, threads, our mistakes */
	/* The target cannot be measured like this. */
	BENCH_EXIT_NOENT = 10,     /* does not exist */
	BENCH_EXIT_KIND = 11,      /* neither block device nor regular file */
	BENCH_EXIT_PERM = 12,      /* no permission */
	BENCH_EXIT_DIRECT = 13,    /* no direct I/O here */
	BENCH_EXIT_ENGINE = 14,    /* the engine asked for does not work */
	BENCH_EXIT_ALIGN = 15,     /* block size or offset does not fit */
	BENCH_EXIT_SMALL = 16,     /* empty, or smaller than a request */
	BENCH_EXIT_UNWRITTEN = 17, /* nothing is stored there */
	BENCH_EXIT_PLACE = 18,     /* no files are made there */
	BENCH_EXIT_EXISTS = 19,    /* a file of this name is there already */
	BENCH_EXIT_IO = 20,        /* the target cannot even be examined */
	/* Writing is refused. */
	BENCH_EXIT_TOKEN = 30,     /* no token, or not this device's */
	BENCH_EXIT_BUSY = 31,      /* the kernel says somebody has it */
	BENCH_EXIT_READONLY = 32,  /* write-protected */
	BENCH_EXIT_HOLDER = 33,    /* part of dm, md, bcache ... */
	BENCH_EXIT_LOOP = 34,      /* a loop device stands on it */
	BENCH_EXIT_MOUNTED = 35,   /* a mounted file system uses it */
	BENCH_EXIT_SWAP = 36,      /* swap */
	BENCH_EXIT_SYSTEM = 37,    /* holds the running system */
	BENCH_EXIT_SIGNATURE = 38, /* holds a file system, RAID, cache ... */
	BENCH_EXIT_CONTENT = 39,   /* holds data of an unknown kind */
	BENCH_EXIT_CHANGED = 40,   /* another device than a moment ago */
	BENCH_EXIT_SHARED = 41,    /* a file that others use as well */
	BENCH_EXIT_NOBLKID = 42,   /* cannot tell: built without libblkid */
	BENCH_EXIT_UNSEEN = 43,    /* cannot tell who uses it: no /proc ... */
	BENCH_EXIT_RESULT = 50,    /* a result file is none */
	BENCH_EXIT_STATES = 51,    /* two sides of more than one difference */
	/* 130 and 143: interrupted by SIGINT, SIGTERM; the result is partial */
};

struct bench_refusal {
	enum bench_exit code;
	/* One sentence, with what to do about it; paths are long. */
	char text[4096];
};

/*
 * Fill in, and return -r, the negative errno that the caller is to return.
 * The text is cut where it is too long.
 */
int bench_refuse(struct bench_refusal *, int r, enum bench_exit code,
    const char *fmt, ...) CLI_PRINTF(4, 5);
/* The command line is wrong: EINVAL and BENCH_EXIT_USAGE. */
int bench_refuse_usage(struct bench_refusal *, const char *fmt, ...)
    CLI_PRINTF(2, 3);
#endif
