/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fio's JSON, so that what reads fio reads us, and beside it an object
 * "diskbench" with what fio does not say.
 */
#include "diskbench/report.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "config.h"
#include "diskbench/record.h"
#include "diskbench/report_asked.h"
#include "diskbench/report_headline.h"
#include "diskbench/report_latency.h"
#include "diskbench/report_list.h"
#include "diskbench/report_series.h"

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

	bench_record_set(o, "io_bytes", bench_record_integer(s->bytes));
	bench_record_set(o, "io_kbytes", bench_record_integer(s->bytes / 1024));
	bench_record_set(o, "bw_bytes",
	    bench_record_integer((uint64_t)bench_result_bytes_per_s(r, op)));
	bench_record_set(o, "bw",
	    bench_record_integer(
		(uint64_t)(bench_result_bytes_per_s(r, op) / 1024)));
	bench_record_set(
	    o, "iops", bench_record_finite(bench_result_iops(r, op)));
	bench_record_set(o, "runtime",
	    bench_record_integer(s->ios > 0 ? r->window_ns / 1000000 : 0));
	bench_record_set(o, "total_ios", bench_record_integer(s->ios));
	bench_record_set(o, "short_ios", bench_record_integer(0));
	bench_record_set(o, "drop_ios", bench_record_integer(0));
	/* We have one latency, from handing it over to having it back. */
	bench_record_set(o, "slat_ns", bench_report_latency(&none, rep, false));
	bench_record_set(
	    o, "clat_ns", bench_report_latency(&s->service, rep, true));
	bench_record_set(
	    o, "lat_ns", bench_report_latency(&s->service, rep, false));
	bench_record_set(o, "bw_min", bench_record_integer((uint64_t)bw.min));
	bench_record_set(o, "bw_max", bench_record_integer((uint64_t)bw.max));
	bench_record_set(o, "bw_agg", bench_record_finite(bw.n > 0 ? 100 : 0));
	bench_record_set(o, "bw_mean", bench_record_finite(bw.mean));
	bench_record_set(o, "bw_dev", bench_record_finite(bw.dev));
	bench_record_set(o, "bw_samples", bench_record_integer(bw.n));
	bench_record_set(
	    o, "iops_min", bench_record_integer((uint64_t)iops.min));
	bench_record_set(
	    o, "iops_max", bench_record_integer((uint64_t)iops.max));
	bench_record_set(o, "iops_mean", bench_record_finite(iops.mean));
	bench_record_set(o, "iops_stddev", bench_record_finite(iops.dev));
	bench_record_set(o, "iops_samples", bench_record_integer(iops.n));
	return (o);
}

static json_t *
errors(const struct bench_result *r)
{
	json_t *o = json_object(), *a = json_array(), *e;
	unsigned i;

	bench_record_set(
	    o, "read", bench_record_integer(r->side[BENCH_OP_READ].errors));
	bench_record_set(
	    o, "write", bench_record_integer(r->side[BENCH_OP_WRITE].errors));
	for (i = 0; i < r->n_error; i++) {
		e = json_object();
		bench_record_set(e, "op",
		    bench_record_string(
			r->error[i].op == BENCH_OP_READ ? "read" : "write"));
		bench_record_set(
		    e, "offset", bench_record_integer(r->error[i].offset));
		bench_record_set(
		    e, "length", bench_record_integer(r->error[i].len));
		bench_record_set(e, "errno",
		    bench_record_integer((uint64_t)r->error[i].error));
		bench_record_set(e, "error",
		    bench_record_string(r->error[i].error != 0
					    ? strerror(r->error[i].error)
					    : "short"));
		(void)json_array_append_new(a, e);
	}
	bench_record_set(o, "first", a);
	return (o);
}

/* Both latencies of both kinds of I/O. */
static json_t *
latencies(const struct bench_result *r, const struct bench_report *rep)
{
	static const char *const names[] = { "read", "write" };
	json_t *o = json_object(), *x;
	unsigned op;

	for (op = 0; op < BENCH_OPS; op++) {
		const struct bench_side *s = &r->side[op];

		/* A group of jobs can do more than its first one. */
		if (!bench_shape_does(&r->job->shape, (enum bench_op)op) &&
		    s->ios + s->errors == 0)
			continue;
		x = json_object();
		bench_record_set(x, "service_ns",
		    bench_report_latency(&s->service, rep, true));
		if (r->paced)
			bench_record_set(x, "response_ns",
			    bench_report_latency(&s->response, rep, true));
		bench_record_set(
		    x, "service_buckets", bench_report_buckets(&s->service));
		if (r->paced)
			bench_record_set(x, "response_buckets",
			    bench_report_buckets(&s->response));
		bench_record_set(o, names[op], x);
	}
	return (o);
}

