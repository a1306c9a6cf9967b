/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/model.h"

#include <assert.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_fnmatch.h>
#include <apr_hash.h>
#include <apr_strings.h>

#include "vary/field.h"

enum extent {
	NO = 0,
	SOME,
	ALL,
};

/* One Header directive that touches Vary. */
struct header_op {
	enum header_action {
		OP_ADD, /* add, append, merge */
		OP_SET,
		OP_SETIFEMPTY,
		OP_UNSET,
		OP_EDIT,
		OP_ECHO,
	} op;
	const struct hconf_node *node;
	struct scan_scope *scope;
	bool always, early, conditional;
	bool once; /* edit, not edit*: the first match in a value */
	struct hconf_span value, replacement;
	unsigned order;
};

/* A variable that SetEnvIf and its like set from a request header. */
struct env {
	const char *name, *header;
	const struct scan_scope *scope;
};

struct scan_scope {
	struct scan_model *m;
	const struct hconf_node *node; /* the container; a root without name */
	struct scan_scope *parent;
	const char *text; /* "<Directory /x>", or NULL */
	const char *path; /* of <Directory> */
	bool perdir, vhost, is_if, pathspec;
	int engine; /* -1: not said here */
	bool inherits, inherit_down, has_rewrite;
	bool allow_set;
	unsigned allow;
	apr_array_header_t *rules; /* struct scan_rule */
	apr_array_header_t *conds; /* struct scan_cond, of the next rule */
	enum extent proxied, no_vary;
	apr_array_header_t *ops;     /* struct header_op, in order */
	apr_array_header_t *sources; /* int: places in the model's list */
	struct scan_scope *child, *sibling; /* known after finish */
};

struct scan_model {
	apr_pool_t *pool;
	const int *versions;
	unsigned nversions;
	apr_array_header_t *scopes; /* struct scan_scope * */
	apr_array_header_t *dirs;   /* those of <Directory> */
	apr_array_header_t *sources, *lacks, *lints, *envs, *roots;
	apr_array_header_t *env_uses; /* struct env_use */
	struct scan_scope *server;
	const char *access_file;
	unsigned order;
	bool has_vhosts;
};

struct env_use {
	const struct hconf_node *node;
	const struct scan_scope *scope;
	struct hconf_span name;
	const char *header; /* the response header, NULL for a rewrite */
};

static void
walk(struct scan_model *, const struct hconf_node *, struct scan_scope *);

/* --- Small things -------------------------------------------------------- */

static unsigned
versions_all(const struct scan_model *m)
{
	return ((1U << m->nversions) - 1);
}

/* The versions from a release on. */
static unsigned
since(const struct scan_model *m, int version)
{
	unsigned i, r = 0;

	for (i = 0; i < m->nversions; i++)
		if (m->versions[i] >= version)
			r |= 1U << i;
	return (r);
}

unsigned
scan_model_eras(const struct scan_model *m, unsigned versions)
{
	unsigned i, r = 0;

	for (i = 0; i < m->nversions; i++) {
		if ((versions & (1U << i)) == 0)
			continue;
		if (m->versions[i] < HCONF_VERSION(2, 4, 29))
			r |= SCAN_E1;
		else if (m->versions[i] < HCONF_VERSION(2, 4, 30))
			r |= SCAN_E2;
		else
			r |= SCAN_E3;
	}
	return (r);
}

static void
lint(struct scan_model *m, enum scan_lint_kind kind, const struct hconf_node *n,
    unsigned versions, const char *text, const char *fix)
{
	struct scan_lint *l = apr_array_push(m->lints);

	*l = (struct scan_lint){ kind, n, versions, text, fix };
}

static void
lack(struct scan_model *m, enum scan_lack_kind kind, const struct hconf_node *n,
    const struct scan_scope *s, const char *member, int status,
    unsigned versions, const char *detail)
{
	struct scan_lack *l;

	if (versions == 0)
		return;
	l = apr_array_push(m->lacks);
	*l = (struct scan_lack){ kind, n, s, member, status, versions, detail };
}

static const char *
directive_text(const struct hconf_node *n, apr_pool_t *pool)
{
	return (
	    apr_psprintf(pool, n->kind == HCONF_CONTAINER ? "<%.*s>" : "%.*s",
		(int)n->name.len, n->name.b));
}

static struct scan_model_source *
source(struct scan_model *m, struct scan_scope *s, const struct hconf_node *n,
    struct hconf_span member, enum scan_by by, enum scan_when when,
    unsigned versions)
{
	struct scan_model_source *x;

	/* PR 58231: from 2.4.29 on neither module names Host any more. */
	if ((by == SCAN_BY_REWRITE || by == SCAN_BY_EXPR) &&
	    hconf_span_is(member, "Host"))
		versions &= ~since(m, HCONF_VERSION(2, 4, 29));
	APR_ARRAY_PUSH(s->sources, int) = m->sources->nelts;
	x = apr_array_push(m->sources);
	memset(x, 0, sizeof *x);
	x->pub.place = (struct scan_place){ n->file, n->first, n->last,
		directive_text(n, m->pool) };
	x->pub.member = hconf_span_dup(member, m->pool);
	x->pub.by = by;
	x->pub.when = when;
	x->pub.scope = s->text;
	x->node = n;
	x->versions = versions & n->versions;
	x->scope = s;
	x->order = m->order++;
	return (x);
}

static struct scan_scope *
scope_new(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *parent)
{
	struct scan_scope *s = apr_pcalloc(m->pool, sizeof *s);

	s->m = m;
	s->node = n;
	s->parent = parent;
	s->engine = -1;
	s->ops = apr_array_make(m->pool, 1, sizeof(struct header_op));
	s->sources = apr_array_make(m->pool, 2, sizeof(int));
	s->rules = apr_array_make(m->pool, 2, sizeof(struct scan_rule));
	s->conds = apr_array_make(m->pool, 2, sizeof(struct scan_cond));
	s->perdir = n->htaccess || (parent != NULL && parent->perdir);
	if (n->name.b != NULL)
		s->text = apr_psprintf(m->pool, "<%.*s%s%.*s>",
		    (int)n->name.len, n->name.b, n->args.len > 0 ? " " : "",
		    (int)n->args.len, n->args.b);
	else if (parent != NULL)
		s->text = NULL;
	APR_ARRAY_PUSH(m->scopes, struct scan_scope *) = s;
	return (s);
}

/* Is "outer" the scope itself or around it? */
static bool
within(const struct scan_scope *s, const struct scan_scope *outer)
{
	for (; s != NULL; s = s->parent)
		if (s == outer)
			return (true);
	return (false);
}

/* --- Expressions --------------------------------------------------------- */

/* The request header a reference asks for, if Vary would name it. */
static bool
asked(const struct hconf_ref *r, struct hconf_span *ret, bool *ret_novary)
{
	*ret_novary = false;
	if (r->kind == HCONF_REF_VAR) {
		*ret = scan_header_of_variable(r->name);
		return (ret->b != NULL);
	}
	if (hconf_span_is(r->name, "req_novary"))
		*ret_novary = true;
	else if (!hconf_span_is(r->name, "req") &&
		 !hconf_span_is(r->name, "http"))
		return (false);
	if (r->arg.b == NULL)
		*ret = (struct hconf_span){ "(computed)", 10 };
	else
		*ret = r->arg;
	return (ret->len > 0);
}

