/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole line: argv -> options -> target + workload -> run(engine) -> hist
 * -> report -> stdout.  From the options on it is the commands' (command.h).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "config.h"
#include "diskbench/command.h"
#include "diskbench/engine.h"
#include "diskbench/fio.h"
#include "diskbench/options_line.h"
#include "diskbench/options_table.h"

static volatile sig_atomic_t stop; /* the signal that asked for it */

static void
on_signal(int sig)
{
	/* The second one means it: no result, at once. */
	if (stop != 0)
		_exit(128 + sig);
	stop = sig;
}

static void
catch_signals(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal;
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGTERM, &sa, NULL);
	/* A reader that went away is an error of the writing, below; so is a
	 * limit on the size of files, behind which part of one would be left. */
	sa.sa_handler = SIG_IGN;
	(void)sigaction(SIGPIPE, &sa, NULL);
	(void)sigaction(SIGXFSZ, &sa, NULL);
}

static uint64_t
entropy(void)
{
	struct timespec ts;
	uint64_t v = 0;
	FILE *f = fopen("/dev/urandom", "r");

	if (f != NULL) {
		if (fread(&v, sizeof v, 1, f) != 1)
			v = 0;
		(void)fclose(f);
	}
	if (v == 0) {
		(void)clock_gettime(CLOCK_REALTIME, &ts);
		v = (uint64_t)ts.tv_sec << 32 ^ (uint64_t)ts.tv_nsec;
	}
	/* JSON's integers are signed. */
	return (v & INT64_MAX);
}

static int
help(struct bench_call *c)
{
	if (c->options->help_for == BENCH_CMD_FIO)
		bench_fio_help(stdout);
	else
		bench_options_help(stdout, c->options->help_for);
	return (0);
}

static int
version(struct bench_call *c)
{
	char buf[128];
	size_t i;

	(void)c;
	(void)printf("diskbench (varykit) %s\nengines:", PACKAGE_VERSION);
	for (i = 0; bench_engines[i] != NULL; i++)
		(void)printf(" %s", bench_engines[i]->name);
	cli_confine_offer(buf, sizeof buf);
	(void)printf("\nsignatures: "
#ifdef HAVE_LIBBLKID
		     "libblkid"
#else
		     "none"
#endif
		     "\ngives up: %s\n",
	    buf);
	return (0);
}

static int (*const commands[BENCH_COMMANDS])(struct bench_call *) = {
	[BENCH_CMD_HELP] = help,
	[BENCH_CMD_VERSION] = version,
	[BENCH_CMD_LIST] = bench_cmd_list,
	[BENCH_CMD_IDENTIFY] = bench_cmd_identify,
	[BENCH_CMD_RUN] = bench_cmd_run,
	[BENCH_CMD_FIO] = bench_cmd_fio,
	[BENCH_CMD_COMPARE] = bench_cmd_compare,
	[BENCH_CMD_CURVE] = bench_cmd_curve,
	[BENCH_CMD_PRECONDITION] = bench_cmd_pts,
	[BENCH_CMD_PTS] = bench_cmd_pts,
	[BENCH_CMD_REPORT] = bench_cmd_report,
	[BENCH_CMD_PROFILES] = bench_cmd_profiles,
};

int
main(int argc, char **argv)
{
	static struct bench_options o;
	struct bench_call c = { &o, argc, argv, &stop };
	struct bench_refusal why;
	int r;

	cli_diag_init(argv[0]);
	catch_signals();
	r = bench_options_init(&o, argc, argv, entropy(), &why);
	r = r < 0 ? bench_call_refused(&c, &why) : 0;
	/* A report is made beside its file: it has rules of its own. */
	if (r == 0 && o.command != BENCH_CMD_REPORT)
		r = bench_call_output(&c);
	if (r == 0)
		r = commands[o.command](&c);
	if (r == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
		cli_error("stdout: %s", strerror(errno));
		r = BENCH_EXIT_INTERNAL;
	}
	bench_options_fini(&o);
	return (r);
}
