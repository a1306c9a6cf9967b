/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of an access log, as transactions: Apache's LogFormat, varnishncsa's
 * -F, or one JSON object a line.  A poorer source than Varnish's own log: it
 * knows of a request what its format names.
 *
 * Room: live/.  No I/O.
 */
#ifndef LIVE_ACCESSLOG_H
#define LIVE_ACCESSLOG_H

#include <stddef.h>
#include <stdint.h>

#include "live/transaction.h"

#define LIVE_LOG_FIELDS 64
#define LIVE_LOG_LINE   65536 /* a longer line is no line */

enum live_field {
	LIVE_FIELD_SKIP = 0,
	LIVE_FIELD_TIME,    /* [02/Dec/2026:01:40:54 +0000] */
	LIVE_FIELD_SECONDS, /* since 1970, with a fraction or without */
	LIVE_FIELD_REQUEST, /* GET /path HTTP/1.1 */
	LIVE_FIELD_METHOD,
	LIVE_FIELD_URL,
	LIVE_FIELD_QUERY,
	LIVE_FIELD_HOST,
	LIVE_FIELD_STATUS,
	LIVE_FIELD_BYTES,
	LIVE_FIELD_MICROSECONDS, /* that it took */
	LIVE_FIELD_HANDLING,
	LIVE_FIELD_REQ_HEADER,
	LIVE_FIELD_RESP_HEADER,
};

struct live_log_format {
	struct {
		enum live_field field;
		char name[64];   /* of a header */
		char before[32]; /* literal text */
		char end;        /* the byte after it; NUL: the line's end */
	} f[LIVE_LOG_FIELDS];
	unsigned n;
	char after[32]; /* literal text behind the last */
	bool json;
};

/*
 * A name (common, combined, varykit, varykit-ncsa, json) or a format of one's
 * own.  0; -EINVAL: no request can be read with it, or it cannot be read.
 */
int live_log_format_init(struct live_log_format *, const char *text);

/* What a line was read into; the transaction points into it. */
struct live_log_line {
	char text[LIVE_LOG_LINE];
	size_t text_n;
	struct live_header header[LIVE_LOG_FIELDS];
	struct live_transaction t;
	struct live_fetch fetch;
};

/*
 * Read one line.  The default's ttl holds where Cache-Control does not tell,
 * its grace always.
 * True: l->t is a transaction, good until the next call.
 */
bool live_log_read(struct live_log_line *l, const struct live_log_format *,
    const char *b, size_t len, struct live_lifetime fallback);
#endif
