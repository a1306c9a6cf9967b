/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A curve, for people and as JSON.
 * Room: diskbench/.  Prints results, and nothing else, on the stream it gets.
 */
#ifndef DISKBENCH_REPORT_CURVE_H
#define DISKBENCH_REPORT_CURVE_H

#include <stdio.h>

#include "diskbench/curve.h"

/* 0, or -errno of the writing. */
int bench_report_curve_text(FILE *, const struct bench_curve *);
int bench_report_curve_json(
    FILE *, const struct bench_curve *, char *const *argv, int argc);
#endif
