/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/nginx_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_file_info.h>
#include <apr_fnmatch.h>
#include <apr_strings.h>

#include "httpdconf/tree.h"

#define NESTING_MAX 100
#define FILES_MAX   10000

struct reading {
	struct scan_nginx *n;
	const char *file;
	const char *p, *e;
	unsigned line;
};

struct scan_finding *
scan_nginx_finding(struct scan_nginx *n, const char *rule,
    enum scan_level level, const char *file, unsigned line,
    const char *directive, const char *member, enum scan_when when)
{
	struct scan_finding *f = apr_array_push(n->v->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->place = (struct scan_place){ file, line, line, directive, NULL };
	f->member = member;
	f->when = when;
	f->eras = n->eras;
	return (f);
}

static void statements(struct reading *, struct scan_nginx_block *);

/* --- Tokens -------------------------------------------------------------- */

/* What a backslash before this makes of it; all others stay as they are. */
static bool
escape(char c, char *ret)
{
	static const char from[] = "\"'\\trn", to[] = "\"'\\\t\r\n";
	const char *p = c != '\0' ? strchr(from, c) : NULL;

	if (p == NULL)
		return (false);
	*ret = to[p - from];
	return (true);
}

/* A word, or one of ";", "{", "}"; false at the end. */
static bool
token(struct reading *r, struct scan_nginx_word *ret)
{
	apr_array_header_t *out;
	const char *b;
	char q;

	for (;;) {
		while (r->p < r->e && (hconf_is_space(*r->p) || *r->p == '\0'))
			if (*r->p++ == '\n')
				r->line++;
		if (r->p < r->e && *r->p == '#') {
			while (r->p < r->e && *r->p != '\n')
				r->p++;
			continue;
		}
		break;
	}
	if (r->p >= r->e)
		return (false);
	ret->line = r->line;
	if (*r->p == ';' || *r->p == '{' || *r->p == '}') {
		ret->text = apr_pstrmemdup(r->n->pool, r->p++, 1);
		return (true);
	}
	if (*r->p == '"' || *r->p == '\'') {
		q = *r->p++;
		out = apr_array_make(r->n->pool, 32, 1);
		for (; r->p < r->e && *r->p != q; r->p++) {
			char c = *r->p;

			if (c == '\\' && r->p + 1 < r->e && escape(r->p[1], &c))
				r->p++;
			if (*r->p == '\n')
				r->line++;
			APR_ARRAY_PUSH(out, char) = c;
		}
		if (r->p < r->e)
			r->p++;
		ret->text =
		    apr_pstrmemdup(r->n->pool, out->elts, (size_t)out->nelts);
		return (true);
	}
	for (b = r->p; r->p < r->e && !hconf_is_space(*r->p) && *r->p != ';' &&
		       *r->p != '\0';
	     r->p++) {
		if (*r->p == '{') {
			/* ${name} is a variable, "x{" a block. */
			if (r->p > b && r->p[-1] == '$')
				while (r->p + 1 < r->e && *r->p != '}')
					r->p++;
			else
				break;
		}
		if (*r->p == '\\' && r->p + 1 < r->e)
			r->p++;
	}
	if (r->p > r->e)
		r->p = r->e;
	ret->text = apr_pstrmemdup(r->n->pool, b, (size_t)(r->p - b));
	return (true);
}

/* --- Directives ---------------------------------------------------------- */

static struct scan_nginx_block *
block_new(struct scan_nginx *n, struct scan_nginx_block *parent,
    const char *name, const char *file, unsigned line)
{
	struct scan_nginx_block *b = apr_pcalloc(n->pool, sizeof *b);

	b->parent = parent;
	b->name = name;
	b->file = file;
	b->line = line;
	b->headers =
	    apr_array_make(n->pool, 2, sizeof(struct scan_nginx_added));
	b->uses = apr_array_make(n->pool, 2, sizeof(struct scan_nginx_use));
	APR_ARRAY_PUSH(n->blocks, struct scan_nginx_block *) = b;
	return (b);
}

/* The words from one on, with blanks between. */
static const char *
joined(struct scan_nginx *n, const struct scan_nginx_word *w, int from, int nw)
{
	const char *r = "";
	int i;

	for (i = from; i < nw; i++)
		r = apr_pstrcat(
		    n->pool, r, i > from ? " " : "", w[i].text, NULL);
	return (r);
}

static void
variable(struct scan_nginx *n, const char *name, const char *text)
{
	struct scan_nginx_var *v;

	if (*name != '$')
		return;
	v = apr_palloc(n->pool, sizeof *v);
	v->name = name + 1;
	v->text = text;
	v->round = 0;
	v->next = apr_hash_get(n->vars, v->name, APR_HASH_KEY_STRING);
	apr_hash_set(n->vars, v->name, APR_HASH_KEY_STRING, v);
}

static void
use(struct reading *r, struct scan_nginx_block *b,
    const struct scan_nginx_word *w, const char *directive, const char *text)
{
	if (strchr(text, '$') != NULL)
		APR_ARRAY_PUSH(b->uses, struct scan_nginx_use) =
		    (struct scan_nginx_use){ r->file, directive, text,
			    w[0].line };
}

static void read_file(struct scan_nginx *, const char *path,
    struct scan_nginx_block *, const char *by, unsigned line);

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(const char *const *)a, *(const char *const *)b));
}

