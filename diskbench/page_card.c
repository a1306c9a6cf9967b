/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page_card.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/num.h"

static const char *const side_name[] = { "read", "write" };

static double
or_zero(double v)
{
	return (v > 0 && v < 1e18 ? v : 0);
}

static int
by_low(const void *a, const void *b)
{
	const struct bench_card_bin *x = a, *y = b;

	return (x->low < y->low ? -1 : x->low > y->low);
}

static void
add_bin(struct bench_card_side *s, double low, double high, double count)
{
	/* What no clock says and no plot shows. */
	if (!(low >= 0 && high >= low && high < 1e18 && count > 0 &&
		count < 1e18))
		return;
	s->bin[s->n_bin++] = (struct bench_card_bin){ low, high, count };
	s->binned += count;
}

/* Ours: [[first, last, count], ...]; fio's json+: {"ns": count, ...}. */
static bool
read_bins(struct bench_card_side *s, const json_t *ours, const json_t *fio)
{
	size_t n = json_array_size(ours), i;
	const char *key;
	json_t *v;

	if (n == 0)
		n = json_object_size(fio);
	if (n == 0)
		return (true);
	s->bin = calloc(n, sizeof *s->bin);
	if (s->bin == NULL)
		return (false);
	if (json_array_size(ours) > 0) {
		for (i = 0; i < n; i++) {
			const json_t *b = json_array_get(ours, i);

			add_bin(s, bench_json_number(json_array_get(b, 0)),
			    bench_json_number(json_array_get(b, 1)),
			    bench_json_number(json_array_get(b, 2)));
		}
	} else {
		/* jansson wants it without const, and leaves it alone. */
		json_object_foreach((json_t *)(uintptr_t)fio, key, v)
		{
			double at = strtod(key, NULL);

			add_bin(s, at, at, bench_json_number(v));
		}
	}
	qsort(s->bin, s->n_bin, sizeof *s->bin, by_low);
	return (true);
}

static bool
read_side(struct bench_card *c, unsigned op)
{
	struct bench_card_side *s = &c->side[op];
	const json_t *j = json_object_get(c->job, side_name[op]);
	const json_t *own =
	    bench_json_at(c->own, "latency", side_name[op], NULL);
	const json_t *lat = json_object_get(own, "response_ns");

	s->ios = or_zero(bench_json_number(json_object_get(j, "total_ios")));
	s->iops = or_zero(bench_json_number(json_object_get(j, "iops")));
	s->bw = or_zero(bench_json_number(json_object_get(j, "bw_bytes")));
	s->response = lat != NULL;
	if (lat == NULL)
		lat = json_object_get(own, "service_ns");
	if (lat == NULL)
		lat = json_object_get(j, "clat_ns");
	s->percentile = json_object_get(lat, "percentile");
	s->mean = json_object_get(lat, "mean");
	s->max = json_object_get(lat, "max");
	return (read_bins(s,
	    json_object_get(
		own, s->response ? "response_buckets" : "service_buckets"),
	    bench_json_at(j, "clat_ns", "bins", NULL)));
}

/* fio has numbers as strings, and what all jobs share elsewhere. */
const char *
bench_card_option(const struct bench_card *c, const char *name)
{
	const json_t *v = bench_json_at(c->job, "job options", name, NULL);

	if (v == NULL)
		v = bench_json_at(c->root, "global options", name, NULL);
	return (bench_json_text(v));
}

static double
option_number(const struct bench_card *c, const char *name)
{
	double v = strtod(bench_card_option(c, name), NULL);

	return (v >= 1 && v <= 1e6 ? floor(v) : 1);
}

void
bench_card_block(double bytes, char *ret, unsigned len)
{
	if (bytes >= 1048576 && fmod(bytes, 1048576) == 0)
		(void)snprintf(ret, len, "%.0fM", bytes / 1048576);
	else if (bytes >= 1024 && fmod(bytes, 1024) == 0)
		(void)snprintf(ret, len, "%.0fk", bytes / 1024);
	else
		(void)snprintf(ret, len, "%.0f", bytes);
}

