/* SPDX-License-Identifier: BSD-2-Clause */
/* As fio's users know it. */
#include "diskbench/report.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "diskbench/legible.h"
#include "diskbench/magnitude.h"
#include "diskbench/run.h"

static const char *const verbs[BENCH_OPS] = { "read", "write" };

struct unit {
	const char *name;
	double ns;
};

/* The unit in which a latency distribution is easy to read. */
static struct unit
unit_of(const struct bench_hist *h)
{
	static const struct unit units[] = {
		{ "nsec", 1 },
		{ "usec", 1e3 },
		{ "msec", 1e6 },
	};

	uint64_t typical = bench_hist_quantile(h, 0.5);

	if (typical >= 10000000)
		return (units[2]);
	return (typical >= 10000 ? units[1] : units[0]);
}

static void
line_latency(FILE *f, const char *name, const struct bench_hist *h)
{
	struct unit u = unit_of(h);

	(void)fprintf(f,
	    "    %s (%s): min=%.0f, max=%.0f, avg=%.2f, stdev=%.2f\n", name,
	    u.name, (double)h->min / u.ns, (double)h->max / u.ns,
	    bench_hist_mean(h) / u.ns, bench_hist_stddev(h) / u.ns);
}

static void
percentiles(FILE *f, const char *name, const struct bench_hist *h,
    const struct bench_report *rep)
{
	struct unit u = unit_of(h);
	unsigned i, shown = 0;
	uint64_t v;
	char val[32];
	int width = 1, w;

	for (i = 0; i < rep->n_percentile; i++) {
		if (bench_hist_percentile(h, rep->percentile[i], &v) < 0)
			continue;
		w = snprintf(val, sizeof val, "%.0f", (double)v / u.ns);
		if (w > width)
			width = w;
	}
	(void)fprintf(f, "    %s percentiles (%s), n=%" PRIu64 ":\n", name,
	    u.name, h->count);
	for (i = 0; i < rep->n_percentile; i++) {
		double p = rep->percentile[i];

		if (bench_hist_percentile(h, p, &v) < 0)
			(void)snprintf(val, sizeof val, "-");
		else
			(void)snprintf(
			    val, sizeof val, "%.0f", (double)v / u.ns);
		(void)fprintf(f, "%s%5.2fth=[%*s]",
		    shown % 4 == 0 ? "     | " : ", ", p * 100, width, val);
		shown++;
		if (shown % 4 == 0 || i + 1 == rep->n_percentile)
			(void)fputc('\n', f);
	}
}

static void
side(FILE *f, const struct bench_report *rep, const struct bench_result *r,
    enum bench_op op)
{
	const struct bench_side *s = &r->side[op];
	char a[32], b[32], c[32], d[32];
	double bw = bench_result_bytes_per_s(r, op);

	if (s->ios == 0 && s->errors == 0)
		return;
	(void)fprintf(f, "  %s: IOPS=%s, BW=%s/s (%s/s)(%s/%" PRIu64 "msec)\n",
	    verbs[op], bench_thousands(a, sizeof a, bench_result_iops(r, op)),
	    bench_bytes(b, sizeof b, bw, true),
	    bench_bytes(c, sizeof c, bw, false),
	    bench_bytes(d, sizeof d, (double)s->bytes, true),
	    r->window_ns / 1000000);
	if (s->ios > 0) {
		line_latency(f, "clat", &s->service);
		percentiles(f, "clat", &s->service, rep);
	}
	if (r->paced && s->response.count > 0) {
		line_latency(f, "response", &s->response);
		percentiles(f, "response", &s->response, rep);
	}
	if (s->errors > 0)
		(void)fprintf(f, "    errors: %" PRIu64 "\n", s->errors);
}

