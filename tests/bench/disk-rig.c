/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often compare is right, on simulated data of which the truth is known: the
 * share of comparisons of a drive with itself that show a difference, of
 * comparisons with one a tenth slower that find it, and of intervals that hold
 * the truth.
 *	make tests/bench/disk-rig && tests/bench/disk-rig [N]
 * N is 10,000 unless given, which takes some minutes.  tests/unit/stats.c does the
 * same with 200; tests/bench/disk-compare.sh on a real device.  Exit 1 where a
 * figure is not what is promised.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/rig.h"

static const struct {
	const char *name;
	struct rig rig;
	bool sees; /* a tenth is promised to be found */
} rigs[] = {
	{ "8 pairs, runs within 2 %", { 1, 0.02, 0, 8, true }, true },
	{ "12 pairs, 2 %", { 1, 0.02, 0, 12, true }, true },
	{ "12 pairs, 3 %", { 1, 0.03, 0, 12, true }, true },
	{ "30 pairs, 5 %", { 1, 0.05, 0, 30, true }, true },
	{ "12 pairs, 25 %", { 1, 0.25, 0, 12, true }, false },
	{ "8 pairs, 5 %, stalls", { 1, 0.05, 0.1, 8, true }, false },
	{ "30 pairs, 5 %, stalls", { 1, 0.05, 0.1, 30, true }, false },
	{ "12 files a side, 3 %", { 1, 0.03, 0, 12, false }, true },
	{ "8 files a side, 5 %, stalls", { 1, 0.05, 0.1, 8, false }, false },
};

static double
percent(unsigned n, unsigned of)
{
	return (100.0 * n / of);
}

int
main(int argc, char **argv)
{
	unsigned i, n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10000;
	int missed = 0;

	if (argc > 2 || n < 1 || n > 1000000) {
		(void)fputs(
		    "usage: disk-rig [comparisons of each kind]\n", stderr);
		return (2);
	}
	(void)printf("%u comparisons of each kind; %% of them\n", n);
	(void)printf("%-28s %10s %10s %10s %10s %10s\n", "",
	    "itself:", "interval", "a tenth:", "interval", "taken for");
	(void)printf("%-28s %10s %10s %10s %10s %10s\n", "", "differs",
	    "holds 1", "found", "holds 1.1", "faster");
	for (i = 0; i < sizeof rigs / sizeof *rigs; i++) {
		struct rig g = rigs[i].rig;
		struct rig_tally same = rig_compare(&g, n), tenth;
		bool ok;

		g.ratio = 1.1;
		tenth = rig_compare(&g, n);
		ok = percent(same.found, n) <= 5 &&
		     percent(same.holds, n) >= 90 &&
		     percent(tenth.holds, n) >= 90 &&
		     (!rigs[i].sees || percent(tenth.found, n) >= 95);
		missed += !ok;
		(void)printf("%-28s %10.2f %10.2f %10.2f %10.2f %10.2f  %s\n",
		    rigs[i].name, percent(same.found, n),
		    percent(same.holds, n), percent(tenth.found, n),
		    percent(tenth.holds, n), percent(tenth.wrong, n),
		    ok ? "ok" : "MISSED");
		(void)fflush(stdout);
	}
	(void)puts("promised: at most 5 differ, at least 90 intervals hold; "
		   "of a tenth 95 are found where runs scatter little");
	return (missed > 0);
}
