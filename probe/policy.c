/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/policy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_general.h>
#include <apr_pools.h>
#include <apr_strings.h>
#include <apr_tables.h>
#include <jansson.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "cli/options.h"
#include "probe/axis.h"
#include "probe/finding.h"
#include "vary/field.h"

enum {
	EXIT_NOT_JUDGED = 3
};

/* A request header, over all URLs of the audit. */
struct member {
	const char *name;
	bool declared, declared_unjudged;
	bool effect, none; /* in some judged response; tried without one */
	bool found[PROBE_NRULES];
	apr_array_header_t *works; /* const char *, each once */
	apr_array_header_t *fails;
};

struct audit {
	apr_pool_t *pool;
	apr_array_header_t *members; /* struct member * */
	int judged, unjudged;
	const char *unjudged_url, *unjudged_why;
	bool star;
};

static struct member *
member(struct audit *a, const char *name)
{
	struct member *m;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct member *);
		if (strcasecmp(m->name, name) == 0)
			return (m);
	}
	m = apr_pcalloc(a->pool, sizeof *m);
	m->name = apr_pstrdup(a->pool, name);
	m->works = apr_array_make(a->pool, 4, sizeof(const char *));
	m->fails = apr_array_make(a->pool, 4, sizeof(const char *));
	APR_ARRAY_PUSH(a->members, struct member *) = m;
	return (m);
}

static bool
has(const apr_array_header_t *list, const char *s)
{
	int i;

	for (i = 0; i < list->nelts; i++)
		if (strcmp(APR_ARRAY_IDX(list, i, const char *), s) == 0)
			return (true);
	return (false);
}

static void
collect(struct audit *a, apr_array_header_t *to, const json_t *list)
{
	const char *s;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		s = json_string_value(json_array_get(list, i));
		if (s != NULL && !has(to, s))
			APR_ARRAY_PUSH(to, const char *) =
			    apr_pstrdup(a->pool, s);
	}
}

static const char *
string(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return (s != NULL ? s : "");
}

/* A name that may stand in VCL as it is. */
static bool
is_name(const char *s)
{
	return (vary_is_token(s, strlen(s)));
}

static void
read_target(struct audit *a, const json_t *t)
{
	const json_t *list, *o;
	const char *rule, *effect;
	struct member *m;
	bool judged;
	size_t i;
	int r;

	judged = strcmp(string(t, "outcome"), "judged") == 0;
	if (judged)
		a->judged++;
	else if (a->unjudged++ == 0) {
		a->unjudged_url = apr_pstrdup(a->pool, string(t, "url"));
		a->unjudged_why = apr_psprintf(a->pool, "%s: %s",
		    string(t, "outcome"), string(t, "reason"));
	}
	list = json_object_get(t, "members");
	for (i = 0; i < json_array_size(list); i++) {
		o = json_array_get(list, i);
		if (!is_name(string(o, "name")))
			continue;
		m = member(a, string(o, "name"));
		if (strcmp(string(o, "declared"), "no") != 0) {
			m->declared = true;
			m->declared_unjudged |= !judged;
		}
		effect = string(o, "effect");
		if (!judged || strcmp(effect, "not-tried") == 0) {
			/* Declared, and nobody knows what for. */
			if (strcmp(string(o, "declared"), "no") != 0)
				m->declared_unjudged = true;
			continue;
		}
		if (strcmp(effect, "none-observed") == 0)
			m->none = true;
		else
			m->effect = true;
		collect(a, m->works, json_object_get(o, "with_effect"));
		collect(a, m->fails, json_object_get(o, "tried"));
	}
	list = json_object_get(t, "findings");
	for (i = 0; i < json_array_size(list); i++) {
		o = json_array_get(list, i);
		rule = string(o, "rule");
		if (strcmp(rule, "vary-star") == 0)
			a->star = true;
		if (!is_name(string(o, "member")))
			continue;
		m = member(a, string(o, "member"));
		for (r = 0; r < PROBE_NRULES; r++)
			if (strcmp(rule, probe_rule_name((enum probe_rule)r)) ==
			    0)
				m->found[r] = true;
	}
}