static void
expr_error(struct scan_model *m, const struct hconf_node *n, unsigned versions,
    const struct hconf_expr *x)
{
	lint(m, SCAN_LINT_ERROR, n, versions,
	    apr_psprintf(m->pool, "expression, at byte %lu: %s",
		(unsigned long)x->error_at + 1, x->error),
	    NULL);
}

/* %{HTTP_X} with an X that httpd does not know is refused, not empty. */
static void
unknown_variables(struct scan_model *m, const struct hconf_node *n,
    unsigned versions, const struct hconf_expr *x)
{
	int i;

	for (i = 0; i < x->refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x->refs, i, struct hconf_ref);
		char *name, *p;

		if (r->kind != HCONF_REF_VAR ||
		    !hconf_span_starts(r->name, "HTTP_") ||
		    scan_header_of_variable(r->name).b != NULL)
			continue;
		name = apr_pstrmemdup(m->pool, r->name.b + 5, r->name.len - 5);
		for (p = name; *p != '\0'; p++) {
			if (*p == '_')
				*p = '-';
			else if (p > name && p[-1] != '-' && *p >= 'A' &&
				 *p <= 'Z')
				*p = (char)(*p + ('a' - 'A'));
		}
		lint(m, SCAN_LINT_ERROR, n, versions,
		    apr_psprintf(m->pool,
			"expressions know no variable %%{%.*s}",
			(int)r->name.len, r->name.b),
		    apr_psprintf(m->pool,
			"write %%{req_novary:%s}, or "
			"%%{req:%s} to have it in Vary",
			name, name));
	}
}

struct expr_use {
	const struct hconf_node *node;
	struct scan_scope *scope;
	struct hconf_span text;
	enum scan_when when; /* what the certain references get */
	unsigned versions;
	bool late, novary;
	const struct scan_rule *rule;
	const struct scan_cond *cond;
};

static void
expr_bool(struct scan_model *m, const struct expr_use *u)
{
	struct hconf_expr x;
	unsigned versions = u->versions & u->node->versions;
	int i;

	hconf_expr_parse(u->text, HCONF_EXPR_BOOL, &x, m->pool);
	if (x.error != NULL)
		expr_error(m, u->node, versions, &x);
	unknown_variables(m, u->node, versions, &x);
	for (i = 0; i < x.refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x.refs, i, struct hconf_ref);
		struct scan_model_source *s;
		struct hconf_span header;
		bool novary;

		if (!asked(r, &header, &novary) || novary || u->novary)
			continue;
		s = source(m, u->scope, u->node, header, SCAN_BY_EXPR,
		    r->certain ? u->when : SCAN_POSSIBLE, versions);
		s->where = r->where;
		s->late = u->late;
		s->rule = u->rule;
		s->cond = u->cond;
	}
}

/* A string: whatever it asks for, Vary never names it. */
static void
expr_string(struct scan_model *m, const struct hconf_node *n,
    const struct scan_scope *s, struct hconf_span text, unsigned versions,
    const char *detail, int status)
{
	struct hconf_expr x;
	int i;

	hconf_expr_parse(text, HCONF_EXPR_STRING, &x, m->pool);
	for (i = 0; i < x.refs->nelts; i++) {
		struct hconf_span header;
		bool novary;

		if (!asked(&APR_ARRAY_IDX(x.refs, i, struct hconf_ref), &header,
			&novary) ||
		    novary || hconf_span_is(header, "Host"))
			continue;
		lack(m, SCAN_LACK_STRING, n, s, hconf_span_dup(header, m->pool),
		    status, versions & n->versions, detail);
	}
}

/* --- Header -------------------------------------------------------------- */

static void
members(struct scan_model *m, const struct header_op *o, enum scan_when when)
{
	struct vary_field f;
	struct vary_span v;
	enum vary_status r;

	if (memchr(o->value.b != NULL ? o->value.b : "", '%', o->value.len) !=
	    NULL) {
		struct scan_model_source *s = source(m, o->scope, o->node,
		    (struct hconf_span){ "(computed)", 10 }, SCAN_BY_HEADER,
		    SCAN_POSSIBLE, versions_all(m));

		s->late = true;
		s->error_table = o->always;
		s->pub.any_status = o->always;
		s->order = o->order;
		return;
	}
	vary_field_init(&f, o->value.b, o->value.len);
	while ((r = vary_field_next(&f, &v)) != VARY_END) {
		struct scan_model_source *s;

		if (r != VARY_OK)
			vary_field_skip(&f, &v);
		s = source(m, o->scope, o->node,
		    (struct hconf_span){ v.b, v.len }, SCAN_BY_HEADER, when,
		    versions_all(m));
		s->late = true;
		s->error_table = o->always;
		s->pub.any_status = o->always;
		s->if_empty = o->op == OP_SETIFEMPTY;
		s->order = o->order;
	}
}

static bool
env_condition(struct hconf_span cond, struct hconf_span *ret)
{
	if (!hconf_span_starts(cond, "env="))
		return (false);
	ret->b = cond.b + 4;
	ret->len = cond.len - 4;
	if (ret->len > 0 && *ret->b == '!') {
		ret->b++;
		ret->len--;
	}
	return (true);
}

