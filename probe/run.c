/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/diag.h"
#include "probe/analysis.h"
#include "probe/cause.h"
#include "probe/likely.h"
#include "probe/plan.h"
#include "probe/rules.h"
#include "probe/url.h"

volatile sig_atomic_t probe_run_stopped;

void
probe_run_on_signal(int sig)
{
	probe_run_stopped = sig;
}

struct flight {
	struct probe_run *run;
	struct probe_target *target;
	struct probe_sample sample;
};

static struct probe_result *
unusable(apr_pool_t *pool, const char *url, const char *why)
{
	struct probe_result *r = apr_pcalloc(pool, sizeof *r);

	r->url = apr_pstrdup(pool, url);
	r->outcome = PROBE_UNREACHABLE;
	r->reason = why;
	r->cacheable_why = "there is no response";
	r->vary_lines = apr_array_make(pool, 1, sizeof(const char *));
	r->vary_members = apr_array_make(pool, 1, sizeof(const char *));
	r->members = apr_array_make(pool, 1, sizeof(struct probe_member));
	r->findings = apr_array_make(pool, 1, sizeof(struct probe_finding));
	r->notes = apr_array_make(pool, 1, sizeof(const char *));
	r->together = apr_array_make(pool, 1, sizeof(const char *));
	return (r);
}

struct probe_target *
probe_run_admit(struct probe_run *r, const char *url, bool listed)
{
	struct probe_target *t;
	apr_pool_t *pool;
	const char *normal, *host, *why;

	apr_pool_create(&pool, r->pool);
	t = apr_pcalloc(pool, sizeof *t);
	t->pool = pool;
	if (probe_url_read(url, &normal, &host, &why, pool) == APR_SUCCESS)
		t->host = probe_host_get(r, host);
	if (t->host == NULL) {
		t->result =
		    unusable(pool, url, why != NULL ? why : "out of memory");
		return (t);
	}
	(void)probe_subject_init(
	    &t->subject, &r->opt->set, normal, host, r->tail, pool);
	if (r->config != NULL && !r->opt->axes_only)
		probe_cause_ask(r->config, &t->subject);
	t->live = true;
	t->listed = listed && !r->opt->no_robots;
	return (t);
}

static void
target_judge(struct probe_run *r, struct probe_target *t)
{
	t->result = probe_rules_judge(&t->subject, t->pool);
	if (r->config != NULL)
		probe_cause_name(r->config, t->result, t->pool);
	probe_likely_name(&t->subject, t->result, t->pool);
	probe_cost_fill(t->result, &r->basis, t->pool);
	probe_subject_fini(&t->subject);
	t->live = false;
}

void
probe_run_dismiss(struct probe_run *r, struct probe_target *t)
{
	if (t->live)
		probe_subject_fini(&t->subject);
	if (t->host != NULL)
		probe_host_put(r, t->host);
	apr_pool_destroy(t->pool);
}

/* Fill the window from the input. */
static void
admit(struct probe_run *r)
{
	const char *url, *why;
	apr_status_t st;
	bool listed;

	r->input_waits = false;
	while (!r->input_over && probe_run_stopped == 0 &&
	       r->tail - r->head < PROBE_RUN_WINDOW) {
		st = probe_input_next(r->input, &url, &listed, &why);
		if (st == APR_EOF) {
			r->input_over = true;
			break;
		}
		if (st == APR_EAGAIN) {
			r->input_waits = true;
			break;
		}
		/* A signal ends a fetch, which is no fault of the input. */
		if (st != APR_SUCCESS && probe_run_stopped != 0)
			break;
		if (st != APR_SUCCESS) {
			/* The other inputs are as good as before. */
			cli_error("%s", why);
			r->input_failed = true;
			continue;
		}
		r->window[r->tail % PROBE_RUN_WINDOW] =
		    probe_run_admit(r, url, listed);
		r->tail++;
	}
}

/* Print what is finished, in the order of the input. */
static void
flush(struct probe_run *r)
{
	struct probe_target *t;
	int worst;

	while (r->head < r->tail) {
		t = r->window[r->head % PROBE_RUN_WINDOW];
		if (t->result == NULL)
			return;
		if (!r->output_failed &&
		    r->report->target(&r->context, t->result) != 0)
			r->output_failed = true;
		r->context.number++;
		probe_summary_add(&r->summary, t->result);
		worst = probe_result_worst(t->result);
		if (worst > r->worst)
			r->worst = worst;
		probe_run_dismiss(r, t);
		r->window[r->head % PROBE_RUN_WINDOW] = NULL;
		r->head++;
	}
	/* Whoever writes the input may do so by what we print. */
	if (r->input_waits && fflush(r->context.f) != 0)
		r->output_failed = true;
}

static void
on_done(void *baton, const struct probe_exchange *x)
{
	struct flight *f = baton;
	struct probe_target *t = f->target;

	/* The run is over: the target may be gone already. */
	if (x->end == PROBE_STOPPED) {
		free(f);
		return;
	}
	t->host->busy--;
	probe_analysis_take(&t->subject, &f->sample, x, &f->run->decoded);
	if (t->subject.wait > 0) {
		apr_time_t until =
		    apr_time_now() +
		    (apr_time_t)(t->subject.wait * APR_USEC_PER_SEC);

		if (until > t->host->next)
			t->host->next = until;
		t->subject.wait = 0;
	}
	free(f);
}

