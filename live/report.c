/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <stdlib.h>

double
live_report_lost(const struct live_group *g)
{
	double lost = 0;
	unsigned i;

	for (i = 0; i < LIVE_MEMBERS_MAX; i++)
		if (g->member[i] != NULL && lost < g->member[i]->won_dropped)
			lost = g->member[i]->won_dropped;
	return (lost);
}

static int
order(const void *a, const void *b)
{
	const struct live_group *x = *(const struct live_group *const *)a;
	const struct live_group *y = *(const struct live_group *const *)b;
	double lx = live_report_lost(x), ly = live_report_lost(y);

	if (lx > ly || lx < ly)
		return (lx > ly ? -1 : 1);
	if (x->requests != y->requests)
		return (x->requests > y->requests ? -1 : 1);
	/* Whatever the sort does with equals: the same report each time. */
	if (x->node != y->node)
		return (x->node < y->node ? -1 : 1);
	return (x->backend < y->backend ? -1 : x->backend > y->backend);
}

int
live_report_groups(const struct live_report *r, const struct live_group ***ret,
    unsigned *ret_n)
{
	const struct live_groups *gs = r->traffic->groups;
	const struct live_group **list;
	unsigned i, n = 0, end = live_groups_end(gs);

	list = calloc((size_t)end + 1, sizeof(struct live_group *));
	if (list == NULL)
		return (-ENOMEM);
	for (i = 0; i < end; i++)
		if (live_groups_at(gs, i) != NULL)
			list[n++] = live_groups_at(gs, i);
	qsort(list, n, sizeof(struct live_group *), order);
	*ret = list;
	*ret_n = n;
	return (0);
}

uint64_t
live_report_lookups(const uint64_t by[LIVE_HANDLING__MAX])
{
	return (
	    by[LIVE_HIT] + by[LIVE_MISS] + by[LIVE_HITMISS] + by[LIVE_HITPASS]);
}

const char *
live_handling_word(enum live_handling h)
{
	static const char *const w[LIVE_HANDLING__MAX] = { "unknown", "hit",
		"miss", "hitmiss", "hitpass", "pass", "pipe", "synth" };

	return (w[h]);
}
