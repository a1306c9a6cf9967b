/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/num.h"
#include "diskbench/engine.h"
#include "diskbench/fio_side.h"

static int
boolean(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, bool *ret)
{
	if (strcmp(v, "1") == 0 || strcmp(v, "true") == 0)
		*ret = true;
	else if (strcmp(v, "0") == 0 || strcmp(v, "false") == 0)
		*ret = false;
	else
		return (bench_fio_bad(p, w, v, "0 or 1"));
	return (0);
}

/* Of what fio has a word for, and we the opposite. */
static int
negated(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, bool *ret)
{
	bool b;
	int r = boolean(p, w, v, &b);

	if (r == 0)
		*ret = !b;
	return (r);
}

static int
count(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t min, uint64_t max, unsigned *ret)
{
	char what[64];
	uint64_t n;

	if (cli_num_count(v, min, max, &n) < 0) {
		(void)snprintf(what, sizeof what,
		    "a number from %" PRIu64 " to %" PRIu64, min, max);
		return (bench_fio_bad(p, w, v, what));
	}
	*ret = (unsigned)n;
	return (0);
}

static int
size(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t *ret)
{
	if (cli_num_size(v, 0, INT64_MAX, ret) < 0)
		return (
		    bench_fio_bad(p, w, v, "a size, like 4096, 64k or 10g"));
	return (0);
}

static int
duration(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t *ret)
{
	if (cli_num_duration(v, 0, UINT64_C(31536000000000000), ret) < 0)
		return (bench_fio_bad(
		    p, w, v, "a time, like 500ms, 10s, 120 or 24h"));
	return (0);
}

static int
set_rw(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, const char *v)
{
	static const struct {
		const char *name;
		bool random;
		unsigned read;
	} kinds[] = {
		{ "read", false, 100 },
		{ "write", false, 0 },
		{ "randread", true, 100 },
		{ "randwrite", true, 0 },
		{ "rw", false, 50 },
		{ "readwrite", false, 50 },
		{ "randrw", true, 50 },
		{ NULL, false, 0 },
	};
	unsigned i;

	for (i = 0; kinds[i].name != NULL; i++) {
		if (strcmp(kinds[i].name, v) != 0)
			continue;
		s->job.shape.random = kinds[i].random;
		s->rw_mixed = kinds[i].read == 50;
		s->job.shape.read_percent = kinds[i].read;
		return (0);
	}
	return (bench_fio_bad(
	    p, w, v, "one of read, write, rw, randread, randwrite, randrw"));
}

/* Bytes, or "25%" of the target; the one that is not said is 0. */
static int
set_size(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    char *v, uint64_t *ret, unsigned *ret_percent)
{
	bool some = w->code == F_SIZE || w->code == F_IO_SIZE;
	size_t len = strlen(v);
	uint64_t n;
	int r;

	if (len > 1 && v[len - 1] == '%') {
		v[len - 1] = '\0';
		r = cli_num_count(v, some ? 1 : 0, 100, &n);
		v[len - 1] = '%';
		if (r < 0)
			return (bench_fio_bad(p, w, v,
			    some ? "a percentage, 1% to 100%"
				 : "a percentage, 0% to 100%"));
		*ret_percent = (unsigned)n;
		*ret = 0;
		return (0);
	}
	*ret_percent = 0;
	return (size(p, w, v, ret));
}

/* A ":" of the name itself has a "\\" before it, as in /dev/disk/by-path. */
static int
set_filename(
    const struct bench_fio_parser *p, struct bench_fio_section *s, char *v)
{
	char *from, *to = v;

	for (from = v; *from != '\0'; from++) {
		if (*from == ':')
			return (bench_fio_fail(p,
			    "filename: a list of files (\":\"); give each a "
			    "job of its own, or write \"\\:\" if it is "
			    "part of the name"));
		if (from[0] == '\\' && from[1] == ':')
			from++;
		*to++ = *from;
	}
	*to = '\0';
	s->filename = v;
	return (0);
}

