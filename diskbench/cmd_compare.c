/* SPDX-License-Identifier: BSD-2-Clause */
/* diskbench compare: two sides, in pairs next to each other. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/diag.h"
#include "diskbench/command.h"
#include "diskbench/comparison.h"
#include "diskbench/content.h"
#include "diskbench/random.h"
#include "diskbench/sides.h"

struct printed {
	const struct bench_comparison *comparison;
	const struct bench_call *call;
};

static int
print_text(FILE *f, const void *arg)
{
	const struct printed *p = arg;

	return (bench_report_compare_text(f, p->comparison));
}

static int
print_json(FILE *f, const void *arg)
{
	const struct printed *p = arg;

	return (bench_report_compare_json(f, p->comparison, p->call->argv,
	    p->call->argc, bench_call_signal(p->call)));
}

/* Spans that differ are another test: both get the smaller one. */
static void
same_span(struct bench_stand *s)
{
	uint64_t span = s->job[0].shape.span;

	if (s->job[1].shape.span == span)
		return;
	if (s->job[1].shape.span < span)
		span = s->job[1].shape.span;
	cli_note("the sides differ in size: of both the first %" PRIu64
		 " MiB are used; --size and --offset say others",
	    span >> 20);
	s->job[0].shape.span = s->job[1].shape.span = span;
}

/* How much of it was never written, in hundredths.  Negative: not known. */
static int
never_written(const struct bench_stand *s, unsigned k)
{
	const struct bench_job *j = &s->job[k];
	struct bench_content c;
	int zero;

	if (bench_content_sample(
		s->target[k]->fd, j->shape.offset, j->shape.span, 64, &c) < 0 ||
	    c.blocks == 0)
		return (-1);
	zero = (int)(100 * c.zero / c.blocks);
	return (c.unwritten_percent > zero ? c.unwritten_percent : zero);
}

/* Two names can be one drive, and a difference then is chance alone. */
static int
two_places(const struct bench_stand *s, struct bench_refusal *why)
{
	struct stat a, b;

	if (s->target[0] != s->target[1]) {
		if (fstat(s->target[0]->fd, &a) < 0 ||
		    fstat(s->target[1]->fd, &b) < 0)
			return (bench_refuse(why, errno, BENCH_EXIT_INTERNAL,
			    "fstat: %s", strerror(errno)));
		if (S_ISREG(a.st_mode) || S_ISREG(b.st_mode)
			? a.st_dev != b.st_dev || a.st_ino != b.st_ino
			: a.st_rdev != b.st_rdev)
			return (0);
	}
	return (bench_refuse(why, EINVAL, BENCH_EXIT_USAGE,
	    "%.200s and %.200s are one and the same; --aa measures one against "
	    "itself",
	    s->job[0].target, s->job[1].target));
}

/* A drive that has nothing to read is fast: that would be the difference. */
static int
same_content(const struct bench_stand *s, struct bench_refusal *why)
{
	int a, b;

	if (s->target[0] == s->target[1] || s->job[0].shape.read_percent == 0)
		return (0);
	a = never_written(s, 0);
	b = never_written(s, 1);
	if (a < 0 || b < 0 || abs(a - b) <= 25)
		return (0);
	return (bench_refuse(why, EINVAL, BENCH_EXIT_STATES,
	    "the sides are not in one state: of A %d %% was never written, of "
	    "B %d %%; fill both alike (diskbench precondition), or say "
	    "--different",
	    a, b));
}

/* The best engine that works need not be the same one on both. */
static int
same_engine(const struct bench_comparison *c, struct bench_refusal *why)
{
	if (c->kind == BENCH_COMPARED_BUFFERED ||
	    strcmp(c->engine[0], c->engine[1]) == 0)
		return (0);
	return (bench_refuse(why, EINVAL, BENCH_EXIT_STATES,
	    "the sides are measured with different engines, A with %s and B "
	    "with %s; name one that works on both with --engine, or say "
	    "--different",
	    c->engine[0], c->engine[1]));
}

struct measuring {
	struct bench_comparison *c;
	bool different; /* also what differs in more than the drive */
	struct bench_stand *stand;
	struct bench_run_control *control;
	struct bench_live *live;
	struct bench_verdict warned;
	int exit;
};

/* One run of one side.  1: it counts; 0: it was cut short. */
static int
measure(struct measuring *m, unsigned side, struct bench_pair *pair,
    struct bench_refusal *why)
{
	struct bench_stand one = {
		.job = &m->stand->job[side], .n = 1, .before = m->stand->before
	};
	struct bench_comparison *c = m->c;
	struct bench_report rep;
	unsigned left = 2 * (c->planned - c->n);
	double s;
	int r;

	s = left * (double)(one.job->runtime_ns + one.job->ramp_ns) / 1e9;
	(void)snprintf(m->live->prefix, sizeof m->live->prefix,
	    "pair %u/%u, %.0fm%02.0fs left: ", c->n + 1, c->planned,
	    s >= 60 ? (double)((unsigned)s / 60) : 0,
	    (double)((unsigned)s % 60));
	one.target[0] = m->stand->target[side];
	r = bench_stand_run(&one, m->control, &rep, why);
	if (r < 0)
		return (r);
	r = rep.complete ? 1 : 0;
	bench_verdict_merge(&m->warned, &rep.group[0].verdict);
	if (bench_call_exit(&rep) != 0)
		m->exit = BENCH_EXIT_ERRORS;
	memcpy(c->engine[side], rep.group[0].result->engine,
	    sizeof c->engine[side]);
	c->identity[side] = rep.group[0].identity;
	bench_comparison_read(pair->value[side], rep.group[0].result);
	bench_report_fini(&rep);
	return (r);
}

