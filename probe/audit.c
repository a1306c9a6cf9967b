/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/audit.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_hash.h>
#include <apr_strings.h>
#include <apr_time.h>

#include "cli/diag.h"
#include "httpdconf/tree.h"
#include "probe/analysis.h"
#include "probe/cost.h"
#include "probe/input.h"
#include "probe/options.h"
#include "probe/plan.h"
#include "probe/report.h"
#include "probe/robots.h"
#include "probe/rules.h"
#include "probe/sitemap.h"
#include "probe/transport.h"
#include "scan/scan.h"

enum {
	EXIT_FINDINGS = 1,
	EXIT_NOT_JUDGED = 3,
	/* URLs that are being audited at a time.  They are printed in the order
	 * of the input, so that a slow one holds up the others here. */
	WINDOW = 64,
	KNOWN_HOSTS = 1024,
	MAX_REDIRECTS = 5, /* of robots.txt: RFC 9309 section 2.3.1.2 */
};

/* Manners are kept by host. */
struct host {
	const char *name;
	int refs, busy;
	apr_time_t next; /* not before */
	apr_pool_t *pool;
	/* robots.txt */
	enum {
		ROBOTS_NEW = 0,
		ROBOTS_ASKED,
		ROBOTS_KNOWN
	} state;
	struct probe_robots *robots; /* NULL: all is allowed */
	bool robots_deny;            /* nothing is */
	const char *robots_url;
	int redirects;
};

struct target {
	apr_pool_t *pool;
	struct host *host;
	struct probe_subject subject;
	struct probe_result *result; /* of what cannot be audited, or the end */
	bool live;   /* the subject was begun, and is not finished */
	bool listed; /* robots.txt has a say, and was not asked yet */
};

struct robots_flight {
	struct run *run;
	struct host *host;
};

struct run {
	apr_pool_t *pool, *scratch;
	struct probe_options *opt;
	struct probe_transport *transport;
	struct probe_input *input;
	struct probe_transport *fetcher; /* for sitemaps; NULL until needed */
	struct probe_decoded fetched;
	struct probe_decoded decoded;
	apr_hash_t *hosts;
	struct target *window[WINDOW];
	uint64_t head, tail; /* of the window: first, and one past the last */
	bool input_over;
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

struct flight {
	struct run *run;
	struct target *target;
	struct probe_sample sample;
};

static volatile sig_atomic_t stopped;

static void
on_signal(int sig)
{
	stopped = sig;
}

/* --- hosts --------------------------------------------------------------- */

static struct host *
host_get(struct run *r, const char *name)
{
	struct host *h = apr_hash_get(r->hosts, name, APR_HASH_KEY_STRING);
	apr_pool_t *pool;

	if (h == NULL) {
		apr_pool_create(&pool, r->pool);
		h = apr_pcalloc(pool, sizeof *h);
		h->pool = pool;
		h->name = apr_pstrdup(pool, name);
		apr_hash_set(r->hosts, h->name, APR_HASH_KEY_STRING, h);
	}
	h->refs++;
	return (h);
}

static void
host_put(struct run *r, struct host *h)
{
	if (--h->refs > 0)
		return;
	/* A host that comes again soon is known still. */
	if (apr_hash_count(r->hosts) <= KNOWN_HOSTS)
		return;
	/* A million hosts one after the other must not add up. */
	apr_hash_set(r->hosts, h->name, APR_HASH_KEY_STRING, NULL);
	apr_pool_destroy(h->pool);
}

/* --- targets ------------------------------------------------------------- */

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

static struct target *
target_open(struct run *r, const char *url, bool listed)
{
	struct target *t;
	apr_pool_t *pool;
	const char *normal, *host, *why;

	apr_pool_create(&pool, r->pool);
	t = apr_pcalloc(pool, sizeof *t);
	t->pool = pool;
	if (probe_transport_url(url, &normal, &host, &why, pool) !=
	    APR_SUCCESS) {
		t->result =
		    unusable(pool, url, why != NULL ? why : "out of memory");
		return (t);
	}
	t->host = host_get(r, host);
	(void)probe_subject_init(
	    &t->subject, &r->opt->set, normal, host, r->tail, pool);
	t->live = true;
	t->listed = listed && !r->opt->no_robots;
	return (t);
}

/* Where the configuration adds a member: the source that needs least for it. */
static void
name_causes(const struct scan_result *config, struct probe_result *r)
{
	const struct scan_source *s, *best;
	struct probe_finding *f;
	int i, j;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		best = NULL;
		/* What is missing has no line that causes it. */
		if (f->member == NULL || f->rule == PROBE_VARY_MISSING ||
		    f->rule == PROBE_VARY_REFLECTED)
			continue;
		for (j = 0; j < config->sources->nelts; j++) {
			s = &APR_ARRAY_IDX(
			    config->sources, j, struct scan_source);
			if (strcasecmp(s->member, f->member) == 0 &&
			    (best == NULL || s->when < best->when))
				best = s;
		}
		if (best == NULL)
			continue;
		f->cause.file = best->place.file;
		f->cause.line = (int)best->place.line;
		f->cause.directive = best->place.directive;
	}
}