static void
header(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	static const struct {
		const char *name;
		int op;
		unsigned words; /* with header and values, without condition */
		int since;
	} actions[] = {
		{ "add", OP_ADD, 2, 0 },
		{ "append", OP_ADD, 2, 0 },
		{ "merge", OP_ADD, 2, 0 },
		{ "set", OP_SET, 2, 0 },
		{ "setifempty", OP_SETIFEMPTY, 2, HCONF_VERSION(2, 4, 7) },
		{ "unset", OP_UNSET, 1, 0 },
		{ "edit", OP_EDIT, 3, 0 },
		{ "edit*", OP_EDIT, 3, 0 },
		{ "echo", OP_ECHO, 1, 0 },
		{ "note", -1, 2, HCONF_VERSION(2, 4, 7) },
	};
	struct hconf_words w;
	struct hconf_span name, cond = { NULL, 0 }, var;
	struct header_op o = { .node = n, .scope = s, .order = m->order++ };
	unsigned i = 0, at;
	size_t k;
	bool request = n->id == HCONF_REQUESTHEADER, is_vary;

	hconf_words(n->args, &w, m->pool);
	if (!request && w.n > 0 &&
	    (hconf_span_is(w.v[0], "always") ||
		hconf_span_is(w.v[0], "onsuccess"))) {
		o.always = hconf_span_is(w.v[0], "always");
		i++;
	}
	if (w.n < i + 2) {
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    "Header takes an action and a header", NULL);
		return;
	}
	for (k = 0; k < sizeof actions / sizeof *actions; k++)
		if (hconf_span_is(w.v[i], actions[k].name))
			break;
	if (k == sizeof actions / sizeof *actions) {
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header: there is no action \"%.*s\"",
			(int)w.v[i].len, w.v[i].b),
		    NULL);
		return;
	}
	if ((n->versions & ~since(m, actions[k].since)) != 0)
		lint(m, SCAN_LINT_ERROR, n,
		    n->versions & ~since(m, actions[k].since),
		    apr_psprintf(m->pool, "Header %s needs Apache 2.4.7",
			actions[k].name),
		    NULL);
	if (w.n < i + 1 + actions[k].words) {
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header %s: an argument is missing",
			actions[k].name),
		    NULL);
		return;
	}
	at = i + 1 + actions[k].words;
	if (w.n > at + 1) {
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    "Header has too many arguments; a comment needs a line of "
		    "its own",
		    NULL);
		return;
	}
	if (w.n == at + 1)
		cond = w.v[at];
	if (cond.b != NULL) {
		if (hconf_span_is(cond, "early")) {
			o.early = true;
		} else if (hconf_span_starts(cond, "expr=")) {
			struct expr_use u = { .node = n,
				.scope = s,
				.text = { cond.b + 5, cond.len - 5 },
				.when = SCAN_ALWAYS,
				.versions = n->versions,
				.late = !request };

			o.conditional = true;
			expr_bool(m, &u);
		} else if (env_condition(cond, &var)) {
			o.conditional = true;
		} else {
			lint(m, SCAN_LINT_ERROR, n, n->versions,
			    "Header: the last argument is early, env=NAME or "
			    "expr=EXPRESSION",
			    NULL);
			return;
		}
	}
	if (request)
		return;
	name = w.v[i + 1];
	if (name.len > 0 && name.b[name.len - 1] == ':')
		name.len--;
	if (actions[k].op == -1)
		return;
	o.op = (enum header_action)actions[k].op;
	o.once = strcmp(actions[k].name, "edit") == 0;
	if (actions[k].words > 1)
		o.value = w.v[i + 2];
	if (actions[k].words > 2)
		o.replacement = w.v[i + 3];
	is_vary = hconf_span_is(name, "Vary");
	if (o.op == OP_ECHO) {
		/* A regular expression for names of request headers. */
		regex_t re;
		char *pattern = hconf_span_dup(w.v[i + 1], m->pool);

		if (regcomp(&re, pattern,
			REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0) {
			is_vary = regexec(&re, "Vary", 0, NULL, 0) == 0;
			regfree(&re);
		}
		if (is_vary) {
			struct scan_model_source *x = source(m, s, n,
			    (struct hconf_span){ "(request's Vary)", 16 },
			    SCAN_BY_HEADER, SCAN_POSSIBLE, n->versions);

			x->late = true;
			x->error_table = x->pub.any_status = o.always;
			x->order = o.order;
		}
		return;
	}
	if (!is_vary) {
		struct env_use *u;

		if (o.op == OP_UNSET)
			return;
		if (hconf_span_starts(o.value, "expr="))
			expr_string(m, n, s,
			    (struct hconf_span){
				o.value.b + 5, o.value.len - 5 },
			    n->versions, hconf_span_dup(name, m->pool), 0);
		if (cond.b != NULL && env_condition(cond, &var)) {
			u = apr_array_push(m->env_uses);
			*u = (struct env_use){ n, s, var,
				hconf_span_dup(name, m->pool) };
		} else if (o.value.len > 4 &&
			   hconf_span_starts(o.value, "%{") &&
			   hconf_span_is(
			       (struct hconf_span){
				   o.value.b + o.value.len - 2, 2 },
			       "}e")) {
			u = apr_array_push(m->env_uses);
			*u = (struct env_use){ n, s,
				{ o.value.b + 2, o.value.len - 4 },
				hconf_span_dup(name, m->pool) };
		}
		return;
	}
	APR_ARRAY_PUSH(s->ops, struct header_op) = o;
	if (o.op == OP_ADD || o.op == OP_SET || o.op == OP_SETIFEMPTY)
		members(m, &o, o.conditional ? SCAN_POSSIBLE : SCAN_ALWAYS);
}

/* --- Filters, negotiation, handlers -------------------------------------- */

