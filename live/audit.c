/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/audit.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "cli/document.h"
#include "live/hash.h"

/* One text, in lower case: the host, a NUL, the member. */
struct judged {
	char *host, *member;
	size_t len;
	enum live_verdict verdict;
};

struct live_audit {
	struct judged *j;
	size_t n, cap, targets;
	uint32_t *slot; /* by hash: a place in j and one, 0 is none */
	size_t slots;   /* a power of two, more than twice n */
};

/*
 * "https://www.example.com:8080/x" and a member, as one text.  Of the URL it is the
 * part that Varnish has as Host.
 */
static int
judged_init(struct judged *j, const char *url, const char *member)
{
	const char *p = strstr(url, "://"), *e, *c;
	size_t host, name = strlen(member), i;

	p = p != NULL ? p + 3 : url;
	for (e = p; *e != '\0' && *e != '/' && *e != '?' && *e != '#'; e++)
		if (*e == '@')
			p = e + 1;
	/* The port is no part of a site's name: the probe may use its own. */
	for (c = e; c > p && c[-1] >= '0' && c[-1] <= '9'; c--)
		continue;
	if (c > p && c[-1] == ':' && c < e)
		e = c - 1;
	host = (size_t)(e - p);
	j->len = host + 1 + name;
	j->host = malloc(j->len + 1);
	if (j->host == NULL)
		return (-ENOMEM);
	j->member = j->host + host + 1;
	memcpy(j->host, p, host);
	j->host[host] = '\0';
	memcpy(j->member, member, name + 1);
	for (i = 0; i < j->len; i++)
		if (j->host[i] >= 'A' && j->host[i] <= 'Z')
			j->host[i] |= 0x20;
	j->verdict = LIVE_NOT_AUDITED;
	return (0);
}

/* Where it stands, or would: there is always a free place. */
static uint32_t *
slot_of(const struct live_audit *a, const struct judged *j)
{
	size_t i = live_hash(j->host, j->len, 0) & (a->slots - 1);

	for (; a->slot[i] != 0; i = (i + 1) & (a->slots - 1)) {
		const struct judged *k = &a->j[a->slot[i] - 1];

		if (k->len == j->len && memcmp(k->host, j->host, j->len) == 0)
			break;
	}
	return (&a->slot[i]);
}

static int
grow(struct live_audit *a)
{
	size_t cap = a->cap == 0 ? 16 : 2 * a->cap, i;
	struct judged *j;
	uint32_t *slot;

	if (cap > UINT32_MAX / 4)
		return (-ENOMEM);
	j = realloc(a->j, cap * sizeof *j);
	if (j == NULL)
		return (-ENOMEM);
	a->j = j;
	slot = calloc(4 * cap, sizeof *slot);
	if (slot == NULL)
		return (-ENOMEM);
	free(a->slot);
	a->slot = slot;
	a->slots = 4 * cap;
	a->cap = cap;
	for (i = 0; i < a->n; i++)
		*slot_of(a, &a->j[i]) = (uint32_t)i + 1;
	return (0);
}

static int
judge(struct live_audit *a, const char *url, const char *member,
    enum live_verdict v)
{
	struct judged j;
	uint32_t *slot;
	int r;

	if (a->n == a->cap && (r = grow(a)) < 0)
		return (r);
	r = judged_init(&j, url, member);
	if (r < 0)
		return (r);
	slot = slot_of(a, &j);
	if (*slot != 0)
		free(j.host);
	else {
		a->j[a->n] = j;
		*slot = (uint32_t)++a->n;
	}
	/* One target with an effect outweighs all without. */
	if (a->j[*slot - 1].verdict < v)
		a->j[*slot - 1].verdict = v;
	return (0);
}

static int
read_target(struct live_audit *a, json_t *t)
{
	const char *url = json_string_value(json_object_get(t, "url"));
	const char *outcome = json_string_value(json_object_get(t, "outcome"));
	json_t *m;
	size_t i;
	int r;

	if (url == NULL)
		return (0);
	a->targets++;
	/* Unstable, interfered, unreachable: it says nothing. */
	if (outcome != NULL && strcmp(outcome, "judged") != 0)
		return (0);
	json_array_foreach(json_object_get(t, "members"), i, m)
	{
		const char *name =
		    json_string_value(json_object_get(m, "name"));
		const char *effect =
		    json_string_value(json_object_get(m, "effect"));

		if (name == NULL || effect == NULL)
			continue;
		r = judge(a, url, name,
		    strcmp(effect, "none-observed") == 0 ? LIVE_SAFE
							 : LIVE_UNSAFE);
		if (r < 0)
			return (r);
	}
	return (0);
}

