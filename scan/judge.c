/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judging.h"

#include <apr_hash.h>
#include <apr_strings.h>

/* --- Lints and problems -------------------------------------------------- */

static void
judge_lint(struct scan_judging *j, const struct scan_lint *l)
{
	struct scan_finding *f;
	unsigned eras = scan_model_eras(j->m, l->versions);
	struct scan_place p = scan_place_of(l->node, j->pool);

	switch (l->kind) {
	case SCAN_LINT_ERROR:
		f = scan_judging_finding(
		    j, "conf-error", SCAN_ERROR, p, NULL, SCAN_ALWAYS, eras);
		break;
	case SCAN_LINT_DEAD:
		f = scan_judging_finding(j, "conf-dead-condition", SCAN_WARNING,
		    p, NULL, SCAN_ALWAYS, eras);
		break;
	case SCAN_LINT_DANGLING:
	default:
		f = scan_judging_finding(j, "conf-dead-condition", SCAN_NOTE, p,
		    NULL, SCAN_ALWAYS, eras);
		break;
	}
	f->message = l->text;
	f->fix = l->fix;
}

static void
judge_problem(
    struct scan_judging *j, const struct hconf_problem *p, unsigned eras)
{
	struct scan_finding *f = scan_judging_finding(j, "conf-error",
	    p->level == HCONF_ERROR     ? SCAN_ERROR
	    : p->level == HCONF_WARNING ? SCAN_WARNING
					: SCAN_NOTE,
	    (struct scan_place){ p->file, p->first, p->last, NULL, NULL }, NULL,
	    SCAN_ALWAYS, eras);

	f->message = p->text;
}

static void
mark_broken(struct scan_judging *j, const char *file, bool htaccess)
{
	if (htaccess)
		apr_hash_set(j->broken, file, APR_HASH_KEY_STRING, "");
	else
		j->server_broken = true;
}

/* --- What an upgrade changes --------------------------------------------- */

static void
changes(struct scan_judging *j, const struct scan_source *s, unsigned asked)
{
	static const enum scan_era eras[] = { SCAN_E1, SCAN_E2, SCAN_E3 };
	size_t i, k;

	for (i = 0; i + 1 < sizeof eras / sizeof *eras; i++) {
		bool before, after;

		if ((asked & eras[i]) == 0)
			continue;
		/* To the next one that was asked about. */
		for (k = i + 1; k < sizeof eras / sizeof *eras; k++)
			if ((asked & eras[k]) != 0)
				break;
		if (k == sizeof eras / sizeof *eras)
			continue;
		before = (s->eras & eras[i]) != 0;
		after = (s->eras & eras[k]) != 0;
		if (before == after)
			continue;
		APR_ARRAY_PUSH(j->v->changes, struct scan_change) =
		    (struct scan_change){ s->place, s->member, eras[i], eras[k],
			    after, s->when };
	}
}

static void
unless(struct scan_judging *j, struct scan_finding *f)
{
	if (f->place.unless != NULL)
		f->message = apr_psprintf(j->pool, "where %s is not loaded: %s",
		    f->place.unless, f->message);
}

void
scan_judge(struct scan_verdict *v, const struct scan_model *m,
    const apr_array_header_t *problems, const apr_array_header_t *texts,
    apr_pool_t *result_pool)
{
	struct scan_judging j = { .v = v,
		.m = m,
		.texts = texts,
		.broken = apr_hash_make(result_pool),
		.pool = result_pool };
	unsigned asked = scan_model_eras(m, ~0U);
	const apr_array_header_t *a;
	int i, first = v->sources->nelts, found = v->findings->nelts;

	for (i = 0; i < problems->nelts; i++) {
		const struct hconf_problem *p =
		    &APR_ARRAY_IDX(problems, i, struct hconf_problem);

		judge_problem(&j, p, asked);
		if (p->level == HCONF_ERROR)
			mark_broken(&j, p->file, p->htaccess);
	}
	a = scan_model_lints(m);
	for (i = 0; i < a->nelts; i++) {
		const struct scan_lint *l =
		    &APR_ARRAY_IDX(a, i, struct scan_lint);

		judge_lint(&j, l);
		if (l->kind == SCAN_LINT_ERROR && l->node->unless == NULL)
			mark_broken(&j, l->node->file, l->node->htaccess);
	}
	scan_judge_sources(&j);
	a = scan_model_lacks(m);
	for (i = 0; i < a->nelts; i++)
		scan_judge_lack(&j, &APR_ARRAY_IDX(a, i, struct scan_lack));
	for (i = found; i < v->findings->nelts; i++)
		unless(&j, &APR_ARRAY_IDX(v->findings, i, struct scan_finding));
	for (i = first; i < v->sources->nelts; i++)
		changes(&j, &APR_ARRAY_IDX(v->sources, i, struct scan_source),
		    asked);
}
