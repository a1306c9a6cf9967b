/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options_table.h"

#include <stdio.h>

#include "diskbench/engine.h"

#define C(c) (1U << BENCH_CMD_##c)
#define SNIA (C(PRECONDITION) | C(PTS))

/* The table is what --help prints, what the parser knows and what the manual
 * is compared with.  In the order of --help. */
const struct bench_option bench_option_table[] = {
	{ C(RUN), O_PROFILE, "profile", "NAME|FILE",
	    "a cache's load; \"diskbench profiles\" has them" },
	{ C(RUN), O_HIT, "hit", "PERCENT",
	    "of a profile: share of hits [the profile's]" },
	{ C(RUN), O_SLO, "slo", "TIME",
	    "of a profile: limit of the 99th percentile [10ms]" },
	{ C(RUN), O_ADVISE, "advise", NULL,
	    "of a profile: which storage of Varnish suits" },
	{ C(COMPARE), O_PAIRS, "pairs", "N",
	    "pairs of runs, A and B or B and A [12]" },
	{ C(CURVE), O_POINTS, "points", "N",
	    "at how many places to read on [32]" },
	{ C(CURVE), O_ACCESSES, "accesses", "N",
	    "how many single reads, anywhere [512]" },
	{ C(PTS), O_TEST, "test", "NAME",
	    "iops, throughput, latency or wsat [iops]" },
	{ C(PTS), O_ROUNDS, "rounds", "N", "at most [25]" },
	{ SNIA, O_QUICK, "quick", NULL, "less of all; says what is left out" },
	{ SNIA, O_PURGE, "purge", "TEXT",
	    "how the drive was purged, for the result" },
	{ SNIA, O_DISCARD, "discard", NULL,
	    "discard all of it first (TRIM); needs --write" },
	{ C(RUN), O_PREPARED, "prepared", "TEXT",
	    "what was done to it before, for the result" },
	{ C(PTS), O_PREPARED, "prepared", "TEXT",
	    "do not fill it: this was done before" },
	{ C(PTS), O_BS, "bs", "SIZE", "of the throughput test [1M]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_TIME_BUDGET, "time-budget",
	    "TIME", "as much as fits; says what that costs" },
	{ C(COMPARE), O_VS, "vs", "RESULT.json",
	    "what stands before it and behind it are results" },
	{ C(COMPARE), O_DIFFERENT, "different", NULL,
	    "compare what differs in more than the drive" },
	{ C(COMPARE), O_AA, "aa", NULL,
	    "one target with itself: what this machine's noise is" },
	{ C(RUN) | C(COMPARE), O_RW, "rw", "KIND",
	    "read, write, randread, randwrite, rw or randrw [randread]" },
	{ C(RUN) | C(COMPARE), O_MIX, "mix", "PERCENT",
	    "share of reads in a mixed job [75]" },
	{ C(RUN) | C(COMPARE), O_BS, "bs", "SIZES",
	    "block size, or a mix: 4k, or 4k:60,16k:40 [4k]" },
	{ C(RUN) | C(COMPARE) | C(PTS), O_IODEPTH, "iodepth", "N",
	    "I/Os in flight in each thread [32]" },
	{ C(RUN) | C(COMPARE) | C(PTS), O_THREADS, "threads", "N",
	    "threads on each target [1]" },
	{ C(RUN), O_RUNTIME, "runtime", "TIME", "how long to measure [10s]" },
	{ C(COMPARE), O_RUNTIME, "runtime", "TIME", "of each run [2s]" },
	{ C(CURVE), O_RUNTIME, "runtime", "TIME", "of each point [500ms]" },
	{ C(PTS), O_RUNTIME, "runtime", "TIME", "of each cell [60s]" },
	{ C(RUN), O_RAMP, "ramp", "TIME", "run so long before measuring [0]" },
	{ C(COMPARE), O_RAMP, "ramp", "TIME",
	    "run so long before measuring [250ms]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_SIZE, "size", "SIZE",
	    "use so much of the target [all of it]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_OFFSET, "offset", "SIZE",
	    "where that begins [0]" },
	{ C(RUN), O_PICK, "pick", "HOW",
	    "random blocks: uniform, once, zipf:THETA [uniform]" },
	{ C(RUN) | C(COMPARE), O_OVERLAP, "overlap", NULL,
	    "let sequential threads read the same blocks" },
	{ C(RUN) | C(COMPARE), O_RATE, "rate", "N",
	    "requests (or a profile's objects) a second to each target" },
	{ C(RUN) | C(COMPARE), O_OPEN_LOOP, "open-loop", NULL,
	    "they come also while earlier ones are not done" },
	{ C(RUN) | C(COMPARE), O_GAPS, "gaps", "HOW",
	    "between them: fixed or exponential [by open-loop]" },
	{ C(RUN) | C(COMPARE), O_MODE, "mode", "MODE",
	    "latency, or peak: one time a batch [latency]" },
	{ C(RUN) | C(COMPARE), O_BATCH, "batch", "N",
	    "most I/Os in one system call" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_ENGINE, "engine", "NAME",
	    "the way to ask for I/O [the best that works]" },
	{ C(RUN), O_SIM, "sim", "DIST",
	    "of engine sim: exponential:100000 ..." },
	{ C(RUN) | C(COMPARE), O_MADVISE, "madvise", "HOW",
	    "of engine mmap: random, normal, sequential [random]" },
	{ C(RUN) | C(COMPARE), O_POLL, "poll", NULL,
	    "busy-wait for completions (IOPOLL)" },
	{ C(RUN) | C(COMPARE), O_NO_REGISTER, "no-register", NULL,
	    "io_uring without registered buffers and files" },
	{ C(RUN) | C(COMPARE), O_CPU, "cpu", "N", "pin thread i to CPU N+i" },
	{ C(RUN) | C(COMPARE), O_BUFFERED, "buffered", NULL,
	    "through the page cache: measures memory too" },
	{ C(RUN) | SNIA, O_CREATE, "create", "SIZE",
	    "make the target, a new file of random data" },
	{ C(RUN) | C(COMPARE) | C(CURVE), O_ALLOW_UNWRITTEN, "allow-unwritten",
	    NULL, "measure reads of what was never written" },
	{ C(RUN) | C(COMPARE) | SNIA, O_WRITE, "write", "TOKEN",
	    "consent to write; \"diskbench identify\" says it" },
	{ C(RUN) | C(COMPARE) | SNIA, O_OVERWRITE_DATA, "overwrite-data", NULL,
	    "also over what looks like somebody's data" },
	{ C(RUN) | C(COMPARE), O_SYNC, "sync", "HOW",
	    "none, dsync or sync [none]" },
	{ C(RUN) | C(COMPARE), O_FSYNC, "fsync", "N",
	    "fdatasync after every N writes" },
	{ C(RUN) | C(COMPARE), O_DATA_COMPRESS, "compressible", "PERCENT",
	    "of each written block [0]" },
	{ C(RUN) | C(COMPARE), O_DATA_DEDUPE, "duplicates", "PERCENT",
	    "of written blocks [0]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_ON_ERROR, "on-error", "WHAT",
	    "stop, or continue: count and go on [stop]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_SEED, "seed", "N",
	    "same seed, same requests [random]" },
	{ C(RUN), O_PERCENTILES, "percentiles", "LIST",
	    "such as 50,99,99.9 [fio's]" },
	{ C(RUN), O_NAME, "name", "TEXT", "what the result calls it" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA, O_STATUS, "status", "WHEN",
	    "the live line: auto, always, never [auto]" },
	{ C(RUN), O_SHOW_FIO, "show-fio", NULL,
	    "print the fio command for the same, and stop" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA | C(LIST) | C(IDENTIFY),
	    O_FORMAT, "format", "FORMAT", "human or json [human]" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA | C(LIST) | C(IDENTIFY) |
		C(REPORT) | C(PROFILES),
	    O_OUTPUT, "output", "FILE", "write the result there; also -o" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA | C(LIST) | C(IDENTIFY) |
		C(REPORT) | C(PROFILES) | C(HELP),
	    O_HELP, "help", NULL, "print this" },
	{ C(RUN) | C(COMPARE) | C(CURVE) | SNIA | C(LIST) | C(IDENTIFY) |
		C(REPORT) | C(PROFILES) | C(HELP),
	    O_VERSION, "version", NULL, "print the version" },
	{ 0, 0, NULL, NULL, NULL },
};