static int
set_distribution(const struct bench_fio_parser *p,
    const struct bench_fio_word *w, struct bench_fio_section *s, const char *v)
{
	struct bench_shape *shape = &s->job.shape;

	if (strcmp(v, "random") == 0) {
		shape->pick = BENCH_PICK_UNIFORM;
		return (0);
	}
	if (strncmp(v, "zipf:", 5) == 0 &&
	    cli_num_decimal(v + 5, 0.01, 10, &shape->theta) == 0) {
		shape->pick = BENCH_PICK_ZIPF;
		if (shape->theta > 0.999999 && shape->theta < 1.000001)
			shape->theta = 1.000001;
		return (0);
	}
	return (bench_fio_bad(p, w, v, "random or zipf:THETA"));
}

static int
set_engine(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, char *v)
{
	static char psync[] = "psync";

	/* One at a time, each by one call or two. */
	if (strcmp(v, "sync") == 0 || strcmp(v, "pvsync") == 0 ||
	    strcmp(v, "pvsync2") == 0)
		v = psync;
	if (bench_engine_find(v) == NULL) {
		/* Same calls under a name of another system's. */
		if (strcmp(v, "libaio") == 0 || strcmp(v, "io_uring") == 0)
			return (bench_fio_fail(p,
			    "ioengine: %s is not in this build, "
			    "or not of this system",
			    v));
		return (bench_fio_bad(p, w, v,
		    "an engine here; \"diskbench run --help\" lists them"));
	}
	s->job.engine = v;
	return (0);
}

/* Other ways to the same: which one is ours alone. */
static int
one_of(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v)
{
	static const char *const generators[] = { "lfsr", "tausworthe",
		"tausworthe64", NULL };
	static const char *const makers[] = { "none", "native", "posix", "keep",
		"0", "1", NULL };
	const char *const *words = w->code == F_FALLOCATE ? makers : generators;

	for (; *words != NULL; words++)
		if (strcmp(*words, v) == 0)
			return (0);
	return (bench_fio_bad(p, w, v,
	    w->code == F_FALLOCATE ? "none, native, posix or keep"
				   : "lfsr, tausworthe or tausworthe64"));
}

static int
set_continue(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, const char *v)
{
	if (strcmp(v, "none") == 0 || strcmp(v, "0") == 0)
		s->job.on_error = BENCH_ON_ERROR_STOP;
	else if (strcmp(v, "all") == 0 || strcmp(v, "io") == 0 ||
		 strcmp(v, "1") == 0)
		s->job.on_error = BENCH_ON_ERROR_CONTINUE;
	else
		return (bench_fio_bad(p, w, v, "none, io or all"));
	return (0);
}

static int
set_sync(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, const char *v)
{
	if (strcmp(v, "none") == 0 || strcmp(v, "0") == 0)
		s->job.sync = BENCH_SYNC_NONE;
	else if (strcmp(v, "dsync") == 0)
		s->job.sync = BENCH_SYNC_DSYNC;
	else if (strcmp(v, "sync") == 0 || strcmp(v, "1") == 0)
		s->job.sync = BENCH_SYNC_SYNC;
	else
		return (bench_fio_bad(p, w, v, "none, dsync or sync"));
	return (0);
}

