/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options_pts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_pts_tests[] = { "iops", "throughput", "latency", "wsat",
	NULL };

/* Is the budget enough?  Of a drive that takes any size. */
static const char *
budget(struct bench_options *o)
{
	struct bench_pts *p = calloc(1, sizeof *p);
	uint64_t least = 0;
	char text[128];
	int r;

	if (p == NULL)
		return ("out of memory");
	r = bench_pts_plan(p, &o->pts, UINT64_C(1) << 40, 1, &least);
	free(p);
	if (r == 0)
		return (NULL);
	(void)snprintf(text, sizeof text,
	    "--time-budget: not enough for this test; %" PRIu64 "s is%s",
	    least / 1000000000, o->pts.quick ? "" : ", and --quick takes less");
	return (bench_options_keep(o, strdup(text)));
}

const char *
bench_options_pts(struct bench_options *o, struct bench_job *j,
    enum bench_command command, bool depth_given)
{
	struct bench_pts_wish *w = &o->pts;

	if (command == BENCH_CMD_PTS && w->test == BENCH_PTS_PRECONDITION)
		w->test = BENCH_PTS_IOPS;
	if (w->test == BENCH_PTS_LATENCY) {
		if (depth_given || j->threads > 1)
			return ("--test latency has one I/O in flight: leave "
				"out --iodepth and --threads");
		j->depth = 1;
	}
	if (w->test == BENCH_PTS_WSAT && w->prepared != NULL)
		return ("--test wsat begins with a purged drive: --prepared is "
			"for the other ones; --purge says how it was purged");
	if (w->discard && w->prepared != NULL)
		return ("--discard takes away what --prepared speaks of");
	if (w->bytes > 0 && w->test != BENCH_PTS_THROUGHPUT)
		return ("--bs is for --test throughput");
	if (w->bytes == UINT32_MAX)
		return ("--bs: the throughput test is of one size");
	w->budget_ns = o->budget_ns;
	w->runtime_ns = j->runtime_ns;
	/* What is measured without being filled first has to be there. */
	j->shape.read_percent = w->prepared != NULL ? 50 : 0;
	j->shape.random = true;
	bench_job_size(j, 4096);
	return (o->budget_ns > 0 ? budget(o) : NULL);
}