static void
rates_over_time(FILE *f, const struct bench_result *r)
{
	const struct bench_series *s = r->series;
	char a[32], b[32], c[32];
	unsigned i, op, n;

	for (op = 0; op < BENCH_OPS; op++) {
		double min = 0, max = 0, sum = 0, v;

		for (i = 0, n = 0; i < s->n; i++) {
			/* A cut last second has no rate to compare. */
			if (s->step[i].covered_ns < s->step_ns / 10 * 9)
				continue;
			v = (double)s->step[i].side[op].ios * 1e9 /
			    (double)s->step[i].covered_ns;
			if (n == 0 || v < min)
				min = v;
			if (v > max)
				max = v;
			sum += v;
			n++;
		}
		if (n < 2 || sum <= 0)
			continue;
		(void)fprintf(f,
		    "  %s iops over time: min=%s, max=%s, avg=%s, "
		    "samples=%u of %.1fs\n",
		    verbs[op], bench_thousands(a, sizeof a, min),
		    bench_thousands(b, sizeof b, max),
		    bench_thousands(c, sizeof c, sum / n), n,
		    (double)s->step_ns / 1e9);
	}
}

static void
stream(FILE *f, const struct bench_job *j)
{
	const struct bench_shape *s = &j->shape;
	unsigned op =
	    bench_shape_does(s, BENCH_OP_READ) ? BENCH_OP_READ : BENCH_OP_WRITE;
	uint32_t low = bench_shape_smallest(s), high = bench_shape_largest(s);
	double rate = (j->rate[0] + j->rate[1]) * j->threads;
	char a[32], b[32], c[32];

	(void)fprintf(f, "  stream %s: %s%s of %s", j->stream,
	    s->random ? "random " : "sequential ",
	    s->read_percent == 100 ? "reads"
	    : s->read_percent == 0 ? "writes"
				   : "reads and writes",
	    bench_bytes(a, sizeof a, low, true));
	if (low < high)
		(void)fprintf(f, " to %s, %s on average",
		    bench_bytes(b, sizeof b, high, true),
		    bench_bytes(c, sizeof c,
			bench_size_mean(s->size[op], s->n_size[op]), true));
	(void)fprintf(f, ", %u in flight at most", j->depth * j->threads);
	if (rate > 0)
		(void)fprintf(f, ", %.4g%s a second", rate,
		    s->n_run > 0 ? " objects" : "");
	(void)fputc('\n', f);
}

