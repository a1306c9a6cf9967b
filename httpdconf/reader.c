/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/tree.h"

#include <assert.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_fnmatch.h>
#include <apr_hash.h>
#include <apr_strings.h>

/* httpd's own limit of nested inclusion; and ours on what nesting multiplies. */
#define DEPTH_MAX   128
#define NESTING_MAX 200
#define FILES_MAX   100000
#define MACRO_MAX   1000000
/* More than any real file, less than what fills the memory. */
#define FILE_SIZE_MAX (256 * 1024 * 1024)

struct macro_line {
	struct hconf_span text;
	const char *file;
	unsigned first, last;
	bool joined;
};

struct macro {
	const char *name;
	struct hconf_words params;
	apr_array_header_t *lines; /* struct macro_line */
	const char *file;
	unsigned line;
	bool in_use;
};

struct hconf {
	apr_pool_t *pool;
	struct hconf_options options;
	const char *server_root;
	apr_hash_t *vars;    /* name -> value, "" where Define gave none */
	apr_hash_t *valued;  /* name -> value, what ${} can be replaced by */
	apr_hash_t *macros;  /* lower-case name -> struct macro */
	apr_hash_t *modules; /* lower-case; NULL while nothing is known */
	apr_array_header_t *problems, *files;
	apr_array_header_t *texts; /* struct hconf_text */
	size_t bytes;
	unsigned depth, nfiles, nmacro;
	bool told_budget;
};

/* A container that was opened and not yet closed. */
struct open {
	struct hconf_span name;
	struct hconf_node *node; /* NULL: dissolved, or skipped */
	enum hconf_kind kind;
	unsigned first, last, versions;
	bool skip;
};

/* One file, or one use of a macro: containers have to close within it. */
struct reading {
	struct hconf *h;
	const char *file;
	bool htaccess;
	unsigned allow;
	struct hconf_node *parent;
	unsigned versions;
	const struct hconf_node *used;
	apr_array_header_t *opens; /* struct open */
	struct macro *macro;       /* being defined */
	bool raw;                  /* in <Perl>: not our language */
};

/* Where a logical line came from. */
struct origin {
	const char *file;
	unsigned first, last;
	bool joined;
};

static void lines(struct reading *, const char *b, size_t len);
static void
logical(struct reading *, struct hconf_span text, const struct origin *);

static void
problem(struct hconf *, const struct origin *, bool htaccess, enum hconf_level,
    const char *fmt, ...) __attribute__((__format__(__printf__, 5, 6)));

static void
problem(struct hconf *h, const struct origin *o, bool htaccess,
    enum hconf_level level, const char *fmt, ...)
{
	struct hconf_problem *p = apr_array_push(h->problems);
	va_list ap;

	p->file = o->file;
	p->first = o->first;
	p->last = o->last;
	p->level = level;
	p->htaccess = htaccess;
	va_start(ap, fmt);
	p->text = apr_pvsprintf(h->pool, fmt, ap);
	va_end(ap);
}

static char *
lower(struct hconf_span s, apr_pool_t *pool)
{
	char *r = hconf_span_dup(s, pool), *p;

	for (p = r; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + ('a' - 'A'));
	return (r);
}

/* ${NAME}, on the whole line and before it is cut into words. */
static struct hconf_span
expand(struct hconf *h, struct hconf_span s, bool *ret_changed)
{
	const char *p = s.b, *e = s.b + s.len, *from = s.b;
	apr_array_header_t *parts = NULL;
	size_t len = 0;
	char *buf, *w;
	int i;

	while (p < e && (p = memchr(p, '$', (size_t)(e - p))) != NULL) {
		const char *close, *value;
		size_t n;

		if (p + 1 >= e || p[1] != '{') {
			p++;
			continue;
		}
		close = memchr(p + 2, '}', (size_t)(e - p - 2));
		if (close == NULL)
			break;
		n = (size_t)(close - p - 2);
		value = apr_hash_get(h->valued, p + 2, (apr_ssize_t)n);
		if (value == NULL) {
			/* Unknown, or a RewriteMap's: stays as it stands. */
			p++;
			continue;
		}
		if (parts == NULL)
			parts = apr_array_make(
			    h->pool, 4, sizeof(struct hconf_span));
		APR_ARRAY_PUSH(parts, struct hconf_span) =
		    (struct hconf_span){ from, (size_t)(p - from) };
		APR_ARRAY_PUSH(parts, struct hconf_span) =
		    (struct hconf_span){ value, strlen(value) };
		p = from = close + 1;
	}
	if (parts == NULL)
		return (s);
	APR_ARRAY_PUSH(parts, struct hconf_span) =
	    (struct hconf_span){ from, (size_t)(e - from) };
	for (i = 0; i < parts->nelts; i++)
		len += APR_ARRAY_IDX(parts, i, struct hconf_span).len;
	buf = w = apr_palloc(h->pool, len + 1);
	for (i = 0; i < parts->nelts; i++) {
		struct hconf_span q =
		    APR_ARRAY_IDX(parts, i, struct hconf_span);

		memcpy(w, q.b, q.len);
		w += q.len;
	}
	*w = '\0';
	*ret_changed = true;
	return ((struct hconf_span){ buf, len });
}

