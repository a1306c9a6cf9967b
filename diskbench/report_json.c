/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fio's JSON, so that what reads fio reads us, and beside it an object
 * "diskbench" with what fio does not say.
 */
#include "diskbench/report.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "config.h"
#include "diskbench/plateau.h"
#include "diskbench/record.h"
#include "diskbench/report_asked.h"

static json_t *
num(uint64_t v)
{
	return (json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v));
}

static json_t *
real(double v)
{
	return (json_real(isfinite(v) ? v : 0));
}

static void
set(json_t *o, const char *key, json_t *v)
{
	/* NULL is out of memory; the whole is then NULL-checked by dump. */
	(void)json_object_set_new(o, key, v != NULL ? v : json_null());
}

static void
set_text(json_t *o, const char *key, const char *s)
{
	set(o, key, bench_record_text(s));
}

/* How many, by the middle of their bucket: as fio has it. */
static json_t *
bins(const struct bench_hist *h)
{
	json_t *o = json_object();
	uint64_t first, last;
	char key[24];
	unsigned i;

	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		if (h->bucket[i] == 0)
			continue;
		bench_hist_edges(i, &first, &last);
		(void)snprintf(
		    key, sizeof key, "%" PRIu64, first + (last - first) / 2);
		set(o, key, num(h->bucket[i]));
	}
	return (o);
}

static json_t *
latency(const struct bench_hist *h, const struct bench_report *rep, bool table)
{
	json_t *o = json_object(), *p;
	char key[24];
	unsigned i;
	uint64_t v;

	set(o, "min", num(h->count > 0 ? h->min : 0));
	set(o, "max", num(h->max));
	set(o, "mean", real(bench_hist_mean(h)));
	set(o, "stddev", real(bench_hist_stddev(h)));
	set(o, "N", num(h->count));
	if (!table || h->count == 0)
		return (o);
	p = json_object();
	for (i = 0; i < rep->n_percentile; i++) {
		(void)snprintf(key, sizeof key, "%f", rep->percentile[i] * 100);
		/* Too few beyond it: nothing is better than the maximum. */
		set(p, key,
		    bench_hist_percentile(h, rep->percentile[i], &v) == 0
			? num(v)
			: json_null());
	}
	set(o, "percentile", p);
	if (rep->bins)
		set(o, "bins", bins(h));
	return (o);
}

/* [first, last, count] of each bucket that has one: merges and plots. */
static json_t *
buckets(const struct bench_hist *h)
{
	json_t *a = json_array();
	uint64_t first, last;
	unsigned i;

	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		json_t *b;

		if (h->bucket[i] == 0)
			continue;
		bench_hist_edges(i, &first, &last);
		b = json_array();
		(void)json_array_append_new(b, num(first));
		(void)json_array_append_new(b, num(last));
		(void)json_array_append_new(b, num(h->bucket[i]));
		(void)json_array_append_new(a, b);
	}
	return (a);
}

struct spread {
	double min, max, mean, dev;
	unsigned n;
};

static struct spread
spread(const struct bench_series *s, enum bench_op op, bool of_bytes)
{
	struct spread sp = { 0, 0, 0, 0, 0 };
	double v, m2 = 0, d;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		if (s->step[i].covered_ns < s->step_ns / 10 * 9)
			continue;
		v = (double)(of_bytes ? s->step[i].side[op].bytes
				      : s->step[i].side[op].ios) *
		    1e9 / (double)s->step[i].covered_ns;
		if (of_bytes)
			v /= 1024;
		if (sp.n == 0 || v < sp.min)
			sp.min = v;
		if (v > sp.max)
			sp.max = v;
		sp.n++;
		d = v - sp.mean;
		sp.mean += d / sp.n;
		m2 += d * (v - sp.mean);
	}
	if (sp.n > 1)
		sp.dev = sqrt(m2 / (sp.n - 1));
	return (sp);
}

