/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/lane.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SPIN_NS     UINT64_C(50000) /* a sleep is about so inexact */
#define DRAIN_NS    (UINT64_C(30) * BENCH_SECOND) /* then an I/O counts as lost */
#define ARENA_ALIGN 4096u
#define NEVER       UINT64_MAX

uint64_t
bench_lane_clock(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((uint64_t)ts.tv_sec * BENCH_SECOND + (uint64_t)ts.tv_nsec);
}

static inline uint64_t
now_of(const struct bench_lane *l)
{
	return (l->type->now != NULL ? l->type->now(l->engine)
				     : bench_lane_clock());
}

/* --- memory and data ------------------------------------------------------ */

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

/*
 * The bytes of the next write.  No two blocks of 4 KiB are alike, or a drive
 * that recognises copies would write one: each gets a stamp of its own.
 */
static void
dress(struct bench_lane *l, struct bench_io *io)
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
fold(struct bench_lane *l)
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
failed(struct bench_lane *l, const struct bench_io *io)
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
trail(struct bench_trail *t, const struct bench_io *io, uint64_t ns)
{
	if (t->n == t->max)
		return;
	t->dot[t->n].offset = io->offset;
	t->dot[t->n++].ns = ns;
}

static void
account(struct bench_lane *l, struct bench_io *const *io, unsigned n)
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
		if (d->res != (int32_t)d->len) {
			l->free[l->n_free++] = d;
			failed(l, d);
			continue;
		}
		if (d->more > 0)
			l->run[l->n_run++] = d;
		else
			l->free[l->n_free++] = d;
		ios[op]++;
		bytes[op] += d->len;
		if (!counted)
			continue;
		bench_hist_add(&l->step[op], now - d->t_sent);
		if (l->job->trail != NULL)
			trail(l->job->trail, d, now - d->t_sent);
		/* An object is there when its last piece is. */
		if (l->paced && d->more == 0)
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
prepare(struct bench_lane *l, struct bench_io *io, int op)
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
	io->more = q.more;
	io->piece = q.len;
	io->op = q.op;
	if (q.op == BENCH_OP_WRITE)
		dress(l, io);
	return (true);
}

/* The next pieces of what is being read piece by piece. */
static unsigned
issue_runs(struct bench_lane *l)
{
	unsigned n = 0;

	while (n < l->batch && l->n_run > 0) {
		struct bench_io *io = l->run[--l->n_run];

		io->offset += io->len;
		io->len = io->more < io->piece ? (uint32_t)io->more : io->piece;
		io->more -= io->len;
		l->batch_io[n++] = io;
	}
	return (n);
}

/* As many as may be in flight. */
static unsigned
issue_closed(struct bench_lane *l)
{
	unsigned n = l->n_run > 0 ? issue_runs(l) : 0;

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
soonest(const struct bench_lane *l)
{
	return (l->due[BENCH_OP_WRITE] < l->due[BENCH_OP_READ] ? BENCH_OP_WRITE
							       : BENCH_OP_READ);
}

static void
schedule(struct bench_lane *l, unsigned op, uint32_t len)
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
issue_paced(struct bench_lane *l)
{
	unsigned n = issue_runs(l), runs = n, op;
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
		if (i < runs)
			continue;
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
wait_paced(struct bench_lane *l, struct bench_io **done)
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
sync_writes(struct bench_lane *l, unsigned n)
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

/* The time that the rate is of ends here. */
static void
close_window(struct bench_lane *l, uint64_t end)
{
	struct bench_result *r = l->result;
	unsigned op;

	r->window_ns = end > l->t_count ? end - l->t_count : 0;
	for (op = 0; op < BENCH_OPS; op++) {
		r->side[op].window_ios = r->side[op].ios;
		r->side[op].window_bytes = r->side[op].bytes;
	}
}

/* Of a closed loop that has something done by then: when the clock ends it, or
 * somebody does, before what came later is accounted for. */
static void
end_window(struct bench_lane *l)
{
	const struct bench_side *side = l->result->side;

	if (!l->paced && !l->exhausted && l->t_end != NEVER &&
	    l->result->window_ns == 0 &&
	    side[BENCH_OP_READ].ios + side[BENCH_OP_WRITE].ios > 0)
		close_window(l, l->now < l->t_end ? l->now : l->t_end);
}

/* 0, or -errno of the engine. */
static int
loop(struct bench_lane *l, struct bench_io **done)
{
	struct bench_start *s = l->start;
	unsigned n;
	int r;

	while (!atomic_load_explicit(&s->stop, memory_order_relaxed)) {
		if (l->now >= l->t_end && !l->paced)
			break;
		n = l->paced ? issue_paced(l) : issue_closed(l);
		if (n > 0)
			bench_engine_submit(l->engine, l->batch_io, n);
		if (l->paced) {
			if (l->engine->flights == 0 && l->n_run == 0 &&
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
		if (l->now >= l->t_end)
			end_window(l);
		if (r > 0)
			account(l, done, (unsigned)r);
		if (l->now >= l->t_fold)
			fold(l);
		if (l->job->fsync > 0 && n > 0)
			sync_writes(l, n);
		/* A backlog that would take for ever is not served for ever. */
		if (l->paced && l->now >= l->t_drain)
			break;
	}
	return (0);
}

/* What is still in flight belongs to the result: above all if it is slow. */
static int
drain(struct bench_lane *l, struct bench_io **done)
{
	uint64_t give_up = now_of(l) + DRAIN_NS;
	int r;

	while (l->engine->flights > 0) {
		r = bench_engine_reap(
		    l->engine, done, 1, l->engine->depth, BENCH_SECOND);
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
pin(const struct bench_lane *l)
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
	l->now = l->t_begin = now_of(l);
	l->t_count = l->t_begin + j->ramp_ns;
	l->t_end = j->runtime_ns > 0 ? l->t_count + j->runtime_ns : NEVER;
	l->t_drain =
	    l->t_end == NEVER
		? NEVER
		: l->t_end + (j->drain_ns > 0 ? j->drain_ns : DRAIN_NS);
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
lane_end(struct bench_lane *l)
{
	struct bench_result *r = l->result;
	uint64_t gap;
	unsigned op;

	/* A rate has the whole time, also after its last request. */
	if (l->paced && !l->exhausted && l->now < l->t_end &&
	    l->t_end != NEVER && !atomic_load(&l->start->stop))
		l->now = l->t_end;
	if (l->now > l->folded)
		fold(l);
	r->elapsed_ns = l->now > l->t_count ? l->now - l->t_count : 0;
	if (r->window_ns == 0)
		close_window(l, l->now);
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

void *
bench_lane_main(void *arg)
{
	struct bench_lane *l = arg;
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
		if (l->now < l->t_end)
			end_window(l);
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
