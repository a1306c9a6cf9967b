/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/workload.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

bool
bench_shape_does(const struct bench_shape *s, enum bench_op op)
{
	return (
	    op == BENCH_OP_READ ? s->read_percent > 0 : s->read_percent < 100);
}

uint32_t
bench_shape_smallest(const struct bench_shape *s)
{
	uint32_t min = UINT32_MAX;
	unsigned op, i;

	for (op = 0; op < BENCH_OPS; op++) {
		if (!bench_shape_does(s, (enum bench_op)op))
			continue;
		for (i = 0; i < s->n_size[op]; i++)
			if (s->size[op][i].bytes < min)
				min = s->size[op][i].bytes;
	}
	return (min == UINT32_MAX ? 0 : min);
}

uint32_t
bench_shape_largest(const struct bench_shape *s)
{
	uint32_t max = 0;
	unsigned op, i;

	for (op = 0; op < BENCH_OPS; op++) {
		if (!bench_shape_does(s, (enum bench_op)op))
			continue;
		for (i = 0; i < s->n_size[op]; i++)
			if (s->size[op][i].bytes > max)
				max = s->size[op][i].bytes;
	}
	return (max);
}

uint32_t
bench_shape_longest(const struct bench_shape *s)
{
	uint32_t max = bench_shape_largest(s);
	unsigned i;

	for (i = 0; i < s->n_run; i++)
		if (s->run[i].bytes > max)
			max = s->run[i].bytes;
	return (max);
}

double
bench_size_mean(const struct bench_size *size, unsigned n)
{
	double sum = 0, shares = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		sum += (double)size[i].bytes * size[i].share;
		shares += size[i].share;
	}
	return (shares > 0 ? sum / shares : 0);
}

static int
mix_init(struct bench_mix *m, const struct bench_size *size, unsigned n)
{
	double p[BENCH_SIZES];
	uint64_t total = 0;
	unsigned small[BENCH_SIZES], large[BENCH_SIZES];
	unsigned n_small = 0, n_large = 0, i;

	if (n == 0 || n > BENCH_SIZES)
		return (-EINVAL);
	for (i = 0; i < n; i++) {
		if (size[i].bytes == 0)
			return (-EINVAL);
		total += size[i].share;
	}
	if (total == 0)
		return (-EINVAL);
	m->n = n;
	for (i = 0; i < n; i++) {
		m->bytes[i] = size[i].bytes;
		m->other[i] = size[i].bytes;
		m->keep[i] = UINT32_MAX;
		p[i] = (double)size[i].share * n / (double)total;
		if (p[i] < 1)
			small[n_small++] = i;
		else
			large[n_large++] = i;
	}
	while (n_small > 0 && n_large > 0) {
		unsigned s = small[--n_small], l = large[n_large - 1];

		m->keep[s] = (uint32_t)(p[s] * 4294967295.0);
		m->other[s] = m->bytes[l];
		p[l] -= 1 - p[s];
		if (p[l] < 1) {
			n_large--;
			small[n_small++] = l;
		}
	}
	return (0);
}

/*
 * Zipf by rejection-inversion (Hoermann and Derflinger 1996): no table, no
 * sum over the ranks, so a device of 2^40 blocks costs as much as one of ten.
 * h is the density x^-theta, H its integral.
 */
static double
zipf_H(double x, double theta)
{
	return ((pow(x, 1 - theta) - 1) / (1 - theta));
}

static double
zipf_H_inverse(double y, double theta)
{
	return (pow(1 + y * (1 - theta), 1 / (1 - theta)));
}

static uint64_t
zipf_rank(struct bench_workload *w)
{
	double u, x;
	uint64_t k;

	for (;;) {
		u = w->h_n + bench_random_unit(&w->random) * (w->h_x1 - w->h_n);
		x = zipf_H_inverse(u, w->theta);
		k = x < 1.5 ? 1 : (uint64_t)(x + 0.5);
		if (k > w->blocks)
			k = w->blocks;
		if ((double)k - x <= w->s ||
		    u >= zipf_H((double)k + 0.5, w->theta) -
			     pow((double)k, -w->theta))
			return (k - 1);
	}
}

