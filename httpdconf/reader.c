/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/reader.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_strings.h>

/* Lines with a NUL that are told one by one; a binary file has thousands. */
#define NULS_TOLD 3

void
hconf_complain(struct hconf *h, const struct hconf_origin *o, bool htaccess,
    enum hconf_level level, const char *fmt, ...)
{
	struct hconf_problem *p = apr_array_push(h->problems);
	va_list ap;

	p->file = o->file;
	p->first = o->first;
	p->last = o->last;
	/* Whether httpd gets to see it is not known. */
	p->level = h->unless != NULL ? HCONF_NOTE : level;
	p->htaccess = htaccess;
	va_start(ap, fmt);
	p->text = apr_pvsprintf(h->pool, fmt, ap);
	va_end(ap);
}

char *
hconf_lower(struct hconf_span s, apr_pool_t *pool)
{
	char *r = hconf_span_dup(s, pool), *p;

	for (p = r; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + ('a' - 'A'));
	return (r);
}

/* --- Lines --------------------------------------------------------------- */

static void
defined(struct hconf_reading *r, enum hconf_id id, const struct hconf_words *w,
    const struct hconf_origin *o)
{
	struct hconf *h = r->h;
	char *name;

	if (w->n == 0 || w->n > (id == HCONF_DEFINE ? 2 : 1)) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    id == HCONF_DEFINE ? "Define takes a name and a value"
				       : "UnDefine takes a name");
		return;
	}
	name = hconf_span_dup(w->v[0], h->pool);
	if (id == HCONF_UNDEFINE) {
		apr_hash_set(h->vars, name, APR_HASH_KEY_STRING, NULL);
		apr_hash_set(h->valued, name, APR_HASH_KEY_STRING, NULL);
		return;
	}
	if (strchr(name, ':') != NULL) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "Define: a name may not hold ':'");
		return;
	}
	/* "" is no value to httpd: what an earlier Define gave stays. */
	hconf_define(h, name,
	    w->n == 2 && w->v[1].len > 0 ? hconf_span_dup(w->v[1], h->pool)
					 : NULL);
}

static void
on_read(struct hconf_reading *r, const struct hconf_node *n,
    const struct hconf_origin *o)
{
	struct hconf *h = r->h;
	struct hconf_words w;
	apr_finfo_t fi;

	switch (n->id) {
	case HCONF_DEFINE:
	case HCONF_UNDEFINE:
	case HCONF_INCLUDE:
	case HCONF_INCLUDEOPTIONAL:
	case HCONF_USE:
	case HCONF_UNDEFMACRO:
	case HCONF_LOADMODULE:
	case HCONF_SERVERROOT: break;
	default: return;
	}
	hconf_words(n->args, &w, h->pool);
	switch (n->id) {
	case HCONF_DEFINE:
	case HCONF_UNDEFINE: defined(r, n->id, &w, o); break;
	case HCONF_INCLUDE: hconf_include(r, &w, o, false); break;
	case HCONF_INCLUDEOPTIONAL: hconf_include(r, &w, o, true); break;
	case HCONF_USE: hconf_use(r, &w, o, n->name, n->args); break;
	case HCONF_UNDEFMACRO:
		if (w.n == 1)
			apr_hash_set(h->macros, hconf_lower(w.v[0], h->pool),
			    APR_HASH_KEY_STRING, NULL);
		break;
	case HCONF_LOADMODULE:
		if (w.n != 2) {
			hconf_complain(h, o, r->htaccess, HCONF_ERROR,
			    "LoadModule takes a module and a file");
			break;
		}
		if (h->modules == NULL)
			h->modules = apr_hash_make(h->pool);
		apr_hash_set(h->modules, hconf_span_dup(w.v[0], h->pool),
		    APR_HASH_KEY_STRING, "");
		break;
	case HCONF_SERVERROOT:
		/* A copied configuration names a place that is not here. */
		if (w.n == 1 && h->options.server_root == NULL &&
		    !h->options.no_files &&
		    apr_stat(&fi, hconf_span_dup(w.v[0], h->pool),
			APR_FINFO_TYPE, h->pool) == APR_SUCCESS &&
		    fi.filetype == APR_DIR)
			h->server_root = hconf_span_dup(w.v[0], h->pool);
		break;
	default: break;
	}
}

const struct hconf_overrides hconf_overrides_all = { .classes =
							 HCONF_ALLOW_ALL };

bool
hconf_permitted(struct hconf_reading *r, const struct hconf_directive *d,
    const struct hconf_origin *o)
{
	bool section = d->kind != HCONF_DIRECTIVE;
	unsigned i;

	if (!r->htaccess || (d->allow & r->overrides->classes) != 0)
		return (true);
	/* httpd takes nothing into the list that is for the server alone. */
	for (i = 0; d->allow != HCONF_ALLOW_NEVER && i < r->overrides->list.n;
	     i++)
		if (hconf_span_is(r->overrides->list.v[i], d->name))
			return (true);
	/* These two look for themselves where they stand. */
	if (r->overrides->nonfatal && d->id != HCONF_DEFINE &&
	    d->id != HCONF_UNDEFINE)
		hconf_complain(r->h, o, true, HCONF_WARNING,
		    "%s%s%s is not allowed here, and passed over "
		    "(AllowOverride "
		    "Nonfatal)",
		    section ? "<" : "", d->name, section ? ">" : "");
	else
		hconf_complain(r->h, o, true, HCONF_ERROR,
		    "%s%s%s is not allowed here", section ? "<" : "", d->name,
		    section ? ">" : "");
	return (false);
}

