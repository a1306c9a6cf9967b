/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/options.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include <apr_strings.h>

#include "cli/diag.h"
#include "cli/num.h"
#include "cli/options.h"
#include "probe/report.h"
#include "probe/url.h"
#include "vary/field.h"

/* clang-format off */
#define OPTIONS(X)							\
X(URLS,		"urls",		  0,	"FILE",		"audit the URLs of FILE, one a line; - is stdin") \
X(SITEMAP,	"sitemap",	  0,	"URL",		"audit the URLs of this sitemap, or of this index of them") \
X(HAR,		"har",		  0,	"FILE",		"audit what a browser has asked for") \
X(ROBOTS,	"no-robots",	  0,	NULL,		"do not read robots.txt for lists, sitemaps and HAR") \
X(CONNECT_TO,	"connect-to",	  0,	"HOST:PORT",	"connect there, whatever the URL's host is") \
X(RESOLVE,	"resolve",	  0,	"HOST:PORT:ADDR", "take ADDR for the address of HOST:PORT") \
X(UNIX_SOCKET,	"unix-socket",	  0,	"PATH",		"connect to this socket") \
X(PROXY,	"proxy",	  0,	"URL",		"ask by this proxy: http, https, socks4, socks4a, socks5, socks5h") \
X(PROXY_USER,	"proxy-user",	  0,	"NAME:PASSWORD", "that the proxy wants") \
X(PROXY_PROTOCOL, "haproxy-protocol", 0, NULL,	"begin each connection with a PROXY protocol line (version 1)") \
X(HEADER,	"header",	  'H',	"'N: V'",	"send it with every request; 'N:' sends none") \
X(AXIS,		"axis",		  0,	"'N: V | V'",	"try these values of header N too") \
X(COOKIE,	"cookie",	  'b',	"'N=V'",	"try this cookie too: that of a session, say") \
X(JAR,		"cookie-jar",	  0,	"FILE",		"try the cookies of this jar, each and all; FILE is only read") \
X(AXES,		"axes",		  0,	"LIST",		"try these headers only, or: main, all (default)") \
X(EDGE_SETS,	"edge-sets",	  0,	"NAME",		"the edge always sets this header: do not try it") \
X(PROFILE,	"cache-profile",  0,	"NAME",		"judge for this cache (default: varnish)") \
X(PAIRS,	"pairs",	  0,	"N",		"confirm with N pairs (default: by the number of tests)") \
X(CHECKS,	"no-checks",	  0,	NULL,		"no HEAD, conditional and range requests") \
X(BUSTER,	"cache-buster",	  0,	"NAME",		"add ?NAME=random to pass by a cache; same within a pair") \
X(SEED,		"seed",		  0,	"N",		"repeat the order of another run") \
X(CONCURRENCY,	"concurrency",	  0,	"N",		"requests at a time in all (default: 8)") \
X(PER_HOST,	"per-host",	  0,	"N",		"connections to one host (default: 2)") \
X(RATE,		"rate",		  0,	"N",		"requests a second and host (default: 20; 0: no limit)") \
X(MAX_REQUESTS,	"max-requests",	  0,	"N",		"send no more than N requests in all") \
X(TIMEOUT,	"timeout",	  0,	"TIME",		"for one answer (default: 30s)") \
X(MAX_BODY,	"max-body",	  0,	"SIZE",		"compare this much of a body (default: 3m)") \
X(DRY_RUN,	"dry-run",	  0,	NULL,		"print what would be asked, ask nothing") \
X(INSECURE,	"insecure",	  'k',	NULL,		"take any certificate") \
X(CACERT,	"cacert",	  0,	"FILE",		"trust these certificates") \
X(CERT,		"cert",		  0,	"FILE",		"client certificate, PEM") \
X(KEY,		"key",		  0,	"FILE",		"and its key") \
X(USER,		"user",		  'u',	"NAME:PASSWORD", "basic authentication") \
X(NETRC,	"netrc",	  0,	NULL,		"the same from ~/.netrc") \
X(HTTP10,	"http1.0",	  0,	NULL,		"speak HTTP/1.0") \
X(HTTP2,	"http2",	  0,	NULL,		"speak HTTP/2") \
X(POPULATION,	"population",	  0,	"NAME=FILE",	"how often header NAME has which value: value<TAB>weight lines") \
X(PER_TTL,	"requests-per-ttl", 0,	"N",		"requests for a URL within its lifetime (default: 100)") \
X(CONFIG,	"config",	  0,	"PATH",		"scan this configuration too, and name the cause of each finding") \
X(VERSION,	"apache-version", 0,	"V",		"with --config: what this release does (default: any)") \
X(FAIL_ON,	"fail-on",	  0,	"LEVEL",	"exit 1 from: note, warning (default), error") \
X(STRICT,	"strict",	  0,	NULL,		"exit 3 if a URL could not be judged") \
X(FORMAT,	"format",	  0,	"NAME",		"how to print the result (default: human)") \
X(ANCHOR,	"sarif-anchor",	  0,	"FILE",		"SARIF: findings stand where FILE names the URL") \
X(OUTPUT,	"output",	  'o',	"FILE",		"print it there") \
X(HELP,		"help",		  'h',	NULL,		"print this")

enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

void
probe_options_usage(FILE *f)
{
	size_t i;

	fprintf(f,
	    "usage: %s audit [options] URL ...\n"
	    "Ask the origin: what does each response declare in Vary, and "
	    "what does it\nreally depend on?\n\n",
	    cli_diag_name());
	cli_options_usage(f, table);
	fprintf(f, "\nformats: %s\ncache profiles:", probe_report_names());
	for (i = 0; probe_profile_at(i) != NULL; i++)
		fprintf(f, " %s", probe_profile_at(i)->name);
	fprintf(f,
	    "\n\nexit: 0 nothing at or above --fail-on, 1 findings, 2 usage, "
	    "3 not judged (--strict),\n4 internal error, 128+N stopped by "
	    "signal N\n");
}

static const char *
trim(char *s)
{
	char *e;

	while (*s == ' ' || *s == '\t')
		s++;
	e = s + strlen(s);
	while (e > s && (e[-1] == ' ' || e[-1] == '\t'))
		*--e = '\0';
	return (s);
}

/* What would end a request's header, or begin another. */
static bool
is_text(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '\r' || *s == '\n')
			return (false);
	return (true);
}

static const char *
header(apr_array_header_t *to, const char *arg, apr_pool_t *pool)
{
	char *copy = apr_pstrdup(pool, arg), *colon;
	struct probe_header *h;
	const char *name, *value;

	colon = strchr(copy, ':');
	if (colon == NULL) {
		/* curl's spelling of an empty header */
		colon = strchr(copy, ';');
		if (colon == NULL || colon[1] != '\0')
			return (apr_psprintf(pool,
			    "--header '%s' has no colon: write 'Name: value'",
			    arg));
		value = "";
	} else
		value = trim(colon + 1);
	if (*colon == ':' && *value == '\0')
		value = NULL;
	*colon = '\0';
	name = trim(copy);
	if (!vary_is_token(name, strlen(name)) || !is_text(arg))
		return (apr_psprintf(
		    pool, "--header '%s': no header has this name", arg));
	h = apr_array_push(to);
	h->name = name;
	h->value = value;
	return (NULL);
}

