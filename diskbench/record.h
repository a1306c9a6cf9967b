/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all that is printed as JSON shares: values that may be missing, strings
 * that may be anything, the drive, the warnings, the command, the writing.
 * Room: diskbench/.  For the report_*.c that print JSON.
 */
#ifndef DISKBENCH_RECORD_H
#define DISKBENCH_RECORD_H

#include <jansson.h>
#include <stdio.h>

#include "diskbench/identity.h"
#include "diskbench/verdict.h"

/* Each is the caller's.  null where there is no number, or nothing. */
json_t *bench_record_real(double);
json_t *bench_record_above_zero(double);
json_t *bench_record_count(uint64_t);    /* null of 0 */
json_t *bench_record_finite(double);     /* 0 of what is no number */
json_t *bench_record_integer(uint64_t);  /* the largest that there is of more */
json_t *bench_record_text(const char *); /* null of NULL and "" */

/* Never null; of what is not UTF-8 a note that says so. */
json_t *bench_record_string(const char *);

/* A member, which is taken; null in its place where memory ran out. */
void bench_record_set(json_t *, const char *key, json_t *);
void bench_record_set_text(json_t *, const char *key, const char *);

/* path, model, serial, firmware, size */
json_t *bench_record_target(const char *path, const struct bench_identity *);

/* id, text of each */
json_t *bench_record_warnings(const struct bench_verdict *);
json_t *bench_record_command(char *const *argv, int argc);

/* Prints it, and takes it away.  0, or -errno: also of NULL, which is what is
 * left where memory ran out. */
int bench_record_print(FILE *, json_t *);
#endif
