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

unsigned
scan_model_allow(struct scan_model *m, const char *path)
{
	unsigned allow = 0; /* AllowOverride None, since 2.3.9 */
	size_t best = 0;
	int i;

	for (i = 0; i < m->dirs->nelts; i++) {
		const struct scan_scope *s =
		    APR_ARRAY_IDX(m->dirs, i, struct scan_scope *);

		if (!s->allow_set || !covers(m, s->path, path) ||
		    strlen(s->path) < best)
			continue;
		best = strlen(s->path);
		allow = s->allow;
	}
	return (allow);
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