/* One document, or a line for each URL. */
static int
read_audit(struct audit *a, FILE *f, const char *name)
{
	json_error_t error;
	json_t *j;
	const json_t *targets;
	size_t i, n = 0;
	int c;

	for (;;) {
		while (
		    (c = getc(f)) == ' ' || c == '\n' || c == '\r' || c == '\t')
			continue;
		if (c == EOF)
			break;
		(void)ungetc(c, f);
		j = json_loadf(f, JSON_DISABLE_EOF_CHECK, &error);
		if (j == NULL || !json_is_object(j) ||
		    strcmp(string(j, "schema"), "varykit.audit/1") != 0) {
			cli_error("%s: %s", name,
			    j == NULL ? error.text
				      : "is no result of 'varyprobe audit "
					"--format json'");
			json_decref(j);
			return (-1);
		}
		n++;
		targets = json_object_get(j, "targets");
		if (targets == NULL && strcmp(string(j, "kind"), "target") == 0)
			read_target(a, j);
		for (i = 0; i < json_array_size(targets); i++)
			read_target(a, json_array_get(targets, i));
		json_decref(j);
	}
	if (n == 0) {
		cli_error("%s: is empty", name);
		return (-1);
	}
	return (0);
}

/* --- what becomes of a member -------------------------------------------- */

static bool
may_strip(const struct member *m)
{
	/* The hash has the host already. */
	if (strcasecmp(m->name, "host") == 0)
		return (true);
	return (m->declared && m->none && !m->effect && !m->declared_unjudged);
}

/* The spelling that people know. */
static const char *
spelling(const char *name)
{
	const struct probe_axis *x = probe_axis_find(name, strlen(name));

	return (x != NULL ? x->name : name);
}

static const char *
append(struct audit *a, const char *list, const char *item)
{
	return (
	    apr_pstrcat(a->pool, list, *list != '\0' ? ", " : "", item, NULL));
}

/* Only bytes that need no care within a VCL string. */
static bool
is_plain(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= 0x20 || (unsigned char)*s >= 0x7f ||
		    *s == '"' || *s == '\\' || *s == ',')
			return (false);
	return (true);
}

static bool
contains_item(const char *list, const char *item)
{
	const char *p = strstr(list, item);
	size_t n = strlen(item);

	return (p != NULL && (p == list || p[-1] == ' ') &&
		(p[n] == '\0' || p[n] == ','));
}

/* "en, de, fr": the baseline's, then those that made a difference. */
static const char *
languages(struct audit *a, const struct member *m)
{
	const char *list = "en", *v, *tag;
	int i;

	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		if (*v == '(' || *v == '*')
			continue;
		tag = apr_pstrndup(a->pool, v, strcspn(v, "-,; "));
		if (is_name(tag) && !contains_item(list, tag))
			list = append(a, list, tag);
	}
	return (list);
}

static bool
works(const struct member *m, const char *part, const char *without)
{
	const char *v;
	int i;

	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		if (strstr(v, part) != NULL && strstr(v, ";q=0,") == NULL &&
		    (without == NULL || strstr(v, without) == NULL))
			return (true);
	}
	return (false);
}

/* Types that made a difference; "" when that cannot be told apart. */
static const char *
media(struct audit *a, const struct member *m)
{
	bool webp = works(m, "image/webp", "image/avif");
	bool avif = works(m, "image/avif", NULL) && !webp;
	const char *list = "";

	if (avif)
		list = append(a, list, "image/avif");
	if (webp)
		list = append(a, list, "image/webp");
	if (works(m, "application/json", NULL))
		list =
		    append(a, append(a, list, "text/html"), "application/json");
	return (list);
}

