/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/lane_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SPIN_NS UINT64_C(50000) /* a sleep is about so inexact */

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

void
bench_lane_fold(struct bench_lane *l)
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
	struct bench_trail *dots = l->job->trail;
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
		if (dots != NULL)
			trail(dots, d, now - d->t_sent);
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
		l->now = bench_lane_now(l);
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

void
bench_lane_schedule(struct bench_lane *l, unsigned op, uint32_t len)
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
		bench_lane_schedule(l, op, io->len);
	}
	if (n == 0)
		return (0);
	l->now = bench_lane_now(l);
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
		due = BENCH_NEVER;
	if (due == BENCH_NEVER) {
		if (l->engine->flights == 0)
			return (0);
		return (bench_engine_reap(
		    l->engine, done, 1, l->engine->depth, BENCH_FOREVER));
	}
	l->now = bench_lane_now(l);
	wait = due > l->now + spin ? due - l->now - spin : 0;
	if (l->engine->flights > 0 || wait > 0) {
		r = bench_engine_reap(
		    l->engine, done, 0, l->engine->depth, wait);
		if (r != 0)
			return (r);
	}
	l->now = bench_lane_now(l);
	while (l->now < due && due - l->now <= spin &&
	       !atomic_load_explicit(&l->start->stop, memory_order_relaxed)) {
		if (l->engine->flights > 0) {
			r = bench_engine_reap(
			    l->engine, done, 0, l->engine->depth, 0);
			if (r != 0)
				return (r);
		}
		l->now = bench_lane_now(l);
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

void
bench_lane_close_window(struct bench_lane *l, uint64_t end)
{
	struct bench_result *r = l->result;
	unsigned op;

	r->window_ns = end > l->t_count ? end - l->t_count : 0;
	for (op = 0; op < BENCH_OPS; op++) {
		r->side[op].window_ios = r->side[op].ios;
		r->side[op].window_bytes = r->side[op].bytes;
	}
}

void
bench_lane_end_window(struct bench_lane *l)
{
	const struct bench_side *side = l->result->side;

	if (!l->paced && !l->exhausted && l->t_end != BENCH_NEVER &&
	    l->result->window_ns == 0 &&
	    side[BENCH_OP_READ].ios + side[BENCH_OP_WRITE].ios > 0)
		bench_lane_close_window(
		    l, l->now < l->t_end ? l->now : l->t_end);
}

int
bench_lane_loop(struct bench_lane *l, struct bench_io **done)
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
			    l->most, more ? 0 : BENCH_FOREVER);
		}
		if (r < 0 && r != -EINTR)
			return (r);
		l->now = bench_lane_now(l);
		if (l->now >= l->t_end)
			bench_lane_end_window(l);
		if (r > 0)
			account(l, done, (unsigned)r);
		if (l->now >= l->t_fold)
			bench_lane_fold(l);
		if (l->job->fsync > 0 && n > 0)
			sync_writes(l, n);
		/* A backlog that would take for ever is not served for ever. */
		if (l->paced && l->now >= l->t_drain)
			break;
	}
	return (0);
}

int
bench_lane_drain(struct bench_lane *l, struct bench_io **done)
{
	uint64_t give_up = bench_lane_now(l) + BENCH_DRAIN_NS;
	int r;

	while (l->engine->flights > 0) {
		r = bench_engine_reap(
		    l->engine, done, 1, l->engine->depth, BENCH_SECOND);
		if (r < 0 && r != -EINTR)
			return (r);
		l->now = bench_lane_now(l);
		if (r > 0)
			account(l, done, (unsigned)r);
		if (l->now > give_up) {
			l->result->lost = l->engine->flights;
			break;
		}
	}
	return (0);
}