static int
measure_pairs(struct measuring *m, struct bench_refusal *why)
{
	struct bench_comparison *c = m->c;
	struct bench_random random;
	unsigned k;
	int r = 1;

	bench_random_init(&random, c->seed, 1);
	while (c->n < c->planned && r == 1) {
		struct bench_pair *p = &c->pair[c->n];

		/* Drift that favours the first would otherwise be A's. */
		p->b_first = bench_random_below(&random, 2) == 1;
		for (k = 0; k < 2 && r == 1; k++) {
			/* Both sides of a pair ask for the same blocks, the
			 * next pair for others. */
			m->stand->job[k].seed = c->seed + c->n;
			r = measure(m, p->b_first ? 1 - k : k, p, why);
		}
		if (r == 1)
			c->n++;
		if (r == 1 && c->n == 1 && !m->different)
			r = same_engine(c, why) < 0 ? -EINVAL : 1;
	}
	c->complete = c->n == c->planned;
	return (r < 0 ? r : 0);
}

static int
finish(struct bench_call *call, struct measuring *m)
{
	struct printed p = { m->c, call };
	int r;

	if (bench_comparison_decide(m->c) < 0) {
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	bench_call_warn(&m->warned);
	if (m->c->kind != BENCH_COMPARED_BUFFERED &&
	    m->c->kind != BENCH_COMPARED_FILES &&
	    strcmp(m->c->engine[0], m->c->engine[1]) != 0 && m->c->n > 0)
		cli_warning("the sides were measured with different engines, "
			    "%s and %s",
		    m->c->engine[0], m->c->engine[1]);
	r = bench_call_print(call, print_text, print_json, &p);
	if (r != 0)
		return (r);
	return (bench_call_signal(call) != 0 ? 128 + bench_call_signal(call)
					     : m->exit);
}

/* Nothing is measured: what was is in files. */
static int
compare_files(struct bench_call *call)
{
	const struct bench_options *o = call->options;
	struct bench_comparison *c = calloc(1, sizeof *c);
	struct bench_sides *s = calloc(1, sizeof *s);
	struct bench_refusal why;
	struct measuring m = { .c = c };
	int r;

	if (c == NULL || s == NULL) {
		free(c);
		free(s);
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	memcpy(s->file, o->file, sizeof s->file);
	s->n[0] = o->n_a;
	s->n[1] = o->n_file - o->n_a;
	s->different = o->different;
	c->seed = o->job[0].seed;
	bench_call_confine_reader(call, false);
	r = bench_sides_open(s, c, &why);
	if (r == 0) {
		if (s->differs[0] != '\0')
			cli_warning(
			    "the sides differ in more than the drive: %s",
			    s->differs);
		r = finish(call, &m);
	} else
		r = bench_call_refused(call, &why);
	bench_sides_close(s);
	free(s);
	free(c);
	return (r);
}

int
bench_cmd_compare(struct bench_call *call)
{
	struct bench_options *o = call->options;
	const struct bench_consent consent = { o->token, o->overwrite_data };
	struct bench_comparison *c = calloc(1, sizeof *c);
	struct bench_run_control control = { 0 };
	struct bench_live live = { 0 };
	struct bench_stand stand;
	struct bench_refusal why;
	struct measuring m = { c, o->different, &stand, &control, &live,
		{ .n = 0 }, 0 };
	unsigned k;
	int r;

	if (o->n_a > 0) {
		free(c);
		return (compare_files(call));
	}
	if (c != NULL)
		c->pair = calloc(o->pairs, sizeof *c->pair);
	if (c == NULL || c->pair == NULL) {
		free(c);
		cli_error("out of memory");
		return (BENCH_EXIT_INTERNAL);
	}
	c->kind = o->compared;
	c->planned = o->pairs;
	c->budget_ns = o->budget_ns;
	c->shorter = o->shorter;
	c->seed = o->job[0].seed;
	bench_verdict_init(&m.warned);
	r = bench_stand_open(
	    &stand, o->job, o->n_job, &consent, call->stop, &why);
	if (r == 0) {
		bench_call_confine(call);
		same_span(&stand);
		if (o->compared == BENCH_COMPARED_TARGETS)
			r = two_places(&stand, &why);
		if (r == 0 && !o->different)
			r = same_content(&stand, &why);
		for (k = 0; k < 2; k++) {
			c->job[k] = &o->job[k];
			c->path[k] = o->job[k].target;
		}
		bench_live_start(&live, call, &control);
		if (r == 0)
			r = measure_pairs(&m, &why);
		bench_live_end(&live);
		r = r < 0 ? bench_call_refused(call, &why) : finish(call, &m);
		bench_stand_close(&stand);
	} else
		r = bench_call_refused(call, &why);
	free(c->pair);
	free(c);
	return (r);
}