static uint64_t
scramble(uint64_t x, uint64_t key)
{
	x = (x ^ key) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (x ^ x >> 32);
}

/*
 * A permutation of 0 .. turns-1 without a bitmap: four rounds of a Feistel
 * network over the next even number of bits, walked until it falls inside.
 * The walk is short: the network's range is below four times the blocks.
 */
static uint64_t
permute(const struct bench_workload *w, uint64_t x)
{
	uint64_t mask = (UINT64_C(1) << w->half) - 1, l, r, t;
	unsigned i;

	do {
		l = x >> w->half;
		r = x & mask;
		for (i = 0; i < 4; i++) {
			t = l ^ (scramble(r, w->key[i]) & mask);
			l = r;
			r = t;
		}
		x = l << w->half | r;
	} while (x >= w->turns);
	return (x);
}

static void
permute_init(struct bench_workload *w)
{
	unsigned bits, i;

	w->turns = w->blocks;
	for (i = 0; i < 4; i++)
		w->key[i] = bench_random_next(&w->random);
	bits = 64 - (unsigned)__builtin_clzll(w->turns | 2);
	w->half = (bits + 1) / 2;
}

/* Where a request of this length can begin. */
static uint64_t
places(const struct bench_workload *w, uint32_t len)
{
	return (len == w->align ? w->blocks : (w->span - len) / w->align + 1);
}

/* What every request of one kind has in common is worked out once. */
static void
plain_init(struct bench_workload *w, enum bench_op op)
{
	const struct bench_mix *m = &w->mix[op];

	if (m->n != 1 || !w->random_offset || w->pick != BENCH_PICK_UNIFORM ||
	    w->run.n > 0 || w->follow_below > 0)
		return;
	w->plain_len[op] = m->bytes[0];
	w->plain[op] = places(w, m->bytes[0]);
}

static int
pick_init(struct bench_workload *w, const struct bench_shape *s)
{
	switch (s->pick) {
	case BENCH_PICK_UNIFORM: return (0);
	case BENCH_PICK_ONCE:
		/* Thread t takes the turns t, t + threads, ... of one order. */
		w->turn = 0;
		w->cursor[0] = 1;
		permute_init(w);
		return (0);
	case BENCH_PICK_ZIPF:
		if (!(s->theta > 0) || s->theta > 100 ||
		    fabs(s->theta - 1) < 1e-6)
			return (-EINVAL);
		w->theta = s->theta;
		w->h_x1 = zipf_H(1.5, w->theta) - 1;
		w->h_n = zipf_H((double)w->blocks + 0.5, w->theta);
		w->s = 2 -
		       zipf_H_inverse(
			   zipf_H(2.5, w->theta) - pow(2, -w->theta), w->theta);
		permute_init(w);
		return (0);
	}
	return (-EINVAL);
}

int
bench_workload_init(struct bench_workload *w, const struct bench_shape *s,
    uint64_t seed, unsigned thread, unsigned threads)
{
	uint32_t largest;
	unsigned op;
	int r;

	assert(threads > 0 && thread < threads);
	memset(w, 0, sizeof *w);
	if (s->read_percent > 100)
		return (-EINVAL);
	for (op = 0; op < BENCH_OPS; op++) {
		if (!bench_shape_does(s, (enum bench_op)op))
			continue;
		r = mix_init(&w->mix[op], s->size[op], s->n_size[op]);
		if (r < 0)
			return (r);
	}
	if (s->n_run > 0) {
		r = mix_init(&w->run, s->run, s->n_run);
		if (r < 0)
			return (r);
	}
	if (s->follow_percent > 100)
		return (-EINVAL);
	w->follow_below = ((uint64_t)s->follow_percent << 32) / 100;
	largest = bench_shape_longest(s);
	w->align = s->align > 0 ? s->align : bench_shape_smallest(s);
	w->random_offset = s->random;
	w->pick = s->random ? s->pick : BENCH_PICK_UNIFORM;
	w->again = s->again;
	w->read_below = ((uint64_t)s->read_percent << 32) / 100;
	w->base = s->offset;
	w->span = s->span;
	if (!s->random && !s->overlap) {
		/* Whole blocks each; the remainder is the last one's. */
		uint64_t part = s->span / threads / w->align * w->align;

		w->base += part * thread;
		w->span =
		    thread == threads - 1 ? s->span - part * thread : part;
	}
	if (w->span < largest)
		return (-ENOSPC);
	w->blocks = w->span / w->align;
	/* One order for all threads when they share its turns, and one place
	 * for what is popular. */
	bench_random_init(&w->random, seed,
	    w->pick == BENCH_PICK_ONCE && s->each ? UINT64_C(1) + thread : 0);
	r = pick_init(w, s);
	if (r < 0)
		return (r);
	if (w->pick == BENCH_PICK_ONCE && !s->each) {
		w->turn = w->first = thread;
		w->cursor[0] = threads; /* the stride */
	}
	for (op = 0; op < BENCH_OPS; op++)
		plain_init(w, (enum bench_op)op);
	bench_random_init(&w->random, seed, UINT64_C(1) + thread);
	return (0);
}

