/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options_finish.h"

#include <inttypes.h>
#include <string.h>

#include "diskbench/engine.h"
#include "diskbench/options_pts.h"
#include "diskbench/workload_file.h"

/* A built-in profile, or a workload file. */
int
bench_find_profile(
    struct bench_options *o, const char *name, struct bench_refusal *why)
{
	const char *dot = strrchr(name, '.');
	char *text;
	size_t len;
	int r;

	if (bench_profile_find(name, &o->profile))
		return (0);
	if (dot != NULL && strcmp(dot, ".fio") == 0)
		return (bench_refuse_usage(why,
		    "%s: a job file of fio's; use diskbench fio %s", name,
		    name));
	if (strcmp(name, "-") != 0 && strchr(name, '/') == NULL && dot == NULL)
		return (bench_refuse_usage(why,
		    "no profile \"%s\"; \"diskbench profiles\" has them, and "
		    "a file's name has a \"/\" or a \".\"",
		    name));
	r = bench_options_file(o, "workload file", name, &text, &len, why);
	if (r == 0)
		r = bench_workload_read(&o->profile, name, text, len, why);
	return (r);
}

static int
finish_profile(struct bench_options *o, const struct bench_gathered *g,
    struct bench_refusal *why)
{
	int r;

	if (g->profile == NULL) {
		if (g->hit_given || g->slo_given || g->advise)
			return (bench_refuse_usage(why,
			    "--hit, --slo and --advise are for --profile"));
		return (0);
	}
	if (g->shape != NULL)
		return (bench_refuse_usage(why,
		    "--profile has its own --%s; write it to a file "
		    "(diskbench profiles NAME), change that, and use --profile "
		    "FILE",
		    g->shape));
	if (g->n_target > 1)
		return (
		    bench_refuse_usage(why, "--profile: one target at a time"));
	r = bench_find_profile(o, g->profile, why);
	if (r < 0)
		return (r);
	if (g->hit_given)
		o->profile.hit_percent = g->hit;
	if (bench_profile_check(&o->profile) != NULL)
		return (bench_refuse_usage(why, "%s: %s", g->profile,
		    bench_profile_check(&o->profile)));
	if (!bench_profile_open(&o->profile) &&
	    (g->rate > 0 || g->slo_given || g->advise || g->hit_given))
		return (bench_refuse_usage(why,
		    "--rate, --slo, --hit and --advise are for profiles with a "
		    "rate, and %s has jobs of its own",
		    o->profile.name));
	if (o->show_fio)
		return (
		    bench_refuse_usage(why, "--show-fio: fio has no profiles"));
	o->profiled = true;
	o->advise = g->advise;
	o->rate = g->rate;
	if (o->slo_ns == 0)
		o->slo_ns = 10000000;
	return (0);
}

/* How long a run may be, for all of it to fit. */
static int
finish_budget(struct bench_options *o, struct bench_job *j,
    const struct bench_gathered *g, struct bench_refusal *why)
{
	/* Threads and buffers have to be made. */
	const uint64_t setup = UINT64_C(50000000), least = UINT64_C(200000000);
	uint64_t runs = 1;

	if (j->runtime_ns > 0)
		return (bench_refuse_usage(
		    why, "--runtime or --time-budget, not both"));
	if (g->advise)
		return (bench_refuse_usage(why,
		    "--advise takes a time of its own: leave "
		    "out --time-budget, or --advise"));
	/* A search has some ten trials, each a fifth as long as the run. */
	if (o->profiled && bench_profile_open(&o->profile) && g->rate <= 0)
		runs = BENCH_BUDGET_PARTS;
	else if (o->profiled && !bench_profile_open(&o->profile))
		runs = o->profile.n;
	if (o->budget_ns / runs < j->ramp_ns + setup + least)
		return (bench_refuse_usage(why,
		    "--time-budget: not enough for runs of 200 ms and their "
		    "ramp: %" PRIu64 "ms is",
		    runs * (j->ramp_ns + setup + least) / 1000000));
	j->runtime_ns = o->budget_ns / runs - j->ramp_ns - setup;
	return (0);
}

