/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

void
scan_filters(struct scan_model *m, const struct hconf_node *n,
    struct scan_scope *s, struct hconf_span list)
{
	const char *p = list.b, *e = p + list.len;

	while (p < e) {
		const char *b = p;
		struct hconf_span f;

		while (p < e && *p != ';')
			p++;
		f = (struct hconf_span){ b, (size_t)(p - b) };
		if (p < e)
			p++;
		if (!hconf_span_is(f, "DEFLATE") &&
		    !hconf_span_is(f, "BROTLI_COMPRESS"))
			continue;
		(void)scan_source_add(m, s, n,
		    (struct hconf_span){ "Accept-Encoding", 15 },
		    SCAN_BY_FILTER, SCAN_POSSIBLE, n->versions);
	}
}

static void
negotiates(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	static const char *const dimensions[] = { "negotiate", "accept",
		"accept-language", "accept-charset", "accept-encoding", NULL };
	int i;

	for (i = 0; dimensions[i] != NULL; i++) {
		struct scan_model_source *x = scan_source_add(m, s, n,
		    (struct hconf_span){ dimensions[i], strlen(dimensions[i]) },
		    SCAN_BY_NEGOTIATION, SCAN_POSSIBLE, n->versions);

		x->error_table = true;
		x->pub.any_status = true;
	}
}

static bool
speaks_http(struct hconf_span url)
{
	static const char *const schemes[] = { "http:", "https:", "h2:", "h2c:",
		"balancer:", "ajp:", "ws:", "wss:", NULL };
	int i;

	for (i = 0; schemes[i] != NULL; i++)
		if (hconf_span_starts(url, schemes[i]))
			return (true);
	return (false);
}

static void
proxied(struct scan_scope *s, enum scan_extent how)
{
	if (how > s->proxied)
		s->proxied = how;
}

void
scan_handler(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	struct hconf_span h;

	hconf_words(n->args, &w, m->pool);
	if (w.n == 0)
		return;
	h = w.v[0];
	if (hconf_span_is(h, "type-map")) {
		negotiates(m, n, s);
		return;
	}
	if (n->id != HCONF_SETHANDLER)
		return;
	if (hconf_span_starts(h, "proxy:")) {
		h.b += 6;
		h.len -= 6;
		if (speaks_http(h))
			proxied(s, n->unless != NULL ? SCAN_SOME : SCAN_ALL);
		return;
	}
	scan_ask_string(m,
	    &(struct scan_ask){ .node = n,
		.scope = s,
		.text = h,
		.when = SCAN_ALWAYS,
		.versions = n->versions },
	    "the handler", 0);
}

void
scan_proxy_pass(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	struct hconf_span url;
	bool all = s->pathspec;

	hconf_words(n->args, &w, m->pool);
	if (w.n == 0)
		return;
	/* In <Location> the path is that of the section. */
	url = w.v[0];
	if (w.n > 1 && !speaks_http(url)) {
		all = hconf_span_is(url, "/") || hconf_span_is(url, "^/") ||
		      hconf_span_is(url, "^") ||
		      hconf_span_is(url, "^/(.*)$") ||
		      hconf_span_is(url, "^(.*)$") ||
		      hconf_span_is(url, "^/(.*)");
		url = w.v[1];
	}
	if (speaks_http(url))
		proxied(s, all && n->unless == NULL ? SCAN_ALL : SCAN_SOME);
}

void
scan_options(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	for (i = 0; i < w.n; i++)
		if (hconf_span_is(w.v[i], "MultiViews") ||
		    hconf_span_is(w.v[i], "+MultiViews")) {
			negotiates(m, n, s);
			return;
		}
}
