/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lookups that wait for those which were logged late: out comes the earliest.
 * Room: live/.  Pure.
 */
#ifndef LIVE_WINDOW_H
#define LIVE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "live/replay.h"

#define LIVE_WINDOW_MAX 8192 /* that wait */

struct live_window {
	struct live_event *event; /* LIVE_WINDOW_MAX of them */
	/* A heap: what it is ordered by is in it, for events are far apart. */
	struct live_waiting {
		int64_t us;
		uint64_t order;
		uint32_t event;
	} * heap;
	uint32_t *spare;
	uint32_t waiting, spares;
	uint64_t order;
};

/* 0 or -ENOMEM. */
int live_window_init(struct live_window *);
void live_window_fini(struct live_window *);

static inline bool
live_window_full(const struct live_window *w)
{
	return (w->spares == 0);
}

/* The time of the earliest; INT64_MAX: none waits. */
static inline int64_t
live_window_next(const struct live_window *w)
{
	return (w->waiting > 0 ? w->heap[0].us : INT64_MAX);
}

/* Copy one in; the window must not be full. */
void live_window_push(struct live_window *, const struct live_event *);

/*
 * Take the earliest out; there must be one.  Of one moment it is that which came
 * first.  It is the caller's until live_window_release().
 */
struct live_event *live_window_pop(struct live_window *);
void live_window_release(struct live_window *, const struct live_event *);
#endif
