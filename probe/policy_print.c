/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/policy_print.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/axis.h"
#include "probe/fix.h"
#include "vary/accept.h"
#include "vary/request.h"

static bool
may_strip(const struct probe_judged_member *m)
{
	/* The hash has the host already. */
	if (strcasecmp(m->name, "host") == 0)
		return (true);
	return (m->declared && m->none && !m->effect && !m->declared_unjudged);
}

enum {
	VALUE_MAX = 1024 /* of a URL, an origin, a cookie's name */
};

/*
 * A name that needs no care as a word of Apache's or nginx's, in a regular
 * expression, a format and a variable.  Tokens may have $, %, |, * and quotes.
 */
static bool
is_word(const char *s)
{
	return (s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")] == '\0');
}

/* The spelling that people know. */
static const char *
spelling(const char *name)
{
	const struct probe_axis *x = probe_axis_find(name, strlen(name));

	return (x != NULL ? x->name : name);
}

static const char *
append(struct probe_judged *a, const char *list, const char *item)
{
	return (
	    apr_pstrcat(a->pool, list, *list != '\0' ? ", " : "", item, NULL));
}

/* Only bytes that need no care within a VCL string, and not many. */
static bool
is_plain(const char *s)
{
	const char *p;

	for (p = s; *p != '\0'; p++)
		if ((unsigned char)*p <= 0x20 || (unsigned char)*p >= 0x7f ||
		    *p == '"' || *p == '\\' || *p == ',')
			return (false);
	return (p - s <= VALUE_MAX);
}

static bool
contains_item(const char *list, const char *item)
{
	const char *p = list;
	size_t n = strlen(item);

	for (; (p = strstr(p, item)) != NULL; p++)
		if ((p == list || p[-1] == ' ') &&
		    (p[n] == '\0' || p[n] == ','))
			return (true);
	return (false);
}

/* What a verb of the policy takes: its words, and whether some do not fit. */
struct words {
	const char *list;
	int n;
	bool lacks;
};

/* Does a policy take the list for one with this word already? */
static bool
has_word(const char *list, enum vary_form form, const char *s)
{
	struct vary_span w = { list, 0 };

	for (; *w.b != '\0'; w.b += w.len + strspn(w.b + w.len, ", ")) {
		w.len = strcspn(w.b, ",");
		if (vary_request_word_eq(form, w, vary_span_str(s)))
			return (true);
	}
	return (false);
}

static void
add_word(
    struct probe_judged *a, struct words *w, enum vary_form form, const char *s)
{
	const struct vary_request_rule rule = { .form = form,
		.name =
		    vary_span_str(form == VARY_FORM_ALLOW ? "Origin" : "") };
	struct vary_span word = vary_span_str(s);

	/* What the module would refuse makes a VCL that does not load. */
	if (!is_plain(s) || !vary_request_word_ok(form, word) ||
	    !vary_request_word_sent(&rule, word))
		w->lacks = true;
	else if (has_word(w->list, form, s))
		return;
	else if (w->n == VARY_WORDS_MAX)
		w->lacks = true;
	else {
		w->list = append(a, w->list, s);
		w->n++;
	}
}

/* "en, de, fr": the baseline's, then those that made a difference. */
static const char *
languages(struct probe_judged *a, const struct probe_judged_member *m)
{
	struct words w = { "en", 1, false };
	const char *v;
	int i;

	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		if (*v != '(' && *v != '*')
			add_word(a, &w, VARY_FORM_LANGUAGE,
			    apr_pstrndup(a->pool, v, strcspn(v, "-,; ")));
	}
	return (w.list);
}

static bool
works(
    const struct probe_judged_member *m, const char *part, const char *without)
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
media(struct probe_judged *a, const struct probe_judged_member *m)
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

static struct words
cookies(struct probe_judged *a, const struct probe_judged_member *m)
{
	struct words w = { "", 0, m->more };
	const char *v, *eq;
	int i;

	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		eq = strchr(v, '=');
		if (eq != NULL)
			add_word(a, &w, VARY_FORM_COOKIE,
			    apr_pstrndup(a->pool, v, (size_t)(eq - v)));
	}
	return (w);
}

/* Origins that are allowed; *ret_any: a made-up one is as good. */
static struct words
origins(
    struct probe_judged *a, const struct probe_judged_member *m, bool *ret_any)
{
	struct words w = { "", 0, m->more };
	const char *v, *host;
	int i;

