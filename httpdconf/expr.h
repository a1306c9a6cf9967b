/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expressions of httpd (ap_expr): which variables and functions one asks for,
 * and which of them are asked whenever it is evaluated.
 *
 * "&&" and "||" stop at the first operand that decides: the left one is
 * certain, the right one is not, unless the left one is a constant.
 *
 * Room: httpdconf/.  APR pools; no I/O, prints nothing.
 */
#ifndef HTTPDCONF_EXPR_H
#define HTTPDCONF_EXPR_H

#include <stdbool.h>

#include <apr_pools.h>
#include <apr_tables.h>

#include "httpdconf/word.h"

enum hconf_expr_kind {
	HCONF_EXPR_BOOL,   /* <If>, Require expr, "expr=..." as a condition */
	HCONF_EXPR_STRING, /* a value: the text is a string with %{} in it */
};

enum hconf_ref_kind {
	HCONF_REF_VAR,  /* %{NAME} */
	HCONF_REF_FUNC, /* name(word) or %{name:text} */
};

struct hconf_ref {
	enum hconf_ref_kind kind;
	struct hconf_span name;
	/*
	 * The argument of a function; b is NULL where it is put together from
	 * what only a request knows.
	 */
	struct hconf_span arg;
	bool certain;            /* evaluated whenever the whole is */
	struct hconf_span where; /* its text in the source, to be replaced */
};

struct hconf_expr {
	const apr_array_header_t *refs;    /* struct hconf_ref, in order */
	const apr_array_header_t *regexes; /* struct hconf_span */
	const char *error;                 /* NULL: httpd would take it */
	size_t error_at;                   /* byte of the source */
	int truth;                         /* of a constant: 0 or 1; else -1 */
};

/*
 * Read the whole text.  After an error *ret holds what was found before it.
 * Everything borrows from the text and the pool.
 */
void hconf_expr_parse(struct hconf_span text, enum hconf_expr_kind,
    struct hconf_expr *ret, apr_pool_t *result_pool);
#endif
