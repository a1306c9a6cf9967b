/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One URL while it is being audited: what is tried, and what is known so far.
 * plan.c fills in what to send, analysis.c what came back, rules.c reads it.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_SUBJECT_H
#define PROBE_SUBJECT_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <stdbool.h>
#include <stdint.h>

#include "probe/axis.h"
#include "probe/exchange.h"
#include "probe/feature.h"
#include "probe/finding.h"
#include "probe/jar.h"
#include "probe/kept.h"
#include "probe/profile.h"
#include "probe/random.h"

enum {
	PROBE_NBASE = 3,      /* shared baselines */
	PROBE_MAX_PAIRS = 40, /* 2/C(80,40) is 2e-23 */
	PROBE_MAX_AXES = 128,
	PROBE_MAX_REPEATS = 8,
	/* Headers at once; Varnish takes 64 in all, httpd 100. */
	PROBE_AT_ONCE = 40,
};

/* What is the same for all subjects of a run.  Borrowed by them. */
struct probe_settings {
	const struct probe_header *headers; /* -H */
	size_t nheaders;
	const struct probe_axis *const *axes; /* to try in any case */
	size_t naxes;
	const char *const *edge_sets; /* NULL-terminated, or NULL */
	const struct probe_profile *profile;
	int pairs;         /* 0: as many as the number of tests asks for */
	uint64_t expected; /* URLs in this run; 0: not known */
	uint64_t seed;
	size_t max_body;             /* decoded bytes that are compared */
	const char *buster;          /* query parameter, or NULL */
	bool checks;                 /* HEAD, 304, 206 and OPTIONS too */
	const struct probe_jar *jar; /* of cookies, or NULL */
	int64_t now;                 /* seconds since 1970: which are over */
	bool no_sni;     /* what goes with each request is for one host alone */
	bool authorized; /* each request carries Authorization */
};

enum probe_trial_state {
	PROBE_T_NEW = 0, /* not sent yet */
	PROBE_T_SENT,    /* one request is on its way */
	PROBE_T_SUSPECT, /* differs from the baselines */
	PROBE_T_CONFIRM, /* pairs are on their way */
	PROBE_T_QUIET,   /* no effect */
	PROBE_T_EFFECT,  /* confirmed */
	PROBE_T_LIKELY,  /* differs, and another value is confirmed */
	PROBE_T_FAILED,  /* no answer to it */
};

/* What a trial adds to a request. */
enum probe_trial_kind {
	PROBE_K_VALUE = 0, /* one value of one header */
	PROBE_K_GROUP,     /* a value of many PROBE_AXIS_GROUP axes at once */
	PROBE_K_REST,      /* all at once that had no effect alone */
	PROBE_K_COOKIES,   /* cookies of many frameworks at once */
	PROBE_K_RIVAL,     /* a cookie's value, in place of its context's */
	PROBE_K_LINES,     /* two field lines: the baseline's and the value */
	PROBE_K_OUT,       /* its context but for this header */
	PROBE_K_PREFLIGHT, /* a value, in OPTIONS in place of GET */
};

/* One value of one header. */
struct probe_trial {
	enum probe_trial_kind kind;
	const struct probe_axis *axis;
	int index;         /* of the axis in the subject */
	const char *value; /* NULL: the header is left out */
	/* A trial that both of a pair carry, since one header can hide what
	 * another does; -1: none. */
	int context;
	int opened; /* of many at once: how far they were taken apart */
	/* Of GROUP and REST: which value of each header, and which of the
	 * table's headers that have as many. */
	int turn, part;
	enum probe_trial_state state;
	/* Of its answers, where it may be another's context: in all of them,
	 * in at least one. */
	struct probe_features stable, any;
	/* Features that B has and A has not, and the other way round. */
	struct probe_features plus, minus;
	int tries;    /* requests that failed */
	int screened; /* answers to the value alone */
	/* the pairs */
	int n; /* pairs to send */
	/* bit 0: B; bit 1: new connection; room for some that are repeated */
	uint8_t order[2 * PROBE_MAX_PAIRS + PROBE_MAX_REPEATS];
	int total, next, seen_a, seen_b;
	const char *buster;
	struct probe_kept a, b;
	/* verdict */
	enum probe_effect effect;
	const struct probe_evidence *evidence;
	bool reflected;
	/* what the screening response said */
	int status;
	bool declares; /* names this axis in Vary */
	bool cacheable;
	bool unkeyed; /* a cache had an answer to a word made for this */
};

/* A name that some response has in Vary. */
struct probe_named {
	const char *name; /* lower case */
	unsigned with;    /* responses that name it */
	unsigned first;   /* the number of the response that first did */
	const char *with_example;
	const char *without_example;
};

enum probe_role {
	PROBE_R_BASE = 0,
	PROBE_R_SCREEN,
	PROBE_R_PAIR,
	PROBE_R_RECHECK, /* the baseline, after a refusal */
	PROBE_R_CHECK,
	PROBE_R_PREFLIGHT,
};

/* Requests whose answers must agree with the 200. */
enum probe_check_kind {
	PROBE_CHECK_HEAD = 0,
	PROBE_CHECK_304,
	PROBE_CHECK_206,
	PROBE_CHECK_IF_RANGE, /* a range of what is there now */
	PROBE_CHECK_STALE,    /* a range of what never was there */
	PROBE_NCHECKS,
};

/* A request, and what it is meant to show. */
struct probe_sample {
	enum probe_role role;
	enum probe_check_kind check;
	int trial;   /* -1: none */
	bool varied; /* carries the trial's value */
	bool fresh;
	const char *buster; /* NULL: none */
};

