/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_asked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/diag.h"

/* "4096/60:65536/40", with fractions where fio has whole ones alone. */
static void
split(const struct bench_size *size, unsigned n, char *ret, size_t len)
{
	uint64_t total = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		total += size[i].share;
	for (i = 0; i < n && total > 0; i++)
		cli_append(ret, len, "%s%" PRIu32 "/%.6g", i > 0 ? ":" : "",
		    size[i].bytes, 100.0 * size[i].share / (double)total);
}

static void
set_sizes(json_t *o, const struct bench_shape *s)
{
	/* Of each size so many digits: a length, a share, two signs. */
	char buf[BENCH_OPS * BENCH_SIZES * 32] = "";
	bool mixed = false, any = false;
	unsigned op;

	for (op = 0; op < BENCH_OPS; op++)
		mixed = mixed || (bench_shape_does(s, (enum bench_op)op) &&
				     s->n_size[op] > 1);
	for (op = 0; op < BENCH_OPS; op++) {
		if (!bench_shape_does(s, (enum bench_op)op))
			continue;
		/* One for both, unless they differ. */
		if (any && s->n_size[0] == s->n_size[1] &&
		    memcmp(s->size[0], s->size[1],
			s->n_size[0] * sizeof *s->size[0]) == 0)
			break;
		cli_append(buf, sizeof buf, "%s", any ? "," : "");
		if (mixed)
			split(s->size[op], s->n_size[op], buf, sizeof buf);
		else
			cli_append(
			    buf, sizeof buf, "%" PRIu32, s->size[op][0].bytes);
		any = true;
	}
	bench_record_set(o, mixed ? "bssplit" : "bs", bench_record_string(buf));
}

json_t *
bench_report_options(const struct bench_result *r)
{
	static const char *const kinds[2][3] = {
		{ "write", "rw", "read" },
		{ "randwrite", "randrw", "randread" },
	};
	const struct bench_job *j = r->job;
	json_t *o = json_object();
	char buf[32];
	unsigned read = j->shape.read_percent == 0     ? 0
			: j->shape.read_percent == 100 ? 2
						       : 1;

	/* Strings, all of them, as fio has it. */
	bench_record_set(o, "name", bench_record_string(j->name));
	if (j->target != NULL)
		bench_record_set(o, "filename", bench_record_string(j->target));
	bench_record_set(o, "ioengine", bench_record_string(r->engine));
	bench_record_set(
	    o, "rw", bench_record_string(kinds[j->shape.random][read]));
	set_sizes(o, &j->shape);
	(void)snprintf(buf, sizeof buf, "%u", j->depth);
	bench_record_set(o, "iodepth", bench_record_string(buf));
	(void)snprintf(buf, sizeof buf, "%u", bench_job_batch(j));
	bench_record_set(o, "iodepth_batch", bench_record_string(buf));
	(void)snprintf(buf, sizeof buf, "%u", bench_job_reap(j));
	bench_record_set(
	    o, "iodepth_batch_complete_max", bench_record_string(buf));
	(void)snprintf(buf, sizeof buf, "%u", r->threads);
	bench_record_set(o, "numjobs", bench_record_string(buf));
	bench_record_set(
	    o, "direct", bench_record_string(j->buffered ? "0" : "1"));
	/* Options of these engines, at fio too. */
	if (strcmp(r->engine, "io_uring") == 0) {
		bench_record_set(o, "fixedbufs",
		    bench_record_string(j->plain_buffers ? "0" : "1"));
		bench_record_set(o, "registerfiles",
		    bench_record_string(j->plain_files ? "0" : "1"));
	}
	if (strcmp(r->engine, "libaio") == 0)
		bench_record_set(o, "userspace_reap",
		    bench_record_string(j->plain_reap ? "0" : "1"));
	if (j->poll)
		bench_record_set(o, "hipri", bench_record_string("1"));
	if (read == 1) {
		(void)snprintf(buf, sizeof buf, "%u", j->shape.read_percent);
		bench_record_set(o, "rwmixread", bench_record_string(buf));
	}
	(void)snprintf(buf, sizeof buf, "%" PRIu64, j->shape.span);
	bench_record_set(o, "size", bench_record_string(buf));
	if (j->sync != BENCH_SYNC_NONE)
		bench_record_set(o, "sync",
		    bench_record_string(
			j->sync == BENCH_SYNC_DSYNC ? "dsync" : "sync"));
	if (j->fsync > 0) {
		(void)snprintf(buf, sizeof buf, "%u", j->fsync);
		bench_record_set(o, "fdatasync", bench_record_string(buf));
	}
	if (j->runtime_ns > 0) {
		(void)snprintf(buf, sizeof buf, "%" PRIu64,
		    (j->runtime_ns + 999999999) / 1000000000);
		bench_record_set(o, "runtime", bench_record_string(buf));
	}
	return (o);
}

static json_t *
shares(const struct bench_size *size, unsigned n)
{
	json_t *a = json_array(), *o;
	double total = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		total += size[i].share;
	for (i = 0; i < n; i++) {
		o = json_object();
		bench_record_set(o, "bytes", json_integer(size[i].bytes));
		bench_record_set(
		    o, "percent", json_real(100.0 * size[i].share / total));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

json_t *
bench_report_streams(const struct bench_group *g)
{
	json_t *a = json_array(), *o;
	unsigned i;

	for (i = 0; i < g->n; i++) {
		const struct bench_job *j = &g->job[i];
		const struct bench_shape *s = &j->shape;
		enum bench_op op = bench_shape_does(s, BENCH_OP_READ)
				       ? BENCH_OP_READ
				       : BENCH_OP_WRITE;
		double rate = (j->rate[0] + j->rate[1]) * j->threads;

		o = json_object();
		bench_record_set(o, "name", bench_record_string(j->stream));
		bench_record_set(
		    o, "read_percent", json_integer(s->read_percent));
		bench_record_set(o, "sequential", json_boolean(!s->random));
		bench_record_set(o, "in_flight",
		    json_integer((json_int_t)j->depth * j->threads));
		bench_record_set(
		    o, "per_second", bench_record_above_zero(rate));
		bench_record_set(
		    o, "sizes", shares(s->size[op], s->n_size[op]));
		if (s->n_run > 0)
			bench_record_set(o, "runs", shares(s->run, s->n_run));
		(void)json_array_append_new(a, o);
	}
	return (a);
}
