/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/workload_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "diskbench/legible.h"

/* Where we are, for messages: "workload.json: streams[2].sizes". */
struct reader {
	const char *file;
	char path[64];
	struct bench_refusal *why;
};

static int wrong(const struct reader *, const char *, ...) CLI_PRINTF(2, 3);

static int
wrong(const struct reader *rd, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return (bench_refuse(rd->why, EINVAL, BENCH_EXIT_USAGE, "%s: %s%s%s",
	    rd->file, rd->path, rd->path[0] != '\0' ? ": " : "", text));
}

/* Every key of an object is one of these, up to NULL. */
static int
known(const struct reader *rd, json_t *o, const char *const *keys)
{
	const char *key;
	json_t *v;
	unsigned i;

	json_object_foreach(o, key, v)
	{
		for (i = 0; keys[i] != NULL; i++)
			if (strcmp(keys[i], key) == 0)
				break;
		if (keys[i] == NULL)
			return (wrong(rd, "\"%.60s\" is not known here", key));
	}
	return (0);
}

static int
get_text(
    const struct reader *rd, json_t *o, const char *key, char *ret, size_t len)
{
	json_t *v = json_object_get(o, key);
	const char *s;

	if (v == NULL)
		return (0);
	s = json_string_value(v);
	if (s == NULL || strlen(s) >= len)
		return (
		    wrong(rd, "%s is not a text below %zu bytes", key, len));
	memcpy(ret, s, strlen(s) + 1);
	bench_legible(ret);
	return (0);
}

static int
get_real(const struct reader *rd, json_t *o, const char *key, double max,
    double *ret)
{
	json_t *v = json_object_get(o, key);
	double d;

	if (v == NULL)
		return (0);
	d = json_number_value(v);
	if (!json_is_number(v) || !(d >= 0 && d <= max))
		return (
		    wrong(rd, "%s is not a number from 0 to %.0f", key, max));
	*ret = d;
	return (0);
}

static int
get_count(const struct reader *rd, json_t *o, const char *key, unsigned min,
    unsigned max, unsigned *ret)
{
	json_t *v = json_object_get(o, key);
	json_int_t n;

	if (v == NULL)
		return (0);
	n = json_integer_value(v);
	if (!json_is_integer(v) || n < (json_int_t)min || n > (json_int_t)max)
		return (wrong(rd, "%s is not a whole number from %u to %u", key,
		    min, max));
	*ret = (unsigned)n;
	return (0);
}

/* One of the words; its place, *ret as it is if there is no such key. */
static int
get_word(const struct reader *rd, json_t *o, const char *key,
    const char *const *words, unsigned *ret)
{
	json_t *v = json_object_get(o, key);
	char all[120] = "";
	const char *s;
	unsigned i;

	if (v == NULL)
		return (0);
	s = json_string_value(v);
	for (i = 0; s != NULL && words[i] != NULL; i++) {
		if (strcmp(words[i], s) == 0) {
			*ret = i;
			return (0);
		}
	}
	for (i = 0; words[i] != NULL; i++)
		cli_append(
		    all, sizeof all, "%s%s", i > 0 ? ", " : "", words[i]);
	return (wrong(rd, "%s: \"%.40s\" is none of %s", key,
	    s != NULL ? s : "(no text)", all));
}

static int
get_sizes(const struct reader *rd, json_t *o, const char *key,
    struct bench_size *ret, unsigned *ret_n)
{
	static const char *const keys[] = { "bytes", "share", NULL };
	json_t *a = json_object_get(o, key);
	uint64_t shares = 0;
	unsigned i, n;

	if (a == NULL)
		return (0);
	if (!json_is_array(a) || json_array_size(a) == 0 ||
	    json_array_size(a) > BENCH_SIZES)
		return (wrong(
		    rd, "%s is not a list of 1 to %d sizes", key, BENCH_SIZES));
	n = (unsigned)json_array_size(a);
	for (i = 0; i < n; i++) {
		json_t *e = json_array_get(a, i);
		int r;

		if (!json_is_object(e))
			return (wrong(rd, "%s[%u] is not an object", key, i));
		r = known(rd, e, keys);
		ret[i].bytes = 0;
		ret[i].share = 1;
		if (r == 0)
			r = get_count(
			    rd, e, "bytes", 0, 1U << 30, &ret[i].bytes);
		if (r == 0)
			r = get_count(
			    rd, e, "share", 0, 1000000, &ret[i].share);
		if (r < 0)
			return (r);
		if (ret[i].bytes == 0)
			return (wrong(rd, "%s[%u] has no bytes", key, i));
		shares += ret[i].share;
	}
	if (shares == 0)
		return (wrong(rd, "%s have no share above 0", key));
	*ret_n = n;
	return (0);
}

static const char *const kinds[] = { "read", "write", "mixed", NULL };
static const char *const patterns[] = { "random", "sequential", NULL };
static const char *const syncs[] = { "none", "dsync", "sync", NULL };

