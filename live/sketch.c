/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/sketch.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	REGISTER_BITS = 10,
	REGISTERS = 1 << REGISTER_BITS
};

static void
count_in(unsigned char *reg, uint64_t hash)
{
	unsigned i = (unsigned)(hash >> (64 - REGISTER_BITS));
	uint64_t rest = hash << REGISTER_BITS;
	unsigned char rank = 1;

	/* The guard bit ends the run where the hash has no one left. */
	rest |= UINT64_C(1) << (REGISTER_BITS - 1);
	while (!(rest >> 63)) {
		rest <<= 1;
		rank++;
	}
	if (reg[i] < rank)
		reg[i] = rank;
}

/* Is it there?  If not, and there is room, put it there. */
static bool
put(uint64_t *table, unsigned cap, uint64_t hash)
{
	unsigned i;

	for (i = (unsigned)hash & (cap - 1); table[i] != 0;
	     i = (i + 1) & (cap - 1))
		if (table[i] == hash)
			return (false);
	table[i] = hash;
	return (true);
}

static int
grow(struct live_sketch *s)
{
	unsigned cap = s->cap == 0 ? 8 : 2 * s->cap, i;
	uint64_t *t = calloc(cap, sizeof *t);

	if (t == NULL)
		return (-ENOMEM);
	for (i = 0; i < s->cap; i++)
		if (s->exact[i] != 0)
			(void)put(t, cap, s->exact[i]);
	free(s->exact);
	s->exact = t;
	s->cap = cap;
	return (0);
}

static int
give_up(struct live_sketch *s)
{
	unsigned i;

	s->registers = calloc(REGISTERS, 1);
	if (s->registers == NULL)
		return (-ENOMEM);
	for (i = 0; i < s->cap; i++)
		if (s->exact[i] != 0)
			count_in(s->registers, s->exact[i]);
	free(s->exact);
	s->exact = NULL;
	s->cap = 0;
	return (0);
}

int
live_sketch_add(struct live_sketch *s, uint64_t hash)
{
	int r;

	assert(s != NULL);
	if (hash == 0)
		hash = 1;
	if (s->registers != NULL) {
		count_in(s->registers, hash);
		return (0);
	}
	if (4 * (s->n + 1) > 3 * s->cap && (r = grow(s)) < 0)
		return (r);
	if (!put(s->exact, s->cap, hash))
		return (0);
	if (++s->n > LIVE_SKETCH_EXACT)
		return (give_up(s));
	return (0);
}

int
live_sketch_merge(struct live_sketch *s, const struct live_sketch *o)
{
	unsigned i;
	int r;

	assert(s != NULL && o != NULL);
	if (o->registers == NULL) {
		for (i = 0; i < o->cap; i++)
			if (o->exact[i] != 0 &&
			    (r = live_sketch_add(s, o->exact[i])) < 0)
				return (r);
		return (0);
	}
	if (s->registers == NULL && (r = give_up(s)) < 0)
		return (r);
	for (i = 0; i < REGISTERS; i++)
		if (s->registers[i] < o->registers[i])
			s->registers[i] = o->registers[i];
	return (0);
}

uint64_t
live_sketch_count(const struct live_sketch *s)
{
	double sum = 0, e;
	unsigned i, zero = 0;

	assert(s != NULL);
	if (s->registers == NULL)
		return (s->n);
	for (i = 0; i < REGISTERS; i++) {
		sum += ldexp(1, -(int)s->registers[i]);
		if (s->registers[i] == 0)
			zero++;
	}
	e = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS * REGISTERS / sum;
	/* Few of them: how many registers are empty says more. */
	if (e <= 2.5 * REGISTERS && zero > 0)
		e = REGISTERS * log((double)REGISTERS / zero);
	return ((uint64_t)(e + 0.5));
}

bool
live_sketch_is_exact(const struct live_sketch *s)
{
	return (s->registers == NULL);
}

void
live_sketch_fini(struct live_sketch *s)
{
	free(s->exact);
	free(s->registers);
	memset(s, 0, sizeof *s);
}