static int
read_document(struct live_audit *a, json_t *doc, bool *ret_known)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));
	json_t *targets = json_object_get(doc, "targets"), *t;
	size_t i;
	int r;

	if (schema != NULL && strcmp(schema, "varykit.audit/1") == 0)
		*ret_known = true;
	if (json_is_array(targets)) {
		json_array_foreach(
		    targets, i, t) if ((r = read_target(a, t)) < 0) return (r);
		return (0);
	}
	return (read_target(a, doc));
}

static void say(char *, size_t, const char *, ...)
    __attribute__((__format__(__printf__, 3, 4)));

static void
say(char *text, size_t cap, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, cap, fmt, ap);
	va_end(ap);
}

int
live_audit_read(struct live_audit **ret, FILE *f, char *text, size_t cap)
{
	struct cli_document in;
	struct live_audit *a;
	json_error_t je;
	json_t *doc;
	bool known = false;
	int r = 0;

	assert(ret != NULL && f != NULL && text != NULL);
	a = calloc(1, sizeof *a);
	if (a == NULL)
		return (-ENOMEM);
	/* Documents one after the other: ndjson is read as well. */
	do {
		cli_document_init(&in, f);
		doc = json_load_callback(cli_document_read, &in,
		    JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &je);
		if (doc == NULL)
			break;
		r = read_document(a, doc, &known);
		json_decref(doc);
	} while (r == 0);
	if (r == 0 && in.over) {
		say(text, cap, "%s", CLI_DOCUMENT_LONG);
		r = -EINVAL;
	} else if (r == 0 && !feof(f)) {
		say(text, cap, "line %d: %s", je.line, je.text);
		r = -EINVAL;
	} else if (r == 0 && (!known || a->targets == 0)) {
		say(text, cap,
		    "no varykit.audit/1 result with targets: write one with "
		    "varyprobe audit --format json");
		r = -EINVAL;
	}
	if (r < 0) {
		live_audit_close(&a);
		return (r);
	}
	*ret = a;
	return (0);
}

int
live_audit_open(
    struct live_audit **ret, const char *path, char *text, size_t cap)
{
	FILE *f = fopen(path, "re");
	int r;

	if (f == NULL) {
		r = -errno;
		say(text, cap, "%s", strerror(errno));
		return (r);
	}
	r = live_audit_read(ret, f, text, cap);
	(void)fclose(f);
	return (r);
}

void
live_audit_close(struct live_audit **ap)
{
	struct live_audit *a = *ap;
	size_t i;

	if (a == NULL)
		return;
	for (i = 0; i < a->n; i++)
		free(a->j[i].host);
	free(a->j);
	free(a->slot);
	free(a);
	*ap = NULL;
}

enum live_verdict
live_audit_verdict(
    const struct live_audit *a, const char *host, const char *member)
{
	enum live_verdict v = LIVE_NOT_AUDITED;
	struct judged j;
	uint32_t at;
	size_t i;

	if (a == NULL || a->n == 0)
		return (v);
	if (host != NULL) {
		if (judged_init(&j, host, member) < 0)
			return (v);
		at = *slot_of(a, &j);
		free(j.host);
		return (at != 0 ? a->j[at - 1].verdict : v);
	}
	for (i = 0; i < a->n; i++)
		if (strcasecmp(a->j[i].member, member) == 0 &&
		    v < a->j[i].verdict)
			v = a->j[i].verdict;
	return (v);
}

size_t
live_audit_targets(const struct live_audit *a)
{
	return (a->targets);
}

const char *
live_verdict_word(enum live_verdict v)
{
	switch (v) {
	case LIVE_SAFE: return ("safe");
	case LIVE_UNSAFE: return ("unsafe");
	case LIVE_NOT_AUDITED:
	default: return ("not audited");
	}
}