/* A directive of the server's alone?  LiteSpeed reads over those. */
static bool
out_of_place(struct hconf_reading *r, struct hconf_span name,
    const struct hconf_origin *o)
{
	struct hconf_directive d = { .kind = HCONF_DIRECTIVE,
		.allow = HCONF_ALLOW_NEVER };

	d.name = hconf_server_only(name);
	return (d.name != NULL && !r->h->options.litespeed &&
		!hconf_permitted(r, &d, o));
}

void
hconf_logical(struct hconf_reading *r, struct hconf_span text,
    const struct hconf_origin *o)
{
	const struct hconf_directive *d;
	struct hconf_span name, args;
	struct hconf_node *n;
	bool expanded = false;
	const char *p, *e;

	if (text.len == 0 || *text.b == '#')
		return;
	if (r->raw) {
		/* Perl: nothing but its own end tag means anything. */
		if (!hconf_span_is(text, "</Perl>"))
			return;
		r->raw = false;
	}
	if (r->macro != NULL && !hconf_span_starts(text, "</Macro>")) {
		struct hconf_macro_line *ml = apr_array_push(r->macro->lines);

		*ml = (struct hconf_macro_line){ text, o->file, o->first,
			o->last, o->joined };
		return;
	}
	r->macro = NULL;
	if (r->used != NULL)
		expanded = true;
	if (!hconf_skipping(r))
		text = hconf_expand(r->h, text, &expanded);
	/* The name: most often plain, and then it is not copied. */
	p = text.b;
	e = p + text.len;
	while (p < e && !hconf_is_space(*p))
		p++;
	name = (struct hconf_span){ text.b, (size_t)(p - text.b) };
	args = (struct hconf_span){ p, (size_t)(e - p) };
	if (name.len > 0 && (*name.b == '"' || *name.b == '\'')) {
		args = text;
		if (!hconf_word(&args, &name, r->h->pool))
			return;
	} else {
		while (args.len > 0 && hconf_is_space(*args.b)) {
			args.b++;
			args.len--;
		}
	}
	if (name.len == 0)
		return;
	if (*name.b == '<') {
		name.b++;
		name.len--;
		if (name.len > 0 && *name.b == '/') {
			name.b++;
			name.len--;
			hconf_section_close(r, name, args, o);
		} else {
			hconf_section_open(r, name, args, o, expanded);
		}
		return;
	}
	if (hconf_skipping(r))
		return;
	d = hconf_directive_find(name);
	if (d != NULL && d->kind != HCONF_DIRECTIVE)
		d = NULL;
	if (d != NULL && !hconf_permitted(r, d, o))
		return;
	if (d == NULL && r->htaccess && out_of_place(r, name, o))
		return;
	if (d == NULL && r->h->options.known_only)
		return;
	n = hconf_node_new(r, d == NULL ? HCONF_OTHER : d->id, HCONF_DIRECTIVE,
	    name, args, o, expanded);
	if (d != NULL)
		on_read(r, n, o);
}

/* What is still open at the end of a file or macro. */
void
hconf_finish(struct hconf_reading *r, const char *what)
{
	struct hconf_open *t;

	while ((t = hconf_open_top(r)) != NULL) {
		struct hconf_origin o = { r->file, t->first, t->last, false };

		/*
		 * httpd reads on from an unclosed container that it resolves
		 * while reading, and takes the end of the file for its end.
		 */
		if (t->kind == HCONF_ON_READ)
			hconf_complain(r->h, &o, r->htaccess, HCONF_NOTE,
			    "<%.*s> is not closed at the end of the %s",
			    (int)t->name.len, t->name.b, what);
		else
			hconf_complain(r->h, &o, r->htaccess, HCONF_ERROR,
			    "<%.*s> is not closed at the end of the %s",
			    (int)t->name.len, t->name.b, what);
		hconf_open_pop(r);
	}
	r->macro = NULL;
	r->raw = false;
}