static uint32_t
mix_next(struct bench_mix *m, struct bench_random *r)
{
	uint64_t v;
	unsigned i;

	if (m->n == 1)
		return (m->bytes[0]);
	v = bench_random_next(r);
	i = (unsigned)((v >> 32) * m->n >> 32);
	return ((uint32_t)v <= m->keep[i] ? m->bytes[i] : m->other[i]);
}

/* Uniform, with runs or followers. */
static bool
next_uniform(struct bench_workload *w, enum bench_op op, uint32_t len,
    struct bench_request *ret)
{
	uint32_t whole = len;

	if (op == BENCH_OP_READ && w->run.n > 0)
		whole = mix_next(&w->run, &w->random);
	if (len > whole)
		len = whole;
	if (w->span - w->tail[op] >= whole && w->tail[op] > 0 &&
	    (bench_random_next(&w->random) >> 32) < w->follow_below)
		ret->offset = w->tail[op];
	else
		ret->offset = bench_random_below(&w->random,
				  (w->span - whole) / w->align + 1) *
			      w->align;
	/* The next one begins aligned, whatever this one's length. */
	w->tail[op] =
	    ret->offset + (whole + w->align - 1) / w->align * w->align;
	if (w->tail[op] > w->span)
		w->tail[op] = 0;
	ret->offset += w->base;
	ret->len = len;
	ret->more = whole - len;
	ret->op = op;
	return (true);
}

bool
bench_workload_next_shaped(
    struct bench_workload *w, enum bench_op op, struct bench_request *ret)
{
	uint64_t block;
	uint32_t len;

	len = mix_next(&w->mix[op], &w->random);
	ret->more = 0;
	if (!w->random_offset) {
		if (w->span - w->cursor[op] < len)
			w->cursor[op] = 0;
		block = w->cursor[op];
		/* The next one begins aligned, whatever this one's length. */
		w->cursor[op] += (len + w->align - 1) / w->align * w->align;
		if (w->cursor[op] > w->span)
			w->cursor[op] = w->span;
		ret->offset = w->base + block;
		ret->len = len;
		ret->op = op;
		return (true);
	}
	switch (w->pick) {
	case BENCH_PICK_ONCE:
		if (w->turn >= w->turns) {
			if (!w->again)
				return (false);
			/* All threads change the order in the same way. */
			w->key[0] += UINT64_C(0x9e3779b97f4a7c15);
			w->turn = w->first;
		}
		block = permute(w, w->turn);
		w->turn += w->cursor[0];
		break;
	case BENCH_PICK_ZIPF:
		/* Rank to place: popular blocks are not neighbours. */
		block = permute(w, zipf_rank(w));
		break;
	case BENCH_PICK_UNIFORM:
	default:
		if (w->run.n > 0 || w->follow_below > 0)
			return (next_uniform(w, op, len, ret));
		block = bench_random_below(&w->random, places(w, len));
		break;
	}
	ret->offset = block * w->align;
	/* A long request at a block near the end is moved back, aligned. */
	if (ret->offset > w->span - len)
		ret->offset = (w->span - len) / w->align * w->align;
	ret->offset += w->base;
	ret->len = len;
	ret->op = op;
	return (true);
}
