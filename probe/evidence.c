/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/evidence.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/declared.h"

enum {
	EXCERPT = 120,
};

static const char *
excerpt(apr_pool_t *pool, const char *p, size_t len)
{
	char *out;
	size_t i;

	if (len > EXCERPT)
		len = EXCERPT;
	out = apr_pstrndup(pool, p, len);
	/* Never half a character, never a control. */
	while (len > 0 && ((unsigned char)p[len - 1] & 0xc0) == 0x80)
		len--;
	if (len > 0 && (unsigned char)p[len - 1] >= 0xc0)
		len--;
	if (len == 0)
		len = strlen(out);
	out[len] = '\0';
	for (i = 0; out[i] != '\0'; i++)
		if ((unsigned char)out[i] < 0x20 || out[i] == 0x7f)
			out[i] = ' ';
	return (out);
}

static bool
first(const struct probe_subject *s, const struct probe_features *f,
    const struct probe_kept *k, enum probe_effect e, struct probe_place *at)
{
	enum probe_feature_kind from, to, kind;

	from = e == PROBE_IN_STATUS ? PROBE_F_STATUS
	       : e == PROBE_IN_BODY ? PROBE_F_JSON
				    : PROBE_F_HEADER;
	to = e == PROBE_IN_STATUS ? PROBE_F_STATUS
	     : e == PROBE_IN_BODY ? PROBE_F_WHOLE
				  : PROBE_F_HEADER_TOKEN;
	for (kind = from; kind <= to; kind++)
		if (probe_features_first(f, s->set->seed, kind, kind, k->status,
			k->lines, k->nlines, k->body, k->body_len, at))
			return (true);
	return (false);
}

/* Is there nothing of these features in lines but those of these names? */
static bool
only_lines(const struct probe_subject *s, const struct probe_features *f,
    const struct probe_kept *k, const char *const *names)
{
	struct probe_line *rest;
	struct probe_place at;
	size_t i, j, n = 0;

	if (k->nlines == 0)
		return (true);
	rest = apr_palloc(s->pool, k->nlines * sizeof *rest);
	for (i = 0; i < k->nlines; i++) {
		for (j = 0; names[j] != NULL; j++)
			if (probe_line_is(&k->lines[i], names[j]))
				break;
		if (names[j] == NULL)
			rest[n++] = k->lines[i];
	}
	return (!probe_features_first(f, s->set->seed, PROBE_F_HEADER,
	    PROBE_F_HEADER_TOKEN, k->status, rest, n, k->body, k->body_len,
	    &at));
}

static bool
only_in(const struct probe_subject *s, const struct probe_trial *t,
    const char *const *names)
{
	return (t->effect == PROBE_IN_HEADERS &&
		only_lines(s, &t->plus, &t->b, names) &&
		only_lines(s, &t->minus, &t->a, names));
}

static const char *
kept_header(apr_pool_t *pool, const struct probe_kept *k, const char *name)
{
	size_t i;

	for (i = 0; i < k->nlines; i++)
		if (probe_line_is(&k->lines[i], name))
			return (excerpt(
			    pool, k->lines[i].value, k->lines[i].value_len));
	return (NULL);
}

enum probe_effect
probe_evidence_effect(const struct probe_trial *t)
{
	enum probe_effect worst = PROBE_IN_HEADERS;
	size_t i;

	for (i = 0; i < t->plus.n + t->minus.n; i++) {
		probe_feature f =
		    i < t->plus.n ? t->plus.f[i] : t->minus.f[i - t->plus.n];
		enum probe_effect e = PROBE_IN_HEADERS;

		if (probe_feature_kind(f) == PROBE_F_STATUS)
			e = PROBE_IN_STATUS;
		else if (probe_feature_kind(f) >= PROBE_F_JSON)
			e = PROBE_IN_BODY;
		if (e > worst)
			worst = e;
	}
	return (worst);
}

void
probe_evidence_conclude(struct probe_subject *s, struct probe_trial *t)
{
	/* What a server changes together with the coding. */
	static const char *const coding[] = { "Content-Encoding", "ETag",
		"Accept-Ranges", "Vary", NULL };
	static const char *const cookies[] = { "Set-Cookie", NULL };
	struct probe_evidence *ev = apr_pcalloc(s->pool, sizeof *ev);
	struct probe_place pa, pb;
	bool ina, inb;

	t->state = PROBE_T_EFFECT;
	t->effect = probe_evidence_effect(t);
	ev->tried = t->value;
	ev->rival = t->kind == PROBE_K_RIVAL;
	if (t->kind == PROBE_K_OUT)
		ev->with = "many other headers";
	else if ((t->kind == PROBE_K_VALUE || ev->rival) && t->context >= 0)
		ev->with = probe_declared_trial(s,
		    &APR_ARRAY_IDX(s->trials, t->context, struct probe_trial));
	inb = first(s, &t->plus, &t->b, t->effect, &pb);
	ina = first(s, &t->minus, &t->a, t->effect, &pa);
	ev->what = inb ? pb.what : ina ? pa.what : "body";
	ev->offset = inb ? pb.offset : ina ? pa.offset : 0;
	if (t->effect == PROBE_IN_STATUS) {
		ev->what = "status";
		ev->a = apr_psprintf(s->pool, "%d", t->a.status);
		ev->b = apr_psprintf(s->pool, "%d", t->b.status);
	} else if (t->effect == PROBE_IN_HEADERS && (inb || ina)) {
		ev->header = inb ? apr_pstrndup(s->pool, pb.name, pb.name_len)
				 : apr_pstrndup(s->pool, pa.name, pa.name_len);
		ev->a = kept_header(s->pool, &t->a, ev->header);
		ev->b = kept_header(s->pool, &t->b, ev->header);
	} else if (strcmp(ev->what, "body") != 0) {
		if (ina)
			ev->a = excerpt(s->pool, pa.text, pa.text_len);
		if (inb)
			ev->b = excerpt(s->pool, pb.text, pb.text_len);
	}
	if (t->kind == PROBE_K_OUT) {
		/* B is what lacks the value. */
		const char *a = ev->a;

		ev->a = ev->b;
		ev->b = a;
	}
	ev->coding_only = only_in(s, t, coding);
	ev->cookie_only = only_in(s, t, cookies);
	t->evidence = ev;
}
