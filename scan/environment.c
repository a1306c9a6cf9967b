/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_hash.h>

#include "vary/field.h"

/* SetEnvIf attribute: a request header, or something httpd knows itself? */
static bool
is_header(struct hconf_span a)
{
	static const char *const own[] = { "Remote_Host", "Remote_Addr",
		"Server_Addr", "Request_Method", "Request_Protocol",
		"Request_URI", NULL };
	size_t k;

	if (hconf_span_in(a, own))
		return (false);
	for (k = 0; k < a.len; k++)
		if (!vary_is_tchar(a.b[k]) || a.b[k] == '^' || a.b[k] == '|' ||
		    a.b[k] == '*' || a.b[k] == '+')
			return (false);
	return (a.len > 0);
}

void
scan_set_env(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct hconf_words w;
	struct hconf_span head;
	unsigned i;
	bool browser =
	    n->id == HCONF_BROWSERMATCH || n->id == HCONF_BROWSERMATCHNOCASE;

	hconf_words(n->args, &w, m->pool);
	if (n->id == HCONF_SETENV) {
		if (w.n > 0 && hconf_span_is(w.v[0], "force-no-vary")) {
			if (n->unless == NULL)
				s->no_vary = SCAN_ALL;
			else if (s->no_vary == SCAN_NONE)
				s->no_vary = SCAN_SOME;
			scan_lack_add(m, SCAN_LACK_FORCED, n, s, NULL, 0,
			    n->versions, NULL);
		}
		return;
	}
	if (n->id == HCONF_SETENVIFEXPR) {
		struct scan_ask u = { .node = n,
			.scope = s,
			.when = SCAN_ALWAYS,
			.versions = n->versions };

		if (w.n < 2)
			return;
		u.text = w.v[0];
		scan_ask_bool(m, &u);
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
			if (s->no_vary == SCAN_NONE)
				s->no_vary = SCAN_SOME;
			scan_lack_add(m, SCAN_LACK_FORCED, n, s, NULL, 0,
			    n->versions, NULL);
		}
		if (head.b != NULL && !hconf_span_is(head, "Host") &&
		    name.len > 0 && *name.b != '!') {
			struct scan_env *e = apr_array_push(m->envs);

			e->name = hconf_span_dup(name, m->pool);
			e->header = hconf_span_dup(head, m->pool);
			e->scope = s;
		}
	}
}

void
scan_env_lacks(struct scan_model *m)
{
	apr_hash_t *by_name = apr_hash_make(m->pool);
	int i;

	/* The last one of a name: which request header it was is enough. */
	for (i = 0; i < m->envs->nelts; i++) {
		const struct scan_env *e =
		    &APR_ARRAY_IDX(m->envs, i, struct scan_env);

		apr_hash_set(by_name, e->name, APR_HASH_KEY_STRING, e);
	}
	for (i = 0; i < m->env_uses->nelts; i++) {
		const struct scan_env_use *u =
		    &APR_ARRAY_IDX(m->env_uses, i, struct scan_env_use);
		const struct scan_env *e =
		    apr_hash_get(by_name, u->name.b, (apr_ssize_t)u->name.len);

		if (e != NULL && (scan_scope_within(u->scope, e->scope) ||
				     scan_scope_within(e->scope, u->scope)))
			scan_lack_add(m, SCAN_LACK_ENV, u->node, u->scope,
			    e->header, 0, u->node->versions, u->header);
	}
}
