/* SPDX-License-Identifier: BSD-2-Clause */
/* pread and pwrite: one at a time, works everywhere. */
#include "diskbench/engine_list.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct psync {
	struct bench_engine base;
	int fd;
	struct bench_io *io; /* submitted, not done */
};

static int
psync_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct psync *e = calloc(1, sizeof *e);

	(void)why;
	(void)why_len;
	if (e == NULL)
		return (-ENOMEM);
	e->base.type = &bench_engine_psync;
	e->base.depth = 1;
	e->fd = setup->fd;
	*ret = &e->base;
	return (0);
}

static void
psync_submit(struct bench_engine *base, struct bench_io *const *io, unsigned n)
{
	struct psync *e = (struct psync *)base;

	assert(n == 1 && e->io == NULL);
	e->io = io[0];
}

static int
psync_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct psync *e = (struct psync *)base;
	struct bench_io *io = e->io;
	ssize_t n;

	assert(min <= 1 && max >= 1);
	if (io == NULL)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	do {
		n = io->op == BENCH_OP_READ
			? pread(e->fd, io->buf, io->len, (off_t)io->offset)
			: pwrite(e->fd, io->buf, io->len, (off_t)io->offset);
	} while (n < 0 && errno == EINTR);
	io->res = n < 0 ? -errno : (int32_t)n;
	e->io = NULL;
	ret[0] = io;
	return (1);
}

static void
psync_close(struct bench_engine **ep)
{
	free(*ep);
	*ep = NULL;
}

const struct bench_engine_type bench_engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, one at a time",
	.synchronous = true,
	.direct = true,
	.open = psync_open,
	.submit = psync_submit,
	.reap = psync_reap,
	.close = psync_close,
};
