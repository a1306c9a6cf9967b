/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_strings.h>

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
		scan_lint_add(m, SCAN_LINT_DEAD, n, n->versions,
		    apr_psprintf(m->pool,
			"%%{%.*s} is always empty: mod_rewrite has no such "
			"variable",
			(int)v.len, v.b),
		    apr_psprintf(m->pool, "write %%{HTTP:%s}", name));
	}
}

void
scan_rewrite(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct scan_cond c;
	struct scan_rule *r;
	const char *error;
	struct hconf_words w;

	if (n->unless == NULL)
		s->has_rewrite = true;
	switch (n->id) {
	case HCONF_REWRITEENGINE:
		hconf_words(n->args, &w, m->pool);
		/* A flag: httpd reads no further than its first word. */
		if (w.n > 0 && hconf_span_is(w.v[0], "on"))
			s->engine = 1;
		else if (w.n > 0 && hconf_span_is(w.v[0], "off"))
			s->engine = n->unless != NULL ? s->engine : 0;
		else
			scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
			    "RewriteEngine is On or Off", NULL);
		break;
	case HCONF_REWRITEOPTIONS: rewrite_options(m, n, s); break;
	case HCONF_REWRITECOND:
		if (!scan_cond_read(n, &c, &error, m->pool)) {
			scan_lint_add(
			    m, SCAN_LINT_ERROR, n, n->versions, error, NULL);
			break;
		}
		dead_conditions(m, n, &c);
		if (s->conds == NULL)
			s->conds = apr_array_make(m->pool, 1, sizeof c);
		APR_ARRAY_PUSH(s->conds, struct scan_cond) = c;
		break;
	case HCONF_REWRITERULE:
		r = apr_palloc(m->pool, sizeof *r);
		if (!scan_rule_read(n, r, &error, m->pool)) {
			scan_lint_add(
			    m, SCAN_LINT_ERROR, n, n->versions, error, NULL);
			break;
		}
		if (s->conds != NULL)
			r->conds = s->conds;
		s->conds = NULL;
		APR_ARRAY_PUSH(s->rules, struct scan_rule *) = r;
		break;
	default: break;
	}
}

/*
 * RewriteEngine of a server or host is also what its directories begin with
 * ("set both global scope and base directory scope").
 */
static bool
engine_on(const struct scan_scope *s, bool *ret_sure)
{
	const struct scan_scope *p;
	int i;

	*ret_sure = true;
	for (p = s; p != NULL; p = p->parent) {
		if (p->engine == 2)
			break;
		if (p->engine >= 0)
			return (p->engine == 1);
	}
	*ret_sure = false;
	if (p != NULL)
		return (true);
	/* Read alone: a directory above may have turned it on. */
	if (s->node->htaccess && s->m->server == NULL)
		return (true);
	for (i = 0; s->perdir && i < s->m->scopes->nelts; i++) {
		p = APR_ARRAY_IDX(s->m->scopes, i, struct scan_scope *);
		if (p->vhost && p->engine == 1)
			return (true);
	}
	return (false);
}

/* Rules of a <Directory> whose own .htaccess has others are never run. */
static bool
replaced(const struct scan_scope *s)
{
	int i;

	if (s->path == NULL || s->inherit_down)
		return (false);
	for (i = 0; i < s->m->scopes->nelts; i++) {
		const struct scan_scope *c =
		    APR_ARRAY_IDX(s->m->scopes, i, struct scan_scope *);
		const char *file = c->node->file, *slash;

		if (!c->node->htaccess || c->node->name.b != NULL ||
		    !c->has_rewrite || c->inherits)
			continue;
		slash = strrchr(file, '/');
		if (slash != NULL &&
		    strncmp(file, s->path, (size_t)(slash - file)) == 0 &&
		    s->path[slash - file] == '\0')
			return (true);
	}
	return (false);
}

/* E=force-no-vary, set by a rule. */
static void
rule_environment(
    struct scan_model *m, struct scan_scope *s, const struct scan_rule *r)
{
	static const char *const spellings[] = { "E=force-no-vary",
		"env=force-no-vary" };
	char *flags =
	    r->flags.b == NULL ? NULL : hconf_span_dup(r->flags, m->pool);
	size_t i;

	for (i = 0; flags != NULL && i < 2; i++) {
		const char *p = strcasestr(flags, spellings[i]);

		if (p == NULL)
			continue;
		if (r->any_path && r->conds->nelts == 0 &&
		    r->node->unless == NULL)
			s->no_vary = SCAN_ALL;
		else if (s->no_vary == SCAN_NONE)
			s->no_vary = SCAN_SOME;
		scan_lack_add(m, SCAN_LACK_FORCED, r->node, s, NULL, 0,
		    r->node->versions, NULL);
		return;
	}
}