static void
include(struct reading *r, struct scan_nginx_block *b, const char *path,
    unsigned line)
{
	struct scan_nginx *n = r->n;
	apr_array_header_t *names;
	apr_pool_t *sub;
	apr_finfo_t fi;
	apr_dir_t *d;
	const char *slash;
	char *dir;
	int i;

	if (n->root == NULL)
		return;
	if (*path != '/')
		path = apr_pstrcat(n->pool, n->root, "/", path, NULL);
	slash = strrchr(path, '/');
	if (slash == NULL || !apr_fnmatch_test(slash + 1)) {
		read_file(n, path, b, r->file, line);
		return;
	}
	dir = apr_pstrmemdup(n->pool, path, (size_t)(slash - path));
	names = apr_array_make(n->pool, 8, sizeof(const char *));
	apr_pool_create(&sub, n->pool);
	if (apr_dir_open(&d, *dir == '\0' ? "/" : dir, sub) == APR_SUCCESS) {
		while (apr_dir_read(&fi, APR_FINFO_NAME, d) == APR_SUCCESS)
			if (apr_fnmatch(slash + 1, fi.name, APR_FNM_PERIOD) ==
			    APR_SUCCESS)
				APR_ARRAY_PUSH(names, const char *) =
				    apr_pstrcat(
					n->pool, dir, "/", fi.name, NULL);
	}
	apr_pool_destroy(sub);
	qsort(names->elts, (size_t)names->nelts, sizeof(const char *), by_name);
	for (i = 0; i < names->nelts; i++)
		read_file(
		    n, APR_ARRAY_IDX(names, i, const char *), b, r->file, line);
}

static void
add_header(struct reading *r, struct scan_nginx_block *b,
    const struct scan_nginx_word *w)
{
	struct scan_nginx_added *a = apr_array_push(b->headers);

	*a = (struct scan_nginx_added){ r->file, w[2].text, w[0].line,
		strcasecmp(w[1].text, "Vary") == 0 };
	if (a->vary)
		b->varies = true;
	else
		use(r, b, w, "add_header", w[2].text);
}

static void
directive(struct reading *r, struct scan_nginx_block *b,
    const struct scan_nginx_word *w, int nw)
{
	/* What is answered hangs on their arguments. */
	static const char *const deciding[] = { "try_files", "root", "alias",
		"index", "rewrite", "return", "proxy_pass", "fastcgi_pass",
		"uwsgi_pass", "scgi_pass", "grpc_pass", "default_type" };
	struct scan_nginx *n = r->n;
	const struct scan_nginx_block *p;
	const char *name = w[0].text;
	size_t i;

	if (strcmp(name, "set") != 0 && strcmp(name, "access_log") != 0 &&
	    strcmp(name, "break") != 0)
		b->answers = true;
	if (strcmp(name, "gzip") == 0 && nw > 1) {
		b->gzip_set = true;
		b->gzip = strcmp(w[1].text, "on") == 0;
		b->gzip_line = w[0].line;
		b->gzip_file = r->file;
	} else if (strcmp(name, "gzip_vary") == 0 && nw > 1) {
		b->gzip_vary_set = true;
		b->gzip_vary = strcmp(w[1].text, "on") == 0;
	} else if (strcmp(name, "add_header") == 0 && nw > 2) {
		add_header(r, b, w);
	} else if (strcmp(name, "set") == 0 && nw > 2) {
		variable(n, w[1].text, w[2].text);
		/* In an "if" it hangs on that, too. */
		for (p = b; p != NULL; p = p->parent)
			if (p->cond != NULL)
				variable(n, w[1].text, p->cond);
	} else if (strcmp(name, "include") == 0 && nw > 1) {
		include(r, b, w[1].text, w[0].line);
	} else {
		if (strcmp(name, "return") == 0 && nw > 1) {
			long status = strtol(w[1].text, NULL, 10);

			b->refuses =
			    status >= 400 && status != 404 && status != 410;
		}
		for (i = 0; i < sizeof deciding / sizeof *deciding; i++)
			if (strcmp(deciding[i], name) == 0)
				use(r, b, w, deciding[i], joined(n, w, 1, nw));
	}
}

