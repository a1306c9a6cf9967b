/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/profile.h"

#include <stdio.h>
#include <string.h>

const char *const bench_basis_names[BENCH_BASES] = { "traced", "documented",
	"approximate", "observed" };

bool
bench_profile_find(const char *name, struct bench_profile *ret)
{
	unsigned i;

	for (i = 0; bench_profile_get(i, ret); i++)
		if (strcmp(ret->name, name) == 0)
			return (true);
	return (false);
}

bool
bench_profile_open(const struct bench_profile *p)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (p->stream[i].closed || p->stream[i].phase > 0)
			return (false);
	return (true);
}

static double
rate(const struct bench_profile *p, const struct bench_stream *s,
    double objects, double per_second)
{
	double hits = objects * p->hit_percent / 100;
	double misses = objects - hits;
	double each = bench_size_mean(s->size, s->n_size);

	if (s->closed)
		return (0);
	/* Nothing fetched, nothing to write down now and then. */
	if (s->read_percent == 0 && p->hit_percent == 100)
		per_second = 0;
	if (s->n_run > 0)
		each = bench_size_mean(s->run, s->n_run);
	return (
	    hits * s->per_hit + misses * s->per_miss +
	    (each > 0 ? misses * s->miss_bytes * p->object_bytes / each : 0) +
	    per_second);
}

double
bench_profile_rate(
    const struct bench_profile *p, unsigned stream, double objects)
{
	const struct bench_stream *s = &p->stream[stream];

	return (rate(p, s, objects, s->per_second));
}

bool
bench_profile_writes(const struct bench_profile *p)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (p->stream[i].read_percent < 100 &&
		    (p->stream[i].closed || bench_profile_rate(p, i, 1) > 0))
			return (true);
	return (false);
}

static double
share(const struct bench_stream *s, enum bench_op op)
{
	return (
	    (op == BENCH_OP_READ ? s->read_percent : 100 - s->read_percent) /
	    100.0);
}

/* How many requests a run is, on the average: the last one may be short. */
static double
run_requests(const struct bench_stream *s)
{
	double piece, n = 0, shares = 0;
	unsigned i;

	if (s->n_run == 0)
		return (1);
	piece = bench_size_mean(s->size, s->n_size);
	for (i = 0; i < s->n_run && piece > 0; i++) {
		double pieces = s->run[i].bytes / piece;

		if (pieces > (double)(uint64_t)pieces)
			pieces = (double)(uint64_t)pieces + 1;
		n += s->run[i].share * pieces;
		shares += s->run[i].share;
	}
	return (shares > 0 ? n / shares : 1);
}

double
bench_profile_requests(const struct bench_profile *p, enum bench_op op)
{
	double n = 0;
	unsigned i;

	for (i = 0; i < p->n; i++)
		n += rate(p, &p->stream[i], 1, 0) * share(&p->stream[i], op) *
		     run_requests(&p->stream[i]);
	return (n);
}

double
bench_profile_bytes(const struct bench_profile *p, enum bench_op op)
{
	double n = 0;
	unsigned i;

	for (i = 0; i < p->n; i++) {
		const struct bench_stream *s = &p->stream[i];

		n += rate(p, s, 1, 0) * share(s, op) *
		     (s->n_run > 0 ? bench_size_mean(s->run, s->n_run)
				   : bench_size_mean(s->size, s->n_size));
	}
	return (n);
}

static void
shape(const struct bench_stream *s, struct bench_shape *ret)
{
	unsigned op;

	ret->random = !s->sequential;
	ret->pick = BENCH_PICK_UNIFORM;
	ret->read_percent = s->read_percent;
	ret->align = s->align;
	ret->follow_percent = s->follow_percent;
	for (op = 0; op < BENCH_OPS; op++) {
		memcpy(ret->size[op], s->size, sizeof s->size);
		ret->n_size[op] = s->n_size;
	}
	memcpy(ret->run, s->run, sizeof s->run);
	ret->n_run = s->n_run;
}

