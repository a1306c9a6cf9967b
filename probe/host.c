/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/host.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "probe/failure.h"
#include "probe/robots.h"
#include "probe/run.h"
#include "probe/url.h"

enum {
	KNOWN_HOSTS = 1024,
	MAX_REDIRECTS = 5, /* of robots.txt: RFC 9309 section 2.3.1.2 */
};

static void
free_host(struct probe_host *h)
{
	free(h->name);
	free(h);
}

/* What their pools hold has gone with the run's. */
static apr_status_t
free_hosts(void *baton)
{
	struct probe_run *r = baton;
	apr_hash_index_t *i;
	void *h;

	for (i = apr_hash_first(r->pool, r->hosts); i != NULL;
	     i = apr_hash_next(i)) {
		apr_hash_this(i, NULL, NULL, &h);
		free_host(h);
	}
	return (APR_SUCCESS);
}

void
probe_hosts_open(struct probe_run *r)
{
	r->hosts = apr_hash_make(r->pool);
	apr_pool_cleanup_register(
	    r->pool, r, free_hosts, apr_pool_cleanup_null);
}

struct probe_host *
probe_host_get(struct probe_run *r, const char *name)
{
	struct probe_host *h =
	    apr_hash_get(r->hosts, name, APR_HASH_KEY_STRING);

	if (h == NULL) {
		h = calloc(1, sizeof *h);
		if (h == NULL || (h->name = strdup(name)) == NULL) {
			free(h);
			return (NULL);
		}
		apr_hash_set(r->hosts, h->name, APR_HASH_KEY_STRING, h);
	}
	h->refs++;
	return (h);
}

void
probe_host_put(struct probe_run *r, struct probe_host *h)
{
	if (--h->refs > 0)
		return;
	/* A host that comes again soon is known still. */
	if (apr_hash_count(r->hosts) <= KNOWN_HOSTS)
		return;
	/* A million hosts one after the other must not add up. */
	apr_hash_set(r->hosts, h->name, APR_HASH_KEY_STRING, NULL);
	if (h->pool != NULL)
		apr_pool_destroy(h->pool);
	free_host(h);
}

struct robots_flight {
	struct probe_run *run;
	struct probe_host *host;
};

static void on_robots(void *baton, const struct probe_exchange *x);

static apr_status_t
ask_robots(struct probe_run *r, struct probe_host *h, const char *url)
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
	if (h->pool == NULL)
		apr_pool_create(&h->pool, r->pool);
	h->robots_url = apr_pstrdup(h->pool, url);
	h->state = PROBE_ROBOTS_ASKED;
	h->refs++;
	h->busy++;
	return (APR_SUCCESS);
}

/* RFC 9309 section 2.3.1: 4xx allows all, 5xx nothing, no answer is up to the
 * audit itself, which will not get one either. */
static void
take_robots(
    struct probe_run *r, struct probe_host *h, const struct probe_exchange *x)
{
	const struct probe_line *l;
	const char *next;

	if (x->status / 100 == 2) {
		l = probe_exchange_line(x, "Content-Encoding");
		if (probe_decode(&r->decoded, l != NULL ? l->value : "",
			l != NULL ? l->value_len : 0, x->body, x->body_len,
			PROBE_ROBOTS_MAX) <= PROBE_CUT)
			h->robots = probe_robots_parse(
			    r->decoded.b, r->decoded.len, "varyprobe", h->pool);
	} else if (x->status / 100 == 3) {
		l = probe_exchange_line(x, "Location");
		if (l != NULL && h->redirects++ < MAX_REDIRECTS &&
		    probe_url_resolve(h->robots_url,
			probe_line_copy(l, h->pool), &next,
			h->pool) == APR_SUCCESS)
			(void)ask_robots(r, h, next);
	} else if (x->status / 100 == 5)
		h->robots_deny = true;
}

static void
on_robots(void *baton, const struct probe_exchange *x)
{
	struct robots_flight *f = baton;
	struct probe_run *r = f->run;
	struct probe_host *h = f->host;

	free(f);
	if (x->end == PROBE_STOPPED)
		return;
	h->busy--;
	h->state = PROBE_ROBOTS_KNOWN;
	if (probe_failure_answered(x))
		take_robots(r, h, x);
	/* Most hosts have no rules, and a pool is 8 kB at the least. */
	if (h->state == PROBE_ROBOTS_KNOWN && h->robots == NULL) {
		apr_pool_destroy(h->pool);
		h->pool = NULL;
		h->robots_url = NULL;
	}
	probe_host_put(r, h);
}

bool
probe_host_agrees(struct probe_run *r, struct probe_target *t)
{
	struct probe_host *h = t->host;
	const char *path;

	if (h->state == PROBE_ROBOTS_NEW &&
	    ask_robots(r, h,
		apr_pstrcat(t->pool, t->subject.origin, "/robots.txt", NULL)) !=
		APR_SUCCESS)
		h->state = PROBE_ROBOTS_KNOWN;
	if (h->state != PROBE_ROBOTS_KNOWN)
		return (false);
	t->listed = false;
	path = t->subject.url + strlen(t->subject.origin);
	if (h->robots_deny)
		probe_subject_end(&t->subject, PROBE_INTERFERED,
		    "robots.txt is answered with an error of the server, "
		    "which means no; --no-robots asks all the same");
	else if (!probe_robots_allow(h->robots, path))
		probe_subject_end(&t->subject, PROBE_INTERFERED,
		    "robots.txt says no; --no-robots asks all the same");
	return (true);
}
