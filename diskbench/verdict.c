/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diskbench/plateau.h"

/* Drives whose makers name no limit slow down at 70 to 85 C. */
#define HOT_MC 70000
/* Caches in drives are a tenth to a third of them. */
#define CACHE_SHARE 4

void
bench_verdict_init(struct bench_verdict *v)
{
	v->n = 0;
}

void
bench_verdict_add(struct bench_verdict *v, const char *id, const char *fmt, ...)
{
	struct bench_warning *w;
	va_list ap;
	unsigned i;

	for (i = 0; i < v->n; i++)
		if (strcmp(v->warning[i].id, id) == 0)
			return;
	if (v->n == BENCH_WARNINGS)
		return;
	w = &v->warning[v->n++];
	w->id = id;
	va_start(ap, fmt);
	(void)vsnprintf(w->text, sizeof w->text, fmt, ap);
	va_end(ap);
}

/*
 * Our count against the device's.  Less there: something answered from memory.
 * More there: somebody else was at it, and the result is not about us alone.
 */
static void
counts(struct bench_verdict *v, const struct bench_result *r)
{
	static const char *const verb[] = { "read", "written" };
	unsigned op;

	if (!r->device.known || r->lost > 0)
		return;
	for (op = 0; op < BENCH_OPS; op++) {
		double ours = (double)r->side[op].all_bytes;
		double theirs = (double)r->device.sectors[op] * 512;

		/* Devices without statistics (zram, some file systems'). */
		if (r->device.ios[0] + r->device.ios[1] == 0 &&
		    r->device.busy_ms == 0 && !r->job->buffered) {
			bench_verdict_add(v, "no-device-counts",
			    "the device counted no I/O at all: it keeps no "
			    "statistics, or the I/O never reached it");
			return;
		}
		if (ours < 65536)
			continue;
		/* What is buffered waits for its writing at the end. */
		if (theirs < (r->job->buffered ? 0.9 : 0.95) * ours)
			bench_verdict_add(v,
			    op == BENCH_OP_READ ? "page-cache" : "write-cache",
			    "of %.1f MiB %s, the device saw %.1f: the rest was "
			    "memory, not the drive",
			    ours / 1048576, verb[op], theirs / 1048576);
		else if (theirs > 1.05 * ours && theirs - ours > 1048576)
			bench_verdict_add(v, "other-io",
			    "of %.1f MiB %s, the device saw %.1f: somebody "
			    "else used it, or it was read ahead",
			    ours / 1048576, verb[op], theirs / 1048576);
	}
}

static void
depth(struct bench_verdict *v, const struct bench_result *r)
{
	double got = bench_result_device_depth(r), want;

	want = (double)r->depth * r->threads;
	if (r->depth < r->job->depth)
		bench_verdict_add(v, "depth-ignored",
		    "depth %u is asked for, and engine %s keeps %u in flight "
		    "for each thread",
		    r->job->depth, r->engine, r->depth);
	/* Depth is a limit, not an aim, where requests come by the clock. */
	if (r->paced || got < 0 || want < 4)
		return;
	if (got < want / 2)
		bench_verdict_add(v, "depth-not-reached",
		    "%.0f I/Os in flight are asked for, the device had %.1f on "
		    "average: %s",
		    want, got,
		    r->job->buffered ? "buffered I/O is not asynchronous"
				     : "the program, or a throttle in front "
				       "of the device, was the limit");
}

static void
pacing(struct bench_verdict *v, const struct bench_result *r)
{
	uint64_t n = r->side[0].ios + r->side[1].ios;

	if (!r->paced)
		return;
	if (r->late > 0 && n > 0 && r->late * 1000 > n)
		bench_verdict_add(v, "depth-cap",
		    "%" PRIu64 " of %" PRIu64 " requests waited here because "
		    "%u were in flight already; their response times have "
		    "that wait in them",
		    r->late, n, r->depth * r->threads);
	if (r->unserved > 0)
		bench_verdict_add(v, "unserved",
		    "%" PRIu64 " requests were due and never sent: the rate is "
		    "more than the target can do; no percentile has them",
		    r->unserved);
	if (r->lag.count > 0 && r->late == 0 &&
	    bench_hist_quantile(&r->lag, 0.99) > 1000000)
		bench_verdict_add(v, "generator-late",
		    "1%% of the requests were sent more than %.1f ms after "
		    "they were due: this machine, not the device",
		    (double)bench_hist_quantile(&r->lag, 0.99) / 1e6);
}

