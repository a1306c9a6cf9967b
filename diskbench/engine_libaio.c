/* SPDX-License-Identifier: BSD-2-Clause */
/* Linux's older asynchronous I/O; asynchronous only with O_DIRECT. */
#include "diskbench/engine_list.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#ifdef HAVE_LIBAIO
#include <libaio.h>

struct ring;

struct libaio {
	struct bench_engine base;
	io_context_t ctx;
	int fd;
	struct bench_io *ios;
	struct iocb *cb;         /* by slot */
	struct iocb **queue;     /* submitted to us, not yet to the kernel */
	struct io_event *events; /* room for depth of them */
	unsigned queued;
	struct ring *ring; /* the kernel's, or NULL: ask it each time */
};

static void libaio_close(struct bench_engine **);

static void
explain_setup(int r, unsigned depth, char *why, size_t why_len)
{
	unsigned long used = 0, max = 0;
	FILE *f;

	f = fopen("/proc/sys/fs/aio-nr", "r");
	if (f != NULL) {
		if (fscanf(f, "%lu", &used) != 1)
			used = 0;
		(void)fclose(f);
	}
	f = fopen("/proc/sys/fs/aio-max-nr", "r");
	if (f != NULL) {
		if (fscanf(f, "%lu", &max) != 1)
			max = 0;
		(void)fclose(f);
	}
	if (r == -EAGAIN)
		(void)snprintf(why, why_len,
		    "needs %u of the system's asynchronous I/Os; %lu of "
		    "%lu are taken: raise sysctl fs.aio-max-nr",
		    depth, used, max);
	else
		(void)snprintf(why, why_len, "io_setup: %s", strerror(-r));
}

/*
 * The kernel maps its ring of completions at the address that the context's
 * handle is.  Taking them from there saves a system call, and on a device that
 * is done when it is asked (zram) all of them are there already.  fs/aio.c has
 * had it in this form since 2.6, with a magic number and a field of features
 * that one must understand.
 */
struct ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event event[];
};
#define RING_MAGIC 0xa10a10a1U

static struct ring *
ring_of(io_context_t ctx)
{
	struct ring *r = (struct ring *)(void *)ctx;

	return (r->magic == RING_MAGIC && r->incompat == 0 &&
			r->header_length == offsetof(struct ring, event)
		    ? r
		    : NULL);
}

static struct bench_io *
done_of(const struct io_event *ev)
{
	struct bench_io *io = ev->data;

	io->res = (int32_t)(long)ev->res;
	return (io);
}

/* What is there, without asking; n of ret are taken already. */
static unsigned
collect(struct ring *r, struct bench_io **ret, unsigned n, unsigned max)
{
	unsigned head, tail;

	if (r == NULL)
		return (n);
	head = atomic_load_explicit(&r->head, memory_order_relaxed);
	tail = atomic_load_explicit(&r->tail, memory_order_acquire);
	while (head != tail && n < max) {
		ret[n++] = done_of(&r->event[head]);
		head = head + 1 < r->nr ? head + 1 : 0;
	}
	atomic_store_explicit(&r->head, head, memory_order_release);
	return (n);
}

static int
libaio_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct libaio *e = calloc(1, sizeof *e);
	struct bench_engine *base;
	int r;

	if (e == NULL)
		return (-ENOMEM);
	base = &e->base;
	e->base.type = &bench_engine_libaio;
	e->base.depth = setup->depth;
	e->fd = setup->fd;
	e->ios = setup->ios;
	e->cb = calloc(setup->depth, sizeof *e->cb);
	e->queue = calloc(setup->depth, sizeof(struct iocb *));
	e->events = calloc(setup->depth, sizeof *e->events);
	if (e->cb == NULL || e->queue == NULL || e->events == NULL) {
		libaio_close(&base);
		return (-ENOMEM);
	}
	r = io_setup((int)setup->depth, &e->ctx);
	if (r < 0) {
		explain_setup(r, setup->depth, why, why_len);
		e->ctx = NULL;
		libaio_close(&base);
		return (r);
	}
	e->ring = setup->plain_reap ? NULL : ring_of(e->ctx);
	*ret = base;
	return (0);
}

static void
libaio_submit(
    struct bench_engine *base, struct bench_io *const *ios, unsigned n)
{
	struct libaio *e = (struct libaio *)base;
	struct bench_io *io;
	struct iocb *cb;
	unsigned i;

	for (i = 0; i < n; i++) {
		io = ios[i];
		cb = &e->cb[io->slot];
		if (io->op == BENCH_OP_READ)
			io_prep_pread(
			    cb, e->fd, io->buf, io->len, (long long)io->offset);
		else
			io_prep_pwrite(
			    cb, e->fd, io->buf, io->len, (long long)io->offset);
		cb->data = io;
		assert(e->queued < e->base.depth);
		e->queue[e->queued++] = cb;
	}
}

/* Give the kernel all that is queued.  One that it refuses is done, with the
 * errno; how many such are in ret comes back. */
static int
send(struct libaio *e, struct bench_io **ret, unsigned max)
{
	struct bench_io *io;
	unsigned sent = 0, n = 0;
	int r;

	while (sent < e->queued) {
		r = io_submit(
		    e->ctx, (long)(e->queued - sent), e->queue + sent);
		if (r > 0) {
			sent += (unsigned)r;
			continue;
		}
		/* Its queue is full: some have to come back first. */
		if (r == -EAGAIN && e->base.flights > e->queued - sent)
			break;
		if (r == -EINTR)
			continue;
		if (n == max)
			break;
		io = e->queue[sent]->data;
		io->res = r == 0 ? -EAGAIN : r;
		ret[n++] = io;
		sent++;
	}
	memmove(e->queue, e->queue + sent,
	    (e->queued - sent) * sizeof(struct iocb *));
	e->queued -= sent;
	return ((int)n);
}

static int
libaio_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct libaio *e = (struct libaio *)base;
	struct timespec ts, *tsp = NULL;
	long want;
	int i, n, r;

	if (e->base.flights == 0)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	n = send(e, ret, max);
	if ((unsigned)n == max)
		return (n);
	if (max > e->base.depth)
		max = e->base.depth;
	n = (int)collect(e->ring, ret, (unsigned)n, max);
	if (n > 0 && (unsigned)n >= min)
		return (n);
	want = min > (unsigned)n ? (long)(min - (unsigned)n) : 0;
	if (want == 0 && wait_ns > 0 && n == 0)
		want = 1;
	if (wait_ns != BENCH_FOREVER) {
		ts.tv_sec = (time_t)(wait_ns / 1000000000);
		ts.tv_nsec = (long)(wait_ns % 1000000000);
		tsp = &ts;
	}
	r = io_getevents(e->ctx, want, (long)max - n, e->events, tsp);
	if (r < 0)
		return (n > 0 ? n : r);
	for (i = 0; i < r; i++)
		ret[n++] = done_of(&e->events[i]);
	return (n);
}

static void
libaio_close(struct bench_engine **ep)
{
	struct libaio *e = (struct libaio *)*ep;

	if (e->ctx != NULL)
		(void)io_destroy(e->ctx);
	free(e->events);
	free(e->queue);
	free(e->cb);
	free(e);
	*ep = NULL;
}

const struct bench_engine_type bench_engine_libaio = {
	.name = "libaio",
	.help = "Linux; asynchronous with direct I/O only",
	.direct = true,
	.open = libaio_open,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.close = libaio_close,
};
#endif
