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

bool
scan_model_allow(
    struct scan_model *m, const char *path, struct hconf_overrides *ret)
{
	size_t best = 0, best_list = 0;
	int i;

	/* AllowOverride None, since 2.3.9 */
	*ret = (struct hconf_overrides){ .classes = 0 };
	for (i = 0; i < m->dirs->nelts; i++) {
		const struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);
		size_t n = strlen(s->path);

		if (!covers(m, s->path, path))
			continue;
		/* Each of the two goes down the tree by itself. */
		if (s->allow_set && n >= best) {
			best = n;
			ret->classes = s->allow.classes;
			ret->nonfatal = s->allow.nonfatal;
		}
		if (s->list_set && n >= best_list) {
			best_list = n;
			ret->list = s->allow.list;
		}
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
