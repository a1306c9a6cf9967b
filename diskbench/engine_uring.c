/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io_uring: submit many and wait for some in one system call.  liburing is
 * named here and nowhere else.
 */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/engine_list.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "config.h"

#ifdef HAVE_LIBURING
#include <liburing.h>

/* From newer headers; an older kernel answers EINVAL and we do without. */
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif

struct uring {
	struct bench_engine base;
	struct io_uring ring;
	int fd;             /* the descriptor, or its number in the ring */
	bool fixed_buffers; /* arena is registered as buffer 0 */
	bool each_buffer;   /* ... or each I/O's part of it, by its slot */
	bool poll;
	bool deferred;         /* completions are made only when we ask */
	unsigned char flags;   /* of every request: IOSQE_... */
	int opcode[BENCH_OPS]; /* IORING_OP_... */
	bool ring_up;
};

/*
 * Two administrators can forbid io_uring and both look like EPERM: the sysctl,
 * and a seccomp filter (Docker's and Podman's default has one).
 */
static void
explain_setup(int r, unsigned flags, char *why, size_t why_len)
{
	FILE *f;
	int level = -1;

	if (r == -EPERM || r == -EACCES) {
		f = fopen("/proc/sys/kernel/io_uring_disabled", "r");
		if (f != NULL) {
			if (fscanf(f, "%d", &level) != 1)
				level = -1;
			(void)fclose(f);
		}
	}
	if (level > 0)
		(void)snprintf(why, why_len,
		    "forbidden here: sysctl kernel.io_uring_disabled is %d",
		    level);
	else if (r == -EPERM || r == -EACCES)
		(void)snprintf(why, why_len,
		    "forbidden here, though not by sysctl: probably the "
		    "container's seccomp filter (%s)",
		    strerror(-r));
	else if (r == -ENOSYS)
		(void)snprintf(
		    why, why_len, "this kernel has none (Linux 5.1 is needed)");
	else if (r == -ENOMEM)
		(void)snprintf(why, why_len,
		    "no memory for the ring: RLIMIT_MEMLOCK is too low "
		    "(ulimit -l)");
	else
		(void)snprintf(why, why_len, "io_uring_setup: %s%s",
		    strerror(-r),
		    (flags & IORING_SETUP_IOPOLL) != 0
			? " (with polling; does the queue poll? see "
			  "queue/io_poll in sysfs)"
			: "");
}

static int
ring_init(struct uring *e, unsigned depth, bool poll, char *why, size_t why_len)
{
	/* The cheapest first: completions are run when we ask, not by an
	 * interrupt's task work (6.1); without signalling another CPU (5.19);
	 * plain. */
	static const unsigned kinds[] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_COOP_TASKRUN,
		0,
	};
	struct io_uring_params p;
	unsigned i;
	int r = -EINVAL;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		memset(&p, 0, sizeof p);
		p.flags = kinds[i] | (poll ? IORING_SETUP_IOPOLL : 0);
		r = io_uring_queue_init_params(depth, &e->ring, &p);
		if (r == 0) {
			e->deferred =
			    (p.flags & IORING_SETUP_DEFER_TASKRUN) != 0;
			e->ring_up = true;
			return (0);
		}
		if (r != -EINVAL)
			break;
	}
	explain_setup(r, poll ? IORING_SETUP_IOPOLL : 0, why, why_len);
	return (r);
}

static void
note(char *why, size_t why_len, const char *what, int r)
{
	size_t used = strlen(why);

	(void)snprintf(why + used, why_len - used, "%s%s: %s%s",
	    used > 0 ? "; " : "", what, strerror(-r),
	    r == -ENOMEM ? " (RLIMIT_MEMLOCK, see ulimit -l)" : "");
}

/*
 * With a device that cannot say "this would block" (zram, some stacked ones)
 * each request is tried once in vain, and then given to a thread of the
 * kernel's.  libaio simply does it: below a depth of about eight that is the
 * cheapest, and its latency is that of the device alone.
 *
 * IOSQE_ASYNC would save the try, and costs twice as much: it is the try that
 * finds the registered file and buffer, in passing; what was never tried has
 * its thread look for them, under the ring's lock.
 */
static bool
would_only_block(const struct bench_engine_setup *setup)
{
#ifdef RWF_NOWAIT
	struct iovec iov = { setup->arena,
		setup->arena_len < 4096 ? setup->arena_len : 4096 };

	return (preadv2(setup->fd, &iov, 1, 0, RWF_NOWAIT) < 0 &&
		errno == EOPNOTSUPP);
#else
	(void)setup;
	return (false);
#endif
}

/*
 * Each I/O's memory as a buffer of its own.  Of one that is all of the arena the
 * kernel takes a request's part for many pages, and looks whether it has to be
 * split.  There are limits to how many, and none to how large.
 */
static bool
register_each(struct uring *e, const struct bench_engine_setup *setup)
{
	size_t each = setup->arena_len / setup->depth;
	struct iovec *iov;
	unsigned i;
	int r;

	iov = calloc(setup->depth, sizeof *iov);
	if (iov == NULL)
		return (false);
	for (i = 0; i < setup->depth; i++) {
		iov[i].iov_base = (char *)setup->arena + i * each;
		iov[i].iov_len = each;
		if (setup->ios[i].buf != iov[i].iov_base)
			break;
	}
	r = i == setup->depth
		? io_uring_register_buffers(&e->ring, iov, setup->depth)
		: -EINVAL;
	free(iov);
	return (r == 0);
}

