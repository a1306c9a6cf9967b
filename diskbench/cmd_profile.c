/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diskbench run --profile: a cache's load, at a rate or at the highest one that
 * keeps its limit; diskbench profiles: which there are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "diskbench/advice.h"
#include "diskbench/command.h"
#include "diskbench/lane.h"
#include "diskbench/search.h"
#include "diskbench/workload_file.h"

#define SECOND UINT64_C(1000000000)

/* So many objects say something about the 99th percentile. */
#define ENOUGH 100

/* What a search does again and again. */
struct hunt {
	struct bench_call *call;
	const struct bench_profile *profile;
	struct bench_job like; /* fitted to the target */
	struct bench_job job[BENCH_STREAMS];
	bool threads;      /* one for each request in flight */
	uint64_t until_ns; /* no trial ends after it; 0: no budget */
	struct bench_stand stand;
	struct bench_run_control control;
	struct bench_live live;
};

/* What one run said. */
struct said {
	double got; /* objects a second */
	uint64_t p99_ns, unserved;
};

static void
listen(const struct hunt *h, const struct bench_report *rep, double objects,
    uint64_t runtime, struct said *ret)
{
	const struct bench_result *r = rep->group[0].result;
	double due = 0, came = 0;
	unsigned i;

	for (i = 0; i < h->profile->n; i++)
		due += bench_profile_rate(h->profile, i, objects);
	for (i = 0; i < BENCH_OPS; i++)
		came += (double)r->side[i].response.count;
	came = came * 1e9 / (double)runtime;
	ret->got = due > 0 ? objects * came / due : 0;
	ret->unserved = r->unserved;
	ret->p99_ns =
	    bench_hist_quantile(&r->side[BENCH_OP_READ].response, 0.99);
}

/* Run at so many objects a second; the caller frees *ret. */
static int
run_at(struct hunt *h, double objects, uint64_t runtime,
    struct bench_report *ret, struct bench_refusal *why)
{
	struct bench_job like = h->like;
	int r;

	like.runtime_ns = runtime;
	/* What is late by so much has lost already. */
	like.drain_ns = h->call->options->slo_ns * 4 > SECOND
			    ? h->call->options->slo_ns * 4
			    : SECOND;
	(void)bench_profile_jobs(
	    h->profile, &like, objects, h->threads, h->job);
	r = bench_stand_run(&h->stand, &h->control, ret, why);
	if (r == 0 && ret->n == 0)
		r = bench_refuse(
		    why, EINVAL, BENCH_EXIT_INTERNAL, "nothing was run");
	return (r);
}

/* What hits alone could have, without waiting for anybody: a first guess. */
static int
guess(struct hunt *h, uint64_t runtime, double *ret, struct bench_refusal *why)
{
	struct bench_job job[BENCH_STREAMS];
	struct bench_job like = h->like;
	struct bench_stand part = h->stand;
	const struct bench_result *r;
	struct bench_report rep;
	double each;
	int e;

	like.runtime_ns = runtime;
	part.n = bench_profile_flat_out(h->profile, &like, h->threads, job);
	part.job = job;
	*ret = 100;
	each = bench_profile_requests(h->profile, BENCH_OP_READ);
	if (part.n == 0 || each <= 0)
		return (0);
	e = bench_stand_run(&part, &h->control, &rep, why);
	if (e < 0)
		return (e);
	r = rep.group[0].result;
	*ret = bench_result_iops(r, BENCH_OP_READ) / each / 2;
	bench_report_fini(&rep);
	if (!(*ret > 1))
		*ret = 1;
	return (0);
}

/* Until it is close enough; *ret the best rate, 0 if none held. */
static int
hunt_down(struct hunt *h, struct bench_search *s, uint64_t step,
    struct bench_refusal *why)
{
	struct bench_report rep;
	struct said said;
	int r;

	while (s->next > 0 && *h->call->stop == 0 &&
	       (h->until_ns == 0 || bench_lane_clock() + step < h->until_ns)) {
		(void)snprintf(h->live.prefix, sizeof h->live.prefix,
		    "trial %u, %.0f objects/s: ", s->n + 1, s->next);
		r = run_at(h, s->next, step, &rep, why);
		bench_live_end(&h->live);
		if (r < 0)
			return (r);
		listen(h, &rep, s->next, step, &said);
		if (rep.complete || *h->call->stop == 0)
			bench_search_feed(
			    s, said.got, said.p99_ns, said.unserved);
		bench_report_fini(&rep);
	}
	h->live.prefix[0] = '\0';
	return (0);
}

/*
 * Search, then measure at what was found for the whole time; what held in
 * short trials and not in the long one was too much.
 */
static int
search(struct hunt *h, struct bench_search *s, uint64_t runtime,
    struct bench_report *rep, double *ret_objects, struct said *said,
    struct bench_refusal *why)
{
	/* In a budget they are short, and there are more objects than that a
	 * second, or too few to tell. */
	uint64_t step = runtime / 5 > SECOND || h->call->options->budget_ns > 0
			    ? runtime / 5
			    : SECOND;
	unsigned again = 0;
	double first, rate;
	int r;