static int
get_bool(const struct reader *rd, json_t *o, const char *key, bool *ret)
{
	json_t *v = json_object_get(o, key);

	if (v == NULL)
		return (0);
	if (!json_is_boolean(v))
		return (wrong(rd, "%s is neither true nor false", key));
	*ret = json_is_true(v);
	return (0);
}

static int
get_stream(const struct reader *rd, json_t *o, struct bench_stream *s)
{
	static const char *const keys[] = { "name", "rw", "read_percent",
		"pattern", "follow_percent", "in_flight", "closed", "phase",
		"per_hit", "per_miss", "miss_bytes", "per_second", "sizes",
		"run", "align", "sync", "fsync", NULL };
	static const unsigned percents[] = { 100, 0, 50 };
	unsigned kind = 0, pattern = 0, sync = 0;
	int r;

	memset(s, 0, sizeof *s);
	s->in_flight = 1;
	r = json_is_object(o) ? known(rd, o, keys) : wrong(rd, "not an object");
	if (r == 0)
		r = get_text(rd, o, "name", s->name, sizeof s->name);
	if (r == 0)
		r = get_word(rd, o, "rw", kinds, &kind);
	s->read_percent = percents[kind];
	if (r == 0 && json_object_get(o, "read_percent") != NULL && kind != 2)
		r = wrong(rd, "read_percent is for \"rw\": \"mixed\"");
	if (r == 0)
		r = get_count(rd, o, "read_percent", 0, 100, &s->read_percent);
	if (r == 0)
		r = get_word(rd, o, "pattern", patterns, &pattern);
	s->sequential = pattern == 1;
	if (r == 0)
		r = get_count(
		    rd, o, "follow_percent", 0, 100, &s->follow_percent);
	if (r == 0)
		r = get_count(rd, o, "in_flight", 1, 4096, &s->in_flight);
	if (r == 0)
		r = get_bool(rd, o, "closed", &s->closed);
	if (r == 0)
		r = get_count(rd, o, "phase", 0, BENCH_STREAMS, &s->phase);
	if (r == 0)
		r = get_real(rd, o, "per_hit", 1e6, &s->per_hit);
	if (r == 0)
		r = get_real(rd, o, "per_miss", 1e6, &s->per_miss);
	if (r == 0)
		r = get_real(rd, o, "miss_bytes", 1e6, &s->miss_bytes);
	if (r == 0)
		r = get_real(rd, o, "per_second", 1e9, &s->per_second);
	if (r == 0)
		r = get_sizes(rd, o, "sizes", s->size, &s->n_size);
	if (r == 0)
		r = get_sizes(rd, o, "run", s->run, &s->n_run);
	if (r == 0)
		r = get_count(rd, o, "align", 0, 1U << 30, &s->align);
	if (r == 0)
		r = get_word(rd, o, "sync", syncs, &sync);
	s->sync = (enum bench_sync)sync;
	if (r == 0)
		r = get_count(rd, o, "fsync", 0, 1000000000, &s->fsync);
	if (r == 0 && s->n_size == 0)
		r = wrong(rd, "without sizes, like \"sizes\": "
			      "[{\"bytes\": 4096}]");
	return (r);
}

static int
get_profile(struct reader *rd, json_t *o, struct bench_profile *p)
{
	static const char *const keys[] = { "schema", "name", "description",
		"note", "basis", "hit_percent", "object_bytes", "streams",
		"generator", NULL };
	const char *const bases[] = { bench_basis_names[0],
		bench_basis_names[1], bench_basis_names[2],
		bench_basis_names[3], NULL };
	unsigned basis = BENCH_BASIS_OBSERVED, i;
	const char *schema, *bad;
	json_t *a;
	int r;

	schema = json_string_value(json_object_get(o, "schema"));
	if (schema == NULL || strcmp(schema, BENCH_WORKLOAD_SCHEMA) != 0)
		return (wrong(rd, "no workload file: \"schema\" is not "
				  "\"" BENCH_WORKLOAD_SCHEMA "\""));
	memset(p, 0, sizeof *p);
	(void)snprintf(p->name, sizeof p->name, "workload");
	p->hit_percent = 100;
	r = known(rd, o, keys);
	if (r == 0)
		r = get_text(rd, o, "name", p->name, sizeof p->name);
	if (r == 0)
		r = get_text(rd, o, "description", p->help, sizeof p->help);
	if (r == 0)
		r = get_text(rd, o, "note", p->note, sizeof p->note);
	if (r == 0)
		r = get_word(rd, o, "basis", bases, &basis);
	p->basis = (enum bench_basis)basis;
	if (r == 0)
		r = get_count(rd, o, "hit_percent", 0, 100, &p->hit_percent);
	if (r == 0)
		r = get_real(rd, o, "object_bytes", 1e12, &p->object_bytes);
	if (r < 0)
		return (r);
	a = json_object_get(o, "streams");
	if (!json_is_array(a) || json_array_size(a) == 0 ||
	    json_array_size(a) > BENCH_STREAMS)
		return (wrong(rd, "streams is not a list of 1 to %d streams",
		    BENCH_STREAMS));
	p->n = (unsigned)json_array_size(a);
	for (i = 0; i < p->n && r == 0; i++) {
		(void)snprintf(rd->path, sizeof rd->path, "streams[%u]", i);
		r = get_stream(rd, json_array_get(a, i), &p->stream[i]);
	}
	rd->path[0] = '\0';
	bad = r == 0 ? bench_profile_check(p) : NULL;
	return (bad != NULL ? wrong(rd, "%s", bad) : r);
}

