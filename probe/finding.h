/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an audit has found out about one URL.
 * Room: probe/.  A noun; all memory is of the pool it was made in.
 */
#ifndef PROBE_FINDING_H
#define PROBE_FINDING_H

#include <apr_tables.h>
#include <stdbool.h>
#include <stddef.h>

enum probe_outcome {
	PROBE_JUDGED = 0,
	PROBE_UNSTABLE,    /* equal requests differ too much to compare */
	PROBE_INTERFERED,  /* something on the way stopped answering us */
	PROBE_UNREACHABLE, /* no answer at all */
};

/* The least serious first. */
enum probe_level {
	PROBE_NOTE = 0,
	PROBE_WARNING,
	PROBE_ERROR,
};

/* The order is the order of the report within a level: what makes wrong
 * content stands above what costs. */
enum probe_rule {
	PROBE_VARY_INCONSISTENT = 0,
	PROBE_VARY_MISSING,
	PROBE_VARY_REFLECTED,
	PROBE_VARY_STAR,
	PROBE_VARY_SYNTAX,
	PROBE_VARY_LEAK,
	PROBE_VARY_COSTLY,
	PROBE_VARY_PARTIAL,
	PROBE_VARY_PRESENCE,
	PROBE_VARY_VALIDATOR,
	PROBE_VARY_HOP,
	PROBE_VARY_REDUNDANT,
	PROBE_NRULES,
};

enum probe_declared {
	PROBE_DECLARED_NO = 0,
	PROBE_DECLARED_SOME, /* by some responses of the URL, not by others */
	PROBE_DECLARED_YES,
};

/* Each includes what stands before it. */
enum probe_effect {
	PROBE_NOT_TRIED = 0,
	PROBE_NONE_OBSERVED,
	PROBE_IN_HEADERS,
	PROBE_IN_BODY,
	PROBE_IN_STATUS,
};

/* Where two responses part; excerpts have at most 120 bytes of text. */
struct probe_evidence {
	const char *tried;  /* the value of B; NULL: the header was absent */
	const char *with;   /* what both had besides; NULL: nothing */
	bool rival;         /* ... but A alone, in the place of the value */
	const char *what;   /* "status", "header", "json", "line", ... */
	const char *header; /* its name, or NULL */
	size_t offset;      /* of the first excerpt in its decoded body */
	const char *a, *b;  /* NULL: nothing there */
	bool coding_only;   /* the same content, coded another way */
	bool cookie_only;   /* Set-Cookie alone differs */
};

/* A request header. */
struct probe_member {
	const char *name;
	enum probe_declared declared;
	enum probe_effect effect;
	apr_array_header_t *tried; /* const char *; "(absent)" */
	apr_array_header_t *works; /* those of them that had an effect */
	int pairs;                 /* that the effect was confirmed with */
	double p;                  /* chance of a false one; 1: none */
	const struct probe_evidence *evidence; /* or NULL */
	double variants; /* effective number; 0: not known */
};

struct probe_cause {
	const char *file;
	int line;
	const char *directive;
};

/* A line of --config that could have caused a finding here, and did not. */
enum probe_innocence {
	PROBE_NOT_NAMED = 0, /* no answer of the URL has the member in Vary */
	PROBE_RIGHTLY_NAMED, /* it has, and the response depends on it */
	PROBE_NAMED_WITHOUT, /* so have answers for which the line does not count */
};

struct probe_innocent {
	struct probe_cause place;
	const char *member;
	enum probe_innocence why;
	const char *message;
};

struct probe_finding {
	enum probe_rule rule;
	enum probe_level level;
	const char *member; /* lower case; NULL: of the response */
	const char *message;
	const char *fix_origin, *fix_vcl; /* or NULL */
	const struct probe_evidence *evidence;
	struct probe_cause cause; /* file NULL: not known */
	const char *likely; /* in its place, by the looks of it; or NULL */
};

struct probe_cost {
	bool known;
	double requests; /* of the URL within its TTL */
	double variants_effective;
	double hit_ratio;       /* with the Vary as it is; 0 to 1 */
	double hit_ratio_fixed; /* without the findings */
};

struct probe_result {
	const char *url;
	int status; /* of the baseline; 0: none */
	enum probe_outcome outcome;
	const char *reason; /* why it is not judged, or NULL */
	bool cacheable;     /* by the cache profile */
	const char *cacheable_why;
	apr_array_header_t *vary_lines;   /* const char *, of the baseline */
	apr_array_header_t *vary_members; /* const char *, of all responses */
	apr_array_header_t *members;      /* struct probe_member */
	apr_array_header_t *findings;     /* struct probe_finding, ranked */
	apr_array_header_t *notes;        /* const char * */
	apr_array_header_t
	    *innocent; /* struct probe_innocent; NULL: no --config */
	apr_array_header_t
	    *together; /* const char *; tried all at once, without effect */
	struct probe_cost cost;
	unsigned requests;
};

/* Stable names: "vary-leak", "judged", "warning", "some", "body". */
const char *probe_rule_name(enum probe_rule);
const char *probe_outcome_name(enum probe_outcome);
const char *probe_level_name(enum probe_level);
const char *probe_declared_name(enum probe_declared);
const char *probe_effect_name(enum probe_effect);
const char *probe_innocence_name(enum probe_innocence);

/* -1: no such name. */
int probe_level_of(const char *name);

/* A finding more, without fix and evidence; the strings are borrowed. */
struct probe_finding *probe_result_add(struct probe_result *, enum probe_rule,
    enum probe_level, const char *member, const char *message);

/* Is it in one of the lists of strings? */
bool probe_result_lists(const apr_array_header_t *, const char *);

/* The level of the worst finding, or -1. */
int probe_result_worst(const struct probe_result *);
#endif