/* Put together what came in any order, and make a job of each target. */
int
bench_finish_run(struct bench_options *o, const struct bench_job *template,
    const struct bench_gathered *g, struct bench_refusal *why)
{
	struct bench_job j = *template;
	const struct bench_engine_type *e;
	unsigned i;
	double each;
	int r;

	r = finish_profile(o, g, why);
	if (r == 0 && o->command == BENCH_CMD_RUN && o->budget_ns > 0)
		r = finish_budget(o, &j, g, why);
	if (r < 0)
		return (r);
	if (g->mix_given && !g->mixed)
		return (bench_refuse_usage(
		    why, "--mix needs --rw rw or --rw randrw"));
	if (g->mix_given)
		j.shape.read_percent = g->mix;
	if (j.open_loop && g->rate <= 0)
		return (bench_refuse_usage(why, "--open-loop needs --rate N"));
	if (g->gaps_given && g->rate <= 0)
		return (bench_refuse_usage(why, "--gaps needs --rate N"));
	if (j.shape.pick != BENCH_PICK_UNIFORM && !j.shape.random)
		return (
		    bench_refuse_usage(why, "--pick is for random requests"));
	if (j.open_loop && !g->gaps_given)
		j.gaps = BENCH_GAPS_EXPONENTIAL;
	/* In the open, what is in flight is the device's affair. */
	if (j.open_loop && !g->depth_given)
		j.depth = 1024;
	each = g->rate / j.threads;
	j.rate[BENCH_OP_READ] = each * j.shape.read_percent / 100;
	j.rate[BENCH_OP_WRITE] = each * (100 - j.shape.read_percent) / 100;
	if (j.runtime_ns == 0 && j.shape.pick != BENCH_PICK_ONCE)
		j.runtime_ns = UINT64_C(10000000000);
	e = j.engine != NULL ? bench_engine_find(j.engine) : NULL;
	if (j.sim != NULL && (e == NULL || strcmp(e->name, "sim") != 0))
		return (bench_refuse_usage(why, "--sim is for --engine sim"));
	if (o->profiled) {
		/* Its streams have rates of their own. */
		j.rate[BENCH_OP_READ] = j.rate[BENCH_OP_WRITE] = 0;
	}
	if (j.batch > j.depth)
		j.batch = j.depth;
	if (j.mode == BENCH_MODE_PEAK && j.batch == 0)
		j.batch = j.depth > 1 ? (j.depth + 1) / 2 : 1;
	if (e != NULL && e->fake) {
		if (g->n_target > 0)
			return (bench_refuse_usage(why,
			    "engine %s has no disk: leave out "
			    "the target",
			    e->name));
		if (j.shape.span == 0)
			j.shape.span = UINT64_C(1) << 40;
		if (j.name[0] == '\0')
			(void)snprintf(j.name, sizeof j.name, "%s", e->name);
		o->job[o->n_job++] = j;
		return (0);
	}
	if (g->n_target == 0)
		return (bench_refuse_usage(why,
		    "run: no target; name a device or a file, "
		    "like /dev/sdX"));
	if (j.create > 0 && g->n_target > 1)
		return (bench_refuse_usage(
		    why, "--create makes one file, not %u", g->n_target));
	for (i = 0; i < g->n_target; i++) {
		const char *slash = strrchr(g->target[i], '/');

		j.target = g->target[i];
		if (template->name[0] == '\0')
			(void)snprintf(j.name, sizeof j.name, "%s",
			    slash != NULL && slash[1] != '\0' ? slash + 1
							      : j.target);
		j.group = i;
		o->job[o->n_job++] = j;
	}
	return (0);
}

/* One run that is counted twice makes any difference sure. */
static int
each_once(const char *const *file, unsigned from, unsigned to,
    struct bench_refusal *why)
{
	unsigned i, k;

	for (i = from; i < to; i++)
		for (k = from; k < i; k++)
			if (strcmp(file[i], file[k]) == 0)
				return (bench_refuse_usage(why,
				    "%.200s is named twice on one side of "
				    "--vs: each run counts once",
				    file[i]));
	return (0);
}

/* Without --vs a result would be a target, and its bytes what is read. */
static int
no_results(const struct bench_gathered *g, struct bench_refusal *why)
{
	unsigned i;
	size_t n;

	for (i = 0; i < g->n_target; i++) {
		n = strlen(g->target[i]);
		if (n > 5 && strcmp(g->target[i] + n - 5, ".json") == 0)
			return (bench_refuse_usage(why,
			    "%.200s is no target: results are compared with "
			    "A.json --vs B.json, and a result with a target "
			    "not at all",
			    g->target[i]));
	}
	return (0);
}

/* Two jobs that differ in their target, or in how it is read. */
int
bench_finish_compare(struct bench_options *o, struct bench_job *j,
    struct bench_gathered *g, struct bench_refusal *why)
{
	bool one = o->compared == BENCH_COMPARED_AA || j->buffered;
	int r;