static void
filters(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s,
    struct hconf_span list)
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
		(void)source(m, s, n,
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
		struct scan_model_source *x = source(m, s, n,
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
proxied(struct scan_scope *s, enum extent how)
{
	if (how > s->proxied)
		s->proxied = how;
}

static void
handler(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
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
			proxied(s, ALL);
		return;
	}
	expr_string(m, n, s, h, n->versions, "the handler", 0);
}

static void
proxy_pass(
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
		proxied(s, all ? ALL : SOME);
}

static void
options(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
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

/* --- Environment --------------------------------------------------------- */

/* SetEnvIf attribute: a request header, or something httpd knows itself? */
static bool
is_header(struct hconf_span a)
{
	static const char *const own[] = { "Remote_Host", "Remote_Addr",
		"Server_Addr", "Request_Method", "Request_Protocol",
		"Request_URI", NULL };
	int i;
	size_t k;

	for (i = 0; own[i] != NULL; i++)
		if (hconf_span_is(a, own[i]))
			return (false);
	for (k = 0; k < a.len; k++)
		if (!vary_is_tchar(a.b[k]) || a.b[k] == '^' || a.b[k] == '|' ||
		    a.b[k] == '*' || a.b[k] == '+')
			return (false);
	return (a.len > 0);
}

static void
set_env(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	struct hconf_span head;
	unsigned i;
	bool browser =
	    n->id == HCONF_BROWSERMATCH || n->id == HCONF_BROWSERMATCHNOCASE;

	hconf_words(n->args, &w, m->pool);
	if (n->id == HCONF_SETENV) {
		if (w.n > 0 && hconf_span_is(w.v[0], "force-no-vary")) {
			s->no_vary = ALL;
			lack(m, SCAN_LACK_FORCED, n, s, NULL, 0, n->versions,
			    NULL);
		}
		return;
	}
	if (n->id == HCONF_SETENVIFEXPR) {
		struct expr_use u = { .node = n,
			.scope = s,
			.when = SCAN_ALWAYS,
			.versions = n->versions };

		if (w.n < 2)
			return;
		u.text = w.v[0];
		expr_bool(m, &u);
		i = 1;
		head = (struct hconf_span){ NULL, 0 };
	} else {
		i = browser ? 1 : 2;
		if (w.n < i)
			return;
		head =
		    browser ? (struct hconf_span){ "User-Agent", 10 } : w.v[0];
		if (!browser && !is_header(head))
			head.b = NULL;
	}
	for (; i < w.n; i++) {
		struct hconf_span name = w.v[i];
		const char *eq = memchr(name.b, '=', name.len);

		if (eq != NULL)
			name.len = (size_t)(eq - name.b);
		if (hconf_span_is(name, "force-no-vary")) {
			if (s->no_vary == NO)
				s->no_vary = SOME;
			lack(m, SCAN_LACK_FORCED, n, s, NULL, 0, n->versions,
			    NULL);
		}
		if (head.b != NULL && !hconf_span_is(head, "Host") &&
		    name.len > 0 && *name.b != '!') {
			struct env *e = apr_array_push(m->envs);

			e->name = hconf_span_dup(name, m->pool);
			e->header = hconf_span_dup(head, m->pool);
			e->scope = s;
		}
	}
}

/* --- Require ------------------------------------------------------------- */

enum truth {
	DENIED,
	GRANTED,
	UNKNOWN,
};

enum reach {
	REACH_NEVER,
	REACH_MAYBE,
	REACH_ALWAYS,
};

static enum truth
require(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s,
    enum reach reach)
{
	struct hconf_span rest = n->args, word;
	struct expr_use u;
	bool no = false;
	enum truth t = UNKNOWN;

	if (!hconf_word(&rest, &word, m->pool))
		return (UNKNOWN);
	if (hconf_span_is(word, "not")) {
		no = true;
		if (!hconf_word(&rest, &word, m->pool))
			return (UNKNOWN);
	}
	if (hconf_span_is(word, "all")) {
		if (hconf_word(&rest, &word, m->pool))
			t = hconf_span_is(word, "granted") ? GRANTED : DENIED;
		if (no)
			t = t == GRANTED ? DENIED : GRANTED;
		return (t);
	}
	if (hconf_span_is(word, "user") || hconf_span_is(word, "group")) {
		expr_string(m, n, s, rest, n->versions, "who may see it", 401);
		return (UNKNOWN);
	}
	if (!hconf_span_is(word, "expr") || reach == REACH_NEVER)
		return (UNKNOWN);
	if (rest.len > 0 && (*rest.b == '"' || *rest.b == '\'')) {
		/* Quoted as a whole: from 2.4.16 on; before, refused. */
		struct hconf_span r = rest;

		if (hconf_word(&r, &word, m->pool) && r.len == 0)
			rest = word;
	}
	u = (struct expr_use){ .node = n,
		.scope = s,
		.text = rest,
		.when = reach == REACH_ALWAYS ? SCAN_ALWAYS : SCAN_POSSIBLE,
		.versions = n->versions };
	expr_bool(m, &u);
	return (UNKNOWN);
}

static bool
is_require(const struct hconf_node *n)
{
	return (n->id == HCONF_REQUIRE || n->id == HCONF_REQUIREALL ||
		n->id == HCONF_REQUIREANY || n->id == HCONF_REQUIRENONE);
}

/*
 * The first one that decides ends it: any, and none, by a grant; all, by a
 * denial.
 */
static enum truth
require_group(struct scan_model *m, const struct hconf_node *first,
    struct scan_scope *s, enum hconf_id mode, enum reach reach)
{
	const struct hconf_node *n;
	enum truth decides, t;
	bool unknown = false;

	decides = mode == HCONF_REQUIREALL ? DENIED : GRANTED;
	for (n = first; n != NULL; n = n->next) {
		if (!is_require(n))
			continue;
		if (n->id == HCONF_REQUIRE)
			t = require(m, n, s, reach);
		else
			t = require_group(m, n->child, s, n->id, reach);
		if (t == UNKNOWN) {
			unknown = true;
			if (reach == REACH_ALWAYS)
				reach = REACH_MAYBE;
		} else if (t == decides) {
			if (mode == HCONF_REQUIRENONE)
				return (DENIED);
			return (unknown ? UNKNOWN : decides);
		}
	}
	if (unknown || first == NULL)
		return (UNKNOWN);
	return (mode == HCONF_REQUIREALL ? GRANTED : DENIED);
}

/* --- Rewriting ----------------------------------------------------------- */

static void
rewrite_options(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	for (i = 0; i < w.n; i++) {
		if (hconf_span_is(w.v[i], "Inherit") ||
		    hconf_span_is(w.v[i], "InheritBefore"))
			s->inherits = true;
		if (hconf_span_is(w.v[i], "InheritDown") ||
		    hconf_span_is(w.v[i], "InheritDownBefore"))
			s->inherit_down = true;
	}
}

static void
dead_conditions(
    struct scan_model *m, const struct hconf_node *n, const struct scan_cond *c)
{
	int i;

	for (i = 0; i < c->dead->nelts; i++) {
		struct hconf_span v =
		    APR_ARRAY_IDX(c->dead, i, struct hconf_span);
		char *name = apr_pstrmemdup(m->pool, v.b + 5, v.len - 5), *p;

		for (p = name; *p != '\0'; p++) {
			if (*p == '_')
				*p = '-';
			else if (p > name && p[-1] != '-' && *p >= 'A' &&
				 *p <= 'Z')
				*p = (char)(*p + ('a' - 'A'));
		}
		lint(m, SCAN_LINT_DEAD, n, n->versions,
		    apr_psprintf(m->pool,
			"%%{%.*s} is always empty: mod_rewrite has no such "
			"variable",
			(int)v.len, v.b),
		    apr_psprintf(m->pool, "write %%{HTTP:%s}", name));
	}
}

static void
rewrite(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct scan_cond c;
	struct scan_rule r;
	const char *error;
	struct hconf_words w;

	s->has_rewrite = true;
	switch (n->id) {
	case HCONF_REWRITEENGINE:
		hconf_words(n->args, &w, m->pool);
		if (w.n == 1 && hconf_span_is(w.v[0], "on"))
			s->engine = 1;
		else if (w.n == 1 && hconf_span_is(w.v[0], "off"))
			s->engine = 0;
		else
			lint(m, SCAN_LINT_ERROR, n, n->versions,
			    "RewriteEngine is On or Off", NULL);
		break;
	case HCONF_REWRITEOPTIONS: rewrite_options(m, n, s); break;
	case HCONF_REWRITECOND:
		if (!scan_cond_read(n, &c, &error, m->pool)) {
			lint(m, SCAN_LINT_ERROR, n, n->versions, error, NULL);
			break;
		}
		dead_conditions(m, n, &c);
		APR_ARRAY_PUSH(s->conds, struct scan_cond) = c;
		break;
	case HCONF_REWRITERULE:
		if (!scan_rule_read(n, &r, &error, m->pool)) {
			lint(m, SCAN_LINT_ERROR, n, n->versions, error, NULL);
			break;
		}
		r.conds = s->conds;
		s->conds = apr_array_make(m->pool, 2, sizeof(struct scan_cond));
		APR_ARRAY_PUSH(s->rules, struct scan_rule) = r;
		break;
	default: break;
	}
}

static bool
engine_on(const struct scan_scope *s, bool *ret_sure)
{
	const struct scan_scope *p;

	*ret_sure = true;
	for (p = s; p != NULL; p = p->parent) {
		if (p->engine >= 0)
			return (p->engine == 1);
		/* Server and directory configuration are two things. */
		if (p->parent != NULL && p->perdir && !p->parent->perdir)
			break;
	}
	if (s->node->htaccess && s->m->server == NULL) {
		/* Read alone: a directory above may have turned it on. */
		*ret_sure = false;
		return (true);
	}
	return (false);
}

/* Which versions keep what a matching rule added. */
static unsigned
kept(const struct scan_model *m, const struct scan_scope *s,
    const struct scan_rule *r)
{
	switch (r->target) {
	case SCAN_TARGET_DASH:
	case SCAN_TARGET_FCGI: return (versions_all(m));
	case SCAN_TARGET_INTERNAL:
		/* aeaabea3c2: "redirect-keeps-vary" */
		if (!s->perdir)
			return (versions_all(m));
		return (since(m, HCONF_VERSION(2, 4, 30)));
	case SCAN_TARGET_REDIRECT:
	case SCAN_TARGET_REFUSE:
	case SCAN_TARGET_PROXY: break;
	}
	return (0);
}

/* Do all conditions but one hold whatever the request says? */
static bool
alone(const struct scan_rule *r, int but)
{
	int i;

	for (i = 0; i < r->conds->nelts; i++)
		if (i != but)
			return (false);
	return (true);
}

static void
cond_sources(struct scan_model *m, struct scan_scope *s,
    const struct scan_rule *r, int at, enum scan_when strongest)
{
	const struct scan_cond *c =
	    &APR_ARRAY_IDX(r->conds, at, struct scan_cond);
	const struct scan_cond *before =
	    at == 0 ? NULL : &APR_ARRAY_IDX(r->conds, at - 1, struct scan_cond);
	unsigned versions = r->node->versions & c->node->versions;
	unsigned keep = versions & kept(m, s, r), index = 0;
	enum scan_when when;
	int i;

	if (c->is_expr) {
		struct expr_use u = { .node = c->node,
			.scope = s,
			.text = c->pattern,
			/* Asked where the pattern matched and those before. */
			.when = r->any_path && at == 0 &&
					strongest <= SCAN_HEADER_SENT
				    ? SCAN_ALWAYS
				    : SCAN_RULE_MATCHES,
			.versions =
			    r->target == SCAN_TARGET_INTERNAL && s->perdir
				? versions
				: versions,
			.novary = c->novary,
			.rule = r,
			.cond = c };

		/*
		 * Added where it is evaluated, matching or not; what follows a
		 * match takes it away again.
		 */
		if (keep == 0 || (keep != versions && u.when == SCAN_ALWAYS))
			u.when = SCAN_RULE_MATCHES;
		expr_bool(m, &u);
		return;
	}
	/*
	 * Measured: on 2.4.6, and no longer on 2.4.25, a rule for the bare
	 * directory is run by the subrequest that looks for its index, whose
	 * Vary stays.
	 */
	if (s->perdir && r->target == SCAN_TARGET_INTERNAL &&
	    hconf_span_is(r->pattern, "^$"))
		index = versions & ~since(m, HCONF_VERSION(2, 4, 25));
	if (r->any_path && c->any_value && alone(r, at))
		when = SCAN_HEADER_SENT;
	else if (before != NULL && before->ornext)
		when = SCAN_POSSIBLE; /* unless one before it held */
	else
		when = SCAN_RULE_MATCHES;
	if (when < strongest)
		when = strongest;
	for (i = 0; i < c->refs->nelts; i++) {
		const struct scan_header_ref *h =
		    &APR_ARRAY_IDX(c->refs, i, struct scan_header_ref);
		char *name = hconf_span_dup(h->name, m->pool);
		unsigned lost = versions & ~keep;

		if (!c->novary && keep != 0) {
			struct scan_model_source *x = source(m, s, c->node,
			    h->name, SCAN_BY_REWRITE, when, keep);

			x->rule = r;
			x->cond = c;
			x->where = h->where;
			x->pub.rule = r->node->first;
		}
		if (!c->novary && (index & ~keep) != 0) {
			struct scan_model_source *x =
			    source(m, s, c->node, h->name, SCAN_BY_REWRITE,
				SCAN_POSSIBLE, index & ~keep);

			x->rule = r;
			x->cond = c;
			x->pub.rule = r->node->first;
		}
		if (hconf_span_is(h->name, "Host"))
			continue;
		if (lost == 0 ||
		    (c->novary && r->target != SCAN_TARGET_REDIRECT))
			continue;
		if (r->target == SCAN_TARGET_REDIRECT)
			lack(m, SCAN_LACK_REDIRECT, c->node, s, name, r->status,
			    lost, NULL);
		else if (r->target == SCAN_TARGET_REFUSE)
			lack(m, SCAN_LACK_REFUSE, c->node, s, name, r->status,
			    lost, NULL);
		else if (r->target == SCAN_TARGET_INTERNAL)
			lack(m, SCAN_LACK_PERDIR, c->node, s, name, 0, lost,
			    NULL);
	}
}

static void
rules(struct scan_model *m, struct scan_scope *s)
{
	enum scan_when strongest = SCAN_ALWAYS;
	bool sure, over = false;
	int i, k;

	if (s->conds->nelts > 0) {
		const struct scan_cond *c =
		    &APR_ARRAY_IDX(s->conds, 0, struct scan_cond);

		lint(m, SCAN_LINT_DANGLING, c->node, c->node->versions,
		    "no RewriteRule follows: the condition does nothing", NULL);
	}
	if (s->rules->nelts == 0 || !engine_on(s, &sure))
		return;
	if (!sure)
		strongest = SCAN_POSSIBLE;
	/* Rules of the server are for requests that no host takes. */
	if (!s->perdir && !s->vhost && m->has_vhosts) {
		bool inherited = s->inherit_down;

		for (i = 0; i < m->scopes->nelts; i++) {
			const struct scan_scope *v =
			    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);

			if (v->vhost && v->inherits)
				inherited = true;
		}
		if (!inherited)
			strongest = SCAN_POSSIBLE;
	}
	for (i = 0; i < s->rules->nelts && !over; i++) {
		struct scan_rule *r =
		    &APR_ARRAY_IDX(s->rules, i, struct scan_rule);

		for (k = 0; k < r->conds->nelts; k++)
			cond_sources(m, s, r, k, strongest);
		for (k = 0; k < r->refs->nelts; k++) {
			const struct scan_header_ref *h =
			    &APR_ARRAY_IDX(r->refs, k, struct scan_header_ref);

			if (hconf_span_is(h->name, "Host") ||
			    r->target == SCAN_TARGET_PROXY ||
			    r->target == SCAN_TARGET_FCGI)
				continue;
			lack(m, SCAN_LACK_SUBST, r->node, s,
			    hconf_span_dup(h->name, m->pool), r->status,
			    r->node->versions, NULL);
		}
		/* Nothing comes after a rule that always matches and ends. */
		if (r->any_path && r->conds->nelts == 0 && r->ends &&
		    !r->unsteady && r->node->versions == versions_all(m) &&
		    r->target != SCAN_TARGET_INTERNAL)
			over = true;
		if ((r->ends || r->unsteady ||
			r->target == SCAN_TARGET_INTERNAL ||
			r->target == SCAN_TARGET_REDIRECT) &&
		    strongest < SCAN_RULE_MATCHES)
			strongest = SCAN_RULE_MATCHES;
	}
}

/* --- The walk ------------------------------------------------------------ */

static void
document_root(struct scan_model *m, const struct hconf_node *n)
{
	struct hconf_words w;

	hconf_words(n->args, &w, m->pool);
	if (w.n == 1 && w.v[0].len > 0 && *w.v[0].b == '/')
		APR_ARRAY_PUSH(m->roots, const char *) =
		    hconf_span_dup(w.v[0], m->pool);
}

static void
allow_override(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	static const struct {
		const char *name;
		unsigned allow;
	} classes[] = {
		{ "None", 0 },
		{ "All", HCONF_ALLOW_ALL },
		{ "AuthConfig", HCONF_ALLOW_AUTHCONFIG },
		{ "FileInfo", HCONF_ALLOW_FILEINFO },
		{ "Indexes", HCONF_ALLOW_INDEXES },
		{ "Limit", HCONF_ALLOW_LIMIT },
		{ "Options", HCONF_ALLOW_OPTIONS },
	};
	struct hconf_words w;
	unsigned i;
	size_t k;

	hconf_words(n->args, &w, m->pool);
	s->allow_set = true;
	s->allow = 0;
	for (i = 0; i < w.n; i++) {
		struct hconf_span a = w.v[i];
		const char *eq = memchr(a.b, '=', a.len);

		if (eq != NULL) /* Options=..., Nonfatal=... */
			a.len = (size_t)(eq - a.b);
		for (k = 0; k < sizeof classes / sizeof *classes; k++)
			if (hconf_span_is(a, classes[k].name))
				s->allow |= classes[k].allow;
	}
}

static void
directive(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	struct expr_use u = { .node = n,
		.scope = s,
		.when = SCAN_ALWAYS,
		.versions = n->versions };
	unsigned i;

	switch (n->id) {
	case HCONF_REWRITEENGINE:
	case HCONF_REWRITEOPTIONS:
	case HCONF_REWRITECOND:
	case HCONF_REWRITERULE:
	case HCONF_REWRITEBASE: rewrite(m, n, s); break;
	case HCONF_HEADER:
	case HCONF_REQUESTHEADER: header(m, n, s); break;
	case HCONF_SETENV:
	case HCONF_SETENVIF:
	case HCONF_SETENVIFNOCASE:
	case HCONF_SETENVIFEXPR:
	case HCONF_BROWSERMATCH:
	case HCONF_BROWSERMATCHNOCASE: set_env(m, n, s); break;
	case HCONF_SETOUTPUTFILTER:
	case HCONF_ADDOUTPUTFILTER:
	case HCONF_ADDOUTPUTFILTERBYTYPE:
		hconf_words(n->args, &w, m->pool);
		if (w.n > 0)
			filters(m, n, s, w.v[0]);
		break;
	case HCONF_FILTERPROVIDER:
		hconf_words(n->args, &w, m->pool);
		if (w.n != 3)
			break;
		u.text = w.v[2];
		expr_bool(m, &u);
		filters(m, n, s, w.v[1]);
		break;
	case HCONF_OPTIONS: options(m, n, s); break;
	case HCONF_ADDHANDLER:
	case HCONF_SETHANDLER: handler(m, n, s); break;
	case HCONF_PROXYPASS:
	case HCONF_PROXYPASSMATCH: proxy_pass(m, n, s); break;
	case HCONF_PROXYFCGISETENVIF:
		hconf_words(n->args, &w, m->pool);
		if (w.n < 2)
			break;
		u.text = w.v[0];
		u.when = SCAN_POSSIBLE; /* where FastCGI answers */
		expr_bool(m, &u);
		break;
	case HCONF_SSLREQUIRE:
		u.text = n->args;
		expr_bool(m, &u);
		break;
	case HCONF_AUTHNAME:
		hconf_words(n->args, &w, m->pool);
		if (w.n > 0)
			expr_string(m, n, s, w.v[0], n->versions,
			    "WWW-Authenticate", 401);
		break;
	case HCONF_ERRORDOCUMENT:
		hconf_words(n->args, &w, m->pool);
		if (w.n > 1)
			expr_string(m, n, s, w.v[1], n->versions,
			    "an error page",
			    atoi(hconf_span_dup(w.v[0], m->pool)));
		break;
	case HCONF_REDIRECT:
	case HCONF_REDIRECTMATCH:
	case HCONF_REDIRECTPERMANENT:
	case HCONF_REDIRECTTEMP:
		hconf_words(n->args, &w, m->pool);
		if (w.n > 0)
			expr_string(m, n, s, w.v[w.n - 1], n->versions,
			    "Location", 302);
		break;
	case HCONF_DAV:
		hconf_words(n->args, &w, m->pool);
		if (w.n == 1 && hconf_span_is(w.v[0], "svn"))
			(void)source(m, s, n, (struct hconf_span){ "Label", 5 },
			    SCAN_BY_DAV, SCAN_POSSIBLE, n->versions);
		break;
	case HCONF_DOCUMENTROOT: document_root(m, n); break;
	case HCONF_ACCESSFILENAME:
		hconf_words(n->args, &w, m->pool);
		for (i = 0; i < w.n && i < 1; i++)
			m->access_file = hconf_span_dup(w.v[i], m->pool);
		break;
	case HCONF_ALLOWOVERRIDE:
		allow_override(m, n, s);
		if (s->allow != 0 && s->path != NULL && *s->path == '/' &&
		    s->path[1] != '\0' && !apr_fnmatch_test(s->path))
			APR_ARRAY_PUSH(m->roots, const char *) = s->path;
		break;
	default: break;
	}
}

static void
condition(struct scan_model *m, const struct hconf_node *n,
    struct scan_scope *s, struct scan_scope *inner)
{
	struct expr_use u = { .node = n,
		.scope = s,
		.when = SCAN_ALWAYS,
		.versions = n->versions };
	struct hconf_span rest = n->args, word;
	const struct scan_scope *p;

	(void)inner;
	if (n->id == HCONF_ELSE)
		return;
	/* One word: with blanks in it, it has to be quoted. */
	if (!hconf_word(&rest, &word, m->pool)) {
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "<%.*s> needs an expression",
			(int)n->name.len, n->name.b),
		    NULL);
		return;
	}
	if (rest.len > 0)
		lint(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool,
			"<%.*s>: an expression with blanks has to be quoted",
			(int)n->name.len, n->name.b),
		    NULL);
	if (n->id == HCONF_ELSEIF)
		u.when = SCAN_POSSIBLE; /* only after an untrue <If> */
	for (p = s; p != NULL; p = p->parent)
		if (p->is_if) {
			/* Before 2.4.26 an <If> in an <If> is passed over. */
			u.when = SCAN_POSSIBLE;
			u.versions &= since(m, HCONF_VERSION(2, 4, 26));
		}
	u.text = word;
	if (rest.len == 0)
		expr_bool(m, &u);
}