/* Two levels have a mean that the drive never had. */
static void
levels(struct bench_verdict *v, const struct bench_result *r)
{
	struct bench_plateau p[BENCH_PLATEAUS];
	unsigned n = bench_plateau_find(p, r->series), i, high = 0, low = 0;

	/* A rate that was asked for says nothing of the drive. */
	if (r->paced || n < 2)
		return;
	for (i = 1; i < n; i++) {
		if (p[i].bytes_per_s > p[high].bytes_per_s)
			high = i;
		if (p[i].bytes_per_s < p[low].bytes_per_s)
			low = i;
	}
	if (p[n - 1].bytes_per_s < 0.8 * p[high].bytes_per_s)
		bench_verdict_add(v, "throttled",
		    "the rate fell: %.1f MB/s (burst) until %.1f s, %.1f MB/s "
		    "(sustained) from %.1f s to the end; a cache in the drive "
		    "was full, or it was too hot, or something slowed it "
		    "down, and the mean is neither of them",
		    p[high].bytes_per_s / 1e6, (double)p[high].to_ns / 1e9,
		    p[n - 1].bytes_per_s / 1e6, (double)p[n - 1].from_ns / 1e9);
	else if (p[low].bytes_per_s < 0.8 * p[high].bytes_per_s)
		bench_verdict_add(v, "uneven",
		    "the rate was not the same all the time: %.1f MB/s from "
		    "%.1f to %.1f s, and up to %.1f MB/s at other times",
		    p[low].bytes_per_s / 1e6, (double)p[low].from_ns / 1e9,
		    (double)p[low].to_ns / 1e9, p[high].bytes_per_s / 1e6);
}

/* What the place of the drive and its state do to it. */
static void
surroundings(struct bench_verdict *v, const struct bench_result *r)
{
	const struct bench_identity *id = &r->target->identity;
	unsigned limit =
	    id->temperature_limit_mc > 0 ? id->temperature_limit_mc : HOT_MC;
	uint64_t written = r->side[BENCH_OP_WRITE].all_bytes;
	bool memory = strcmp(id->transport, "loop") == 0 ||
		      strcmp(id->transport, "zram") == 0 ||
		      strcmp(id->transport, "ram") == 0;

	if (r->heat_mc >= limit)
		bench_verdict_add(v, "hot",
		    "the drive was at %.0f C (%.0f when it was opened); drives "
		    "slow down to protect themselves, this one above %.0f C%s",
		    r->heat_mc / 1e3, id->temperature_mc / 1e3, limit / 1e3,
		    id->temperature_limit_mc > 0 ? "" : " or so");
	if (id->numa_node >= 0 && id->numa_node < 64 &&
	    (r->nodes & ~(UINT64_C(1) << id->numa_node)) != 0)
		bench_verdict_add(v, "numa",
		    "the drive hangs on NUMA node %d, and threads ran on "
		    "another one: use --cpu with a CPU of node %d (lscpu "
		    "lists them)",
		    id->numa_node, id->numa_node);
	if (written > 0 && r->target->is_disk && !id->rotational && !memory &&
	    written < r->target->size / CACHE_SHARE)
		bench_verdict_add(v, "short-write",
		    "%.1f GB were written to a drive of %.1f GB: a cache "
		    "within the drive may have taken them all; what it "
		    "sustains shows after more than that",
		    (double)written / 1e9, (double)r->target->size / 1e9);
}

void
bench_verdict_merge(struct bench_verdict *v, const struct bench_verdict *more)
{
	unsigned i;

	for (i = 0; i < more->n; i++)
		bench_verdict_add(
		    v, more->warning[i].id, "%s", more->warning[i].text);
}

void
bench_verdict_drop(struct bench_verdict *v, const char *id)
{
	unsigned i;

	for (i = 0; i < v->n; i++) {
		if (strcmp(v->warning[i].id, id) != 0)
			continue;
		v->n--;
		memmove(&v->warning[i], &v->warning[i + 1],
		    (v->n - i) * sizeof v->warning[i]);
		return;
	}
}

