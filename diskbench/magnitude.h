/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of any size, in three digits and a unit, as fio prints them.
 * Room: diskbench/, deciding.
 */
#ifndef DISKBENCH_MAGNITUDE_H
#define DISKBENCH_MAGNITUDE_H

#include <stdbool.h>
#include <stddef.h>

/* Into buf, which comes back.  "12.3k" */
const char *bench_thousands(char *buf, size_t len, double);
/* "48.0MiB", or "50.3MB" */
const char *bench_bytes(char *buf, size_t len, double, bool binary);
#endif
