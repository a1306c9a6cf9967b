/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/run.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "diskbench/engine.h"

#define SECOND      UINT64_C(1000000000)
#define SPIN_NS     UINT64_C(50000)         /* a sleep is about so inexact */
#define DRAIN_NS    (UINT64_C(30) * SECOND) /* then an I/O counts as lost */
#define ARENA_ALIGN 4096u
#define NEVER       UINT64_MAX

/* What the lanes share. */
struct start {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	unsigned ready, lanes;
	bool go, failed;
	atomic_bool stop;    /* no new I/O, from anybody */
	atomic_bool partial; /* because somebody was told to stop */
};

/* One thread of one job. */
struct lane {
	/* What the loop touches all the time. */
	struct bench_engine *engine;
	const struct bench_engine_type *type;
	struct bench_io **free; /* a stack */
	unsigned n_free;
	unsigned batch, min;
	bool paced, peak;
	uint64_t full_until; /* paced: when a slot was free again */
	uint64_t now, t_begin, t_count, t_end;
	uint64_t t_fold, folded; /* next and last end of a step */
	uint64_t left_ios, left_bytes;
	struct bench_workload workload;
	uint64_t due[BENCH_OPS]; /* paced: when the next one is */
	struct bench_hist *step; /* of BENCH_OPS: this second's latencies */
	uint64_t step_bytes[BENCH_OPS], step_errors;
	atomic_uint_fast64_t seen_ios[BENCH_OPS], seen_bytes[BENCH_OPS];

	/* The rest. */
	const struct bench_job *job;
	struct bench_target *target;
	unsigned number; /* of the job's threads */
	struct start *start;
	pthread_t thread;
	bool created;
	atomic_bool running;
	struct bench_io *ios;
	struct bench_io **batch_io;
	void *arena;
	size_t arena_len;
	struct bench_random data;
	uint64_t written;
	unsigned since_sync;
	struct bench_result *result;
	int error; /* -errno: it could not start */
	char why[512];
	struct bench_random gaps;
	struct rusage usage;
	uint64_t stamp; /* makes each written block another */
	bool exhausted; /* no more requests */
};

static uint64_t
clock_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec);
}

static inline uint64_t
now_of(const struct lane *l)
{
	return (l->type->now != NULL ? l->type->now(l->engine) : clock_ns());
}

/* --- memory and data ------------------------------------------------------ */

static int
arena_make(struct lane *l)
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
	l->step = calloc(BENCH_OPS, sizeof *l->step);
	if (l->ios == NULL || l->free == NULL || l->batch_io == NULL ||
	    l->step == NULL)
		return (-ENOMEM);
	for (i = 0; i < j->depth; i++) {
		l->ios[i].buf = (char *)l->arena + i * each;
		l->ios[i].slot = i;
	}
	for (i = 0; i < BENCH_OPS; i++)
		bench_hist_init(&l->step[i]);
	return (0);
}

static void
lane_fini(struct lane *l)
{
	bench_engine_close(&l->engine);
	bench_result_free(&l->result);
	if (l->arena != NULL)
		(void)munmap(l->arena, l->arena_len);
	free(l->ios);
	free(l->free);
	free(l->batch_io);
	free(l->step);
}

/*
 * The bytes of the next write.  No two blocks of 4 KiB are alike, or a drive
 * that recognises copies would write one: each gets a stamp of its own.
 */
static void
dress(struct lane *l, struct bench_io *io)
{
	const struct bench_data *d = &l->job->data;
	unsigned char *p = io->buf;
	uint32_t at, zeros;

	if (d->refill)
		bench_random_fill(&l->data, p, io->len);
	for (at = 0; at < io->len; at += 4096) {
		uint32_t room = io->len - at < 4096 ? io->len - at : 4096;

		if (d->dedupe_percent > 0 &&
		    bench_random_below(&l->data, 100) < d->dedupe_percent) {
			/* A copy of the one block that every lane knows. */
			memset(p + at, 0x5a, room);
			continue;
		}
		l->stamp++;
		if (room >= 16) {
			memcpy(p + at, &l->stamp, 8);
			memcpy(p + at + 8, &io->offset, 8);
		}
		if (d->compress_percent > 0) {
			zeros = room * d->compress_percent / 100;
			memset(p + at + room - zeros, 0, zeros);
		}
	}
}

/* --- the loop ------------------------------------------------------------- */

