/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gnuplot(1), run once for a whole page.
 * Room: diskbench/, doing: starts a process, without a shell.
 */
#ifndef DISKBENCH_GNUPLOT_H
#define DISKBENCH_GNUPLOT_H

#include <stdio.h>

/*
 * Run gnuplot over what script holds (a file, rewound here) and return what it
 * printed: *ret is the caller's to free, *ret_len long and NUL-terminated.
 *	-ENOENT		no gnuplot in PATH
 *	-EPROTO		it failed; what it said is in error, cut to len
 *	-errno		of files and processes
 */
int bench_gnuplot_run(
    FILE *script, char **ret, size_t *ret_len, char *error, size_t len);
#endif