	/* The run itself is in the budget, too. */
	if (h->call->options->budget_ns > 0)
		h->until_ns =
		    bench_lane_clock() + h->call->options->budget_ns - runtime;
	r = guess(h, step, &first, why);
	if (r < 0)
		return (r);
	bench_search_init(
	    s, h->call->options->slo_ns, first, ENOUGH * 1e9 / (double)step);
	for (;;) {
		r = hunt_down(h, s, step, why);
		if (r < 0)
			return (r);
		/* None held: show what the lowest one did. */
		rate = s->good > 0 ? s->good : s->bad > 0 ? s->bad : first;
		r = run_at(h, rate, runtime, rep, why);
		bench_live_end(&h->live);
		if (r < 0)
			return (r);
		*ret_objects = rate;
		listen(h, rep, rate, runtime, said);
		if (*h->call->stop != 0 || s->good <= 0 || again++ == 5 ||
		    ((double)said->p99_ns <= s->slo_ns && said->unserved == 0))
			return (0);
		bench_search_lower(s);
		if (s->next <= 0 ||
		    (h->until_ns > 0 && bench_lane_clock() > h->until_ns))
			return (0);
		bench_report_fini(rep);
	}
}

static int
hunt_open(struct hunt *h, struct bench_call *c, const struct bench_job *like,
    const struct bench_profile *p, struct bench_refusal *why)
{
	const struct bench_options *o = c->options;
	const struct bench_consent consent = { o->token, o->overwrite_data };
	const struct bench_engine_type *e;
	unsigned n;
	int r;

	memset(h, 0, sizeof *h);
	h->call = c;
	h->profile = p;
	h->like = *like;
	e = like->engine != NULL ? bench_engine_find(like->engine) : NULL;
	h->threads = e != NULL && e->synchronous;
	n = bench_profile_jobs(p, &h->like, 1, h->threads, h->job);
	r = bench_stand_open(&h->stand, h->job, n, &consent, c->stop, why);
	if (r < 0)
		return (r);
	/* What the fitting found out is for all that follow. */
	h->like.shape.span = h->job[0].shape.span;
	h->like.shape.offset = h->job[0].shape.offset;
	h->like.buffered = h->job[0].buffered;
	bench_live_start(&h->live, c, &h->control);
	return (0);
}

/* --- advice ---------------------------------------------------------------- */

/* A profile's highest rate of hits; short. */
static int
hits_of(struct bench_call *c, const struct bench_job *like, const char *name,
    double *ret, struct bench_refusal *why)
{
	struct bench_profile p;
	struct bench_search s;
	struct hunt h;
	double first;
	int r;

	if (!bench_profile_find(name, &p))
		return (0);
	p.hit_percent = 100;
	p.n = 1; /* only its hits: nothing is written for advice */
	r = hunt_open(&h, c, like, &p, why);
	if (r < 0)
		return (r);
	r = guess(&h, SECOND, &first, why);
	if (r == 0) {
		bench_search_init(&s, c->options->slo_ns, first, ENOUGH);
		s.close = 1.1;
		r = hunt_down(&h, &s, SECOND, why);
		*ret = s.good;
	}
	bench_stand_close(&h.stand);
	return (r);
}

/*
 * Bytes that the drive was read for each byte of an object, through a mapping
 * of it: what readahead makes of file storage.
 */
static int
amplify(struct bench_call *c, const struct bench_job *like,
    enum bench_madvise madvise, double *ret, struct bench_refusal *why)
{
	const struct bench_consent none = { NULL, false };
	struct bench_run_control control = { .stop = c->stop };
	const struct bench_result *res;
	struct bench_profile p;
	struct bench_stand s;
	struct bench_report rep;
	struct bench_job j;
	int r;

	*ret = -1;
	if (!bench_profile_find("varnish-file", &p) || like->target == NULL)
		return (0);
	j = *like;
	j.engine = "mmap";
	j.madvise = madvise;
	j.runtime_ns = 2 * SECOND;
	(void)bench_profile_flat_out(&p, &j, true, &j);
	j.threads = 8;
	r = bench_stand_open(&s, &j, 1, &none, c->stop, why);
	if (r < 0)
		return (r);
	/* A part of the span: else readahead reads what will be wanted later,
	 * and a small device is soon in memory as a whole. */
	j.limit_ios = j.shape.span / 50 / (uint64_t)p.object_bytes / j.threads;
	if (j.limit_ios < 4)
		j.limit_ios = 4;
#ifdef POSIX_FADV_DONTNEED
	(void)posix_fadvise(s.target[0]->fd, 0, 0, POSIX_FADV_DONTNEED);
#endif
	r = bench_stand_run(&s, &control, &rep, why);
	if (r == 0) {
		res = rep.group[0].result;
		if (res->device.known && res->side[BENCH_OP_READ].all_bytes > 0)
			*ret = (double)res->device.sectors[BENCH_OP_READ] *
			       512 / (double)res->side[BENCH_OP_READ].all_bytes;
		bench_report_fini(&rep);
	}
	bench_stand_close(&s);
	return (r);
}