void
bench_verdict_judge(struct bench_verdict *v, const struct bench_result *r)
{
	unsigned op;
	uint64_t errors = r->side[0].errors + r->side[1].errors;

	if (r->job->buffered && r->target != NULL)
		bench_verdict_add(v, "buffered",
		    "through the page cache, as asked: this measures memory "
		    "as well as the drive");
	if (r->target != NULL && r->target->direct_unproven)
		bench_verdict_add(v, "direct-unproven",
		    "the file system takes O_DIRECT and does not say that it "
		    "means it");
	if (r->target != NULL) {
		counts(v, r);
		depth(v, r);
		surroundings(v, r);
	}
	levels(v, r);
	pacing(v, r);
	if (errors > 0)
		bench_verdict_add(v, "io-errors",
		    "%" PRIu64 " I/Os failed and are in no other number",
		    errors);
	if (r->lost > 0)
		bench_verdict_add(
		    v, "lost", "%" PRIu64 " I/Os never came back", r->lost);
	if (r->job->mode == BENCH_MODE_PEAK)
		bench_verdict_add(v, "peak-mode",
		    "one time for each batch of %u: latencies include the wait "
		    "for the batch",
		    r->job->batch);
	if (r->engine_note[0] != '\0')
		bench_verdict_add(v, "engine-note", "engine %s; %s", r->engine,
		    r->engine_note);
	if (r->steal_percent > 5)
		bench_verdict_add(v, "steal",
		    "the hypervisor took %.0f%% of the CPU time: another run "
		    "may differ",
		    r->steal_percent);
	if (r->target != NULL && r->whole_ns > 0 &&
	    (double)r->wait_ns > 0.1 * (double)r->whole_ns)
		bench_verdict_add(v, "cpu-wait",
		    "a thread was ready and had no CPU for %.0f%% of the time: "
		    "other programs are using this machine, and part of each "
		    "latency is theirs",
		    100 * (double)r->wait_ns / (double)r->whole_ns);
	if (r->target != NULL && r->elapsed_ns > 0 && !r->paced &&
	    r->job->engine == NULL &&
	    (double)r->busy_ns > 0.95 * (double)r->whole_ns)
		bench_verdict_add(v, "cpu-bound",
		    "a thread was busy all the time: the program or the CPU "
		    "was the limit, not the device; use more --threads");
	for (op = 0; op < BENCH_OPS; op++) {
		if (bench_shape_does(&r->job->shape, (enum bench_op)op) &&
		    r->side[op].ios == 0 && r->side[op].errors == 0 &&
		    r->complete)
			bench_verdict_add(
			    v, "nothing-done", "no I/O was completed");
	}
}

int
bench_verdict_content(struct bench_verdict *v, const struct bench_content *c,
    const char *path, bool allow_unwritten, struct bench_refusal *why)
{
	unsigned data = c->blocks - c->zero, empty;

	if (c->blocks == 0)
		return (0);
	empty = c->zero * 100 / c->blocks;
	if (c->unwritten_percent > (int)empty)
		empty = (unsigned)c->unwritten_percent;
	if (empty >= 50 && !allow_unwritten)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_UNWRITTEN,
		    "%s: %u%% of it was never written or is all zeros: the "
		    "drive has nothing to read there, and would look far too "
		    "fast; fill it first, or say --allow-unwritten",
		    path, empty));
	if (empty >= 2)
		bench_verdict_add(v, "unwritten",
		    "about %u%% of %s was never written or is all zeros; reads "
		    "of that are faster than reads of data",
		    empty, path);
	if (data >= 8 && c->entropy < 7)
		bench_verdict_add(v, "compressible",
		    "what is on %s can be compressed (%.1f bits a byte): "
		    "drives and file systems that do so read less",
		    path, c->entropy);
	if (data >= 8 && c->copies * 4 > data)
		bench_verdict_add(v, "duplicates",
		    "%u of %u blocks looked at on %s are copies of others: "
		    "where those are stored once they are in a cache",
		    c->copies, data, path);
	return (0);
}

void
bench_verdict_align(struct bench_verdict *v, const struct bench_job *j,
    const struct bench_target *t)
{
	uint32_t unit = t->geometry.physical, step;

	/* A file's place on its disk is not known; powers of two only. */
	if (!t->is_disk || unit <= t->geometry.logical)
		return;
	step = j->shape.align > 0 ? j->shape.align
				  : bench_shape_smallest(&j->shape);
	if (step % unit != 0 || j->shape.offset % unit != 0)
		bench_verdict_add(v, "misaligned",
		    "requests are not aligned to the %u bytes that %s reads "
		    "and writes at once (it takes %u, and makes two I/Os or a "
		    "read and a write of it)",
		    unit, t->path, t->geometry.logical);
}

void
bench_verdict_jobs(
    struct bench_verdict *v, const struct bench_job *job, unsigned n)
{
	unsigned i, k;

	for (i = 0; i < n; i++) {
		const struct bench_job *a = &job[i];

		if (!a->shape.random && a->shape.overlap && a->threads > 1)
			bench_verdict_add(v, "overlapping-streams",
			    "%u sequential threads read the same blocks, as "
			    "asked: all but one find them in a cache",
			    a->threads);
		for (k = i + 1; k < n; k++) {
			const struct bench_job *b = &job[k];

			if (a->shape.random || b->shape.random ||
			    a->target == NULL || b->target == NULL ||
			    strcmp(a->target, b->target) != 0 ||
			    (a->parts > 1 && a->parts == b->parts &&
				a->part != b->part) ||
			    b->stonewall)
				continue;
			if (a->shape.offset < b->shape.offset + b->shape.span &&
			    b->shape.offset < a->shape.offset + a->shape.span)
				bench_verdict_add(v, "overlapping-streams",
				    "jobs %s and %s go through the same blocks "
				    "of %s in the same order: one of them "
				    "finds them in a cache",
				    a->name, b->name, a->target);
		}
	}
}
