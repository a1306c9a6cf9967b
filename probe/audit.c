/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/audit.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "probe/cause.h"
#include "probe/fetch.h"
#include "probe/file.h"
#include "probe/output.h"
#include "probe/plan.h"
#include "probe/run.h"

enum {
	EXIT_FINDINGS = 1,
	EXIT_NOT_JUDGED = 3,
};

static int
dry_run(struct probe_run *r)
{
	const char *url, *why;
	uint64_t urls = 0, requests = 0;
	struct probe_target *t;
	apr_status_t st;
	bool listed;
	int i;

	while (
	    (st = probe_input_next(r->input, &url, &listed, &why)) != APR_EOF) {
		if (st == APR_EAGAIN) {
			struct pollfd p = { .fd = probe_input_fd(r->input),
				.events = POLLIN };

			(void)poll(&p, 1, -1);
			continue;
		}
		if (st != APR_SUCCESS) {
			cli_error("%s", why);
			r->input_failed = true;
			continue;
		}
		t = probe_run_admit(r, url, listed);
		if (t->result != NULL) {
			fprintf(r->context.f, "%s: %s\n", t->result->url,
			    t->result->reason);
			probe_run_dismiss(r, t);
			continue;
		}
		if (urls++ == 0) {
			fprintf(r->context.f,
			    "for each URL %d plain requests, "
			    "and one with each of:\n",
			    PROBE_NBASE);
			for (i = 0; i < t->subject.trials->nelts; i++) {
				const struct probe_trial *x = &APR_ARRAY_IDX(
				    t->subject.trials, i, struct probe_trial);

				if (x->kind == PROBE_K_GROUP)
					fprintf(r->context.f,
					    "  many other headers at once\n");
				else if (x->kind == PROBE_K_COOKIES)
					fprintf(r->context.f,
					    "  many cookies at once\n");
				else if (x->value == NULL)
					fprintf(r->context.f, "  no %s\n",
					    x->axis->name);
				else
					fprintf(r->context.f, "  %s: %s\n",
					    x->axis->name, x->value);
			}
		}
		requests += probe_plan_size(&t->subject);
		fprintf(r->context.f, "%s: %u requests\n", t->subject.url,
		    probe_plan_size(&t->subject));
		probe_run_dismiss(r, t);
	}
	if (r->input_failed)
		return (CLI_EXIT_USAGE);
	fprintf(r->context.f,
	    "%" PRIu64 " URLs, %" PRIu64 " requests, and for each value that "
	    "seems to have an effect up to %d more\n",
	    urls, requests,
	    2 * (r->opt->set.pairs > 0
			? r->opt->set.pairs
			: probe_plan_pairs(
			      64, 0.01 / (double)(urls > 0 ? urls : 1))));
	return (fflush(r->context.f) == 0 ? CLI_EXIT_OK : CLI_EXIT_INTERNAL);
}

/* A whole file, up to a limit; a message and NULL if that fails. */
static char *
read_file(const char *name, size_t max, size_t *ret_len, apr_pool_t *pool)
{
	char *all = probe_file_read(name, max - 1, ret_len), *b;

	if (all == NULL) {
		cli_error("%s: %s", name,
		    errno == EFBIG ? "the file is too long" : strerror(errno));
		return (NULL);
	}
	b = apr_pmemdup(pool, all, *ret_len);
	free(all);
	return (b);
}

static int
read_populations(struct probe_run *r)
{
	const apr_array_header_t *a = r->opt->populations;
	struct probe_population *p;
	char *text;
	size_t len;
	int i;

	p = apr_pcalloc(r->pool, ((size_t)a->nelts + 1) * sizeof *p);
	for (i = 0; i < a->nelts; i++) {
		const char *arg = APR_ARRAY_IDX(a, i, const char *), *eq;

		eq = strchr(arg, '=');
		text = read_file(eq + 1, 16 * 1024 * 1024, &len, r->pool);
		if (text == NULL)
			return (-1);
		if (probe_population_read(&p[i],
			apr_pstrndup(r->pool, arg, (size_t)(eq - arg)), text,
			len, r->pool) != APR_SUCCESS) {
			cli_error(
			    "%s: no line with a value and a weight", eq + 1);
			return (-1);
		}
	}
	r->basis.profile = r->opt->set.profile;
	r->basis.populations = p;
	r->basis.npopulations = (size_t)a->nelts;
	r->basis.requests = r->opt->requests_per_ttl;
	return (0);
}