static void
one_job(const struct bench_profile *p, unsigned i, const struct bench_job *like,
    double starts, bool threads, struct bench_job *j)
{
	const struct bench_stream *s = &p->stream[i];

	*j = *like;
	(void)snprintf(j->name, sizeof j->name, "%s", p->name);
	j->stream = s->name;
	shape(s, &j->shape);
	j->depth = threads ? 1 : s->in_flight;
	j->threads = threads ? s->in_flight : 1;
	j->batch = 0;
	j->mode = BENCH_MODE_LATENCY;
	j->fsync = s->fsync;
	j->group = s->phase;
	j->stonewall = i > 0 && p->stream[i - 1].phase != s->phase;
	/* Not the same places for each stream. */
	j->seed += (uint64_t)i << 40;
	if (starts <= 0)
		return;
	j->open_loop = true;
	/* Clients come when they like; a timer comes when it is time. */
	j->gaps = s->per_second > 0 ? BENCH_GAPS_FIXED : BENCH_GAPS_EXPONENTIAL;
	starts /= j->threads;
	j->rate[BENCH_OP_READ] = starts * share(s, BENCH_OP_READ);
	j->rate[BENCH_OP_WRITE] = starts * share(s, BENCH_OP_WRITE);
}

/* They share a descriptor: what one needs of it, all have. */
static void
share_sync(const struct bench_profile *p, struct bench_job *job, unsigned n)
{
	enum bench_sync sync = BENCH_SYNC_NONE;
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (p->stream[i].sync > sync)
			sync = p->stream[i].sync;
	for (i = 0; i < n; i++)
		job[i].sync = sync;
}

unsigned
bench_profile_jobs(const struct bench_profile *p, const struct bench_job *like,
    double objects, bool threads, struct bench_job *job)
{
	unsigned i, n = 0;

	for (i = 0; i < p->n; i++) {
		double starts = bench_profile_rate(p, i, objects);

		if (!p->stream[i].closed && bench_profile_rate(p, i, 1) <= 0)
			continue;
		one_job(p, i, like, starts, threads, &job[n++]);
	}
	share_sync(p, job, n);
	return (n);
}

unsigned
bench_profile_flat_out(const struct bench_profile *p,
    const struct bench_job *like, bool threads, struct bench_job *job)
{
	unsigned i, n = 0;

	for (i = 0; i < p->n; i++)
		if (p->stream[i].per_hit > 0 &&
		    p->stream[i].read_percent == 100)
			one_job(p, i, like, 0, threads, &job[n++]);
	share_sync(p, job, n);
	return (n);
}

static const char *
check_stream(const struct bench_stream *s)
{
	if (s->n_size == 0 || bench_size_mean(s->size, s->n_size) <= 0)
		return ("a stream without sizes");
	if (s->n_run > 0 && bench_size_mean(s->run, s->n_run) <= 0)
		return ("runs without sizes");
	if (s->n_run > 0 && (s->sequential || s->read_percent != 100))
		return ("runs are for random reads");
	if (s->follow_percent > 0 && s->sequential)
		return ("follow_percent is for random requests");
	if (s->read_percent > 100 || s->follow_percent > 100)
		return ("a percentage above 100");
	if (s->in_flight < 1 || s->in_flight > 4096)
		return ("in_flight is from 1 to 4096");
	if (!(s->per_hit >= 0 && s->per_miss >= 0 && s->miss_bytes >= 0 &&
		s->per_second >= 0) ||
	    s->per_hit > 1e6 || s->per_miss > 1e6 || s->miss_bytes > 1e6 ||
	    s->per_second > 1e9)
		return ("rates are from 0 to a million");
	if (s->closed && (s->per_hit > 0 || s->per_miss > 0 ||
			     s->miss_bytes > 0 || s->per_second > 0))
		return ("a closed stream has no rate");
	return (NULL);
}

const char *
bench_profile_check(const struct bench_profile *p)
{
	const char *wrong = NULL;
	bool any = false;
	unsigned i;

	if (p->n == 0)
		return ("no streams");
	if (p->hit_percent > 100)
		return ("hit_percent is above 100");
	if (!(p->object_bytes >= 1 && p->object_bytes <= 1e12))
		return ("object_bytes is from 1 to a terabyte");
	for (i = 0; i < p->n && wrong == NULL; i++) {
		wrong = check_stream(&p->stream[i]);
		if (i > 0 && p->stream[i].phase < p->stream[i - 1].phase)
			wrong = "phases in falling order";
		any = any || p->stream[i].closed ||
		      bench_profile_rate(p, i, 1) > 0;
	}
	if (wrong == NULL && !any)
		wrong = "no stream asks for anything";
	return (wrong);
}