/* Close the books of the step that ends now. */
static void
fold(struct lane *l)
{
	struct bench_result *r = l->result;
	uint64_t from = l->folded;
	unsigned op;

	for (op = 0; op < BENCH_OPS; op++) {
		bench_hist_merge(&r->side[op].service, &l->step[op]);
	}
	bench_series_add(r->series, l->now - l->t_count, l->now - from, l->step,
	    l->step_bytes, l->step_errors);
	for (op = 0; op < BENCH_OPS; op++) {
		if (l->step[op].count > 0)
			bench_hist_init(&l->step[op]);
		l->step_bytes[op] = 0;
	}
	l->step_errors = 0;
	l->folded = l->now;
	l->t_fold = l->now - (l->now - l->t_count) % r->series->step_ns +
		    r->series->step_ns;
}

static void
failed(struct lane *l, const struct bench_io *io)
{
	struct bench_result *r = l->result;
	struct bench_error *e;

	r->side[io->op].errors++;
	l->step_errors++;
	if (r->n_error < BENCH_ERRORS_LISTED) {
		e = &r->error[r->n_error++];
		e->offset = io->offset;
		e->len = io->len;
		e->op = io->op;
		e->error = io->res < 0 ? -io->res : 0;
	}
	if (l->job->on_error == BENCH_ON_ERROR_STOP)
		atomic_store(&l->start->stop, true);
}

static void
account(struct lane *l, struct bench_io *const *io, unsigned n)
{
	struct bench_result *r = l->result;
	uint64_t ios[BENCH_OPS] = { 0 }, bytes[BENCH_OPS] = { 0 };
	uint64_t now = l->now;
	bool counted = now >= l->t_count;
	unsigned i, op;

	if (l->n_free == 0)
		l->full_until = now;
	for (i = 0; i < n; i++) {
		struct bench_io *d = io[i];

		op = d->op;
		l->free[l->n_free++] = d;
		if (d->res != (int32_t)d->len) {
			failed(l, d);
			continue;
		}
		ios[op]++;
		bytes[op] += d->len;
		if (!counted)
			continue;
		bench_hist_add(&l->step[op], now - d->t_sent);
		if (l->paced)
			bench_hist_add(&r->side[op].response, now - d->t_due);
	}
	for (op = 0; op < BENCH_OPS; op++) {
		if (ios[op] == 0)
			continue;
		r->side[op].all_ios += ios[op];
		r->side[op].all_bytes += bytes[op];
		atomic_store_explicit(&l->seen_ios[op], r->side[op].all_ios,
		    memory_order_relaxed);
		atomic_store_explicit(&l->seen_bytes[op], r->side[op].all_bytes,
		    memory_order_relaxed);
		if (counted) {
			r->side[op].ios += ios[op];
			r->side[op].bytes += bytes[op];
			l->step_bytes[op] += bytes[op];
		}
	}
}

/* Fill in the next request; false: there is none. */
static inline bool
prepare(struct lane *l, struct bench_io *io, int op)
{
	struct bench_request q;

	if (op < 0 ? !bench_workload_next(&l->workload, &q)
		   : !bench_workload_next_op(
			 &l->workload, (enum bench_op)op, &q)) {
		l->exhausted = true;
		return (false);
	}
	if (q.len > l->left_bytes || l->left_ios == 0) {
		l->exhausted = true;
		return (false);
	}
	l->left_bytes -= q.len;
	l->left_ios--;
	io->offset = q.offset;
	io->len = q.len;
	io->op = q.op;
	if (q.op == BENCH_OP_WRITE)
		dress(l, io);
	return (true);
}

/* As many as may be in flight. */
static unsigned
issue_closed(struct lane *l)
{
	unsigned n = 0;

	while (n < l->batch && l->n_free > 0) {
		struct bench_io *io = l->free[l->n_free - 1];

		if (!prepare(l, io, -1))
			break;
		l->n_free--;
		l->batch_io[n++] = io;
	}
	if (n == 0)
		return (0);
	/* In peak mode the clock of the last batch serves this one too. */
	if (!l->peak)
		l->now = now_of(l);
	for (unsigned i = 0; i < n; i++)
		l->batch_io[i]->t_sent = l->now;
	return (n);
}

static unsigned
soonest(const struct lane *l)
{
	return (l->due[BENCH_OP_WRITE] < l->due[BENCH_OP_READ] ? BENCH_OP_WRITE
							       : BENCH_OP_READ);
}

