/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/run.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diskbench/lane.h"

static void
wake(int sig)
{
	(void)sig;
}

static void
report_progress(const struct bench_run_control *c,
    const struct bench_lane *lane, unsigned n, uint64_t t0)
{
	struct bench_progress p = { 0 };
	unsigned i, op;
	double share;

	p.elapsed_ns = bench_lane_clock() - t0;
	for (i = 0; i < n; i++) {
		const struct bench_lane *l = &lane[i];
		const struct bench_job *j = l->job;
		uint64_t expected = j->start_ns + j->ramp_ns + j->runtime_ns;
		uint64_t bytes = 0;

		if (atomic_load(&l->running))
			p.running++;
		for (op = 0; op < BENCH_OPS; op++) {
			p.ios[op] += atomic_load_explicit(
			    &l->seen_ios[op], memory_order_relaxed);
			p.bytes[op] += atomic_load_explicit(
			    &l->seen_bytes[op], memory_order_relaxed);
			bytes += atomic_load_explicit(
			    &l->seen_bytes[op], memory_order_relaxed);
		}
		share = 0;
		if (j->runtime_ns > 0) {
			if (expected > p.expected_ns)
				p.expected_ns = expected;
			share = (double)p.elapsed_ns / (double)expected;
		}
		if (j->limit_bytes > 0 &&
		    (double)bytes / (double)j->limit_bytes > share)
			share = (double)bytes / (double)j->limit_bytes;
		p.done += share / n;
	}
	if (p.done > 1)
		p.done = 1;
	c->progress(c->progress_arg, &p);
}

/* Ask the drives that can tell how warm they are: one lane of each job. */
static void
feel(struct bench_lane *lane, unsigned n, uint64_t t0)
{
	struct bench_heat h;
	unsigned i;

	for (i = 0; i < n; i++) {
		struct bench_lane *l = &lane[i];
		uint64_t from = t0 + l->job->start_ns + l->job->ramp_ns;
		uint64_t now = bench_lane_clock();

		if (l->number > 0 || l->target == NULL || now < from ||
		    l->target->identity.temperature_mc == 0)
			continue;
		bench_heat_of(l->target->dev, &h);
		if (h.now_mc > 0)
			bench_heat_log_add(&l->heat, now - from, h.now_mc);
	}
}

/* Watch, until all are done; wake those that a stalled device holds. */
static void
supervise(const struct bench_run_control *c, struct bench_lane *lane,
    unsigned n, struct bench_start *s, uint64_t t0)
{
	const struct timespec tick = { 0, 20000000 };
	unsigned i, running, ticks = 0;

	do {
		(void)nanosleep(&tick, NULL);
		if (c->stop != NULL && *c->stop != 0) {
			atomic_store(&s->partial, true);
			atomic_store(&s->stop, true);
		}
		for (i = 0, running = 0; i < n; i++) {
			const struct bench_job *j = lane[i].job;

			if (!atomic_load(&lane[i].running))
				continue;
			running++;
			if (atomic_load(&s->stop) ||
			    (j->runtime_ns > 0 &&
				bench_lane_clock() - t0 >
				    j->start_ns + j->ramp_ns + j->runtime_ns))
				(void)pthread_kill(lane[i].thread, SIGUSR1);
		}
		if (++ticks % 50 == 0)
			feel(lane, n, t0);
		if (ticks % 25 == 0 && c->progress != NULL && running > 0)
			report_progress(c, lane, n, t0);
	} while (running > 0);
}

static int
lanes_start(struct bench_lane *lane, unsigned n, struct bench_start *s)
{
	sigset_t all, old;
	unsigned i;
	int r = 0;

	/* ^C and TERM are the main thread's: it knows what to do. */
	(void)sigfillset(&all);
	(void)sigdelset(&all, SIGUSR1);
	(void)sigdelset(&all, SIGBUS);
	(void)sigdelset(&all, SIGSEGV);
	(void)sigdelset(&all, SIGABRT);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < n && r == 0; i++) {
		atomic_store(&lane[i].running, true);
		r = pthread_create(
		    &lane[i].thread, NULL, bench_lane_main, &lane[i]);
		lane[i].created = r == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_mutex_lock(&s->mutex);
	if (r != 0) {
		s->failed = true;
		(void)pthread_cond_broadcast(&s->cond);
	}
	while (!s->failed && s->ready < n)
		(void)pthread_cond_wait(&s->cond, &s->mutex);
	(void)pthread_mutex_unlock(&s->mutex);
	return (-r);
}

static int
explain(const struct bench_lane *lane, unsigned n, struct bench_refusal *why)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		const struct bench_lane *l = &lane[i];
		const struct bench_job *j = l->job;

		if (l->error >= 0)
			continue;
		if (l->error == -ENOSPC && l->why[0] == '\0')
			return (bench_refuse(why, ENOSPC, BENCH_EXIT_SMALL,
			    "%s: %u threads do not fit: each needs %u bytes of "
			    "the %ju; use fewer threads or a smaller --bs",
			    j->target != NULL ? j->target : j->name, j->threads,
			    bench_shape_largest(&j->shape),
			    (uintmax_t)j->shape.span));
		if (l->error == -ENOMEM && l->why[0] == '\0')
			return (bench_refuse(why, ENOMEM, BENCH_EXIT_INTERNAL,
			    "not enough memory for %u threads of depth %u",
			    j->threads, j->depth));
		return (bench_refuse(why, -l->error, BENCH_EXIT_ENGINE,
		    "engine %s: %s", j->engine != NULL ? j->engine : "(any)",
		    l->why[0] != '\0' ? l->why : strerror(-l->error)));
	}
	return (0);
}

