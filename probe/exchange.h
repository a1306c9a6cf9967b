/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request, and what came back.
 * Room: probe/.  A noun: no code but accessors.
 */
#ifndef PROBE_EXCHANGE_H
#define PROBE_EXCHANGE_H

#include <apr_pools.h>
#include <apr_time.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/*
 * A header line.  In a request, a NULL value means: send no such line, also
 * where the HTTP library would add one by itself; and an empty value is sent.
 */
struct probe_header {
	const char *name;
	const char *value;
};

enum probe_method {
	PROBE_GET = 0,
	PROBE_HEAD,
	PROBE_OPTIONS,
};

struct probe_request {
	enum probe_method method;
	const char *url;
	const struct probe_header *headers;
	size_t nheaders;
	bool fresh; /* on a connection of its own */
	/* TLS alone: a handshake with sni (NULL: with no name) in place of the
	 * URL's host, which goes in Host as ever. */
	bool other_sni;
	const char *sni;
};

/* How a request ended.  All but PROBE_ANSWERED leave an exchange without
 * status, lines and body. */
enum probe_end {
	PROBE_ANSWERED = 0,
	PROBE_NO_ADDRESS, /* the name does not resolve */
	PROBE_NO_CONNECT, /* refused, unreachable */
	PROBE_NO_PROXY,   /* a proxy does not let us through */
	PROBE_NO_TLS,     /* handshake or certificate */
	PROBE_TIMEOUT,    /* no whole answer in time */
	PROBE_TOO_LARGE,  /* the head is longer than we read */
	PROBE_BROKEN,     /* reset, or no HTTP */
	PROBE_STOPPED,    /* by us, before it was over */
};

/* A line of a response head: bytes borrowed from the exchange. */
struct probe_line {
	const char *name;
	size_t name_len; /* with any blanks before the colon */
	const char *value;
	size_t value_len; /* without blanks around it */
};

/* Borrowed from the transport for as long as its callback runs. */
struct probe_exchange {
	enum probe_end end;
	const char *error; /* what the library says, or NULL */
	int proxy_status;  /* PROBE_NO_PROXY: of the answer to CONNECT, or 0 */
	bool proxied;      /* the answer may be a proxy's own */
	int status;
	int http; /* 10, 11, 20 */
	const struct probe_line *lines;
	size_t nlines;
	const char *body; /* as it came: coded */
	size_t body_len;
	bool truncated; /* there was more body than we read */
	double seconds;
};

/*
 * Is this the line's name?  Without regard to case.  Inline, because the length,
 * known at compile time, says no to nearly every name.
 */
static inline bool
probe_line_is(const struct probe_line *l, const char *name)
{
	return (strlen(name) == l->name_len &&
		strncasecmp(name, l->name, l->name_len) == 0);
}

/* The first line of this name; NULL: none. */
const struct probe_line *
probe_exchange_line(const struct probe_exchange *, const char *name);

/* A copy of what it says; NULL of no line (NULL). */
const char *probe_line_copy(const struct probe_line *, apr_pool_t *);

/* The date that a line says; APR_DATE_BAD: none, or no line (NULL). */
apr_time_t probe_line_date(const struct probe_line *);
#endif
