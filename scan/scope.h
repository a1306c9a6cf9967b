/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model from within: the sections of a configuration, what was found in
 * each, and what the files that read single directives share.  Whoever only
 * wants to know the result includes scan/model.h.
 * Room: scan/.  Pure: no I/O, no clock, no print.
 */
#ifndef SCAN_SCOPE_H
#define SCAN_SCOPE_H

#include "scan/model.h"

enum scan_extent {
	SCAN_NONE = 0,
	SCAN_SOME,
	SCAN_ALL,
};

/* One Header directive that touches Vary. */
struct scan_header_op {
	enum scan_header_action {
		SCAN_OP_ADD, /* add, append, merge */
		SCAN_OP_SET,
		SCAN_OP_SETIFEMPTY,
		SCAN_OP_UNSET,
		SCAN_OP_EDIT,
		SCAN_OP_ECHO,
	} op;
	const struct hconf_node *node;
	struct scan_scope *scope;
	bool always, early, conditional;
	bool once; /* edit, not edit*: the first match in a value */
	struct hconf_span value, replacement;
	unsigned order;
};

/* A variable that SetEnvIf and its like set from a request header. */
struct scan_env {
	const char *name, *header;
	const struct scan_scope *scope;
};

/* A response header that hangs on such a variable. */
struct scan_env_use {
	const struct hconf_node *node;
	const struct scan_scope *scope;
	struct hconf_span name;
	const char *header;
};

struct scan_scope {
	struct scan_model *m;
	const struct hconf_node *node; /* the container; a root without name */
	struct scan_scope *parent;
	const struct scan_scope *self; /* of a copy: what it is a copy of */
	const char *text;              /* "<Directory /x>", or NULL */
	const char *path;              /* of <Directory> */
	const char *root; /* DocumentRoot, where the scope gives one */
	bool perdir, vhost, is_if, pathspec;
	enum hconf_id branch; /* the last <If>, <ElseIf> or <Else> in it */
	bool placed;          /* the parent is known */
	int engine;           /* -1: not said here; 2: hosts do not agree */
	bool inherits, inherit_down, has_rewrite;
	bool allow_set, list_set;
	struct hconf_overrides allow;
	apr_array_header_t *rules; /* struct scan_rule * */
	apr_array_header_t *conds; /* scan_cond, of the next rule; or NULL */
	enum scan_extent proxied, no_vary;
	apr_array_header_t *ops;     /* struct scan_header_op, in order */
	apr_array_header_t *sources; /* int: places in the model's list */
	struct scan_scope *child, *sibling; /* known after finish */
};

struct scan_model {
	apr_pool_t *pool;
	const int *versions;
	unsigned nversions;
	apr_array_header_t *scopes; /* struct scan_scope * */
	apr_array_header_t *dirs;   /* those of <Directory> */
	apr_array_header_t *sources, *lacks, *lints, *roots;
	apr_array_header_t *envs;     /* struct scan_env */
	apr_array_header_t *env_uses; /* struct scan_env_use */
	struct scan_scope *server;
	enum scan_server maker;
	const char *access_file;
	unsigned order;
	bool has_vhosts;
};

/* --- scope.c: what is noted ---------------------------------------------- */

unsigned scan_versions_all(const struct scan_model *);

/* The versions from a release on. */
unsigned scan_since(const struct scan_model *, int version);

void scan_lint_add(struct scan_model *, enum scan_lint_kind,
    const struct hconf_node *, unsigned versions, const char *text,
    const char *fix);

/* Nothing, and NULL, where versions is 0; else good until the next one is added. */
struct scan_lack *scan_lack_add(struct scan_model *, enum scan_lack_kind,
    const struct hconf_node *, const struct scan_scope *, const char *member,
    int status, unsigned versions, const char *detail);

/* Good until the next one is added. */
struct scan_model_source *scan_source_add(struct scan_model *,
    struct scan_scope *, const struct hconf_node *, struct hconf_span member,
    enum scan_by, enum scan_when, unsigned versions);

struct scan_scope *scan_scope_new(
    struct scan_model *, const struct hconf_node *, struct scan_scope *parent);

/* Is "outer" the scope itself or around it? */
bool
scan_scope_within(const struct scan_scope *, const struct scan_scope *outer);