const struct bench_command_row bench_command_table[] = {
	{ BENCH_CMD_LIST, "list", "[options]",
	    "drives: what they are, what holds them, their token" },
	{ BENCH_CMD_IDENTIFY, "identify", "[options] DEVICE",
	    "what a write run would destroy, and its token" },
	{ BENCH_CMD_RUN, "run", "[options] TARGET...",
	    "measure; read-only unless --write TOKEN" },
	{ BENCH_CMD_FIO, "fio", "[fio's options | job.fio]",
	    "the same in fio's spelling" },
	{ BENCH_CMD_REPORT, "report", "[options] RESULT.json...",
	    "results as one HTML page, or as text" },
	{ BENCH_CMD_COMPARE, "compare", "[options] A B",
	    "which is faster, by how much, how sure" },
	{ BENCH_CMD_CURVE, "curve", "[options] TARGET",
	    "rate over the drive's range, and access times" },
	{ BENCH_CMD_PRECONDITION, "precondition", "[options] TARGET",
	    "fill a drive, as SNIA's PTS does before it measures" },
	{ BENCH_CMD_PTS, "pts", "[options] TARGET",
	    "SNIA's tests: rounds until it is steady" },
	{ BENCH_CMD_PROFILES, "profiles", "[options] [NAME]",
	    "loads of caches; with a name, as a workload file" },
	{ BENCH_CMD_HELP, NULL, NULL, NULL },
};

