/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * POSIX asynchronous I/O: what macOS and the BSDs have in the kernel.  glibc
 * makes it of threads, which costs far more than the I/O.
 */
#include "diskbench/engine_list.h"

#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

struct posixaio {
	struct bench_engine base;
	int fd;
	struct aiocb *cb;           /* by slot */
	const struct aiocb **going; /* those the system has; no holes */
	struct bench_io **io;       /* of going[i] */
	struct bench_io **queue;    /* not yet handed over */
	unsigned n_going, queued;
};

static void posixaio_close(struct bench_engine **);

/* What one process may have in flight; 0: no limit known. */
static unsigned
limit(void)
{
#ifdef __APPLE__
	int v = 0;
	size_t len = sizeof v;

	if (sysctlbyname("kern.aioprocmax", &v, &len, NULL, 0) == 0 && v > 0)
		return ((unsigned)v);
#endif
	return (0);
}

static int
posixaio_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct posixaio *e = calloc(1, sizeof *e);
	struct bench_engine *base;
	unsigned max = limit();

	if (e == NULL)
		return (-ENOMEM);
	base = &e->base;
	e->base.type = &bench_engine_posixaio;
	e->base.depth = setup->depth;
	if (max > 0 && max < setup->depth) {
		(void)snprintf(why, why_len,
		    "depth %u of the %u asked for: sysctl kern.aioprocmax", max,
		    setup->depth);
		e->base.depth = max;
	}
	e->fd = setup->fd;
	e->cb = calloc(setup->depth, sizeof *e->cb);
	e->going = calloc(setup->depth, sizeof(struct aiocb *));
	e->io = calloc(setup->depth, sizeof(struct bench_io *));
	e->queue = calloc(setup->depth, sizeof(struct bench_io *));
	if (e->cb == NULL || e->going == NULL || e->io == NULL ||
	    e->queue == NULL) {
		posixaio_close(&base);
		return (-ENOMEM);
	}
	*ret = base;
	return (0);
}

static void
posixaio_submit(
    struct bench_engine *base, struct bench_io *const *ios, unsigned n)
{
	struct posixaio *e = (struct posixaio *)base;

	assert(e->queued + n <= e->base.depth);
	memcpy(e->queue + e->queued, ios, n * sizeof(struct bench_io *));
	e->queued += n;
}

static int
send(struct posixaio *e, struct bench_io **ret, unsigned max)
{
	struct bench_io *io;
	struct aiocb *cb;
	unsigned sent = 0, n = 0;
	int r;

	for (; sent < e->queued; sent++) {
		io = e->queue[sent];
		cb = &e->cb[io->slot];
		memset(cb, 0, sizeof *cb);
		cb->aio_fildes = e->fd;
		cb->aio_buf = io->buf;
		cb->aio_nbytes = io->len;
		cb->aio_offset = (off_t)io->offset;
		cb->aio_sigevent.sigev_notify = SIGEV_NONE;
		r = io->op == BENCH_OP_READ ? aio_read(cb) : aio_write(cb);
		if (r == 0) {
			e->going[e->n_going] = cb;
			e->io[e->n_going++] = io;
			continue;
		}
		if (errno == EAGAIN && e->n_going > 0)
			break;
		if (n == max)
			break;
		io->res = -errno;
		ret[n++] = io;
	}
	memmove(e->queue, e->queue + sent,
	    (e->queued - sent) * sizeof(struct bench_io *));
	e->queued -= sent;
	return ((int)n);
}

static unsigned
collect(struct posixaio *e, struct bench_io **ret, unsigned max)
{
	unsigned i = 0, n = 0;
	ssize_t len;
	int r;

	while (i < e->n_going && n < max) {
		/* The list is const for aio_suspend's sake only. */
		struct aiocb *cb = &e->cb[e->io[i]->slot];

		r = aio_error(cb);
		if (r == EINPROGRESS) {
			i++;
			continue;
		}
		len = aio_return(cb);
		e->io[i]->res = r != 0 ? -r : (int32_t)len;
		ret[n++] = e->io[i];
		e->n_going--;
		e->going[i] = e->going[e->n_going];
		e->io[i] = e->io[e->n_going];
	}
	return (n);
}

static int
posixaio_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct posixaio *e = (struct posixaio *)base;
	struct timespec ts, *tsp = NULL;
	unsigned n;
	int r;

	if (e->base.flights == 0)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	if (wait_ns != BENCH_FOREVER) {
		ts.tv_sec = (time_t)(wait_ns / 1000000000);
		ts.tv_nsec = (long)(wait_ns % 1000000000);
		tsp = &ts;
	}
	n = (unsigned)send(e, ret, max);
	for (;;) {
		n += collect(e, ret + n, max - n);
		if (n >= max || (n >= min && (n > 0 || wait_ns == 0)))
			return ((int)n);
		if (e->n_going == 0)
			return ((int)n);
		/* It may wait a little longer than asked for: the time starts
		 * anew for each.  Only pacing uses it, and looks at the clock. */
		r = aio_suspend(e->going, (int)e->n_going, tsp);
		if (r < 0 && errno == EAGAIN)
			return ((int)n);
		if (r < 0)
			return (n > 0 ? (int)n : -errno);
	}
}

static void
posixaio_close(struct bench_engine **ep)
{
	struct posixaio *e = (struct posixaio *)*ep;

	/* The buffers are about to be freed under whatever still runs. */
	while (e->n_going > 0) {
		struct bench_io *done[16];

		(void)aio_cancel(e->fd, NULL);
		if (collect(e, done, 16) == 0)
			(void)aio_suspend(e->going, (int)e->n_going, NULL);
	}
	free(e->queue);
	free(e->io);
	free(e->going);
	free(e->cb);
	free(e);
	*ep = NULL;
}

const struct bench_engine_type bench_engine_posixaio = {
	.name = "posixaio",
	.help = "aio_read and aio_write; threads on Linux",
	.direct = true,
	.open = posixaio_open,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
	.close = posixaio_close,
};
