/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_file_info.h>
#include <apr_strings.h>

#include "httpdconf/regex.h"

static bool
ends(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return (n > t && strcmp(s + n - t, tail) == 0);
}

/* "mod_rewrite.c" and "rewrite_module" are one module; NULL: neither shape. */
static const char *
symbol(const char *name, apr_pool_t *pool)
{
	if (ends(name, "_module"))
		return (name);
	if (!ends(name, ".c"))
		return (NULL);
	if (strncmp(name, "mod_", 4) == 0)
		name += 4;
	return (apr_psprintf(pool, "%.*s_module", (int)strlen(name) - 2, name));
}

/* Its name, if one of these differs in nothing but case. */
static const char *
cased(struct hconf *h, const char *s)
{
	/* What files that stand alone ask for, as a rule. */
	static const char *const usual[] = { "access_compat", "actions",
		"alias", "auth_basic", "authn_file", "authz_core",
		"authz_groupfile", "authz_host", "authz_user", "autoindex",
		"brotli", "cache", "cgi", "deflate", "dir", "env", "expires",
		"ext_filter", "filter", "headers", "http2", "include", "mime",
		"negotiation", "proxy", "proxy_fcgi", "proxy_http",
		"reqtimeout", "rewrite", "setenvif", "speling", "ssl", "status",
		"substitute", "unique_id", "userdir", "version", "vhost_alias",
		NULL };
	apr_hash_index_t *hi;
	const char *name;
	const void *key;
	int i;

	/* Most have no capital, and there are many. */
	if (s[strcspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0')
		return (NULL);
	if (strncasecmp(s, "mod_", 4) == 0)
		s += 4;
	if (h->modules == NULL) {
		for (i = 0; usual[i] != NULL; i++) {
			name = apr_pstrcat(h->pool, usual[i], "_module", NULL);
			if (strcasecmp(name, s) == 0)
				return (name);
		}
		return (NULL);
	}
	for (hi = apr_hash_first(h->pool, h->modules); hi != NULL;
	     hi = apr_hash_next(hi)) {
		apr_hash_this(hi, &key, NULL, NULL);
		if (strcasecmp(key, s) == 0)
			return (key);
	}
	return (NULL);
}

/*
 * Where no LoadModule was seen nothing is known, and a module is taken to be
 * there: a file written for it is about what happens then.  What is for servers
 * without it is read, too, as something that may be.  Case counts, unlike in
 * names of directives.
 */
static bool
module_there(struct hconf_reading *r, struct hconf_span span, bool no,
    const struct hconf_origin *o, const char **ret_unless)
{
	/* Linked into the program by Debian and Red Hat alike. */
	static const char *const builtin[] = { "core_module",
		"http_core_module", "so_module", "log_config_module",
		"logio_module", "version_module", "unixd_module",
		"watchdog_module", NULL };
	const char *name = hconf_span_dup(span, r->h->pool), *s, *right;
	int i;

	/* A server of another maker, which reads the same files. */
	if (strcasecmp(name, "LiteSpeed") == 0)
		return (r->h->options.litespeed);
	s = symbol(name, r->h->pool);
	if (s == NULL) {
		hconf_complain(r->h, o, r->htaccess,
		    no ? HCONF_NOTE : HCONF_WARNING,
		    "no module is called \"%s\", so that this is %s true: a "
		    "name is like mod_rewrite.c or rewrite_module",
		    name, no ? "always" : "never");
		return (false);
	}
	for (i = 0; builtin[i] != NULL; i++)
		if (strcmp(s, builtin[i]) == 0)
			return (true);
	if (r->h->modules != NULL &&
	    apr_hash_get(r->h->modules, s, APR_HASH_KEY_STRING) != NULL)
		return (true);
	right = cased(r->h, s);
	if (right != NULL && strcmp(right, s) != 0) {
		hconf_complain(r->h, o, r->htaccess,
		    no ? HCONF_NOTE : HCONF_WARNING,
		    "names of modules have case: \"%s\" is never there, "
		    "\"%s\" is meant",
		    name,
		    ends(name, ".c")
			? apr_psprintf(r->h->pool, "%s%.*s.c",
			      strncasecmp(name, "mod_", 4) == 0 ? "mod_" : "",
			      (int)(strlen(right) - strlen("_module")), right)
			: right);
		return (false);
	}
	if (r->h->modules != NULL)
		return (false);
	if (no)
		*ret_unless = name;
	return (!no);
}

static bool
number(const char **p, const char *e, int *ret)
{
	int v = 0;

	if (*p >= e || **p < '0' || **p > '9')
		return (false);
	for (; *p < e && **p >= '0' && **p <= '9'; (*p)++)
		if (v < 10000)
			v = v * 10 + (**p - '0');
	*ret = v;
	return (true);
}

bool
hconf_version_parse(struct hconf_span s, int *ret)
{
	const char *p = s.b, *e = s.b + s.len;
	int v[3] = { 0, 0, 0 }, i;

	for (i = 0; i < 3; i++) {
		if (!number(&p, e, &v[i]) || v[i] > 99)
			return (false);
		if (p == e) {
			*ret = HCONF_VERSION(v[0], v[1], v[2]);
			return (true);
		}
		if (*p++ != '.')
			return (false);
	}
	return (false);
}

/*
 * As compare_version() has it: numbers with dots between them, and one dot more
 * where there are less than three.  False where it is none.
 */
static bool
compare(const char *arg, int version, int *ret)
{
	const int own[3] = { version / 10000, version / 100 % 100,
		version % 100 };
	const char *p = arg, *e = arg + strlen(arg);
	int i, v;

	*ret = 0;
	if (p == e || *p < '0' || *p > '9')
		return (false);
	for (i = 0; i < 3; i++) {
		v = 0;
		(void)number(&p, e, &v);
		if (*ret == 0 && v != own[i])
			*ret = own[i] > v ? 1 : -1;
		if (p < e && *p++ != '.')
			return (false);
	}
	return (p == e);
}

/* A comparison by one of httpd's operators; false, and *ret_bad, else. */
static bool
version_holds(struct hconf_reading *r, const char *op, const char *arg,
    int version, bool *ret_bad)
{
	struct hconf_span pattern = { arg, strlen(arg) };
	struct hconf_regex_match found;
	bool equal = op[0] != '\0' && op[1] == '=' && op[2] == '\0';
	int order;

	*ret_bad = true;
	if (op[0] == '\0' || (op[1] != '\0' && !equal))
		return (false);
	if (*op == '~' || (*op == '=' && *arg == '/')) {
		if (*op == '~' && equal)
			return (false);
		if (*op == '=') {
			if (pattern.len < 2 || arg[pattern.len - 1] != '/')
				return (false);
			pattern.b++;
			pattern.len -= 2;
		}
		*ret_bad = !hconf_regex_find(pattern,
		    apr_psprintf(r->h->pool, "%d.%d.%d", version / 10000,
			version / 100 % 100, version % 100),
		    0, &found);
		return (!*ret_bad && found.group[0].b != NULL);
	}
	if (strchr("=<>", *op) == NULL || !compare(arg, version, &order))
		return (false);
	*ret_bad = false;
	switch (*op) {
	case '=': return (order == 0);
	case '<': return (order < 0 || (equal && order == 0));
	default: return (order > 0 || (equal && order == 0));
	}
}

/* Which of the versions the arguments of <IfVersion> let through. */
static unsigned
versions_through(struct hconf_reading *r, const struct hconf_words *w,
    const struct hconf_origin *o)
{
	const struct hconf_options *opt = &r->h->options;
	const char *op = "=", *arg;
	bool no = false, bad = false;
	unsigned i, m = 0;

	if (w->n == 1) {
		arg = hconf_span_dup(w->v[0], r->h->pool);
	} else if (w->n == 2) {
		op = hconf_span_dup(w->v[0], r->h->pool);
		arg = hconf_span_dup(w->v[1], r->h->pool);
	} else {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "<IfVersion> takes an operator and a version");
		return (0);
	}
	/* Of the operator alone, and not all of it. */
	if (op[0] == '!' && op[1] != '\0') {
		no = true;
		op++;
	}
	if (opt->nversions == 0)
		return (r->versions);
	for (i = 0; i < opt->nversions && !bad; i++)
		if (version_holds(r, op, arg, opt->versions[i], &bad) != no)
			m |= 1U << i;
	if (bad) {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "<IfVersion>: cannot read \"%s %s\"", op, arg);
		return (0);
	}
	return (m);
}

