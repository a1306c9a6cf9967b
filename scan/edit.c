/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judging.h"

#include <stdint.h>

#include <apr_strings.h>

/*
 * Replace the bytes of a span by others.  A span that is not in its file, but
 * was put together from a continued or expanded line, cannot be.
 */
static bool
edit(struct scan_judging *j, const struct hconf_node *n, const char *b,
    size_t len, const char *text)
{
	int i;

	if (n->joined || n->expanded)
		return (false);
	for (i = 0; i < j->texts->nelts; i++) {
		const struct hconf_text *t =
		    &APR_ARRAY_IDX(j->texts, i, struct hconf_text);
		uintptr_t at = (uintptr_t)b, from = (uintptr_t)t->b;

		if (at < from || at + len > from + t->len)
			continue;
		APR_ARRAY_PUSH(j->v->edits, struct scan_edit) =
		    (struct scan_edit){ t->file, at - from, len, text };
		return (true);
	}
	return (false);
}

/* [NC] becomes [NC,NV]; a condition without flags gets [NV]. */
bool
scan_edit_novary(struct scan_judging *j, const struct scan_cond *c)
{
	const struct hconf_node *n = c->node;
	const char *e;

	if (c->flags.b == NULL)
		return (edit(j, n, n->args.b + n->args.len, 0, " [NV]"));
	e = c->flags.b + c->flags.len - 1;
	return (edit(j, n, e, 0, c->flags.len > 2 ? ",NV" : "NV"));
}

/* %{HTTP_X}, req('X'): asked for all the same, and not in Vary. */
bool
scan_edit_reference(struct scan_judging *j, const struct scan_model_source *s)
{
	struct hconf_span w = s->where;
	struct hconf_span name = { w.b, 0 };

	if (w.b == NULL)
		return (false);
	if (w.len > 2 && w.b[0] == '%' && w.b[1] == '{')
		return (edit(j, s->node, w.b, w.len,
		    apr_psprintf(j->pool, "%%{req_novary:%s}", s->pub.member)));
	while (name.len < w.len && name.b[name.len] != '(' &&
	       !hconf_is_space(name.b[name.len]))
		name.len++;
	return (edit(j, s->node, name.b, name.len, "req_novary"));
}

/* A line that holds nothing but "Header append Vary Host" can go. */
bool
scan_edit_drop(struct scan_judging *j, const struct scan_model_source *s)
{
	const struct hconf_node *n = s->node;
	const char *b = n->name.b, *e = n->args.b + n->args.len;
	struct hconf_span rest = n->args, w, last = { NULL, 0 };
	int i;

	while (hconf_word(&rest, &w, j->pool))
		if (last.b == NULL || !hconf_span_starts(w, "env="))
			last = w;
	if (!hconf_span_is(last, s->pub.member))
		return (false);
	for (i = 0; i < j->texts->nelts; i++) {
		const struct hconf_text *t =
		    &APR_ARRAY_IDX(j->texts, i, struct hconf_text);
		const char *end = t->b + t->len;

		if ((uintptr_t)b < (uintptr_t)t->b ||
		    (uintptr_t)e > (uintptr_t)end)
			continue;
		while (b > t->b && b[-1] != '\n')
			b--;
		while (e < end && *e != '\n')
			e++;
		if (e < end)
			e++;
		return (edit(j, n, b, (size_t)(e - b), ""));
	}
	return (false);
}
