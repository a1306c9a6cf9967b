/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argv becomes jobs.
 * Room: diskbench/, deciding: opens nothing but job files, prints nothing.
 */
#ifndef DISKBENCH_OPTIONS_LINE_H
#define DISKBENCH_OPTIONS_LINE_H

#include "diskbench/options.h"

/*
 * Read a whole command line into *ret, which the caller passes to _fini
 * whatever comes back.  -errno: a usage error, described in *why.
 */
int bench_options_init(struct bench_options *ret, int argc, char *const *argv,
    uint64_t entropy, struct bench_refusal *why);
#endif