static void
prepare_terminal(struct probe_run *r)
{
	struct winsize w;
	int fd = fileno(r->context.f);

	r->tty = isatty(STDERR_FILENO) != 0;
	if (isatty(fd) == 0)
		return;
	r->context.colour = getenv("NO_COLOR") == NULL;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		r->context.width = w.ws_col;
}

static int
exit_code(const struct probe_run *r)
{
	if (probe_run_stopped != 0)
		return (128 + (int)probe_run_stopped);
	if (r->input_failed)
		return (CLI_EXIT_USAGE);
	if (r->worst >= (int)r->opt->fail_on)
		return (EXIT_FINDINGS);
	if (r->opt->strict &&
	    r->summary.outcome[PROBE_JUDGED] < r->summary.urls)
		return (EXIT_NOT_JUDGED);
	return (CLI_EXIT_OK);
}

static int
read_anchor(struct probe_run *r)
{
	char *text;
	size_t len;

	if (r->opt->sarif_anchor == NULL)
		return (0);
	text = read_file(r->opt->sarif_anchor, 64 * 1024 * 1024, &len, r->pool);
	if (text == NULL)
		return (-1);
	text[len] = '\0';
	r->context.anchor_text = text;
	return (0);
}

static int
read_jars(struct probe_run *r)
{
	const apr_array_header_t *a = r->opt->jars;
	const char *name, *why;
	char *text;
	size_t len;
	int i;

	for (i = 0; i < a->nelts; i++) {
		name = APR_ARRAY_IDX(a, i, const char *);
		text = read_file(name, 16 * 1024 * 1024, &len, r->pool);
		if (text == NULL)
			return (-1);
		if (probe_jar_read(&r->opt->jar, text, len, &why, r->pool) !=
		    APR_SUCCESS) {
			cli_error("%s: %s", name, why);
			return (-1);
		}
		r->opt->set.jar = &r->opt->jar;
	}
	return (0);
}

static void
push_all(apr_array_header_t *to, const apr_array_header_t *from)
{
	int i;

	for (i = 0; i < from->nelts; i++)
		APR_ARRAY_PUSH(to, const char *) =
		    APR_ARRAY_IDX(from, i, const char *);
}

/* From here on we read what others wrote. */
static void
confine(struct probe_run *r)
{
	const struct probe_options *o = r->opt;
	const char *const writes[] = { o->output, NULL };
	const char *home = getenv("HOME"), *end = NULL, *eq;
	struct cli_confine c = { 0 };
	apr_array_header_t *reads;
	int i;

	reads = apr_array_make(r->pool, 16, sizeof(const char *));
	push_all(reads, o->lists);
	push_all(reads, o->hars);
	push_all(reads, o->jars);
	/* A URL is no file: that it is not there speaks against nothing. */
	push_all(reads, o->sitemaps);
	for (i = 0; i < o->populations->nelts; i++) {
		eq =
		    strchr(APR_ARRAY_IDX(o->populations, i, const char *), '=');
		APR_ARRAY_PUSH(reads, const char *) = eq + 1;
	}
	if (o->sarif_anchor != NULL)
		APR_ARRAY_PUSH(reads, const char *) = o->sarif_anchor;
	if (o->route.cacert != NULL)
		APR_ARRAY_PUSH(reads, const char *) = o->route.cacert;
	if (o->route.cert != NULL)
		APR_ARRAY_PUSH(reads, const char *) = o->route.cert;
	if (o->route.key != NULL)
		APR_ARRAY_PUSH(reads, const char *) = o->route.key;
	if (o->route.netrc && home != NULL)
		APR_ARRAY_PUSH(reads, const char *) =
		    apr_pstrcat(r->pool, home, "/.netrc", NULL);
	APR_ARRAY_PUSH(reads, const char *) = end;
	c.reads = (const char *const *)(const void *)reads->elts;
	c.writes = writes;
	/* A tree may have a file in it that root alone reads; and a socket is
	 * root's to write to. */
	c.keep_user = o->configs->nelts > 0 || o->route.unix_socket != NULL;
	c.keep_dac = c.keep_user;
	(void)cli_confine(&c);
}