void
hconf_define(struct hconf *h, const char *name, const char *value)
{
	name = apr_pstrdup(h->pool, name);
	apr_hash_set(h->vars, name, APR_HASH_KEY_STRING,
	    apr_pstrdup(h->pool, value != NULL ? value : ""));
	if (value != NULL)
		apr_hash_set(h->valued, name, APR_HASH_KEY_STRING,
		    apr_pstrdup(h->pool, value));
}

/* --- Containers that are resolved while reading -------------------------- */

/*
 * "mod_rewrite.c" and "rewrite_module" are one module.  Where no LoadModule was
 * seen nothing is known, and a module is taken to be there: a file written for
 * it is about what happens then.
 */
static bool
module_there(struct hconf *h, struct hconf_span name)
{
	/* Linked into the program by Debian and Red Hat alike. */
	static const char *const builtin[] = { "core", "http_core", "mod_so",
		"mod_log_config", "mod_logio", "mod_version", "mod_unixd",
		"mod_watchdog", NULL };
	char *s;
	size_t n;
	int i;

	if (h->modules == NULL)
		return (true);
	s = lower(name, h->pool);
	n = strlen(s);
	if (n > 2 && strcmp(s + n - 2, ".c") == 0) {
		s[n - 2] = '\0';
		for (i = 0; builtin[i] != NULL; i++)
			if (strcmp(s, builtin[i]) == 0)
				return (true);
		if (strncmp(s, "mod_", 4) == 0)
			s += 4;
		s = apr_pstrcat(h->pool, s, "_module", NULL);
	} else {
		for (i = 0; builtin[i] != NULL; i++)
			if (strncmp(builtin[i], "mod_", 4) == 0 &&
			    strncmp(s, builtin[i] + 4,
				strlen(builtin[i] + 4)) == 0 &&
			    strcmp(s + strlen(builtin[i] + 4), "_module") == 0)
				return (true);
	}
	return (apr_hash_get(h->modules, s, APR_HASH_KEY_STRING) != NULL);
}

static bool
number(const char **p, const char *e, int *ret)
{
	int v = 0;

	if (*p >= e || **p < '0' || **p > '9')
		return (false);
	for (; *p < e && **p >= '0' && **p <= '9'; (*p)++)
		if (v < 10000)
			v = v * 10 + (**p - '0');
	*ret = v;
	return (true);
}

bool
hconf_version_parse(struct hconf_span s, int *ret)
{
	const char *p = s.b, *e = s.b + s.len;
	int v[3] = { 0, 0, 0 }, i;

	for (i = 0; i < 3; i++) {
		if (!number(&p, e, &v[i]) || v[i] > 99)
			return (false);
		if (p == e) {
			*ret = HCONF_VERSION(v[0], v[1], v[2]);
			return (true);
		}
		if (*p++ != '.')
			return (false);
	}
	return (false);
}

static bool
version_holds(const char *op, const char *arg, int version, bool *ret_bad)
{
	int v = 0;
	bool regex = *arg == '/' || strcmp(op, "~") == 0;

	if (regex) {
		char text[32], *pat = strdup(*arg == '/' ? arg + 1 : arg);
		regex_t re;
		bool hit;
		size_t n;

		if (pat == NULL)
			abort();
		n = strlen(pat);
		if (*arg == '/' && n > 0 && pat[n - 1] == '/')
			pat[n - 1] = '\0';
		(void)apr_snprintf(text, sizeof text, "%d.%d.%d",
		    version / 10000, version / 100 % 100, version % 100);
		*ret_bad = regcomp(&re, pat, REG_EXTENDED | REG_NOSUB) != 0;
		free(pat);
		if (*ret_bad)
			return (false);
		hit = regexec(&re, text, 0, NULL, 0) == 0;
		regfree(&re);
		return (hit);
	}
	*ret_bad =
	    !hconf_version_parse((struct hconf_span){ arg, strlen(arg) }, &v);
	if (*ret_bad)
		return (false);
	if (strcmp(op, "=") == 0 || strcmp(op, "==") == 0)
		return (version == v);
	if (strcmp(op, ">") == 0)
		return (version > v);
	if (strcmp(op, ">=") == 0)
		return (version >= v);
	if (strcmp(op, "<") == 0)
		return (version < v);
	if (strcmp(op, "<=") == 0)
		return (version <= v);
	*ret_bad = true;
	return (false);
}

