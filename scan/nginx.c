/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/nginx.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_file_info.h>
#include <apr_fnmatch.h>
#include <apr_hash.h>
#include <apr_strings.h>

#include "httpdconf/tree.h"
#include "vary/field.h"

#define NESTING_MAX 100
#define FILES_MAX   10000

struct word {
	const char *text; /* without quotes */
	unsigned line;
};

/* One block: what is said in it, and what it takes from the one around it. */
struct block {
	struct block *parent;
	const char *name;    /* "server"; NULL for the file */
	bool gzip, gzip_set; /* on? said here? */
	bool gzip_vary, gzip_vary_set;
	unsigned gzip_line;
	const char *gzip_file;
	apr_array_header_t
	    *headers; /* struct added: add_header of this level */
	bool varies;  /* one of them is Vary */
	bool is_map;
	const char *cond_header; /* of an "if": what it asks for */
	unsigned cond_line;
	bool refuses; /* return 403 and the like: nothing to cache */
};

struct added {
	const char *file, *value;
	unsigned line;
	bool vary;
};

struct nginx {
	struct scan_verdict *v;
	apr_pool_t *pool;
	unsigned eras;
	const char *root; /* what relative includes start from; NULL: none */
	apr_hash_t *maps; /* "$y" -> header it hangs on */
	size_t files, bytes;
	unsigned depth;
};

struct reading {
	struct nginx *n;
	const char *file;
	const char *p, *e;
	unsigned line;
};

static void statements(struct reading *, struct block *);

static struct scan_finding *
finding(struct nginx *n, const char *rule, enum scan_level level,
    const char *file, unsigned line, const char *directive, const char *member,
    enum scan_when when)
{
	struct scan_finding *f = apr_array_push(n->v->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->place = (struct scan_place){ file, line, line, directive };
	f->member = member;
	f->when = when;
	f->eras = n->eras;
	return (f);
}

static void
source(struct nginx *n, const char *file, unsigned line, const char *directive,
    const char *member, enum scan_when when)
{
	struct scan_source *s = apr_array_push(n->v->sources);

	memset(s, 0, sizeof *s);
	s->place = (struct scan_place){ file, line, line, directive };
	s->member = member;
	s->by = SCAN_BY_NGINX;
	s->when = when;
	s->eras = n->eras;
}

/* --- Tokens -------------------------------------------------------------- */

/* A word, or one of ";", "{", "}"; false at the end. */
static bool
token(struct reading *r, struct word *ret)
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
			if (*r->p == '\\' && r->p + 1 < r->e)
				r->p++;
			if (*r->p == '\n')
				r->line++;
			APR_ARRAY_PUSH(out, char) = *r->p;
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

/* --- What a variable hangs on -------------------------------------------- */

static const char *
spelled(struct nginx *n, const char *s)
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

/* The request header in a text with variables; NULL for none. */
static const char *
header_in(struct nginx *n, const char *text)
{
	const char *p;

	for (p = strchr(text, '$'); p != NULL; p = strchr(p + 1, '$')) {
		const char *b = p + 1, *e, *name, *mapped;

		if (*b == '{')
			b++;
		for (e = b; vary_is_tchar(*e) && *e != '-' && *e != '.' &&
			    *e != '*' && *e != '+' && *e != '|' && *e != '$';
		     e++)
			continue;
		name = apr_pstrmemdup(n->pool, b, (size_t)(e - b));
		if (strncmp(name, "http_", 5) == 0 && name[5] != '\0') {
			if (strcmp(name, "http_host") == 0)
				continue;
			return (spelled(n, name + 5));
		}
		if (strncmp(name, "cookie_", 7) == 0)
			return ("Cookie");
		mapped = apr_hash_get(n->maps, name, APR_HASH_KEY_STRING);
		if (mapped != NULL)
			return (mapped);
	}
	return (NULL);
}

static bool
declared(const struct block *b, const char *member)
{
	/* The innermost level with an add_header of its own is the only one. */
	for (; b != NULL; b = b->parent) {
		int i;

		if (b->headers->nelts == 0)
			continue;
		for (i = 0; i < b->headers->nelts; i++) {
			const struct added *a =
			    &APR_ARRAY_IDX(b->headers, i, struct added);

			if (a->vary && strcasestr(a->value, member) != NULL)
				return (true);
		}
		return (false);
	}
	return (false);
}

/* --- Directives ---------------------------------------------------------- */

static struct block *
block_new(struct nginx *n, struct block *parent, const char *name)
{
	struct block *b = apr_pcalloc(n->pool, sizeof *b);

	b->parent = parent;
	b->name = name;
	b->headers = apr_array_make(n->pool, 2, sizeof(struct added));
	return (b);
}

static void
vary_value(struct nginx *n, const struct added *a)
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
			x = finding(n, "vary-costly", SCAN_WARNING, a->file,
			    a->line, "add_header", m, SCAN_ALWAYS);
			x->message = apr_psprintf(n->pool,
			    "Vary: %s makes about as many variants as there "
			    "are visitors",
			    m);
			x->fix = "vary on a header with few values instead";
			break;
		case SCAN_MEMBER_KEY:
			x = finding(n, "vary-redundant", SCAN_WARNING, a->file,
			    a->line, "add_header", m, SCAN_ALWAYS);
			x->message = "Vary: Host adds nothing: every cache "
				     "has the host in its key already";
			x->fix = "take Host out of the value";
			break;
		case SCAN_MEMBER_STAR:
			x = finding(n, "vary-star", SCAN_WARNING, a->file,
			    a->line, "add_header", m, SCAN_ALWAYS);
			x->message = "Vary: * says that no two requests may "
				     "share the response";
			break;
		case SCAN_MEMBER_RESPONSE:
		case SCAN_MEMBER_BAD:
			x = finding(n, "vary-syntax", SCAN_WARNING, a->file,
			    a->line, "add_header", m, SCAN_ALWAYS);
			x->message = apr_psprintf(n->pool,
			    "\"%s\" is not the name of a request header", m);
			break;
		case SCAN_MEMBER_FINE:
		case SCAN_MEMBER_PRIVATE: break;
		}
	}
}

