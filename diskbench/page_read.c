/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/page_json.h"

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

/* Names of files are in messages: cut, as the sentence has to fit. */
static int
no_result(struct bench_refusal *why, const char *name, const char *text)
{
	return (bench_refuse(
	    why, EINVAL, BENCH_EXIT_RESULT, "%.200s: %s", name, text));
}

static int
slurp(const char *path, char **ret, size_t *ret_len, struct bench_refusal *why)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	size_t n = 0, room = 0, got;
	char *s = NULL, *bigger;
	int error = 0;

	if (f == NULL)
		return (bench_refuse(why, errno, BENCH_EXIT_RESULT,
		    "%.200s: cannot read: %s", path, strerror(errno)));
	do {
		if (n == room) {
			room = room > 0 ? room * 2 : 65536;
			bigger = realloc(s, room);
			if (bigger == NULL) {
				error = ENOMEM;
				break;
			}
			s = bigger;
		}
		errno = 0;
		got = fread(s + n, 1, room - n, f);
		n += got;
		if (ferror(f))
			error = errno != 0 ? errno : EIO;
	} while (error == 0 && got > 0 && n <= (size_t)BENCH_PAGE_BYTES);
	if (f != stdin)
		(void)fclose(f);
	if (error == 0 && n <= (size_t)BENCH_PAGE_BYTES) {
		*ret = s;
		*ret_len = n;
		return (0);
	}
	free(s);
	if (error == ENOMEM)
		return (bench_refuse(why, ENOMEM, BENCH_EXIT_INTERNAL,
		    "%.200s: no memory", path));
	if (error != 0)
		return (bench_refuse(why, error, BENCH_EXIT_RESULT,
		    "%.200s: cannot read: %s", path, strerror(error)));
	return (no_result(why, path,
	    "larger than 64 MiB: not a result; name a file that diskbench "
	    "--format json or fio --output-format=json wrote"));
}

static int
load(const char *name, const char *text, size_t len, json_t **ret,
    struct bench_refusal *why)
{
	json_error_t e;
	const char *brace;
	json_t *o;

	if (strspn(text, " \t\r\n") >= len)
		return (no_result(why, name,
		    "empty; the run that was to write it did not finish"));
	o = json_loadb(text, len, JSON_REJECT_DUPLICATES, &e);
	if (o != NULL) {
		*ret = o;
		return (0);
	}
	brace = memchr(text, '{', len);
	return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
	    "%.200s: not JSON, line %d, column %d: %.100s%s", name, e.line,
	    e.column, e.text,
	    brace != NULL && brace != text &&
		    strspn(text, " \t\r\n") != (size_t)(brace - text)
		? "; something stands before its first {, perhaps a message "
		  "of fio: remove it"
	    : e.position >= (int)len
		? "; it ends too early: the run was killed, or the disk full"
		: ""));
}

static int
check(const struct bench_sheet *sh, struct bench_refusal *why)
{
	const json_t *jobs = json_object_get(sh->root, "jobs");
	const char *schema =
	    bench_json_text(json_object_get(sh->root, "schema"));
	const char *lacks;
	size_t i;

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
	if (!json_is_array(jobs))
		return (no_result(why, sh->file,
		    "JSON, but not a result: it has no list \"jobs\"; name a "
		    "file that diskbench --format json or fio "
		    "--output-format=json wrote"));
	if (json_array_size(jobs) == 0)
		return (
		    no_result(why, sh->file, "a result without a single job"));
	for (i = 0; i < json_array_size(jobs); i++)
		if (!json_is_object(
			bench_json_at(json_array_get(jobs, i), "read", NULL)) &&
		    !json_is_object(
			bench_json_at(json_array_get(jobs, i), "write", NULL)))
			return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
			    "%.200s: its job %zu has neither \"read\" nor "
			    "\"write\": not a result",
			    sh->file, i + 1));
	return (0);
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
	int r = load(name, text, len, &o, why);

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
	char *text;
	size_t len = 0;
	unsigned i;
	int r = 0;

	if (sh == NULL || root == NULL)
		r = bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "report: no memory");
	for (i = 0; i < n && r == 0; i++) {
		text = NULL;
		r = slurp(path[i], &text, &len, why);
		if (r == 0)
			r = load(path[i], text, len, &root[i], why);
		free(text);
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