static const char *
cookies(struct audit *a, const struct member *m)
{
	const char *list = "", *v, *eq, *name;
	int i;

	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		eq = strchr(v, '=');
		if (eq == NULL)
			continue;
		name = apr_pstrndup(a->pool, v, (size_t)(eq - v));
		if (is_name(name) && !contains_item(list, name))
			list = append(a, list, name);
	}
	return (list);
}

/* Origins that are allowed; *ret_any: a made-up one is as good. */
static const char *
origins(struct audit *a, const struct member *m, bool *ret_any)
{
	const char *list = "", *v, *host;
	int i;

	*ret_any = false;
	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		if (!is_plain(v) || strcmp(v, "null") == 0)
			continue;
		/* The audit's own word: twelve letters and .example */
		host = strstr(v, "://");
		if (host != NULL &&
		    strspn(host + 3, "abcdefghijklmnopqrstuvwxyz") == 12 &&
		    strcmp(host + 15, ".example") == 0) {
			*ret_any = true;
			continue;
		}
		if (*v != '(')
			list = append(a, list, v);
	}
	return (list);
}

static void
say_effect(struct audit *a, struct member *m)
{
	const char *name = spelling(m->name), *list = "";
	bool any;

	if (m->found[PROBE_VARY_REFLECTED]) {
		printf("\t# Anybody could put words into the page by it.\n"
		       "\tsite.drop(\"%s\");\n",
		    name);
		return;
	}
	if (strcasecmp(name, "Accept-Language") == 0) {
		printf("\t# Seen to matter; add what else the site speaks.\n"
		       "\tsite.language(\"%s\");\n",
		    languages(a, m));
	} else if (strcasecmp(name, "Accept") == 0) {
		list = media(a, m);
		if (*list != '\0')
			printf("\tsite.media(\"%s\");\n", list);
	} else if (strcasecmp(name, "Cookie") == 0) {
		list = cookies(a, m);
		if (*list != '\0')
			printf("\t# No other cookie of those tried matters.\n"
			       "\tsite.cookie(\"%s\");\n",
			    list);
	} else if (strcasecmp(name, "Origin") == 0) {
		list = origins(a, m, &any);
		if (any)
			printf("\t# The origin takes any Origin: each makes a "
			       "variant.  site.allow(\"Origin\", \"...\")\n"
			       "\t# with the allowed ones bounds that.\n");
		else if (*list != '\0')
			printf("\tsite.allow(\"Origin\", \"%s\");\n", list);
	} else if (strcasecmp(name, "User-Agent") == 0) {
		printf("\t# User-Agent has an effect and stays in the key.  "
		       "vcl/device.vcl makes four\n\t# variants of it, if the "
		       "origin goes by X-Device:\n"
		       "\t# site.map(\"User-Agent\", \"X-Device\");\n");
	} else if (m->found[PROBE_VARY_PRESENCE])
		printf("\tsite.presence(\"%s\");\n", name);
	if (m->found[PROBE_VARY_MISSING] || m->found[PROBE_VARY_INCONSISTENT])
		printf("\tsite.ensure(\"%s\");\n", name);
}

