/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A request or a fetch whose End has not come yet: what its records have said so
 * far, its text, its headers.
 * Room: live/.  No I/O, no clock.  Bounded: what a log says beyond the limits is
 * left out, not cut, for a cut value is another value.
 */
#ifndef LIVE_OPEN_H
#define LIVE_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/record.h"
#include "live/transaction.h"

/*
 * What one request may make us keep.  Varnish's own limits are below these
 * (http_max_hdr 64, workspaces of 96k); they bound what a log can do to us.
 */
#define LIVE_OPEN_LINES 256
#define LIVE_OPEN_TEXT  (256 * 1024)
#define LIVE_OPEN_LINKS 8

/* A piece of text; an offset, for the text moves as it grows. */
struct live_piece {
	uint32_t off, len;
};

struct live_open_line {
	uint32_t off;
	uint32_t name_len, len; /* of the name; of all of it */
};

/* The digits of a Timestamp: most are never asked for. */
struct live_stamp {
	char b[20];
	unsigned char n;
};

enum live_open_kind {
	LIVE_OPEN_REQ,
	LIVE_OPEN_BEREQ
};

struct live_open {
	uint64_t vxid;
	struct live_open *hash_next;     /* in the bucket */
	struct live_open *older, *newer; /* in the order of Begin */
	uint64_t parent; /* the request that waits for us, or 0 */
	enum live_open_kind kind;
	bool ended, frozen, delivered, past_origin, has_status;
	bool retried;
	bool has_declared, has_stored, has_vary;
	unsigned links_n, waits;
	struct {
		uint64_t vxid;
		bool background;
	} links[LIVE_OPEN_LINKS];
	struct live_transaction t;
	struct live_fetch f;
	struct live_piece method, host, url, backend, declared, stored, vary;
	struct live_stamp first, last;
	struct live_open_line lines[LIVE_OPEN_LINES];
	size_t lines_n;
	char *text;
	size_t text_n, text_cap;
};

/* NULL: no memory.  It begins anew with each live_open_begin(). */
struct live_open *live_open_new(void);
void live_open_free(struct live_open *);
void live_open_begin(struct live_open *, uint64_t vxid, enum live_open_kind);

/*
 * Take a record of its own, of any kind but Begin and End.  0 or -ENOMEM.
 * The text is copied.
 */
int live_open_take(struct live_open *, const struct live_record *);

/* The times that .t and .f have, worked out. */
void live_open_times(struct live_open *);

/* Is the number among the first n links? */
bool live_open_linked(const struct live_open *, unsigned n, uint64_t vxid);

struct vary_span live_open_span(const struct live_open *, struct live_piece);

/* The header lines into h, which has room for LIVE_OPEN_LINES; how many. */
size_t live_open_headers(const struct live_open *, struct live_header *h);

/* Keep text.  *ret stays as it is where it does not fit.  0 or -ENOMEM. */
int live_open_keep(
    struct live_open *, const char *b, size_t len, struct live_piece *ret);

/* A header line comes, or goes.  0 or -ENOMEM. */
int live_open_add_line(struct live_open *, const struct live_record *);
void live_open_unset_line(struct live_open *, const struct live_record *);

/* Join another line to a value, as RFC 9110 section 5.3 has it. */
int live_open_join(
    struct live_open *, struct live_piece *, bool *has, struct vary_span);
#endif
