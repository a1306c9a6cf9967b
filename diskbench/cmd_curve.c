/* SPDX-License-Identifier: BSD-2-Clause */
/* diskbench curve: how fast at each place, how long to get there. */
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "diskbench/command.h"
#include "diskbench/curve.h"
#include "diskbench/report_curve.h"

struct measuring {
	struct bench_call *call;
	struct bench_curve *c;
	struct bench_stand *stand;
	struct bench_run_control *control;
	struct bench_live *live;
};

static int
print_text(FILE *f, const void *arg)
{
	const struct measuring *m = arg;

	return (bench_report_curve_text(f, m->c));
}

static int
print_json(FILE *f, const void *arg)
{
	const struct measuring *m = arg;

	return (bench_report_curve_json(f, m->c, m->call->argv, m->call->argc));
}

/*
 * Run one of the stand's jobs; p gets what was read.  1: it counts; 0: it was
 * cut short by a signal, or by an error that was to stop it.
 */
static int
measure(struct measuring *m, unsigned which, struct bench_curve_point *p,
    struct bench_refusal *why)
{
	struct bench_stand one = {
		.job = &m->stand->job[which], .n = 1, .before = m->stand->before
	};
	struct bench_curve *c = m->c;
	const struct bench_result *result;
	const struct bench_side *side;
	struct bench_report rep;
	int r;

	one.target[0] = m->stand->target[which];
	r = bench_stand_run(&one, m->control, &rep, why);
	if (r < 0)
		return (r);
	result = rep.group[0].result;
	side = &result->side[BENCH_OP_READ];
	bench_verdict_merge(&c->warned, &rep.group[0].verdict);
	memcpy(c->engine, result->engine, sizeof c->engine);
	c->identity = rep.group[0].identity;
	c->errors += side->errors;
	r = rep.complete &&
	    (side->errors == 0 || one.job->on_error == BENCH_ON_ERROR_CONTINUE);
	if (p != NULL && r == 1) {
		p->bytes = side->bytes;
		p->elapsed_ns = result->elapsed_ns;
		p->bytes_per_s =
		    bench_result_bytes_per_s(result, BENCH_OP_READ);
		p->whole = side->bytes >= one.job->limit_bytes;
	}
	bench_report_fini(&rep);
	return (r);
}

static int
measure_all(struct measuring *m, struct bench_refusal *why)
{
	unsigned order[BENCH_CURVE_POINTS_MAX], i;
	struct bench_curve *c = m->c;
	struct bench_job *j = m->stand->job;
	int r = 1;

	bench_curve_order(c, order);
	for (i = 0; i < c->planned && r == 1; i++) {
		struct bench_curve_point *p = &c->point[order[i]];

		(void)snprintf(m->live->prefix, sizeof m->live->prefix,
		    "point %u/%u: ", i + 1, c->planned);
		/* Within what was examined, and none of it twice: the second
		 * time it might come from the drive's memory. */
		j[0].shape.offset = p->offset;
		j[0].shape.span = c->part;
		j[0].limit_bytes = c->part;
		r = measure(m, 0, p, why);
		if (r == 1)
			c->n++;
	}
	if (r == 1 && c->access.max > 0) {
		(void)snprintf(
		    m->live->prefix, sizeof m->live->prefix, "access times: ");
		r = measure(m, 1, NULL, why);
	}
	c->complete = r == 1;
	return (r < 0 ? r : 0);
}

static int
finish(struct measuring *m)
{
	struct bench_curve *c = m->c;
	double *scratch = calloc((size_t)c->access.n + 1, sizeof *scratch);

	if (scratch == NULL) {
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	c->signal = bench_call_signal(m->call);
	bench_curve_decide(c, scratch);
	free(scratch);
	return (bench_call_finish(m->call, &c->warned, c->signal, c->errors,
	    print_text, print_json, m));
}

static int
curve(struct measuring *m)
{
	const struct bench_consent none = { NULL, false };
	struct bench_options *o = m->call->options;
	struct bench_curve *c = m->c;
	struct bench_refusal why;
	int r;

	r = bench_stand_open(
	    m->stand, o->job, o->n_job, &none, m->call->stop, &why);
	if (r < 0)
		return (bench_call_refused(m->call, &why));
	bench_call_confine(m->call);
	bench_curve_plan(c, o->job[0].shape.offset, o->job[0].shape.span);
	if (c->planned < o->points)
		cli_note("%s is small: %u points, one a MiB, in place of %u",
		    c->path, c->planned, o->points);
	bench_live_start(m->live, m->call, m->control);
	r = measure_all(m, &why);
	bench_live_end(m->live);
	r = r < 0 ? bench_call_refused(m->call, &why) : finish(m);
	bench_stand_close(m->stand);
	return (r);
}

int
bench_cmd_curve(struct bench_call *call)
{
	struct bench_options *o = call->options;
	struct bench_curve *c = calloc(1, sizeof *c);
	struct bench_run_control control = { 0 };
	struct bench_live live = { 0 };
	struct bench_stand stand;
	struct measuring m = { call, c, &stand, &control, &live };
	int r;

	if (c != NULL)
		c->access.dot =
		    calloc((size_t)o->accesses + 1, sizeof *c->access.dot);
	if (c == NULL || c->access.dot == NULL) {
		free(c);
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	c->planned = o->points;
	c->runtime_ns = o->job[0].runtime_ns;
	c->budget_ns = o->budget_ns;
	c->shorter = o->shorter;
	c->seed = o->job[0].seed;
	c->path = o->job[0].target;
	c->access.max = o->accesses;
	o->job[1].trail = &c->access;
	bench_verdict_init(&c->warned);
	r = curve(&m);
	free(c->access.dot);
	free(c);
	return (r);
}
