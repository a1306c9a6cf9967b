/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <regex.h>
#include <string.h>

#include <apr_strings.h>

#include "vary/field.h"

static void
members(struct scan_model *m, const struct scan_header_op *o,
    struct hconf_span value, enum scan_when when)
{
	struct vary_field f;
	struct vary_span v;
	enum vary_status r;

	if (memchr(value.b != NULL ? value.b : "", '%', value.len) != NULL) {
		struct scan_model_source *s = scan_source_add(m, o->scope,
		    o->node, (struct hconf_span){ "(computed)", 10 },
		    SCAN_BY_HEADER, SCAN_POSSIBLE, scan_versions_all(m));

		s->late = true;
		s->error_table = o->always;
		s->pub.any_status = o->always;
		s->order = o->order;
		return;
	}
	vary_field_init(&f, value.b, value.len);
	while ((r = vary_field_next(&f, &v)) != VARY_END) {
		struct scan_model_source *s;

		if (r != VARY_OK)
			vary_field_skip(&f, &v);
		s = scan_source_add(m, o->scope, o->node,
		    (struct hconf_span){ v.b, v.len }, SCAN_BY_HEADER, when,
		    scan_versions_all(m));
		s->late = true;
		s->error_table = o->always;
		s->pub.any_status = o->always;
		s->if_empty = o->op == SCAN_OP_SETIFEMPTY;
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

void
scan_header(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	static const struct {
		const char *name;
		int op;
		unsigned words; /* with header and values, without condition */
		int since;
	} actions[] = {
		{ "add", SCAN_OP_ADD, 2, 0 },
		{ "append", SCAN_OP_ADD, 2, 0 },
		{ "merge", SCAN_OP_ADD, 2, 0 },
		{ "set", SCAN_OP_SET, 2, 0 },
		{ "setifempty", SCAN_OP_SETIFEMPTY, 2, HCONF_VERSION(2, 4, 7) },
		{ "unset", SCAN_OP_UNSET, 1, 0 },
		{ "edit", SCAN_OP_EDIT, 3, 0 },
		{ "edit*", SCAN_OP_EDIT, 3, 0 },
		{ "echo", SCAN_OP_ECHO, 1, 0 },
		{ "note", -1, 2, HCONF_VERSION(2, 4, 7) },
	};
	struct hconf_words w;
	struct hconf_span name, cond = { NULL, 0 }, var;
	struct scan_header_op o = { .node = n,
		.scope = s,
		.conditional = n->unless != NULL,
		.order = m->order++ };
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
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    "Header takes an action and a header", NULL);
		return;
	}
	for (k = 0; k < sizeof actions / sizeof *actions; k++)
		if (hconf_span_is(w.v[i], actions[k].name))
			break;
	if (k == sizeof actions / sizeof *actions) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header: there is no action \"%.*s\"",
			(int)w.v[i].len, w.v[i].b),
		    NULL);
		return;
	}
	if ((n->versions & ~scan_since(m, actions[k].since)) != 0)
		scan_lint_add(m, SCAN_LINT_ERROR, n,
		    n->versions & ~scan_since(m, actions[k].since),
		    apr_psprintf(m->pool, "Header %s needs Apache 2.4.7",
			actions[k].name),
		    NULL);
	if (w.n < i + 1 + actions[k].words) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header %s: an argument is missing",
			actions[k].name),
		    NULL);
		return;
	}
	at = i + 1 + actions[k].words;
	if (w.n > at + 1) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
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
			struct scan_ask u = { .node = n,
				.scope = s,
				.text = { cond.b + 5, cond.len - 5 },
				.when = SCAN_ALWAYS,
				.versions = n->versions,
				.late = !request };

			o.conditional = true;
			scan_ask_bool(m, &u);
		} else if (env_condition(cond, &var)) {
			o.conditional = true;
		} else {
			scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
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
	o.op = (enum scan_header_action)actions[k].op;
	o.once = strcmp(actions[k].name, "edit") == 0;
	if (actions[k].words > 1)
		o.value = w.v[i + 2];
	if (actions[k].words > 2)
		o.replacement = w.v[i + 3];
	is_vary = hconf_span_is(name, "Vary");
	if (o.op == SCAN_OP_ECHO) {
		/* A regular expression for names of request headers. */
		regex_t re;
		char *pattern = hconf_span_dup(w.v[i + 1], m->pool);

		if (regcomp(&re, pattern,
			REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0) {
			is_vary = regexec(&re, "Vary", 0, NULL, 0) == 0;
			regfree(&re);
		}
		if (is_vary) {
			struct scan_model_source *x = scan_source_add(m, s, n,
			    (struct hconf_span){ "(request's Vary)", 16 },
			    SCAN_BY_HEADER, SCAN_POSSIBLE, n->versions);

			x->late = true;
			x->error_table = x->pub.any_status = o.always;
			x->order = o.order;
		}
		return;
	}
	if (!is_vary) {
		struct scan_env_use *u;

		if (o.op == SCAN_OP_UNSET)
			return;
		if (hconf_span_starts(o.value, "expr="))
			scan_ask_string(m, n, s,
			    (struct hconf_span){
				o.value.b + 5, o.value.len - 5 },
			    n->versions, hconf_span_dup(name, m->pool), 0);
		if (cond.b != NULL && env_condition(cond, &var)) {
			u = apr_array_push(m->env_uses);
			*u = (struct scan_env_use){ n, s, var,
				hconf_span_dup(name, m->pool) };
		} else if (o.value.len > 4 &&
			   hconf_span_starts(o.value, "%{") &&
			   hconf_span_is(
			       (struct hconf_span){
				   o.value.b + o.value.len - 2, 2 },
			       "}e")) {
			u = apr_array_push(m->env_uses);
			*u = (struct scan_env_use){ n, s,
				{ o.value.b + 2, o.value.len - 4 },
				hconf_span_dup(name, m->pool) };
		}
		return;
	}
	/* That is for the server and its hosts: here it comes too late. */
	if (o.early && s->perdir)
		return;
	APR_ARRAY_PUSH(s->ops, struct scan_header_op) = o;
	if (o.op == SCAN_OP_ADD || o.op == SCAN_OP_SET ||
	    o.op == SCAN_OP_SETIFEMPTY)
		members(m, &o, o.value,
		    o.conditional ? SCAN_POSSIBLE : SCAN_ALWAYS);
	/* A name in place of another; "$1" and the like bring nothing new. */
	if (o.op == SCAN_OP_EDIT &&
	    memchr(o.replacement.b, '$', o.replacement.len) == NULL &&
	    memchr(o.replacement.b, '\\', o.replacement.len) == NULL)
		members(m, &o, o.replacement, SCAN_POSSIBLE);
}
