/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: an origin that is a function, and its audit without a network: plan asks,
 * it answers, analysis takes, rules judge.  One at a time: the last one's result
 * is kept.
 */
#ifndef TESTS_UNIT_SITE_H
#define TESTS_UNIT_SITE_H

#include <apr_pools.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/exchange.h"
#include "probe/rules.h"
#include "probe/subject.h"

enum {
	SITE_MOST = 4000, /* requests of an audit: it ends */
	SITE_MAX_WINDOW = 8,
	SITE_MAX_LINES = 16,
};

struct reply {
	enum probe_end end;
	int status;
	struct probe_line lines[SITE_MAX_LINES];
	size_t n;
	char body[16384];
	size_t len;
};

struct site {
	void (*answer)(
	    struct site *, const struct probe_request *, struct reply *);
	unsigned count; /* requests so far, this one with it */
	unsigned options, heads, with_hint;
	/* how it is asked */
	unsigned window; /* answers that may be on their way; 0: one */
	uint64_t number; /* not 0: of so many URLs that nobody has counted */
	const char *buster;
};

/* The test's, before the first audit. */
extern apr_pool_t *site_pool;
/* Of the last audit. */
extern struct probe_subject site_subject;
extern struct probe_result *site_result;

void site_audit(struct site *);
/* NULL: no such finding.  Any member, if it is NULL. */
const struct probe_finding *site_found(enum probe_rule, const char *member);
/* Fails if there is none. */
const struct probe_member *site_member(const char *name);

/* What a request says; NULL: nothing. */
const char *site_sent(const struct probe_request *, const char *name);
bool
site_says(const struct probe_request *, const char *name, const char *part);

void reply_line(struct reply *, const char *name, const char *value);
void reply_text(struct reply *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
/* A page that is the same for everybody, in a language. */
void reply_page(struct reply *, const char *language);
void reply_compress(struct reply *);
#endif
