/* SPDX-License-Identifier: BSD-2-Clause */
/* diskbench run and diskbench fio: measure once. */
#include <stdio.h>
#include <string.h>

#include "diskbench/command.h"
#include "diskbench/fio.h"

int
bench_print_text(FILE *f, const void *arg)
{
	return (bench_report_text(f, arg));
}

int
bench_print_json(FILE *f, const void *arg)
{
	return (bench_report_json(f, arg));
}

static void
show_fio(const struct bench_options *o)
{
	char buf[2048];
	unsigned i;

	for (i = 0; i < o->n_job; i++) {
		buf[0] = '\0';
		bench_fio_show(&o->job[i], buf, sizeof buf);
		(void)printf("%s\n", buf);
	}
}

static int
measure(struct bench_call *c)
{
	struct bench_options *o = c->options;
	const struct bench_consent consent = { o->token, o->overwrite_data };
	struct bench_run_control control = { 0 };
	struct bench_live live = { 0 };
	struct bench_stand stand;
	struct bench_report rep;
	struct bench_refusal why;
	int r;

	r = bench_stand_open(&stand, o->job, o->n_job, &consent, c->stop, &why);
	if (r < 0)
		return (bench_call_refused(c, &why));
	bench_call_confine(c);
	bench_live_start(&live, c, &control);
	r = bench_stand_run(&stand, &control, &rep, &why);
	bench_live_end(&live);
	if (r < 0) {
		r = bench_call_refused(c, &why);
	} else {
		bench_call_describe(c, &rep);
		bench_call_warn_report(c, &rep);
		r = bench_call_print(
		    c, bench_print_text, bench_print_json, &rep);
		if (r == 0)
			r = bench_call_exit(&rep);
		bench_report_fini(&rep);
	}
	bench_stand_close(&stand);
	return (r);
}

int
bench_cmd_run(struct bench_call *c)
{
	if (c->options->profiled)
		return (bench_cmd_profile(c));
	if (c->options->show_fio) {
		show_fio(c->options);
		return (0);
	}
	return (c->options->parse_only ? 0 : measure(c));
}

int
bench_cmd_fio(struct bench_call *c)
{
	return (bench_cmd_run(c));
}