/* 'Name: v1 | v2' as an axis, with the table's own values after these. */
static const char *
axis(apr_array_header_t *to, const char *arg, apr_pool_t *pool)
{
	char *copy = apr_pstrdup(pool, arg), *colon, *v, *bar, *p;
	const struct probe_axis *known;
	struct probe_axis *a = apr_pcalloc(pool, sizeof *a);
	apr_array_header_t *values =
	    apr_array_make(pool, 4, sizeof(const char *));
	size_t i;
	int n;

	colon = strchr(copy, ':');
	if (colon == NULL || !is_text(arg))
		return (apr_psprintf(pool,
		    "--axis '%s' has no colon: write 'Name: value | value'",
		    arg));
	*colon = '\0';
	a->name = trim(copy);
	if (!vary_is_token(a->name, strlen(a->name)))
		return (apr_psprintf(
		    pool, "--axis '%s': no header has this name", arg));
	for (v = colon + 1; v != NULL; v = bar) {
		const char *one;
		char *escaped;

		bar = strstr(v, " | ");
		if (bar != NULL) {
			*bar = '\0';
			bar += 3;
		}
		one = trim(v);
		if (*one == '\0')
			continue;
		/* A % of the user's is a percent sign. */
		escaped = p = apr_palloc(pool, 2 * strlen(one) + 1);
		for (; *one != '\0'; one++) {
			if (*one == '%')
				*p++ = '%';
			*p++ = *one;
		}
		*p = '\0';
		APR_ARRAY_PUSH(values, const char *) = escaped;
	}
	if (values->nelts == 0)
		return (apr_psprintf(pool, "--axis '%s' has no value", arg));
	/* What was given before for this header goes on. */
	for (n = 0; n < to->nelts; n++)
		if (strcasecmp(
			APR_ARRAY_IDX(to, n, const struct probe_axis *)->name,
			a->name) == 0)
			break;
	known = n < to->nelts ? APR_ARRAY_IDX(to, n, const struct probe_axis *)
			      : probe_axis_find(a->name, strlen(a->name));
	a->flags = PROBE_AXIS_MAIN | PROBE_AXIS_EACH;
	if (known != NULL) {
		a->flags |= known->flags;
		for (i = 0; known->values[i] != NULL; i++)
			APR_ARRAY_PUSH(values, const char *) = known->values[i];
	}
	a->flags &= ~(unsigned)PROBE_AXIS_GROUP;
	APR_ARRAY_PUSH(values, const char *) = NULL;
	a->values = (const char *const *)(const void *)values->elts;
	if (n < to->nelts)
		APR_ARRAY_IDX(to, n, const struct probe_axis *) = a;
	else
		APR_ARRAY_PUSH(to, const struct probe_axis *) = a;
	return (NULL);
}

static bool
has_axis(const apr_array_header_t *to, const char *name)
{
	int i;

	for (i = 0; i < to->nelts; i++)
		if (strcasecmp(
			APR_ARRAY_IDX(to, i, const struct probe_axis *)->name,
			name) == 0)
			return (true);
	return (false);
}

static const char *
choose_axes(apr_array_header_t *to, const char *list, apr_pool_t *pool)
{
	static const char *const generic[] = { "1", "%c", NULL };
	const struct probe_axis *a;
	char *copy, *name, *state;

	if (list == NULL || strcmp(list, "all") == 0 ||
	    strcmp(list, "main") == 0) {
		for (a = probe_axes; a->name != NULL; a++)
			if (!has_axis(to, a->name) &&
			    ((a->flags & PROBE_AXIS_MAIN) != 0 ||
				((a->flags & PROBE_AXIS_GROUP) != 0 &&
				    (list == NULL || *list == 'a'))))
				APR_ARRAY_PUSH(to, const struct probe_axis *) =
				    a;
		return (NULL);
	}
	copy = apr_pstrdup(pool, list);
	for (name = apr_strtok(copy, ", ", &state); name != NULL;
	     name = apr_strtok(NULL, ", ", &state)) {
		struct probe_axis *own = apr_pcalloc(pool, sizeof *own);

		if (!vary_is_token(name, strlen(name)))
			return (apr_psprintf(
			    pool, "--axes: no header is named '%s'", name));
		if (has_axis(to, name))
			continue;
		a = probe_axis_find(name, strlen(name));
		if (a != NULL)
			*own = *a;
		else {
			own->name = name;
			own->flags = PROBE_AXIS_EACH;
			own->values = generic;
		}
		own->flags &= ~(unsigned)PROBE_AXIS_GROUP;
		APR_ARRAY_PUSH(to, const struct probe_axis *) = own;
	}
	if (to->nelts == 0)
		return ("--axes names no header");
	return (NULL);
}

