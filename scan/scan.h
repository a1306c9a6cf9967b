/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration files in, sources and findings about Vary out.  This is what
 * other rooms may include: audit asks it for the causes of what it saw.
 * Room: scan/.  APR pools, files and paths; writes nothing, prints nothing.
 */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>

#include "scan/finding.h"

enum scan_format {
	SCAN_FORMAT_AUTO, /* by the name of the file */
	SCAN_FORMAT_HTACCESS,
	SCAN_FORMAT_HTTPD,
	SCAN_FORMAT_NGINX,
};

struct scan_request {
	/*
	 * Files; or directories: of a server's configuration (apache2.conf,
	 * conf/httpd.conf, httpd.conf or nginx.conf in it), or with .htaccess
	 * files in and below them.  NULL-terminated.
	 */
	const char *const *paths;
	enum scan_server server;
	int version;    /* HCONF_VERSION of httpd; 0: one of each era below */
	int upgrade_to; /* with version: another one, to compare; or 0 */
	unsigned eras;  /* enum scan_era; 0: all */
	const char *const *defines; /* httpd's -D; NULL-terminated, or NULL */
	const char *server_root;    /* NULL: as the configuration says */
	enum scan_format format;
};

struct scan_unread {
	const char *path;
	const char *why;
};

struct scan_result {
	/* All sorted by file, then line. */
	const apr_array_header_t *sources;  /* struct scan_source */
	const apr_array_header_t *findings; /* struct scan_finding */
	const apr_array_header_t *changes;  /* struct scan_change */
	const apr_array_header_t *edits;    /* struct scan_edit, by place */
	const apr_array_header_t *unread;   /* struct scan_unread */
	enum scan_server server;
	unsigned eras; /* what was asked about; 0 where the server has none */
	size_t files, bytes;
	/* Read files, for who wants to show or change them. */
	const apr_array_header_t *texts; /* struct hconf_text */
};

/*
 * Fails with ENOENT and the like only where none of the paths could be read;
 * one that could not be is in ret->unread.
 */
apr_status_t scan_run(struct scan_result **ret, const struct scan_request *,
    apr_pool_t *result_pool, apr_pool_t *scratch_pool);

/* The same for one text in memory, which has to stay; nothing is opened. */
void scan_text(struct scan_result **ret, const struct scan_request *,
    const char *name, const char *b, size_t len, apr_pool_t *result_pool);

/* What scan_run() and struct scan_unread say to people. */
const char *scan_why(apr_status_t, char *buf, size_t len);
#endif
