/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One line of /proc/PID/mountinfo (proc(5)).
 * Room: diskbench/, deciding: no I/O, no allocation.
 */
#ifndef DISKBENCH_MOUNTINFO_H
#define DISKBENCH_MOUNTINFO_H

struct bench_mount {
	unsigned major, minor; /* 0 for btrfs, tmpfs, overlay ... */
	/* Into the line; \040 and such are blanks again. */
	char *point, *type, *source, *options; /* the file system's own */
};

/* Blank, tab, newline and backslash, which the kernel writes as three octal
 * digits there and in /proc/swaps, become themselves; in place. */
void bench_mountinfo_unescape(char *);

/* Cuts the line up.  -EINVAL: not such a line; *ret is then not written. */
int bench_mountinfo_parse(char *line, struct bench_mount *ret);

/* The value of "name=" among comma-separated options, into buf; its length, or
 * 0 if it is not there or does not fit. */
unsigned bench_mountinfo_option(
    const char *options, const char *name, char *buf, unsigned len);
#endif
