/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The engines there are; a file each.  Only engine.c needs to know.
 * Room: diskbench/.
 */
#ifndef DISKBENCH_ENGINE_LIST_H
#define DISKBENCH_ENGINE_LIST_H

#include "diskbench/engine.h"

extern const struct bench_engine_type bench_engine_uring;
extern const struct bench_engine_type bench_engine_libaio;
extern const struct bench_engine_type bench_engine_posixaio;
extern const struct bench_engine_type bench_engine_psync;
extern const struct bench_engine_type bench_engine_mmap;
extern const struct bench_engine_type bench_engine_null;
extern const struct bench_engine_type bench_engine_sim;
#endif
