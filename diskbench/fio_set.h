/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each of fio's options does to a section, or to the whole run.
 * Room: diskbench/, deciding.  For fio.c, which reads lines and files.
 */
#ifndef DISKBENCH_FIO_SET_H
#define DISKBENCH_FIO_SET_H

#include "diskbench/fio_section.h"

/* Apply one.  The value is writable and outlives the run.  -EINVAL as
 * bench_fio_fail(). */
int bench_fio_set(struct bench_fio_parser *, struct bench_fio_section *,
    const struct bench_fio_word *, char *value);
#endif