struct lists {
	apr_array_header_t *headers, *axes, *edge, *connect_to, *resolve;
	const char *axes_arg;
};

static const char *
number(const char *name, const char *arg, uint64_t min, uint64_t max,
    uint64_t *ret, apr_pool_t *pool)
{
	if (cli_num_count(arg, min, max, ret) == 0)
		return (NULL);
	return (apr_psprintf(pool,
	    "--%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'",
	    name, min, max, arg));
}

static const char *
one(struct probe_options *o, struct lists *l, int opt, const char *arg,
    apr_pool_t *pool)
{
	const char *why = NULL;
	uint64_t v;
	int level;

	switch (opt) {
	case O_URLS: APR_ARRAY_PUSH(o->lists, const char *) = arg; break;
	case O_SITEMAP: APR_ARRAY_PUSH(o->sitemaps, const char *) = arg; break;
	case O_HAR: APR_ARRAY_PUSH(o->hars, const char *) = arg; break;
	case O_ROBOTS: o->no_robots = true; break;
	case O_CONNECT_TO:
		if (strchr(arg, ':') == NULL)
			return (apr_psprintf(pool,
			    "--connect-to takes HOST:PORT, not '%s'", arg));
		APR_ARRAY_PUSH(l->connect_to, const char *) =
		    apr_pstrcat(pool, "::", arg, NULL);
		break;
	case O_RESOLVE: APR_ARRAY_PUSH(l->resolve, const char *) = arg; break;
	case O_UNIX_SOCKET: o->route.unix_socket = arg; break;
	case O_PROXY:
		o->route.proxy = arg;
		if (probe_url_proxy(arg, &why, pool) != APR_SUCCESS)
			return (apr_psprintf(pool, "--proxy: %s", why));
		break;
	case O_PROXY_USER: o->route.proxy_user = arg; break;
	case O_PROXY_PROTOCOL: o->route.proxy_protocol = true; break;
	case O_COOKIE:
		if (strchr(arg, '=') == NULL || *arg == '=')
			return (apr_psprintf(
			    pool, "--cookie takes NAME=VALUE, not '%s'", arg));
		return (axis(
		    l->axes, apr_pstrcat(pool, "Cookie: ", arg, NULL), pool));
	case O_JAR: APR_ARRAY_PUSH(o->jars, const char *) = arg; break;
	case O_HEADER: return (header(l->headers, arg, pool));
	case O_AXIS: return (axis(l->axes, arg, pool));
	case O_AXES: l->axes_arg = arg; break;
	case O_EDGE_SETS: APR_ARRAY_PUSH(l->edge, const char *) = arg; break;
	case O_PROFILE:
		o->set.profile = probe_profile_find(arg);
		if (o->set.profile == NULL)
			return (apr_psprintf(pool,
			    "no cache profile '%s'; --help lists them", arg));
		break;
	case O_PAIRS:
		why = number("pairs", arg, 2, PROBE_MAX_PAIRS, &v, pool);
		if (why == NULL)
			o->set.pairs = (int)v;
		return (why);
	case O_CHECKS: o->set.checks = false; break;
	case O_BUSTER:
		if (!vary_is_token(arg, strlen(arg)) ||
		    strpbrk(arg, "&=#%+?") != NULL)
			return (apr_psprintf(pool,
			    "--cache-buster '%s' is no name of a query "
			    "parameter",
			    arg));
		o->set.buster = arg;
		break;
	case O_SEED:
		return (number("seed", arg, 0, UINT64_MAX, &o->set.seed, pool));
	case O_CONCURRENCY:
		why = number("concurrency", arg, 1, 1000, &v, pool);
		if (why == NULL)
			o->route.concurrency = (unsigned)v;
		return (why);
	case O_PER_HOST:
		why = number("per-host", arg, 1, 1000, &v, pool);
		if (why == NULL)
			o->route.per_host = (unsigned)v;
		return (why);
	case O_RATE:
		if (cli_num_decimal(arg, 0, 1e6, &o->rate) != 0)
			return (apr_psprintf(pool,
			    "--rate takes requests a second, not '%s'", arg));
		break;
	case O_MAX_REQUESTS:
		return (number("max-requests", arg, 1, UINT64_MAX,
		    &o->max_requests, pool));
	case O_TIMEOUT:
		if (cli_num_duration(arg, UINT64_C(1000000),
			UINT64_C(86400000000000), &v) != 0)
			return (apr_psprintf(pool,
			    "--timeout takes a time such as 10s or 500ms, "
			    "not '%s'",
			    arg));
		o->route.timeout_ms = v / 1000000;
		break;
	case O_MAX_BODY:
		if (cli_num_size(arg, 1024, UINT64_C(1) << 28, &v) != 0)
			return (apr_psprintf(pool,
			    "--max-body takes a size from 1k to 256m, not "
			    "'%s'",
			    arg));
		o->set.max_body = (size_t)v;
		break;
	case O_DRY_RUN: o->dry_run = true; break;
	case O_INSECURE: o->route.insecure = true; break;
	case O_CACERT: o->route.cacert = arg; break;
	case O_CERT: o->route.cert = arg; break;
	case O_KEY: o->route.key = arg; break;
	case O_USER: o->route.user = arg; break;
	case O_NETRC: o->route.netrc = true; break;
	case O_HTTP10: o->route.http = 10; break;
	case O_HTTP2: o->route.http = 20; break;
	case O_POPULATION:
		if (strchr(arg, '=') == NULL)
			return (apr_psprintf(pool,
			    "--population takes NAME=FILE, not '%s'", arg));
		APR_ARRAY_PUSH(o->populations, const char *) = arg;
		break;
	case O_CONFIG: APR_ARRAY_PUSH(o->configs, const char *) = arg; break;
	case O_VERSION: o->apache_version = arg; break;
	case O_PER_TTL:
		if (cli_num_decimal(arg, 0, 1e12, &o->requests_per_ttl) != 0)
			return (apr_psprintf(pool,
			    "--requests-per-ttl takes a number, not '%s'",
			    arg));
		break;
	case O_FAIL_ON:
		level = probe_level_of(arg);
		if (level < 0)
			return (apr_psprintf(pool,
			    "--fail-on takes note, warning or error, not '%s'",
			    arg));
		o->fail_on = (enum probe_level)level;
		break;
	case O_STRICT: o->strict = true; break;
	case O_FORMAT:
		if (probe_report_find(arg) == NULL)
			return (
			    apr_psprintf(pool, "no format '%s'; there are %s",
				arg, probe_report_names()));
		o->format = arg;
		break;
	case O_ANCHOR: o->sarif_anchor = arg; break;
	case O_OUTPUT: o->output = arg; break;
	case O_HELP: o->help = true; break;
	default: break;
	}
	return (NULL);
}