static void
condition(struct reading *r, struct block *in, const struct word *w, int nw)
{
	int i;

	for (i = 1; i < nw && in->cond_header == NULL; i++)
		in->cond_header = header_in(r->n, w[i].text);
	in->cond_line = w[0].line;
}

static void
condition_end(struct nginx *n, const struct block *b, const char *file)
{
	struct scan_finding *x;

	if (b->cond_header == NULL || b->refuses || declared(b, b->cond_header))
		return;
	x = finding(n, "vary-missing", SCAN_WARNING, file, b->cond_line, "if",
	    b->cond_header, SCAN_POSSIBLE);
	x->message = apr_psprintf(n->pool,
	    "the response depends on %s, and nginx never adds to Vary by "
	    "itself",
	    b->cond_header);
	x->fix = apr_psprintf(n->pool,
	    "add_header Vary %s always; on the level of the if",
	    b->cond_header);
}

static void
map(struct reading *r, const struct word *w, int nw)
{
	const char *h;

	if (nw < 3 || w[2].text[0] != '$')
		return;
	h = header_in(r->n, w[1].text);
	if (h != NULL)
		apr_hash_set(r->n->maps, w[2].text + 1, APR_HASH_KEY_STRING, h);
}

static void read_file(struct nginx *, const char *path, struct block *,
    const char *by, unsigned line);

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(const char *const *)a, *(const char *const *)b));
}

