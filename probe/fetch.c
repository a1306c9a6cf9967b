/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/fetch.h"

#include <string.h>

#include <apr_strings.h>

#include "probe/failure.h"
#include "probe/run.h"
#include "probe/sitemap.h"
#include "probe/url.h"

struct fetched {
	struct probe_run *run;
	bool over;
	const char *why;
};

static void
on_fetched(void *baton, const struct probe_exchange *x)
{
	struct fetched *f = baton;
	const struct probe_line *l = probe_exchange_line(x, "Content-Encoding");

	f->over = true;
	if (!probe_failure_answered(x))
		f->why = probe_failure_reason(x, f->run->pool);
	else if (x->status != 200)
		f->why = apr_psprintf(f->run->pool, "status %d", x->status);
	else if (probe_decode(&f->run->fetched, l != NULL ? l->value : "",
		     l != NULL ? l->value_len : 0, x->body, x->body_len,
		     PROBE_SITEMAP_MAX) > PROBE_CUT)
		f->why = "a coding that we do not know";
}

apr_status_t
probe_fetch(void *baton, const char *url, const char **ret, size_t *ret_len,
    const char **ret_why)
{
	static const struct probe_header headers[] = {
		{ "User-Agent",
		    "Mozilla/5.0 (compatible; varyprobe/" PACKAGE_VERSION ")" },
		{ "Accept-Encoding", "gzip" },
	};
	struct probe_run *r = baton;
	struct probe_route route = r->opt->route;
	struct probe_request q;
	struct fetched f = { .run = r };
	const char *normal, *host;
	apr_status_t st;

	*ret_why = NULL;
	st = probe_url_read(url, &normal, &host, ret_why, r->pool);
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
	while (st == APR_SUCCESS && !f.over && probe_run_stopped == 0)
		st = probe_transport_run(r->fetcher, 1000, -1);
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
