/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_file_info.h>
#include <apr_strings.h>

#include "httpdconf/tree.h"
#include "scan/judge.h"
#include "scan/model.h"
#include "scan/nginx.h"

/* Deeper than any document root; a loop of mounts ends here. */
#define WALK_DEPTH 64

struct run {
	const struct scan_request *request;
	struct scan_verdict verdict;
	apr_array_header_t *unread, *texts;
	const int *versions;
	unsigned nversions;
	unsigned eras;
	size_t files, bytes;
	apr_pool_t *pool;
	apr_status_t rv; /* of the first path that could not be read */
	unsigned read;
};

/* One server, or one tree of .htaccess files. */
struct site {
	struct run *run;
	struct hconf *conf;
	struct scan_model *model;
	const char *access_file;
	bool server; /* its configuration is known: overrides are, too */
};

const char *
scan_why(apr_status_t rv, char *buf, size_t len)
{
	/* What hconf_slurp() says of pipes and devices. */
	if (rv == APR_FROM_OS_ERROR(EINVAL))
		return ("not a regular file");
	return (apr_strerror(rv, buf, len));
}

static void
unread(struct run *r, const char *path, apr_status_t rv)
{
	struct scan_unread *u = apr_array_push(r->unread);
	char msg[128];

	u->path = apr_pstrdup(r->pool, path);
	u->why = apr_pstrdup(r->pool, scan_why(rv, msg, sizeof msg));
	if (r->rv == APR_SUCCESS)
		r->rv = rv;
}

static const char *
under(struct run *r, const char *dir, const char *name)
{
	size_t n = strlen(dir);

	return (apr_pstrcat(
	    r->pool, dir, n > 0 && dir[n - 1] == '/' ? "" : "/", name, NULL));
}

static bool
is_type(struct run *r, const char *path, apr_filetype_e type)
{
	apr_finfo_t fi;

	return (apr_stat(&fi, path, APR_FINFO_TYPE, r->pool) == APR_SUCCESS &&
		fi.filetype == type);
}

static void
site_open(struct run *r, struct site *ret, const char *server_root)
{
	struct hconf_options o = { .defines = r->request->defines,
		.server_root = r->request->server_root != NULL
				   ? r->request->server_root
				   : server_root,
		.versions = r->versions,
		.nversions = r->nversions,
		.litespeed = r->request->server == SCAN_SERVER_LITESPEED,
		.known_only = true };

	memset(ret, 0, sizeof *ret);
	ret->run = r;
	ret->access_file = ".htaccess";
	hconf_create(&ret->conf, &o, r->pool);
	scan_model_create(&ret->model, r->versions, r->nversions, r->pool);
	scan_model_serve(ret->model, r->request->server);
}

static void
site_close(struct site *s)
{
	struct run *r = s->run;

	scan_model_finish(s->model);
	scan_judge(&r->verdict, s->model, hconf_problems(s->conf),
	    hconf_texts(s->conf), r->pool);
	r->files += (size_t)hconf_files(s->conf)->nelts;
	r->bytes += hconf_bytes(s->conf);
	apr_array_cat(r->texts, hconf_texts(s->conf));
}