	*ret_any = false;
	for (i = 0; i < m->works->nelts; i++) {
		v = APR_ARRAY_IDX(m->works, i, const char *);
		if (*v == '(' || strcmp(v, "null") == 0)
			continue;
		/* The audit's own word: twelve letters and .example */
		host = strstr(v, "://");
		if (host != NULL &&
		    strspn(host + 3, "abcdefghijklmnopqrstuvwxyz") == 12 &&
		    strcmp(host + 15, ".example") == 0)
			*ret_any = true;
		else
			add_word(a, &w, VARY_FORM_ALLOW, v);
	}
	return (w);
}

static void
say_effect(FILE *f, struct probe_judged *a, struct probe_judged_member *m)
{
	const char *name = spelling(m->name), *list;
	const struct vary_request_rule dropped = { .name = vary_span_str(name),
		.form = VARY_FORM_DROP };
	struct words w;
	bool any;

	if (m->found[PROBE_VARY_REFLECTED] &&
	    vary_request_doubt(&dropped) == VARY_DOUBT_NONE) {
		fprintf(f,
		    "\t# Anybody could put words into the page by it.\n"
		    "\tsite.drop(\"%s\");\n",
		    name);
		return;
	}
	if (!probe_fix_is_keyable(name)) {
		fprintf(f,
		    "\t# %s has an effect, and no cache can key on it.\n",
		    name);
		return;
	}
	if (strcasecmp(name, "Accept-Language") == 0) {
		fprintf(f,
		    "\t# Seen to matter; add what else the site speaks.\n"
		    "\tsite.language(\"%s\");\n",
		    languages(a, m));
	} else if (strcasecmp(name, "Accept") == 0) {
		list = media(a, m);
		if (*list != '\0')
			fprintf(f, "\tsite.media(\"%s\");\n", list);
	} else if (strcasecmp(name, "Cookie") == 0) {
		w = cookies(a, m);
		/* Without one that matters, people would share pages. */
		if (w.lacks)
			fprintf(f,
			    "\t# Cookie stays as it is: names that matter "
			    "cannot stand here, or are too many.\n");
		else if (w.n > 0)
			fprintf(f,
			    "\t# No other cookie of those tried matters.\n"
			    "\tsite.cookie(\"%s\");\n",
			    w.list);
	} else if (strcasecmp(name, "Origin") == 0) {
		w = origins(a, m, &any);
		if (any)
			fprintf(f,
			    "\t# The origin takes any Origin: each makes a "
			    "variant.  site.allow(\"Origin\", \"...\")\n"
			    "\t# with the allowed ones bounds that.\n");
		else if (w.lacks)
			fprintf(f,
			    "\t# Origin stays as it is: values that matter "
			    "cannot stand here, or are too many.\n");
		else if (w.n > 0)
			fprintf(
			    f, "\tsite.allow(\"Origin\", \"%s\");\n", w.list);
	} else if (strcasecmp(name, "User-Agent") == 0) {
		fprintf(f,
		    "\t# User-Agent has an effect and stays in the key.  "
		    "vcl/device.vcl makes four\n\t# variants of it, if the "
		    "origin goes by X-Device:\n"
		    "\t# site.map(\"User-Agent\", \"X-Device\");\n");
	} else if (m->found[PROBE_VARY_PRESENCE])
		fprintf(f, "\tsite.presence(\"%s\");\n", name);
	if (m->found[PROBE_VARY_MISSING] || m->found[PROBE_VARY_INCONSISTENT])
		fprintf(f, "\tsite.ensure(\"%s\");\n", name);
}

static void
print_vcl(FILE *f, struct probe_judged *a)
{
	const char *strip = "", *kept = "";
	struct probe_judged_member *m;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct probe_judged_member *);
		if (may_strip(m))
			strip = append(a, strip, spelling(m->name));
		else if (m->declared && !m->effect)
			kept = append(a, kept, spelling(m->name));
	}
	if (!contains_item(strip, "Host"))
		strip = append(a, strip, "Host");
	fprintf(f, "# Made by varyprobe %s from an audit of %d URL%s.\n",
	    PACKAGE_VERSION, a->judged + a->unjudged,
	    a->judged + a->unjudged == 1 ? "" : "s");
	fprintf(f,
	    "# Stripped is what no response depended on, with the values "
	    "tried.\n");
	if (a->unjudged > 0)
		fprintf(f,
		    "# %d of them could not be judged (%s); what these "
		    "declare is kept.\n",
		    a->unjudged,
		    is_plain(a->unjudged_url) ? a->unjudged_url
					      : "a URL that cannot stand here");
	if (a->star)
		fprintf(f,
		    "# Some responses say Vary: *; site.fetch() keeps them "
		    "out of the cache.\n");
	fprintf(f,
	    "import vary;\n\nsub vcl_init {\n"
	    "\tnew site = vary.policy(strip = \"%s\");\n",
	    strip);
	if (*kept != '\0')
		fprintf(
		    f, "\t# Kept, not known to be without effect: %s\n", kept);
	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct probe_judged_member *);
		if (m->effect && strcasecmp(m->name, "host") != 0)
			say_effect(f, a, m);
	}
	fprintf(f, "}\n\nsub vcl_recv {\n\tsite.recv();\n}\n\n"
		   "sub vcl_backend_response {\n\tsite.fetch();\n}\n\n"
		   "sub vcl_backend_error {\n\tsite.fetch();\n}\n\n"
		   "sub vcl_deliver {\n\tsite.deliver();\n}\n\n"
		   "sub vcl_synth {\n\tsite.deliver();\n}\n");
}