static void
group(FILE *f, const struct bench_report *rep, const struct bench_group *g,
    unsigned number)
{
	const struct bench_result *r = g->result;
	const struct bench_identity *id = &g->identity;
	const struct bench_job *j = r->job;
	uint64_t ios = r->side[0].ios + r->side[1].ios;
	double got = bench_result_device_depth(r);
	struct tm tm;
	char when[64] = "", name[PATH_MAX], a[32];
	unsigned i, op;

	if (localtime_r(&r->started.tv_sec, &tm) != NULL)
		(void)strftime(when, sizeof when, "%a %b %e %H:%M:%S %Y", &tm);
	(void)fprintf(f, "%s: (groupid=%u, jobs=%u): err=%2d: %s%s\n",
	    bench_legible_copy(name, sizeof name, j->name), number, r->threads,
	    r->n_error > 0 ? r->error[0].error : 0, when,
	    r->complete ? "" : " (PARTIAL)");
	if (r->target != NULL) {
		(void)fprintf(f, "  target: %s, %s",
		    bench_legible_copy(name, sizeof name, r->target->path),
		    bench_bytes(a, sizeof a, (double)r->target->size, false));
		if (id->model[0] != '\0')
			(void)fprintf(f, ", %s", id->model);
		if (id->serial[0] != '\0')
			(void)fprintf(f, " %s", id->serial);
		if (id->transport[0] != '\0')
			(void)fprintf(f, " (%s)", id->transport);
		if (j->shape.span < r->target->size)
			(void)fprintf(f, "; %s from %" PRIu64 " used",
			    bench_bytes(
				a, sizeof a, (double)j->shape.span, false),
			    j->shape.offset);
		(void)fputc('\n', f);
	}
	(void)fprintf(f, "  engine: %s, ", r->engine);
	/* Of a profile each stream has its own. */
	if (j->stream == NULL)
		(void)fprintf(f, "depth %u x %u, ", r->depth, r->threads);
	(void)fprintf(f, "%s%s\n",
	    j->mode == BENCH_MODE_PEAK ? "peak" : "latency",
	    j->buffered ? ", buffered" : "");
	for (i = 0; i < g->n && j->stream != NULL; i++)
		stream(f, &g->job[i]);
	for (op = 0; op < BENCH_OPS; op++)
		side(f, rep, r, (enum bench_op)op);
	rates_over_time(f, r);
	if (r->whole_ns > 0)
		(void)fprintf(f,
		    "  cpu: usr=%.2f%%, sys=%.2f%%, ctx=%" PRIu64
		    ", majf=%" PRIu64 ", minf=%" PRIu64 ", us/IO=%.2f\n",
		    100.0 * (double)r->usr_ns / (double)r->whole_ns,
		    100.0 * (double)r->sys_ns / (double)r->whole_ns, r->ctx,
		    r->majf, r->minf,
		    ios > 0
			? (double)(r->usr_ns + r->sys_ns) / 1e3 / (double)ios
			: 0);
	if (got >= 0)
		(void)fprintf(f,
		    "  device: depth=%.1f, ios=%" PRIu64 "/%" PRIu64
		    ", merges=%" PRIu64 "/%" PRIu64 ", util=%.1f%%\n",
		    got, r->device.ios[0], r->device.ios[1],
		    r->device.merges[0], r->device.merges[1],
		    r->whole_ns > 0 ? fmin(100, (double)r->device.busy_ms *
						    1e8 / (double)r->whole_ns)
				    : 0);
	for (i = 0; i < r->n_error; i++)
		(void)fprintf(f,
		    "  error: %s of %" PRIu32 " bytes at %" PRIu64 ": %s\n",
		    verbs[r->error[i].op], r->error[i].len, r->error[i].offset,
		    r->error[i].error != 0 ? strerror(r->error[i].error)
					   : "fewer bytes than asked for");
	for (i = 0; i < g->verdict.n; i++)
		(void)fprintf(f, "  warning: %s: %s\n",
		    g->verdict.warning[i].id, g->verdict.warning[i].text);
}

static void
headline_reads(FILE *f, const struct bench_result *r)
{
	static const double p[] = { 0.5, 0.99, 0.999 };
	static const char *const names[] = { "p50", "p99", "p99.9" };
	const struct bench_hist *h = &r->side[BENCH_OP_READ].response;
	uint64_t v;
	unsigned i;

	if (h->count == 0)
		return;
	(void)fprintf(f, "  reads, from when each was due:");
	for (i = 0; i < sizeof p / sizeof *p; i++) {
		if (bench_hist_percentile(h, p[i], &v) == 0)
			(void)fprintf(
			    f, " %s=%.3fms", names[i], (double)v / 1e6);
		else
			(void)fprintf(f, " %s=(too few)", names[i]);
	}
	(void)fputc('\n', f);
}

/* What was wanted to know. */
static void
headline(FILE *f, const struct bench_report *rep)
{
	const struct bench_headline *l = rep->headline;
	const struct bench_search *s = l->search;
	double ms = (double)l->slo_ns / 1e6;
	unsigned i;

	(void)fprintf(f, "\nprofile %s (%s): %s\n", l->profile->name,
	    bench_basis_names[l->profile->basis], l->profile->help);
	if (l->profile->note[0] != '\0')
		(void)fprintf(f, "  %s\n", l->profile->note);
	if (l->objects <= 0)
		return;
	headline_reads(f, rep->group[0].result);
	(void)fprintf(f,
	    "  %s%.1f objects/s of %.1f KiB, %u%% hits: p99 %s %gms, "
	    "%.3f Gbit/s of hits%s\n",
	    s != NULL && l->held ? "highest rate: " : "", l->objects,
	    l->profile->object_bytes / 1024, l->profile->hit_percent,
	    l->held ? "within" : "ABOVE", ms, l->gbit,
	    rep->complete ? "" : " (PARTIAL)");
	if (s != NULL && s->good <= 0)
		(void)fprintf(f,
		    "  no rate kept p99 within %gms, and fewer than %.0f/s "
		    "are too few to tell; try a longer --runtime or another "
		    "--slo\n",
		    ms, s->least);
	else if (s != NULL && s->bad > 0)
		(void)fprintf(f, "  %.1f objects/s were too many\n", s->bad);
	for (i = 0; s != NULL && i < s->n; i++)
		(void)fprintf(f, "  trial %u: %.1f objects/s, p99=%.3fms%s%s\n",
		    i + 1, s->trial[i].rate, (double)s->trial[i].p99_ns / 1e6,
		    s->trial[i].unserved > 0 ? ", some never sent" : "",
		    s->trial[i].held ? "" : ", too many");
	for (i = 0; l->advised && i < l->advice.n; i++)
		(void)fprintf(f, "  storage: %s\n", l->advice.text[i]);
}

