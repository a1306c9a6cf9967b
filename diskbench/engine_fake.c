/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines without a disk.  null does nothing: what it reaches is the most that
 * the rest of the program can do.  sim keeps a clock of its own and answers
 * after latencies from a known distribution, so that what is measured can be
 * compared with what is true, in no time.
 *
 * sim's distributions, durations in ns:
 *	constant:T
 *	uniform:FROM:TO
 *	exponential:MEAN
 *	bimodal:FAST:SLOW:P	SLOW with probability P/1000000
 *	stall:T:FROM:LENGTH	constant T, but whatever would end in the
 *				LENGTH after FROM ends when that is over
 *	step:FAST:SLOW:AT	FAST for what is sent in the first AT, then SLOW:
 *				a cache in the drive that is full
 */
#include "diskbench/engine_list.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct null {
	struct bench_engine base;
	struct bench_io **done; /* a ring: what is in flight, in order */
	unsigned head, mask;
};

static void
null_close(struct bench_engine **ep)
{
	struct null *e = (struct null *)*ep;

	free(e->done);
	free(e);
	*ep = NULL;
}

static int
null_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct null *e = calloc(1, sizeof *e);
	unsigned cap = 1;

	(void)why;
	(void)why_len;
	if (e == NULL)
		return (-ENOMEM);
	while (cap < setup->depth)
		cap *= 2;
	e->done = calloc(cap, sizeof(struct bench_io *));
	if (e->done == NULL) {
		free(e);
		return (-ENOMEM);
	}
	e->mask = cap - 1;
	e->base.type = &bench_engine_null;
	e->base.depth = setup->depth;
	*ret = &e->base;
	return (0);
}

static void
null_submit(struct bench_engine *base, struct bench_io *const *ios, unsigned n)
{
	struct null *e = (struct null *)base;
	/* flights counts these already. */
	unsigned i, at = e->head + e->base.flights - n;

	for (i = 0; i < n; i++) {
		ios[i]->res = (int32_t)ios[i]->len;
		e->done[(at + i) & e->mask] = ios[i];
	}
}

static int
null_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct null *e = (struct null *)base;
	unsigned i, n = e->base.flights;

	(void)min;
	if (n == 0)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	if (n > max)
		n = max;
	for (i = 0; i < n; i++)
		ret[i] = e->done[(e->head + i) & e->mask];
	e->head += n;
	return ((int)n);
}

const struct bench_engine_type bench_engine_null = {
	.name = "null",
	.help = "no disk at all: the program's own limit",
	.fake = true,
	.direct = true,
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};

#define BEGIN_NS UINT64_C(1000000000) /* sim's clock when it starts */

enum sim_kind {
	SIM_CONSTANT,
	SIM_UNIFORM,
	SIM_EXPONENTIAL,
	SIM_BIMODAL,
	SIM_STALL,
	SIM_STEP,
};

struct sim {
	struct bench_engine base;
	struct bench_random random;
	enum sim_kind kind;
	uint64_t a, b, c;
	uint64_t now;
	struct sim_event {
		uint64_t at;
		struct bench_io *io;
	} * heap; /* soonest first */
	unsigned n;
};

static int
sim_parse(struct sim *e, const char *spec)
{
	static const struct {
		const char *name;
		enum sim_kind kind;
		int args;
	} kinds[] = {
		{ "constant", SIM_CONSTANT, 1 },
		{ "uniform", SIM_UNIFORM, 2 },
		{ "exponential", SIM_EXPONENTIAL, 1 },
		{ "bimodal", SIM_BIMODAL, 3 },
		{ "stall", SIM_STALL, 3 },
		{ "step", SIM_STEP, 3 },
	};
	char name[16];
	int n, at = 0, used = 0;
	unsigned i;

	if (sscanf(spec, "%15[a-z]%n", name, &at) != 1)
		return (-EINVAL);
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, name) != 0)
			continue;
		e->kind = kinds[i].kind;
		n = sscanf(spec + at,
		    ":%" SCNu64 "%n:%" SCNu64 "%n:%" SCNu64 "%n", &e->a, &used,
		    &e->b, &used, &e->c, &used);
		if (n != kinds[i].args || spec[at + used] != '\0')
			return (-EINVAL);
		if (e->kind == SIM_UNIFORM && e->b < e->a)
			return (-EINVAL);
		return (0);
	}
	return (-EINVAL);
}

