/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that could write to what the guard looks for.
 * Room: diskbench/, doing: reads /proc.  For guard.c; Linux alone.
 */
#ifndef DISKBENCH_GUARD_PROCESS_H
#define DISKBENCH_GUARD_PROCESS_H

#include "diskbench/guard_look.h"

/* Of each process its number, until something is found. */
void bench_guard_each_process(struct bench_look *,
    void (*see)(struct bench_look *, const char *pid, void *arg), void *arg);
/* Descriptors and shared mappings that can write; `fd` of our own does not
 * count. */
void bench_guard_processes(struct bench_look *, int fd);
/* flock and POSIX locks on files, whoever holds them. */
void bench_guard_locks(struct bench_look *);
#endif
