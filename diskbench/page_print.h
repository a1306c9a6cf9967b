/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A page becomes bytes.
 * Room: diskbench/.  Prints on the stream it gets, and nothing else; errors
 * stay with the stream.
 */
#ifndef DISKBENCH_PAGE_PRINT_H
#define DISKBENCH_PAGE_PRINT_H

#include <stdio.h>

#include "diskbench/page.h"

/* The first line of every page of ours: what may be replaced is known by it. */
#define BENCH_PAGE_MARK "<!DOCTYPE html><!-- diskbench report -->"

/* gnuplot's commands for all figures, in their order, each of them twice: wide
 * and narrow. */
void bench_page_script(FILE *, const struct bench_page *);

/*
 * HTML without a script, a link or anything to load.  plots: what gnuplot made
 * of the commands; NULL: there are none, and tables take their place.
 */
void bench_page_html(
    FILE *, const struct bench_page *, const char *plots, size_t len);

/* For a terminal of `width` columns; ASCII but for what names have. */
void bench_page_text(FILE *, const struct bench_page *, unsigned width);
#endif