/* Those about the whole run. */
static int
line_option(struct bench_fio_parser *p, const struct bench_fio_word *w, char *v)
{
	struct bench_options *o = p->o;
	bool b = true;
	int r = 0;

	switch (w->code) {
	case F_READONLY: return (boolean(p, w, v, &p->readonly));
	case F_ETA:
		if (strcmp(v, "always") != 0 && strcmp(v, "never") != 0 &&
		    strcmp(v, "auto") != 0)
			return (
			    bench_fio_bad(p, w, v, "always, never or auto"));
		o->status = strcmp(v, "always") == 0;
		o->no_status = strcmp(v, "never") == 0;
		return (0);
	case F_ETA_NEWLINE: {
		uint64_t ns;

		/* A line of its own each time: the program decides how often. */
		r = duration(p, w, v, &ns);
		o->status_newline = r == 0 && ns > 0;
		return (r);
	}
	case F_OUTPUT: o->output = v; return (0);
	case F_OUTPUT_FORMAT:
		o->bins = strcmp(v, "json+") == 0;
		if (o->bins || strcmp(v, "json") == 0)
			o->format = BENCH_FORMAT_JSON;
		else if (strcmp(v, "normal") == 0)
			o->format = BENCH_FORMAT_HUMAN;
		else
			return (
			    bench_fio_bad(p, w, v, "normal, json or json+"));
		return (0);
	case F_PARSE_ONLY: o->parse_only = true; return (0);
	case F_HELP:
		o->command = BENCH_CMD_HELP;
		o->help_for = BENCH_CMD_FIO;
		return (0);
	case F_VERSION: o->command = BENCH_CMD_VERSION; return (0);
	case F_WRITE: o->token = v; return (0);
	case F_OVERWRITE_DATA:
		r = boolean(p, w, v, &b);
		o->overwrite_data = b;
		return (r);
	default: return (0);
	}
}