static void
target_judge(struct run *r, struct target *t)
{
	t->result = probe_rules_judge(&t->subject, t->pool);
	if (r->config != NULL)
		name_causes(r->config, t->result);
	probe_cost_fill(t->result, &r->basis, t->pool);
	probe_subject_fini(&t->subject);
	t->live = false;
}

static void
target_close(struct run *r, struct target *t)
{
	if (t->live)
		probe_subject_fini(&t->subject);
	if (t->host != NULL)
		host_put(r, t->host);
	apr_pool_destroy(t->pool);
}

/* Fill the window from the input. */
static void
admit(struct run *r)
{
	const char *url, *why;
	apr_status_t st;
	bool listed;

	while (!r->input_over && stopped == 0 && r->tail - r->head < WINDOW) {
		st = probe_input_next(r->input, &url, &listed, &why);
		if (st == APR_EOF) {
			r->input_over = true;
			break;
		}
		if (st != APR_SUCCESS) {
			/* The other inputs are as good as before. */
			cli_error("%s", why);
			r->input_failed = true;
			continue;
		}
		r->window[r->tail % WINDOW] = target_open(r, url, listed);
		r->tail++;
	}
}

/* Print what is finished, in the order of the input. */
static void
flush(struct run *r)
{
	struct target *t;
	int worst;

	while (r->head < r->tail) {
		t = r->window[r->head % WINDOW];
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
		target_close(r, t);
		r->window[r->head % WINDOW] = NULL;
		r->head++;
	}
}

/* --- requests ------------------------------------------------------------ */

static void
on_done(void *baton, const struct probe_exchange *x)
{
	struct flight *f = baton;
	struct target *t = f->target;

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
give_up(struct probe_subject *s, const char *why)
{
	if (s->over)
		return;
	s->over = true;
	s->outcome = PROBE_INTERFERED;
	s->reason = why;
}

static void
ask(struct run *r, struct target *t, const struct probe_sample *sample,
    apr_time_t now)
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
		give_up(&t->subject, "the request could not be made");
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

/* --- robots.txt ---------------------------------------------------------- */

static void on_robots(void *baton, const struct probe_exchange *x);

static apr_status_t
ask_robots(struct run *r, struct host *h, const char *url)
{
	static const struct probe_header headers[] = {
		{ "User-Agent",
		    "Mozilla/5.0 (compatible; varyprobe/" PACKAGE_VERSION ")" },
		{ "Accept-Encoding", "gzip" },
	};
	struct robots_flight *f = calloc(1, sizeof *f);
	struct probe_request q;
	apr_status_t st;

	if (f == NULL)
		return (APR_ENOMEM);
	f->run = r;
	f->host = h;
	memset(&q, 0, sizeof q);
	q.url = url;
	q.headers = headers;
	q.nheaders = sizeof headers / sizeof *headers;
	st = probe_transport_submit(r->transport, &q, on_robots, f);
	if (st != APR_SUCCESS) {
		free(f);
		return (st);
	}
	r->sent++;
	h->robots_url = apr_pstrdup(h->pool, url);
	h->state = ROBOTS_ASKED;
	h->refs++;
	h->busy++;
	return (APR_SUCCESS);
}

static const struct probe_line *
line_of(const struct probe_exchange *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->nlines; i++)
		if (strlen(name) == x->lines[i].name_len &&
		    strncasecmp(name, x->lines[i].name, x->lines[i].name_len) ==
			0)
			return (&x->lines[i]);
	return (NULL);
}

/* RFC 9309 section 2.3.1: 4xx allows all, 5xx nothing, no answer is up to the
 * audit itself, which will not get one either. */