/* Which of the versions the arguments of <IfVersion> let through. */
static unsigned
versions_through(
    struct reading *r, const struct hconf_words *w, const struct origin *o)
{
	const struct hconf_options *opt = &r->h->options;
	const char *op = "=", *arg;
	bool no = false, bad = false;
	unsigned i, m = 0;

	if (w->n == 1) {
		arg = hconf_span_dup(w->v[0], r->h->pool);
	} else if (w->n == 2) {
		op = hconf_span_dup(w->v[0], r->h->pool);
		arg = hconf_span_dup(w->v[1], r->h->pool);
	} else {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "<IfVersion> takes an operator and a version");
		return (0);
	}
	if (w->n == 1 && *arg == '!') {
		no = true;
		arg++;
	} else if (*op == '!') {
		no = true;
		op++;
		if (*op == '\0')
			op = "=";
	}
	if (opt->nversions == 0)
		return (r->versions);
	for (i = 0; i < opt->nversions && !bad; i++)
		if (version_holds(op, arg, opt->versions[i], &bad) != no)
			m |= 1U << i;
	if (bad) {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "<IfVersion>: cannot read \"%s %s\"", op, arg);
		return (0);
	}
	return (m);
}

static const char *
rooted(struct hconf *h, const char *path, apr_pool_t *pool)
{
	char *ret;

	if (*path == '/')
		return (path);
	if (apr_filepath_merge(&ret,
		h->server_root != NULL ? h->server_root : ".", path,
		APR_FILEPATH_TRUENAME * 0, pool) != APR_SUCCESS)
		return (path);
	return (ret);
}

/* The versions that see what is inside; 0 skips it. */
static unsigned
resolve(struct reading *r, const struct hconf_directive *d,
    struct hconf_span args, const struct origin *o)
{
	struct hconf *h = r->h;
	struct hconf_words w;
	struct hconf_span a;
	apr_finfo_t fi;
	bool no = false, yes;

	hconf_words(args, &w, h->pool);
	if (d->id == HCONF_IFVERSION)
		return (r->versions & versions_through(r, &w, o));
	if (w.n == 0) {
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "<%s> needs an argument", d->name);
		return (0);
	}
	a = w.v[0];
	if (a.len > 0 && *a.b == '!') {
		no = true;
		a.b++;
		a.len--;
	}
	switch (d->id) {
	case HCONF_IFMODULE: yes = module_there(h, a); break;
	case HCONF_IFDEFINE:
		yes = apr_hash_get(h->vars, a.b, (apr_ssize_t)a.len) != NULL;
		break;
	case HCONF_IFFILE:
		yes = !h->options.no_files &&
		      apr_stat(&fi,
			  rooted(h, hconf_span_dup(a, h->pool), h->pool),
			  APR_FINFO_TYPE, h->pool) == APR_SUCCESS;
		break;
	case HCONF_IFDIRECTIVE:
	case HCONF_IFSECTION:
	default:
		/* Which modules bring which names is beyond this reader. */
		yes = true;
		break;
	}
	return (yes != no ? r->versions : 0);
}

/* --- The tree ------------------------------------------------------------ */

static struct hconf_node *
node_new(struct reading *r, enum hconf_id id, enum hconf_kind kind,
    struct hconf_span name, struct hconf_span args, const struct origin *o,
    bool expanded)
{
	struct hconf_node *n = apr_palloc(r->h->pool, sizeof *n);

	n->id = id;
	n->kind = kind;
	n->name = name;
	n->args = args;
	n->file = o->file;
	n->first = o->first;
	n->last = o->last;
	n->versions = r->versions;
	n->htaccess = r->htaccess;
	n->joined = o->joined;
	n->expanded = expanded;
	n->used = r->used;
	n->parent = r->parent;
	n->child = n->next = n->tail = NULL;
	if (r->parent->tail == NULL)
		r->parent->child = n;
	else
		r->parent->tail->next = n;
	r->parent->tail = n;
	return (n);
}

static struct open *
top(struct reading *r)
{
	return (r->opens->nelts == 0 ? NULL
				     : &APR_ARRAY_IDX(r->opens,
					   r->opens->nelts - 1, struct open));
}

static bool
skipping(struct reading *r)
{
	const struct open *t = top(r);

	return (t != NULL && t->skip);
}

