/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diskbench precondition and diskbench pts: fill a drive, then measure it until
 * it is steady.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "diskbench/command.h"
#include "diskbench/comparison.h"
#include "diskbench/discard.h"
#include "diskbench/pts.h"
#include "diskbench/report_pts.h"

struct measuring {
	struct bench_call *call;
	struct bench_pts *p;
	struct bench_stand *stand;
	struct bench_run_control *control;
	struct bench_live *live;
	struct bench_pts_record record;
};

static int
print_text(FILE *f, const void *arg)
{
	const struct measuring *m = arg;

	return (bench_report_pts_text(f, m->p, &m->record));
}

static int
print_json(FILE *f, const void *arg)
{
	const struct measuring *m = arg;

	return (bench_report_pts_json(f, m->p, &m->record));
}

/*
 * Run the job as it is now; *rep is the caller's.  1: it counts; 0: it was cut
 * short by a signal, or by an error that was to stop it.
 */
static int
measure(
    struct measuring *m, struct bench_report *rep, struct bench_refusal *why)
{
	struct bench_pts_record *c = &m->record;
	const struct bench_result *result;
	uint64_t errors = 0;
	unsigned op;
	int r;

	r = bench_stand_run(m->stand, m->control, rep, why);
	if (r < 0)
		return (r);
	result = rep->group[0].result;
	bench_verdict_merge(&c->warned, &rep->group[0].verdict);
	memcpy(c->engine, result->engine, sizeof c->engine);
	c->identity = rep->group[0].identity;
	for (op = 0; op < BENCH_OPS; op++)
		errors += result->side[op].errors;
	c->errors += errors;
	return (rep->complete && (errors == 0 || m->stand->job[0].on_error ==
						     BENCH_ON_ERROR_CONTINUE));
}

/* The filling over time, in as many values as there is room for. */
static void
keep_trace(struct bench_pts_fill *f, const struct bench_series *s)
{
	unsigned each = (s->n + BENCH_PTS_TRACE - 1) / BENCH_PTS_TRACE, i, k;

	f->n = 0;
	for (i = 0; each > 0 && i < s->n; i += each) {
		uint64_t bytes = 0, ns = 0;

		for (k = i; k < i + each && k < s->n; k++) {
			bytes += s->step[k].side[BENCH_OP_WRITE].bytes;
			ns += s->step[k].covered_ns;
		}
		/* The last one is what is left over. */
		if (ns * 2 >= each * s->step_ns)
			f->trace[f->n++] = (double)bytes * 1e9 / (double)ns;
	}
	f->step_ns = each * s->step_ns;
}

static int
fill(struct measuring *m, struct bench_refusal *why)
{
	struct bench_pts *p = m->p;
	struct bench_job *j = m->stand->job, before = *j;
	const struct bench_result *result;
	struct bench_report rep;
	int r;

	if (p->fill.wanted == 0)
		return (1);
	(void)snprintf(m->live->prefix, sizeof m->live->prefix, "filling: ");
	bench_job_size(j, BENCH_PTS_FILL);
	j->shape.random = false;
	j->shape.read_percent = 0;
	j->depth = 32;
	j->threads = 1;
	j->limit_bytes = p->fill.wanted;
	j->runtime_ns = p->fill.limit_ns;
	r = measure(m, &rep, why);
	*j = before;
	if (r < 0)
		return (r);
	result = rep.group[0].result;
	p->fill.written = result->side[BENCH_OP_WRITE].all_bytes;
	p->fill.elapsed_ns = result->whole_ns;
	keep_trace(&p->fill, result->series);
	bench_report_fini(&rep);
	return (r);
}

static void
keep_value(struct bench_pts_value *v, const struct bench_result *result)
{
	double got[BENCH_METRICS];
	unsigned op;

	bench_comparison_read(got, result);
	v->iops = got[BENCH_METRIC_IOPS];
	v->bytes_per_s = got[BENCH_METRIC_BYTES];
	v->mean_ns = got[BENCH_METRIC_MEAN];
	v->p99_ns = got[BENCH_METRIC_P99];
	v->max_ns = 0;
	for (op = 0; op < BENCH_OPS; op++)
		if (result->side[op].service.count > 0 &&
		    (double)result->side[op].service.max > v->max_ns)
			v->max_ns = (double)result->side[op].service.max;
}

/* "round 3/25, cell 4/56, at most 1h02m: " */
static void
prefix(struct measuring *m, unsigned cell)
{
	const struct bench_pts *p = m->p;
	uint64_t cells =
	    (uint64_t)(p->rounds_max - p->rounds) * p->cells - cell;
	uint64_t s = cells * p->runtime_ns / 1000000000;
	char left[32];

	if (s >= 3600)
		(void)snprintf(left, sizeof left, "%" PRIu64 "h%02" PRIu64 "m",
		    s / 3600, s / 60 % 60);
	else
		(void)snprintf(left, sizeof left, "%" PRIu64 "m%02" PRIu64 "s",
		    s / 60, s % 60);
	(void)snprintf(m->live->prefix, sizeof m->live->prefix,
	    "round %u/%u, cell %u/%u, at most %s: ", p->rounds + 1,
	    p->rounds_max, cell + 1, p->cells, left);
}