static void
on_robots(void *baton, const struct probe_exchange *x)
{
	struct robots_flight *f = baton;
	struct run *r = f->run;
	struct host *h = f->host;
	const struct probe_line *l;
	const char *next;

	free(f);
	if (x->end == PROBE_STOPPED)
		return;
	h->busy--;
	h->state = ROBOTS_KNOWN;
	if (x->end == PROBE_ANSWERED && x->status / 100 == 2) {
		l = line_of(x, "Content-Encoding");
		if (probe_decode(&r->decoded, l != NULL ? l->value : "",
			l != NULL ? l->value_len : 0, x->body, x->body_len,
			PROBE_ROBOTS_MAX) <= PROBE_CUT)
			h->robots = probe_robots_parse(
			    r->decoded.b, r->decoded.len, "varyprobe", h->pool);
	} else if (x->end == PROBE_ANSWERED && x->status / 100 == 3) {
		l = line_of(x, "Location");
		if (l != NULL && h->redirects++ < MAX_REDIRECTS &&
		    probe_transport_relative(h->robots_url,
			apr_pstrndup(h->pool, l->value, l->value_len), &next,
			h->pool) == APR_SUCCESS)
			(void)ask_robots(r, h, next);
	} else if (x->end == PROBE_ANSWERED && x->status / 100 == 5)
		h->robots_deny = true;
	host_put(r, h);
}

/* True: this target may go on. */
static bool
robots_agree(struct run *r, struct target *t)
{
	struct host *h = t->host;
	const char *path;

	if (h->state == ROBOTS_NEW &&
	    ask_robots(r, h,
		apr_pstrcat(t->pool, t->subject.origin, "/robots.txt", NULL)) !=
		APR_SUCCESS)
		h->state = ROBOTS_KNOWN;
	if (h->state != ROBOTS_KNOWN)
		return (false);
	t->listed = false;
	path = t->subject.url + strlen(t->subject.origin);
	if (h->robots_deny)
		give_up(&t->subject,
		    "robots.txt is answered with an error of the server, "
		    "which means no; --no-robots asks all the same");
	else if (h->robots != NULL && !probe_robots_allow(h->robots, path))
		give_up(&t->subject,
		    "robots.txt says no; --no-robots asks all the same");
	return (true);
}

/*
 * Let a target go on as far as it can.  Returns how long, in microseconds, it
 * has to wait for its host; -1: it does not wait for that.
 */