static void
block_range(double low, double high, char *ret, size_t len)
{
	char a[16], b[16];

	if (!(low >= 1 && high >= low && high < 1e12))
		return;
	bench_card_block(low, a, sizeof a);
	bench_card_block(high, b, sizeof b);
	(void)snprintf(ret, len, low < high ? "%s-%s" : "%s", a, b);
}

/* Of all streams that do such. */
static void
block_of_streams(struct bench_card *c, unsigned op)
{
	double v, low = INFINITY, high = 0;
	size_t i, k;

	for (i = 0; i < json_array_size(c->streams); i++) {
		const json_t *o = json_array_get(c->streams, i);
		const json_t *sizes = json_object_get(o, "sizes");
		double reads = bench_json_number_at(o, "read_percent");

		if (!(op == 0 ? reads > 0 : reads < 100))
			continue;
		for (k = 0; k < json_array_size(sizes); k++) {
			v = bench_json_number_at(
			    json_array_get(sizes, k), "bytes");
			low = fmin(low, v);
			high = fmax(high, v);
		}
	}
	block_range(low, high, c->side[op].block, sizeof c->side[op].block);
}

/* A size as fio has it: "4096", "4k", "128KiB".  0: none. */
static double
fio_size(const char *s, size_t len)
{
	char buf[24];
	uint64_t v;

	if (len >= sizeof buf)
		return (0);
	memcpy(buf, s, len);
	buf[len] = '\0';
	return (cli_num_size(buf, 1, INT64_MAX, &v) == 0 ? (double)v : 0);
}

/*
 * "4k", of both; "4k,64k", of reads and of writes; "4k/60:64k/40", a mix.  What
 * is none of these is shown as it is.
 */
static void
block_of_options(struct bench_card *c, unsigned op)
{
	const char *s = bench_card_option(c, "bssplit"), *comma;
	double v, low = INFINITY, high = 0;
	char *ret = c->side[op].block;
	size_t n;

	if (s[0] == '\0')
		s = bench_card_option(c, "bs");
	comma = strchr(s, ',');
	if (op == 1 && comma != NULL)
		s = comma + 1;
	(void)snprintf(ret, sizeof c->side[op].block, "%.16s", s);
	while (*s != '\0' && *s != ',') {
		n = strcspn(s, "/:,");
		v = fio_size(s, n);
		if (v <= 0)
			return;
		low = fmin(low, v);
		high = fmax(high, v);
		s += strcspn(s, ":,");
		s += *s == ':';
	}
	block_range(low, high, ret, sizeof c->side[op].block);
}

static void
read_blocks(struct bench_card *c)
{
	unsigned op;

	for (op = 0; op < 2; op++)
		if (c->streams != NULL)
			block_of_streams(c, op);
		else
			block_of_options(c, op);
}

/* How many can be in flight: what its streams can, or each of its threads. */
static double
depth(const struct bench_card *c)
{
	double v, sum = 0;
	size_t i;

	for (i = 0; i < json_array_size(c->streams); i++) {
		v = bench_json_number_at(
		    json_array_get(c->streams, i), "in_flight");
		sum += v >= 1 && v <= 1e6 ? floor(v) : 0;
	}
	return (sum > 0 ? sum
			: option_number(c, "iodepth") *
			      option_number(c, "numjobs"));
}

/* Cut a name where a character ends. */
static void
title(struct bench_card *c, bool with_file)
{
	const char *slash = strrchr(c->file, '/');
	size_t n;

	(void)snprintf(c->title, sizeof c->title, "%.120s%s%.120s",
	    c->name[0] != '\0' ? c->name : "job", with_file ? " in " : "",
	    !with_file      ? ""
	    : slash != NULL ? slash + 1
			    : c->file);
	n = strlen(c->title);
	while (n > 0 && ((unsigned char)c->title[n - 1] & 0xc0) == 0x80)
		n--;
	if (n > 0 && (unsigned char)c->title[n - 1] >= 0xc0)
		n--;
	else
		n = strlen(c->title);
	if (strlen(c->name) > 120 || strlen(c->file) > 120)
		c->title[n] = '\0';
}