static json_t *
pacing(const struct bench_result *r, const struct bench_report *rep)
{
	const struct bench_job *j = r->job;
	json_t *o = json_object();

	bench_record_set(o, "open_loop", json_boolean(j->open_loop));
	bench_record_set(o, "gaps",
	    bench_record_string(
		j->gaps == BENCH_GAPS_FIXED ? "fixed" : "exponential"));
	bench_record_set(o, "rate",
	    bench_record_finite((j->rate[0] + j->rate[1]) * j->threads));
	bench_record_set(o, "late", bench_record_integer(r->late));
	bench_record_set(o, "unserved", bench_record_integer(r->unserved));
	bench_record_set(
	    o, "generator_lag_ns", bench_report_latency(&r->lag, rep, true));
	return (o);
}

static json_t *
processor(const struct bench_result *r)
{
	uint64_t ios = r->side[0].ios + r->side[1].ios;
	json_t *o = json_object();

	bench_record_set(o, "usr_ns", bench_record_integer(r->usr_ns));
	bench_record_set(o, "sys_ns", bench_record_integer(r->sys_ns));
	bench_record_set(o, "us_per_io",
	    ios > 0 ? bench_record_finite(
			  (double)(r->usr_ns + r->sys_ns) / 1e3 / (double)ios)
		    : json_null());
	return (o);
}

/* What the device itself counted. */
static json_t *
device_stat(const struct bench_result *r)
{
	const struct bench_devstat *d = &r->device;
	double depth = bench_result_device_depth(r);
	uint64_t ios = d->ios[0] + d->ios[1];
	json_t *o = json_object();

	bench_record_set(
	    o, "depth", depth >= 0 ? bench_record_finite(depth) : json_null());
	bench_record_set(o, "read_ios", bench_record_integer(d->ios[0]));
	bench_record_set(o, "write_ios", bench_record_integer(d->ios[1]));
	bench_record_set(o, "read_merges", bench_record_integer(d->merges[0]));
	bench_record_set(o, "write_merges", bench_record_integer(d->merges[1]));
	bench_record_set(
	    o, "read_bytes", bench_record_integer(d->sectors[0] * 512));
	bench_record_set(
	    o, "write_bytes", bench_record_integer(d->sectors[1] * 512));
	bench_record_set(o, "request_bytes",
	    ios > 0
		? bench_record_finite((double)(d->sectors[0] + d->sectors[1]) *
				      512 / (double)ios)
		: json_null());
	return (o);
}

static json_t *
environment(const struct bench_result *r)
{
	json_t *o = json_object();

	bench_record_set(
	    o, "steal_percent", bench_record_finite(r->steal_percent));
	bench_record_set(o, "load1", bench_record_finite(r->load1));
	bench_record_set(o, "cpu_wait_ns", bench_record_integer(r->wait_ns));
	return (o);
}

