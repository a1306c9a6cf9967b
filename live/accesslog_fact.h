/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the fields of an access log's line say, however the line was written; and
 * the transaction that it makes.
 * Room: live/.  No I/O.
 */
#ifndef LIVE_ACCESSLOG_FACT_H
#define LIVE_ACCESSLOG_FACT_H

#include "live/accesslog.h"

/* What the fields of a line said; spans with .b NULL were not there. */
struct live_log_facts {
	int64_t us, took_us;
	struct vary_span method, url, query, host, status, bytes, handling;
	struct vary_span vary, cache_control, age;
	size_t headers_n;
};

/* A copy in the line's text, where what a line is read into points; false: full. */
bool live_log_keep(
    struct live_log_line *, const char *b, size_t len, struct vary_span *ret);

/* A digit's value; -1: it is none of base 16. */
int live_log_hex(char);

/* At most 18 decimal digits and nothing else. */
bool live_log_number(struct vary_span, uint64_t *ret);

/* Of a response header, if it is one that counts. */
void live_log_resp_header(
    struct live_log_facts *, struct vary_span name, struct vary_span value);

/* The facts to the line's transaction; false: they are none. */
bool live_log_finish(struct live_log_line *, const struct live_log_facts *,
    struct live_lifetime fallback);

/* A line of JSON to facts; false: it is no object, or has no time. */
bool live_log_json(
    struct live_log_line *, const char *b, size_t len, struct live_log_facts *);
#endif
