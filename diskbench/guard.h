/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who has this device or file?
 * Room: diskbench/, doing: reads /proc and /sys, and opens loop devices for
 * reading to ask what they stand on.
 *
 * The kernel's own answer (O_EXCL) is the target's to ask for, and catches most
 * of what is here.  This names the holder, and finds those that the kernel
 * does not count: loop devices, processes with a plain descriptor, locks.
 */
#ifndef DISKBENCH_GUARD_H
#define DISKBENCH_GUARD_H

#include <stdbool.h>
#include <sys/stat.h>

#include "diskbench/hold.h"

/*
 * The most serious holder of a block device (st_rdev; its partitions and, of a
 * partition, the whole disk count as well) or of a regular file.  `fd` is our
 * own descriptor of it, not counted; -1 if there is none.
 * Returns ret->code != BENCH_EXIT_OK.
 */
bool bench_guard_find(const struct stat *, int fd, struct bench_hold *ret);
#endif