static void
ask(struct probe_run *r, struct probe_target *t,
    const struct probe_sample *sample, apr_time_t now)
{
	struct flight *f = calloc(1, sizeof *f);
	struct probe_request q;
	apr_status_t st = APR_ENOMEM;
	double gap;

	apr_pool_clear(r->scratch);
	if (f != NULL) {
		f->run = r;
		f->target = t;
		f->sample = *sample;
		probe_plan_request(&t->subject, sample, &q, r->scratch);
		st = probe_transport_submit(r->transport, &q, on_done, f);
	}
	if (st != APR_SUCCESS) {
		free(f);
		t->subject.busy--;
		probe_subject_end(&t->subject, PROBE_INTERFERED,
		    "the request could not be made");
		return;
	}
	r->sent++;
	t->host->busy++;
	if (r->opt->rate > 0) {
		/* A quarter of jitter: several of us must not beat time. */
		gap = APR_USEC_PER_SEC / r->opt->rate;
		gap *=
		    0.75 +
		    (double)probe_random_below(&t->subject.random, 512) / 1024;
		if (t->host->next < now)
			t->host->next = now;
		t->host->next += (apr_time_t)gap;
	}
}

/*
 * Let a target go on as far as it can.  Returns how long, in microseconds, it
 * has to wait for its host; -1: it does not wait for that.
 */
static apr_time_t
advance(struct probe_run *r, struct probe_target *t, apr_time_t now)
{
	struct probe_sample sample;

	while (t->result == NULL) {
		if (!t->subject.over) {
			if (probe_transport_room(r->transport) == 0 ||
			    t->host->busy >= (int)r->opt->route.per_host)
				return (-1);
			if (t->host->next > now)
				return (t->host->next - now);
			if (t->listed && !probe_host_agrees(r, t))
				return (-1);
			if (t->subject.over)
				continue;
			if (r->opt->max_requests > 0 &&
			    r->sent >= r->opt->max_requests)
				probe_subject_end(&t->subject, PROBE_INTERFERED,
				    "--max-requests is used up");
		}
		switch (probe_plan_next(&t->subject, &sample)) {
		case PROBE_PLAN_SEND: ask(r, t, &sample, now); break;
		case PROBE_PLAN_WAIT: return (-1);
		case PROBE_PLAN_DONE: target_judge(r, t); break;
		}
	}
	return (-1);
}

static void
show_progress(struct probe_run *r, apr_time_t now)
{
	double secs;

	if (!r->tty || now - r->progress < APR_USEC_PER_SEC / 4)
		return;
	r->progress = now;
	secs = (double)(now - r->began) / APR_USEC_PER_SEC;
	fprintf(stderr, "\r%" PRIu64 " URLs, %" PRIu64 " requests, %.0f/s",
	    r->summary.urls, r->sent, secs > 0 ? (double)r->sent / secs : 0);
	if (r->opt->set.expected > 1 && r->summary.urls > 0)
		fprintf(stderr, ", %.0f s to go",
		    secs / (double)r->summary.urls *
			(double)(r->opt->set.expected - r->summary.urls));
	fprintf(stderr, "\033[K");
}

void
probe_run_loop(struct probe_run *r)
{
	apr_time_t now, wait, least;
	uint64_t i;

	for (;;) {
		admit(r);
		now = apr_time_now();
		least = APR_USEC_PER_SEC;
		for (i = r->head; i < r->tail; i++) {
			struct probe_target *t =
			    r->window[i % PROBE_RUN_WINDOW];

			if (probe_run_stopped != 0 && t->live)
				probe_subject_end(&t->subject, PROBE_INTERFERED,
				    "stopped before it was finished");
			if (t->result != NULL)
				continue;
			wait = advance(r, t, now);
			if (wait >= 0 && wait < least)
				least = wait;
		}
		flush(r);
		show_progress(r, now);
		if (r->head == r->tail &&
		    (r->input_over || probe_run_stopped != 0))
			return;
		if (r->output_failed)
			return;
		if (probe_run_stopped != 0) {
			/* Nobody waits for answers that nobody will read. */
			for (i = r->head; i < r->tail; i++) {
				struct probe_target *t =
				    r->window[i % PROBE_RUN_WINDOW];

				if (t->result == NULL && t->subject.over)
					target_judge(r, t);
			}
			flush(r);
			return;
		}
		if (r->tail - r->head < PROBE_RUN_WINDOW && !r->input_over &&
		    !r->input_waits && probe_transport_room(r->transport) > 0)
			least = 0;
		if (probe_transport_run(r->transport,
			(int)((least + 999) / 1000),
			r->input_waits ? probe_input_fd(r->input) : -1) !=
		    APR_SUCCESS) {
			cli_error("libcurl does not go on");
			r->output_failed = true;
			return;
		}
	}
}