int
bench_report_text(FILE *f, const struct bench_report *rep)
{
	char a[32], b[32], c[32];
	unsigned i, op;

	for (i = 0; i < rep->n; i++) {
		if (i > 0)
			(void)fputc('\n', f);
		group(f, rep, &rep->group[i], i);
	}
	(void)fputs("\nRun status:\n", f);
	for (op = 0; op < BENCH_OPS; op++) {
		double bw = 0, moved = 0;
		uint64_t longest = 0;

		for (i = 0; i < rep->n; i++) {
			const struct bench_result *r = rep->group[i].result;

			bw += bench_result_bytes_per_s(r, (enum bench_op)op);
			moved += (double)r->side[op].bytes;
			if (r->window_ns > longest)
				longest = r->window_ns;
		}
		if (moved <= 0)
			continue;
		(void)fprintf(f,
		    "%8s: bw=%s/s (%s/s), io=%s, run=%" PRIu64 "msec\n",
		    op == BENCH_OP_READ ? "READ" : "WRITE",
		    bench_bytes(a, sizeof a, bw, true),
		    bench_bytes(b, sizeof b, bw, false),
		    bench_bytes(c, sizeof c, moved, true), longest / 1000000);
	}
	if (rep->headline != NULL)
		headline(f, rep);
	if (rep->certainty[0] != '\0')
		(void)fprintf(f, "Certainty: %s.\n", rep->certainty);
	if (!rep->complete)
		(void)fputs(
		    "The result is partial: the run was cut short.\n", f);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

int
bench_report_progress(char *buf, size_t len, const struct bench_progress *now,
    const struct bench_progress *before)
{
	double s = (double)(now->elapsed_ns - before->elapsed_ns) / 1e9;
	char a[32], b[32], c[32], d[32], eta[24] = "?";
	uint64_t left, expected = now->expected_ns;

	if (s <= 0)
		s = 1;
	/* What ends by its size, as fast as until now. */
	if (expected == 0 && now->done > 0.001)
		expected = (uint64_t)((double)now->elapsed_ns / now->done);
	if (expected > now->elapsed_ns) {
		left = (expected - now->elapsed_ns) / 1000000000;
		if (left >= 3600)
			(void)snprintf(eta, sizeof eta,
			    "%02" PRIu64 "h:%02" PRIu64 "m", left / 3600,
			    left / 60 % 60);
		else
			(void)snprintf(eta, sizeof eta,
			    "%02" PRIu64 "m:%02" PRIu64 "s", left / 60,
			    left % 60);
	}
	return (snprintf(buf, len,
	    "Jobs: %u (f=%u): [%.1f%%][r=%s/s,w=%s/s][r=%s,w=%s IOPS][eta %s]",
	    now->running, now->running, now->done * 100,
	    bench_bytes(a, sizeof a,
		(double)(now->bytes[0] - before->bytes[0]) / s, true),
	    bench_bytes(b, sizeof b,
		(double)(now->bytes[1] - before->bytes[1]) / s, true),
	    bench_thousands(
		c, sizeof c, (double)(now->ios[0] - before->ios[0]) / s),
	    bench_thousands(
		d, sizeof d, (double)(now->ios[1] - before->ios[1]) / s),
	    eta));
}
