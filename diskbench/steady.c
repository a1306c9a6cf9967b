/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/steady.h"

#include <math.h>
#include <string.h>

/* Values such as 1.1 and 0.9 are no binary fractions; a window that is on the
 * limit in decimals is on it here as well. */
#define SLACK (1 + 1e-12)

void
bench_steady_window(struct bench_steady *ret, const double *y)
{
	double moment = 0, sum = 0, range, rise;
	unsigned i;

	memset(ret, 0, sizeof *ret);
	ret->low = ret->high = y[0];
	for (i = 0; i < BENCH_STEADY_WINDOW; i++) {
		sum += y[i];
		moment += ((double)i - 2) * y[i];
		if (y[i] < ret->low)
			ret->low = y[i];
		if (y[i] > ret->high)
			ret->high = y[i];
	}
	ret->average = sum / BENCH_STEADY_WINDOW;
	/* The squares of -2 .. 2 add up to ten. */
	ret->slope = moment / 10;
	ret->fit_first = ret->average - 2 * ret->slope;
	ret->fit_last = ret->average + 2 * ret->slope;
	/* Nothing was done, or nothing that can be measured. */
	if (!(ret->average > 0) || !isfinite(ret->average))
		return;
	range = ret->high - ret->low;
	rise = fabs(moment) * 4 / 10;
	ret->range_percent = 100 * range / ret->average;
	ret->slope_percent = 100 * rise / ret->average;
	/* Without a division, so that round numbers are compared exactly. */
	ret->reached =
	    range * 100 <= BENCH_STEADY_RANGE_PERCENT * ret->average * SLACK &&
	    rise * 100 <= BENCH_STEADY_SLOPE_PERCENT * ret->average * SLACK;
}

bool
bench_steady_find(struct bench_steady *ret, const double *y, unsigned n)
{
	unsigned i;

	memset(ret, 0, sizeof *ret);
	if (n < BENCH_STEADY_WINDOW)
		return (false);
	for (i = 0; i + BENCH_STEADY_WINDOW <= n; i++) {
		bench_steady_window(ret, y + i);
		ret->first = i;
		if (ret->reached)
			break;
	}
	return (true);
}
