/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_fnmatch.h>
#include <apr_strings.h>

char *
scan_without_slash(struct hconf_span path, apr_pool_t *result_pool)
{
	while (path.len > 1 && path.b[path.len - 1] == '/')
		path.len--;
	return (hconf_span_dup(path, result_pool));
}

bool
scan_is_below(const char *dir, const char *path)
{
	size_t n = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return (*path == '/');
	return (
	    strncmp(dir, path, n) == 0 && (path[n] == '\0' || path[n] == '/'));
}

static bool
covers(struct scan_model *m, const char *dir, const char *path)
{
	char *p;

	if (!apr_fnmatch_test(dir))
		return (scan_is_below(dir, path));
	p = apr_pstrdup(m->pool, path);
	while (*p != '\0') {
		char *slash;

		if (apr_fnmatch(dir, p, APR_FNM_PATHNAME) == APR_SUCCESS)
			return (true);
		slash = strrchr(p, '/');
		if (slash == NULL)
			break;
		*slash = '\0';
	}
	return (false);
}

/* The innermost <Directory> around a path that is not "but" itself. */
struct scan_scope *
scan_scope_directory(
    struct scan_model *m, const char *path, const struct scan_scope *but)
{
	struct scan_scope *best = NULL;
	int i;

	for (i = 0; i < m->dirs->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);

		if (s == but || !covers(m, s->path, path))
			continue;
		if (but != NULL &&
		    (strcmp(s->path, but->path) == 0 ||
			/* Another host's sections are not ours. */
			(s->parent != but->parent && s->parent != m->server)))
			continue;
		if (best == NULL || strlen(s->path) >= strlen(best->path))
			best = s;
	}
	return (best);
}

struct scan_scope *
scan_model_directory(struct scan_model *m, const char *path)
{
	struct scan_scope *s = scan_scope_directory(m, path, NULL);

	return (s != NULL ? s : m->server);
}

struct scan_scope *
scan_model_enter(
    struct scan_model *m, const char *path, struct scan_scope *parent)
{
	struct scan_scope *s = scan_scope_directory(m, path, NULL);

	if (s == NULL || strcmp(s->path, path) != 0)
		return (parent);
	if (parent != NULL && parent->node->htaccess) {
		s->parent = parent;
		s->placed = true;
	}
	return (s);
}

/* The virtual host that a section stands in; NULL: the server's own. */
static const struct hconf_node *
host_around(const struct hconf_node *n)
{
	while (n != NULL && n->id != HCONF_VIRTUALHOST)
		n = n->parent;
	return (n);
}

/* What one host, or the server without any, lets .htaccess say. */
static void
allowed_by(struct scan_model *m, const char *path,
    const struct hconf_node *host, struct hconf_overrides *ret)
{
	size_t best = 0, best_list = 0;
	bool own = false, own_list = false;
	int i;

	/* AllowOverride None, since 2.3.9 */
	*ret = (struct hconf_overrides){ .classes = 0 };
	for (i = 0; i < m->dirs->nelts; i++) {
		const struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);
		const struct hconf_node *h = host_around(s->node);
		size_t n = strlen(s->path);

		if ((h != NULL && h != host) || !covers(m, s->path, path))
			continue;
		/*
		 * Each of the two goes down the tree by itself; of one path,
		 * a host's section comes after the server's.
		 */
		if (s->allow_set &&
		    (n > best || (n == best && (h != NULL || !own)))) {
			best = n;
			own = h != NULL;
			ret->classes = s->allow.classes;
			ret->nonfatal = s->allow.nonfatal;
		}
		if (s->list_set &&
		    (n > best_list ||
			(n == best_list && (h != NULL || !own_list)))) {
			best_list = n;
			own_list = h != NULL;
			ret->list = s->allow.list;
		}
	}
}

/* Of two hosts' overrides, what one of them lets pass. */
static void
widen(struct hconf_overrides *o, const struct hconf_overrides *by)
{
	o->classes |= by->classes;
	o->nonfatal = o->nonfatal && by->nonfatal;
	if (by->list.n > o->list.n)
		o->list = by->list;
}

static bool
same(const struct hconf_overrides *a, const struct hconf_overrides *b)
{
	return (a->classes == b->classes && a->nonfatal == b->nonfatal &&
		a->list.n == b->list.n);
}

/* The hosts that serve it; by an Alias, those with a section for it. */
static const apr_array_header_t *
serving(struct scan_model *m, const char *path)
{
	apr_array_header_t *a = scan_hosts_of(m, path);
	int i;

	for (i = 0; a->nelts == 0 && i < m->scopes->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);
		int k;

		for (k = 0; s->vhost && k < m->dirs->nelts; k++) {
			const struct scan_scope *d =
			    APR_ARRAY_IDX(m->dirs, k, struct scan_scope *);

			if (host_around(d->node) == s->node &&
			    covers(m, d->path, path)) {
				APR_ARRAY_PUSH(a, struct scan_scope *) = s;
				break;
			}
		}
	}
	return (a);
}

bool
scan_model_allow(struct scan_model *m, const char *path,
    struct hconf_overrides *ret, const char **ret_differ)
{
	const apr_array_header_t *hosts = serving(m, path);
	struct hconf_overrides o, first;
	const struct scan_scope *s;
	int i;

	*ret_differ = NULL;
	if (hosts->nelts == 0)
		allowed_by(m, path, NULL, ret);
	for (i = 0; i < hosts->nelts; i++) {
		s = APR_ARRAY_IDX(hosts, i, struct scan_scope *);
		allowed_by(m, path, s->node, &o);
		if (i == 0) {
			*ret = first = o;
			continue;
		}
		widen(ret, &o);
		if (*ret_differ == NULL && !same(&first, &o))
			*ret_differ = apr_psprintf(m->pool,
			    "the hosts of lines %u and %u of %s differ in "
			    "AllowOverride here: what is found holds for the "
			    "one that allows it, and the other reads over the "
			    "file or answers 500",
			    APR_ARRAY_IDX(hosts, 0, struct scan_scope *)
				->node->first,
			    s->node->first, s->node->file);
	}
	return (ret->classes != 0 || ret->list.n > 0);
}

const char *
scan_model_access_file(const struct scan_model *m)
{
	return (m->access_file);
}

const apr_array_header_t *
scan_model_roots(const struct scan_model *m)
{
	return (m->roots);
}
