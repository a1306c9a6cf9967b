/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/job.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void
bench_job_init(struct bench_job *j)
{
	memset(j, 0, sizeof *j);
	j->shape.random = true;
	j->shape.read_percent = 100;
	j->threads = 1;
	j->depth = 32;
	j->cpu = -1;
	bench_job_size(j, 4096);
}

void
bench_job_size(struct bench_job *j, uint32_t bytes)
{
	unsigned op;

	for (op = 0; op < BENCH_OPS; op++) {
		j->shape.size[op][0].bytes = bytes;
		j->shape.size[op][0].share = 1;
		j->shape.n_size[op] = 1;
	}
}

bool
bench_job_writes(const struct bench_job *j)
{
	return (bench_shape_does(&j->shape, BENCH_OP_WRITE));
}

bool
bench_job_paced(const struct bench_job *j)
{
	return (j->rate[0] > 0 || j->rate[1] > 0 || j->rate_bytes[0] > 0 ||
		j->rate_bytes[1] > 0);
}

unsigned
bench_job_batch(const struct bench_job *j)
{
	/* In peak mode the batch is of those that come back. */
	if (j->mode == BENCH_MODE_PEAK || j->batch == 0 || j->batch > j->depth)
		return (j->depth);
	return (j->batch);
}

unsigned
bench_job_reap(const struct bench_job *j)
{
	return (j->reap == 0 || j->reap > j->depth ? j->depth : j->reap);
}

static int
fits(uint64_t value, uint32_t align, const char *what, const char *where,
    struct bench_refusal *why)
{
	if (value % align == 0)
		return (0);
	if (align == 4096 && value % 512 == 0)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_ALIGN,
		    "%s: %s %" PRIu64 " is no multiple of %" PRIu32
		    ", which direct I/O needs here (a disk of 4096-byte "
		    "sectors)",
		    where, what, value, align));
	return (bench_refuse(why, EINVAL, BENCH_EXIT_ALIGN,
	    "%s: %s %" PRIu64 " is no multiple of %" PRIu32
	    ", which direct I/O needs here%s",
	    where, what, value, align,
	    value % 1000 == 0 && value % 512 != 0
		? " (4k is 4096 bytes, 4kB is 4000)"
		: ""));
}

static uint64_t
percent_of(uint64_t size, unsigned percent)
{
	return (size / 100 * percent + size % 100 * percent / 100);
}

static void
settle_offset(struct bench_shape *s, uint64_t size)
{
	uint32_t smallest = UINT32_MAX;
	unsigned op, i;
	uint64_t at;

	if (s->offset_percent == 0 && s->step_percent == 0)
		return;
	for (op = 0; op < BENCH_OPS; op++)
		for (i = 0; i < s->n_size[op]; i++)
			if (s->size[op][i].bytes < smallest)
				smallest = s->size[op][i].bytes;
	at = s->offset + percent_of(size, s->offset_percent) +
	     s->step * percent_of(size, s->step_percent);
	if (at % smallest != 0)
		at += smallest - at % smallest;
	s->offset = at;
	s->offset_percent = s->step_percent = 0;
}

void
bench_job_limit(struct bench_job *j, uint64_t bytes)
{
	uint32_t block = bench_shape_smallest(&j->shape);
	uint64_t over = block > 0 ? bytes % block : 0;

	j->limit_bytes = bytes + (over > 0 ? block - over : 0);
}

static void
settle_limit(struct bench_job *j, uint32_t align)
{
	uint64_t span = j->shape.span / align * align;
	unsigned rounds = j->limit_rounds > 0 ? j->limit_rounds : 1;

	if (j->limit_percent == 0)
		j->limit_bytes = span * rounds;
	else
		bench_job_limit(j, percent_of(span, j->limit_percent) * rounds);
}

int
bench_job_fit(struct bench_job *j, const char *where, uint64_t size,
    uint32_t align, struct bench_refusal *why)
{
	uint32_t largest = bench_shape_longest(&j->shape);
	unsigned op, i;
	int r = 0;

	settle_offset(&j->shape, size);
	for (op = 0; op < BENCH_OPS && r == 0; op++) {
		if (!bench_shape_does(&j->shape, (enum bench_op)op))
			continue;
		for (i = 0; i < j->shape.n_size[op] && r == 0; i++)
			r = fits(j->shape.size[op][i].bytes, align,
			    "block size", where, why);
	}
	for (i = 0; i < j->shape.n_run && r == 0; i++)
		r = fits(j->shape.run[i].bytes, align, "run", where, why);
	if (r == 0)
		r = fits(j->shape.offset, align, "offset", where, why);
	if (r == 0 && j->shape.align > 0)
		r = fits(j->shape.align, align, "alignment", where, why);
	if (r < 0)
		return (r);
	if (j->shape.offset >= size)
		return (bench_refuse(why, ENXIO, BENCH_EXIT_SMALL,
		    "%s: offset %" PRIu64 " is beyond its %" PRIu64 " bytes",
		    where, j->shape.offset, size));
	if (j->shape.span_percent > 0) {
		j->shape.span = percent_of(size, j->shape.span_percent);
		if (j->shape.span > size - j->shape.offset)
			j->shape.span = size - j->shape.offset;
		j->shape.span -= j->shape.span % align;
	}
	size -= j->shape.offset;
	if (j->shape.span > size)
		return (bench_refuse(why, ENXIO, BENCH_EXIT_SMALL,
		    "%s: size %" PRIu64 " is asked for, and only %" PRIu64
		    " bytes are there%s",
		    where, j->shape.span, size,
		    j->shape.offset > 0 ? " after the offset" : ""));
	if (j->shape.span == 0)
		j->shape.span = size;
	if (j->limit_whole_span && j->limit_bytes == 0)
		settle_limit(j, align);
	if (j->shape.span < largest)
		return (bench_refuse(why, ENXIO, BENCH_EXIT_SMALL,
		    "%s: smaller (%" PRIu64 " bytes) than one request "
		    "(%" PRIu32 ")",
		    where, j->shape.span, largest));
	if (!j->shape.random && !j->shape.overlap &&
	    j->shape.span / j->threads < largest)
		return (bench_refuse(why, ENXIO, BENCH_EXIT_SMALL,
		    "%s: %u sequential threads do not fit: each needs %" PRIu32
		    " of the %" PRIu64 " bytes; use fewer threads or a smaller "
		    "block size",
		    where, j->threads, largest, j->shape.span));
	return (0);
}
