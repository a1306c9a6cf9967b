/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sockets of a transport that something is awaited of.  With them, only the
 * requests that can go on are looked at, and not all at each turn.
 * Room: probe/.  Knows no libcurl.
 */
#ifndef PROBE_SOCKETS_H
#define PROBE_SOCKETS_H

#include <poll.h>

struct probe_sockets {
	struct pollfd *p;
	int *at; /* of a descriptor: its index in p, and one; 0: none */
	int n, cap, descriptors;
};

void probe_sockets_fini(struct probe_sockets *);

/* Await these of poll(2)'s events; 0: nothing any more.  0 or -ENOMEM. */
int probe_sockets_await(struct probe_sockets *, int fd, short events);
#endif
