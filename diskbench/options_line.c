/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options_line.h"

#include <string.h>

#include "diskbench/fio.h"
#include "diskbench/options_value.h"

static const struct bench_option *
find(enum bench_command c, const char *name, size_t len)
{
	const struct bench_option *p;

	for (p = bench_option_table; p->name != NULL; p++) {
		if ((p->commands & 1U << c) != 0 && strlen(p->name) == len &&
		    memcmp(p->name, name, len) == 0)
			return (p);
	}
	return (NULL);
}

/* One option with its value; how many words of argv it took, or -errno. */
static int
take(struct bench_options *o, struct bench_job *j, struct bench_gathered *g,
    char *const *argv, const char *command, enum bench_command c,
    struct bench_refusal *why)
{
	struct bench_option_given rd = { NULL, NULL, why };
	const char *name = argv[0] + 2, *eq;
	size_t len;
	int r, used = 1;

	if (strcmp(argv[0], "-o") == 0) {
		name = "output";
		eq = NULL;
	} else if (strcmp(argv[0], "-h") == 0) {
		name = "help";
		eq = NULL;
	} else if (argv[0][1] != '-') {
		return (bench_refuse_usage(why,
		    "%s: no option \"%s\"; see diskbench %s "
		    "--help",
		    command, argv[0], command));
	} else
		eq = strchr(name, '=');
	len = eq != NULL ? (size_t)(eq - name) : strlen(name);
	rd.opt = find(c, name, len);
	if (rd.opt == NULL)
		return (bench_refuse_usage(why,
		    "%s: no option \"--%.*s\"; see diskbench %s --help",
		    command, (int)len, name, command));
	if (rd.opt->arg == NULL && eq != NULL)
		return (bench_refuse_usage(
		    why, "--%s takes no value", rd.opt->name));
	if (rd.opt->arg != NULL) {
		rd.value = eq != NULL ? eq + 1 : argv[1];
		if (rd.value == NULL)
			return (
			    bench_refuse_usage(why, "--%s needs a value: %s",
				rd.opt->name, rd.opt->arg));
		used = eq != NULL ? 1 : 2;
	}
	r = bench_options_apply(o, j, g, &rd);
	return (r < 0 ? r : used);
}

static int
parse_own(struct bench_options *o, int argc, char *const *argv,
    const struct bench_command_row *c, uint64_t entropy,
    struct bench_refusal *why)
{
	struct bench_job j;
	struct bench_gathered g;
	bool only_targets = false;
	int i, r;

	memset(&g, 0, sizeof g);
	bench_job_init(&j);
	j.seed = entropy;
	o->points = BENCH_CURVE_POINTS;
	o->accesses = BENCH_CURVE_ACCESSES;
	for (i = 2; i < argc; i += r) {
		r = 1;
		if (!only_targets && strcmp(argv[i], "--") == 0) {
			only_targets = true;
		} else if (only_targets || argv[i][0] != '-' ||
			   argv[i][1] == '\0') {
			if (g.n_target == BENCH_JOBS)
				return (bench_refuse_usage(
				    why, "more than %d targets", BENCH_JOBS));
			g.target[g.n_target++] = argv[i];
		} else {
			r = take(o, &j, &g, argv + i, c->name, c->code, why);
			if (r < 0)
				return (r);
			if (o->command != c->code) {
				o->help_for = c->code;
				return (0);
			}
		}
	}
	switch (c->code) {
	case BENCH_CMD_RUN: return (bench_finish_run(o, &j, &g, why));
	case BENCH_CMD_REPORT:
		if (g.n_target == 0)
			return (bench_refuse_usage(why,
			    "report: name a result, a file that "
			    "\"diskbench run --format json -o FILE\" wrote"));
		memcpy(o->file, g.target, sizeof o->file);
		o->n_file = g.n_target;
		return (0);
	case BENCH_CMD_COMPARE: return (bench_finish_compare(o, &j, &g, why));
	case BENCH_CMD_CURVE: return (bench_finish_curve(o, &j, &g, why));
	case BENCH_CMD_PRECONDITION:
	case BENCH_CMD_PTS: return (bench_finish_pts(o, &j, &g, c->code, why));
	case BENCH_CMD_LIST:
		if (g.n_target > 0)
			return (bench_refuse_usage(why,
			    "list takes no device; use "
			    "diskbench identify %s",
			    g.target[0]));
		return (0);
	case BENCH_CMD_IDENTIFY:
		if (g.n_target != 1)
			return (bench_refuse_usage(why,
			    "identify: name one device or "
			    "file"));
		j.target = g.target[0];
		o->job[o->n_job++] = j;
		return (0);
	case BENCH_CMD_PROFILES:
		if (g.n_target > 1)
			return (bench_refuse_usage(
			    why, "profiles: one name at a time"));
		if (g.n_target == 1) {
			o->profiled = true;
			return (bench_find_profile(o, g.target[0], why));
		}
		return (0);
	default: return (0);
	}
}

int
bench_options_init(struct bench_options *o, int argc, char *const *argv,
    uint64_t entropy, struct bench_refusal *why)
{
	const struct bench_command_row *c;

	memset(o, 0, sizeof *o);
	if (argc < 2)
		return (bench_refuse_usage(
		    why, "no command; see diskbench --help"));
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		o->command = BENCH_CMD_HELP;
		o->help_for = BENCH_CMD_HELP;
		return (0);
	}
	if (strcmp(argv[1], "--version") == 0) {
		o->command = BENCH_CMD_VERSION;
		return (0);
	}
	for (c = bench_command_table; c->name != NULL; c++)
		if (strcmp(c->name, argv[1]) == 0)
			break;
	if (c->name == NULL)
		return (bench_refuse_usage(
		    why, "no command \"%s\"; see diskbench --help", argv[1]));
	o->command = c->code;
	if (c->code == BENCH_CMD_FIO)
		return (bench_fio_parse(o, argc - 2, argv + 2, entropy, why));
	return (parse_own(o, argc, argv, c, entropy, why));
}