/* --- .htaccess, down a tree ---------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(const char *const *)a, *(const char *const *)b));
}

/* Of a file as a whole. */
static struct scan_finding *
add_finding(struct run *r, const char *path, enum scan_level level,
    const char *rule, const char *message)
{
	struct scan_finding *f = apr_array_push(r->verdict.findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->place =
	    (struct scan_place){ apr_pstrdup(r->pool, path), 1, 1, NULL, NULL };
	f->message = message;
	return (f);
}

/* A file whose author thinks that it does something. */
static void
not_read(struct run *r, const char *path)
{
	struct scan_finding *f;
	const char *b;
	size_t len;
	apr_status_t rv = hconf_slurp(path, &b, &len, r->pool);

	if (rv != APR_SUCCESS) {
		unread(r, path, rv);
		return;
	}
	r->read++;
	r->files++;
	r->bytes += len;
	f = add_finding(r, path, SCAN_WARNING, "conf-unread",
	    "nginx does not read .htaccess: nothing in it has an effect");
	f->fix = "say it in nginx's own configuration, and scan that";
}

static struct scan_scope *
htaccess(struct site *s, const char *path, const struct hconf_overrides *allow,
    struct scan_scope *parent)
{
	struct hconf_node *root;
	apr_status_t rv;

	if (s->run->request->server == SCAN_SERVER_NGINX) {
		not_read(s->run, path);
		return (parent);
	}
	rv = hconf_read_htaccess(s->conf, path, allow, &root, s->run->pool);
	if (rv != APR_SUCCESS) {
		unread(s->run, path, rv);
		return (parent);
	}
	s->run->read++;
	return (scan_model_add(s->model, root, parent));
}

static void
walk(struct site *s, const char *dir, struct scan_scope *parent, unsigned depth)
{
	struct run *r = s->run;
	apr_array_header_t *dirs = apr_array_make(r->pool, 8, sizeof(char *));
	apr_pool_t *sub;
	apr_dir_t *d;
	apr_finfo_t fi;
	apr_status_t rv;
	struct hconf_overrides *allow = NULL;
	const char *differ = NULL;
	bool here = false, counts = true;
	int i;

	apr_pool_create(&sub, r->pool);
	rv = apr_dir_open(&d, dir, sub);
	if (rv != APR_SUCCESS) {
		unread(r, dir, rv);
		apr_pool_destroy(sub);
		return;
	}
	for (;;) {
		rv = apr_dir_read(&fi, APR_FINFO_NAME | APR_FINFO_TYPE, d);
		if (rv != APR_SUCCESS && rv != APR_INCOMPLETE)
			break;
		if (strcmp(fi.name, s->access_file) == 0)
			here = true;
		/* Links are not followed: they may lead in circles. */
		if ((fi.valid & APR_FINFO_TYPE) != 0 &&
		    fi.filetype == APR_DIR && strcmp(fi.name, ".") != 0 &&
		    strcmp(fi.name, "..") != 0)
			APR_ARRAY_PUSH(dirs, char *) =
			    apr_pstrdup(r->pool, fi.name);
	}
	apr_pool_destroy(sub);
	if (s->server) {
		/* The tree of the file keeps pointing to it. */
		allow = apr_palloc(r->pool, sizeof *allow);
		counts = scan_model_allow(s->model, dir, allow, &differ);
		parent = scan_model_enter(s->model, dir, parent);
	}
	if (here && counts && differ != NULL)
		add_finding(r, under(r, dir, s->access_file), SCAN_NOTE,
		    "conf-error", differ);
	if (here && counts)
		parent = htaccess(s, under(r, dir, s->access_file),
		    s->server ? allow : &hconf_overrides_all, parent);
	if (depth == WALK_DEPTH)
		return;
	qsort(dirs->elts, (size_t)dirs->nelts, sizeof(char *), by_name);
	for (i = 0; i < dirs->nelts; i++)
		walk(s, under(r, dir, APR_ARRAY_IDX(dirs, i, char *)), parent,
		    depth + 1);
}

/* --- A server's configuration -------------------------------------------- */

/*
 * Debian starts httpd with the variables of this shell script.  What a shell
 * would have to work out stays unknown.
 */
static void
envvars(struct site *s, const char *path)
{
	const char *b, *p, *e;
	size_t len;

	if (hconf_slurp(path, &b, &len, s->run->pool) != APR_SUCCESS)
		return;
	for (p = b; p < b + len; p = e + 1) {
		const char *eq, *name, *value;

		e = memchr(p, '\n', (size_t)(b + len - p));
		if (e == NULL)
			e = b + len;
		if (e - p < 8 || strncmp(p, "export ", 7) != 0)
			continue;
		name = p + 7;
		eq = memchr(name, '=', (size_t)(e - name));
		if (eq == NULL)
			continue;
		name = apr_pstrmemdup(s->run->pool, name, (size_t)(eq - name));
		value =
		    apr_pstrmemdup(s->run->pool, eq + 1, (size_t)(e - eq - 1));
		/* $SUFFIX is empty for the one instance most hosts have. */
		if (strlen(value) >= 7 &&
		    strcmp(value + strlen(value) - 7, "$SUFFIX") == 0)
			value = apr_pstrmemdup(
			    s->run->pool, value, strlen(value) - 7);
		if (strpbrk(value, "$`\"'(") == NULL)
			hconf_define(s->conf, name, value);
	}
}

static bool
covered(const apr_array_header_t *roots, int at)
{
	const char *root = APR_ARRAY_IDX(roots, at, const char *);
	int i;

	for (i = 0; i < roots->nelts; i++) {
		const char *o = APR_ARRAY_IDX(roots, i, const char *);
		size_t n = strlen(o);

		if (i != at && strncmp(o, root, n) == 0 &&
		    (root[n] == '/' || (root[n] == '\0' && i < at)))
			return (true);
	}
	return (false);
}

static void
server(struct run *r, const char *path, const char *root)
{
	struct site s;
	struct hconf_node *tree;
	const apr_array_header_t *a;
	apr_array_header_t *roots;
	apr_status_t rv;
	int i;

	site_open(r, &s, root);
	if (root != NULL)
		envvars(&s, under(r, root, "envvars"));
	rv = hconf_read(s.conf, path, &tree, r->pool);
	if (rv != APR_SUCCESS) {
		unread(r, path, rv);
		return;
	}
	r->read++;
	s.server = true;
	(void)scan_model_add(s.model, tree, NULL);
	s.access_file = scan_model_access_file(s.model);
	a = scan_model_roots(s.model);
	roots = apr_array_make(r->pool, a->nelts + 1, sizeof(const char *));
	for (i = 0; i < a->nelts; i++) {
		const char *p = APR_ARRAY_IDX(a, i, const char *);
		size_t n = strlen(p);

		while (n > 1 && p[n - 1] == '/')
			n--;
		/* The whole disk is nobody's document root. */
		if (n > 1)
			APR_ARRAY_PUSH(roots, const char *) =
			    apr_pstrmemdup(r->pool, p, n);
	}
	for (i = 0; i < roots->nelts; i++) {
		const char *p = APR_ARRAY_IDX(roots, i, const char *);

		/* A configuration from elsewhere names what is not here. */
		if (!covered(roots, i) && is_type(r, p, APR_DIR))
			walk(&s, p, scan_model_directory(s.model, p), 0);
	}
	site_close(&s);
}

/* --- Paths --------------------------------------------------------------- */

static const char *
base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash == NULL ? path : slash + 1);
}