static int
print_policy(struct audit *a)
{
	const char *strip = "", *kept = "";
	struct member *m;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct member *);
		if (may_strip(m))
			strip = append(a, strip, spelling(m->name));
		else if (m->declared && !m->effect)
			kept = append(a, kept, spelling(m->name));
	}
	if (!contains_item(strip, "Host"))
		strip = append(a, strip, "Host");
	printf("# Made by varyprobe %s from an audit of %d URL%s.\n",
	    PACKAGE_VERSION, a->judged + a->unjudged,
	    a->judged + a->unjudged == 1 ? "" : "s");
	printf("# Stripped is what no response depended on, with the values "
	       "tried.\n");
	if (a->unjudged > 0)
		printf("# %d of them could not be judged (%s); what these "
		       "declare is kept.\n",
		    a->unjudged, a->unjudged_url);
	if (a->star)
		printf("# Some responses say Vary: *; site.fetch() keeps them "
		       "out of the cache.\n");
	printf("import vary;\n\nsub vcl_init {\n"
	       "\tnew site = vary.policy(strip = \"%s\");\n",
	    strip);
	if (*kept != '\0')
		printf("\t# Kept, not known to be without effect: %s\n", kept);
	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct member *);
		if (m->effect && strcasecmp(m->name, "host") != 0)
			say_effect(a, m);
	}
	printf("}\n\nsub vcl_recv {\n\tsite.recv();\n}\n\n"
	       "sub vcl_backend_response {\n\tsite.fetch();\n}\n\n"
	       "sub vcl_backend_error {\n\tsite.fetch();\n}\n\n"
	       "sub vcl_deliver {\n\tsite.deliver();\n}\n\n"
	       "sub vcl_synth {\n\tsite.deliver();\n}\n");
	return (fflush(stdout) == 0 ? CLI_EXIT_OK : CLI_EXIT_INTERNAL);
}

/* "en;d, de, fr": the first one is the default. */
static const char *
with_default(struct audit *a, const char *list)
{
	size_t n = strcspn(list, ",");

	return (apr_psprintf(a->pool, "%.*s;d%s", (int)n, list, list + n));
}

static const char *
quoted(struct audit *a, const char *list)
{
	const char *out = "", *p = list;

	while (*p != '\0') {
		size_t n = strcspn(p, ",");

		out = append(
		    a, out, apr_psprintf(a->pool, "\"%.*s\"", (int)n, p));
		p += n;
		p += strspn(p, ", ");
	}
	return (out);
}

static int
print_avail(struct audit *a)
{
	const char *list;
	struct member *m;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct member *);
		if (!m->effect)
			continue;
		if (strcasecmp(m->name, "accept-language") == 0)
			printf("Avail-Language: %s\n",
			    with_default(a, languages(a, m)));
		else if (strcasecmp(m->name, "accept") == 0 &&
			 *(list = media(a, m)) != '\0')
			printf("Avail-Format: %s\n", list);
		else if (strcasecmp(m->name, "cookie") == 0 &&
			 *(list = cookies(a, m)) != '\0')
			printf("Cookie-Indices: %s\n", quoted(a, list));
		else if (strcasecmp(m->name, "accept-encoding") == 0) {
			list = "";
			if (works(m, "identity", NULL) ||
			    works(m, "gzip", NULL))
				list = append(a, list, "gzip");
			if (works(m, "br", "gzip"))
				list = append(a, list, "br");
			if (*list != '\0')
				printf("Avail-Encoding: %s\n", list);
		}
	}
	return (fflush(stdout) == 0 ? CLI_EXIT_OK : CLI_EXIT_INTERNAL);
}

static int
print_server(struct audit *a, bool apache)
{
	struct member *m;
	const char *name;
	int i;

	printf("# Made by varyprobe %s.  %s\n", PACKAGE_VERSION,
	    apache ? "For the server, its <VirtualHost> or .htaccess."
		   : "For the server or location block.");
	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct member *);
		name = spelling(m->name);
		if (m->declared && may_strip(m)) {
			if (apache)
				printf("Header edit Vary "
				       "\"(?i)(^|,\\s*)%s(?=\\s*(,|$))\" "
				       "\"\"\n",
				    name);
			else
				printf("# nginx cannot take %s out of a Vary "
				       "of its backend: proxy_hide_header "
				       "Vary; and add the rest\n",
				    name);
		}
		if (m->found[PROBE_VARY_MISSING] ||
		    m->found[PROBE_VARY_INCONSISTENT])
			printf(apache ? "Header always merge Vary %s\n"
			       : strcasecmp(name, "Accept-Encoding") == 0
				   ? "gzip_vary on; # %s\n"
				   : "add_header Vary %s always;\n",
			    name);
		if (m->found[PROBE_VARY_REFLECTED])
			printf(apache ? "RequestHeader unset %s early\n"
				      : "proxy_set_header %s \"\";\n",
			    name);
	}
	return (fflush(stdout) == 0 ? CLI_EXIT_OK : CLI_EXIT_INTERNAL);
}