static void
push(struct reading *r, struct hconf_span name, enum hconf_kind kind,
    struct hconf_node *node, bool skip, const struct origin *o)
{
	struct open *n = apr_array_push(r->opens);

	n->name = name;
	n->node = node;
	n->kind = kind;
	n->first = o->first;
	n->last = o->last;
	n->versions = r->versions;
	n->skip = skip;
	if (node != NULL)
		r->parent = node;
}

static void
pop(struct reading *r)
{
	struct open *t = apr_array_pop(r->opens);

	r->versions = t->versions;
	if (t->node != NULL)
		r->parent = t->node->parent;
}

static void
container_open(struct reading *r, struct hconf_span name,
    struct hconf_span args, const struct origin *o, bool expanded)
{
	const struct hconf_directive *d;
	const char *gt;
	struct hconf_node *n;
	bool closed = false;

	if (name.len > 0 && name.b[name.len - 1] == '>') {
		name.len--;
		closed = true;
		args.len = 0;
	} else {
		for (gt = args.b + args.len; gt > args.b && gt[-1] != '>';)
			gt--;
		if (gt > args.b) {
			closed = true;
			args.len = (size_t)(gt - args.b - 1);
			while (args.len > 0 &&
			       hconf_is_space(args.b[args.len - 1]))
				args.len--;
		}
	}
	if (skipping(r)) {
		push(r, name, HCONF_CONTAINER, NULL, true, o);
		return;
	}
	if (name.len == 0) {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "\"<\" without a name right after it");
		return;
	}
	if (r->opens->nelts >= NESTING_MAX) {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "sections nested more than %d deep", NESTING_MAX);
		push(r, name, HCONF_CONTAINER, NULL, true, o);
		return;
	}
	d = hconf_directive_find(name);
	if (d != NULL && d->kind == HCONF_DIRECTIVE)
		d = NULL;
	if (!closed)
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "<%.*s> lacks its closing '>'", (int)name.len, name.b);
	if (d != NULL && r->htaccess && (d->allow & r->allow) == 0) {
		problem(r->h, o, true, HCONF_ERROR, "<%s> is not allowed here",
		    d->name);
		push(r, name, d->kind, NULL, true, o);
		return;
	}
	if (d != NULL && d->id == HCONF_MACRO) {
		struct hconf_words w;
		struct macro *m;

		hconf_words(args, &w, r->h->pool);
		push(r, name, d->kind, NULL, true, o);
		if (w.n == 0) {
			problem(r->h, o, r->htaccess, HCONF_ERROR,
			    "<Macro> needs a name");
			return;
		}
		m = apr_pcalloc(r->h->pool, sizeof *m);
		m->name = lower(w.v[0], r->h->pool);
		m->params = (struct hconf_words){ w.v + 1, w.n - 1 };
		m->lines =
		    apr_array_make(r->h->pool, 8, sizeof(struct macro_line));
		m->file = o->file;
		m->line = o->first;
		apr_hash_set(r->h->macros, m->name, APR_HASH_KEY_STRING, m);
		r->macro = m;
		return;
	}
	if (d != NULL && d->id == HCONF_PERL) {
		problem(r->h, o, r->htaccess, HCONF_NOTE,
		    "<Perl> makes configuration that is not read here");
		push(r, name, d->kind, NULL, true, o);
		r->raw = true;
		return;
	}
	if (d != NULL && d->kind == HCONF_ON_READ) {
		unsigned v = resolve(r, d, args, o);

		push(r, name, d->kind, NULL, v == 0, o);
		if (v != 0)
			r->versions = v;
		return;
	}
	n = node_new(r, d == NULL ? HCONF_OTHER : d->id, HCONF_CONTAINER, name,
	    args, o, expanded);
	push(r, name, HCONF_CONTAINER, n, false, o);
}

static void
container_close(struct reading *r, struct hconf_span name,
    struct hconf_span args, const struct origin *o)
{
	bool quiet = skipping(r);
	int i;

	if (name.len > 0 && name.b[name.len - 1] == '>') {
		name.len--;
		if (args.len > 0 && !quiet)
			problem(r->h, o, r->htaccess, HCONF_ERROR,
			    "text after </%.*s>", (int)name.len, name.b);
	} else if (!quiet) {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s lacks its closing '>'", (int)name.len, name.b);
	}
	for (i = r->opens->nelts - 1; i >= 0; i--)
		if (hconf_span_eq(
			APR_ARRAY_IDX(r->opens, i, struct open).name, name))
			break;
	if (i < 0) {
		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s> without a <%.*s> before it", (int)name.len, name.b,
		    (int)name.len, name.b);
		return;
	}
	if (i != r->opens->nelts - 1) {
		const struct open *t =
		    &APR_ARRAY_IDX(r->opens, r->opens->nelts - 1, struct open);

		problem(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s> comes before </%.*s>, which line %u opened",
		    (int)name.len, name.b, (int)t->name.len, t->name.b,
		    t->first);
	}
	while (r->opens->nelts > i)
		pop(r);
}