static bool
sends(const struct probe_options *o, const char *name)
{
	size_t i;

	for (i = 0; i < o->set.nheaders; i++)
		if (o->set.headers[i].value != NULL &&
		    strcasecmp(o->set.headers[i].name, name) == 0)
			return (true);
	return (false);
}

/* A file of --netrc may not have the host; but who gives it needs it. */
static bool
is_authorized(const struct probe_options *o)
{
	return (sends(o, "Authorization") || o->route.user != NULL ||
		o->route.netrc);
}

/*
 * The certificate of another name cannot be checked against the URL's host: what
 * is for that host alone is not sent with it.
 */
static bool
is_secret(const struct probe_options *o)
{
	return (
	    is_authorized(o) || sends(o, "Cookie") || o->route.cert != NULL);
}

static const char *const *
terminated(apr_array_header_t *a)
{
	if (a->nelts == 0)
		return (NULL);
	APR_ARRAY_PUSH(a, const char *) = NULL;
	return ((const char *const *)(const void *)a->elts);
}

apr_status_t
probe_options_parse(struct probe_options *o, int argc, char **argv,
    const char **ret_why, apr_pool_t *pool)
{
	struct lists l = { .axes_arg = NULL };
	struct cli_options in;
	const char *why = NULL;
	int c, i;

	memset(o, 0, sizeof *o);
	o->urls = apr_array_make(pool, 4, sizeof(const char *));
	o->lists = apr_array_make(pool, 1, sizeof(const char *));
	o->sitemaps = apr_array_make(pool, 1, sizeof(const char *));
	o->hars = apr_array_make(pool, 1, sizeof(const char *));
	o->populations = apr_array_make(pool, 1, sizeof(const char *));
	o->configs = apr_array_make(pool, 1, sizeof(const char *));
	o->jars = apr_array_make(pool, 1, sizeof(const char *));
	l.headers = apr_array_make(pool, 4, sizeof(struct probe_header));
	l.axes = apr_array_make(pool, 16, sizeof(const struct probe_axis *));
	l.edge = apr_array_make(pool, 2, sizeof(const char *));
	l.connect_to = apr_array_make(pool, 2, sizeof(const char *));
	l.resolve = apr_array_make(pool, 2, sizeof(const char *));
	o->set.profile = probe_profile_find("varnish");
	o->set.checks = true;
	o->set.max_body = 3 * 1024 * 1024;
	o->set.seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
	o->route.concurrency = 8;
	o->route.per_host = 2;
	o->rate = 20;
	o->requests_per_ttl = 100;
	o->format = "human";
	o->fail_on = PROBE_WARNING;
	cli_options_init(&in, table, argc, argv);
	while (why == NULL && (c = cli_options_next(&in)) != CLI_OPTIONS_OVER)
		why = c == CLI_OPTIONS_BAD ? apr_pstrdup(pool, in.why)
					   : one(o, &l, c, in.value, pool);
	if (why == NULL && !o->help)
		why = choose_axes(l.axes, l.axes_arg, pool);
	for (i = cli_options_operands(&in); i < argc; i++)
		APR_ARRAY_PUSH(o->urls, const char *) = argv[i];
	if (why == NULL && !o->help && o->urls->nelts == 0 &&
	    o->lists->nelts == 0 && o->sitemaps->nelts == 0 &&
	    o->hars->nelts == 0)
		why = "no URL; give one, or --urls FILE";
	if (why != NULL) {
		*ret_why = why;
		return (APR_EINVAL);
	}
	o->set.headers =
	    (const struct probe_header *)(const void *)l.headers->elts;
	o->set.nheaders = (size_t)l.headers->nelts;
	o->set.axes =
	    (const struct probe_axis *const *)(const void *)l.axes->elts;
	o->set.naxes = (size_t)l.axes->nelts;
	o->axes_only = l.axes_arg != NULL;
	o->set.edge_sets = terminated(l.edge);
	o->set.now = (int64_t)time(NULL);
	o->set.authorized = is_authorized(o);
	o->set.no_sni = !o->route.insecure && is_secret(o);
	o->route.connect_to = terminated(l.connect_to);
	o->route.resolve = terminated(l.resolve);
	/* What a transport cuts must still decode to more than we compare. */
	o->route.max_body = o->set.max_body + o->set.max_body / 3;
	if (o->lists->nelts == 0 && o->sitemaps->nelts == 0 &&
	    o->hars->nelts == 0)
		o->set.expected = (uint64_t)o->urls->nelts;
	return (APR_SUCCESS);
}