static void
include(struct reading *r, struct block *b, const char *path, unsigned line)
{
	struct nginx *n = r->n;
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
directive(struct reading *r, struct block *b, const struct word *w, int nw)
{
	struct nginx *n = r->n;
	const char *name = w[0].text;

	if (strcmp(name, "gzip") == 0 && nw > 1) {
		b->gzip_set = true;
		b->gzip = strcmp(w[1].text, "on") == 0;
		b->gzip_line = w[0].line;
		b->gzip_file = r->file;
	} else if (strcmp(name, "gzip_vary") == 0 && nw > 1) {
		b->gzip_vary_set = true;
		b->gzip_vary = strcmp(w[1].text, "on") == 0;
	} else if (strcmp(name, "add_header") == 0 && nw > 2) {
		struct added *a = apr_array_push(b->headers);

		*a = (struct added){ r->file, w[2].text, w[0].line,
			strcasecmp(w[1].text, "Vary") == 0 };
		if (a->vary) {
			b->varies = true;
			vary_value(n, a);
		}
	} else if (strcmp(name, "return") == 0 && nw > 1) {
		int status = atoi(w[1].text);

		b->refuses = status >= 400 && status != 404 && status != 410;
	} else if (strcmp(name, "include") == 0 && nw > 1) {
		include(r, b, w[1].text, w[0].line);
	}
}

/* At the end of a block everything that it says is known. */
static void
block_end(struct nginx *n, struct block *b, const char *file)
{
	struct scan_finding *x;
	const struct block *p;
	bool vary = false;

	condition_end(n, b, file);
	if (b->gzip_set && b->gzip) {
		for (p = b; p != NULL && !p->gzip_vary_set; p = p->parent)
			continue;
		vary = p != NULL && p->gzip_vary;
		if (!vary && !declared(b, "Accept-Encoding")) {
			x = finding(n, "vary-missing", SCAN_WARNING,
			    b->gzip_file, b->gzip_line, "gzip",
			    "Accept-Encoding", SCAN_ALWAYS);
			x->message = "responses are compressed for those who "
				     "accept it, and Vary does not say so";
			x->fix = "gzip_vary on;";
		} else if (vary) {
			source(n, b->gzip_file, b->gzip_line, "gzip_vary",
			    "Accept-Encoding", SCAN_POSSIBLE);
		}
	}
	/* One add_header of its own, and the outer ones are gone. */
	if (b->headers->nelts > 0 && !b->varies) {
		for (p = b->parent; p != NULL; p = p->parent)
			if (p->headers->nelts > 0)
				break;
		if (p != NULL && p->varies) {
			const struct added *a =
			    &APR_ARRAY_IDX(b->headers, 0, struct added);

			x = finding(n, "vary-missing", SCAN_WARNING, a->file,
			    a->line, "add_header", NULL, SCAN_ALWAYS);
			x->message = "an add_header here ends the inheritance "
				     "of all outer ones, \"add_header Vary\" "
				     "among them";
			x->fix = "repeat the add_header Vary on this level";
		}
	}
}

static void
error(struct reading *r, unsigned line, const char *text)
{
	struct scan_finding *x = finding(r->n, "conf-error", SCAN_ERROR,
	    r->file, line, NULL, NULL, SCAN_ALWAYS);

	x->message = text;
}

static void
statements(struct reading *r, struct block *top)
{
	struct nginx *n = r->n;
	apr_array_header_t *words =
	    apr_array_make(n->pool, 8, sizeof(struct word));
	struct block *b = top;
	struct word w;
	unsigned depth = 0;

	while (token(r, &w)) {
		const struct word *v =
		    (const struct word *)(const void *)words->elts;

		if (strcmp(w.text, ";") == 0) {
			if (words->nelts > 0 && !b->is_map)
				directive(r, b, v, words->nelts);
			words->nelts = 0;
		} else if (strcmp(w.text, "{") == 0) {
			struct block *in =
			    block_new(n, b, words->nelts > 0 ? v[0].text : "");

			if (++depth > NESTING_MAX) {
				error(r, w.line, "blocks nested too deeply");
				return;
			}
			if (words->nelts > 0 && strcmp(v[0].text, "if") == 0)
				condition(r, in, v, words->nelts);
			if (words->nelts > 0 && strcmp(v[0].text, "map") == 0) {
				map(r, v, words->nelts);
				in->is_map = true;
			}
			words->nelts = 0;
			b = in;
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
			block_end(n, b, r->file);
			b = b->parent;
			depth--;
		} else {
			APR_ARRAY_PUSH(words, struct word) = w;
		}
	}
	if (words->nelts > 0)
		error(r, r->line, "\";\" is missing at the end of the file");
	if (b != top)
		error(r, r->line, "\"}\" is missing at the end of the file");
	for (; b != top; b = b->parent)
		block_end(n, b, r->file);
}

static void
read_text(struct nginx *n, const char *name, const char *b, size_t len,
    struct block *into)
{
	struct reading r = { n, name, b, b + len, 1 };

	n->files++;
	n->bytes += len;
	statements(&r, into);
}

static void
read_file(struct nginx *n, const char *path, struct block *into, const char *by,
    unsigned line)
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
		x = finding(n, "conf-error", SCAN_ERROR, by, line, "include",
		    NULL, SCAN_ALWAYS);
		x->message = apr_psprintf(
		    n->pool, "%s: %s", path, apr_strerror(rv, msg, sizeof msg));
		return;
	}
	n->depth++;
	read_text(n, path, b, len, into);
	n->depth--;
}

static void
nginx_init(struct nginx *n, struct scan_verdict *v, unsigned eras,
    const char *root, apr_pool_t *pool)
{
	memset(n, 0, sizeof *n);
	n->v = v;
	n->pool = pool;
	n->eras = eras;
	n->root = root;
	n->maps = apr_hash_make(pool);
}

apr_status_t
scan_nginx_file(struct scan_verdict *v, const char *path, unsigned eras,
    size_t *ret_files, size_t *ret_bytes, apr_pool_t *result_pool)
{
	struct nginx n;
	struct block *top;
	const char *b, *slash = strrchr(path, '/');
	size_t len;
	apr_status_t rv;

	rv = hconf_slurp(path, &b, &len, result_pool);
	if (rv != APR_SUCCESS)
		return (rv);
	nginx_init(&n, v, eras,
	    slash == NULL
		? "."
		: apr_pstrmemdup(result_pool, path, (size_t)(slash - path)),
	    result_pool);
	top = block_new(&n, NULL, NULL);
	read_text(&n, path, b, len, top);
	block_end(&n, top, path);
	*ret_files = n.files;
	*ret_bytes = n.bytes;
	return (APR_SUCCESS);
}

void
scan_nginx_text(struct scan_verdict *v, const char *name, const char *b,
    size_t len, unsigned eras, apr_pool_t *result_pool)
{
	struct nginx n;
	struct block *top;

	nginx_init(&n, v, eras, NULL, result_pool);
	top = block_new(&n, NULL, NULL);
	read_text(&n, name, b, len, top);
	block_end(&n, top, name);
}