/* --- Include ------------------------------------------------------------- */

static void include_path(struct reading *, const char *path, unsigned depth,
    const struct origin *, unsigned *found, bool optional);

static void
include_file(struct reading *r, const char *path, const struct origin *o)
{
	struct hconf *h = r->h;
	struct reading in = *r;
	const char *b;
	size_t len;
	apr_status_t rv;

	if (h->depth >= DEPTH_MAX || h->nfiles >= FILES_MAX) {
		if (!h->told_budget)
			problem(h, o, r->htaccess, HCONF_ERROR,
			    "%s: included too often; does a file include "
			    "itself?",
			    path);
		h->told_budget = true;
		return;
	}
	rv = hconf_slurp(path, &b, &len, h->pool);
	if (rv != APR_SUCCESS) {
		char msg[128];

		problem(h, o, r->htaccess, HCONF_ERROR, "%s: %s", path,
		    apr_strerror(rv, msg, sizeof msg));
		return;
	}
	h->nfiles++;
	h->bytes += len;
	APR_ARRAY_PUSH(h->files, const char *) = path;
	APR_ARRAY_PUSH(h->texts, struct hconf_text) =
	    (struct hconf_text){ path, b, len };
	in.file = path;
	in.opens = apr_array_make(h->pool, 4, sizeof(struct open));
	h->depth++;
	lines(&in, b, len);
	h->depth--;
}

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(const char *const *)a, *(const char *const *)b));
}

/* The entries of a directory that match, sorted as httpd sorts them. */
static apr_status_t
entries(struct hconf *h, const char *dir, const char *pattern,
    apr_array_header_t **ret)
{
	apr_pool_t *sub;
	apr_dir_t *d;
	apr_finfo_t fi;
	apr_status_t rv;

	apr_pool_create(&sub, h->pool);
	rv = apr_dir_open(&d, dir, sub);
	if (rv == APR_SUCCESS) {
		*ret = apr_array_make(h->pool, 16, sizeof(const char *));
		while (apr_dir_read(&fi, APR_FINFO_NAME, d) == APR_SUCCESS) {
			if (strcmp(fi.name, ".") == 0 ||
			    strcmp(fi.name, "..") == 0)
				continue;
			if (pattern != NULL &&
			    apr_fnmatch(pattern, fi.name, APR_FNM_PERIOD) !=
				APR_SUCCESS)
				continue;
			APR_ARRAY_PUSH(*ret, const char *) =
			    apr_pstrdup(h->pool, fi.name);
		}
		apr_dir_close(d);
		qsort((*ret)->elts, (size_t)(*ret)->nelts, sizeof(const char *),
		    by_name);
	}
	apr_pool_destroy(sub);
	return (rv);
}

static void
include_path(struct reading *r, const char *path, unsigned depth,
    const struct origin *o, unsigned *found, bool optional)
{
	struct hconf *h = r->h;
	apr_finfo_t fi;
	apr_array_header_t *names;
	apr_status_t rv;
	int i;

	if (strncmp(path, "./", 2) == 0)
		path += 2;
	rv = apr_stat(&fi, path, APR_FINFO_TYPE, h->pool);
	if (rv != APR_SUCCESS && APR_STATUS_IS_ENOENT(rv) && optional)
		return;
	if (rv == APR_SUCCESS && fi.filetype == APR_DIR && depth < DEPTH_MAX) {
		rv = entries(h, path, NULL, &names);
		if (rv == APR_SUCCESS) {
			(*found)++;
			for (i = 0; i < names->nelts; i++)
				include_path(r,
				    apr_pstrcat(h->pool, path, "/",
					APR_ARRAY_IDX(names, i, const char *),
					NULL),
				    depth + 1, o, found, false);
			return;
		}
	}
	(*found)++;
	include_file(r, path, o);
}