static const char *
directory_path(struct scan_model *m, const struct hconf_node *n)
{
	struct hconf_words w;
	char *p;
	size_t len;

	hconf_words(n->args, &w, m->pool);
	if (w.n != 1)
		return (NULL); /* "~ regex", or nonsense */
	p = hconf_span_dup(w.v[0], m->pool);
	len = strlen(p);
	while (len > 1 && p[len - 1] == '/')
		p[--len] = '\0';
	return (p);
}

static void
container(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct scan_scope *inner;

	switch (n->id) {
	case HCONF_VIRTUALHOST:
		inner = scope_new(m, n, s);
		inner->vhost = true;
		m->has_vhosts = true;
		break;
	case HCONF_DIRECTORY:
		inner = scope_new(m, n, s);
		inner->perdir = true;
		inner->path = directory_path(m, n);
		if (inner->path != NULL)
			APR_ARRAY_PUSH(m->dirs, struct scan_scope *) = inner;
		break;
	case HCONF_DIRECTORYMATCH:
	case HCONF_FILES:
	case HCONF_FILESMATCH:
		inner = scope_new(m, n, s);
		inner->perdir = true;
		break;
	case HCONF_LOCATION:
	case HCONF_LOCATIONMATCH:
		inner = scope_new(m, n, s);
		inner->perdir = true;
		inner->pathspec = true;
		break;
	case HCONF_IF:
	case HCONF_ELSEIF:
	case HCONF_ELSE:
		inner = scope_new(m, n, s);
		inner->perdir = true;
		condition(m, n, s, inner);
		inner->is_if = true;
		break;
	case HCONF_LIMIT:
	case HCONF_LIMITEXCEPT:
		/* What is in it holds for some methods only. */
		inner = scope_new(m, n, s);
		break;
	case HCONF_PROXY:
	case HCONF_PROXYMATCH:
		inner = scope_new(m, n, s);
		inner->perdir = true;
		break;
	case HCONF_REQUIREALL:
	case HCONF_REQUIREANY:
	case HCONF_REQUIRENONE: return; /* see require_group() */
	default:
		/* A section of a module we do not know: as if it were not. */
		walk(m, n->child, s);
		return;
	}
	walk(m, n->child, inner);
}

