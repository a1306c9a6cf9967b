/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RewriteCond and RewriteRule, taken apart: flags, what becomes of a request
 * that matches, and the request headers that a test string asks for.
 * Room: scan/.  Pure: no I/O, no clock, no print.
 */
#ifndef SCAN_REWRITE_H
#define SCAN_REWRITE_H

#include <stdbool.h>

#include <apr_tables.h>

#include "httpdconf/tree.h"

/* Where a request ends up when a rule matches. */
enum scan_target {
	SCAN_TARGET_DASH,     /* "-": the URL stays, flags do their work */
	SCAN_TARGET_INTERNAL, /* another path of this server */
	SCAN_TARGET_REDIRECT, /* 3xx */
	SCAN_TARGET_REFUSE,   /* [F], [G], [R=4xx]: a canned page */
	SCAN_TARGET_PROXY,    /* [P] to a server that speaks HTTP */
	SCAN_TARGET_FCGI,     /* [P] to FastCGI and its like */
};

/* A request header named in a test string or substitution. */
struct scan_header_ref {
	struct hconf_span name; /* as Vary would spell it */
	struct hconf_span where;
};

struct scan_cond {
	const struct hconf_node *node;
	struct hconf_span test, pattern, flags; /* flags.b: NULL without */
	bool ornext, novary, nocase, is_expr;
	bool negated;
	/*
	 * True for each value that a header can have, but for the empty one;
	 * the test string is one variable and nothing else.
	 */
	bool any_value;
	const apr_array_header_t *refs; /* struct scan_header_ref */
	const apr_array_header_t *dead; /* span: %{HTTP_X} that is never set */
};

struct scan_rule {
	const struct hconf_node *node;
	struct hconf_span pattern, subst, flags;
	const apr_array_header_t *conds; /* struct scan_cond */
	enum scan_target target;
	int status;    /* of a redirect or refusal; 0 else */
	bool any_path; /* the pattern matches every path */
	bool ends;     /* no later rule is looked at after this one */
	bool unsteady; /* may skip, chain or start again */
	const apr_array_header_t *refs; /* headers in the substitution */
};

/* false and *ret_error where httpd would refuse the line. */
bool scan_cond_read(const struct hconf_node *, struct scan_cond *ret,
    const char **ret_error, apr_pool_t *result_pool);
bool scan_rule_read(const struct hconf_node *, struct scan_rule *ret,
    const char **ret_error, apr_pool_t *result_pool);

/* A status in digits, or "permanent" and its like; false for anything else. */
bool scan_status_read(struct hconf_span, int *ret);

/* HTTP_USER_AGENT -> User-Agent; b is NULL for every other name. */
struct hconf_span scan_header_of_variable(struct hconf_span name);
#endif