/* The path one component further: "base" has no wildcard any more. */
static void
include_glob(struct reading *r, const char *base, const char *rest,
    const struct origin *o, unsigned *found, bool optional)
{
	struct hconf *h = r->h;
	const char *slash;
	char *part;
	apr_array_header_t *names;
	int i;

	while (*rest == '/')
		rest++;
	if (*rest == '\0') {
		include_path(r, base, 0, o, found, optional);
		return;
	}
	slash = strchr(rest, '/');
	part = slash == NULL
		   ? apr_pstrdup(h->pool, rest)
		   : apr_pstrmemdup(h->pool, rest, (size_t)(slash - rest));
	rest = slash == NULL ? "" : slash;
	if (!apr_fnmatch_test(part)) {
		include_glob(r, apr_pstrcat(h->pool, base, "/", part, NULL),
		    rest, o, found, optional);
		return;
	}
	if (entries(h, *base == '\0' ? "/" : base, part, &names) != APR_SUCCESS)
		return;
	for (i = 0; i < names->nelts; i++)
		include_glob(r,
		    apr_pstrcat(h->pool, base, "/",
			APR_ARRAY_IDX(names, i, const char *), NULL),
		    rest, o, found, optional);
}

static void
include(struct reading *r, const struct hconf_words *w, const struct origin *o,
    bool optional)
{
	struct hconf *h = r->h;
	const char *path;
	unsigned found = 0;

	if (w->n != 1) {
		problem(h, o, r->htaccess, HCONF_ERROR, "%s takes one argument",
		    optional ? "IncludeOptional" : "Include");
		return;
	}
	if (h->options.no_files)
		return;
	path = rooted(h, hconf_span_dup(w->v[0], h->pool), h->pool);
	include_glob(r, *path == '/' ? "" : ".", path, o, &found,
	    optional || apr_fnmatch_test(path));
	if (found == 0 && !optional)
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "Include: nothing matches %s", path);
}

/* --- Macro --------------------------------------------------------------- */

/* The longest parameter that stands at p wins, as in mod_macro. */
static struct hconf_span
substitute(struct hconf *h, struct hconf_span s, const struct macro *m,
    const struct hconf_words *values)
{
	apr_array_header_t *out = NULL;
	const char *p, *e = s.b + s.len;

	for (p = s.b; p < e;) {
		const struct hconf_span *hit = NULL;
		unsigned i, at = 0;

		for (i = 0; i < m->params.n; i++) {
			const struct hconf_span *q = &m->params.v[i];

			if (q->len > 0 && q->len <= (size_t)(e - p) &&
			    memcmp(p, q->b, q->len) == 0 &&
			    (hit == NULL || q->len > hit->len)) {
				hit = q;
				at = i;
			}
		}
		if (hit == NULL) {
			if (out != NULL)
				APR_ARRAY_PUSH(out, char) = *p;
			p++;
			continue;
		}
		if (out == NULL) {
			out = apr_array_make(
			    h->pool, (int)s.len + 32, sizeof(char));
			for (const char *c = s.b; c < p; c++)
				APR_ARRAY_PUSH(out, char) = *c;
		}
		for (size_t k = 0; k < values->v[at].len; k++)
			APR_ARRAY_PUSH(out, char) = values->v[at].b[k];
		p += hit->len;
	}
	return (out == NULL
		    ? s
		    : (struct hconf_span){ out->elts, (size_t)out->nelts });
}

static void finish(struct reading *, const char *what);

static void
use(struct reading *r, const struct hconf_words *w, const struct origin *o,
    struct hconf_span name, struct hconf_span args)
{
	struct hconf *h = r->h;
	struct macro *m;
	struct reading in = *r;
	struct hconf_words values;
	struct hconf_node *site;
	int i;

	if (w->n == 0) {
		problem(h, o, r->htaccess, HCONF_ERROR, "Use needs a name");
		return;
	}
	m = apr_hash_get(
	    h->macros, lower(w->v[0], h->pool), APR_HASH_KEY_STRING);
	if (m == NULL) {
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "Use: there is no macro \"%.*s\"", (int)w->v[0].len,
		    w->v[0].b);
		return;
	}
	values = (struct hconf_words){ w->v + 1, w->n - 1 };
	if (values.n != m->params.n) {
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "Use: macro \"%s\" takes %u arguments, not %u", m->name,
		    m->params.n, values.n);
		return;
	}
	if (m->in_use || h->depth >= DEPTH_MAX) {
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "Use: macro \"%s\" uses itself", m->name);
		return;
	}
	/* Not a part of the tree: what the text came through. */
	site = apr_pcalloc(h->pool, sizeof *site);
	site->id = HCONF_USE;
	site->name = name;
	site->args = args;
	site->file = o->file;
	site->first = o->first;
	site->last = o->last;
	site->used = r->used;
	in.used = site;
	in.opens = apr_array_make(h->pool, 4, sizeof(struct open));
	m->in_use = true;
	h->depth++;
	for (i = 0; i < m->lines->nelts; i++) {
		const struct macro_line *ml =
		    &APR_ARRAY_IDX(m->lines, i, struct macro_line);
		struct origin lo = { ml->file, ml->first, ml->last,
			ml->joined };

		if (h->nmacro++ >= MACRO_MAX) {
			if (!h->told_budget)
				problem(h, o, r->htaccess, HCONF_ERROR,
				    "macros expand to more than %d lines",
				    MACRO_MAX);
			h->told_budget = true;
			break;
		}
		logical(&in, substitute(h, ml->text, m, &values), &lo);
	}
	finish(&in, "macro");
	h->depth--;
	m->in_use = false;
}

