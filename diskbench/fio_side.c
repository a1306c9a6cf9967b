/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio_side.h"

#include <stdbool.h>
#include <string.h>

#include "cli/num.h"

/*
 * "read,write": one value is for both.  Calls set for the parts that are not
 * empty.  A third, for trims, is refused: there are none.
 */
static int
each_side(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    char *value,
    int (*set)(const struct bench_fio_parser *, const struct bench_fio_word *,
	struct bench_fio_section *, unsigned op, const char *),
    struct bench_fio_section *s)
{
	char *comma = strchr(value, ',');
	int r;

	if (comma == NULL) {
		r = set(p, w, s, BENCH_OP_READ, value);
		return (r < 0 ? r : set(p, w, s, BENCH_OP_WRITE, value));
	}
	*comma = '\0';
	if (strchr(comma + 1, ',') != NULL)
		return (bench_fio_fail(p,
		    "%s: a value for trims, and diskbench does "
		    "none",
		    w->name));
	r = *value != '\0' ? set(p, w, s, BENCH_OP_READ, value) : 0;
	if (r == 0 && comma[1] != '\0')
		r = set(p, w, s, BENCH_OP_WRITE, comma + 1);
	return (r);
}

static int
set_bs(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1 << 30, &n) < 0)
		return (bench_fio_bad(p, w, v,
		    strchr(v, '-') != NULL
			? "one block size; a range of them is a bsrange"
			: "a block size up to 1g"));
	s->job.shape.size[op][0].bytes = (uint32_t)n;
	s->job.shape.size[op][0].share = 1;
	s->job.shape.n_size[op] = 1;
	return (0);
}

/*
 * "1k-64k": fio picks a multiple of the smaller one, all equally often.  More
 * of them than a mix has room for are thinned out evenly.
 */
static int
set_bsrange(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	struct bench_size *ret = s->job.shape.size[op];
	char one[32];
	const char *dash = strchr(v, '-');
	uint64_t lo, hi, steps, i;
	unsigned n;

	if (dash == NULL || (size_t)(dash - v) >= sizeof one)
		return (bench_fio_bad(p, w, v, "a range like 1k-64k"));
	memcpy(one, v, (size_t)(dash - v));
	one[dash - v] = '\0';
	if (cli_num_size(one, 1, 1 << 30, &lo) < 0 ||
	    cli_num_size(dash + 1, lo, 1 << 30, &hi) < 0)
		return (bench_fio_bad(p, w, v, "a range like 1k-64k"));
	steps = hi / lo;
	n = steps < BENCH_SIZES ? (unsigned)steps : BENCH_SIZES;
	for (i = 0; i < n; i++) {
		ret[i].bytes =
		    (uint32_t)(lo *
			       (n == 1 ? 1 : 1 + i * (steps - 1) / (n - 1)));
		ret[i].share = 1;
	}
	s->job.shape.n_size[op] = n;
	if (s->job.shape.align == 0)
		s->job.shape.align = (uint32_t)lo;
	return (0);
}

/* "4k/60:16k/40"; a missing share is an equal part of what is left of 100. */
static int
set_bssplit(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	struct bench_size *ret = s->job.shape.size[op];
	bool open_share[BENCH_SIZES] = { false };
	const char *end, *slash;
	unsigned n = 0, missing = 0, i;
	uint64_t bytes, share, total = 0;
	char one[32];
	size_t len;

	for (;; v = end + 1) {
		end = strchr(v, ':');
		len = end != NULL ? (size_t)(end - v) : strlen(v);
		if (len == 0 || len >= sizeof one || n == BENCH_SIZES)
			return (bench_fio_bad(
			    p, w, v, "a split like 4k/60:16k/40"));
		memcpy(one, v, len);
		one[len] = '\0';
		slash = strchr(one, '/');
		share = 0;
		open_share[n] = slash == NULL || slash[1] == '\0';
		if (!open_share[n] &&
		    cli_num_count(slash + 1, 0, 100, &share) < 0)
			return (bench_fio_bad(
			    p, w, v, "a split like 4k/60:16k/40"));
		if (slash != NULL)
			one[slash - one] = '\0';
		if (cli_num_size(one, 1, 1 << 30, &bytes) < 0)
			return (bench_fio_bad(
			    p, w, v, "a split like 4k/60:16k/40"));
		missing += open_share[n];
		total += share;
		ret[n].bytes = (uint32_t)bytes;
		ret[n++].share = (uint32_t)share * 1000;
		if (end == NULL)
			break;
	}
	if (total > 100 || (missing == 0 && total != 100))
		return (bench_fio_bad(
		    p, w, v, "a split whose shares add up to 100"));
	for (i = 0; i < n; i++)
		if (open_share[i])
			ret[i].share =
			    (uint32_t)((100 - total) * 1000 / missing);
	s->job.shape.n_size[op] = n;
	return (0);
}

static int
set_rate_iops(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1000000000, &n) < 0)
		return (
		    bench_fio_bad(p, w, v, "a number of requests a second"));
	s->job.rate[op] = (double)n;
	return (0);
}

static int
set_rate(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, INT64_MAX, &n) < 0)
		return (bench_fio_bad(p, w, v, "a number of bytes a second"));
	s->job.rate_bytes[op] = (double)n;
	return (0);
}

int
bench_fio_set_sides(struct bench_fio_parser *p, struct bench_fio_section *s,
    const struct bench_fio_word *w, char *value)
{
	switch (w->code) {
	case F_BS: return (each_side(p, w, value, set_bs, s));
	case F_BSRANGE: return (each_side(p, w, value, set_bsrange, s));
	case F_BSSPLIT: return (each_side(p, w, value, set_bssplit, s));
	case F_RATE: return (each_side(p, w, value, set_rate, s));
	default: return (each_side(p, w, value, set_rate_iops, s));
	}
}
