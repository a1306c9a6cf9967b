/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/lane.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "diskbench/lane_loop.h"

#define ARENA_ALIGN 4096u

uint64_t
bench_lane_clock(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((uint64_t)ts.tv_sec * BENCH_SECOND + (uint64_t)ts.tv_nsec);
}

static int
arena_make(struct bench_lane *l)
{
	const struct bench_job *j = l->job;
	size_t each = bench_shape_largest(&j->shape);
	unsigned i;

	each = (each + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	l->arena_len = each * j->depth;
	l->arena = mmap(NULL, l->arena_len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (l->arena == MAP_FAILED) {
		l->arena = NULL;
		return (-ENOMEM);
	}
#ifdef MADV_HUGEPAGE
	(void)madvise(l->arena, l->arena_len, MADV_HUGEPAGE);
#endif
	/* Touch it: a page of zeros shared by all would be cached by the CPU
	 * better than any real buffer, and must not be first written while
	 * the clock runs.  What gets written must not be compressible. */
	bench_random_init(&l->data, j->seed, (UINT64_C(1) << 32) + l->number);
	bench_random_fill(&l->data, l->arena, l->arena_len);
	l->ios = calloc(j->depth, sizeof *l->ios);
	l->free = calloc(j->depth, sizeof(struct bench_io *));
	l->batch_io = calloc(j->depth, sizeof(struct bench_io *));
	l->run = calloc(j->depth, sizeof(struct bench_io *));
	l->step = calloc(BENCH_OPS, sizeof *l->step);
	if (l->ios == NULL || l->free == NULL || l->batch_io == NULL ||
	    l->run == NULL || l->step == NULL)
		return (-ENOMEM);
	for (i = 0; i < j->depth; i++) {
		l->ios[i].buf = (char *)l->arena + i * each;
		l->ios[i].slot = i;
	}
	for (i = 0; i < BENCH_OPS; i++)
		bench_hist_init(&l->step[i]);
	return (0);
}

void
bench_lane_fini(struct bench_lane *l)
{
	bench_engine_close(&l->engine);
	bench_result_free(&l->result);
	if (l->arena != NULL)
		(void)munmap(l->arena, l->arena_len);
	free(l->ios);
	free(l->free);
	free(l->batch_io);
	free(l->run);
	free(l->step);
}

uint64_t
bench_lane_timeval(struct timeval tv)
{
	return (
	    (uint64_t)tv.tv_sec * BENCH_SECOND + (uint64_t)tv.tv_usec * 1000);
}

static void
usage_now(struct rusage *ru)
{
#ifdef RUSAGE_THREAD
	(void)getrusage(RUSAGE_THREAD, ru);
#else
	(void)getrusage(RUSAGE_SELF, ru);
#endif
}

/* How long this thread had work and no CPU; 0 where nobody counts. */
static uint64_t
waited(void)
{
	uint64_t on_cpu, wait = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL)
		return (0);
	if (fscanf(f, "%" SCNu64 " %" SCNu64, &on_cpu, &wait) != 2)
		wait = 0;
	(void)fclose(f);
	return (wait);
}

/* Where it runs: a drive on another node is a way further. */
static void
note_node(struct bench_lane *l)
{
#ifdef __linux__
	unsigned cpu, node;

	if (getcpu(&cpu, &node) == 0 && node < 64)
		l->result->nodes |= UINT64_C(1) << node;
#else
	(void)l;
#endif
}

static void
usage_close(struct bench_lane *l)
{
	struct bench_result *r = l->result;
	struct rusage ru;

	note_node(l);
	r->wait_ns = waited() - l->waited;
	usage_now(&ru);
	r->usr_ns = bench_lane_timeval(ru.ru_utime) -
		    bench_lane_timeval(l->usage.ru_utime);
	r->sys_ns = bench_lane_timeval(ru.ru_stime) -
		    bench_lane_timeval(l->usage.ru_stime);
	r->busy_ns = r->usr_ns + r->sys_ns;
	r->ctx = (uint64_t)(ru.ru_nvcsw - l->usage.ru_nvcsw + ru.ru_nivcsw -
			    l->usage.ru_nivcsw);
	r->majf = (uint64_t)(ru.ru_majflt - l->usage.ru_majflt);
	r->minf = (uint64_t)(ru.ru_minflt - l->usage.ru_minflt);
}

static int
lane_open(struct bench_lane *l)
{
	const struct bench_job *j = l->job;
	struct bench_engine_setup setup = { 0 };
	unsigned i;
	int r;

	r = arena_make(l);
	if (r < 0)
		return (r);
	r = bench_workload_init(&l->workload, &j->shape, j->seed,
	    j->part + l->number, j->parts > j->threads ? j->parts : j->threads);
	if (r < 0)
		return (r);
	setup.fd = l->target != NULL ? l->target->fd : -1;
	setup.size = l->target != NULL ? l->target->size : 0;
	setup.writes =
	    l->target != NULL && l->target->access == BENCH_ACCESS_WRITE;
	setup.ios = l->ios;
	setup.depth = j->depth;
	setup.arena = l->arena;
	setup.arena_len = l->arena_len;
	setup.direct = l->target != NULL && !l->target->buffered;
	setup.plain_buffers = j->plain_buffers;
	setup.plain_files = j->plain_files;
	setup.plain_reap = j->plain_reap;
	setup.poll = j->poll;
	setup.sim = j->sim;
	setup.madvise = j->madvise;
	setup.seed = j->seed + l->number;
	r = bench_engine_open(
	    &l->engine, j->engine, &setup, l->why, sizeof l->why);
	if (r < 0)
		return (r);
	l->type = l->engine->type;
	/* First out, first in: consecutive buffers for consecutive I/Os. */
	for (i = 0; i < l->engine->depth; i++)
		l->free[i] = &l->ios[l->engine->depth - 1 - i];
	l->n_free = l->engine->depth;
	l->peak = j->mode == BENCH_MODE_PEAK;
	l->batch = l->engine->depth;
	if (j->batch > 0 && j->batch < l->batch)
		l->batch = j->batch;
	l->min = l->peak ? l->batch : 1;
	/* What came back beyond a batch goes out again with it: else the depth
	 * would melt down to a batch. */
	if (l->peak)
		l->batch = l->engine->depth;
	l->most = bench_job_reap(j);
	if (l->most > l->engine->depth)
		l->most = l->engine->depth;
	l->paced = j->rate[0] > 0 || j->rate[1] > 0 || j->rate_bytes[0] > 0 ||
		   j->rate_bytes[1] > 0;
	l->left_bytes = j->limit_bytes > 0 ? j->limit_bytes : UINT64_MAX;
	l->left_ios = j->limit_ios > 0 ? j->limit_ios : UINT64_MAX;
	bench_random_init(&l->gaps, j->seed, (UINT64_C(1) << 33) + l->number);
	l->stamp = (uint64_t)l->number << 48;
	(void)snprintf(
	    l->result->engine, sizeof l->result->engine, "%s", l->type->name);
	(void)snprintf(l->result->engine_note, sizeof l->result->engine_note,
	    "%s", l->why);
	l->result->depth = l->engine->depth;
	l->result->paced = l->paced;
	return (0);
}

static int
pin(struct bench_lane *l)
{
#ifdef __linux__
	cpu_set_t set;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned cpu;
	int r;

	if (l->job->cpu < 0 || cpus < 1)
		return (0);
	cpu = ((unsigned)l->job->cpu + l->number) % (unsigned)cpus;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	r = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
	if (r != 0)
		(void)snprintf(l->why, sizeof l->why,
		    "cannot run on CPU %u: %s (is it offline, or not in this "
		    "program's cpuset?)",
		    cpu, strerror(r));
	return (-r);
#else
	(void)l;
	return (0);
#endif
}

/* Tell the starter that we are here, and wait for the others. */
static bool
wait_start(struct bench_lane *l, int error)
{
	struct bench_start *s = l->start;
	bool go;

	(void)pthread_mutex_lock(&s->mutex);
	l->error = error;
	s->ready++;
	if (error < 0)
		s->failed = true;
	(void)pthread_cond_broadcast(&s->cond);
	while (!s->go && !s->failed)
		(void)pthread_cond_wait(&s->cond, &s->mutex);
	go = s->go && !s->failed;
	(void)pthread_mutex_unlock(&s->mutex);
	return (go);
}

static void
lane_begin(struct bench_lane *l)
{
	const struct bench_job *j = l->job;
	unsigned op;

	if (j->start_ns > 0)
		(void)bench_engine_nap(j->start_ns);
	note_node(l);
	l->waited = waited();
	usage_now(&l->usage);
	(void)clock_gettime(CLOCK_REALTIME, &l->result->started);
	l->now = l->t_begin = bench_lane_now(l);
	l->t_count = l->t_begin + j->ramp_ns;
	l->t_end = j->runtime_ns > 0 ? l->t_count + j->runtime_ns : BENCH_NEVER;
	l->t_drain =
	    l->t_end == BENCH_NEVER
		? BENCH_NEVER
		: l->t_end + (j->drain_ns > 0 ? j->drain_ns : BENCH_DRAIN_NS);
	l->folded = l->t_count;
	l->t_fold = l->t_count + l->result->series->step_ns;
	for (op = 0; op < BENCH_OPS; op++) {
		bool does = bench_shape_does(&j->shape, (enum bench_op)op);

		l->due[op] = BENCH_NEVER;
		if (!l->paced || !does)
			continue;
		/* Threads share the seconds out among themselves. */
		l->due[op] = l->t_begin;
		if (j->rate[op] > 0)
			l->due[op] +=
			    (uint64_t)(1e9 / j->rate[op] * (double)l->number /
				       (double)j->threads);
		if (j->gaps == BENCH_GAPS_EXPONENTIAL)
			bench_lane_schedule(
			    l, op, bench_shape_smallest(&j->shape));
	}
}

static void
lane_end(struct bench_lane *l)
{
	struct bench_result *r = l->result;
	uint64_t gap;
	unsigned op;

	/* A rate has the whole time, also after its last request. */
	if (l->paced && !l->exhausted && l->now < l->t_end &&
	    l->t_end != BENCH_NEVER && !atomic_load(&l->start->stop))
		l->now = l->t_end;
	if (l->now > l->folded)
		bench_lane_fold(l);
	r->elapsed_ns = l->now > l->t_count ? l->now - l->t_count : 0;
	if (r->window_ns == 0)
		bench_lane_close_window(l, l->now);
	r->whole_ns = l->now - l->t_begin;
	usage_close(l);
	if (!l->paced || l->t_end == BENCH_NEVER)
		return;
	for (op = 0; op < BENCH_OPS; op++) {
		if (l->due[op] >= l->t_end || l->job->rate[op] <= 0)
			continue;
		gap = (uint64_t)(1e9 / l->job->rate[op]) + 1;
		r->unserved += (l->t_end - l->due[op]) / gap + 1;
	}
	if (r->unserved > 0 && atomic_load(&l->start->partial))
		r->unserved = 0; /* told to stop: nobody waited for them */
}

void *
bench_lane_main(void *arg)
{
	struct bench_lane *l = arg;
	struct bench_io **done = NULL;
	int r;

	r = pin(l);
	/* The engine is made here: its ring belongs to one thread. */
	if (r == 0)
		r = lane_open(l);
	if (r == 0) {
		done = calloc(l->engine->depth, sizeof(struct bench_io *));
		if (done == NULL)
			r = -ENOMEM;
	}
	if (wait_start(l, r)) {
		lane_begin(l);
		r = bench_lane_loop(l, done);
		if (l->now < l->t_end)
			bench_lane_end_window(l);
		if (r == 0)
			r = bench_lane_drain(l, done);
		l->error = r;
		if (atomic_load(&l->start->stop))
			l->result->complete = false;
		lane_end(l);
	}
	free(done);
	/* Also where it was made. */
	bench_engine_close(&l->engine);
	atomic_store(&l->running, false);
	return (NULL);
}
