/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands of diskbench(1), each in a file of its own (cmd_NAME.c), and
 * what they share: all that is said to people.
 * Room: diskbench/.  Not in the library: these and main.c see whole lines.
 *
 * A new command: its name, options and finish function in options_table.c and
 * options.c, its function here, and a row in main.c's table.
 */
#ifndef DISKBENCH_COMMAND_H
#define DISKBENCH_COMMAND_H

#include <signal.h>
#include <stdio.h>

#include "diskbench/options.h"
#include "diskbench/run.h"
#include "diskbench/stand.h"

struct bench_call {
	struct bench_options *options;
	int argc;
	char *const *argv;
	const volatile sig_atomic_t *stop; /* the signal; 0: none yet */
};

/* The signal as a number; 0: none yet.  A sig_atomic_t is wider here and there. */
static inline int
bench_call_signal(const struct bench_call *c)
{
	return ((int)*c->stop);
}

/* Each returns the exit code. */
int bench_cmd_compare(struct bench_call *);
int bench_cmd_curve(struct bench_call *);
int bench_cmd_fio(struct bench_call *);
int bench_cmd_identify(struct bench_call *);
int bench_cmd_list(struct bench_call *);
int bench_cmd_pts(struct bench_call *);
int bench_cmd_report(struct bench_call *);
int bench_cmd_profiles(struct bench_call *);
int bench_cmd_run(struct bench_call *);

/* Of run: with --profile. */
int bench_cmd_profile(struct bench_call *);

/* Says why, and returns its exit code. */
int
bench_call_refused(const struct bench_call *, const struct bench_refusal *why);

/*
 * Before anything is measured: can the result go where it is to go?  It cannot
 * to a disk, or over what is measured, and a place that does not exist is no
 * news for the end of a long run.  Returns 0 or the exit code; it was said.
 */
int bench_call_output(const struct bench_call *);

/* Opens --output or takes stdout, and lets the one that --format asks for fill
 * it.  Returns the exit code; an error was said. */
int
bench_call_print(const struct bench_call *, int (*text)(FILE *, const void *),
    int (*json)(FILE *, const void *), const void *arg);

/* The same for what ran many times: its warnings go to stderr beside JSON.
 * Returns the exit code, which tells of the signal and of errors too. */
int bench_call_finish(const struct bench_call *, const struct bench_verdict *,
    int signal, uint64_t errors, int (*text)(FILE *, const void *),
    int (*json)(FILE *, const void *), const void *arg);

/* The live line on stderr.  All zeros to begin with. */
struct bench_live {
	bool newline;
	struct bench_progress before;
	size_t width;
	char prefix[128]; /* "round 3/25: "; of methods that run many times */
};

/* Sets the progress callback where a line is wanted: on a terminal, or asked
 * for. */
void bench_live_start(
    struct bench_live *, const struct bench_call *, struct bench_run_control *);
void bench_live_end(struct bench_live *);

/* Gives up what is not needed once the targets are open.  Call it once. */
void bench_call_confine(const struct bench_call *);

/*
 * The same for commands that read results of others and measure nothing, before
 * they read: root goes, and rare system calls.  starts: programs may still be
 * started, which then have no more rights than this one; call it again without
 * when they are.
 */
void bench_call_confine_reader(const struct bench_call *, bool starts);

/* On stderr. */
void bench_call_warn(const struct bench_verdict *);
/* All warnings of a report, where the output is not for people. */
void
bench_call_warn_report(const struct bench_call *, const struct bench_report *);

/* Percentiles, argv, signal: what the call knows about a report. */
void bench_call_describe(const struct bench_call *, struct bench_report *);

/* For bench_call_print(): a struct bench_report. */
int bench_print_text(FILE *, const void *);
int bench_print_json(FILE *, const void *);

/* Of a report: 128 + signal, failed I/O, or 0. */
int bench_call_exit(const struct bench_report *);
#endif
