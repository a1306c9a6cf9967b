/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A figure becomes a script for gnuplot, and gnuplot's SVG a part of a page.
 * Room: diskbench/, deciding: no I/O.  No string of a page ever gets into a
 * script: names are in the legend, which is not gnuplot's.
 */
#ifndef DISKBENCH_PLOT_H
#define DISKBENCH_PLOT_H

#include <stdio.h>

#include "diskbench/page.h"

struct bench_plot_size {
	unsigned width, height; /* CSS pixels */
};

/* Append the commands for one SVG.  The stream is the caller's, and so are its
 * errors. */
void
bench_plot_script(FILE *, const struct bench_figure *, struct bench_plot_size);

/*
 * Of the first SVG document in text (len bytes), write what may stand inside
 * an svg element of an HTML page: colours become the page's (var(--gN)), ids
 * and titles go.  Returns how much of text it took; 0: there was none.
 */
size_t bench_plot_inside(FILE *, const char *text, size_t len);

/* The number N of the colour of a line: --gN in the page's style. */
unsigned bench_plot_colour(unsigned line);

#define BENCH_PLOT_INK  1 /* axes and labels */
#define BENCH_PLOT_GRID 2 /* lines behind the data */
#endif
