/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sitemaps (sitemaps.org): the URLs of a urlset, or the sitemaps of an index, one
 * after the other.
 * Room: probe/.  The only door to libxml2.
 */
#ifndef PROBE_SITEMAP_H
#define PROBE_SITEMAP_H

#include <apr_errno.h>
#include <stdbool.h>
#include <stddef.h>

/* A file of 50 MB uncompressed is the protocol's limit; some more is read. */
#define PROBE_SITEMAP_MAX (64 * 1024 * 1024)

struct probe_sitemap;

/*
 * Read from memory that stays the caller's until probe_sitemap_close().  No
 * entity is expanded, no DTD or network is used.  APR_ENOTIMPL: this build has
 * no libxml2.
 */
apr_status_t
probe_sitemap_open(struct probe_sitemap **ret, const char *xml, size_t len);
void probe_sitemap_close(struct probe_sitemap **);

/*
 * The next location, good until the next call.  *ret_index: it is a sitemap
 * itself.  APR_EOF: no more; APR_EINVAL: no more that is XML.
 */
apr_status_t
probe_sitemap_next(struct probe_sitemap *, const char **ret, bool *ret_index);
#endif
