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

/* A result file. */
struct bench_sheet {
	const char *file;
	const json_t *root;
};

/* What is at o.a.b...; the keys end with NULL.  NULL: nothing, or o is NULL. */
const json_t *bench_json_at(const json_t *o, ...);

/* NAN where there is no number. */
double bench_json_number(const json_t *);

/* "" where there is no string; of numbers in strings their value. */
const char *bench_json_text(const json_t *);

/* The same of a member. */
double bench_json_number_at(const json_t *o, const char *key);
const char *bench_json_text_at(const json_t *o, const char *key);

/* A member in words, numbers times scale; "" where there is none. */
void bench_json_value(const json_t *o, const char *key, enum bench_unit,
    double scale, char *ret, unsigned len);

/* One of a list of members for a table of two columns. */
struct bench_json_row {
	const char *key, *name;
	enum bench_unit unit;
	double scale;
};

/* A row for each that there is. */
void bench_page_rows(struct bench_page *, struct bench_table *, const json_t *o,
    const struct bench_json_row *, unsigned n);

/* Rows for path, model, serial, firmware and size of a "target". */
void bench_page_target(
    struct bench_page *, struct bench_table *, const json_t *target);

/* A table "what, value" with the file and the command in it. */
struct bench_table *bench_page_method(
    struct bench_page *, struct bench_section *, const struct bench_sheet *);

/* A figure in a cell; "-" where it is none. */
void bench_page_cell_value(
    struct bench_page *, struct bench_table *, enum bench_unit, double);

/* Of all results of run and fio: the summary, then each job. */
void
bench_page_runs(struct bench_page *, const struct bench_sheet *, unsigned n);

/* Of a result of run: what its profile and its time budget came to. */
void bench_page_profile(struct bench_page *, const struct bench_sheet *);

/* Of what is no run: what it needs and does not have (NULL: nothing), and its
 * part of the page. */
const char *bench_json_compare_lacks(const json_t *root);
void bench_page_compare(struct bench_page *, const struct bench_sheet *);
const char *bench_json_curve_lacks(const json_t *root);
void bench_page_curve(struct bench_page *, const struct bench_sheet *);
const char *bench_json_pts_lacks(const json_t *root);
void bench_page_pts(struct bench_page *, const struct bench_sheet *);

/* The strings of a list, with blanks between them, as far as they fit. */
void bench_json_words(const json_t *, char *ret, unsigned len);

/* ns into seconds, in words; "-" where there is none. */
void bench_json_ns(const json_t *, char *ret, unsigned len);
#endif