void
hconf_lines_read(struct hconf_reading *r, const char *b, size_t len)
{
	struct hconf_lines l;
	struct hconf_line line;
	unsigned nuls = 0, last_nul = 0;

	if (len >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0) {
		struct hconf_origin o = { r->file, 1, 1, false };

		hconf_complain(r->h, &o, r->htaccess, HCONF_ERROR,
		    "UTF-8 byte-order mark: httpd takes it for a part of the "
		    "first word; save the file without it");
		b += 3;
		len -= 3;
	}
	hconf_lines_init(
	    &l, b, len, r->htaccess ? HCONF_LINE_HTACCESS : HCONF_LINE_HTTPD);
	while (hconf_lines_next(&l, &line, r->h->pool)) {
		struct hconf_origin o = { r->file, line.first, line.last,
			line.joined };

		if (line.nul) {
			last_nul = line.first;
			if (nuls++ < NULS_TOLD)
				hconf_complain(r->h, &o, r->htaccess,
				    HCONF_WARNING,
				    "NUL byte: httpd does not see the rest of "
				    "the line");
		}
		if (line.too_long)
			hconf_complain(r->h, &o, r->htaccess, HCONF_ERROR,
			    "line of %lu bytes; httpd takes less than %lu",
			    (unsigned long)line.text.len,
			    (unsigned long)l.limit);
		hconf_logical(r, line.text, &o);
	}
	if (nuls > NULS_TOLD) {
		struct hconf_origin o = { r->file, last_nul, last_nul, false };

		hconf_complain(r->h, &o, r->htaccess, HCONF_WARNING,
		    "%u lines with NUL bytes: this is no configuration, but a "
		    "binary file or UTF-16; give another path, or save it as "
		    "UTF-8",
		    nuls);
	}
	hconf_finish(r, "file");
}

/* --- Doors --------------------------------------------------------------- */

void
hconf_create(struct hconf **ret, const struct hconf_options *options,
    apr_pool_t *result_pool)
{
	struct hconf *h = apr_pcalloc(result_pool, sizeof *h);
	const char *const *d;

	assert(options->nversions <= HCONF_VERSIONS_MAX);
	h->pool = result_pool;
	h->options = *options;
	h->server_root = options->server_root;
	h->block = 16;
	h->vars = apr_hash_make(result_pool);
	h->valued = apr_hash_make(result_pool);
	h->macros = apr_hash_make(result_pool);
	h->problems =
	    apr_array_make(result_pool, 4, sizeof(struct hconf_problem));
	h->files = apr_array_make(result_pool, 8, sizeof(const char *));
	h->texts = apr_array_make(result_pool, 8, sizeof(struct hconf_text));
	for (d = options->defines; d != NULL && *d != NULL; d++) {
		const char *eq = strchr(*d, '=');

		if (eq == NULL)
			hconf_define(h, *d, NULL);
		else
			hconf_define(h,
			    apr_pstrmemdup(result_pool, *d, (size_t)(eq - *d)),
			    eq + 1);
	}
	*ret = h;
}

void
hconf_read_bytes(struct hconf *h, const char *name, const char *b, size_t len,
    const struct hconf_overrides *overrides, struct hconf_node **ret)
{
	struct hconf_node *root = apr_pcalloc(h->pool, sizeof *root);
	struct hconf_reading r = {
		.h = h,
		.file = apr_pstrdup(h->pool, name),
		.htaccess = overrides != NULL,
		.overrides = overrides,
		.parent = root,
		.versions = h->options.nversions == 0
				? 1
				: (1U << h->options.nversions) - 1,
		.opens = apr_array_make(h->pool, 8, sizeof(struct hconf_open)),
	};

	root->kind = HCONF_CONTAINER;
	root->file = r.file;
	root->htaccess = r.htaccess;
	root->versions = r.versions;
	APR_ARRAY_PUSH(h->files, const char *) = r.file;
	APR_ARRAY_PUSH(h->texts, struct hconf_text) =
	    (struct hconf_text){ r.file, b, len };
	h->bytes += len;
	h->told_budget = false;
	hconf_lines_read(&r, b, len);
	*ret = root;
}

static apr_status_t
read_path(struct hconf *h, const char *path,
    const struct hconf_overrides *overrides, struct hconf_node **ret,
    apr_pool_t *scratch_pool)
{
	const char *b, *slash;
	size_t len;
	apr_status_t rv;

	(void)scratch_pool;
	rv = hconf_slurp(path, &b, &len, h->pool);
	if (rv != APR_SUCCESS)
		return (rv);
	if (h->server_root == NULL && overrides == NULL) {
		slash = strrchr(path, '/');
		h->server_root = slash == NULL ? "."
					       : apr_pstrmemdup(h->pool, path,
						     (size_t)(slash - path));
		if (*h->server_root == '\0')
			h->server_root = "/";
	}
	hconf_read_bytes(h, path, b, len, overrides, ret);
	return (APR_SUCCESS);
}

apr_status_t
hconf_read(struct hconf *h, const char *path, struct hconf_node **ret,
    apr_pool_t *scratch_pool)
{
	return (read_path(h, path, NULL, ret, scratch_pool));
}

apr_status_t
hconf_read_htaccess(struct hconf *h, const char *path,
    const struct hconf_overrides *overrides, struct hconf_node **ret,
    apr_pool_t *scratch_pool)
{
	return (read_path(h, path, overrides, ret, scratch_pool));
}

const apr_array_header_t *
hconf_problems(const struct hconf *h)
{
	return (h->problems);
}

const apr_array_header_t *
hconf_files(const struct hconf *h)
{
	return (h->files);
}

const apr_array_header_t *
hconf_texts(const struct hconf *h)
{
	return (h->texts);
}

size_t
hconf_bytes(const struct hconf *h)
{
	return (h->bytes);
}

const char *
hconf_server_root(const struct hconf *h)
{
	return (h->server_root);
}