static enum scan_format
format_of(const struct scan_request *q, const char *path)
{
	if (q->format != SCAN_FORMAT_AUTO)
		return (q->format);
	if (strcasestr(base(path), "htaccess") != NULL)
		return (SCAN_FORMAT_HTACCESS);
	if (q->server == SCAN_SERVER_NGINX ||
	    strcasestr(base(path), "nginx") != NULL)
		return (SCAN_FORMAT_NGINX);
	return (SCAN_FORMAT_HTTPD);
}

static void
nginx(struct run *r, const char *path)
{
	apr_status_t rv;
	size_t bytes = 0, files = 0;

	rv = scan_nginx_file(
	    &r->verdict, path, r->eras, &files, &bytes, r->pool);
	if (rv != APR_SUCCESS) {
		unread(r, path, rv);
		return;
	}
	r->files += files;
	r->bytes += bytes;
	r->read++;
}

static void
directory(struct run *r, const char *path)
{
	static const struct {
		const char *name;
		enum scan_format format;
	} layouts[] = {
		{ "apache2.conf", SCAN_FORMAT_HTTPD },    /* Debian */
		{ "conf/httpd.conf", SCAN_FORMAT_HTTPD }, /* Red Hat */
		{ "httpd.conf", SCAN_FORMAT_HTTPD },
		{ "nginx.conf", SCAN_FORMAT_NGINX },
	};
	struct site s;
	size_t i;

	for (i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		const char *p = under(r, path, layouts[i].name);

		if (r->request->format == SCAN_FORMAT_HTACCESS ||
		    (r->request->format != SCAN_FORMAT_AUTO &&
			r->request->format != layouts[i].format) ||
		    (r->request->server == SCAN_SERVER_NGINX &&
			layouts[i].format != SCAN_FORMAT_NGINX) ||
		    !is_type(r, p, APR_REG))
			continue;
		if (layouts[i].format == SCAN_FORMAT_NGINX)
			nginx(r, p);
		else
			server(r, p, path);
		return;
	}
	site_open(r, &s, NULL);
	r->read++;
	walk(&s, path, NULL, 0);
	site_close(&s);
}

static void
file(struct run *r, const char *path)
{
	struct site s;

	switch (format_of(r->request, path)) {
	case SCAN_FORMAT_HTACCESS:
		site_open(r, &s, NULL);
		(void)htaccess(&s, path, &hconf_overrides_all, NULL);
		site_close(&s);
		break;
	case SCAN_FORMAT_NGINX: nginx(r, path); break;
	case SCAN_FORMAT_HTTPD:
	case SCAN_FORMAT_AUTO: server(r, path, NULL); break;
	}
}

/* --- Doors --------------------------------------------------------------- */

