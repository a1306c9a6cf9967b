/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target as memory: what Varnish's file storage does.  Each page is a
 * fault and a 4 KiB read of its own (MADV_RANDOM, as varnishd's default), or the
 * kernel reads ahead.
 */
#include "diskbench/engine_list.h"

#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *const bench_madvise_names[BENCH_MADVISES + 1] = { "random",
	"normal", "sequential", NULL };
static const int advices[BENCH_MADVISES] = { POSIX_MADV_RANDOM,
	POSIX_MADV_NORMAL, POSIX_MADV_SEQUENTIAL };

struct mapped {
	struct bench_engine base;
	unsigned char *p;
	size_t len;
	struct bench_io *io;
};

/*
 * A page that cannot be read is a SIGBUS in the thread that touched it, not an
 * error code.  The thread jumps out of the copy and the I/O has failed.
 */
static __thread sigjmp_buf out;
static __thread volatile sig_atomic_t copying;

static void
on_bus(int sig)
{
	if (copying)
		siglongjmp(out, 1);
	/* Not ours: die of it, as without us. */
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

static int
mapped_open(struct bench_engine **ret, const struct bench_engine_setup *setup,
    char *why, size_t why_len)
{
	struct sigaction sa;
	struct mapped *e;
	void *p;
	int r;

	if (setup->size > SIZE_MAX) {
		(void)snprintf(
		    why, why_len, "target larger than memory can be");
		return (-EFBIG);
	}
	p = mmap(NULL, (size_t)setup->size,
	    PROT_READ | (setup->writes ? PROT_WRITE : 0), MAP_SHARED, setup->fd,
	    0);
	if (p == MAP_FAILED) {
		r = -errno;
		(void)snprintf(why, why_len, "mmap: %s", strerror(-r));
		return (r);
	}
	(void)posix_madvise(p, (size_t)setup->size, advices[setup->madvise]);
	e = calloc(1, sizeof *e);
	if (e == NULL) {
		(void)munmap(p, (size_t)setup->size);
		return (-ENOMEM);
	}
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_bus;
	/* Left by a jump: SIGBUS must not stay blocked behind us. */
	sa.sa_flags = SA_NODEFER;
	(void)sigaction(SIGBUS, &sa, NULL);
	e->base.type = &bench_engine_mmap;
	e->base.depth = 1;
	e->p = p;
	e->len = (size_t)setup->size;
	*ret = &e->base;
	return (0);
}

static void
mapped_submit(struct bench_engine *base, struct bench_io *const *io, unsigned n)
{
	struct mapped *e = (struct mapped *)base;

	assert(n == 1 && e->io == NULL);
	e->io = io[0];
}

static int
mapped_reap(struct bench_engine *base, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	struct mapped *e = (struct mapped *)base;
	struct bench_io *io = e->io;

	assert(min <= 1 && max >= 1);
	if (io == NULL)
		return (wait_ns == 0 ? 0 : bench_engine_nap(wait_ns));
	e->io = NULL;
	ret[0] = io;
	if (io->offset > e->len || e->len - io->offset < io->len) {
		io->res = -EIO;
		return (1);
	}
	io->res = (int32_t)io->len;
	if (sigsetjmp(out, 0) != 0) {
		copying = 0;
		io->res = -EIO;
		return (1);
	}
	copying = 1;
	if (io->op == BENCH_OP_READ)
		memcpy(io->buf, e->p + io->offset, io->len);
	else
		memcpy(e->p + io->offset, io->buf, io->len);
	copying = 0;
	return (1);
}

static void
mapped_close(struct bench_engine **ep)
{
	struct mapped *e = (struct mapped *)*ep;

	(void)munmap(e->p, e->len);
	free(e);
	*ep = NULL;
}

const struct bench_engine_type bench_engine_mmap = {
	.name = "mmap",
	.help = "page faults, as Varnish's file storage; buffered",
	.synchronous = true,
	.open = mapped_open,
	.submit = mapped_submit,
	.reap = mapped_reap,
	.close = mapped_close,
};
