/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hosts, by which manners are kept: how many requests at a time, how soon the
 * next, what robots.txt says (RFC 9309).
 * Room: probe/.
 */
#ifndef PROBE_HOST_H
#define PROBE_HOST_H

#include <apr_pools.h>
#include <apr_time.h>
#include <stdbool.h>

struct probe_run;
struct probe_target;

struct probe_host {
	char *name;
	int refs, busy;
	apr_time_t next; /* not before */
	/* robots.txt */
	apr_pool_t *pool; /* of all that is kept of it, or NULL */
	enum {
		PROBE_ROBOTS_NEW = 0,
		PROBE_ROBOTS_ASKED,
		PROBE_ROBOTS_KNOWN
	} state;
	struct probe_robots *robots; /* NULL: all is allowed */
	bool robots_deny;            /* nothing is */
	const char *robots_url;
	int redirects;
};

/* None so far; they go with the run's pool. */
void probe_hosts_open(struct probe_run *);

/* The run's host of that name, or NULL where memory is full; each
 * probe_host_get() has a probe_host_put(). */
struct probe_host *probe_host_get(struct probe_run *, const char *name);
void probe_host_put(struct probe_run *, struct probe_host *);

/* True: this target may go on.  False: robots.txt is on its way. */
bool probe_host_agrees(struct probe_run *, struct probe_target *);
#endif