/* The versions that see what is inside; 0 skips it. */
unsigned
hconf_resolve(struct hconf_reading *r, const struct hconf_directive *d,
    struct hconf_span args, const struct hconf_origin *o,
    const char **ret_unless)
{
	struct hconf *h = r->h;
	struct hconf_words w;
	struct hconf_span a;
	apr_finfo_t fi;
	bool no = false, yes;

	if (d->id == HCONF_IFVERSION) {
		hconf_words(args, &w, h->pool);
		return (r->versions & versions_through(r, &w, o));
	}
	/* A "!" is looked for before the quotes go: within, it is a letter. */
	if (args.len > 0 && *args.b == '!') {
		no = true;
		args.b++;
		args.len--;
	}
	hconf_words(args, &w, h->pool);
	if (w.n == 0) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "<%s> needs an argument", d->name);
		return (0);
	}
	a = w.v[0];
	switch (d->id) {
	case HCONF_IFMODULE: yes = module_there(r, a, no, o, ret_unless); break;
	case HCONF_IFDEFINE:
		yes = apr_hash_get(h->vars, a.b, (apr_ssize_t)a.len) != NULL;
		break;
	case HCONF_IFFILE:
		yes = !h->options.no_files &&
		      apr_stat(&fi,
			  hconf_rooted(h, hconf_span_dup(a, h->pool), h->pool),
			  APR_FINFO_TYPE, h->pool) == APR_SUCCESS;
		break;
	case HCONF_IFDIRECTIVE:
	case HCONF_IFSECTION:
	default:
		/* Which modules bring which names is beyond this reader. */
		yes = true;
		break;
	}
	return (yes != no ? r->versions : 0);
}