static void
schedule(struct lane *l, unsigned op, uint32_t len)
{
	const struct bench_job *j = l->job;
	double gap;

	gap = j->rate[op] > 0 ? 1e9 / j->rate[op]
			      : (double)len * 1e9 / j->rate_bytes[op];
	if (j->gaps == BENCH_GAPS_EXPONENTIAL)
		gap *= -log(bench_random_unit(&l->gaps));
	/* From when it was due, never from now: that a stall delays the rest
	 * is what open-loop latencies are there to show. */
	l->due[op] += (uint64_t)(gap + bench_random_unit(&l->gaps));
}

/* Those that are due by now. */
static unsigned
issue_paced(struct lane *l)
{
	unsigned n = 0, op;
	uint64_t until = l->now < l->t_end ? l->now : l->t_end - 1;

	while (n < l->batch) {
		struct bench_io *io;

		op = soonest(l);
		if (l->due[op] > until)
			break;
		if (l->n_free == 0)
			break; /* it goes when one comes back */
		io = l->free[l->n_free - 1];
		if (!prepare(l, io, (int)op))
			break;
		l->n_free--;
		io->t_due = l->due[op];
		l->batch_io[n++] = io;
		schedule(l, op, io->len);
	}
	if (n == 0)
		return (0);
	l->now = now_of(l);
	for (unsigned i = 0; i < n; i++) {
		struct bench_io *io = l->batch_io[i];

		io->t_sent = l->now;
		/* All of depth were in flight when it was due: that is the
		 * device's doing.  Else the delay is ours. */
		if (io->t_due < l->full_until)
			l->result->late++;
		else if (l->now >= l->t_count)
			bench_hist_add(&l->result->lag, l->now - io->t_due);
	}
	return (n);
}

/* Sleep, then spin, until the next one is due or something came back. */
static int
wait_paced(struct lane *l, struct bench_io **done)
{
	unsigned op = soonest(l);
	uint64_t due = l->due[op], wait;
	uint64_t spin = l->type->now != NULL ? 0 : SPIN_NS;
	int r;

	if (l->exhausted || due >= l->t_end || l->n_free == 0)
		due = NEVER;
	if (due == NEVER) {
		if (l->engine->flights == 0)
			return (0);
		return (bench_engine_reap(
		    l->engine, done, 1, l->engine->depth, BENCH_FOREVER));
	}
	l->now = now_of(l);
	wait = due > l->now + spin ? due - l->now - spin : 0;
	if (l->engine->flights > 0 || wait > 0) {
		r = bench_engine_reap(
		    l->engine, done, 0, l->engine->depth, wait);
		if (r != 0)
			return (r);
	}
	l->now = now_of(l);
	while (l->now < due && due - l->now <= spin &&
	       !atomic_load_explicit(&l->start->stop, memory_order_relaxed)) {
		if (l->engine->flights > 0) {
			r = bench_engine_reap(
			    l->engine, done, 0, l->engine->depth, 0);
			if (r != 0)
				return (r);
		}
		l->now = now_of(l);
	}
	return (0);
}

static int
flush_device(int fd)
{
#ifdef __APPLE__
	/* fsync() stops in the drive's cache there. */
	return (fcntl(fd, F_FULLFSYNC));
#else
	return (fdatasync(fd));
#endif
}

static void
sync_writes(struct lane *l, unsigned n)
{
	struct bench_io io;
	unsigned i;

	for (i = 0; i < n; i++)
		if (l->batch_io[i]->op == BENCH_OP_WRITE)
			l->since_sync++;
	if (l->since_sync < l->job->fsync)
		return;
	l->since_sync = 0;
	if (l->target == NULL || flush_device(l->target->fd) == 0)
		return;
	/* What was acknowledged and is not on the medium: a failed write. */
	io = *l->batch_io[0];
	io.op = BENCH_OP_WRITE;
	io.res = -errno;
	failed(l, &io);
}

