/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Varnish's log, from a running varnishd or from a file, as records.
 * Room: live/.  libvarnishapi is named in vsl.c and nowhere else.
 */
#ifndef LIVE_VSL_H
#define LIVE_VSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/record.h"

struct live_vsl;

struct live_vsl_options {
	const char *instance; /* -n; NULL: this host's */
	const char *file;     /* -r; "-" is standard input; NULL: live */
	const char *query;    /* -q, VSL query; NULL: all */
	const char *patience; /* -t; NULL: five seconds */
	const char *limit;    /* -L, as Varnish reads it; NULL: its default */
	const char *timeout;  /* -T, as Varnish reads it; NULL: its default */
	bool head;            /* -d: what the log holds, then the end */
};

enum live_vsl_status {
	LIVE_VSL_MORE = 0,  /* call again at once */
	LIVE_VSL_IDLE,      /* nothing now; wait a little */
	LIVE_VSL_END,       /* the file, or what -d asked for, is read */
	LIVE_VSL_OVERRUN,   /* the log was faster than we; records are lost */
	LIVE_VSL_ABANDONED, /* varnishd's child is gone; call again */
	LIVE_VSL_TRUNCATED, /* the file ends inside a record */
	LIVE_VSL_CORRUPT,   /* the file holds what is no record */
	LIVE_VSL_ERROR,     /* live_vsl_error() says what */
};

/* Returns 0, or a negative errno that ends the reading. */
typedef int live_record_f(void *priv, const struct live_record *);

/*
 * 0; -EINVAL: the options (a bad query); -EIO: the log or file cannot be had;
 * -ENOMEM.  On failure *ret may still be non-NULL, for live_vsl_error(); close
 * it in any case.
 */
int live_vsl_open(struct live_vsl **ret, const struct live_vsl_options *);
void live_vsl_close(struct live_vsl **);

/* Hand over some records; none of LIVE_TAG_OTHER.  *ret_error is what the callback returned, or 0. */
enum live_vsl_status
live_vsl_read(struct live_vsl *, live_record_f *, void *priv, int *ret_error);

const char *live_vsl_error(const struct live_vsl *);

/* Bytes of the file that were read as records; where a bad one begins. */
uint64_t live_vsl_offset(const struct live_vsl *);

/* Records read, also of the kinds that nothing here asks for. */
uint64_t live_vsl_records(const struct live_vsl *);
#endif
