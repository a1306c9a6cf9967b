/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <apr_fnmatch.h>
#include <apr_strings.h>

static void
walk(struct scan_model *, const struct hconf_node *, struct scan_scope *);

static void
document_root(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;

	hconf_words(n->args, &w, m->pool);
	if (w.n != 1 || w.v[0].len == 0 || *w.v[0].b != '/')
		return;
	s->root = scan_without_slash(w.v[0], m->pool);
	APR_ARRAY_PUSH(m->roots, const char *) = s->root;
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
	s->allow.classes = 0;
	for (i = 0; i < w.n; i++) {
		struct hconf_span a = w.v[i];
		const char *eq = memchr(a.b, '=', a.len);

		s->allow.nonfatal = s->allow.nonfatal ||
				    hconf_span_is(a, "Nonfatal=Override") ||
				    hconf_span_is(a, "Nonfatal=All");
		if (eq != NULL) /* Options=... */
			a.len = (size_t)(eq - a.b);
		for (k = 0; k < sizeof classes / sizeof *classes; k++)
			if (hconf_span_is(a, classes[k].name))
				s->allow.classes |= classes[k].allow;
	}
}

/* A place to look for .htaccess files, if it is one. */
static void
may_hold_htaccess(struct scan_model *m, const struct scan_scope *s)
{
	if (s->path != NULL && *s->path == '/' && s->path[1] != '\0' &&
	    !apr_fnmatch_test(s->path))
		APR_ARRAY_PUSH(m->roots, const char *) = s->path;
}

static void
directive(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct scan_redirect moved;
	struct hconf_words w;
	struct scan_ask u = { .node = n,
		.scope = s,
		.when = SCAN_ALWAYS,
		.versions = n->versions };
	unsigned i;

	switch (n->id) {
	case HCONF_REWRITEENGINE:
	case HCONF_REWRITEOPTIONS:
	case HCONF_REWRITECOND:
	case HCONF_REWRITERULE:
	case HCONF_REWRITEBASE: scan_rewrite(m, n, s); break;
	case HCONF_HEADER:
	case HCONF_REQUESTHEADER: scan_header(m, n, s); break;
	case HCONF_SETENV:
	case HCONF_SETENVIF:
	case HCONF_SETENVIFNOCASE:
	case HCONF_SETENVIFEXPR:
	case HCONF_BROWSERMATCH:
	case HCONF_BROWSERMATCHNOCASE: scan_set_env(m, n, s); break;
	case HCONF_SETOUTPUTFILTER:
	case HCONF_ADDOUTPUTFILTER:
	case HCONF_ADDOUTPUTFILTERBYTYPE:
		hconf_words(n->args, &w, m->pool);
		if (w.n > 0)
			scan_filters(m, n, s, w.v[0]);
		break;
	case HCONF_FILTERPROVIDER:
		hconf_words(n->args, &w, m->pool);
		if (w.n != 3)
			break;
		u.text = w.v[2];
		scan_ask_bool(m, &u);
		scan_filters(m, n, s, w.v[1]);
		break;
	case HCONF_OPTIONS: scan_options(m, n, s); break;
	case HCONF_ADDHANDLER:
	case HCONF_SETHANDLER: scan_handler(m, n, s); break;
	case HCONF_PROXYPASS:
	case HCONF_PROXYPASSMATCH: scan_proxy_pass(m, n, s); break;
	case HCONF_PROXYFCGISETENVIF:
		hconf_words(n->args, &w, m->pool);
		if (w.n < 2)
			break;
		u.text = w.v[0];
		u.when = SCAN_POSSIBLE; /* where FastCGI answers */
		scan_ask_bool(m, &u);
		break;
	case HCONF_SSLREQUIRE:
		u.text = n->args;
		scan_ask_bool(m, &u);
		break;
	case HCONF_AUTHNAME:
		hconf_words(n->args, &w, m->pool);
		if (w.n == 0)
			break;
		u.text = w.v[0];
		scan_ask_string(m, &u, "WWW-Authenticate", 401);
		break;
	case HCONF_ERRORDOCUMENT:
		hconf_words(n->args, &w, m->pool);
		if (w.n < 2)
			break;
		u.text = w.v[1];
		scan_ask_string(m, &u, "an error page",
		    (int)strtol(hconf_span_dup(w.v[0], m->pool), NULL, 10));
		break;
	case HCONF_REDIRECT:
	case HCONF_REDIRECTMATCH:
	case HCONF_REDIRECTPERMANENT:
	case HCONF_REDIRECTTEMP:
		if (scan_redirect_read(n, &moved, m->pool) != NULL ||
		    moved.expr.b == NULL)
			break;
		u.text = moved.expr;
		scan_ask_string(m, &u, "Location", moved.status);
		break;
	case HCONF_DAV:
		hconf_words(n->args, &w, m->pool);
		if (w.n == 1 && hconf_span_is(w.v[0], "svn"))
			(void)scan_source_add(m, s, n,
			    (struct hconf_span){ "Label", 5 }, SCAN_BY_DAV,
			    SCAN_POSSIBLE, n->versions);
		break;
	case HCONF_DOCUMENTROOT: document_root(m, n, s); break;
	case HCONF_ACCESSFILENAME:
		hconf_words(n->args, &w, m->pool);
		for (i = 0; i < w.n && i < 1; i++)
			m->access_file = hconf_span_dup(w.v[i], m->pool);
		break;
	case HCONF_ALLOWOVERRIDE:
		allow_override(m, n, s);
		if (s->allow.classes != 0)
			may_hold_htaccess(m, s);
		break;
	case HCONF_ALLOWOVERRIDELIST:
		s->list_set = true;
		hconf_words(n->args, &s->allow.list, m->pool);
		if (s->allow.list.n == 1 &&
		    hconf_span_is(s->allow.list.v[0], "None"))
			s->allow.list.n = 0;
		if (s->allow.list.n > 0)
			may_hold_htaccess(m, s);
		break;
	default: break;
	}
}