/* Those of a job; v is writable and outlives the run. */
int
bench_fio_set(struct bench_fio_parser *p, struct bench_fio_section *s,
    const struct bench_fio_word *w, char *v)
{
	struct bench_job *j = &s->job;
	unsigned u;
	uint64_t n;
	bool b;
	int r;

	switch (w->code) {
	case F_DESCRIPTION: return (0);
	case F_FILENAME: return (set_filename(p, s, v));
	case F_DIRECTORY:
		if (strchr(v, ':') != NULL)
			return (bench_fio_bad(p, w, v, "one directory"));
		s->directory = v;
		return (0);
	case F_RW: return (set_rw(p, w, s, v));
	case F_MIXREAD:
	case F_MIXWRITE:
		r = count(p, w, v, 0, 100, &u);
		if (r == 0)
			s->mix = w->code == F_MIXREAD ? u : 100 - u;
		return (r);
	case F_BS:
	case F_BSRANGE:
	case F_BSSPLIT:
	case F_RATE:
	case F_RATE_IOPS: return (bench_fio_set_sides(p, s, w, v));
	case F_BLOCKALIGN:
		r = size(p, w, v, &n);
		if (r == 0 && (n == 0 || n > UINT32_MAX))
			return (bench_fio_bad(p, w, v, "an alignment"));
		if (r == 0)
			j->shape.align = (uint32_t)n;
		return (r);
	case F_SIZE: return (set_size(p, w, v, &s->size, &s->size_percent));
	case F_IO_SIZE: return (set_size(p, w, v, &s->io_size, &s->io_percent));
	case F_OFFSET:
		return (set_size(
		    p, w, v, &j->shape.offset, &j->shape.offset_percent));
	case F_OFFSET_INCREMENT:
		return (set_size(
		    p, w, v, &s->offset_increment, &j->shape.step_percent));
	case F_FILESIZE: return (size(p, w, v, &s->filesize));
	/* What diskbench does not do: it can be told not to. */
	case F_NOTHING:
		return (strcmp(v, "0") == 0
			    ? 0
			    : bench_fio_fail(p,
				  "option \"%s\": \"%s\" is not 0: diskbench "
				  "does none",
				  w->name, v));
	case F_NRFILES: return (count(p, w, v, 1, 1, &u));
	case F_FALLOCATE:
	case F_RANDOM_GENERATOR: return (one_of(p, w, v));
	case F_NUMBER_IOS:
		if (cli_num_count(v, 1, INT64_MAX, &j->limit_ios) < 0)
			return (bench_fio_bad(p, w, v, "a number of I/Os"));
		return (0);
	case F_LOOPS:
		if (cli_num_count(v, 1, 1000000, &s->loops) < 0)
			return (bench_fio_bad(p, w, v, "a number of rounds"));
		return (0);
	case F_IOENGINE: return (set_engine(p, w, s, v));
	case F_IODEPTH: return (count(p, w, v, 1, 32768, &j->depth));
	case F_IODEPTH_BATCH: return (count(p, w, v, 1, 32768, &j->batch));
	case F_IODEPTH_BATCH_COMPLETE:
		return (count(p, w, v, 1, 32768, &s->complete_min));
	case F_IODEPTH_BATCH_MOST:
		return (count(p, w, v, 1, 32768, &s->complete_max));
	case F_DIRECT:
	case F_BUFFERED:
		r = boolean(p, w, v, &b);
		if (r == 0)
			j->buffered = b == (w->code == F_BUFFERED);
		return (r);
	case F_INVALIDATE: return (boolean(p, w, v, &j->invalidate));
	case F_NUMJOBS: return (count(p, w, v, 1, BENCH_JOBS, &s->numjobs));
	case F_GROUP: return (boolean(p, w, v, &s->group));
	case F_NEW_GROUP: return (boolean(p, w, v, &s->new_group));
	case F_STONEWALL: return (boolean(p, w, v, &s->stonewall));
	case F_RUNTIME: return (duration(p, w, v, &j->runtime_ns));
	case F_TIME_BASED: return (boolean(p, w, v, &s->time_based));
	case F_RAMP: return (duration(p, w, v, &j->ramp_ns));
	case F_STARTDELAY: return (duration(p, w, v, &j->start_ns));
	case F_RATE_PROCESS:
		if (strcmp(v, "linear") == 0)
			j->gaps = BENCH_GAPS_FIXED;
		else if (strcmp(v, "poisson") == 0)
			j->gaps = BENCH_GAPS_EXPONENTIAL;
		else
			return (bench_fio_bad(p, w, v, "linear or poisson"));
		return (0);
	case F_RANDREPEAT: return (boolean(p, w, v, &s->randrepeat));
	case F_RANDSEED:
		if (cli_num_count(v, 0, UINT64_MAX, &s->seed) < 0)
			return (bench_fio_bad(p, w, v, "a number"));
		return (0);
	case F_NORANDOMMAP: return (boolean(p, w, v, &s->norandommap));
	case F_RANDOM_DISTRIBUTION: return (set_distribution(p, w, s, v));
	case F_REFILL: return (boolean(p, w, v, &j->data.refill));
	case F_ZERO:
		r = boolean(p, w, v, &b);
		if (r == 0)
			j->data.compress_percent = b ? 100 : 0;
		return (r);
	case F_COMPRESS:
		return (count(p, w, v, 0, 100, &j->data.compress_percent));
	case F_DEDUPE: return (count(p, w, v, 0, 100, &j->data.dedupe_percent));
	case F_SYNC: return (set_sync(p, w, s, v));
	case F_FSYNC:
	case F_FDATASYNC: return (count(p, w, v, 0, 1000000000, &j->fsync));
	case F_CONTINUE: return (set_continue(p, w, s, v));
	case F_FIXEDBUFS: return (negated(p, w, v, &j->plain_buffers));
	case F_REGISTERFILES: return (negated(p, w, v, &j->plain_files));
	case F_USERSPACE_REAP: return (negated(p, w, v, &j->plain_reap));
	case F_HIPRI: return (boolean(p, w, v, &j->poll));
	case F_CPUS_ALLOWED:
		r = count(p, w, v, 0, 4095, &u);
		if (r == 0)
			j->cpu = (int)u;
		return (r);
	/* True of us whatever is asked for. */
	case F_THREAD:
	case F_SOFTRANDOMMAP:
	case F_OVERWRITE:
	case F_GTOD: return (boolean(p, w, v, &b));
	case F_SCRAMBLE:
	case F_CLAT_PERCENTILES:
		r = boolean(p, w, v, &b);
		if (r == 0 && !b)
			return (bench_fio_fail(
			    p, "%s: cannot be turned off", w->name));
		return (r);
	case F_PERCENTILE_LIST:
		if (bench_options_percentiles(v, ':', p->o->percentile,
			sizeof p->o->percentile / sizeof *p->o->percentile,
			&p->o->n_percentile) < 0)
			return (bench_fio_bad(
			    p, w, v, "rising numbers like 50:99:99.9"));
		return (0);
	default: return (line_option(p, w, v));
	}
}
