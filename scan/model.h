/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From directives to responses: which directive adds which member to Vary, in
 * which version, when; and where a response depends on a header that its Vary
 * does not name.
 * Room: scan/.  Pure: no I/O, no clock, no print.
 */
#ifndef SCAN_MODEL_H
#define SCAN_MODEL_H

#include <apr_tables.h>

#include "httpdconf/expr.h"
#include "httpdconf/tree.h"
#include "scan/finding.h"
#include "scan/rewrite.h"

struct scan_model;

/* A section of the configuration: what is in it holds for the same requests. */
struct scan_scope;

/* A source with what judging it takes. */
struct scan_model_source {
	struct scan_source pub; /* eras and when are final after finish */
	const struct hconf_node *node;
	unsigned versions;
	const struct scan_scope *scope;
	const struct scan_rule *rule; /* of SCAN_BY_REWRITE; may be NULL */
	const struct scan_cond *cond;
	struct hconf_span where; /* of an expression: the reference */
	bool error_table; /* err_headers_out: "Header always" reaches it */
	bool late;        /* made by, or while, a Header directive runs */
	bool if_empty;    /* Header setifempty */
	unsigned order;
};

enum scan_lack_kind {
	SCAN_LACK_REDIRECT, /* a redirect loses what its conditions asked */
	SCAN_LACK_REFUSE,   /* so does a canned page */
	SCAN_LACK_PERDIR,   /* so does an internal rewrite before 2.4.30 */
	SCAN_LACK_STRING,   /* a value made from a header */
	SCAN_LACK_SUBST,    /* a substitution made from a header */
	SCAN_LACK_ENV,      /* a response header that hangs on SetEnvIf */
	SCAN_LACK_UNSET,    /* compressed, and Vary unset */
	SCAN_LACK_FORCED,   /* force-no-vary */
	SCAN_LACK_SILENT,   /* LiteSpeed: what a condition decides about */
};

struct scan_lack {
	enum scan_lack_kind kind;
	const struct hconf_node *node;
	const struct scan_scope *scope;
	const char *member;  /* NULL: any */
	enum scan_when when; /* of any status: SCAN_POSSIBLE with a condition */
	int status;
	unsigned versions;
	const char *detail; /* the response header, the variable ...; or NULL */
};

enum scan_lint_kind {
	SCAN_LINT_ERROR, /* httpd would refuse this line */
	SCAN_LINT_DEAD,  /* a condition that can never be what it was meant */
	SCAN_LINT_DANGLING, /* RewriteCond without RewriteRule */
};

struct scan_lint {
	enum scan_lint_kind kind;
	const struct hconf_node *node;
	unsigned versions;
	const char *text;
	const char *fix;
};

/* versions: as in hconf_options; borrowed. */
void scan_model_create(struct scan_model **ret, const int *versions,
    unsigned nversions, apr_pool_t *result_pool);

/* Whose reading it is, before anything is added; Apache's, if not said. */
void scan_model_serve(struct scan_model *, enum scan_server);
enum scan_server scan_model_server(const struct scan_model *);

/*
 * Add what was read from one file.  parent: the scope around it; NULL for a
 * server's configuration, and for .htaccess files that stand alone.
 */
struct scan_scope *scan_model_add(struct scan_model *,
    const struct hconf_node *root, struct scan_scope *parent);

/* The <Directory> that a path of the file system is under; or the server. */
struct scan_scope *scan_model_directory(struct scan_model *, const char *path);

/*
 * The scope that files of a directory stand in, whose outer directory has
 * "parent": a <Directory> of just that path comes after the .htaccess of the
 * outer one, and before its own.
 */
struct scan_scope *scan_model_enter(
    struct scan_model *, const char *path, struct scan_scope *parent);

/*
 * What .htaccess may hold there: where hosts share the directory, what any of
 * them allows, and *ret_differ says so if they do not agree; NULL else.  False:
 * it is not read.
 */
bool scan_model_allow(struct scan_model *, const char *path,
    struct hconf_overrides *ret, const char **ret_differ);

/* AccessFileName; ".htaccess" where none is given. */
const char *scan_model_access_file(const struct scan_model *);

/* Every DocumentRoot and its like: const char *. */
const apr_array_header_t *scan_model_roots(const struct scan_model *);

/* After the last file: what the directives do to each other. */
void scan_model_finish(struct scan_model *);

const apr_array_header_t *scan_model_sources(const struct scan_model *);
const apr_array_header_t *scan_model_lacks(const struct scan_model *);
const apr_array_header_t *scan_model_lints(const struct scan_model *);

/* Does something in reach of the scope name the member on every response? */
bool scan_model_declares(const struct scan_model *, const struct scan_scope *,
    const char *member, unsigned versions, bool any_status);

unsigned scan_model_eras(const struct scan_model *, unsigned versions);
#endif
