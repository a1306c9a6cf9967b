/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fio's command lines and job files become jobs of ours, and back.
 * Room: diskbench/, deciding: reads job files, prints help only.
 *
 * What is known is done, what is not known is an error that names it: a
 * benchmark that ignores an option answers another question than was asked.
 */
#ifndef DISKBENCH_FIO_H
#define DISKBENCH_FIO_H

#include <stdint.h>
#include <stdio.h>

#include "diskbench/options.h"

/*
 * The words after "diskbench fio" into *o, zeroed but for command, which can
 * become HELP or VERSION.  -errno: a usage error, described in *why.
 */
int bench_fio_parse(struct bench_options *o, int argc, char *const *argv,
    uint64_t entropy, struct bench_refusal *why);

/* One job file's text, NUL-terminated; for the fuzzer too. */
int bench_fio_parse_text(struct bench_options *o, const char *file,
    const char *text, uint64_t entropy, struct bench_refusal *why);

void bench_fio_help(FILE *);

/* The fio command that does the same as a job, as a shell line into buf, cut
 * where it does not fit. */
void bench_fio_show(const struct bench_job *, char *buf, size_t len);
#endif