static void
error(struct reading *r, unsigned line, const char *text)
{
	struct scan_finding *x = scan_nginx_finding(r->n, "conf-error",
	    SCAN_ERROR, r->file, line, NULL, NULL, SCAN_ALWAYS);

	x->message = text;
}

static struct scan_nginx_block *
block_begin(struct reading *r, struct scan_nginx_block *b,
    const struct scan_nginx_word *w, int nw, unsigned line)
{
	struct scan_nginx *n = r->n;
	struct scan_nginx_block *in = block_new(
	    n, b, nw > 0 ? w[0].text : "", r->file, nw > 0 ? w[0].line : line);

	if (nw > 0 && strcmp(w[0].text, "if") == 0)
		in->cond = joined(n, w, 1, nw);
	if (nw > 0 && (strcmp(w[0].text, "map") == 0 ||
			  strcmp(w[0].text, "split_clients") == 0)) {
		if (nw > 2)
			variable(n, w[2].text, w[1].text);
		in->is_map = true;
	}
	/* A server without locations answers, too; an "if" may only set. */
	b->answers = true;
	return (in);
}

static void
statements(struct reading *r, struct scan_nginx_block *top)
{
	struct scan_nginx *n = r->n;
	apr_array_header_t *words =
	    apr_array_make(n->pool, 8, sizeof(struct scan_nginx_word));
	struct scan_nginx_block *b = top;
	struct scan_nginx_word w;
	unsigned depth = 0;

	while (token(r, &w)) {
		const struct scan_nginx_word *v =
		    (const struct scan_nginx_word *)(const void *)words->elts;

		if (strcmp(w.text, ";") == 0) {
			if (words->nelts > 0 && !b->is_map)
				directive(r, b, v, words->nelts);
			words->nelts = 0;
		} else if (strcmp(w.text, "{") == 0) {
			if (++depth > NESTING_MAX) {
				error(r, w.line, "blocks nested too deeply");
				return;
			}
			b = block_begin(r, b, v, words->nelts, w.line);
			words->nelts = 0;
		} else if (strcmp(w.text, "}") == 0) {
			if (words->nelts > 0)
				error(r, w.line,
				    "\";\" is missing before "
				    "\"}\"");
			words->nelts = 0;
			if (b == top) {
				error(r, w.line, "\"}\" without its \"{\"");
				continue;
			}
			b = b->parent;
			depth--;
		} else {
			APR_ARRAY_PUSH(words, struct scan_nginx_word) = w;
		}
	}
	if (words->nelts > 0)
		error(r, r->line, "\";\" is missing at the end of the file");
	if (b != top)
		error(r, r->line, "\"}\" is missing at the end of the file");
}

static void
read_text(struct scan_nginx *n, const char *name, const char *b, size_t len,
    struct scan_nginx_block *into)
{
	struct reading r = { n, name, b, b + len, 1 };

	n->files++;
	n->bytes += len;
	statements(&r, into);
}

static void
read_file(struct scan_nginx *n, const char *path, struct scan_nginx_block *into,
    const char *by, unsigned line)
{
	struct scan_finding *x;
	const char *b;
	size_t len;
	apr_status_t rv;
	char msg[128];

	if (n->depth >= NESTING_MAX || n->files >= FILES_MAX)
		return;
	rv = hconf_slurp(path, &b, &len, n->pool);
	if (rv != APR_SUCCESS) {
		x = scan_nginx_finding(n, "conf-error", SCAN_ERROR, by, line,
		    "include", NULL, SCAN_ALWAYS);
		x->message = apr_psprintf(
		    n->pool, "%s: %s", path, apr_strerror(rv, msg, sizeof msg));
		return;
	}
	n->depth++;
	read_text(n, path, b, len, into);
	n->depth--;
}

void
scan_nginx_read(
    struct scan_nginx *n, const char *name, const char *b, size_t len)
{
	read_text(n, name, b, len, block_new(n, NULL, NULL, name, 1));
}