static void
print_option(FILE *f, const struct bench_option *p)
{
	char left[32];

	(void)snprintf(left, sizeof left, "--%s%s%s", p->name,
	    p->arg != NULL ? " " : "", p->arg != NULL ? p->arg : "");
	(void)fprintf(f, "  %-21s %s\n", left, p->help);
}

void
bench_options_help(FILE *f, enum bench_command which)
{
	const struct bench_command_row *c;
	const struct bench_option *p;
	unsigned i;
	bool engines = false;

	if (which == BENCH_CMD_HELP) {
		(void)fputs("Usage: diskbench COMMAND ...\n"
			    "What a drive does, safely and honestly.\n\n",
		    f);
		for (c = bench_command_table; c->name != NULL; c++)
			(void)fprintf(
			    f, "  %-12s %-26s %s\n", c->name, c->args, c->help);
		(void)fprintf(f, "  %-12s %-26s %s\n", "--version", "",
		    "which release this is, and its engines");
		(void)fputs("\n", f);
	}
	for (c = bench_command_table; c->name != NULL; c++)
		if (c->code == which)
			(void)fprintf(
			    f, "Usage: diskbench %s %s\n\n", c->name, c->args);
	for (p = bench_option_table; p->name != NULL; p++)
		if ((p->commands & 1U << which) != 0) {
			print_option(f, p);
			engines |= p->code == O_ENGINE;
		}
	if (which == BENCH_CMD_HELP)
		(void)fputs("\n\"diskbench COMMAND --help\" lists a command's "
			    "options.\n",
		    f);
	if (!engines)
		return;
	(void)fputs("\nEngines, best first:\n", f);
	for (i = 0; bench_engines[i] != NULL; i++)
		(void)fprintf(f, "  %-21s %s\n", bench_engines[i]->name,
		    bench_engines[i]->help);
}
