/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_result *
bench_result_new(uint64_t step_ns)
{
	struct bench_result *r = calloc(1, sizeof *r);
	unsigned op;

	if (r == NULL)
		return (NULL);
	r->series = bench_series_new(step_ns);
	if (r->series == NULL) {
		free(r);
		return (NULL);
	}
	for (op = 0; op < BENCH_OPS; op++) {
		bench_hist_init(&r->side[op].service);
		bench_hist_init(&r->side[op].response);
	}
	bench_hist_init(&r->lag);
	r->complete = true;
	return (r);
}

void
bench_result_free(struct bench_result **rp)
{
	if (*rp == NULL)
		return;
	free((*rp)->series);
	free(*rp);
	*rp = NULL;
}

void
bench_result_merge(struct bench_result *r, const struct bench_result *more)
{
	unsigned op, i;

	if (r->job == NULL) {
		r->job = more->job;
		r->target = more->target;
		r->depth = more->depth;
		r->started = more->started;
		r->device = more->device;
		r->steal_percent = more->steal_percent;
		r->load1 = more->load1;
		r->heat_mc = more->heat_mc;
		memcpy(r->engine, more->engine, sizeof r->engine);
	}
	if (r->engine_note[0] == '\0')
		memcpy(
		    r->engine_note, more->engine_note, sizeof r->engine_note);
	r->threads += more->threads;
	r->complete = r->complete && more->complete;
	r->paced = r->paced || more->paced;
	for (op = 0; op < BENCH_OPS; op++) {
		struct bench_side *a = &r->side[op];
		const struct bench_side *b = &more->side[op];

		a->ios += b->ios;
		a->bytes += b->bytes;
		a->window_ios += b->window_ios;
		a->window_bytes += b->window_bytes;
		a->errors += b->errors;
		a->all_ios += b->all_ios;
		a->all_bytes += b->all_bytes;
		bench_hist_merge(&a->service, &b->service);
		bench_hist_merge(&a->response, &b->response);
	}
	bench_hist_merge(&r->lag, &more->lag);
	r->late += more->late;
	r->unserved += more->unserved;
	r->lost += more->lost;
	bench_series_merge(r->series, more->series);
	if (more->elapsed_ns > r->elapsed_ns)
		r->elapsed_ns = more->elapsed_ns;
	if (more->window_ns > r->window_ns)
		r->window_ns = more->window_ns;
	if (more->whole_ns > r->whole_ns)
		r->whole_ns = more->whole_ns;
	if (more->busy_ns > r->busy_ns)
		r->busy_ns = more->busy_ns;
	if (more->wait_ns > r->wait_ns)
		r->wait_ns = more->wait_ns;
	r->usr_ns += more->usr_ns;
	r->sys_ns += more->sys_ns;
	r->nodes |= more->nodes;
	r->ctx += more->ctx;
	r->majf += more->majf;
	r->minf += more->minf;
	for (i = 0; i < more->n_error && r->n_error < BENCH_ERRORS_LISTED; i++)
		r->error[r->n_error++] = more->error[i];
}

double
bench_result_iops(const struct bench_result *r, enum bench_op op)
{
	return (r->window_ns == 0 ? 0
				  : (double)r->side[op].window_ios * 1e9 /
					(double)r->window_ns);
}

double
bench_result_bytes_per_s(const struct bench_result *r, enum bench_op op)
{
	return (r->window_ns == 0 ? 0
				  : (double)r->side[op].window_bytes * 1e9 /
					(double)r->window_ns);
}

double
bench_result_device_depth(const struct bench_result *r)
{
	if (!r->device.known || r->whole_ns == 0 ||
	    r->device.ios[0] + r->device.ios[1] == 0)
		return (-1);
	return ((double)r->device.in_queue_ms * 1e6 / (double)r->whole_ns);
}
