/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "varyprobe summary": the summaries of many runs as one.  Adding is all it does,
 * so that any split of the runs, in any order, gives the same.
 * Room: probe/.
 */
#ifndef PROBE_SUMMARY_H
#define PROBE_SUMMARY_H

/* The exit code. */
int probe_summary_main(int argc, char **argv);
#endif