/* What makes it cheaper and can be done without. */
static void
register_all(struct uring *e, const struct bench_engine_setup *setup, char *why,
    size_t why_len)
{
	struct iovec iov;
	int r;

	if (!setup->plain_buffers) {
		e->each_buffer = register_each(e, setup);
		iov.iov_base = setup->arena;
		iov.iov_len = setup->arena_len;
		r = e->each_buffer
			? 0
			: io_uring_register_buffers(&e->ring, &iov, 1);
		e->fixed_buffers = r == 0;
		if (r != 0)
			note(why, why_len, "buffers not registered", r);
	}
	if (!setup->plain_files) {
		r = io_uring_register_files(&e->ring, &setup->fd, 1);
		if (r == 0) {
			e->fd = 0;
			e->flags |= IOSQE_FIXED_FILE;
		} else
			note(why, why_len, "file not registered", r);
	}
	e->opcode[BENCH_OP_READ] =
	    e->fixed_buffers ? IORING_OP_READ_FIXED : IORING_OP_READ;
	e->opcode[BENCH_OP_WRITE] =
	    e->fixed_buffers ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
	/* It saves each call the search for the ring's file. */
	(void)io_uring_register_ring_fd(&e->ring);
}

static void uring_close(struct bench_engine **);

static int
uring_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct uring *e = calloc(1, sizeof *e);
	struct bench_engine *base;
	int r;

	if (e == NULL)
		return (-ENOMEM);
	base = &e->base;
	e->base.type = &bench_engine_uring;
	e->base.depth = setup->depth;
	e->fd = setup->fd;
	e->poll = setup->poll;
	r = ring_init(e, setup->depth, setup->poll, why, why_len);
	if (r == 0 && setup->any && setup->direct && !setup->poll &&
	    would_only_block(setup)) {
		(void)snprintf(why, why_len,
		    "this target cannot say that a request would block, so "
		    "that each would go through a thread of the kernel's");
		r = -EOPNOTSUPP;
	}
	if (r < 0) {
		uring_close(&base);
		return (r);
	}
	register_all(e, setup, why, why_len);
	*ret = base;
	return (0);
}

static void
uring_submit(struct bench_engine *base, struct bench_io *const *ios, unsigned n)
{
	struct uring *e = (struct uring *)base;
	struct io_uring_sqe *sqe;
	struct bench_io *io;
	unsigned i;

	for (i = 0; i < n; i++) {
		io = ios[i];
		sqe = io_uring_get_sqe(&e->ring);
		/* The ring has as many entries as I/Os can be in flight. */
		assert(sqe != NULL);
		io_uring_prep_rw(e->opcode[io->op], sqe, e->fd, io->buf,
		    io->len, io->offset);
		sqe->buf_index = e->each_buffer ? (uint16_t)io->slot : 0;
		sqe->flags = e->flags;
		io_uring_sqe_set_data(sqe, io);
	}
}

static int
wait_some(struct uring *e, unsigned min, uint64_t wait_ns)
{
	struct __kernel_timespec ts;
	struct io_uring_cqe *cqe;
	int r;

	if (min > 0 && wait_ns == BENCH_FOREVER)
		return (io_uring_submit_and_wait(&e->ring, min));
	if (wait_ns == 0) {
		/* One call for both, where completions wait for us. */
		return (e->deferred || e->poll
			    ? io_uring_submit_and_get_events(&e->ring)
			    : io_uring_submit(&e->ring));
	}
	ts.tv_sec = (long long)(wait_ns / 1000000000);
	ts.tv_nsec = (long long)(wait_ns % 1000000000);
	r = io_uring_submit_and_wait_timeout(
	    &e->ring, &cqe, min > 0 ? min : 1, &ts, NULL);
	return (r == -ETIME ? 0 : r);
}

static int
uring_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct uring *e = (struct uring *)base;
	struct io_uring_cqe *cqe;
	struct bench_io *io;
	unsigned head, n = 0, ready;
	int r;

	if (e->base.flights == 0)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	/*
	 * A single one is handed over first and waited for in a call of its
	 * own: with one call for both it came back from a loop device 10 to 25
	 * us later.  Of many the calls cost more than that.
	 */
	if (e->base.flights == 1 && wait_ns > 0 &&
	    io_uring_sq_ready(&e->ring) > 0) {
		r = wait_some(e, 0, 0);
		if (r < 0)
			return (r);
	}
	ready = io_uring_cq_ready(&e->ring);
	if (ready < min || io_uring_sq_ready(&e->ring) > 0 || ready == 0) {
		r = wait_some(e, ready >= min ? 0 : min,
		    ready >= min && ready > 0 ? 0 : wait_ns);
		/* What came before the signal is not left lying. */
		if (r < 0 && io_uring_cq_ready(&e->ring) == 0)
			return (r);
	}
	io_uring_for_each_cqe(&e->ring, head, cqe)
	{
		if (n == max)
			break;
		io = io_uring_cqe_get_data(cqe);
		io->res = cqe->res;
		ret[n++] = io;
	}
	io_uring_cq_advance(&e->ring, n);
	return ((int)n);
}

static void
uring_close(struct bench_engine **ep)
{
	struct uring *e = (struct uring *)*ep;

	/*
	 * The kernel takes a ring apart when it has time, after we are gone.
	 * What is registered in it would hold the device for so long, and a
	 * mkfs right behind us would find it in use.
	 */
	if (e->ring_up && (e->flags & IOSQE_FIXED_FILE) != 0)
		(void)io_uring_unregister_files(&e->ring);
	if (e->ring_up && e->fixed_buffers)
		(void)io_uring_unregister_buffers(&e->ring);
	if (e->ring_up)
		io_uring_queue_exit(&e->ring);
	free(e);
	*ep = NULL;
}

const struct bench_engine_type bench_engine_uring = {
	.name = "io_uring",
	.help = "Linux; many at once, few system calls",
	.direct = true,
	.open = uring_open,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
#endif