/* clang-format off */
#define OPTIONS(X)							\
X(FORMAT,	"format",	0,	"NAME",	"vcl (default), apache, nginx, or avail: the availability hints that the origin could send") \
X(HELP,		"help",		'h',	NULL,	"print this")

enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

static void
usage(FILE *f)
{
	fprintf(f,
	    "usage: %s policy [options] AUDIT.json ...\n"
	    "Print the policy that 'varyprobe audit --format json' has shown "
	    "to be safe; - is\nstdin.\n\n",
	    cli_diag_name());
	cli_options_usage(f, table);
	fprintf(f, "\nexit: 0, 2 usage, 3 no URL was judged\n");
}

static int
policy(struct audit *a, int argc, char **argv)
{
	struct cli_confine need = { 0 };
	const char *format = "vcl";
	struct cli_options in;
	FILE *f;
	int i, o, r;

	cli_options_init(&in, table, argc, argv);
	while ((o = cli_options_next(&in)) != CLI_OPTIONS_OVER) {
		switch (o) {
		case O_FORMAT: format = in.value; break;
		case O_HELP: usage(stdout); return (CLI_EXIT_OK);
		default: cli_error("%s", in.why); return (CLI_EXIT_USAGE);
		}
	}
	if (strcmp(format, "vcl") != 0 && strcmp(format, "apache") != 0 &&
	    strcmp(format, "nginx") != 0 && strcmp(format, "avail") != 0) {
		cli_error("no format '%s'; there are vcl, apache, nginx, avail",
		    format);
		return (CLI_EXIT_USAGE);
	}
	i = cli_options_operands(&in);
	if (i == argc) {
		cli_error("no file; give the result of 'varyprobe audit "
			  "--format json', or - for stdin");
		return (CLI_EXIT_USAGE);
	}
	need.reads = (const char *const *)(const void *)(argv + i);
	(void)cli_confine(&need);
	for (; i < argc; i++) {
		if (strcmp(argv[i], "-") == 0)
			r = read_audit(a, stdin, "stdin");
		else {
			f = fopen(argv[i], "re");
			if (f == NULL) {
				cli_error("%s: %s", argv[i], strerror(errno));
				return (CLI_EXIT_USAGE);
			}
			r = read_audit(a, f, argv[i]);
			(void)fclose(f);
		}
		if (r != 0)
			return (CLI_EXIT_USAGE);
	}
	if (a->judged == 0) {
		cli_error("no URL was judged, and so no policy is known to be "
			  "safe%s%s%s%s",
		    a->unjudged > 0 ? ": " : "",
		    a->unjudged > 0 ? a->unjudged_url : "",
		    a->unjudged > 0 ? " is " : "",
		    a->unjudged > 0 ? a->unjudged_why : "");
		return (EXIT_NOT_JUDGED);
	}
	if (a->unjudged > 0)
		cli_warning("%d of %d URLs were not judged; what they declare "
			    "is kept",
		    a->unjudged, a->judged + a->unjudged);
	if (strcmp(format, "avail") == 0)
		return (print_avail(a));
	if (strcmp(format, "vcl") != 0)
		return (print_server(a, strcmp(format, "apache") == 0));
	return (print_policy(a));
}

int
probe_policy_main(int argc, char **argv)
{
	struct audit a;
	int code;

	if (apr_initialize() != APR_SUCCESS)
		return (CLI_EXIT_INTERNAL);
	memset(&a, 0, sizeof a);
	apr_pool_create(&a.pool, NULL);
	a.members = apr_array_make(a.pool, 32, sizeof(struct member *));
	code = policy(&a, argc, argv);
	apr_pool_destroy(a.pool);
	apr_terminate();
	return (code);
}
