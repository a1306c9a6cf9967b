/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A directory's configuration made at random, and what it does for a visitor:
 * worked out from what was chosen, without a look at the text.
 */
#ifndef TESTS_UNIT_COMBINATION_H
#define TESTS_UNIT_COMBINATION_H

#include <stdbool.h>
#include <stdint.h>

#include <apr_pools.h>

enum {
	NHEADERS = 8,
	NVISITORS = 5,
	MAX_CONDS = 3,
	MAX_RULES = 4,
	MAX_IFS = 3,
};

/* As Vary spells them, as mod_rewrite and expressions ask for them. */
extern const struct combination_header {
	const char *name, *cond, *expr, *lower;
} combination_headers[NHEADERS];

/* What each visitor sends. */
extern const struct combination_visitor {
	const char *value[NHEADERS]; /* NULL: not sent */
} combination_visitors[NVISITORS];

/* A RewriteCond, or one operand of an <If>: "header matches pattern". */
struct combination_cond {
	int header, pattern;
	bool negated, ornext, novary, nocase;
};

/* What a RewriteRule does. */
enum combination_target {
	DASH,
	INTERNAL,
	REDIRECT,
	FORBID,
	NTARGETS
};

struct combination_rule {
	struct combination_cond cond[MAX_CONDS];
	int nconds;
	enum combination_target target;
	bool any, last; /* pattern ^, or ^page\.html$; flag L */
};

/* A op B op C, each "header =~ /pattern/". */
struct combination_if {
	struct combination_cond operand[MAX_CONDS];
	int noperands;
	bool or ;
	int body; /* X-Body-N in Vary */
};

struct combination {
	int n; /* it is the directory /dNNNN */
	bool in_htaccess, crlf;
	struct combination_rule rule[MAX_RULES];
	int nrules;
	struct combination_if iff[MAX_IFS];
	int niffs;
	const char *text;
	apr_pool_t *pool;
	uint64_t *seed;
};

/* What happened to one request for its page.html. */
struct combination_outcome {
	int status;
	bool fired[MAX_RULES], counted[MAX_RULES][MAX_CONDS];
	bool reached[MAX_IFS][MAX_CONDS], truth[MAX_IFS];
};

/* The next one of *seed, which moves on.  Lives as long as the pool. */
struct combination *combination_new(int n, uint64_t *seed, apr_pool_t *);

/* Its file, with the line ends that it has. */
const char *combination_file(const struct combination *);

void combination_play(
    const struct combination *, int visitor, struct combination_outcome *ret);
#endif
