/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/sheet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of files are in messages: cut, as the sentence has to fit. */
int
bench_sheet_none(struct bench_refusal *why, const char *name, const char *text)
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
	} while (error == 0 && got > 0 && n <= (size_t)BENCH_SHEET_BYTES);
	if (f != stdin)
		(void)fclose(f);
	if (error == 0 && n <= (size_t)BENCH_SHEET_BYTES) {
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
	return (bench_sheet_none(why, path,
	    "larger than 64 MiB: not a result; name a file that diskbench "
	    "--format json or fio --output-format=json wrote"));
}

/* What stands before the first byte that is no JSON white space. */
static size_t
blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && memchr(" \t\r\n", text[n], 4) != NULL)
		n++;
	return (n);
}

int
bench_sheet_parse(const char *name, const char *text, size_t len, json_t **ret,
    struct bench_refusal *why)
{
	json_error_t e;
	const char *brace;
	json_t *o;

	if (blanks(text, len) == len)
		return (bench_sheet_none(why, name,
		    "empty; the run that was to write it did not finish"));
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return (bench_sheet_none(why, name,
		    "begins with a byte order mark: save it without"));
	o = json_loadb(text, len, JSON_REJECT_DUPLICATES, &e);
	if (o != NULL) {
		*ret = o;
		return (0);
	}
	brace = memchr(text, '{', len);
	return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
	    "%.200s: not JSON, line %d, column %d: %.100s%s", name, e.line,
	    e.column, e.text,
	    brace != NULL && blanks(text, len) != (size_t)(brace - text)
		? "; something stands before its first {, perhaps a message "
		  "of fio: remove it"
	    : e.position >= (int)len
		? "; it ends too early: the run was killed, or the disk full"
		: ""));
}

int
bench_sheet_read(const char *path, json_t **ret, struct bench_refusal *why)
{
	char *text = NULL;
	size_t len = 0;
	int r = slurp(path, &text, &len, why);

	if (r == 0)
		r = bench_sheet_parse(path, text, len, ret, why);
	free(text);
	return (r);
}

/* fio 2 has its latencies in microseconds, and by other names. */
static bool
is_of_fio2(const json_t *job)
{
	static const char *const sides[] = { "read", "write" };
	unsigned i;

	for (i = 0; i < 2; i++)
		if (json_is_object(
			bench_json_at(job, sides[i], "clat", NULL)) &&
		    bench_json_at(job, sides[i], "clat_ns", NULL) == NULL)
			return (true);
	return (false);
}

int
bench_sheet_jobs(const struct bench_sheet *sh, struct bench_refusal *why)
{
	const json_t *jobs = json_object_get(sh->root, "jobs");
	const char *schema = bench_json_text(
	    bench_json_at(sh->root, "diskbench", "schema", NULL));
	size_t i;

	/* What another version means by its numbers, nobody knows here. */
	if (schema[0] != '\0' && strcmp(schema, "varykit.diskbench/1") != 0)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
		    "%.200s: a \"%.60s\", and this diskbench reads "
		    "varykit.diskbench/1: use the version that made it",
		    sh->file, schema));
	if (!json_is_array(jobs))
		return (bench_sheet_none(why, sh->file,
		    "JSON, but not a result: it has no list \"jobs\"; name a "
		    "file that diskbench --format json or fio "
		    "--output-format=json wrote"));
	if (json_array_size(jobs) == 0)
		return (bench_sheet_none(
		    why, sh->file, "a result without a single job"));
	for (i = 0; i < json_array_size(jobs); i++) {
		const json_t *job = json_array_get(jobs, i);

		if (!json_is_object(bench_json_at(job, "read", NULL)) &&
		    !json_is_object(bench_json_at(job, "write", NULL)))
			return (bench_refuse(why, EINVAL, BENCH_EXIT_RESULT,
			    "%.200s: its job %zu has neither \"read\" nor "
			    "\"write\": not a result",
			    sh->file, i + 1));
		if (is_of_fio2(job))
			return (bench_sheet_none(why, sh->file,
			    "a result of fio 2, whose latencies have other "
			    "names and units; measure with fio 3 or with "
			    "diskbench fio"));
	}
	return (0);
}
