/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "probe/decode.h"
#include "probe/file.h"
#include "probe/har.h"
#include "probe/list.h"
#include "probe/sitemap.h"

enum {
	MAX_SITEMAPS = 50000, /* of an index, by sitemaps.org */
	MAX_HAR = 512 * 1024 * 1024,
};

struct probe_input {
	struct probe_input_sources from;
	apr_pool_t *pool;
	int url, har, map, list;
	/* the HAR file at hand */
	apr_array_header_t *entries;
	int entry;
	apr_pool_t *har_pool;
	/* the sitemap at hand, and those that an index named */
	struct probe_sitemap *sitemap;
	char *file;                 /* a sitemap's, when it is one */
	struct probe_decoded plain; /* a sitemap that was .gz */
	const char *map_name;
	apr_pool_t *queue_pool;
	apr_array_header_t *queue; /* const char * */
	int queued;
	struct probe_list lines; /* of the list at hand */
	const char *name;
	char why[1024];
};

apr_status_t
probe_input_open(struct probe_input **ret,
    const struct probe_input_sources *from, apr_pool_t *result_pool)
{
	struct probe_input *i = apr_pcalloc(result_pool, sizeof *i);

	i->from = *from;
	i->pool = result_pool;
	apr_pool_create(&i->har_pool, result_pool);
	apr_pool_create(&i->queue_pool, result_pool);
	probe_list_init(&i->lines);
	*ret = i;
	return (APR_SUCCESS);
}

void
probe_input_close(struct probe_input **ip)
{
	struct probe_input *i = *ip;

	*ip = NULL;
	if (i == NULL)
		return;
	probe_sitemap_close(&i->sitemap);
	probe_decoded_fini(&i->plain);
	free(i->file);
	probe_list_fini(&i->lines);
}

static apr_status_t
wrong(struct probe_input *i, const char *name, const char *what,
    const char **ret_why)
{
	(void)snprintf(i->why, sizeof i->why, "%s: %s", name, what);
	*ret_why = i->why;
	return (APR_EGENERAL);
}

/* --- HAR ----------------------------------------------------------------- */

static apr_status_t
next_har(struct probe_input *i, const char **ret, const char **ret_why)
{
	const char *name, *why;
	char *text;
	size_t len;
	apr_status_t st;

	for (;;) {
		if (i->entries != NULL && i->entry < i->entries->nelts) {
			*ret =
			    APR_ARRAY_IDX(i->entries, i->entry++, const char *);
			return (APR_SUCCESS);
		}
		i->entries = NULL;
		apr_pool_clear(i->har_pool);
		if (i->har == i->from.hars->nelts)
			return (APR_EOF);
		name = APR_ARRAY_IDX(i->from.hars, i->har++, const char *);
		text = probe_file_read(name, MAX_HAR, &len);
		if (text == NULL)
			return (wrong(i, name, strerror(errno), ret_why));
		i->entry = 0;
		st = probe_har_read(&i->entries, text, len, &why, i->har_pool);
		free(text);
		if (st != APR_SUCCESS)
			return (wrong(i, name, why, ret_why));
	}
}

/* --- sitemaps ------------------------------------------------------------ */

static apr_status_t
open_sitemap(struct probe_input *i, const char *name, const char **ret_why)
{
	const char *xml, *why = "cannot be read";
	size_t len;
	apr_status_t st;

	free(i->file);
	i->file = NULL;
	i->map_name = name;
	if (strstr(name, "://") != NULL) {
		st = i->from.fetch(i->from.baton, name, &xml, &len, &why);
		if (st != APR_SUCCESS)
			return (wrong(i, name, why, ret_why));
	} else {
		i->file = probe_file_read(name, PROBE_SITEMAP_MAX, &len);
		if (i->file == NULL)
			return (wrong(i, name, strerror(errno), ret_why));
		xml = i->file;
	}
	if (len > 2 && memcmp(xml, "\x1f\x8b", 2) == 0) {
		if (probe_decode(&i->plain, "gzip", 4, xml, len,
			PROBE_SITEMAP_MAX) == PROBE_DAMAGED)
			return (wrong(i, name, "is no gzip", ret_why));
		xml = i->plain.b;
		len = i->plain.len;
	}
	st = probe_sitemap_open(&i->sitemap, xml, len);
	if (st == APR_SUCCESS)
		return (st);
	return (wrong(i, name,
	    st == APR_ENOTIMPL ? "this build reads no sitemaps (libxml2)"
			       : "too large for a sitemap",
	    ret_why));
}

