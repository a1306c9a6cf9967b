/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/reader.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_fnmatch.h>
#include <apr_strings.h>

#define FILES_MAX 100000
/* More than any real file, less than what fills the memory. */
#define FILE_SIZE_MAX (INT64_C(256) << 20)

const char *
hconf_rooted(struct hconf *h, const char *path, apr_pool_t *pool)
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

static void
include_path(struct hconf_reading *, const char *path, unsigned depth,
    const struct hconf_origin *, unsigned *found, bool optional);

static void
include_file(
    struct hconf_reading *r, const char *path, const struct hconf_origin *o)
{
	struct hconf *h = r->h;
	struct hconf_reading in = *r;
	const char *b;
	size_t len;
	apr_status_t rv;

	if (h->depth >= HCONF_DEPTH_MAX || h->nfiles >= FILES_MAX) {
		if (!h->told_budget)
			hconf_complain(h, o, r->htaccess, HCONF_ERROR,
			    "%s: included too often; does a file include "
			    "itself?",
			    path);
		h->told_budget = true;
		return;
	}
	rv = hconf_slurp(path, &b, &len, h->pool);
	if (rv != APR_SUCCESS) {
		char msg[128];

		hconf_complain(h, o, r->htaccess, HCONF_ERROR, "%s: %s", path,
		    apr_strerror(rv, msg, sizeof msg));
		return;
	}
	h->nfiles++;
	h->bytes += len;
	APR_ARRAY_PUSH(h->files, const char *) = path;
	APR_ARRAY_PUSH(h->texts, struct hconf_text) =
	    (struct hconf_text){ path, b, len };
	in.file = path;
	in.opens = apr_array_make(h->pool, 4, sizeof(struct hconf_open));
	h->depth++;
	hconf_lines_read(&in, b, len);
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
include_path(struct hconf_reading *r, const char *path, unsigned depth,
    const struct hconf_origin *o, unsigned *found, bool optional)
{
	struct hconf *h = r->h;
	apr_finfo_t fi;
	apr_array_header_t *names;
	apr_status_t rv;
	int i;

	while (strncmp(path, "./", 2) == 0)
		path += 2;
	rv = apr_stat(&fi, path, APR_FINFO_TYPE, h->pool);
	if (rv != APR_SUCCESS && APR_STATUS_IS_ENOENT(rv) && optional)
		return;
	if (rv == APR_SUCCESS && fi.filetype == APR_DIR &&
	    depth < HCONF_DEPTH_MAX) {
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
include_glob(struct hconf_reading *r, const char *base, const char *rest,
    const struct hconf_origin *o, unsigned *found, bool optional)
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

void
hconf_include(struct hconf_reading *r, const struct hconf_words *w,
    const struct hconf_origin *o, bool optional)
{
	struct hconf *h = r->h;
	const char *path;
	unsigned found = 0;

	if (w->n != 1) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "%s takes one argument",
		    optional ? "IncludeOptional" : "Include");
		return;
	}
	if (h->options.no_files)
		return;
	path = hconf_rooted(h, hconf_span_dup(w->v[0], h->pool), h->pool);
	include_glob(r, *path == '/' ? "" : ".", path, o, &found,
	    optional || apr_fnmatch_test(path));
	if (found == 0 && !optional)
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "Include: nothing matches %s", path);
}
