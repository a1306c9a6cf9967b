/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void
bench_search_init(
    struct bench_search *s, uint64_t slo_ns, double guess, double least)
{
	assert(slo_ns > 0 && guess > 0 && least > 0);
	memset(s, 0, sizeof *s);
	s->slo_ns = (double)slo_ns;
	s->close = 1.05;
	s->least = least;
	s->next = guess > s->least ? guess : s->least;
}

static void
choose(struct bench_search *s)
{
	if (s->n == BENCH_TRIALS)
		s->next = 0;
	else if (s->bad <= 0)
		s->next = s->good * 1.7;
	else if (s->good <= 0)
		/* The least one is tried, too, before it is given up. */
		s->next = s->bad <= s->least       ? 0
			  : s->bad / 2 >= s->least ? s->bad / 2
						   : s->least;
	else if (s->good * s->close >= s->bad)
		s->next = 0;
	else
		s->next = sqrt(s->good * s->bad);
}

void
bench_search_feed(
    struct bench_search *s, double got, uint64_t p99_ns, uint64_t unserved)
{
	struct bench_trial *t;

	assert(s->next > 0 && s->n < BENCH_TRIALS);
	t = &s->trial[s->n++];
	t->rate = s->next;
	t->got = got;
	t->p99_ns = p99_ns;
	t->unserved = unserved;
	/* Exponential gaps: in a short trial the count itself is off by its
	 * root; a real lack of speed shows in the times as well. */
	t->held = (double)p99_ns <= s->slo_ns && unserved == 0 &&
		  got >= t->rate * 0.9;
	if (t->held && t->rate > s->good)
		s->good = t->rate;
	if (!t->held && (s->bad <= 0 || t->rate < s->bad))
		s->bad = t->rate;
	/* Noise can say both of nearly the same rate: the worse one counts. */
	if (s->bad > 0 && s->good >= s->bad)
		s->good = 0;
	choose(s);
}

void
bench_search_lower(struct bench_search *s)
{
	s->bad = s->good;
	s->good = 0;
	s->next = s->bad / 1.15 >= s->least && s->n < BENCH_TRIALS
		      ? s->bad / 1.15
		      : 0;
}