static void
walk(struct scan_model *m, const struct hconf_node *first, struct scan_scope *s)
{
	const struct hconf_node *n;
	bool required = false;

	for (n = first; n != NULL; n = n->next) {
		if (is_require(n)) {
			enum reach reach = REACH_ALWAYS;

			if (required)
				continue;
			required = true;
			if (s->node->id == HCONF_LIMIT ||
			    s->node->id == HCONF_LIMITEXCEPT)
				reach = REACH_MAYBE;
			(void)require_group(m, n, s, HCONF_REQUIREANY, reach);
			continue;
		}
		if (n->kind == HCONF_CONTAINER)
			container(m, n, s);
		else if (n->id != HCONF_OTHER)
			directive(m, n, s);
	}
}

/* --- Afterwards ---------------------------------------------------------- */

static bool
still_there(const char *value, const char *member)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status r;

	vary_field_init(&f, value, strlen(value));
	while ((r = vary_field_next(&f, &s)) != VARY_END) {
		if (r != VARY_OK)
			vary_field_skip(&f, &s);
		if (s.len == strlen(member) &&
		    strncasecmp(s.b, member, s.len) == 0)
			return (true);
	}
	return (false);
}

/*
 * Would "Header edit Vary" take this member away?  The expression sees the
 * whole value, so that what else is in it matters to an anchored one: it is
 * tried alone, first, last and in the middle.
 */