static void
condition(struct scan_model *m, const struct hconf_node *n,
    struct scan_scope *s, struct scan_scope *inner)
{
	struct scan_ask u = { .node = n,
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
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "<%.*s> needs an expression",
			(int)n->name.len, n->name.b),
		    NULL);
		return;
	}
	if (rest.len > 0)
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
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
			u.versions &= scan_since(m, HCONF_VERSION(2, 4, 26));
		}
	u.text = word;
	if (rest.len == 0)
		scan_ask_bool(m, &u);
}

/* httpd refuses a branch that does not hang on anything. */
static void
follows(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	if (n->id != HCONF_IF && s->branch != HCONF_IF &&
	    s->branch != HCONF_ELSEIF && m->maker == SCAN_SERVER_APACHE)
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool,
			"<%.*s> without an <If> or <ElseIf> before it in the "
			"same section",
			(int)n->name.len, n->name.b),
		    NULL);
	s->branch = n->id;
}

static const char *
directory_path(struct scan_model *m, const struct hconf_node *n)
{
	struct hconf_words w;

	hconf_words(n->args, &w, m->pool);
	if (w.n != 1)
		return (NULL); /* "~ regex", or nonsense */
	return (scan_without_slash(w.v[0], m->pool));
}

static void
container(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct scan_scope *inner;

	switch (n->id) {
	case HCONF_VIRTUALHOST:
		inner = scan_scope_new(m, n, s);
		inner->vhost = true;
		m->has_vhosts = true;
		break;
	case HCONF_DIRECTORY:
		inner = scan_scope_new(m, n, s);
		inner->perdir = true;
		inner->path = directory_path(m, n);
		if (inner->path != NULL)
			APR_ARRAY_PUSH(m->dirs, struct scan_scope *) = inner;
		break;
	case HCONF_DIRECTORYMATCH:
	case HCONF_FILES:
	case HCONF_FILESMATCH:
		inner = scan_scope_new(m, n, s);
		inner->perdir = true;
		break;
	case HCONF_LOCATION:
	case HCONF_LOCATIONMATCH:
		inner = scan_scope_new(m, n, s);
		inner->perdir = true;
		inner->pathspec = true;
		break;
	case HCONF_IF:
	case HCONF_ELSEIF:
	case HCONF_ELSE:
		follows(m, n, s);
		inner = scan_scope_new(m, n, s);
		inner->perdir = true;
		condition(m, n, s, inner);
		inner->is_if = true;
		break;
	case HCONF_LIMIT:
	case HCONF_LIMITEXCEPT:
		/* What is in it holds for some methods only. */
		inner = scan_scope_new(m, n, s);
		break;
	case HCONF_PROXY:
	case HCONF_PROXYMATCH:
		inner = scan_scope_new(m, n, s);
		inner->perdir = true;
		break;
	case HCONF_REQUIREALL:
	case HCONF_REQUIREANY:
	case HCONF_REQUIRENONE: return; /* see scan_require() */
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
		if (scan_is_require(n)) {
			/* Side by side they are one question. */
			if (!required)
				scan_require(m, n, s);
			required = true;
			continue;
		}
		scan_patterns(m, n);
		scan_arguments(m, n);
		if (n->kind == HCONF_CONTAINER)
			container(m, n, s);
		else if (n->id != HCONF_OTHER)
			directive(m, n, s);
	}
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
	m->envs = apr_array_make(result_pool, 4, sizeof(struct scan_env));
	m->env_uses =
	    apr_array_make(result_pool, 4, sizeof(struct scan_env_use));
	m->roots = apr_array_make(result_pool, 4, sizeof(const char *));
	*ret = m;
}

void
scan_model_serve(struct scan_model *m, enum scan_server server)
{
	m->maker = server;
}

enum scan_server
scan_model_server(const struct scan_model *m)
{
	return (m->maker);
}

struct scan_scope *
scan_model_add(struct scan_model *m, const struct hconf_node *root,
    struct scan_scope *parent)
{
	struct scan_scope *s = scan_scope_new(m, root, parent);

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
		struct scan_scope *p;

		if (s->placed)
			continue;
		p = scan_scope_directory(m, s->path, s);

		/* Strictly shorter, so no circle can come of it. */
		if (p != NULL && strlen(p->path) < strlen(s->path))
			s->parent = p;
	}
	scan_hosts(m);
	for (i = m->scopes->nelts - 1; i >= 0; i--) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);

		if (s->parent != NULL) {
			s->sibling = s->parent->child;
			s->parent->child = s;
		}
	}
	for (i = 0; i < m->scopes->nelts; i++)
		scan_rules(m, APR_ARRAY_IDX(m->scopes, i, struct scan_scope *));
	scan_settle(m);
	scan_env_lacks(m);
	for (i = 0; i < m->sources->nelts; i++) {
		struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		x->pub.eras = scan_model_eras(m, x->versions);
	}
}
