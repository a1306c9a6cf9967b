/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The levels of a series.
 * Room: diskbench/, deciding: no I/O, no clock, no global, no print.
 */
#ifndef DISKBENCH_LEVELS_H
#define DISKBENCH_LEVELS_H

/*
 * Where does a series change its level?  Writes at most max indices, rising:
 * each is the first value of a new level.  Levels are at least `shortest`
 * values long and differ by 10 % at least.  Splits the series where that
 * explains the most, and goes on in both parts (binary segmentation), as long
 * as the gain is above what noise of this size gives.
 * Returns how many there are.  Values have to be above 0.
 */
unsigned bench_levels_find(const double *y, unsigned n, unsigned shortest,
    unsigned *ret_at, unsigned max);
#endif