static apr_time_t
advance(struct run *r, struct target *t, apr_time_t now)
{
	struct probe_sample sample;

	while (t->result == NULL) {
		if (!t->subject.over) {
			if (probe_transport_room(r->transport) == 0 ||
			    t->host->busy >= (int)r->opt->route.per_host)
				return (-1);
			if (t->host->next > now)
				return (t->host->next - now);
			if (t->listed && !robots_agree(r, t))
				return (-1);
			if (t->subject.over)
				continue;
			if (r->opt->max_requests > 0 &&
			    r->sent >= r->opt->max_requests)
				give_up(
				    &t->subject, "--max-requests is used up");
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
show_progress(struct run *r, apr_time_t now)
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

static void
loop(struct run *r)
{
	apr_time_t now, wait, least;
	uint64_t i;

	for (;;) {
		admit(r);
		now = apr_time_now();
		least = APR_USEC_PER_SEC;
		for (i = r->head; i < r->tail; i++) {
			struct target *t = r->window[i % WINDOW];

			if (stopped != 0 && t->live)
				give_up(&t->subject,
				    "stopped before it was finished");
			if (t->result != NULL)
				continue;
			wait = advance(r, t, now);
			if (wait >= 0 && wait < least)
				least = wait;
		}
		flush(r);
		show_progress(r, now);
		if (r->head == r->tail && (r->input_over || stopped != 0))
			return;
		if (r->output_failed)
			return;
		if (stopped != 0) {
			/* Nobody waits for answers that nobody will read. */
			for (i = r->head; i < r->tail; i++) {
				struct target *t = r->window[i % WINDOW];

				if (t->result == NULL && t->subject.over)
					target_judge(r, t);
			}
			flush(r);
			return;
		}
		if (r->tail - r->head < WINDOW && !r->input_over &&
		    probe_transport_room(r->transport) > 0)
			least = 0;
		if (probe_transport_run(r->transport,
			(int)((least + 999) / 1000)) != APR_SUCCESS) {
			cli_error("libcurl does not go on");
			r->output_failed = true;
			return;
		}
	}
}

/* --- without asking ------------------------------------------------------ */

static int
dry_run(struct run *r)
{
	const char *url, *why;
	uint64_t urls = 0, requests = 0;
	struct target *t;
	apr_status_t st;
	bool listed;
	int i;

	while (
	    (st = probe_input_next(r->input, &url, &listed, &why)) != APR_EOF) {
		if (st != APR_SUCCESS) {
			cli_error("%s", why);
			r->input_failed = true;
			continue;
		}
		t = target_open(r, url, listed);
		if (t->result != NULL) {
			fprintf(r->context.f, "%s: %s\n", t->result->url,
			    t->result->reason);
			target_close(r, t);
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

				if (x->group)
					fprintf(r->context.f,
					    "  many other headers at once\n");
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
		target_close(r, t);
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

/* --- files --------------------------------------------------------------- */

/* A whole file, up to a limit; a message and NULL if that fails. */
static char *
read_file(const char *name, size_t max, size_t *ret_len, apr_pool_t *pool)
{
	FILE *f = fopen(name, "re");
	struct stat st;
	char *b;

	if (f == NULL) {
		cli_error("%s: %s", name, strerror(errno));
		return (NULL);
	}
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size + 1 < max)
		max = (size_t)st.st_size + 2; /* and what is appended now */
	b = apr_palloc(pool, max);
	*ret_len = fread(b, 1, max, f);
	if (ferror(f) || *ret_len == max) {
		cli_error("%s: %s", name,
		    ferror(f) ? strerror(errno) : "the file is too long");
		b = NULL;
	}
	(void)fclose(f);
	return (b);
}

struct fetched {
	struct run *run;
	bool over;
	const char *why;
};

static void
on_fetched(void *baton, const struct probe_exchange *x)
{
	struct fetched *f = baton;
	const struct probe_line *l = line_of(x, "Content-Encoding");

	f->over = true;
	if (x->end != PROBE_ANSWERED)
		f->why = apr_pstrdup(f->run->pool, x->error);
	else if (x->status != 200)
		f->why = apr_psprintf(f->run->pool, "status %d", x->status);
	else if (probe_decode(&f->run->fetched, l != NULL ? l->value : "",
		     l != NULL ? l->value_len : 0, x->body, x->body_len,
		     PROBE_SITEMAP_MAX) > PROBE_CUT)
		f->why = "a coding that we do not know";
}

/* A sitemap.  What is audited waits for it meanwhile. */
static apr_status_t
fetch(void *baton, const char *url, const char **ret, size_t *ret_len,
    const char **ret_why)
{
	static const struct probe_header headers[] = {
		{ "User-Agent",
		    "Mozilla/5.0 (compatible; varyprobe/" PACKAGE_VERSION ")" },
		{ "Accept-Encoding", "gzip" },
	};
	struct run *r = baton;
	struct probe_route route = r->opt->route;
	struct probe_request q;
	struct fetched f = { .run = r };
	const char *normal, *host;
	apr_status_t st;

	*ret_why = NULL;
	st = probe_transport_url(url, &normal, &host, ret_why, r->pool);
	if (st == APR_SUCCESS && r->fetcher == NULL) {
		route.concurrency = 1;
		route.max_body = PROBE_SITEMAP_MAX;
		st = probe_transport_open(&r->fetcher, &route, r->pool);
	}
	if (st == APR_SUCCESS) {
		memset(&q, 0, sizeof q);
		q.url = normal;
		q.headers = headers;
		q.nheaders = sizeof headers / sizeof *headers;
		st = probe_transport_submit(r->fetcher, &q, on_fetched, &f);
	}
	while (st == APR_SUCCESS && !f.over && stopped == 0)
		st = probe_transport_run(r->fetcher, 1000);
	if (st == APR_SUCCESS && (f.why != NULL || !f.over)) {
		*ret_why = f.why != NULL ? f.why : "stopped";
		st = APR_EGENERAL;
	}
	if (*ret_why == NULL)
		*ret_why = "cannot be fetched";
	*ret = r->fetched.b;
	*ret_len = r->fetched.len;
	return (st);
}

static int
read_populations(struct run *r)
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

/* --- the command --------------------------------------------------------- */

static void
prepare_terminal(struct run *r)
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
exit_code(const struct run *r)
{
	if (stopped != 0)
		return (128 + (int)stopped);
	if (r->input_failed)
		return (CLI_EXIT_USAGE);
	if (r->worst >= (int)r->opt->fail_on)
		return (EXIT_FINDINGS);
	if (r->opt->strict &&
	    r->summary.outcome[PROBE_JUDGED] < r->summary.urls)
		return (EXIT_NOT_JUDGED);
	return (CLI_EXIT_OK);
}

/*
 * Whoever reads the file (node_exporter, an editor) finds the old one whole or
 * the new one whole: it is written beside its name, and renamed.  What is no file
 * (a pipe, /dev/stdout) is opened as it is.
 */
static int
open_output(struct run *r)
{
	const char *name = r->opt->output;
	struct stat st;

	if (name == NULL)
		return (0);
	r->output_name = name;
	if (stat(name, &st) != 0 || S_ISREG(st.st_mode))
		r->output_name =
		    apr_psprintf(r->pool, "%s.%ld.tmp", name, (long)getpid());
	r->context.f = fopen(r->output_name, "we");
	if (r->context.f == NULL) {
		cli_error("%s: %s", name, strerror(errno));
		r->context.f = stdout;
		return (-1);
	}
	return (0);
}

static int
close_output(struct run *r, int code)
{
	const char *name = r->opt->output;

	if (r->context.f == NULL || r->context.f == stdout)
		return (code);
	if (fclose(r->context.f) != 0 ||
	    (r->output_name != name && code != CLI_EXIT_INTERNAL &&
		rename(r->output_name, name) != 0)) {
		cli_error("%s: %s", name, strerror(errno));
		code = CLI_EXIT_INTERNAL;
	}
	if (code == CLI_EXIT_INTERNAL && r->output_name != name)
		(void)unlink(r->output_name);
	return (code);
}

static int
read_config(struct run *r)
{
	struct scan_request q;
	struct scan_result *result;
	apr_pool_t *scratch;
	apr_status_t st;
	char buf[128];
	int i;

	if (r->opt->configs->nelts == 0)
		return (0);
	memset(&q, 0, sizeof q);
	if (r->opt->apache_version != NULL &&
	    !hconf_version_parse((struct hconf_span){ r->opt->apache_version,
				     strlen(r->opt->apache_version) },
		&q.version)) {
		cli_error("--apache-version takes a release such as 2.4.6, "
			  "not '%s'",
		    r->opt->apache_version);
		return (-1);
	}
	APR_ARRAY_PUSH(r->opt->configs, const char *) = NULL;
	q.paths = (const char *const *)(const void *)r->opt->configs->elts;
	apr_pool_create(&scratch, r->pool);
	st = scan_run(&result, &q, r->pool, scratch);
	apr_pool_destroy(scratch);
	if (st != APR_SUCCESS) {
		cli_error("--config %s: %s", q.paths[0],
		    apr_strerror(st, buf, sizeof buf));
		return (-1);
	}
	for (i = 0; i < result->unread->nelts; i++)
		cli_warning("%s: %s",
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).path,
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).why);
	r->config = result;
	return (0);
}

static int
read_anchor(struct run *r)
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
audit(struct run *r)
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
	if (open_output(r) != 0)
		return (CLI_EXIT_USAGE);
	prepare_terminal(r);
	if (read_populations(r) != 0 || read_anchor(r) != 0 ||
	    read_config(r) != 0)
		return (CLI_EXIT_USAGE);
	r->hosts = apr_hash_make(r->pool);
	from.urls = r->opt->urls;
	from.hars = r->opt->hars;
	from.sitemaps = r->opt->sitemaps;
	from.lists = r->opt->lists;
	from.fetch = fetch;
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
	sa.sa_handler = on_signal;
	(void)sigemptyset(&sa.sa_mask);
	/* The second one ends us in the usual way. */
	sa.sa_flags = (int)(SA_RESETHAND);
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGTERM, &sa, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	r->began = apr_time_now();
	if (r->report->begin(&r->context) != 0)
		r->output_failed = true;
	loop(r);
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
	struct run run;
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
			target_close(&run, run.window[run.head % WINDOW]);
			run.head++;
		}
		probe_input_close(&run.input);
		probe_decoded_fini(&run.decoded);
		probe_decoded_fini(&run.fetched);
		code = close_output(&run, code);
	}
	apr_pool_destroy(pool);
	apr_terminate();
	return (code);
}