	if (o->n_a > 0) {
		if (g->measures != NULL)
			return (bench_refuse_usage(why,
			    "--%s is for measuring, and with --vs nothing is",
			    g->measures));
		r = each_once(g->target, 0, o->n_a, why);
		if (r == 0)
			r = each_once(g->target, o->n_a, g->n_target, why);
		if (r < 0)
			return (r);
		memcpy(o->file, g->target, sizeof o->file);
		o->n_file = g->n_target;
		o->job[0].seed = j->seed;
		return (0);
	}
	if (j->buffered && o->compared == BENCH_COMPARED_AA)
		return (bench_refuse_usage(
		    why, "--aa and --buffered are two comparisons"));
	if (j->buffered)
		o->compared = BENCH_COMPARED_BUFFERED;
	if (g->n_target != (one ? 1 : 2))
		return (bench_refuse_usage(why,
		    one ? "compare: --aa and --buffered take one target"
			: "compare: name two targets, A and B; one alone: --aa "
			  "or --buffered; results: A.json --vs B.json"));
	r = no_results(g, why);
	if (r < 0)
		return (r);
	if (one)
		g->target[g->n_target++] = g->target[0];
	if (o->pairs > 0 && o->budget_ns > 0)
		return (bench_refuse_usage(
		    why, "--pairs or --time-budget, not both"));
	if (j->runtime_ns == 0)
		j->runtime_ns = UINT64_C(2000000000);
	if (!g->ramp_given)
		j->ramp_ns = UINT64_C(250000000);
	if (o->budget_ns > 0) {
		uint64_t asked = j->runtime_ns;

		if (bench_comparison_fit(o->budget_ns, j->ramp_ns,
			&j->runtime_ns, &o->pairs) < 0)
			return (bench_refuse_usage(why,
			    "--time-budget: not enough for "
			    "eight pairs of the shortest runs; "
			    "8s is, with the usual ramp"));
		o->shorter = j->runtime_ns < asked;
	}
	if (o->pairs == 0)
		o->pairs = BENCH_PAIRS_DEFAULT;
	r = bench_finish_run(o, j, g, why);
	if (r < 0)
		return (r);
	if (o->n_job != 2)
		return (bench_refuse_usage(why, "compare is for real targets"));
	if (o->compared == BENCH_COMPARED_BUFFERED) {
		if (bench_job_writes(j))
			return (bench_refuse_usage(
			    why, "compare --buffered only reads"));
		o->job[1].buffered = false;
	}
	return (0);
}

/* One job that reads on, and one that reads here and there. */
int
bench_finish_curve(struct bench_options *o, struct bench_job *j,
    struct bench_gathered *g, struct bench_refusal *why)
{
	uint64_t access_ns = UINT64_C(15000000000), asked;
	unsigned points = o->points;
	int r;

	if (g->n_target != 1)
		return (bench_refuse_usage(
		    why, "curve: name one target, like /dev/sdX"));
	if (j->runtime_ns == 0)
		j->runtime_ns = UINT64_C(500000000);
	asked = j->runtime_ns;
	if (o->budget_ns > 0 && bench_curve_fit(o->budget_ns, &j->runtime_ns,
				    &o->points, &access_ns) < 0)
		return (bench_refuse_usage(why,
		    "--time-budget: not enough for eight points "
		    "of the shortest kind; 1s is"));
	o->shorter = j->runtime_ns < asked || o->points < points;
	j->shape.random = false;
	j->depth = BENCH_CURVE_DEPTH;
	bench_job_size(j, BENCH_CURVE_BLOCK);
	r = bench_finish_run(o, j, g, why);
	if (r < 0)
		return (r);
	if (o->job[0].target == NULL)
		return (bench_refuse_usage(why, "curve is for real targets"));
	j = &o->job[o->n_job++];
	*j = o->job[0];
	j->shape.random = true;
	j->depth = 1;
	j->batch = 1;
	bench_job_size(j, 4096);
	j->runtime_ns = access_ns;
	j->limit_ios = o->accesses;
	return (0);
}

/* One job that writes; its cells come later. */
int
bench_finish_pts(struct bench_options *o, struct bench_job *j,
    struct bench_gathered *g, enum bench_command command,
    struct bench_refusal *why)
{
	const char *problem;
	int r;

	if (g->n_target != 1)
		return (bench_refuse_usage(why,
		    "%s: name one target, like /dev/sdX",
		    command == BENCH_CMD_PTS ? "pts" : "precondition"));
	problem = bench_options_pts(o, j, command, g->depth_given);
	if (problem != NULL)
		return (bench_refuse_usage(why, "%s", problem));
	r = bench_finish_run(o, j, g, why);
	if (r < 0)
		return (r);
	if (o->job[0].target == NULL)
		return (bench_refuse_usage(
		    why, "SNIA's tests are for real targets"));
	return (0);
}
