/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tell a drive that it need not keep what it holds.
 * Room: diskbench/, doing.
 */
#ifndef DISKBENCH_DISCARD_H
#define DISKBENCH_DISCARD_H

#include "diskbench/target.h"

/*
 * Discard len bytes from offset on: all of it is lost.  The target was opened
 * for writing, so its consent was given.  -EOPNOTSUPP (a file, a drive or a
 * system without it) or another -errno, and *why.
 */
int bench_discard(const struct bench_target *, uint64_t offset, uint64_t len,
    struct bench_refusal *why);
#endif