static void
measure_device(
    struct bench_target *const *target, unsigned n, struct bench_devstat *ret)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		if (target[i] != NULL)
			bench_devstat_read(target[i]->dev, &ret[i]);
		else
			ret[i].known = false;
	}
}

/* What was felt while it ran, to where it happened. */
static void
warm(struct bench_result *r, const struct bench_lane *l)
{
	unsigned i;

	if (l->target != NULL)
		r->heat_mc = l->target->identity.temperature_mc;
	for (i = 0; i < l->heat.n; i++) {
		bench_series_heat(
		    r->series, l->heat.at[i].t_ns, l->heat.at[i].mc);
		if (l->heat.at[i].mc > r->heat_mc)
			r->heat_mc = l->heat.at[i].mc;
	}
}

static int
collect(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, struct bench_lane *lane, uint64_t step,
    struct bench_result **ret)
{
	unsigned i, k, first, at = 0;

	for (i = 0; i < n; i++) {
		first = at;
		ret[i] = bench_result_new(step);
		if (ret[i] == NULL) {
			while (i > 0)
				bench_result_free(&ret[--i]);
			return (-ENOMEM);
		}
		for (k = 0; k < job[i].threads; k++, at++)
			bench_result_merge(ret[i], lane[at].result);
		warm(ret[i], &lane[first]);
		ret[i]->job = &job[i];
		ret[i]->target = target[i];
	}
	return (0);
}

static int
together(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, struct bench_lane *lane, unsigned lanes, uint64_t step,
    const struct bench_run_control *control, struct bench_result **ret,
    struct bench_refusal *why)
{
	struct bench_devstat *before, *after;
	struct bench_load load[2];
	struct rusage cpu[2];
	struct sigaction sa, old;
	struct bench_start s = { .mutex = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER };
	uint64_t t0;
	unsigned i;
	int r;

	before = calloc(n, sizeof *before);
	after = calloc(n, sizeof *after);
	if (before == NULL || after == NULL) {
		free(before);
		free(after);
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	}
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = wake;
	(void)sigaction(SIGUSR1, &sa, &old);
	s.lanes = lanes;
	for (i = 0; i < lanes; i++)
		lane[i].start = &s;
	r = lanes_start(lane, lanes, &s);
	bench_load_read(&load[0]);
	(void)getrusage(RUSAGE_SELF, &cpu[0]);
	measure_device(target, n, before);
	t0 = bench_lane_clock();
	if (r == 0 && !s.failed) {
		(void)pthread_mutex_lock(&s.mutex);
		s.go = true;
		(void)pthread_cond_broadcast(&s.cond);
		(void)pthread_mutex_unlock(&s.mutex);
		supervise(control, lane, lanes, &s, t0);
	}
	for (i = 0; i < lanes; i++)
		if (lane[i].created)
			(void)pthread_join(lane[i].thread, NULL);
	measure_device(target, n, after);
	bench_load_read(&load[1]);
	(void)getrusage(RUSAGE_SELF, &cpu[1]);
	(void)sigaction(SIGUSR1, &old, NULL);
	if (r < 0)
		r = bench_refuse(why, -r, BENCH_EXIT_INTERNAL,
		    "cannot start %u threads: %s", lanes, strerror(-r));
	else
		r = explain(lane, lanes, why);
	if (r == 0) {
		r = collect(job, target, n, lane, step, ret);
		if (r < 0)
			r = bench_refuse(
			    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory");
	}
	if (r == 0 && n == 1) {
		/* The kernel does some I/O in threads of its own that are ours
		 * (io_uring's workers, posixaio's): they cost as well. */
		ret[0]->usr_ns = bench_lane_timeval(cpu[1].ru_utime) -
				 bench_lane_timeval(cpu[0].ru_utime);
		ret[0]->sys_ns = bench_lane_timeval(cpu[1].ru_stime) -
				 bench_lane_timeval(cpu[0].ru_stime);
	}
	for (i = 0; r == 0 && i < n; i++) {
		bench_devstat_diff(&before[i], &after[i], &ret[i]->device);
		ret[i]->load1 = load[1].load1;
		if (load[0].known && load[1].known &&
		    load[1].total > load[0].total)
			ret[i]->steal_percent =
			    100.0 * (double)(load[1].steal - load[0].steal) /
			    (double)(load[1].total - load[0].total);
	}
	free(before);
	free(after);
	return (r);
}

int
bench_run(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, const struct bench_run_control *control,
    struct bench_result **ret, struct bench_refusal *why)
{
	struct bench_lane *lane;
	unsigned i, k, lanes = 0, at = 0;
	uint64_t step = BENCH_SECOND;
	int r = 0;

	for (i = 0; i < n; i++) {
		assert(job[i].threads > 0 && job[i].depth > 0);
		lanes += job[i].threads;
		/* One step for all; short runs deserve more than one. */
		if (job[i].runtime_ns > 0 &&
		    job[i].runtime_ns < 10 * BENCH_SECOND)
			step = BENCH_SECOND / 10;
	}
	lane = calloc(lanes, sizeof *lane);
	if (lane == NULL)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	for (i = 0; i < n; i++) {
		for (k = 0; k < job[i].threads; k++, at++) {
			struct bench_lane *l = &lane[at];

			l->job = &job[i];
			l->target = target[i];
			l->number = k;
			l->result = bench_result_new(step);
			if (l->result == NULL) {
				r = bench_refuse(why, ENOMEM,
				    BENCH_EXIT_INTERNAL, "out of memory");
				goto out;
			}
			l->result->job = &job[i];
			l->result->target = target[i];
			l->result->threads = 1;
		}
	}
	r = together(job, target, n, lane, lanes, step, control, ret, why);
out:
	for (i = 0; i < lanes; i++)
		bench_lane_fini(&lane[i]);
	free(lane);
	return (r);
}