static int
measure_round(struct measuring *m, struct bench_refusal *why)
{
	struct bench_pts *p = m->p;
	struct bench_job *j = m->stand->job;
	const uint64_t seed = m->record.seed;
	struct bench_report rep;
	unsigned i;
	int r = 1;

	for (i = 0; i < p->cells && r == 1; i++) {
		prefix(m, i);
		bench_job_size(j, p->cell[i].bytes);
		j->shape.random = p->random;
		j->shape.read_percent = p->cell[i].read_percent;
		j->runtime_ns = p->runtime_ns;
		j->seed = seed + (uint64_t)p->rounds * p->cells + i + 1;
		r = measure(m, &rep, why);
		if (r < 0)
			return (r);
		keep_value(bench_pts_at(p, p->rounds, i), rep.group[0].result);
		p->written +=
		    rep.group[0].result->side[BENCH_OP_WRITE].all_bytes;
		bench_report_fini(&rep);
	}
	if (r == 1)
		p->rounds++;
	return (r);
}

static int
measure_all(struct measuring *m, struct bench_refusal *why)
{
	struct bench_pts *p = m->p;
	int r;

	r = fill(m, why);
	while (r == 1 && bench_pts_more(p))
		r = measure_round(m, why);
	p->interrupted = r == 0;
	return (r < 0 ? r : 0);
}

static int
finish(struct measuring *m)
{
	struct bench_pts_record *c = &m->record;

	c->signal = bench_call_signal(m->call);
	bench_pts_decide(m->p);
	return (bench_call_finish(m->call, &c->warned, c->signal, c->errors,
	    print_text, print_json, m));
}

/* What the plan is, now that the drive is known. */
static int
plan(struct measuring *m, struct bench_refusal *why)
{
	const struct bench_target *t = m->stand->target[0];
	const struct bench_job *j = m->stand->job;
	struct bench_pts *p = m->p;
	uint64_t least;

	/* That the budget is enough was seen when the options were read: a
	 * drive takes cells away, and never adds one. */
	(void)bench_pts_plan(p, &m->call->options->pts, j->shape.span,
	    j->buffered ? 1 : t->geometry.align, &least);
	if (p->cells == 0 && p->wish.test != BENCH_PTS_PRECONDITION)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_ALIGN,
		    "%s: no size of this test fits: it takes multiples of %u "
		    "bytes, and %" PRIu64 " are used",
		    j->target, t->geometry.align, j->shape.span));
	if (p->fill.wanted > 0 && j->shape.span < BENCH_PTS_FILL)
		return (bench_refuse(why, ENOSPC, BENCH_EXIT_SMALL,
		    "%s: smaller than one of the writes that fill it, 128 KiB",
		    j->target));
	m->record.offset = j->shape.offset;
	m->record.depth = j->depth;
	m->record.threads = j->threads;
	if (!p->wish.discard)
		return (0);
	p->discarded = true;
	return (bench_discard(t, j->shape.offset, j->shape.span, why));
}

static int
pts(struct measuring *m)
{
	struct bench_options *o = m->call->options;
	const struct bench_consent consent = { o->token, o->overwrite_data };
	struct bench_refusal why;
	int r;

	r = bench_stand_open(
	    m->stand, o->job, 1, &consent, m->call->stop, &why);
	if (r < 0)
		return (bench_call_refused(m->call, &why));
	r = plan(m, &why);
	if (r == 0) {
		bench_call_confine(m->call);
		bench_live_start(m->live, m->call, m->control);
		r = measure_all(m, &why);
		bench_live_end(m->live);
	}
	r = r < 0 ? bench_call_refused(m->call, &why) : finish(m);
	bench_stand_close(m->stand);
	return (r);
}

int
bench_cmd_pts(struct bench_call *call)
{
	struct bench_options *o = call->options;
	struct bench_run_control control = { 0 };
	struct bench_live live = { 0 };
	struct bench_stand stand;
	struct measuring m = { .call = call,
		.p = calloc(1, sizeof *m.p),
		.stand = &stand,
		.control = &control,
		.live = &live };
	int r;

	if (m.p == NULL) {
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	m.record.path = o->job[0].target;
	m.record.seed = o->job[0].seed;
	m.record.argv = call->argv;
	m.record.argc = call->argc;
	bench_verdict_init(&m.record.warned);
	r = pts(&m);
	free(m.p);
	return (r);
}
