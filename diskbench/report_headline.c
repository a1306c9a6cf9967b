/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_headline.h"

#include "diskbench/report_latency.h"

static json_t *
trials(const struct bench_search *s)
{
	json_t *a = json_array(), *o;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		o = json_object();
		bench_record_set(o, "objects_per_second",
		    bench_record_finite(s->trial[i].rate));
		bench_record_set(
		    o, "got_per_second", bench_record_finite(s->trial[i].got));
		bench_record_set(
		    o, "p99_ns", bench_record_integer(s->trial[i].p99_ns));
		bench_record_set(
		    o, "unserved", bench_record_integer(s->trial[i].unserved));
		bench_record_set(o, "held", json_boolean(s->trial[i].held));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

static json_t *
advice(const struct bench_headline *l)
{
	json_t *o = json_object(), *x = json_object(), *a = json_array();
	unsigned i;

	bench_record_set(o, "storage",
	    bench_record_string(bench_storage_names[l->advice.storage]));
	bench_record_set(o, "madvise",
	    bench_record_string(bench_madvise_names[l->advice.madvise]));
	bench_record_set(o, "file_objects_per_second",
	    bench_record_finite(l->facts.objects_file));
	bench_record_set(o, "raw_objects_per_second",
	    bench_record_finite(l->facts.objects_raw));
	bench_record_set(o, "file_gbit_per_second",
	    bench_record_finite(l->advice.gbit_file));
	bench_record_set(
	    o, "raw_gbit_per_second", bench_record_finite(l->advice.gbit_raw));
	for (i = 0; i < BENCH_MADVISES; i++)
		bench_record_set(x, bench_madvise_names[i],
		    l->facts.amplification[i] >= 0
			? bench_record_finite(l->facts.amplification[i])
			: json_null());
	bench_record_set(o, "read_amplification", x);
	for (i = 0; i < l->advice.n; i++)
		(void)json_array_append_new(
		    a, bench_record_string(l->advice.text[i]));
	bench_record_set(o, "text", a);
	return (o);
}

json_t *
bench_report_headline(const struct bench_report *rep)
{
	const struct bench_headline *l = rep->headline;
	json_t *o = json_object();

	bench_record_set(o, "name", bench_record_string(l->profile->name));
	bench_record_set(o, "basis",
	    bench_record_string(bench_basis_names[l->profile->basis]));
	if (l->objects <= 0)
		return (o);
	bench_record_set(
	    o, "hit_percent", bench_record_integer(l->profile->hit_percent));
	bench_record_set(
	    o, "object_bytes", bench_record_finite(l->profile->object_bytes));
	bench_record_set(o, "slo_ns", bench_record_integer(l->slo_ns));
	bench_record_set(
	    o, "objects_per_second", bench_record_finite(l->objects));
	bench_record_set(o, "got_per_second", bench_record_finite(l->got));
	bench_record_set(o, "held", json_boolean(l->held));
	bench_record_set(
	    o, "hit_gbit_per_second", bench_record_finite(l->gbit));
	bench_record_set(o, "read_response_ns",
	    bench_report_latency(
		&rep->group[0].result->side[BENCH_OP_READ].response, rep,
		true));
	if (l->search != NULL)
		bench_record_set(o, "trials", trials(l->search));
	if (l->advised)
		bench_record_set(o, "advice", advice(l));
	return (o);
}
