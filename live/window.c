/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/window.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int
live_window_init(struct live_window *w)
{
	uint32_t i;

	memset(w, 0, sizeof *w);
	w->event = malloc(LIVE_WINDOW_MAX * sizeof *w->event);
	w->heap = malloc(LIVE_WINDOW_MAX * sizeof *w->heap);
	w->spare = malloc(LIVE_WINDOW_MAX * sizeof *w->spare);
	if (w->event == NULL || w->heap == NULL || w->spare == NULL) {
		live_window_fini(w);
		return (-ENOMEM);
	}
	for (i = 0; i < LIVE_WINDOW_MAX; i++)
		w->spare[w->spares++] = LIVE_WINDOW_MAX - 1 - i;
	return (0);
}

void
live_window_fini(struct live_window *w)
{
	free(w->event);
	free(w->heap);
	free(w->spare);
	memset(w, 0, sizeof *w);
}

static bool
earlier(const struct live_waiting *a, const struct live_waiting *b)
{
	/* Of one moment the one that was logged first. */
	return (a->us != b->us ? a->us < b->us : a->order < b->order);
}

void
live_window_push(struct live_window *w, const struct live_event *e)
{
	struct live_waiting x;
	uint32_t i = w->waiting;

	assert(w->spares > 0);
	x.us = e->us;
	x.order = w->order++;
	x.event = w->spare[--w->spares];
	/* What was not fetched has no backend request: a third of the bytes. */
	memcpy(&w->event[x.event], e,
	    e->fetched ? sizeof *e : offsetof(struct live_event, bereq));
	w->waiting++;
	while (i > 0 && earlier(&x, &w->heap[(i - 1) / 2])) {
		w->heap[i] = w->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->heap[i] = x;
}

struct live_event *
live_window_pop(struct live_window *w)
{
	uint32_t top, i = 0;
	struct live_waiting last;

	assert(w->waiting > 0);
	top = w->heap[0].event;
	last = w->heap[--w->waiting];
	for (;;) {
		uint32_t c = 2 * i + 1;

		if (c >= w->waiting)
			break;
		if (c + 1 < w->waiting && earlier(&w->heap[c + 1], &w->heap[c]))
			c++;
		if (!earlier(&w->heap[c], &last))
			break;
		w->heap[i] = w->heap[c];
		i = c;
	}
	w->heap[i] = last;
	return (&w->event[top]);
}

void
live_window_release(struct live_window *w, const struct live_event *e)
{
	w->spare[w->spares++] = (uint32_t)(e - w->event);
}