static void
sim_close(struct bench_engine **ep)
{
	struct sim *e = (struct sim *)*ep;

	free(e->heap);
	free(e);
	*ep = NULL;
}

static int
sim_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct sim *e = calloc(1, sizeof *e);
	struct bench_engine *base = &e->base;

	if (e == NULL)
		return (-ENOMEM);
	if (sim_parse(e, setup->sim != NULL ? setup->sim : "constant:100000") <
	    0) {
		(void)snprintf(why, why_len,
		    "no distribution: \"%s\" (try exponential:100000)",
		    setup->sim);
		free(e);
		return (-EINVAL);
	}
	e->heap = calloc(setup->depth, sizeof *e->heap);
	if (e->heap == NULL) {
		sim_close(&base);
		return (-ENOMEM);
	}
	bench_random_init(&e->random, setup->seed, UINT64_C(1) << 40);
	e->base.type = &bench_engine_sim;
	e->base.depth = setup->depth;
	e->now = BEGIN_NS;
	*ret = base;
	return (0);
}

static uint64_t
sim_latency(struct sim *e)
{
	uint64_t end;

	switch (e->kind) {
	case SIM_CONSTANT: return (e->a);
	case SIM_UNIFORM:
		return (e->a + bench_random_below(&e->random, e->b - e->a + 1));
	case SIM_EXPONENTIAL:
		return ((uint64_t)(-log(bench_random_unit(&e->random)) *
				   (double)e->a));
	case SIM_BIMODAL:
		return (bench_random_below(&e->random, 1000000) < e->c ? e->b
								       : e->a);
	case SIM_STALL:
		end = e->now + e->a;
		if (end >= BEGIN_NS + e->b && end < BEGIN_NS + e->b + e->c)
			end = BEGIN_NS + e->b + e->c;
		return (end - e->now);
	case SIM_STEP: return (e->now < BEGIN_NS + e->c ? e->a : e->b);
	}
	return (0);
}

static void
sim_submit(struct bench_engine *base, struct bench_io *const *ios, unsigned n)
{
	struct sim *e = (struct sim *)base;
	struct sim_event ev;
	unsigned i, at, up;

	for (i = 0; i < n; i++) {
		assert(e->n < e->base.depth);
		ev.io = ios[i];
		ev.io->res = (int32_t)ev.io->len;
		ev.at = e->now + sim_latency(e);
		for (at = e->n++; at > 0; at = up) {
			up = (at - 1) / 2;
			if (e->heap[up].at <= ev.at)
				break;
			e->heap[at] = e->heap[up];
		}
		e->heap[at] = ev;
	}
}

static struct bench_io *
sim_pop(struct sim *e)
{
	struct bench_io *io = e->heap[0].io;
	struct sim_event last = e->heap[--e->n];
	unsigned at = 0, child;

	while ((child = 2 * at + 1) < e->n) {
		if (child + 1 < e->n &&
		    e->heap[child + 1].at < e->heap[child].at)
			child++;
		if (e->heap[child].at >= last.at)
			break;
		e->heap[at] = e->heap[child];
		at = child;
	}
	if (e->n > 0)
		e->heap[at] = last;
	return (io);
}

static int
sim_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct sim *e = (struct sim *)base;
	uint64_t until =
	    e->now + wait_ns < e->now ? UINT64_MAX : e->now + wait_ns;
	unsigned n = 0;

	while (n < max && e->n > 0 && e->heap[0].at <= until) {
		/* Enough, and the next one is still to come. */
		if (n >= min && n > 0 && e->heap[0].at > e->now)
			break;
		if (e->heap[0].at > e->now)
			e->now = e->heap[0].at;
		ret[n++] = sim_pop(e);
	}
	if ((n < min || n == 0) && until != UINT64_MAX)
		e->now = until;
	return ((int)n);
}

static uint64_t
sim_now(const struct bench_engine *base)
{
	return (((const struct sim *)base)->now);
}

const struct bench_engine_type bench_engine_sim = {
	.name = "sim",
	.help = "no disk: latencies of a known distribution",
	.fake = true,
	.direct = true,
	.open = sim_open,
	.submit = sim_submit,
	.reap = sim_reap,
	.close = sim_close,
	.now = sim_now,
};