/* --- Lines --------------------------------------------------------------- */

static void
defined(struct reading *r, enum hconf_id id, const struct hconf_words *w,
    const struct origin *o)
{
	struct hconf *h = r->h;
	char *name;

	if (w->n == 0 || w->n > (id == HCONF_DEFINE ? 2 : 1)) {
		problem(h, o, r->htaccess, HCONF_ERROR,
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
		problem(h, o, r->htaccess, HCONF_ERROR,
		    "Define: a name may not hold ':'");
		return;
	}
	hconf_define(
	    h, name, w->n == 2 ? hconf_span_dup(w->v[1], h->pool) : NULL);
}

static void
on_read(struct reading *r, const struct hconf_node *n, const struct origin *o)
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
	case HCONF_INCLUDE: include(r, &w, o, false); break;
	case HCONF_INCLUDEOPTIONAL: include(r, &w, o, true); break;
	case HCONF_USE: use(r, &w, o, n->name, n->args); break;
	case HCONF_UNDEFMACRO:
		if (w.n == 1)
			apr_hash_set(h->macros, lower(w.v[0], h->pool),
			    APR_HASH_KEY_STRING, NULL);
		break;
	case HCONF_LOADMODULE:
		if (w.n != 2) {
			problem(h, o, r->htaccess, HCONF_ERROR,
			    "LoadModule takes a module and a file");
			break;
		}
		if (h->modules == NULL)
			h->modules = apr_hash_make(h->pool);
		apr_hash_set(h->modules, lower(w.v[0], h->pool),
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

static void
logical(struct reading *r, struct hconf_span text, const struct origin *o)
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
		struct macro_line *ml = apr_array_push(r->macro->lines);

		*ml = (struct macro_line){ text, o->file, o->first, o->last,
			o->joined };
		return;
	}
	r->macro = NULL;
	if (r->used != NULL)
		expanded = true;
	if (!skipping(r))
		text = expand(r->h, text, &expanded);
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
			container_close(r, name, args, o);
		} else {
			container_open(r, name, args, o, expanded);
		}
		return;
	}
	if (skipping(r))
		return;
	d = hconf_directive_find(name);
	if (d != NULL && d->kind != HCONF_DIRECTIVE)
		d = NULL;
	if (d != NULL && r->htaccess && (d->allow & r->allow) == 0) {
		problem(r->h, o, true, HCONF_ERROR, "%s is not allowed here",
		    d->name);
		return;
	}
	if (d == NULL && r->h->options.known_only)
		return;
	n = node_new(r, d == NULL ? HCONF_OTHER : d->id, HCONF_DIRECTIVE, name,
	    args, o, expanded);
	if (d != NULL)
		on_read(r, n, o);
}

/* What is still open at the end of a file or macro. */
static void
finish(struct reading *r, const char *what)
{
	struct open *t;

	while ((t = top(r)) != NULL) {
		struct origin o = { r->file, t->first, t->last, false };

		/*
		 * httpd reads on from an unclosed container that it resolves
		 * while reading, and takes the end of the file for its end.
		 */
		if (t->kind == HCONF_ON_READ)
			problem(r->h, &o, r->htaccess, HCONF_NOTE,
			    "<%.*s> is not closed at the end of the %s",
			    (int)t->name.len, t->name.b, what);
		else
			problem(r->h, &o, r->htaccess, HCONF_ERROR,
			    "<%.*s> is not closed at the end of the %s",
			    (int)t->name.len, t->name.b, what);
		pop(r);
	}
	r->macro = NULL;
	r->raw = false;
}