static json_t *
side(const struct bench_result *r, enum bench_op op,
    const struct bench_report *rep)
{
	static const struct bench_hist none = { .min = UINT64_MAX };
	const struct bench_side *s = &r->side[op];
	struct spread bw = spread(r->series, op, true);
	struct spread iops = spread(r->series, op, false);
	json_t *o = json_object();

	set(o, "io_bytes", num(s->bytes));
	set(o, "io_kbytes", num(s->bytes / 1024));
	set(o, "bw_bytes", num((uint64_t)bench_result_bytes_per_s(r, op)));
	set(o, "bw", num((uint64_t)(bench_result_bytes_per_s(r, op) / 1024)));
	set(o, "iops", real(bench_result_iops(r, op)));
	set(o, "runtime", num(s->ios > 0 ? r->window_ns / 1000000 : 0));
	set(o, "total_ios", num(s->ios));
	set(o, "short_ios", num(0));
	set(o, "drop_ios", num(0));
	/* We have one latency, from handing it over to having it back. */
	set(o, "slat_ns", latency(&none, rep, false));
	set(o, "clat_ns", latency(&s->service, rep, true));
	set(o, "lat_ns", latency(&s->service, rep, false));
	set(o, "bw_min", num((uint64_t)bw.min));
	set(o, "bw_max", num((uint64_t)bw.max));
	set(o, "bw_agg", real(bw.n > 0 ? 100 : 0));
	set(o, "bw_mean", real(bw.mean));
	set(o, "bw_dev", real(bw.dev));
	set(o, "bw_samples", num(bw.n));
	set(o, "iops_min", num((uint64_t)iops.min));
	set(o, "iops_max", num((uint64_t)iops.max));
	set(o, "iops_mean", real(iops.mean));
	set(o, "iops_stddev", real(iops.dev));
	set(o, "iops_samples", num(iops.n));
	return (o);
}

/* fio's three tables: the percent of latencies up to each limit. */
static json_t *
bands(const struct bench_result *r, const double *limit_ns,
    const char *const *name, unsigned n, double from_ns)
{
	json_t *o = json_object();
	uint64_t total = r->side[0].ios + r->side[1].ios, below, last = 0;
	unsigned i, op;

	for (op = 0; op < BENCH_OPS; op++)
		last +=
		    bench_hist_below(&r->side[op].service, (uint64_t)from_ns);
	for (i = 0; i < n; i++) {
		below = 0;
		for (op = 0; op < BENCH_OPS; op++)
			below += isinf(limit_ns[i])
				     ? r->side[op].service.count
				     : bench_hist_below(&r->side[op].service,
					   (uint64_t)limit_ns[i]);
		set(o, name[i],
		    real(total > 0
			     ? 100.0 * (double)(below - last) / (double)total
			     : 0));
		last = below;
	}
	return (o);
}