static apr_status_t
next_sitemap(struct probe_input *i, const char **ret, const char **ret_why)
{
	const char *loc;
	bool index;
	apr_status_t st;

	for (;;) {
		while (i->sitemap != NULL) {
			st = probe_sitemap_next(i->sitemap, &loc, &index);
			if (st == APR_SUCCESS && !index) {
				*ret = loc;
				return (st);
			}
			if (st == APR_SUCCESS) {
				/* An index in an index is not allowed, and
				 * would be a way to keep us for ever. */
				if (i->queue != NULL && i->queued == 0 &&
				    i->queue->nelts < MAX_SITEMAPS)
					APR_ARRAY_PUSH(i->queue, const char *) =
					    apr_pstrdup(i->queue_pool, loc);
				continue;
			}
			probe_sitemap_close(&i->sitemap);
			if (st != APR_EOF)
				return (wrong(i, i->map_name,
				    "is no sitemap, or breaks off", ret_why));
		}
		if (i->queue != NULL && i->queued < i->queue->nelts)
			st = open_sitemap(i,
			    APR_ARRAY_IDX(i->queue, i->queued++, const char *),
			    ret_why);
		else {
			if (i->map == i->from.sitemaps->nelts)
				return (APR_EOF);
			apr_pool_clear(i->queue_pool);
			i->queue = apr_array_make(
			    i->queue_pool, 16, sizeof(const char *));
			i->queued = 0;
			st = open_sitemap(i,
			    APR_ARRAY_IDX(
				i->from.sitemaps, i->map++, const char *),
			    ret_why);
		}
		if (st != APR_SUCCESS)
			return (st);
	}
}

/* --- lists --------------------------------------------------------------- */

static apr_status_t
next_listed(struct probe_input *i, const char **ret, const char **ret_why)
{
	apr_status_t st;
	char what[64];

	for (;;) {
		if (i->lines.fd < 0) {
			if (i->list == i->from.lists->nelts)
				return (APR_EOF);
			i->name = APR_ARRAY_IDX(
			    i->from.lists, i->list++, const char *);
			st = probe_list_open(&i->lines, i->name);
		} else
			st = APR_SUCCESS;
		if (st == APR_SUCCESS)
			st = probe_list_next(&i->lines, ret);
		if (st == APR_SUCCESS || st == APR_EAGAIN)
			return (st);
		if (st == APR_ENAMETOOLONG) {
			(void)snprintf(what, sizeof what,
			    "line %" PRIu64 " is longer than %d bytes",
			    i->lines.number, PROBE_LIST_LINE);
			return (wrong(i, i->name, what, ret_why));
		}
		probe_list_close(&i->lines);
		if (st != APR_EOF)
			return (wrong(i, i->name, strerror(APR_TO_OS_ERROR(st)),
			    ret_why));
	}
}

int
probe_input_fd(const struct probe_input *i)
{
	return (i->lines.fd);
}

apr_status_t
probe_input_next(struct probe_input *i, const char **ret, bool *ret_listed,
    const char **ret_why)
{
	apr_status_t st;

	*ret_listed = false;
	if (i->url < i->from.urls->nelts) {
		*ret = APR_ARRAY_IDX(i->from.urls, i->url++, const char *);
		return (APR_SUCCESS);
	}
	*ret_listed = true;
	st = next_har(i, ret, ret_why);
	if (st == APR_EOF)
		st = next_sitemap(i, ret, ret_why);
	if (st == APR_EOF)
		st = next_listed(i, ret, ret_why);
	return (st);
}