static void
lines(struct reading *r, const char *b, size_t len)
{
	struct hconf_lines l;
	struct hconf_line line;

	if (len >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0) {
		struct origin o = { r->file, 1, 1, false };

		problem(r->h, &o, r->htaccess, HCONF_ERROR,
		    "UTF-8 byte-order mark: httpd takes it for a part of the "
		    "first word; save the file without it");
		b += 3;
		len -= 3;
	}
	hconf_lines_init(
	    &l, b, len, r->htaccess ? HCONF_LINE_HTACCESS : HCONF_LINE_HTTPD);
	while (hconf_lines_next(&l, &line, r->h->pool)) {
		struct origin o = { r->file, line.first, line.last,
			line.joined };

		if (line.nul)
			problem(r->h, &o, r->htaccess, HCONF_WARNING,
			    "NUL byte: httpd does not see the rest of the "
			    "line");
		if (line.too_long)
			problem(r->h, &o, r->htaccess, HCONF_ERROR,
			    "line of %lu bytes; httpd takes less than %lu",
			    (unsigned long)line.text.len,
			    (unsigned long)l.limit);
		logical(r, line.text, &o);
	}
	finish(r, "file");
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

apr_status_t
hconf_slurp(const char *path, const char **ret, size_t *ret_len,
    apr_pool_t *result_pool)
{
	apr_file_t *f;
	apr_finfo_t fi;
	apr_status_t rv;
	apr_size_t got = 0;
	char *b;

	/* Looked at before it is opened: a FIFO would keep us waiting. */
	rv = apr_stat(&fi, path, APR_FINFO_TYPE | APR_FINFO_SIZE, result_pool);
	if (rv != APR_SUCCESS && rv != APR_INCOMPLETE)
		return (rv);
	if (fi.filetype == APR_DIR)
		return (APR_FROM_OS_ERROR(EISDIR));
	if (fi.filetype != APR_REG)
		return (APR_FROM_OS_ERROR(EINVAL));
	if (fi.size > FILE_SIZE_MAX)
		return (APR_FROM_OS_ERROR(EFBIG));
	rv = apr_file_open(&f, path, APR_FOPEN_READ | APR_FOPEN_BINARY,
	    APR_FPROT_OS_DEFAULT, result_pool);
	if (rv != APR_SUCCESS)
		return (rv);
	b = apr_palloc(result_pool, (apr_size_t)fi.size + 1);
	rv = apr_file_read_full(f, b, (apr_size_t)fi.size, &got);
	(void)apr_file_close(f);
	if (rv != APR_SUCCESS && !APR_STATUS_IS_EOF(rv))
		return (rv);
	b[got] = '\0';
	*ret = b;
	*ret_len = got;
	return (APR_SUCCESS);
}

void
hconf_read_bytes(struct hconf *h, const char *name, const char *b, size_t len,
    bool htaccess, unsigned allow, struct hconf_node **ret)
{
	struct hconf_node *root = apr_pcalloc(h->pool, sizeof *root);
	struct reading r = {
		.h = h,
		.file = apr_pstrdup(h->pool, name),
		.htaccess = htaccess,
		.allow = allow,
		.parent = root,
		.versions = h->options.nversions == 0
				? 1
				: (1U << h->options.nversions) - 1,
		.opens = apr_array_make(h->pool, 8, sizeof(struct open)),
	};

	root->kind = HCONF_CONTAINER;
	root->file = r.file;
	root->htaccess = htaccess;
	root->versions = r.versions;
	APR_ARRAY_PUSH(h->files, const char *) = r.file;
	APR_ARRAY_PUSH(h->texts, struct hconf_text) =
	    (struct hconf_text){ r.file, b, len };
	h->bytes += len;
	h->told_budget = false;
	lines(&r, b, len);
	*ret = root;
}

static apr_status_t
read_path(struct hconf *h, const char *path, bool htaccess, unsigned allow,
    struct hconf_node **ret, apr_pool_t *scratch_pool)
{
	const char *b, *slash;
	size_t len;
	apr_status_t rv;

	(void)scratch_pool;
	rv = hconf_slurp(path, &b, &len, h->pool);
	if (rv != APR_SUCCESS)
		return (rv);
	if (h->server_root == NULL && !htaccess) {
		slash = strrchr(path, '/');
		h->server_root = slash == NULL ? "."
					       : apr_pstrmemdup(h->pool, path,
						     (size_t)(slash - path));
		if (*h->server_root == '\0')
			h->server_root = "/";
	}
	hconf_read_bytes(h, path, b, len, htaccess, allow, ret);
	return (APR_SUCCESS);
}

apr_status_t
hconf_read(struct hconf *h, const char *path, struct hconf_node **ret,
    apr_pool_t *scratch_pool)
{
	return (read_path(h, path, false, 0, ret, scratch_pool));
}

apr_status_t
hconf_read_htaccess(struct hconf *h, const char *path, unsigned allow,
    struct hconf_node **ret, apr_pool_t *scratch_pool)
{
	return (read_path(h, path, true, allow, ret, scratch_pool));
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
