/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gnuplot(1), run once for a whole page: started before there is anything to plot,
 * so that whoever reads the results of others need not be able to start programs.
 * Room: diskbench/, doing: starts a process, without a shell.
 */
#ifndef DISKBENCH_GNUPLOT_H
#define DISKBENCH_GNUPLOT_H

#include <stdio.h>
#include <sys/types.h>

/* The members are private to gnuplot.c. */
struct bench_gnuplot {
	int failed; /* -errno of what went before */
	pid_t pid;  /* 0: none runs */
	int script; /* to its stdin */
	FILE *out, *err;
};

/* Make the files for what it will say.  _fini is due in any case. */
void bench_gnuplot_init(struct bench_gnuplot *);

/* Start one that waits for its script: no file is made from here on.  What goes
 * wrong in these two _draw returns. */
void bench_gnuplot_start(struct bench_gnuplot *);

/*
 * Have it run a script, and return what it printed: *ret is the caller's to free,
 * *ret_len long and NUL-terminated.  Once only; SIGPIPE has to be ignored.
 *	-ENOENT		no gnuplot in PATH
 *	-EPROTO		it failed; what it said is in error, cut to len
 *	-errno		of files and processes
 */
int bench_gnuplot_draw(struct bench_gnuplot *, const char *script,
    size_t script_len, char **ret, size_t *ret_len, char *error, size_t len);

/* End one that got no script, too. */
void bench_gnuplot_fini(struct bench_gnuplot *);
#endif
