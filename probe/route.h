/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How requests get to the origin.
 * Room: probe/.  A noun.
 */
#ifndef PROBE_ROUTE_H
#define PROBE_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to reach the origin.  Zero or NULL is the default everywhere. */
struct probe_route {
	const char *const
	    *connect_to;            /* libcurl's HOST:PORT:CONNECT-HOST:PORT */
	const char *const *resolve; /* HOST:PORT:ADDRESS */
	const char *unix_socket;
	const char *proxy;      /* NULL: as the environment says */
	const char *proxy_user; /* NAME:PASSWORD */
	const char *user;       /* NAME:PASSWORD */
	const char *cert, *key; /* client certificate, PEM */
	const char *cacert;     /* trust these, PEM */
	bool netrc;
	bool proxy_protocol;  /* begin each connection with HAProxy's line */
	bool insecure;        /* take any certificate */
	int http;             /* 10, 11, 20; 0: 1.1 */
	uint64_t timeout_ms;  /* for a whole exchange; 0: 30 s */
	unsigned concurrency; /* requests at a time; 0: 8 */
	unsigned per_host;    /* connections to one host; 0: no limit */
	size_t max_body;      /* bytes read of a body; 0: 4 MiB */
};
#endif
