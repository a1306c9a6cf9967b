/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a lane does while the clock runs: ask, wait, account.
 * Room: diskbench/, doing.  For lane.c alone, which makes the lane ready.
 */
#ifndef DISKBENCH_LANE_LOOP_H
#define DISKBENCH_LANE_LOOP_H

#include "diskbench/lane.h"

#define BENCH_NEVER    UINT64_MAX
#define BENCH_DRAIN_NS (UINT64_C(30) * BENCH_SECOND) /* then an I/O is lost */

/* The lane's time: the clock's, or that of an engine that makes its own. */
static inline uint64_t
bench_lane_now(const struct bench_lane *l)
{
	return (l->type->now != NULL ? l->type->now(l->engine)
				     : bench_lane_clock());
}

/* Until the time is over, the requests are, or somebody says stop.  done: room
 * for as many as the engine's depth.  0, or -errno of the engine. */
int bench_lane_loop(struct bench_lane *, struct bench_io **done);
/* What is still in flight belongs to the result: above all if it is slow. */
int bench_lane_drain(struct bench_lane *, struct bench_io **done);

/* Paced: when the request after this one of so many bytes is due. */
void bench_lane_schedule(struct bench_lane *, unsigned op, uint32_t len);
/* Close the books of the step that ends now. */
void bench_lane_fold(struct bench_lane *);
/* The time that the rate is of ends here. */
void bench_lane_close_window(struct bench_lane *, uint64_t end);
/* Of a closed loop that has something done by then: when the clock ends it, or
 * somebody does, before what came later is accounted for. */
void bench_lane_end_window(struct bench_lane *);
#endif
