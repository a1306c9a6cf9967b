/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What scan finds: sources (this directive makes responses carry this member)
 * and findings (a source, or the lack of one, that somebody should look at).
 * Room: scan/.  All strings live in the pool that the result was made in.
 */
#ifndef SCAN_FINDING_H
#define SCAN_FINDING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Releases of httpd that treat Vary alike: E1 up to 2.4.28, where Host is a
 * member like any other; E2, 2.4.29, where it no longer is; E3 from 2.4.30 on,
 * where an internal rewrite in .htaccess or <Directory> keeps what it added.
 */
enum scan_era {
	SCAN_E1 = 1 << 0,
	SCAN_E2 = 1 << 1,
	SCAN_E3 = 1 << 2,
	SCAN_ERAS = (1 << 3) - 1,
};

/* Whose reading of the files is asked about. */
enum scan_server {
	SCAN_SERVER_APACHE,
	SCAN_SERVER_LITESPEED, /* conditions never add to Vary; no eras */
	SCAN_SERVER_NGINX,     /* reads no .htaccess at all; no eras */
};

/* Under which condition a response carries the member; strongest first. */
enum scan_when {
	SCAN_ALWAYS,       /* on every response that is no canned error */
	SCAN_HEADER_SENT,  /* where the request has the header */
	SCAN_RULE_MATCHES, /* where it has, and the rewrite rule matches */
	SCAN_ONLY_STATUS,  /* on responses of some statuses alone */
	SCAN_POSSIBLE,     /* depends on what the configuration does not show */
};

enum scan_level {
	SCAN_NOTE,
	SCAN_WARNING,
	SCAN_ERROR,
};

/* What kind of directive a source is. */
enum scan_by {
	SCAN_BY_REWRITE,     /* a RewriteCond on a request header */
	SCAN_BY_EXPR,        /* an expression that is true or false */
	SCAN_BY_HEADER,      /* Header ... Vary */
	SCAN_BY_FILTER,      /* DEFLATE, BROTLI_COMPRESS */
	SCAN_BY_NEGOTIATION, /* MultiViews, type maps */
	SCAN_BY_DAV,
	SCAN_BY_NGINX,
};

struct scan_place {
	const char *file;
	unsigned line, line_last; /* physical lines, from 1; 0: none */
	const char
	    *directive; /* as the file spells it, "<If>" for containers */
	/* In <IfModule !NAME>, where nothing says whether it is loaded. */
	const char *unless;
};

struct scan_source {
	struct scan_place place;
	const char *member; /* as the response spells it */
	enum scan_by by;
	enum scan_when when;
	unsigned eras;     /* enum scan_era, or'ed */
	bool any_status;   /* redirects and canned errors carry it too */
	bool broken;       /* httpd refuses the file, and answers 500 */
	unsigned rule;     /* line of the RewriteRule that decides, or 0 */
	const char *scope; /* "<VirtualHost *:80>"; NULL: the whole file */
};

struct scan_finding {
	const char *rule; /* stable: "vary-leak" ... */
	enum scan_level level;
	struct scan_place place;
	const char *member; /* NULL where none is meant */
	enum scan_when when;
	unsigned eras;
	const char *message;
	const char *fix;     /* NULL: none is known */
	const char *caution; /* what the fix can spoil; NULL: nothing */
	bool patched;        /* --patch carries the fix out */
};

/* A member that an upgrade of httpd makes come or go. */
struct scan_change {
	struct scan_place place;
	const char *member;
	enum scan_era from, to;
	bool comes;
	enum scan_when when;
};

/* Replace len bytes of a file; what --patch prints. */
struct scan_edit {
	const char *file;
	size_t at, len;
	const char *text;
};

const char *scan_when_name(enum scan_when);
const char *scan_level_name(enum scan_level);
const char *scan_era_name(enum scan_era);
const char *scan_server_name(enum scan_server); /* "Apache" */

/* "Apache up to 2.4.28", for the eras that are set. */
const char *scan_eras_text(unsigned eras);
#endif
