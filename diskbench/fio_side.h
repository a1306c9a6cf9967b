/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What fio says of reads and of writes apart: block sizes and rates.
 * Room: diskbench/, deciding.  For fio_set.c.
 */
#ifndef DISKBENCH_FIO_SIDE_H
#define DISKBENCH_FIO_SIDE_H

#include "diskbench/fio_section.h"

/* As bench_fio_set(), of bs, bsrange, bssplit, rate and rate_iops. */
int bench_fio_set_sides(struct bench_fio_parser *, struct bench_fio_section *,
    const struct bench_fio_word *, char *value);
#endif
