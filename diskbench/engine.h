/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A way to ask the kernel for I/O.
 * Room: diskbench/, doing: an engine decides nothing and reads no clock.
 *
 * An engine belongs to one thread.  What is submitted may wait until the next
 * bench_engine_reap(), which hands over all of it with as few system calls as
 * the interface allows: on a fast device the calls are the cost.
 */
#ifndef DISKBENCH_ENGINE_H
#define DISKBENCH_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diskbench/workload.h"

/*
 * One I/O.  The caller's from reap to submit, the engine's from submit to
 * reap; it must stay where it is in between.
 */
struct bench_io {
	void *buf;
	uint64_t offset;
	uint32_t len;
	uint32_t slot; /* its place in the setup's array */
	enum bench_op op;
	int32_t res;    /* after reap: bytes moved, or -errno */
	uint64_t t_due; /* the runner's, as are those below */
	uint64_t t_sent;
	uint64_t more;  /* bytes of its run behind it */
	uint32_t piece; /* how many at a time */
};

/* Of engine mmap: what the kernel is told, as Varnish's file storage does. */
enum bench_madvise {
	BENCH_MADVISE_RANDOM = 0, /* no readahead */
	BENCH_MADVISE_NORMAL,
	BENCH_MADVISE_SEQUENTIAL,
	BENCH_MADVISES /* how many */
};
extern const char *const bench_madvise_names[BENCH_MADVISES + 1];

struct bench_engine_setup {
	int fd;
	uint64_t size;        /* of the target, bytes */
	struct bench_io *ios; /* all that will ever be in flight */
	unsigned depth;       /* how many: at least 1 */
	void *arena;          /* the memory that every ios[].buf lies in */
	size_t arena_len;
	bool plain_buffers, plain_files; /* do not register them */
	bool plain_reap; /* libaio: a call for what is done, each time */
	bool poll;       /* busy-wait in the kernel (IOPOLL) */
	bool writes;     /* the descriptor is open for writing */
	bool direct;     /* and goes past the page cache */
	bool any;        /* if another engine suits better, leave it to that */
	const char *sim; /* of engine sim: see engine_fake.c */
	enum bench_madvise madvise;
	uint64_t seed;
};

struct bench_engine;

struct bench_engine_type {
	const char *name;
	const char *help; /* half a line for --help and the manual */
	bool fake;        /* touches no disk */
	bool synchronous; /* one I/O at a time, whatever the depth */
	bool direct;      /* can do without the page cache */
	/*
	 * -errno, with a reason for people in why; in *why also what was asked
	 * for and done without ("" if nothing).
	 */
	int (*open)(struct bench_engine **ret,
	    const struct bench_engine_setup *, char *why, size_t why_len);
	void (*submit)(
	    struct bench_engine *, struct bench_io *const *, unsigned n);
	int (*reap)(struct bench_engine *, struct bench_io **, unsigned min,
	    unsigned max, uint64_t wait_ns);
	void (*close)(struct bench_engine **);
	/* NULL: real time.  Else the engine's own, in ns. */
	uint64_t (*now)(const struct bench_engine *);
};

/* What every engine's own struct begins with. */
struct bench_engine {
	const struct bench_engine_type *type;
	unsigned depth;   /* how many I/Os it can have in flight */
	unsigned flights; /* how many it has: submitted and not reaped */
};

/* All that this build has, best first; ends with NULL. */
extern const struct bench_engine_type *const bench_engines[];

/* By its own or fio's name for it ("sync", "pvsync2", "windowsaio" ... ); NULL
 * if this build has none such. */
const struct bench_engine_type *bench_engine_find(const char *name);

/*
 * name NULL: the first engine that works with this setup; *why then says why
 * the better ones did not ("" if the first did).  A name: this one or nothing.
 */
int bench_engine_open(struct bench_engine **ret, const char *name,
    const struct bench_engine_setup *, char *why, size_t why_len);
void bench_engine_close(struct bench_engine **);

/* Take over n I/Os; flights + n must not exceed depth.  Cannot fail: what the
 * kernel refuses comes back from reap with its errno in res. */
static inline void
bench_engine_submit(
    struct bench_engine *e, struct bench_io *const *io, unsigned n)
{
	e->flights += n;
	e->type->submit(e, io, n);
}

#define BENCH_FOREVER UINT64_MAX

/*
 * Hand over what was submitted, wait until min are done or wait_ns are over,
 * and return how many of them are in ret, at most max, max >= min.  With
 * nothing in flight it sleeps for wait_ns.
 *	-EINTR		a signal came first; nothing is lost
 *	other -errno	the interface itself failed: the run is over
 */
static inline int
bench_engine_reap(struct bench_engine *e, struct bench_io **ret, unsigned min,
    unsigned max, uint64_t wait_ns)
{
	int n = e->type->reap(e, ret, min, max, wait_ns);

	if (n > 0)
		e->flights -= (unsigned)n;
	return (n);
}

/* For engines: sleep, -EINTR if a signal ends it. */
int bench_engine_nap(uint64_t ns);
#endif