static int
audit(struct probe_run *r)
{
	struct probe_input_sources from;
	struct sigaction sa;
	apr_status_t st;
	int code;

	r->report = probe_report_find(r->opt->format);
	assert(r->report != NULL);
	r->context.f = stdout;
	r->context.profile = r->opt->set.profile->name;
	r->context.anchor = r->opt->sarif_anchor;
	r->context.fail_on = r->opt->fail_on;
	r->context.seed = r->opt->set.seed;
	r->worst = -1;
	if (probe_output_open(r) != 0)
		return (CLI_EXIT_USAGE);
	prepare_terminal(r);
	/* It sorts its samples in files without a name, made while one may. */
	if (r->report == &probe_report_prometheus &&
	    r->report->begin(&r->context) != 0)
		r->output_failed = true;
	confine(r);
	if (read_populations(r) != 0 || read_anchor(r) != 0 ||
	    read_jars(r) != 0 || probe_cause_read(r) != 0)
		return (CLI_EXIT_USAGE);
	probe_hosts_open(r);
	from.urls = r->opt->urls;
	from.hars = r->opt->hars;
	from.sitemaps = r->opt->sitemaps;
	from.lists = r->opt->lists;
	from.fetch = probe_fetch;
	from.baton = r;
	st = probe_input_open(&r->input, &from, r->pool);
	if (st == APR_SUCCESS && r->opt->dry_run)
		return (dry_run(r));
	if (st == APR_SUCCESS)
		st = probe_transport_open(
		    &r->transport, &r->opt->route, r->pool);
	if (st != APR_SUCCESS) {
		cli_error("libcurl %s cannot do what the options ask for",
		    probe_transport_version());
		return (CLI_EXIT_USAGE);
	}
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = probe_run_on_signal;
	(void)sigemptyset(&sa.sa_mask);
	/* The second one ends us in the usual way.  A write goes on: what is lost
	 * of it would spoil the result. */
	sa.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGTERM, &sa, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	r->began = apr_time_now();
	if (r->report->begin(&r->context) != 0)
		r->output_failed = true;
	probe_run_loop(r);
	if (r->tty && r->progress != 0)
		fprintf(stderr, "\r\033[K");
	if (!r->output_failed && r->report->end(&r->context, &r->summary) != 0)
		r->output_failed = true;
	if (fflush(r->context.f) != 0)
		r->output_failed = true;
	code = exit_code(r);
	if (r->output_failed) {
		cli_error("%s: cannot write the result",
		    r->opt->output != NULL ? r->opt->output : "stdout");
		code = CLI_EXIT_INTERNAL;
	}
	/* Those that are still on their way end with the transport. */
	return (code);
}

int
probe_audit_main(int argc, char **argv)
{
	struct probe_options opt;
	struct probe_run run;
	apr_pool_t *pool;
	const char *why;
	int code;

	if (apr_initialize() != APR_SUCCESS)
		return (CLI_EXIT_INTERNAL);
	apr_pool_create(&pool, NULL);
	memset(&run, 0, sizeof run);
	if (probe_options_parse(&opt, argc, argv, &why, pool) != APR_SUCCESS) {
		cli_error("%s", why);
		code = CLI_EXIT_USAGE;
	} else if (opt.help) {
		probe_options_usage(stdout);
		code = CLI_EXIT_OK;
	} else {
		run.pool = pool;
		run.opt = &opt;
		apr_pool_create(&run.scratch, pool);
		code = audit(&run);
		probe_transport_close(&run.transport);
		probe_transport_close(&run.fetcher);
		while (run.head < run.tail) {
			probe_run_dismiss(
			    &run, run.window[run.head % PROBE_RUN_WINDOW]);
			run.head++;
		}
		probe_input_close(&run.input);
		probe_decoded_fini(&run.decoded);
		probe_decoded_fini(&run.fetched);
		code = probe_output_close(&run, code);
	}
	apr_pool_destroy(pool);
	apr_terminate();
	return (code);
}
