/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Somebody has a device or a file: who, and how that is refused.
 * Room: diskbench/.
 */
#ifndef DISKBENCH_HOLD_H
#define DISKBENCH_HOLD_H

#include "diskbench/refusal.h"

/*
 * BENCH_EXIT_UNSEEN is nobody found where not everything could be looked at:
 * /proc/self/mountinfo or /proc/swaps not to be read, no /sys, no memory.  A
 * writer has to take it for somebody.
 */
struct bench_hold {
	enum bench_exit code; /* BENCH_EXIT_OK: nobody */
	char who[400];        /* "mounted on /srv (ext4)" */
};
#endif