static enum extent
edits_away(struct scan_model *m, const struct header_op *o, const char *member)
{
	static const char *const company[][2] = { { "", "" },
		{ "X-Other, ", "" }, { "", ", X-Other" },
		{ "X-Other, ", ", X-Another" } };
	const size_t n = sizeof company / sizeof *company;
	char *replacement = hconf_span_dup(o->replacement, m->pool);
	size_t i, gone = 0;
	regmatch_t at[1];
	regex_t re;

	if (regcomp(&re, hconf_span_dup(o->value, m->pool), REG_EXTENDED) != 0)
		return (SOME); /* of PCRE alone: who knows */
	for (i = 0; i < n; i++) {
		const char *value = apr_pstrcat(
		    m->pool, company[i][0], member, company[i][1], NULL);

		if (regexec(&re, value, 1, at, 0) != 0)
			continue;
		value = apr_psprintf(m->pool, "%.*s%s%s", (int)at[0].rm_so,
		    value, replacement, value + at[0].rm_eo);
		if (!still_there(value, member))
			gone++;
	}
	regfree(&re);
	return (gone == 0 ? NO : gone == n ? ALL : SOME);
}

static enum extent
takes_away(struct scan_model *m, const struct header_op *o, const char *member)
{
	switch (o->op) {
	case OP_UNSET:
	case OP_SET: return (o->conditional ? SOME : ALL);
	case OP_EDIT:
		return (o->conditional && edits_away(m, o, member) == ALL
			    ? SOME
			    : edits_away(m, o, member));
	case OP_ADD:
	case OP_SETIFEMPTY:
	case OP_ECHO: break;
	}
	return (NO);
}

static unsigned
scope_depth(const struct scan_scope *s)
{
	unsigned d = 0;

	for (; s != NULL; s = s->parent)
		d++;
	return (d);
}

/* Does the Header directive run after this source has done its work? */
static bool
comes_after(const struct header_op *o, const struct scan_model_source *x)
{
	unsigned a, b;

	if (o->early)
		return (false);
	if (!x->late)
		return (true);
	if (o->order == x->order)
		return (false);
	a = scope_depth(o->scope);
	b = scope_depth(x->scope);
	return (a != b ? a > b : o->order > x->order);
}

static void
weaken(struct scan_model_source *x)
{
	x->pub.when = SCAN_POSSIBLE;
}

static struct scan_model_source *
source_at(const struct scan_model *m, const struct scan_scope *s, int i)
{
	return (&APR_ARRAY_IDX(m->sources, APR_ARRAY_IDX(s->sources, i, int),
	    struct scan_model_source));
}

static enum extent
touches(struct scan_model *m, const struct header_op *o,
    const struct scan_model_source *x)
{
	if (o->always != x->error_table || !comes_after(o, x))
		return (NO);
	return (takes_away(m, o, x->pub.member));
}

/* Is the same member added by another source, for the same requests? */
static bool
repeated(const struct scan_model *m, const struct scan_model_source *x)
{
	const struct scan_scope *p;
	int k;

	for (p = x->scope; p != NULL; p = p->parent)
		for (k = 0; k < p->sources->nelts; k++) {
			const struct scan_model_source *y = source_at(m, p, k);

			if (y != x && y->error_table == x->error_table &&
			    strcasecmp(y->pub.member, x->pub.member) == 0)
				return (true);
		}
	return (false);
}

static void
settle(struct scan_model *m, struct scan_model_source *x)
{
	const struct scan_scope *p;
	int i;

	for (p = x->scope; p != NULL; p = p->parent) {
		if (p->node->id == HCONF_LIMIT ||
		    p->node->id == HCONF_LIMITEXCEPT ||
		    (p->is_if && x->node != p->node))
			weaken(x);
		if (p->no_vary == ALL)
			x->versions = 0;
		else if (p->no_vary == SOME)
			weaken(x);
		/* A proxied answer brings a header table of its own. */
		if (x->late || x->error_table || x->pub.by == SCAN_BY_FILTER)
			continue;
		if (p->proxied == ALL)
			x->versions = 0;
		else if (p->proxied == SOME)
			weaken(x);
	}
	for (p = x->scope; p != NULL; p = p->parent)
		for (i = 0; i < p->ops->nelts; i++) {
			const struct header_op *o =
			    &APR_ARRAY_IDX(p->ops, i, struct header_op);

			switch (touches(m, o, x)) {
			case NO: break;
			case SOME: weaken(x); break;
			case ALL:
				/* What merges twice is in the value twice. */
				if (o->op == OP_EDIT && o->once &&
				    repeated(m, x))
					weaken(x);
				else
					x->versions &= ~o->node->versions;
				break;
			}
		}
}

/* A Header directive in a section takes members away there only. */
static void
settle_outer(struct scan_model *m, const struct scan_scope *s)
{
	const struct scan_scope *p;
	int i, k;

	for (i = 0; i < s->ops->nelts; i++) {
		const struct header_op *o =
		    &APR_ARRAY_IDX(s->ops, i, struct header_op);

		for (p = s->parent; p != NULL; p = p->parent)
			for (k = 0; k < p->sources->nelts; k++) {
				struct scan_model_source *x =
				    source_at(m, p, k);

				if (touches(m, o, x) != NO)
					weaken(x);
			}
	}
}

/* Another member in the same table, in the scope or in one around it. */
static bool
accompanied(const struct scan_model *m, const struct scan_model_source *x)
{
	const struct scan_scope *p;
	int k;

	for (p = x->scope; p != NULL; p = p->parent)
		for (k = 0; k < p->sources->nelts; k++) {
			const struct scan_model_source *y = source_at(m, p, k);

			if (y != x && y->versions != 0 &&
			    y->error_table == x->error_table)
				return (true);
		}
	return (false);
}

static void
settle_if_empty(struct scan_model *m)
{
	int i;

	for (i = 0; i < m->sources->nelts; i++) {
		struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		if (!x->if_empty)
			continue;
		x->versions &= since(m, HCONF_VERSION(2, 4, 7));
		if (accompanied(m, x))
			weaken(x);
	}
}

/* Compression that says nothing in Vary: Header unset Vary comes last. */
static void
unset_lacks(struct scan_model *m)
{
	const struct scan_scope *p;
	int i, k;

	for (i = 0; i < m->sources->nelts; i++) {
		const struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		if (x->pub.by != SCAN_BY_FILTER)
			continue;
		for (p = x->scope; p != NULL; p = p->parent)
			for (k = 0; k < p->ops->nelts; k++) {
				const struct header_op *o =
				    &APR_ARRAY_IDX(p->ops, k, struct header_op);
				unsigned v =
				    o->node->versions & x->node->versions;

				if (touches(m, o, x) != ALL ||
				    scan_model_declares(m, x->scope,
					"Accept-Encoding", v, false))
					continue;
				lack(m, SCAN_LACK_UNSET, o->node, o->scope,
				    "Accept-Encoding", 0, v, NULL);
			}
	}
}