/* 0, or -errno of the engine. */
static int
loop(struct lane *l, struct bench_io **done)
{
	struct start *s = l->start;
	unsigned n;
	int r;

	while (!atomic_load_explicit(&s->stop, memory_order_relaxed)) {
		if (l->now >= l->t_end && !l->paced)
			break;
		n = l->paced ? issue_paced(l) : issue_closed(l);
		if (n > 0)
			bench_engine_submit(l->engine, l->batch_io, n);
		if (l->paced) {
			if (l->engine->flights == 0 &&
			    (l->exhausted || l->due[soonest(l)] >= l->t_end))
				break;
			r = wait_paced(l, done);
		} else {
			unsigned min = l->min;
			bool more = n == l->batch && l->n_free > 0;

			if (l->engine->flights == 0)
				break;
			if (min > l->engine->flights)
				min = l->engine->flights;
			/* Not all free ones fitted into this call: do not wait
			 * before the others are on their way. */
			r = bench_engine_reap(l->engine, done, more ? 0 : min,
			    l->engine->depth, more ? 0 : BENCH_FOREVER);
		}
		if (r < 0 && r != -EINTR)
			return (r);
		l->now = now_of(l);
		if (r > 0)
			account(l, done, (unsigned)r);
		if (l->now >= l->t_fold)
			fold(l);
		if (l->job->fsync > 0 && n > 0)
			sync_writes(l, n);
		/* A backlog that would take for ever is not served for ever. */
		if (l->paced && l->now >= l->t_end + DRAIN_NS)
			break;
	}
	return (0);
}

/* What is still in flight belongs to the result: above all if it is slow. */
static int
drain(struct lane *l, struct bench_io **done)
{
	uint64_t give_up = now_of(l) + DRAIN_NS;
	int r;

	while (l->engine->flights > 0) {
		r = bench_engine_reap(
		    l->engine, done, 1, l->engine->depth, SECOND);
		if (r < 0 && r != -EINTR)
			return (r);
		l->now = now_of(l);
		if (r > 0)
			account(l, done, (unsigned)r);
		if (l->now > give_up) {
			l->result->lost = l->engine->flights;
			break;
		}
	}
	return (0);
}

static uint64_t
timeval_ns(struct timeval tv)
{
	return ((uint64_t)tv.tv_sec * SECOND + (uint64_t)tv.tv_usec * 1000);
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

static void
usage_close(struct lane *l)
{
	struct bench_result *r = l->result;
	struct rusage ru;

	usage_now(&ru);
	r->usr_ns = timeval_ns(ru.ru_utime) - timeval_ns(l->usage.ru_utime);
	r->sys_ns = timeval_ns(ru.ru_stime) - timeval_ns(l->usage.ru_stime);
	r->busy_ns = r->usr_ns + r->sys_ns;
	r->ctx = (uint64_t)(ru.ru_nvcsw - l->usage.ru_nvcsw + ru.ru_nivcsw -
			    l->usage.ru_nivcsw);
	r->majf = (uint64_t)(ru.ru_majflt - l->usage.ru_majflt);
	r->minf = (uint64_t)(ru.ru_minflt - l->usage.ru_minflt);
}

static int
lane_open(struct lane *l)
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
	setup.plain_buffers = j->plain_buffers;
	setup.plain_files = j->plain_files;
	setup.poll = j->poll;
	setup.sim = j->sim;
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

static void
pin(const struct lane *l)
{
#ifdef __linux__
	cpu_set_t set;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (l->job->cpu < 0 || cpus < 1)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)(((unsigned)l->job->cpu + l->number) % (unsigned)cpus),
	    &set);
	(void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#else
	(void)l;
#endif
}

