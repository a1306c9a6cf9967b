/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_series.h"

#include "diskbench/plateau.h"

static json_t *
plateaus(const struct bench_series *s)
{
	struct bench_plateau p[BENCH_PLATEAUS];
	unsigned i, n = bench_plateau_find(p, s);
	json_t *a = json_array(), *o;

	for (i = 0; i < n; i++) {
		o = json_object();
		bench_record_set(
		    o, "from_ns", bench_record_integer(p[i].from_ns));
		bench_record_set(o, "to_ns", bench_record_integer(p[i].to_ns));
		bench_record_set(o, "bytes_per_second",
		    bench_record_finite(p[i].bytes_per_s));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

json_t *
bench_report_series(const struct bench_result *r)
{
	json_t *o = json_object(), *a = json_array(), *st, *sd;
	static const char *const names[] = { "read", "write" };
	unsigned i, op;

	bench_record_set(
	    o, "step_ns", bench_record_integer(r->series->step_ns));
	for (i = 0; i < r->series->n; i++) {
		const struct bench_step *s = &r->series->step[i];

		st = json_object();
		bench_record_set(
		    st, "t_ns", bench_record_integer(i * r->series->step_ns));
		bench_record_set(
		    st, "covered_ns", bench_record_integer(s->covered_ns));
		bench_record_set(st, "errors", bench_record_integer(s->errors));
		for (op = 0; op < BENCH_OPS; op++) {
			const struct bench_step_side *x = &s->side[op];

			if (!bench_shape_does(
				&r->job->shape, (enum bench_op)op) &&
			    r->side[op].ios == 0)
				continue;
			sd = json_object();
			bench_record_set(
			    sd, "ios", bench_record_integer(x->ios));
			bench_record_set(
			    sd, "bytes", bench_record_integer(x->bytes));
			bench_record_set(sd, "mean_ns",
			    x->ios > 0 ? bench_record_finite(
					     (double)x->sum_ns / (double)x->ios)
				       : json_null());
			bench_record_set(sd, "p50_ns",
			    x->ios >= 20 ? bench_record_integer(
					       bench_step_quantile(x, 0.5))
					 : json_null());
			bench_record_set(sd, "p99_ns",
			    x->ios >= 1000 ? bench_record_integer(
						 bench_step_quantile(x, 0.99))
					   : json_null());
			bench_record_set(
			    sd, "max_ns", bench_record_integer(x->max_ns));
			bench_record_set(st, names[op], sd);
		}
		if (s->heat_mc > 0)
			bench_record_set(st, "temperature_c",
			    bench_record_finite(s->heat_mc / 1000.0));
		(void)json_array_append_new(a, st);
	}
	bench_record_set(o, "steps", a);
	bench_record_set(o, "plateaus", plateaus(r->series));
	return (o);
}
