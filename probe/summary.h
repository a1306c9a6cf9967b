/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "varyprobe summary": the summaries of many runs as one.  Adding is all it does,
 * so that any split of the runs, in any order, gives the same.
 * Room: probe/.
 */
#ifndef PROBE_SUMMARY_H
#define PROBE_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

struct probe_summary;

/*
 * Add a file's lines.  0, or a negative errno, with "LINE: what is wrong" in
 * ret_why, to stand behind the file's name and a colon.
 */
int probe_summary_read(
    struct probe_summary *, FILE *, char *ret_why, size_t why_cap);

/* The exit code. */
int probe_summary_main(int argc, char **argv);
#endif
