/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/sheet.h"

/* What is no run: each has a part of the page of its own. */
static const struct kind {
	const char *schema, *what, *command;
	const char *(*lacks)(const json_t *root);
	void (*draw)(struct bench_page *, const struct bench_sheet *);
} kinds[] = {
	{ "varykit.disk-compare/1", "a comparison", "compare",
	    bench_json_compare_lacks, bench_page_compare },
	{ "varykit.disk-curve/1", "a curve", "curve", bench_json_curve_lacks,
	    bench_page_curve },
	{ "varykit.disk-pts/1", "a test of PTS", "pts", bench_json_pts_lacks,
	    bench_page_pts },
};

static const struct kind *
kind_of(const struct bench_sheet *sh)
{
	unsigned i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(bench_json_text_at(sh->root, "schema"),
			kinds[i].schema) == 0)
			return (&kinds[i]);
	return (NULL);
}

static int
check(const struct bench_sheet *sh, struct bench_refusal *why)
{
	const struct kind *k = kind_of(sh);
	const char *schema = bench_json_text_at(sh->root, "schema");
	const char *lacks;

	if (k != NULL) {
		lacks = k->lacks(sh->root);
		if (lacks != NULL)
			return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
			    "%.200s: %s without \"%s\"; make it again with "
			    "diskbench %s --format json",
			    sh->file, k->what, lacks, k->command));
		return (0);
	}
	if (schema[0] != '\0')
		return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
		    "%.200s: is a \"%.60s\", and report shows results of "
		    "diskbench run, compare, curve, precondition and pts, and "
		    "of fio",
		    sh->file, schema));
	return (bench_sheet_jobs(sh, why));
}

static int
draw(struct bench_page *p, const struct bench_sheet *sh, unsigned n,
    struct bench_refusal *why)
{
	size_t jobs = 0;
	unsigned i, others = 0;
	int r;

	for (i = 0; i < n; i++) {
		r = check(&sh[i], why);
		if (r < 0)
			return (r);
		if (kind_of(&sh[i]) != NULL)
			others++;
		else
			jobs += json_array_size(
			    json_object_get(sh[i].root, "jobs"));
	}
	if (others > 0 && others < n)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
		    "results of single runs together with others (of compare, "
		    "curve, precondition, pts): make a report of each kind"));
	jobs += others;
	if (jobs > BENCH_PAGE_JOBS)
		return (bench_refuse(why, E2BIG, BENCH_EXIT_RESULT,
		    "%zu jobs in all, and a page shows at most %d: make "
		    "several reports, or run fio with --group_reporting",
		    jobs, BENCH_PAGE_JOBS));
	for (i = 0; i < others; i++) {
		const struct kind *k = kind_of(&sh[i]);

		if (k != NULL)
			k->draw(p, &sh[i]);
	}
	if (others == 0)
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
