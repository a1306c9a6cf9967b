/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/sheet.h"

const json_t *
bench_json_at(const json_t *o, ...)
{
	const char *key;
	va_list ap;

	va_start(ap, o);
	while (o != NULL && (key = va_arg(ap, const char *)) != NULL)
		o = json_object_get(o, key);
	va_end(ap);
	return (o);
}

double
bench_json_number(const json_t *j)
{
	return (json_is_number(j) ? json_number_value(j) : NAN);
}

const char *
bench_json_text(const json_t *j)
{
	const char *s = json_string_value(j);

	return (s != NULL ? s : "");
}

void
bench_json_ns(const json_t *j, char *ret, unsigned len)
{
	double v = bench_json_number(j);

	if (isnan(v))
		(void)snprintf(ret, len, "-");
	else
		bench_value_text(BENCH_UNIT_SECONDS, v / 1e9, ret, len);
}

void
bench_json_words(const json_t *words, char *ret, unsigned len)
{
	size_t i, n = json_array_size(words), at = 0;

	ret[0] = '\0';
	for (i = 0; i < n && at + 1 < len; i++) {
		int got = snprintf(ret + at, len - at, "%s%s", i > 0 ? " " : "",
		    bench_json_text(json_array_get(words, i)));

		at += got > 0 ? (size_t)got : 0;
	}
}

static int
check(const struct bench_sheet *sh, struct bench_refusal *why)
{
	const char *schema =
	    bench_json_text(json_object_get(sh->root, "schema"));
	const char *lacks;

	if (bench_json_is_compare(sh->root)) {
		lacks = bench_json_compare_lacks(sh->root);
		if (lacks != NULL)
			return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
			    "%.200s: a comparison without \"%s\"; make it "
			    "again "
			    "with diskbench compare --format json",
			    sh->file, lacks));
		return (0);
	}
	if (schema[0] != '\0')
		return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
		    "%.200s: is a \"%.60s\", and report shows results of "
		    "diskbench run and compare, and of fio",
		    sh->file, schema));
	return (bench_sheet_jobs(sh, why));
}

static int
draw(struct bench_page *p, const struct bench_sheet *sh, unsigned n,
    struct bench_refusal *why)
{
	size_t jobs = 0;
	unsigned i, comparisons = 0;
	int r;

	for (i = 0; i < n; i++) {
		r = check(&sh[i], why);
		if (r < 0)
			return (r);
		if (bench_json_is_compare(sh[i].root))
			comparisons++;
		else
			jobs += json_array_size(
			    json_object_get(sh[i].root, "jobs"));
	}
	if (comparisons > 0 && comparisons < n)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
		    "comparisons and results of single runs together: make a "
		    "report of each kind"));
	jobs += comparisons;
	if (jobs > BENCH_PAGE_JOBS)
		return (bench_refuse(why, E2BIG, BENCH_EXIT_RESULT,
		    "%zu jobs in all, and a page shows at most %d: make "
		    "several reports, or run fio with --group_reporting",
		    jobs, BENCH_PAGE_JOBS));
	for (i = 0; i < comparisons; i++)
		bench_page_compare(p, &sh[i]);
	if (comparisons == 0)
		bench_page_runs(p, sh, n);
	bench_page_tidy(p);
	if (p->failed)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "report: no memory"));
	return (0);
}

int
bench_page_parse(struct bench_page *p, const char *name, const char *text,
    size_t len, struct bench_refusal *why)
{
	struct bench_sheet sh = { name, NULL };
	json_t *o = NULL;
	int r = bench_sheet_parse(name, text, len, &o, why);

	if (r < 0)
		return (r);
	sh.root = o;
	r = draw(p, &sh, 1, why);
	json_decref(o);
	return (r);
}

int
bench_page_read(struct bench_page *p, const char *const *path, unsigned n,
    struct bench_refusal *why)
{
	struct bench_sheet *sh = calloc(n, sizeof *sh);
	json_t **root = calloc(n, sizeof(json_t *));
	unsigned i;
	int r = 0;

	if (sh == NULL || root == NULL)
		r = bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "report: no memory");
	for (i = 0; i < n && r == 0; i++) {
		r = bench_sheet_read(path[i], &root[i], why);
		sh[i].file = path[i];
		sh[i].root = root[i];
	}
	if (r == 0)
		r = draw(p, sh, n, why);
	for (i = 0; root != NULL && i < n; i++)
		json_decref(root[i]);
	free(root);
	free(sh);
	return (r);
}