bool
bench_card_init(struct bench_card *c, const struct bench_sheet *sh, size_t job,
    bool with_file)
{
	const json_t *complete;

	memset(c, 0, sizeof *c);
	c->file = sh->file;
	c->root = sh->root;
	c->job = json_array_get(json_object_get(sh->root, "jobs"), job);
	c->own = json_object_get(c->job, "diskbench");
	c->warnings = json_object_get(c->own, "warnings");
	c->name = bench_json_text(json_object_get(c->job, "jobname"));
	c->target = bench_card_option(c, "filename");
	c->rw = bench_card_option(c, "rw");
	c->engine = bench_card_option(c, "ioengine");
	if (c->own != NULL)
		c->engine = bench_json_text(json_object_get(c->own, "engine"));
	c->streams = json_object_get(c->own, "streams");
	if (json_array_size(c->streams) == 0)
		c->streams = NULL;
	read_blocks(c);
	title(c, with_file);
	c->depth = depth(c);
	c->errors = or_zero(bench_json_number(
			bench_json_at(c->own, "errors", "read", NULL))) +
		    or_zero(bench_json_number(
			bench_json_at(c->own, "errors", "write", NULL)));
	if (c->own == NULL)
		c->errors = or_zero(
		    bench_json_number(json_object_get(c->job, "total_err")));
	complete = json_object_get(c->own, "complete");
	c->complete = !json_is_false(complete);
	return (read_side(c, 0) && read_side(c, 1));
}

void
bench_card_fini(struct bench_card *c)
{
	free(c->side[0].bin);
	free(c->side[1].bin);
}

double
bench_card_quantile_ns(const struct bench_card_side *s, double percent)
{
	char key[24];

	(void)snprintf(key, sizeof key, "%f", percent);
	return (bench_json_number(json_object_get(s->percentile, key)));
}

void
bench_card_quantile(
    const struct bench_card_side *s, double percent, char *ret, unsigned len)
{
	double v = bench_card_quantile_ns(s, percent);

	if (isnan(v))
		(void)snprintf(ret, len, "-");
	else
		bench_value_text(BENCH_UNIT_SECONDS, v / 1e9, ret, len);
}

static void
spectrum_of_percentiles(struct bench_page *p, const struct bench_figure *f,
    struct bench_line *l, const struct bench_card_side *s)
{
	const char *key;
	double at;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)s->percentile, key, v)
	{
		at = strtod(key, NULL);
		if (at > 0 && at < 100)
			bench_page_point(p, f, l,
			    &(struct bench_point){ -log10(1 - at / 100),
				bench_json_number(v) / 1e9, 0, 0 });
	}
}

void
bench_card_spectrum(struct bench_page *p, const struct bench_figure *f,
    struct bench_line *l, const struct bench_card_side *s)
{
	double below = 0, share, x, last = -1;
	unsigned i;

	if (s->n_bin == 0) {
		spectrum_of_percentiles(p, f, l, s);
		return;
	}
	for (i = 0; i < s->n_bin; i++) {
		below += s->bin[i].count;
		share = below / s->binned;
		/* Beyond the slowest there is less than one. */
		x = i + 1 == s->n_bin ? log10(fmax(s->binned, 2))
				      : -log10(fmax(1 - share, 1e-15));
		/* A pixel is enough. */
		if (x - last < 0.005 && i + 1 < s->n_bin)
			continue;
		last = x;
		bench_page_point(p, f, l,
		    &(struct bench_point){ x, s->bin[i].high / 1e9, 0, 0 });
	}
}