/* "en;d, de, fr": the first one is the default. */
static const char *
with_default(struct probe_judged *a, const char *list)
{
	size_t n = strcspn(list, ",");

	return (apr_psprintf(a->pool, "%.*s;d%s", (int)n, list, list + n));
}

static const char *
quoted(struct probe_judged *a, const char *list)
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

static void
print_avail(FILE *f, struct probe_judged *a)
{
	const char *list;
	struct probe_judged_member *m;
	struct words w;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct probe_judged_member *);
		if (!m->effect)
			continue;
		if (strcasecmp(m->name, "accept-language") == 0)
			fprintf(f, "Avail-Language: %s\n",
			    with_default(a, languages(a, m)));
		else if (strcasecmp(m->name, "accept") == 0 &&
			 *(list = media(a, m)) != '\0')
			fprintf(f, "Avail-Format: %s\n", list);
		else if (strcasecmp(m->name, "cookie") == 0) {
			w = cookies(a, m);
			if (w.n > 0 && !w.lacks)
				fprintf(f, "Cookie-Indices: %s\n",
				    quoted(a, w.list));
		} else if (strcasecmp(m->name, "accept-encoding") == 0) {
			list = "";
			if (works(m, "identity", NULL) ||
			    works(m, "gzip", NULL))
				list = append(a, list, "gzip");
			if (works(m, "br", "gzip"))
				list = append(a, list, "br");
			if (*list != '\0')
				fprintf(f, "Avail-Encoding: %s\n", list);
		}
	}
}

static void
print_server(FILE *f, struct probe_judged *a, bool apache)
{
	struct probe_judged_member *m;
	const char *name;
	bool edited = false;
	int i;

	fprintf(f, "# Made by varyprobe %s.  %s\n", PACKAGE_VERSION,
	    apache ? "For the server, its <VirtualHost> or .htaccess."
		   : "For the server or location block.");
	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct probe_judged_member *);
		name = spelling(m->name);
		if (!is_word(name)) {
			fprintf(f,
			    "# Left out, since its name has a meaning "
			    "here: %s\n",
			    name);
			continue;
		}
		if (m->declared && may_strip(m)) {
			edited = true;
			if (apache)
				fprintf(f, "%s\n",
				    probe_fix_apache_edit(a->pool, name));
			else
				fprintf(f,
				    "# nginx cannot take %s out of a Vary "
				    "of its backend: proxy_hide_header "
				    "Vary; and add the rest\n",
				    name);
		}
		/* A preflight's alone is no effect. */
		if (m->effect && (m->found[PROBE_VARY_MISSING] ||
				     m->found[PROBE_VARY_INCONSISTENT]))
			fprintf(f,
			    apache ? "Header always merge Vary %s\n"
			    : strcasecmp(name, "Accept-Encoding") == 0
				? "gzip_vary on; # %s\n"
				: "add_header Vary %s always;\n",
			    name);
		if (m->found[PROBE_VARY_REFLECTED])
			fprintf(f,
			    apache ? "RequestHeader unset %s early\n"
				   : "proxy_set_header %s \"\";\n",
			    name);
	}
	if (apache && edited)
		fprintf(f, "# Of a Vary that lost its last name:\n"
			   "Header unset Vary \"expr=-z resp('Vary')\"\n");
}

const char *
probe_policy_format_name(enum probe_policy_format i)
{
	static const char *const name[] = { "vcl", "apache", "nginx", "avail" };

	return (name[i]);
}

void
probe_policy_print(FILE *f, struct probe_judged *a, enum probe_policy_format i)
{
	switch (i) {
	case PROBE_POLICY_APACHE:
	case PROBE_POLICY_NGINX:
		print_server(f, a, i == PROBE_POLICY_APACHE);
		break;
	case PROBE_POLICY_AVAIL: print_avail(f, a); break;
	case PROBE_POLICY_VCL:
	default: print_vcl(f, a); break;
	}
}