/* One release stands for each era: the last one of it that was measured. */
static void
versions(struct run *r, apr_pool_t *pool)
{
	static const struct {
		enum scan_era era;
		int version;
	} known[] = {
		{ SCAN_E1, HCONF_VERSION(2, 4, 28) },
		{ SCAN_E2, HCONF_VERSION(2, 4, 29) },
		{ SCAN_E3, HCONF_VERSION(2, 4, 71) },
	};
	int *v = apr_palloc(pool, sizeof known / sizeof *known * sizeof *v);
	unsigned eras = r->request->eras;
	size_t i;

	r->versions = v;
	if (r->request->server != SCAN_SERVER_APACHE) {
		/* The grammar is that of the last one; there are no eras. */
		v[r->nversions++] = known[2].version;
		return;
	}
	if (r->request->version != 0) {
		v[r->nversions++] = r->request->version;
		if (r->request->upgrade_to != 0)
			v[r->nversions++] = r->request->upgrade_to;
		for (i = 0; i < r->nversions; i++)
			r->eras |= v[i] < HCONF_VERSION(2, 4, 29)   ? SCAN_E1
				   : v[i] < HCONF_VERSION(2, 4, 30) ? SCAN_E2
								    : SCAN_E3;
		return;
	}
	r->eras = eras == 0 ? SCAN_ERAS : eras & SCAN_ERAS;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if ((r->eras & known[i].era) != 0)
			v[r->nversions++] = known[i].version;
}

static void
run_init(struct run *r, const struct scan_request *q, apr_pool_t *pool)
{
	memset(r, 0, sizeof *r);
	r->request = q;
	r->pool = pool;
	r->unread = apr_array_make(pool, 2, sizeof(struct scan_unread));
	r->texts = apr_array_make(pool, 16, sizeof(struct hconf_text));
	scan_verdict_init(&r->verdict, pool);
	versions(r, pool);
}

static void
run_result(struct run *r, struct scan_result **ret)
{
	struct scan_result *x = apr_pcalloc(r->pool, sizeof *x);
	int i;

	for (i = 0; r->eras == 0 && i < r->verdict.findings->nelts; i++)
		APR_ARRAY_IDX(r->verdict.findings, i, struct scan_finding)
		    .eras = 0;
	for (i = 0; r->eras == 0 && i < r->verdict.sources->nelts; i++)
		APR_ARRAY_IDX(r->verdict.sources, i, struct scan_source).eras =
		    0;
	scan_verdict_sort(&r->verdict);
	x->sources = r->verdict.sources;
	x->findings = r->verdict.findings;
	x->changes = r->verdict.changes;
	x->edits = r->verdict.edits;
	x->unread = r->unread;
	x->texts = r->texts;
	x->server = r->request->server;
	x->eras = r->eras;
	x->files = r->files;
	x->bytes = r->bytes;
	*ret = x;
}

apr_status_t
scan_run(struct scan_result **ret, const struct scan_request *q,
    apr_pool_t *result_pool, apr_pool_t *scratch_pool)
{
	struct run r;
	const char *const *p;
	apr_finfo_t fi;
	apr_status_t rv;

	run_init(&r, q, result_pool);
	for (p = q->paths; *p != NULL; p++) {
		rv = apr_stat(&fi, *p, APR_FINFO_TYPE, scratch_pool);
		if (rv != APR_SUCCESS)
			unread(&r, *p, rv);
		else if (fi.filetype == APR_DIR)
			directory(&r, *p);
		else
			file(&r, *p);
	}
	if (r.read == 0)
		return (r.rv != APR_SUCCESS ? r.rv : APR_ENOENT);
	run_result(&r, ret);
	return (APR_SUCCESS);
}

void
scan_text(struct scan_result **ret, const struct scan_request *q,
    const char *name, const char *b, size_t len, apr_pool_t *result_pool)
{
	struct run r;
	struct hconf_options o = { .defines = q->defines,
		.litespeed = q->server == SCAN_SERVER_LITESPEED,
		.known_only = true,
		.no_files = true };
	struct hconf_node *root;
	struct site s;
	enum scan_format format = format_of(q, name);

	run_init(&r, q, result_pool);
	if (format == SCAN_FORMAT_NGINX) {
		scan_nginx_text(&r.verdict, name, b, len, r.eras, result_pool);
		r.files = 1;
		r.bytes = len;
		run_result(&r, ret);
		return;
	}
	o.versions = r.versions;
	o.nversions = r.nversions;
	memset(&s, 0, sizeof s);
	s.run = &r;
	hconf_create(&s.conf, &o, result_pool);
	scan_model_create(&s.model, r.versions, r.nversions, result_pool);
	scan_model_serve(s.model, q->server);
	hconf_read_bytes(s.conf, name, b, len,
	    format == SCAN_FORMAT_HTACCESS ? &hconf_overrides_all : NULL,
	    &root);
	(void)scan_model_add(s.model, root, NULL);
	site_close(&s);
	run_result(&r, ret);
}