static int
advise(struct bench_call *c, const struct bench_job *like,
    struct bench_headline *line, struct bench_refusal *why)
{
	struct bench_facts *f = &line->facts;
	struct bench_job reader = *like;
	unsigned i;
	int r;

	reader.create = 0; /* it is there by now */
	f->object_bytes = line->profile->object_bytes;
	f->slo_ns = line->slo_ns;
	r = hits_of(c, &reader, "varnish-file", &f->objects_file, why);
	if (r == 0)
		r = hits_of(c, &reader, "ats", &f->objects_raw, why);
	for (i = 0; i < BENCH_MADVISES && r == 0; i++)
		r = amplify(c, &reader, (enum bench_madvise)i,
		    &f->amplification[i], why);
	if (r == 0) {
		bench_advice_give(&line->advice, f);
		line->advised = true;
	}
	return (r);
}

/* --- the commands ---------------------------------------------------------- */

static int
print_report(struct bench_call *c, struct bench_report *rep)
{
	unsigned i;
	int r;

	/* That only so many are in flight is what the profile is about. */
	for (i = 0; i < rep->n; i++)
		bench_verdict_drop(&rep->group[i].verdict, "depth-cap");
	bench_call_describe(c, rep);
	bench_call_warn_report(c, rep);
	r = bench_call_print(c, bench_print_text, bench_print_json, rep);
	return (r == 0 ? bench_call_exit(rep) : r);
}

/* All its phases, once: what has no rate has none to search for. */
static int
measure_phases(struct hunt *h, struct bench_headline *line,
    struct bench_report *rep, struct bench_refusal *why)
{
	int r;

	line->held = true;
	r = bench_stand_run(&h->stand, &h->control, rep, why);
	bench_live_end(&h->live);
	return (r);
}

static int
measure_rate(struct hunt *h, struct bench_search *s,
    struct bench_headline *line, struct bench_report *rep,
    struct bench_refusal *why)
{
	const struct bench_options *o = h->call->options;
	uint64_t runtime = h->like.runtime_ns;
	struct said said = { 0, 0, 0 };
	int r;

	if (o->rate > 0) {
		line->objects = o->rate;
		r = run_at(h, o->rate, runtime, rep, why);
		bench_live_end(&h->live);
		if (r == 0)
			listen(h, rep, o->rate, runtime, &said);
	} else {
		line->search = s;
		r = search(h, s, runtime, rep, &line->objects, &said, why);
	}
	if (r < 0)
		return (r);
	line->got = said.got;
	line->held = said.p99_ns <= o->slo_ns && said.unserved == 0;
	line->gbit = line->objects * h->profile->hit_percent / 100 *
		     h->profile->object_bytes * 8 / 1e9;
	return (0);
}

int
bench_cmd_profile(struct bench_call *c)
{
	static struct bench_search s;
	struct bench_options *o = c->options;
	struct bench_headline line = { 0 };
	struct bench_report rep;
	struct bench_refusal why;
	struct hunt h;
	int r;

	line.profile = &o->profile;
	line.slo_ns = o->slo_ns;
	r = hunt_open(&h, c, &o->job[0], &o->profile, &why);
	if (r < 0)
		return (bench_call_refused(c, &why));
	r = bench_profile_open(&o->profile)
		? measure_rate(&h, &s, &line, &rep, &why)
		: measure_phases(&h, &line, &rep, &why);
	if (r < 0) {
		bench_stand_close(&h.stand);
		return (bench_call_refused(c, &why));
	}
	if (o->advise && *c->stop == 0) {
		/* A reader of its own: what we hold exclusively, nobody else
		 * may write, but anybody read. */
		r = advise(c, &h.like, &line, &why);
		if (r < 0)
			cli_warning("no advice: %s", why.text);
	}
	rep.headline = &line;
	r = print_report(c, &rep);
	bench_report_fini(&rep);
	bench_stand_close(&h.stand);
	return (r);
}

static int
print_profiles(FILE *f, const void *arg)
{
	const struct bench_options *o = arg;
	struct bench_profile p;
	char *text;
	unsigned i;

	if (o->profiled) {
		text = bench_workload_write(&o->profile);
		if (text == NULL)
			return (-ENOMEM);
		(void)fputs(text, f);
		free(text);
	} else
		for (i = 0; bench_profile_get(i, &p); i++)
			(void)fprintf(f, "%-18s %-12s %s\n", p.name,
			    bench_basis_names[p.basis], p.help);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

int
bench_cmd_profiles(struct bench_call *c)
{
	return (
	    bench_call_print(c, print_profiles, print_profiles, c->options));
}