/* Tell the starter that we are here, and wait for the others. */
static bool
wait_start(struct lane *l, int error)
{
	struct start *s = l->start;
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
lane_begin(struct lane *l)
{
	const struct bench_job *j = l->job;
	unsigned op;

	if (j->start_ns > 0)
		(void)bench_engine_nap(j->start_ns);
	usage_now(&l->usage);
	(void)clock_gettime(CLOCK_REALTIME, &l->result->started);
	l->now = l->t_begin = now_of(l);
	l->t_count = l->t_begin + j->ramp_ns;
	l->t_end = j->runtime_ns > 0 ? l->t_count + j->runtime_ns : NEVER;
	l->folded = l->t_count;
	l->t_fold = l->t_count + l->result->series->step_ns;
	for (op = 0; op < BENCH_OPS; op++) {
		bool does = bench_shape_does(&j->shape, (enum bench_op)op);

		l->due[op] = NEVER;
		if (!l->paced || !does)
			continue;
		/* Threads share the seconds out among themselves. */
		l->due[op] = l->t_begin;
		if (j->rate[op] > 0)
			l->due[op] +=
			    (uint64_t)(1e9 / j->rate[op] * (double)l->number /
				       (double)j->threads);
		if (j->gaps == BENCH_GAPS_EXPONENTIAL)
			schedule(l, op, bench_shape_smallest(&j->shape));
	}
}

static void
lane_end(struct lane *l)
{
	struct bench_result *r = l->result;
	uint64_t gap;
	unsigned op;

	if (l->now > l->folded)
		fold(l);
	r->elapsed_ns = l->now > l->t_count ? l->now - l->t_count : 0;
	r->whole_ns = l->now - l->t_begin;
	usage_close(l);
	if (!l->paced || l->t_end == NEVER)
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

static void *
lane_main(void *arg)
{
	struct lane *l = arg;
	struct bench_io **done = NULL;
	int r;

	pin(l);
	/* The engine is made here: its ring belongs to one thread. */
	r = lane_open(l);
	if (r == 0) {
		done = calloc(l->engine->depth, sizeof(struct bench_io *));
		if (done == NULL)
			r = -ENOMEM;
	}
	if (wait_start(l, r)) {
		lane_begin(l);
		r = loop(l, done);
		if (r == 0)
			r = drain(l, done);
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

/* --- all of them ---------------------------------------------------------- */

static void
wake(int sig)
{
	(void)sig;
}

static void
report_progress(const struct bench_run_control *c, const struct lane *lane,
    unsigned n, uint64_t t0)
{
	struct bench_progress p = { 0 };
	unsigned i, op;
	double share;

	p.elapsed_ns = clock_ns() - t0;
	for (i = 0; i < n; i++) {
		const struct lane *l = &lane[i];
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

/* Watch, until all are done; wake those that a stalled device holds. */
static void
supervise(const struct bench_run_control *c, struct lane *lane, unsigned n,
    struct start *s, uint64_t t0)
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
				clock_ns() - t0 >
				    j->start_ns + j->ramp_ns + j->runtime_ns))
				(void)pthread_kill(lane[i].thread, SIGUSR1);
		}
		if (++ticks % 25 == 0 && c->progress != NULL && running > 0)
			report_progress(c, lane, n, t0);
	} while (running > 0);
}

static int
lanes_start(struct lane *lane, unsigned n, struct start *s)
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
		r = pthread_create(&lane[i].thread, NULL, lane_main, &lane[i]);
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
explain(const struct lane *lane, unsigned n, struct bench_refusal *why)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		const struct lane *l = &lane[i];
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

static int
collect(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, struct lane *lane, uint64_t step, struct bench_result **ret)
{
	unsigned i, k, at = 0;

	for (i = 0; i < n; i++) {
		ret[i] = bench_result_new(step);
		if (ret[i] == NULL) {
			while (i > 0)
				bench_result_free(&ret[--i]);
			return (-ENOMEM);
		}
		for (k = 0; k < job[i].threads; k++, at++)
			bench_result_merge(ret[i], lane[at].result);
		ret[i]->job = &job[i];
		ret[i]->target = target[i];
	}
	return (0);
}

static int
together(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, struct lane *lane, unsigned lanes, uint64_t step,
    const struct bench_run_control *control, struct bench_result **ret,
    struct bench_refusal *why)
{
	struct bench_devstat *before, *after;
	struct bench_load load[2];
	struct rusage cpu[2];
	struct sigaction sa, old;
	struct start s = { .mutex = PTHREAD_MUTEX_INITIALIZER,
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
	t0 = clock_ns();
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
		ret[0]->usr_ns =
		    timeval_ns(cpu[1].ru_utime) - timeval_ns(cpu[0].ru_utime);
		ret[0]->sys_ns =
		    timeval_ns(cpu[1].ru_stime) - timeval_ns(cpu[0].ru_stime);
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
	struct lane *lane;
	unsigned i, k, lanes = 0, at = 0;
	uint64_t step = SECOND;
	int r = 0;

	for (i = 0; i < n; i++) {
		assert(job[i].threads > 0 && job[i].depth > 0);
		lanes += job[i].threads;
		/* One step for all; short runs deserve more than one. */
		if (job[i].runtime_ns > 0 && job[i].runtime_ns < 10 * SECOND)
			step = SECOND / 10;
	}
	lane = calloc(lanes, sizeof *lane);
	if (lane == NULL)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	for (i = 0; i < n; i++) {
		for (k = 0; k < job[i].threads; k++, at++) {
			struct lane *l = &lane[at];

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
		lane_fini(&lane[i]);
	free(lane);
	return (r);
}