/* The answer to one of these. */
struct probe_check {
	bool planned, sent, answered;
	int status;
	const char *vary; /* all lines, normal form; "" if none */
	const char *etag;
	size_t body_len; /* as it came */
};

/* OPTIONS, as a browser asks before a request of another site's page. */
struct probe_preflight {
	bool planned, opened;
	int sent, seen, status;
	bool cors; /* the answer has a header of CORS */
	struct probe_features stable, any;
};

struct probe_subject {
	apr_pool_t *pool;
	const struct probe_settings *set;
	const char *url, *host, *origin;
	uint64_t number; /* in the run, from 0 */
	struct probe_random random;
	char canary[13];

	apr_array_header_t *axes;   /* const struct probe_axis * */
	apr_array_header_t *trials; /* struct probe_trial */
	apr_array_header_t *named;  /* struct probe_named * */
	int busy;                   /* requests on their way */
	unsigned requests;          /* sent in all */
	bool lines_opened, contexts_opened, rivals_opened;
	bool restless;                /* equal requests get other answers */
	apr_array_header_t *received; /* const char *, cookies that were set */

	/* baselines */
	int base_sent, base_seen, base_failed;
	int status;
	struct probe_features stable; /* in all of them */
	struct probe_features any;    /* in at least one */
	struct probe_kept base;
	bool base_read; /* stable and any were made of it */
	const char *base_etag, *base_modified;
	/* What If-Range can name: what is there, what never was.  NULL: none. */
	const char *validator, *stale;
	const char *base_coding;
	bool status_unstable, body_unstable;
	unsigned noise; /* sources that the baselines show */

	/* Responses that Vary is judged by: of the baseline's status. */
	unsigned responses;
	bool star, star_in_list, no_star;
	unsigned star_with;
	const char *syntax; /* the first malformed element */
	const char *syntax_kind;
	unsigned syntax_with;
	const char *meant_bad, *meant; /* Vary names a response header */
	apr_array_header_t *vary_lines;
	bool folded, spaced, several; /* "A,B"; "A, B"; lines of Vary */
	const char *repeated; /* a name that stands twice in one response */
	bool cacheable;
	bool for_all; /* ... also where the request has Authorization */
	const char *cacheable_why;
	bool weak_inconsistent;

	/* the same strong ETag for two codings */
	const char *etag_coded, *etag_identity;

	struct probe_check checks[PROBE_NCHECKS];
	struct probe_preflight preflight;

	uint64_t signature[PROBE_NBASE]; /* of the baselines */

	/* the last two bodies, so that equal ones are not read again */
	struct {
		uint64_t hash;
		struct probe_features f;
		bool reflects;
	} known[2];
	int known_next;

	/* interference */
	int refused; /* refusals to which the baseline must be asked again */
	int recheck; /* trial that waits for it, -1: none */
	int recheck_status;
	bool recheck_sent;
	int slow;    /* answers that asked us to wait */
	double wait; /* seconds that the last one asked for */
	enum probe_outcome outcome;
	const char *reason;
	bool over;              /* the outcome stands: nothing more is sent */
	const char *cache_sign; /* a cache answered: the header that says so */
	int nomem;
};

/* Begin with a URL.  The strings are copied into the subject's pool; settings
 * are borrowed. */
apr_status_t
probe_subject_init(struct probe_subject *, const struct probe_settings *,
    const char *url, const char *host, uint64_t number, apr_pool_t *pool);

/* Give back what is not the pool's. */
void probe_subject_fini(struct probe_subject *);

/* It stays at the first outcome; the reason is borrowed. */
void probe_subject_end(
    struct probe_subject *, enum probe_outcome, const char *reason);

/* Its place among the axes, by name without regard to case; -1: not tried. */
int probe_subject_index(const struct probe_subject *, const char *name);

/* Try this header too, if it is not tried yet. */
void probe_subject_add_axis(struct probe_subject *, const char *name);
void probe_subject_open_axis(struct probe_subject *, const struct probe_axis *);

/* Make it one of the subject's axes, without trials.  -1: not to be tried. */
int probe_subject_enter_axis(struct probe_subject *, const struct probe_axis *);

/* A trial more, empty.  Those that there are may move. */
struct probe_trial *
probe_subject_push(struct probe_subject *, enum probe_trial_kind,
    const struct probe_axis *, int index, const char *value);

/* Trials of this kind for the table's headers that are tried at once: all of
 * their first values, then the second ones of those that have two. */
void probe_subject_push_groups(struct probe_subject *, enum probe_trial_kind,
    const struct probe_axis *, int context);

/*
 * Does a GROUP or REST trial send this header of the table?  Asked of all of the
 * settings' axes in their order; *n counts, and begins with 0.
 */
bool probe_subject_in_group(
    const struct probe_trial *, const struct probe_axis *, int *n);

/* By its name, as it is tried; NULL: nobody knows it. */
const struct probe_axis *
probe_subject_axis(const struct probe_subject *, const char *name);

/* Try this value of a header too. */
void probe_subject_add_value(
    struct probe_subject *, const char *name, const char *value);

/* What the baseline sends under this name; NULL: nothing. */
const char *
probe_subject_base_value(const struct probe_subject *, const char *name);

/* Is it the edge's, so that no client's is ever seen? */
bool probe_subject_set_by_edge(const struct probe_subject *, const char *name);

/* A value of the table of axes, with this URL's and run's words in it. */
const char *
probe_subject_expand(const struct probe_subject *, const char *value);
#endif
