/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/nginx_tree.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "vary/field.h"

/* Variables made of variables, as deep as the stack may go. */
#define CHAIN_MAX 200

static void
source(struct scan_nginx *n, const char *file, unsigned line,
    const char *directive, const char *member, enum scan_when when)
{
	struct scan_source *s = apr_array_push(n->v->sources);

	memset(s, 0, sizeof *s);
	s->place = (struct scan_place){ file, line, line, directive, NULL };
	s->member = member;
	s->by = SCAN_BY_NGINX;
	s->when = when;
	s->eras = n->eras;
}

/* --- What a variable hangs on -------------------------------------------- */

static const char *
spelled(struct scan_nginx *n, const char *s)
{
	char *r = apr_pstrdup(n->pool, s), *p;

	for (p = r; *p != '\0'; p++) {
		if (*p == '_')
			*p = '-';
		else if ((p == r || p[-1] == '-') && *p >= 'a' && *p <= 'z')
			*p = (char)(*p - ('a' - 'A'));
	}
	return (r);
}

/*
 * The request header in a text with variables; NULL for none.  A variable is
 * looked into once a round, or two that are made of each other, several times
 * each, would take for ever.
 */
static const char *
look(struct scan_nginx *n, const char *text, unsigned chain)
{
	const char *p;

	for (p = strchr(text, '$'); p != NULL; p = strchr(p + 1, '$')) {
		const char *b = p + 1, *e, *h;
		struct scan_nginx_var *v;
		size_t len;

		if (*b == '{')
			b++;
		for (e = b;
		     vary_is_tchar(*e) && *e != '-' && *e != '.' && *e != '*' &&
		     *e != '+' && *e != '|' && *e != '$' && *e != '\'';
		     e++)
			continue;
		len = (size_t)(e - b);
		if (len > 5 && strncmp(b, "http_", 5) == 0) {
			if (len == 9 && strncmp(b, "http_host", 9) == 0)
				continue;
			return (spelled(
			    n, apr_pstrmemdup(n->pool, b + 5, len - 5)));
		}
		if (len >= 7 && strncmp(b, "cookie_", 7) == 0)
			return ("Cookie");
		v = len > 0 ? apr_hash_get(n->vars, b, (apr_ssize_t)len) : NULL;
		if (v == NULL || v->round == n->round || chain == CHAIN_MAX)
			continue;
		v->round = n->round;
		for (; v != NULL; v = v->next) {
			h = look(n, v->text, chain + 1);
			if (h != NULL)
				return (h);
		}
	}
	return (NULL);
}

static const char *
header_in(struct scan_nginx *n, const char *text)
{
	const char *h = look(n, text, 0);

	/* What led nowhere leads nowhere the next time: same round. */
	if (h != NULL)
		n->round++;
	return (h);
}

static bool
declared(const struct scan_nginx_block *b, const char *member)
{
	/* The innermost level with an add_header of its own is the only one. */
	for (; b != NULL; b = b->parent) {
		int i;

		if (b->headers->nelts == 0)
			continue;
		for (i = 0; i < b->headers->nelts; i++) {
			const struct scan_nginx_added *a = &APR_ARRAY_IDX(
			    b->headers, i, struct scan_nginx_added);

			if (a->vary && strcasestr(a->value, member) != NULL)
				return (true);
		}
		return (false);
	}
	return (false);
}

/* --- Blocks -------------------------------------------------------------- */

static void
vary_value(struct scan_nginx *n, const struct scan_nginx_added *a)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;

	vary_field_init(&f, a->value, strlen(a->value));
	while ((st = vary_field_next(&f, &s)) != VARY_END) {
		struct scan_finding *x;
		const char *m;

		if (st != VARY_OK)
			vary_field_skip(&f, &s);
		m = apr_pstrmemdup(n->pool, s.b, s.len);
		source(n, a->file, a->line, "add_header", m, SCAN_ALWAYS);
		switch (scan_member_class(m)) {
		case SCAN_MEMBER_COSTLY:
			x = scan_nginx_finding(n, "vary-costly", SCAN_WARNING,
			    a->file, a->line, "add_header", m, SCAN_ALWAYS);
			x->message = apr_psprintf(n->pool,
			    "Vary: %s makes about as many variants as there "
			    "are visitors",
			    m);
			x->fix = "vary on a header with few values instead";
			break;
		case SCAN_MEMBER_KEY:
			x = scan_nginx_finding(n, "vary-redundant",
			    SCAN_WARNING, a->file, a->line, "add_header", m,
			    SCAN_ALWAYS);
			x->message = "Vary: Host adds nothing: every cache "
				     "has the host in its key already";
			x->fix = "take Host out of the value";
			break;
		case SCAN_MEMBER_STAR:
			x = scan_nginx_finding(n, "vary-star", SCAN_WARNING,
			    a->file, a->line, "add_header", m, SCAN_ALWAYS);
			x->message = "Vary: * says that no two requests may "
				     "share the response";
			break;
		case SCAN_MEMBER_RESPONSE:
		case SCAN_MEMBER_BAD:
			x = scan_nginx_finding(n, "vary-syntax", SCAN_WARNING,
			    a->file, a->line, "add_header", m, SCAN_ALWAYS);
			x->message = apr_psprintf(n->pool,
			    "\"%s\" is not the name of a request header", m);
			break;
		case SCAN_MEMBER_FINE:
		case SCAN_MEMBER_PRIVATE: break;
		}
	}
}

