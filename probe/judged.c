/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/judged.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>
#include <jansson.h>

#include "cli/document.h"
#include "vary/field.h"
#include "vary/name.h"

static struct probe_judged_member *
member(struct probe_judged *a, const char *name)
{
	struct probe_judged_member *m;
	int i;

	for (i = 0; i < a->members->nelts; i++) {
		m = APR_ARRAY_IDX(a->members, i, struct probe_judged_member *);
		if (strcasecmp(m->name, name) == 0)
			return (m);
	}
	if (a->members->nelts == PROBE_JUDGED_MEMBERS) {
		a->full = true;
		return (NULL);
	}
	m = apr_pcalloc(a->pool, sizeof *m);
	m->name = apr_pstrdup(a->pool, name);
	m->works = apr_array_make(a->pool, 4, sizeof(const char *));
	APR_ARRAY_PUSH(a->members, struct probe_judged_member *) = m;
	return (m);
}

static void
collect(
    struct probe_judged *a, struct probe_judged_member *m, const json_t *list)
{
	const char *s;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		s = json_string_value(json_array_get(list, i));
		if (s == NULL || probe_result_lists(m->works, s))
			continue;
		if (m->works->nelts == PROBE_JUDGED_VALUES) {
			m->more = true;
			return;
		}
		APR_ARRAY_PUSH(m->works, const char *) =
		    apr_pstrdup(a->pool, s);
	}
}

static const char *
string(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return (s != NULL ? s : "");
}

/*
 * A name that may stand in VCL as it is, and that a policy takes.  "*" is none:
 * stripping it would let into the cache what the origin keeps out.
 */
static bool
is_name(const char *s)
{
	size_t n = strlen(s);

	return (
	    n <= VARY_NAME_MAX && vary_is_token(s, n) && strcmp(s, "*") != 0);
}

static void
read_target(struct probe_judged *a, const json_t *t)
{
	const json_t *list, *o;
	const char *rule, *effect;
	struct probe_judged_member *m;
	bool judged;
	size_t i;
	int r;

	judged = strcmp(string(t, "outcome"), "judged") == 0;
	if (judged)
		a->judged++;
	else if (a->unjudged++ == 0) {
		a->unjudged_url = apr_pstrdup(a->pool, string(t, "url"));
		a->unjudged_why = apr_psprintf(a->pool, "%s: %s",
		    string(t, "outcome"), string(t, "reason"));
	}
	list = json_object_get(t, "members");
	for (i = 0; i < json_array_size(list); i++) {
		o = json_array_get(list, i);
		if (!is_name(string(o, "name")))
			continue;
		m = member(a, string(o, "name"));
		if (m == NULL)
			return;
		if (strcmp(string(o, "declared"), "no") != 0) {
			m->declared = true;
			m->declared_unjudged |= !judged;
		}
		effect = string(o, "effect");
		if (!judged || strcmp(effect, "not-tried") == 0) {
			/* Declared, and nobody knows what for. */
			if (strcmp(string(o, "declared"), "no") != 0)
				m->declared_unjudged = true;
			continue;
		}
		if (strcmp(effect, "none-observed") == 0)
			m->none = true;
		else
			m->effect = true;
		collect(a, m, json_object_get(o, "with_effect"));
	}
	list = json_object_get(t, "findings");
	for (i = 0; i < json_array_size(list); i++) {
		o = json_array_get(list, i);
		rule = string(o, "rule");
		if (strcmp(rule, "vary-star") == 0)
			a->star = true;
		if (!is_name(string(o, "member")))
			continue;
		m = member(a, string(o, "member"));
		if (m == NULL)
			return;
		for (r = 0; r < PROBE_NRULES; r++)
			if (strcmp(rule, probe_rule_name((enum probe_rule)r)) ==
			    0)
				m->found[r] = true;
	}
}

void
probe_judged_init(struct probe_judged *a, apr_pool_t *pool)
{
	memset(a, 0, sizeof *a);
	a->pool = pool;
	a->members =
	    apr_array_make(pool, 32, sizeof(struct probe_judged_member *));
}

/* Why this is none of ours.  j == NULL: it is not even JSON. */
static const char *
why_not(struct probe_judged *a, const json_t *j, const json_error_t *error)
{
	const char *schema = string(j, "schema");

	if (j == NULL)
		return (apr_pstrdup(a->pool, error->text));
	if (strncmp(schema, "varykit.", 8) == 0)
		return (apr_pstrcat(a->pool, "is ", schema,
		    "; this reads varykit.audit/1", NULL));
	return ("is no result of 'varyprobe audit --format json'");
}

apr_status_t
probe_judged_read(struct probe_judged *a, FILE *f, const char **ret_why)
{
	struct cli_document document;
	json_error_t error;
	json_t *j;
	const json_t *targets;
	size_t i, n = 0;
	int c;

	for (;;) {
		while (
		    (c = getc(f)) == ' ' || c == '\n' || c == '\r' || c == '\t')
			continue;
		if (c == EOF)
			break;
		(void)ungetc(c, f);
		cli_document_init(&document, f);
		j = json_load_callback(cli_document_read, &document,
		    JSON_DISABLE_EOF_CHECK, &error);
		if (j == NULL ||
		    strcmp(string(j, "schema"), "varykit.audit/1") != 0) {
			*ret_why = document.over ? CLI_DOCUMENT_LONG
						 : why_not(a, j, &error);
			json_decref(j);
			return (APR_EGENERAL);
		}
		n++;
		targets = json_object_get(j, "targets");
		if (targets == NULL && strcmp(string(j, "kind"), "target") == 0)
			read_target(a, j);
		for (i = 0; i < json_array_size(targets); i++)
			read_target(a, json_array_get(targets, i));
		json_decref(j);
		if (a->full) {
			*ret_why = "names more than 1024 request headers";
			return (APR_EGENERAL);
		}
	}
	if (ferror(f)) {
		char msg[128];

		*ret_why = apr_pstrdup(a->pool,
		    apr_strerror(APR_FROM_OS_ERROR(errno), msg, sizeof msg));
		return (APR_EGENERAL);
	}
	if (n == 0) {
		*ret_why = "is empty";
		return (APR_EGENERAL);
	}
	return (APR_SUCCESS);
}