static void
env_lacks(struct scan_model *m)
{
	apr_hash_t *by_name = apr_hash_make(m->pool);
	int i;

	/* The last one of a name: which request header it was is enough. */
	for (i = 0; i < m->envs->nelts; i++) {
		const struct env *e = &APR_ARRAY_IDX(m->envs, i, struct env);

		apr_hash_set(by_name, e->name, APR_HASH_KEY_STRING, e);
	}
	for (i = 0; i < m->env_uses->nelts; i++) {
		const struct env_use *u =
		    &APR_ARRAY_IDX(m->env_uses, i, struct env_use);
		const struct env *e =
		    apr_hash_get(by_name, u->name.b, (apr_ssize_t)u->name.len);

		if (e != NULL &&
		    (within(u->scope, e->scope) || within(e->scope, u->scope)))
			lack(m, SCAN_LACK_ENV, u->node, u->scope, e->header, 0,
			    u->node->versions, u->header);
	}
}

static bool
is_prefix(const char *dir, const char *path)
{
	size_t n = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return (*path == '/');
	return (
	    strncmp(dir, path, n) == 0 && (path[n] == '\0' || path[n] == '/'));
}

static bool
covers(struct scan_model *m, const char *dir, const char *path)
{
	char *p;

	if (!apr_fnmatch_test(dir))
		return (is_prefix(dir, path));
	p = apr_pstrdup(m->pool, path);
	while (*p != '\0') {
		char *slash;

		if (apr_fnmatch(dir, p, APR_FNM_PATHNAME) == APR_SUCCESS)
			return (true);
		slash = strrchr(p, '/');
		if (slash == NULL)
			break;
		*slash = '\0';
	}
	return (false);
}

/* The innermost <Directory> around a path that is not "but" itself. */
static struct scan_scope *
directory(struct scan_model *m, const char *path, const struct scan_scope *but)
{
	struct scan_scope *best = NULL;
	int i;

	for (i = 0; i < m->dirs->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);

		if (s == but || !covers(m, s->path, path))
			continue;
		if (but != NULL &&
		    (strcmp(s->path, but->path) == 0 ||
			/* Another host's sections are not ours. */
			(s->parent != but->parent && s->parent != m->server)))
			continue;
		if (best == NULL || strlen(s->path) >= strlen(best->path))
			best = s;
	}
	return (best);
}

struct scan_scope *
scan_model_directory(struct scan_model *m, const char *path)
{
	struct scan_scope *s = directory(m, path, NULL);

	return (s != NULL ? s : m->server);
}

unsigned
scan_model_allow(struct scan_model *m, const char *path)
{
	unsigned allow = 0; /* AllowOverride None, since 2.3.9 */
	size_t best = 0;
	int i;

	for (i = 0; i < m->dirs->nelts; i++) {
		const struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);

		if (!s->allow_set || !covers(m, s->path, path) ||
		    strlen(s->path) < best)
			continue;
		best = strlen(s->path);
		allow = s->allow;
	}
	return (allow);
}

const char *
scan_model_access_file(const struct scan_model *m)
{
	return (m->access_file);
}

const apr_array_header_t *
scan_model_roots(const struct scan_model *m)
{
	return (m->roots);
}

void
scan_model_create(struct scan_model **ret, const int *versions,
    unsigned nversions, apr_pool_t *result_pool)
{
	struct scan_model *m = apr_pcalloc(result_pool, sizeof *m);

	assert(nversions > 0 && nversions <= HCONF_VERSIONS_MAX);
	m->pool = result_pool;
	m->versions = versions;
	m->nversions = nversions;
	m->access_file = ".htaccess";
	m->scopes =
	    apr_array_make(result_pool, 16, sizeof(struct scan_scope *));
	m->sources =
	    apr_array_make(result_pool, 16, sizeof(struct scan_model_source));
	m->lacks = apr_array_make(result_pool, 4, sizeof(struct scan_lack));
	m->lints = apr_array_make(result_pool, 4, sizeof(struct scan_lint));
	m->dirs = apr_array_make(result_pool, 4, sizeof(struct scan_scope *));
	m->envs = apr_array_make(result_pool, 4, sizeof(struct env));
	m->env_uses = apr_array_make(result_pool, 4, sizeof(struct env_use));
	m->roots = apr_array_make(result_pool, 4, sizeof(const char *));
	*ret = m;
}

struct scan_scope *
scan_model_add(struct scan_model *m, const struct hconf_node *root,
    struct scan_scope *parent)
{
	struct scan_scope *s = scope_new(m, root, parent);

	if (!root->htaccess && m->server == NULL)
		m->server = s;
	walk(m, root->child, s);
	return (s);
}

void
scan_model_finish(struct scan_model *m)
{
	int i;

	for (i = 0; i < m->dirs->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);
		struct scan_scope *p = directory(m, s->path, s);

		/* Strictly shorter, so no circle can come of it. */
		if (p != NULL && strlen(p->path) < strlen(s->path))
			s->parent = p;
	}
	for (i = m->scopes->nelts - 1; i >= 0; i--) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);

		if (s->parent != NULL) {
			s->sibling = s->parent->child;
			s->parent->child = s;
		}
	}
	for (i = 0; i < m->scopes->nelts; i++)
		rules(m, APR_ARRAY_IDX(m->scopes, i, struct scan_scope *));
	for (i = 0; i < m->sources->nelts; i++)
		settle(
		    m, &APR_ARRAY_IDX(m->sources, i, struct scan_model_source));
	for (i = 0; i < m->scopes->nelts; i++)
		settle_outer(
		    m, APR_ARRAY_IDX(m->scopes, i, struct scan_scope *));
	settle_if_empty(m);
	unset_lacks(m);
	env_lacks(m);
	for (i = 0; i < m->sources->nelts; i++) {
		struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		x->pub.eras = scan_model_eras(m, x->versions);
	}
}

const apr_array_header_t *
scan_model_sources(const struct scan_model *m)
{
	return (m->sources);
}

const apr_array_header_t *
scan_model_lacks(const struct scan_model *m)
{
	return (m->lacks);
}

const apr_array_header_t *
scan_model_lints(const struct scan_model *m)
{
	return (m->lints);
}

static bool
declares(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	int i;

	for (i = 0; i < s->sources->nelts; i++) {
		const struct scan_model_source *x = source_at(m, s, i);

		/*
		 * A condition of its own does not matter here: who writes
		 * "Header append Vary X env=..." has thought of it.
		 */
		if (x->pub.by == SCAN_BY_HEADER &&
		    (x->versions & versions) == versions &&
		    (x->pub.any_status || !any_status) &&
		    strcasecmp(x->pub.member, member) == 0)
			return (true);
	}
	return (false);
}

static bool
declares_inside(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	const struct scan_scope *c;

	for (c = s->child; c != NULL; c = c->sibling)
		/* A directory further down is another matter. */
		if (c->node->name.b != NULL && c->path == NULL &&
		    (declares(m, c, member, versions, any_status) ||
			declares_inside(m, c, member, versions, any_status)))
			return (true);
	return (false);
}

bool
scan_model_declares(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	const struct scan_scope *p;

	for (p = s; p != NULL; p = p->parent)
		if (declares(m, p, member, versions, any_status))
			return (true);
	return (declares_inside(m, s, member, versions, any_status));
}