int
bench_workload_read(struct bench_profile *ret, const char *file,
    const char *text, size_t len, struct bench_refusal *why)
{
	struct reader rd = { file, "", why };
	struct bench_profile p;
	json_error_t error;
	json_t *o;
	int r;

	if (len > BENCH_WORKLOAD_MAX)
		return (wrong(&rd, "above 1 MiB"));
	if (len == 0)
		return (wrong(&rd, "empty; \"diskbench profiles NAME\" prints "
				   "one to begin with"));
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return (wrong(&rd, "begins with a byte order mark: save it "
				   "without"));
	o = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (o == NULL)
		return (wrong(&rd, "line %d: %.120s", error.line, error.text));
	r = json_is_object(o) ? get_profile(&rd, o, &p)
			      : wrong(&rd, "not an object");
	json_decref(o);
	if (r == 0)
		*ret = p;
	return (r);
}

/* --- and back ------------------------------------------------------------- */

static void
put(json_t *o, const char *key, json_t *v)
{
	(void)json_object_set_new(o, key, v);
}

static void
put_rate(json_t *o, const char *key, double v)
{
	if (v > 0)
		put(o, key, json_real(v));
}

static void
put_count(json_t *o, const char *key, unsigned v)
{
	if (v > 0)
		put(o, key, json_integer(v));
}

static void
put_sizes(json_t *o, const char *key, const struct bench_size *s, unsigned n)
{
	json_t *a, *e;
	unsigned i;

	if (n == 0)
		return;
	a = json_array();
	for (i = 0; i < n; i++) {
		e = json_object();
		put(e, "bytes", json_integer(s[i].bytes));
		put(e, "share", json_integer(s[i].share));
		(void)json_array_append_new(a, e);
	}
	put(o, key, a);
}

static json_t *
put_stream(const struct bench_stream *s)
{
	json_t *o = json_object();
	unsigned kind = s->read_percent == 100 ? 0
			: s->read_percent == 0 ? 1
					       : 2;

	put(o, "name", json_string(s->name));
	put(o, "rw", json_string(kinds[kind]));
	if (kind == 2)
		put(o, "read_percent", json_integer(s->read_percent));
	put(o, "pattern", json_string(patterns[s->sequential]));
	put_count(o, "follow_percent", s->follow_percent);
	put(o, "in_flight", json_integer(s->in_flight));
	if (s->closed)
		put(o, "closed", json_true());
	put_count(o, "phase", s->phase);
	put_rate(o, "per_hit", s->per_hit);
	put_rate(o, "per_miss", s->per_miss);
	put_rate(o, "miss_bytes", s->miss_bytes);
	put_rate(o, "per_second", s->per_second);
	put_sizes(o, "sizes", s->size, s->n_size);
	put_sizes(o, "run", s->run, s->n_run);
	put_count(o, "align", s->align);
	if (s->sync != BENCH_SYNC_NONE)
		put(o, "sync", json_string(syncs[s->sync]));
	put_count(o, "fsync", s->fsync);
	return (o);
}

char *
bench_workload_write(const struct bench_profile *p)
{
	json_t *o = json_object(), *a = json_array();
	char *text, *line;
	size_t len;
	unsigned i;

	put(o, "schema", json_string(BENCH_WORKLOAD_SCHEMA));
	put(o, "name", json_string(p->name));
	put(o, "description", json_string(p->help));
	if (p->note[0] != '\0')
		put(o, "note", json_string(p->note));
	put(o, "basis", json_string(bench_basis_names[p->basis]));
	put(o, "hit_percent", json_integer(p->hit_percent));
	put(o, "object_bytes", json_real(p->object_bytes));
	for (i = 0; i < p->n; i++)
		(void)json_array_append_new(a, put_stream(&p->stream[i]));
	put(o, "streams", a);
	text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(o);
	if (text == NULL)
		return (NULL);
	len = strlen(text);
	line = realloc(text, len + 2);
	if (line == NULL) {
		free(text);
		return (NULL);
	}
	memcpy(line + len, "\n", 2);
	return (line);
}
