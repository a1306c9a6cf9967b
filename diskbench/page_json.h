/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the files that turn JSON into parts of a page: looking into JSON that may
 * be anything, and who draws what.
 * Room: diskbench/, deciding.  jansson's door for pages.
 */
#ifndef DISKBENCH_PAGE_JSON_H
#define DISKBENCH_PAGE_JSON_H

#include <jansson.h>
#include <math.h>

#include "diskbench/page.h"

/* What is at o.a.b...; the keys end with NULL.  NULL: nothing, or o is NULL. */
const json_t *bench_json_at(const json_t *o, ...);

/* NAN where there is no number. */
double bench_json_number(const json_t *);

/* "" where there is no string; of numbers in strings their value. */
const char *bench_json_text(const json_t *);

/* A result of run or of fio. */
struct bench_sheet {
	const char *file;
	const json_t *root;
};

/* Of all results of run and fio: the summary, then each job. */
void
bench_page_runs(struct bench_page *, const struct bench_sheet *, unsigned n);

/* A comparison: is it one, what it needs and does not have (NULL: nothing), and
 * its part of the page. */
bool bench_json_is_compare(const json_t *root);
const char *bench_json_compare_lacks(const json_t *root);
void bench_page_compare(struct bench_page *, const struct bench_sheet *);

/* The strings of a list, with blanks between them, as far as they fit. */
void bench_json_words(const json_t *, char *ret, unsigned len);

/* ns into seconds, in words; "-" where there is none. */
void bench_json_ns(const json_t *, char *ret, unsigned len);
#endif
