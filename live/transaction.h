/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: one request as Varnish looked it up, and the fetch that it caused.
 * The arrow between what reads (assembly, accesslog) and what decides.
 * Room: live/.  All text is borrowed, for the time of a call.
 */
#ifndef LIVE_TRANSACTION_H
#define LIVE_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vary/field.h"

enum live_handling {
	LIVE_UNKNOWN = 0, /* an access log that does not tell */
	LIVE_HIT,
	LIVE_MISS,
	LIVE_HITMISS, /* a hit-for-miss object stood in the way */
	LIVE_HITPASS, /* a hit-for-pass object did */
	LIVE_PASS,
	LIVE_PIPE,
	LIVE_SYNTH,
	LIVE_HANDLING__MAX
};

struct live_header {
	struct vary_span name, value; /* the value without blanks around it */
};

/* Seconds; negative where the log does not tell. */
struct live_lifetime {
	double ttl, grace, keep;
};

struct live_fetch {
	int64_t start_us, end_us;
	int64_t response_us; /* when the head of the response was there */
	int64_t origin_us;   /* since when its ttl runs: Age counts */
	/* The backend request as it was when the response was stored. */
	const struct live_header *headers;
	size_t headers_n;
	struct vary_span backend;
	unsigned status;
	struct live_lifetime life;
	/*
	 * Vary as the origin sent it and as it was stored after VCL; several
	 * lines are joined with ", ".  Not has_: there was none at all.
	 */
	struct vary_span declared, stored;
	bool has_declared, has_stored;
	bool revalidated;      /* the origin answered 304 */
	bool revalidated_vary; /* and that 304 had a Vary of its own */
	bool uncacheable; /* nothing was stored, or a hit-for-miss object */
	bool hit_for_pass;
	bool malformed; /* Varnish would not take the Vary */
	bool failed;
	bool background; /* the client did not wait for it */
	uint64_t bytes;  /* of the body, as stored */
};

struct live_transaction {
	int64_t start_us; /* since 1970: when the request was complete */
	int64_t end_us;
	struct vary_span method, host, url; /* as they were looked up */
	uint64_t hash; /* of the Hash records; 0: the log masks them */
	enum live_handling handling;
	bool looked_up; /* the request went through the cache's index */
	bool restarted; /* goes on with one that restarts */
	bool restarts;  /* ends in a restart: another one goes on with it */
	bool purges;    /* all objects of this URL go */
	bool incomplete;
	unsigned status;
	uint64_t bytes; /* of the body that the client got */
	/* The request as it was when it was looked up. */
	const struct live_header *headers;
	size_t headers_n;
	/* Vary of the object, before vcl_deliver could change it. */
	struct vary_span vary;
	bool has_vary;
	struct live_lifetime left; /* of the object that was hit */
	int64_t age;       /* of that object, in seconds; negative: not told */
	unsigned variants; /* of the "High number of variants" notice, or 0 */
	const struct live_fetch *fetch; /* NULL: none */
};
#endif