/* What fio does not say. */
static json_t *
own(const struct bench_group *g, const struct bench_report *rep)
{
	const struct bench_result *r = g->result;
	const struct bench_job *j = r->job;
	json_t *o = json_object();

	bench_record_set(o, "complete", json_boolean(r->complete));
	bench_record_set(o, "engine", bench_record_string(r->engine));
	bench_record_set_text(o, "engine_note", r->engine_note);
	bench_record_set(o, "mode",
	    bench_record_string(
		j->mode == BENCH_MODE_PEAK ? "peak" : "latency"));
	bench_record_set_text(o, "prepared", rep->prepared);
	bench_record_set(o, "seed", bench_record_integer(j->seed & INT64_MAX));
	bench_record_set(o, "depth", bench_record_integer(r->depth));
	bench_record_set(o, "threads", bench_record_integer(r->threads));
	if (j->stream != NULL)
		bench_record_set(o, "streams", bench_report_streams(g));
	bench_record_set(
	    o, "span_offset", bench_record_integer(j->shape.offset));
	bench_record_set(o, "span", bench_record_integer(j->shape.span));
	bench_record_set(o, "span_percent",
	    r->target != NULL && r->target->size > 0
		? bench_record_finite(
		      100.0 * (double)j->shape.span / (double)r->target->size)
		: json_null());
	bench_record_set(o, "elapsed_ns", bench_record_integer(r->elapsed_ns));
	bench_record_set(o, "latency", latencies(r, rep));
	if (r->paced)
		bench_record_set(o, "pacing", pacing(r, rep));
	bench_record_set(o, "cpu", processor(r));
	if (r->device.known)
		bench_record_set(o, "device_stat", device_stat(r));
	bench_record_set(o, "errors", errors(r));
	bench_record_set(o, "lost", bench_record_integer(r->lost));
	bench_record_set(o, "series", bench_report_series(r));
	if (r->target != NULL)
		bench_record_set(
		    o, "device", bench_report_identity(&g->identity));
	bench_record_set(o, "environment", environment(r));
	bench_record_set(o, "warnings", bench_record_warnings(&g->verdict));
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

	bench_record_set(o, "jobname", bench_record_string(r->job->name));
	bench_record_set(o, "groupid", bench_record_integer(number));
	bench_record_set(o, "error",
	    bench_record_integer(
		r->n_error > 0 ? (uint64_t)r->error[0].error : 0));
	bench_record_set(o, "eta", bench_record_integer(0));
	bench_record_set(o, "elapsed",
	    bench_record_integer((r->whole_ns + 999999999) / 1000000000));
	bench_record_set(o, "job options", bench_report_options(r));
	bench_record_set(o, "read", side(r, BENCH_OP_READ, rep));
	bench_record_set(o, "write", side(r, BENCH_OP_WRITE, rep));
	x = json_object();
	bench_record_set(x, "io_bytes", bench_record_integer(0));
	bench_record_set(x, "iops", bench_record_finite(0));
	bench_record_set(x, "bw", bench_record_integer(0));
	bench_record_set(x, "total_ios", bench_record_integer(0));
	bench_record_set(x, "runtime", bench_record_integer(0));
	bench_record_set(x, "clat_ns", bench_report_latency(&none, rep, false));
	bench_record_set(o, "trim", x);
	x = json_object();
	bench_record_set(x, "total_ios", bench_record_integer(0));
	bench_record_set(o, "sync", x);
	bench_record_set(
	    o, "job_runtime", bench_record_integer(r->whole_ns / 1000000));
	bench_record_set(o, "usr_cpu",
	    bench_record_finite(100.0 * (double)r->usr_ns / whole));
	bench_record_set(o, "sys_cpu",
	    bench_record_finite(100.0 * (double)r->sys_ns / whole));
	bench_record_set(o, "ctx", bench_record_integer(r->ctx));
	bench_record_set(o, "majf", bench_record_integer(r->majf));
	bench_record_set(o, "minf", bench_record_integer(r->minf));
	bench_record_set(
	    o, "latency_ns", bench_report_bands(r, ns, us_name, 10, 0));
	bench_record_set(
	    o, "latency_us", bench_report_bands(r, us, us_name, 10, 1e3));
	bench_record_set(
	    o, "latency_ms", bench_report_bands(r, ms, ms_name, 12, 1e6));
	bench_record_set(o, "latency_depth", bench_record_integer(r->depth));
	bench_record_set(o, "diskbench", own(g, rep));
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
		bench_record_set(
		    o, "name", bench_record_string(r->target->name));
		bench_record_set(
		    o, "read_ios", bench_record_integer(r->device.ios[0]));
		bench_record_set(
		    o, "write_ios", bench_record_integer(r->device.ios[1]));
		bench_record_set(o, "read_merges",
		    bench_record_integer(r->device.merges[0]));
		bench_record_set(o, "write_merges",
		    bench_record_integer(r->device.merges[1]));
		bench_record_set(o, "read_ticks",
		    bench_record_integer(r->device.ticks_ms[0]));
		bench_record_set(o, "write_ticks",
		    bench_record_integer(r->device.ticks_ms[1]));
		bench_record_set(
		    o, "in_queue", bench_record_integer(r->device.in_queue_ms));
		bench_record_set(o, "util",
		    bench_record_finite(
			r->whole_ns > 0
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
	bench_record_set(o, "fio version",
	    bench_record_string("fio-3.33 (diskbench " PACKAGE_VERSION ")"));
	bench_record_set(o, "timestamp", bench_record_integer((uint64_t)now));
	bench_record_set(
	    o, "timestamp_ms", bench_record_integer((uint64_t)now * 1000));
	bench_record_set(o, "time", bench_record_string(when));
	bench_record_set(o, "global options", json_object());
	for (i = 0; i < rep->n; i++)
		(void)json_array_append_new(jobs, job(&rep->group[i], i, rep));
	bench_record_set(o, "jobs", jobs);
	bench_record_set(o, "disk_util", disk_util(rep));
	x = json_object();
	bench_record_set(
	    x, "schema", bench_record_string("varykit.diskbench/1"));
	bench_record_set(x, "version", bench_record_string(PACKAGE_VERSION));
	bench_record_set(x, "complete", json_boolean(rep->complete));
	bench_record_set(x, "signal",
	    rep->signal > 0 ? bench_record_integer((uint64_t)rep->signal)
			    : json_null());
	a = json_array();
	for (k = 0; k < rep->argc; k++)
		(void)json_array_append_new(
		    a, bench_record_string(rep->argv[k]));
	bench_record_set(x, "command", a);
	if (uname(&un) == 0) {
		bench_record_set(x, "kernel", bench_record_string(un.release));
		bench_record_set(x, "machine", bench_record_string(un.machine));
		bench_record_set(x, "system", bench_record_string(un.sysname));
	}
	if (rep->budget_ns > 0) {
		bench_record_set(
		    x, "time_budget_ns", bench_record_integer(rep->budget_ns));
		bench_record_set_text(x, "certainty", rep->certainty);
	}
	if (rep->headline != NULL)
		bench_record_set(x, "profile", bench_report_headline(rep));
	bench_record_set(o, "diskbench", x);
	return (bench_record_print(f, o));
}