/* The scope's own source number i. */
struct scan_model_source *
scan_scope_source(const struct scan_model *, const struct scan_scope *, int i);

/* --- directory.c --------------------------------------------------------- */

/* A directory's path, without slashes at the end of it. */
char *scan_without_slash(struct hconf_span, apr_pool_t *result_pool);

/* Is the path the directory, or below it? */
bool scan_is_below(const char *dir, const char *path);

/* The innermost <Directory> around a path that is not "but" itself. */
struct scan_scope *scan_scope_directory(
    struct scan_model *, const char *path, const struct scan_scope *but);

/* --- host.c -------------------------------------------------------------- */

/* The hosts whose documents a directory belongs to: struct scan_scope *. */
apr_array_header_t *scan_hosts_of(struct scan_model *, const char *dir);

/*
 * Put the virtual hosts that serve an .htaccess file around it: what they say
 * comes after <Directory> sections of the server, which stand around it too.
 */
void scan_hosts(struct scan_model *);

/* --- ask.c: expressions -------------------------------------------------- */

struct scan_ask {
	const struct hconf_node *node;
	struct scan_scope *scope;
	struct hconf_span text;
	enum scan_when when; /* what the certain references get */
	unsigned versions;
	bool late, novary;
	const struct scan_rule *rule;
	const struct scan_cond *cond;
};

/* True or false: what it asks for goes into Vary. */
void scan_ask_bool(struct scan_model *, const struct scan_ask *);

/* A string: whatever it asks for, Vary never names it. */
void scan_ask_string(struct scan_model *, const struct scan_ask *,
    const char *detail, int status);

/* --- pattern.c: regular expressions --------------------------------------- */

/* Of the versions, those that refuse it do not take the directive. */
void scan_pattern(struct scan_model *, const struct hconf_node *,
    unsigned versions, struct hconf_span pattern);

/* Those of one directive, but for Header's and for expressions. */
void scan_patterns(struct scan_model *, const struct hconf_node *);

/* Does it hold a variable that nobody gave a value? */
bool scan_undefined(struct hconf_span);

/* --- redirect.c ---------------------------------------------------------- */

/* Of Redirect, RedirectMatch, RedirectTemp or RedirectPermanent. */
struct scan_redirect {
	int status;
	struct hconf_span pattern; /* RedirectMatch's; b == NULL: none */
	struct hconf_span expr;    /* where to, for the section it stands in */
};

/* What mod_alias has against it, or NULL; *ret holds what was read till then. */
const char *scan_redirect_read(
    const struct hconf_node *, struct scan_redirect *ret, apr_pool_t *pool);

/* --- substitute.c -------------------------------------------------------- */

/* The value after that "Header edit"; NULL where nobody can say. */
const char *scan_substitute(
    const struct scan_header_op *, const char *value, apr_pool_t *pool);

/* --- argument.c ---------------------------------------------------------- */

/* Words of a directive that httpd does not know, or misses. */
void scan_arguments(struct scan_model *, const struct hconf_node *);

/* A string that httpd parses; said where it does not take it. */
void scan_string_check(struct scan_model *, const struct hconf_node *,
    unsigned versions, struct hconf_span text);

/* --- One directive each -------------------------------------------------- */

void scan_header(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);
void scan_filters(struct scan_model *, const struct hconf_node *,
    struct scan_scope *, struct hconf_span list);
void scan_handler(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);
void scan_proxy_pass(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);
void scan_options(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);
void scan_set_env(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);
void scan_rewrite(
    struct scan_model *, const struct hconf_node *, struct scan_scope *);

bool scan_is_require(const struct hconf_node *);

/* The Require directives side by side from "first" on. */
void scan_require(
    struct scan_model *, const struct hconf_node *first, struct scan_scope *);

/* --- After the last file ------------------------------------------------- */

/* The rules of a scope, in order: what they add, what they lose. */
void scan_rules(struct scan_model *, struct scan_scope *);

/* What Header directives, proxies and force-no-vary do to the sources. */
void scan_settle(struct scan_model *);

/* Response headers that hang on a variable made from a request header. */
void scan_env_lacks(struct scan_model *);
#endif