/* Which versions keep what a matching rule added. */
static unsigned
kept(const struct scan_model *m, const struct scan_scope *s,
    const struct scan_rule *r)
{
	if (m->maker == SCAN_SERVER_LITESPEED)
		return (0);
	switch (r->target) {
	case SCAN_TARGET_DASH:
	case SCAN_TARGET_FCGI: return (scan_versions_all(m));
	case SCAN_TARGET_INTERNAL:
		/* aeaabea3c2: "redirect-keeps-vary" */
		if (!s->perdir)
			return (scan_versions_all(m));
		return (scan_since(m, HCONF_VERSION(2, 4, 30)));
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
		struct scan_ask u = { .node = c->node,
			.scope = s,
			.text = c->pattern,
			/* Asked where the pattern matched and those before. */
			.when = r->any_path && at == 0 &&
					strongest <= SCAN_HEADER_SENT
				    ? SCAN_ALWAYS
				    : SCAN_RULE_MATCHES,
			.versions = versions,
			.novary = c->novary,
			.rule = r,
			.cond = c };

		/*
		 * Added where it is evaluated, matching or not; what follows a
		 * match takes it away again.
		 */
		if (keep == 0 || (keep != versions && u.when == SCAN_ALWAYS))
			u.when = SCAN_RULE_MATCHES;
		scan_ask_bool(m, &u);
		return;
	}
	/*
	 * Measured: on 2.4.6, and no longer on 2.4.25, a rule for the bare
	 * directory is run by the subrequest that looks for its index, whose
	 * Vary stays.
	 */
	if (s->perdir && r->target == SCAN_TARGET_INTERNAL &&
	    hconf_span_is(r->pattern, "^$"))
		index =
		    m->maker == SCAN_SERVER_LITESPEED
			? 0
			: versions & ~scan_since(m, HCONF_VERSION(2, 4, 25));
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
			struct scan_model_source *x = scan_source_add(m, s,
			    c->node, h->name, SCAN_BY_REWRITE, when, keep);

			x->rule = r;
			x->cond = c;
			x->where = h->where;
			x->pub.rule = r->node->first;
		}
		if (!c->novary && (index & ~keep) != 0) {
			struct scan_model_source *x =
			    scan_source_add(m, s, c->node, h->name,
				SCAN_BY_REWRITE, SCAN_POSSIBLE, index & ~keep);

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
			scan_lack_add(m, SCAN_LACK_REDIRECT, c->node, s, name,
			    r->status, lost, NULL);
		else if (r->target == SCAN_TARGET_REFUSE)
			scan_lack_add(m, SCAN_LACK_REFUSE, c->node, s, name,
			    r->status, lost, NULL);
		else if (r->target == SCAN_TARGET_INTERNAL)
			scan_lack_add(m, SCAN_LACK_PERDIR, c->node, s, name, 0,
			    lost, NULL);
	}
}

void
scan_rules(struct scan_model *m, struct scan_scope *s)
{
	enum scan_when strongest = SCAN_ALWAYS;
	bool sure, over = false;
	int i, k;

	if (s->conds != NULL) {
		const struct scan_cond *c =
		    &APR_ARRAY_IDX(s->conds, 0, struct scan_cond);

		scan_lint_add(m, SCAN_LINT_DANGLING, c->node, c->node->versions,
		    "no RewriteRule follows: the condition does nothing", NULL);
	}
	if (s->rules->nelts == 0 || !engine_on(s, &sure) || replaced(s))
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
		const struct scan_rule *r =
		    APR_ARRAY_IDX(s->rules, i, struct scan_rule *);

		for (k = 0; k < r->conds->nelts; k++)
			cond_sources(m, s, r, k, strongest);
		rule_environment(m, s, r);
		for (k = 0; k < r->refs->nelts; k++) {
			const struct scan_header_ref *h =
			    &APR_ARRAY_IDX(r->refs, k, struct scan_header_ref);

			if (hconf_span_is(h->name, "Host") ||
			    r->target == SCAN_TARGET_PROXY ||
			    r->target == SCAN_TARGET_FCGI)
				continue;
			scan_lack_add(m, SCAN_LACK_SUBST, r->node, s,
			    hconf_span_dup(h->name, m->pool), r->status,
			    r->node->versions, NULL);
		}
		/* Nothing comes after a rule that always matches and ends. */
		if (r->any_path && r->conds->nelts == 0 && r->ends &&
		    r->node->unless == NULL && !r->unsteady &&
		    r->node->versions == scan_versions_all(m) &&
		    r->target != SCAN_TARGET_INTERNAL)
			over = true;
		if ((r->ends || r->unsteady ||
			r->target == SCAN_TARGET_INTERNAL ||
			r->target == SCAN_TARGET_REDIRECT) &&
		    strongest < SCAN_RULE_MATCHES)
			strongest = SCAN_RULE_MATCHES;
	}
}