static json_t *
plateaus(const struct bench_series *s)
{
	struct bench_plateau p[BENCH_PLATEAUS];
	unsigned i, n = bench_plateau_find(p, s);
	json_t *a = json_array(), *o;

	for (i = 0; i < n; i++) {
		o = json_object();
		set(o, "from_ns", num(p[i].from_ns));
		set(o, "to_ns", num(p[i].to_ns));
		set(o, "bytes_per_second", real(p[i].bytes_per_s));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

static json_t *
series(const struct bench_result *r)
{
	json_t *o = json_object(), *a = json_array(), *st, *sd;
	static const char *const names[] = { "read", "write" };
	unsigned i, op;

	set(o, "step_ns", num(r->series->step_ns));
	for (i = 0; i < r->series->n; i++) {
		const struct bench_step *s = &r->series->step[i];

		st = json_object();
		set(st, "t_ns", num(i * r->series->step_ns));
		set(st, "covered_ns", num(s->covered_ns));
		set(st, "errors", num(s->errors));
		for (op = 0; op < BENCH_OPS; op++) {
			const struct bench_step_side *x = &s->side[op];

			if (!bench_shape_does(
				&r->job->shape, (enum bench_op)op) &&
			    r->side[op].ios == 0)
				continue;
			sd = json_object();
			set(sd, "ios", num(x->ios));
			set(sd, "bytes", num(x->bytes));
			set(sd, "mean_ns",
			    x->ios > 0
				? real((double)x->sum_ns / (double)x->ios)
				: json_null());
			set(sd, "p50_ns",
			    x->ios >= 20 ? num(bench_step_quantile(x, 0.5))
					 : json_null());
			set(sd, "p99_ns",
			    x->ios >= 1000 ? num(bench_step_quantile(x, 0.99))
					   : json_null());
			set(sd, "max_ns", num(x->max_ns));
			set(st, names[op], sd);
		}
		if (s->heat_mc > 0)
			set(st, "temperature_c", real(s->heat_mc / 1000.0));
		(void)json_array_append_new(a, st);
	}
	set(o, "steps", a);
	set(o, "plateaus", plateaus(r->series));
	return (o);
}

static json_t *
identity(const struct bench_identity *id)
{
	json_t *o = json_object();

	set_text(o, "path", id->path);
	set_text(o, "name", id->name);
	set(o, "kind",
	    bench_record_string(
		id->is_disk ? id->partition ? "partition" : "disk" : "file"));
	set_text(o, "model", id->model);
	set_text(o, "serial", id->serial);
	set_text(o, "wwid", id->wwid);
	set_text(o, "firmware", id->firmware);
	set_text(o, "transport", id->transport);
	set_text(o, "backing", id->backing);
	set_text(o, "filesystem", id->fstype);
	set(o, "size", num(id->size));
	set(o, "logical_block_size", num(id->logical));
	set(o, "physical_block_size", num(id->physical));
	set(o, "read_only", json_boolean(id->read_only));
	set(o, "removable", json_boolean(id->removable));
	set(o, "rotational", json_boolean(id->rotational));
	set_text(o, "scheduler", id->scheduler);
	set_text(o, "write_cache", id->write_cache);
	set(o, "diskseq", id->diskseq > 0 ? num(id->diskseq) : json_null());
	set(o, "temperature_c",
	    id->temperature_mc > 0 ? real(id->temperature_mc / 1000.0)
				   : json_null());
	set_text(o, "in_use_by", id->held_by);
	set_text(o, "contents", id->contents);
	set_text(o, "token", id->token);
	return (o);
}

static json_t *
errors(const struct bench_result *r)
{
	json_t *o = json_object(), *a = json_array(), *e;
	unsigned i;

	set(o, "read", num(r->side[BENCH_OP_READ].errors));
	set(o, "write", num(r->side[BENCH_OP_WRITE].errors));
	for (i = 0; i < r->n_error; i++) {
		e = json_object();
		set(e, "op",
		    bench_record_string(
			r->error[i].op == BENCH_OP_READ ? "read" : "write"));
		set(e, "offset", num(r->error[i].offset));
		set(e, "length", num(r->error[i].len));
		set(e, "errno", num((uint64_t)r->error[i].error));
		set(e, "error",
		    bench_record_string(r->error[i].error != 0
					    ? strerror(r->error[i].error)
					    : "short"));
		(void)json_array_append_new(a, e);
	}
	set(o, "first", a);
	return (o);
}

/* What fio does not say. */
static json_t *
own(const struct bench_group *g, const struct bench_report *rep)
{
	static const char *const names[] = { "read", "write" };
	const struct bench_result *r = g->result;
	const struct bench_job *j = r->job;
	json_t *o = json_object(), *x, *y;
	double got = bench_result_device_depth(r);
	uint64_t ios = r->side[0].ios + r->side[1].ios, dev_ios;
	unsigned op;

	set(o, "complete", json_boolean(r->complete));
	set(o, "engine", bench_record_string(r->engine));
	set_text(o, "engine_note", r->engine_note);
	set(o, "mode",
	    bench_record_string(
		j->mode == BENCH_MODE_PEAK ? "peak" : "latency"));
	set_text(o, "prepared", rep->prepared);
	set(o, "seed", num(j->seed & INT64_MAX));
	set(o, "depth", num(r->depth));
	set(o, "threads", num(r->threads));
	if (j->stream != NULL)
		set(o, "streams", bench_report_streams(g));
	set(o, "span_offset", num(j->shape.offset));
	set(o, "span", num(j->shape.span));
	set(o, "span_percent",
	    r->target != NULL && r->target->size > 0
		? real(100.0 * (double)j->shape.span / (double)r->target->size)
		: json_null());
	set(o, "elapsed_ns", num(r->elapsed_ns));
	x = json_object();
	for (op = 0; op < BENCH_OPS; op++) {
		const struct bench_side *s = &r->side[op];

		/* A group of jobs can do more than its first one. */
		if (!bench_shape_does(&j->shape, (enum bench_op)op) &&
		    s->ios + s->errors == 0)
			continue;
		y = json_object();
		set(y, "service_ns", latency(&s->service, rep, true));
		if (r->paced)
			set(y, "response_ns", latency(&s->response, rep, true));
		set(y, "service_buckets", buckets(&s->service));
		if (r->paced)
			set(y, "response_buckets", buckets(&s->response));
		set(x, names[op], y);
	}
	set(o, "latency", x);
	if (r->paced) {
		x = json_object();
		set(x, "open_loop", json_boolean(j->open_loop));
		set(x, "gaps",
		    bench_record_string(
			j->gaps == BENCH_GAPS_FIXED ? "fixed" : "exponential"));
		set(x, "rate", real((j->rate[0] + j->rate[1]) * j->threads));
		set(x, "late", num(r->late));
		set(x, "unserved", num(r->unserved));
		set(x, "generator_lag_ns", latency(&r->lag, rep, true));
		set(o, "pacing", x);
	}
	x = json_object();
	set(x, "usr_ns", num(r->usr_ns));
	set(x, "sys_ns", num(r->sys_ns));
	set(x, "us_per_io",
	    ios > 0 ? real((double)(r->usr_ns + r->sys_ns) / 1e3 / (double)ios)
		    : json_null());
	set(o, "cpu", x);
	if (r->device.known) {
		x = json_object();
		dev_ios = r->device.ios[0] + r->device.ios[1];
		set(x, "depth", got >= 0 ? real(got) : json_null());
		set(x, "read_ios", num(r->device.ios[0]));
		set(x, "write_ios", num(r->device.ios[1]));
		set(x, "read_merges", num(r->device.merges[0]));
		set(x, "write_merges", num(r->device.merges[1]));
		set(x, "read_bytes", num(r->device.sectors[0] * 512));
		set(x, "write_bytes", num(r->device.sectors[1] * 512));
		set(x, "request_bytes",
		    dev_ios > 0 ? real((double)(r->device.sectors[0] +
						r->device.sectors[1]) *
				       512 / (double)dev_ios)
				: json_null());
		set(o, "device_stat", x);
	}
	set(o, "errors", errors(r));
	set(o, "lost", num(r->lost));
	set(o, "series", series(r));
	if (r->target != NULL)
		set(o, "device", identity(&g->identity));
	x = json_object();
	set(x, "steal_percent", real(r->steal_percent));
	set(x, "load1", real(r->load1));
	set(x, "cpu_wait_ns", num(r->wait_ns));
	set(o, "environment", x);
	set(o, "warnings", bench_record_warnings(&g->verdict));
	return (o);
}

static json_t *
job(const struct bench_group *g, unsigned number,
    const struct bench_report *rep)
{
	static const double us[] = { 2e3, 4e3, 10e3, 20e3, 50e3, 100e3, 250e3,
		500e3, 750e3, 1000e3 };
	static const char *const us_name[] = { "2", "4", "10", "20", "50",
		"100", "250", "500", "750", "1000" };
	static const double ms[] = { 2e6, 4e6, 10e6, 20e6, 50e6, 100e6, 250e6,
		500e6, 750e6, 1000e6, 2000e6, INFINITY };
	static const char *const ms_name[] = { "2", "4", "10", "20", "50",
		"100", "250", "500", "750", "1000", "2000", ">=2000" };
	static const double ns[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750,
		1000 };
	static const struct bench_hist none = { .min = UINT64_MAX };
	const struct bench_result *r = g->result;
	json_t *o = json_object(), *x;
	double whole = r->whole_ns > 0 ? (double)r->whole_ns : 1;

	set(o, "jobname", bench_record_string(r->job->name));
	set(o, "groupid", num(number));
	set(o, "error", num(r->n_error > 0 ? (uint64_t)r->error[0].error : 0));
	set(o, "eta", num(0));
	set(o, "elapsed", num((r->whole_ns + 999999999) / 1000000000));
	set(o, "job options", bench_report_options(r));
	set(o, "read", side(r, BENCH_OP_READ, rep));
	set(o, "write", side(r, BENCH_OP_WRITE, rep));
	x = json_object();
	set(x, "io_bytes", num(0));
	set(x, "iops", real(0));
	set(x, "bw", num(0));
	set(x, "total_ios", num(0));
	set(x, "runtime", num(0));
	set(x, "clat_ns", latency(&none, rep, false));
	set(o, "trim", x);
	x = json_object();
	set(x, "total_ios", num(0));
	set(o, "sync", x);
	set(o, "job_runtime", num(r->whole_ns / 1000000));
	set(o, "usr_cpu", real(100.0 * (double)r->usr_ns / whole));
	set(o, "sys_cpu", real(100.0 * (double)r->sys_ns / whole));
	set(o, "ctx", num(r->ctx));
	set(o, "majf", num(r->majf));
	set(o, "minf", num(r->minf));
	set(o, "latency_ns", bands(r, ns, us_name, 10, 0));
	set(o, "latency_us", bands(r, us, us_name, 10, 1e3));
	set(o, "latency_ms", bands(r, ms, ms_name, 12, 1e6));
	set(o, "latency_depth", num(r->depth));
	set(o, "diskbench", own(g, rep));
	return (o);
}

static json_t *
trials(const struct bench_search *s)
{
	json_t *a = json_array(), *o;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		o = json_object();
		set(o, "objects_per_second", real(s->trial[i].rate));
		set(o, "got_per_second", real(s->trial[i].got));
		set(o, "p99_ns", num(s->trial[i].p99_ns));
		set(o, "unserved", num(s->trial[i].unserved));
		set(o, "held", json_boolean(s->trial[i].held));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

static json_t *
advice(const struct bench_headline *l)
{
	json_t *o = json_object(), *x = json_object(), *a = json_array();
	unsigned i;

	set(o, "storage",
	    bench_record_string(bench_storage_names[l->advice.storage]));
	set(o, "madvise",
	    bench_record_string(bench_madvise_names[l->advice.madvise]));
	set(o, "file_objects_per_second", real(l->facts.objects_file));
	set(o, "raw_objects_per_second", real(l->facts.objects_raw));
	set(o, "file_gbit_per_second", real(l->advice.gbit_file));
	set(o, "raw_gbit_per_second", real(l->advice.gbit_raw));
	for (i = 0; i < BENCH_MADVISES; i++)
		set(x, bench_madvise_names[i],
		    l->facts.amplification[i] >= 0
			? real(l->facts.amplification[i])
			: json_null());
	set(o, "read_amplification", x);
	for (i = 0; i < l->advice.n; i++)
		(void)json_array_append_new(
		    a, bench_record_string(l->advice.text[i]));
	set(o, "text", a);
	return (o);
}

static json_t *
headline(const struct bench_report *rep)
{
	const struct bench_headline *l = rep->headline;
	json_t *o = json_object();

	set(o, "name", bench_record_string(l->profile->name));
	set(o, "basis",
	    bench_record_string(bench_basis_names[l->profile->basis]));
	if (l->objects <= 0)
		return (o);
	set(o, "hit_percent", num(l->profile->hit_percent));
	set(o, "object_bytes", real(l->profile->object_bytes));
	set(o, "slo_ns", num(l->slo_ns));
	set(o, "objects_per_second", real(l->objects));
	set(o, "got_per_second", real(l->got));
	set(o, "held", json_boolean(l->held));
	set(o, "hit_gbit_per_second", real(l->gbit));
	set(o, "read_response_ns",
	    latency(&rep->group[0].result->side[BENCH_OP_READ].response, rep,
		true));
	if (l->search != NULL)
		set(o, "trials", trials(l->search));
	if (l->advised)
		set(o, "advice", advice(l));
	return (o);
}

static json_t *
disk_util(const struct bench_report *rep)
{
	json_t *a = json_array(), *o;
	unsigned i, k;

	for (i = 0; i < rep->n; i++) {
		const struct bench_result *r = rep->group[i].result;
		bool seen = false;

		if (r->target == NULL || !r->device.known)
			continue;
		for (k = 0; k < i; k++)
			if (rep->group[k].result->target != NULL &&
			    rep->group[k].result->target->dev == r->target->dev)
				seen = true;
		if (seen)
			continue;
		o = json_object();
		set(o, "name", bench_record_string(r->target->name));
		set(o, "read_ios", num(r->device.ios[0]));
		set(o, "write_ios", num(r->device.ios[1]));
		set(o, "read_merges", num(r->device.merges[0]));
		set(o, "write_merges", num(r->device.merges[1]));
		set(o, "read_ticks", num(r->device.ticks_ms[0]));
		set(o, "write_ticks", num(r->device.ticks_ms[1]));
		set(o, "in_queue", num(r->device.in_queue_ms));
		set(o, "util",
		    real(r->whole_ns > 0
			     ? fmin(100, (double)r->device.busy_ms * 1e8 /
					     (double)r->whole_ns)
			     : 0));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

int
bench_report_json(FILE *f, const struct bench_report *rep)
{
	json_t *o = json_object(), *jobs = json_array(), *x, *a;
	struct utsname un;
	time_t now = time(NULL);
	struct tm tm;
	char when[64] = "";
	unsigned i;
	int k;

	if (localtime_r(&now, &tm) != NULL)
		(void)strftime(when, sizeof when, "%a %b %e %H:%M:%S %Y", &tm);
	/* Its readers look here for what they can expect. */
	set(o, "fio version",
	    bench_record_string("fio-3.33 (diskbench " PACKAGE_VERSION ")"));
	set(o, "timestamp", num((uint64_t)now));
	set(o, "timestamp_ms", num((uint64_t)now * 1000));
	set(o, "time", bench_record_string(when));
	set(o, "global options", json_object());
	for (i = 0; i < rep->n; i++)
		(void)json_array_append_new(jobs, job(&rep->group[i], i, rep));
	set(o, "jobs", jobs);
	set(o, "disk_util", disk_util(rep));
	x = json_object();
	set(x, "schema", bench_record_string("varykit.diskbench/1"));
	set(x, "version", bench_record_string(PACKAGE_VERSION));
	set(x, "complete", json_boolean(rep->complete));
	set(x, "signal",
	    rep->signal > 0 ? num((uint64_t)rep->signal) : json_null());
	a = json_array();
	for (k = 0; k < rep->argc; k++)
		(void)json_array_append_new(
		    a, bench_record_string(rep->argv[k]));
	set(x, "command", a);
	if (uname(&un) == 0) {
		set(x, "kernel", bench_record_string(un.release));
		set(x, "machine", bench_record_string(un.machine));
		set(x, "system", bench_record_string(un.sysname));
	}
	if (rep->budget_ns > 0) {
		set(x, "time_budget_ns", num(rep->budget_ns));
		set_text(x, "certainty", rep->certainty);
	}
	if (rep->headline != NULL)
		set(x, "profile", headline(rep));
	set(o, "diskbench", x);
	return (bench_record_print(f, o));
}

int
bench_report_list_json(FILE *f, const struct bench_identity *id, unsigned n)
{
	json_t *o = json_object(), *a = json_array();
	unsigned i;

	set(o, "schema", bench_record_string("varykit.diskbench.list/1"));
	for (i = 0; i < n; i++)
		(void)json_array_append_new(a, identity(&id[i]));
	set(o, "devices", a);
	return (bench_record_print(f, o));
}