static void
missing(struct scan_nginx *n, const struct scan_nginx_block *b,
    const char *file, unsigned line, const char *directive, const char *member,
    enum scan_when when)
{
	struct scan_finding *x;

	if (declared(b, member))
		return;
	x = scan_nginx_finding(n, "vary-missing",
	    scan_member_class(member) == SCAN_MEMBER_PRIVATE ? SCAN_NOTE
							     : SCAN_WARNING,
	    file, line, directive, member, when);
	x->message = apr_psprintf(n->pool,
	    "the response depends on %s, and nginx never adds to Vary by "
	    "itself",
	    member);
	x->fix = apr_psprintf(n->pool,
	    "add_header Vary %s always; on the level of the %s", member,
	    directive);
}

/* Each header once a block: what it decides about is one matter. */
static void
uses(struct scan_nginx *n, const struct scan_nginx_block *b)
{
	const char *seen[16];
	size_t nseen = 0, k;
	int i;

	if (b->cond != NULL && b->answers && !b->refuses) {
		const char *h = header_in(n, b->cond);

		if (h != NULL) {
			missing(n, b, b->file, b->line, "if", h, SCAN_POSSIBLE);
			seen[nseen++] = h;
		}
	}
	for (i = 0; i < b->uses->nelts; i++) {
		const struct scan_nginx_use *u =
		    &APR_ARRAY_IDX(b->uses, i, struct scan_nginx_use);
		const char *h = header_in(n, u->text);

		for (k = 0; h != NULL && k < nseen; k++)
			if (strcasecmp(seen[k], h) == 0)
				break;
		if (h == NULL || k < nseen)
			continue;
		if (nseen < sizeof seen / sizeof *seen)
			seen[nseen++] = h;
		missing(n, b, u->file, u->line, u->directive, h, SCAN_ALWAYS);
	}
}

static void
compression(struct scan_nginx *n, const struct scan_nginx_block *b)
{
	const struct scan_nginx_block *p;
	struct scan_finding *x;

	if (!b->gzip_set || !b->gzip)
		return;
	for (p = b; p != NULL && !p->gzip_vary_set; p = p->parent)
		continue;
	if (p != NULL && p->gzip_vary) {
		source(n, b->gzip_file, b->gzip_line, "gzip_vary",
		    "Accept-Encoding", SCAN_POSSIBLE);
		return;
	}
	if (declared(b, "Accept-Encoding"))
		return;
	x = scan_nginx_finding(n, "vary-missing", SCAN_WARNING, b->gzip_file,
	    b->gzip_line, "gzip", "Accept-Encoding", SCAN_ALWAYS);
	x->message = "responses are compressed for those who accept it, and "
		     "Vary does not say so";
	x->fix = "gzip_vary on;";
}

/* One add_header of its own, and the outer ones are gone. */
static void
inheritance(struct scan_nginx *n, const struct scan_nginx_block *b)
{
	const struct scan_nginx_added *a;
	const struct scan_nginx_block *p;
	struct scan_finding *x;

	if (b->headers->nelts == 0 || b->varies)
		return;
	for (p = b->parent; p != NULL; p = p->parent)
		if (p->headers->nelts > 0)
			break;
	if (p == NULL || !p->varies)
		return;
	a = &APR_ARRAY_IDX(b->headers, 0, struct scan_nginx_added);
	x = scan_nginx_finding(n, "vary-missing", SCAN_WARNING, a->file,
	    a->line, "add_header", NULL, SCAN_ALWAYS);
	x->message = "an add_header here ends the inheritance of all outer "
		     "ones, \"add_header Vary\" among them";
	x->fix = "repeat the add_header Vary on this level";
}

void
scan_nginx_judge(struct scan_nginx *n)
{
	int i, k;

	for (i = 0; i < n->blocks->nelts; i++) {
		const struct scan_nginx_block *b =
		    APR_ARRAY_IDX(n->blocks, i, struct scan_nginx_block *);

		for (k = 0; k < b->headers->nelts; k++) {
			const struct scan_nginx_added *a = &APR_ARRAY_IDX(
			    b->headers, k, struct scan_nginx_added);

			if (a->vary)
				vary_value(n, a);
		}
		uses(n, b);
		compression(n, b);
		inheritance(n, b);
	}
}
