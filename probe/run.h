/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run: URLs from the input, some at a time, each as far as its plan, its host
 * and the transport let it go; results in the order of the input.
 * Room: probe/.
 */
#ifndef PROBE_RUN_H
#define PROBE_RUN_H

#include <apr_hash.h>
#include <apr_time.h>
#include <signal.h>

#include "probe/cost.h"
#include "probe/decode.h"
#include "probe/host.h"
#include "probe/input.h"
#include "probe/options.h"
#include "probe/report.h"
#include "probe/subject.h"
#include "probe/transport.h"

struct scan_result;

enum {
	/* URLs that are being audited at a time.  They are printed in the order
	 * of the input, so that a slow one holds up the others here. */
	PROBE_RUN_WINDOW = 64,
};

struct probe_target {
	apr_pool_t *pool;
	struct probe_host *host;
	struct probe_subject subject;
	struct probe_result *result; /* of what cannot be audited, or the end */
	bool live;   /* the subject was begun, and is not finished */
	bool listed; /* robots.txt has a say, and was not asked yet */
};

struct probe_run {
	apr_pool_t *pool, *scratch;
	struct probe_options *opt;
	struct probe_transport *transport;
	struct probe_input *input;
	struct probe_transport *fetcher; /* for sitemaps; NULL until needed */
	struct probe_decoded fetched;
	struct probe_decoded decoded;
	apr_hash_t *hosts;
	struct probe_target *window[PROBE_RUN_WINDOW];
	uint64_t head, tail; /* of the window: first, and one past the last */
	bool input_over, input_waits; /* no more comes; not yet */
	uint64_t sent;
	const struct probe_report *report;
	struct probe_report_context context;
	struct probe_summary summary;
	int worst;
	bool tty, output_failed;
	apr_time_t began, progress;
	bool input_failed;
	struct probe_cost_basis basis;
	const struct scan_result *config; /* of --config, or NULL */
	const char *output_name;          /* written to, until it is renamed */
};

/* The signal that ends the run, or 0. */
extern volatile sig_atomic_t probe_run_stopped;
void probe_run_on_signal(int);

/* Until the input is over, the run is stopped, or its output fails. */
void probe_run_loop(struct probe_run *);

/* A URL of the input; probe_run_dismiss() gives it back. */
struct probe_target *
probe_run_admit(struct probe_run *, const char *url, bool listed);
void probe_run_dismiss(struct probe_run *, struct probe_target *);
#endif
