/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One run of varylive(1): main.c reads into it, output.c shows what is in it.
 */
#ifndef LIVE_RUN_H
#define LIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "live/assembly.h"
#include "live/audit.h"
#include "live/finding.h"
#include "live/options.h"
#include "live/policy.h"
#include "live/report.h"
#include "live/traffic.h"
#include "live/vsl.h"

struct run {
	struct live_options opt;
	struct live_traffic traffic;
	struct live_source source;
	struct live_assembly *assembly;
	struct live_vsl *vsl;
	struct live_policy policy;
	struct live_audit *audit;
	struct live_findings findings;
	char damage[512];
	int error;     /* of a callback */
	bool done;     /* -k */
	bool screen;   /* a terminal, refreshed */
	uint64_t next; /* refresh, ns */
	uint64_t end;  /* ns; 0: never */
};

/*
 * On the way: the screen, and the files that are kept up to date.  live: what
 * has waited long enough is decided by the clock.  0 or -errno; a file that
 * cannot be written is said, and may be next time.
 */
int run_show(struct run *, bool live);

/* The last word, in the format and to the place that were asked for.  0 or
 * -errno, said. */
int run_report(struct run *);

/* May the workload be written to its file?  0, or an exit status, said. */
int run_may_write_workload(const struct run *);

/* Of what the traffic did to a disk.  0 or -errno, said. */
int run_write_workload(struct run *);

#endif
