/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/sockets.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
probe_sockets_fini(struct probe_sockets *s)
{
	free(s->p);
	free(s->at);
	memset(s, 0, sizeof *s);
}

static int
know(struct probe_sockets *s, int fd)
{
	int n = s->descriptors > 0 ? s->descriptors : 64, *at;

	while (n <= fd)
		n *= 2;
	at = realloc(s->at, (size_t)n * sizeof *at);
	if (at == NULL)
		return (-ENOMEM);
	memset(
	    at + s->descriptors, 0, (size_t)(n - s->descriptors) * sizeof *at);
	s->at = at;
	s->descriptors = n;
	return (0);
}

int
probe_sockets_await(struct probe_sockets *s, int fd, short events)
{
	struct pollfd *p;
	int i, cap;

	assert(fd >= 0);
	if (fd >= s->descriptors && know(s, fd) != 0)
		return (-ENOMEM);
	i = s->at[fd];
	if (events == 0) {
		if (i == 0)
			return (0);
		/* The last one takes its place. */
		s->p[i - 1] = s->p[--s->n];
		s->at[s->p[i - 1].fd] = i;
		s->at[fd] = 0;
		return (0);
	}
	if (i == 0) {
		if (s->n == s->cap) {
			cap = s->cap > 0 ? 2 * s->cap : 32;
			p = realloc(s->p, (size_t)cap * sizeof *p);
			if (p == NULL)
				return (-ENOMEM);
			s->p = p;
			s->cap = cap;
		}
		s->at[fd] = i = ++s->n;
		s->p[i - 1].fd = fd;
	}
	s->p[i - 1].events = events;
	s->p[i - 1].revents = 0;
	return (0);
}
