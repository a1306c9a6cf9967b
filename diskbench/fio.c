/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/num.h"
#include "diskbench/engine.h"

enum code {
	F_BLOCKALIGN = 1,
	F_BS,
	F_BSRANGE,
	F_BSSPLIT,
	F_BUFFERED,
	F_CLAT_PERCENTILES,
	F_COMPRESS,
	F_CONTINUE,
	F_CPUS_ALLOWED,
	F_DEDUPE,
	F_DESCRIPTION,
	F_DIRECT,
	F_DIRECTORY,
	F_ETA,
	F_ETA_NEWLINE,
	F_FDATASYNC,
	F_FILENAME,
	F_FIXEDBUFS,
	F_FSYNC,
	F_GROUP,
	F_GTOD,
	F_HELP,
	F_HIPRI,
	F_IODEPTH,
	F_IODEPTH_BATCH,
	F_IODEPTH_BATCH_COMPLETE,
	F_IOENGINE,
	F_IO_SIZE,
	F_LOOPS,
	F_MIXREAD,
	F_MIXWRITE,
	F_NAME,
	F_NEW_GROUP,
	F_NORANDOMMAP,
	F_NUMBER_IOS,
	F_NUMJOBS,
	F_OFFSET,
	F_OFFSET_INCREMENT,
	F_OUTPUT,
	F_OUTPUT_FORMAT,
	F_OVERWRITE_DATA,
	F_PARSE_ONLY,
	F_PERCENTILE_LIST,
	F_RAMP,
	F_RANDOM_DISTRIBUTION,
	F_RANDREPEAT,
	F_RANDSEED,
	F_RATE,
	F_RATE_IOPS,
	F_RATE_PROCESS,
	F_READONLY,
	F_REFILL,
	F_REGISTERFILES,
	F_RUNTIME,
	F_RW,
	F_SCRAMBLE,
	F_SIZE,
	F_STARTDELAY,
	F_STONEWALL,
	F_SYNC,
	F_THREAD,
	F_TIME_BASED,
	F_VERSION,
	F_WRITE,
};

enum place {
	ANY = 0,  /* the command line and a job file */
	LINE = 1, /* the command line only: it is about the whole run */
};

/* Ours, fio's other name for it, whether a value may be missing (then 1). */
static const struct word {
	enum code code;
	const char *name, *other;
	bool flag;
	enum place place;
	const char *help;
} words[] = {
	{ F_NAME, "name", NULL, false, ANY, "begins a job" },
	{ F_DESCRIPTION, "description", NULL, false, ANY, "for people" },
	{ F_FILENAME, "filename", NULL, false, ANY, "device or file" },
	{ F_DIRECTORY, "directory", NULL, false, ANY,
	    "of files without a name" },
	{ F_RW, "rw", "readwrite", false, ANY,
	    "read write randread randwrite rw randrw" },
	{ F_MIXREAD, "rwmixread", NULL, false, ANY, "percent" },
	{ F_MIXWRITE, "rwmixwrite", NULL, false, ANY, "percent" },
	{ F_BS, "bs", "blocksize", false, ANY, "4k, or read,write" },
	{ F_BSRANGE, "bsrange", "blocksize_range", false, ANY, "1k-64k" },
	{ F_BSSPLIT, "bssplit", NULL, false, ANY, "4k/60:16k/40" },
	{ F_BLOCKALIGN, "blockalign", "ba", false, ANY, "of offsets" },
	{ F_SIZE, "size", NULL, false, ANY, "of the file, and of the I/O" },
	{ F_IO_SIZE, "io_size", "io_limit", false, ANY, "of the I/O alone" },
	{ F_OFFSET, "offset", NULL, false, ANY, "" },
	{ F_OFFSET_INCREMENT, "offset_increment", NULL, false, ANY,
	    "for each clone" },
	{ F_NUMBER_IOS, "number_ios", NULL, false, ANY, "" },
	{ F_LOOPS, "loops", NULL, false, ANY, "" },
	{ F_IOENGINE, "ioengine", NULL, false, ANY, "or its name here" },
	{ F_IODEPTH, "iodepth", NULL, false, ANY, "" },
	{ F_IODEPTH_BATCH, "iodepth_batch", "iodepth_batch_submit", false, ANY,
	    "" },
	{ F_IODEPTH_BATCH_COMPLETE, "iodepth_batch_complete_min",
	    "iodepth_batch_complete", false, ANY, "above 1: peak mode" },
	{ F_DIRECT, "direct", NULL, true, ANY, "[0, as fio]" },
	{ F_BUFFERED, "buffered", NULL, true, ANY, "" },
	{ F_NUMJOBS, "numjobs", NULL, false, ANY, "clones" },
	{ F_THREAD, "thread", NULL, true, ANY, "always" },
	{ F_GROUP, "group_reporting", NULL, true, ANY, "" },
	{ F_NEW_GROUP, "new_group", NULL, true, ANY, "" },
	{ F_STONEWALL, "stonewall", "wait_for_previous", true, ANY, "" },
	{ F_RUNTIME, "runtime", "timeout", false, ANY, "" },
	{ F_TIME_BASED, "time_based", NULL, true, ANY, "" },
	{ F_RAMP, "ramp_time", NULL, false, ANY, "" },
	{ F_STARTDELAY, "startdelay", NULL, false, ANY, "" },
	{ F_RATE, "rate", NULL, false, ANY, "bytes a second" },
	{ F_RATE_IOPS, "rate_iops", NULL, false, ANY, "read,write" },
	{ F_RATE_PROCESS, "rate_process", NULL, false, ANY, "linear poisson" },
	{ F_RANDREPEAT, "randrepeat", NULL, true, ANY, "[1]" },
	{ F_RANDSEED, "randseed", NULL, false, ANY, "" },
	{ F_NORANDOMMAP, "norandommap", NULL, true, ANY, "" },
	{ F_RANDOM_DISTRIBUTION, "random_distribution", NULL, false, ANY,
	    "random zipf:THETA" },
	{ F_REFILL, "refill_buffers", NULL, true, ANY, "" },
	{ F_SCRAMBLE, "scramble_buffers", NULL, true, ANY, "always" },
	{ F_COMPRESS, "buffer_compress_percentage", NULL, false, ANY, "" },
	{ F_DEDUPE, "dedupe_percentage", NULL, false, ANY, "" },
	{ F_SYNC, "sync", NULL, true, ANY, "none dsync sync" },
	{ F_FSYNC, "fsync", NULL, false, ANY, "done as fdatasync" },
	{ F_FDATASYNC, "fdatasync", NULL, false, ANY, "" },
	{ F_CONTINUE, "continue_on_error", NULL, false, ANY, "none io all" },
	{ F_FIXEDBUFS, "fixedbufs", NULL, true, ANY, "[1]" },
	{ F_REGISTERFILES, "registerfiles", NULL, true, ANY, "[1]" },
	{ F_HIPRI, "hipri", NULL, true, ANY, "IOPOLL" },
	{ F_CPUS_ALLOWED, "cpus_allowed", NULL, false, ANY, "one: the first" },
	{ F_GTOD, "gtod_reduce", NULL, true, ANY, "nothing left to reduce" },
	{ F_CLAT_PERCENTILES, "clat_percentiles", NULL, true, ANY, "always" },
	{ F_PERCENTILE_LIST, "percentile_list", NULL, false, ANY,
	    "50:99:99.9" },
	{ F_READONLY, "readonly", NULL, true, LINE, "no job may write" },
	{ F_ETA, "eta", NULL, false, LINE, "always never auto" },
	{ F_ETA_NEWLINE, "eta-newline", NULL, false, LINE, "" },
	{ F_OUTPUT, "output", NULL, false, LINE, "file" },
	{ F_OUTPUT_FORMAT, "output-format", NULL, false, LINE, "normal json" },
	{ F_PARSE_ONLY, "parse-only", NULL, true, LINE, "" },
	{ F_HELP, "help", NULL, true, LINE, "" },
	{ F_VERSION, "version", NULL, true, LINE, "" },
	{ F_WRITE, "write", NULL, false, LINE,
	    "not fio's: the token of \"diskbench identify\"" },
	{ F_OVERWRITE_DATA, "overwrite-data", NULL, true, LINE,
	    "not fio's: see diskbench(1)" },
	{ 0, NULL, NULL, false, ANY, NULL },
};

/* A section as fio has it: a job, and what only makes sense once it ends. */
struct section {
	struct bench_job job;
	bool named;
	const char *filename, *directory;
	uint64_t size, io_size, offset_increment, loops;
	unsigned size_percent, numjobs;
	bool time_based, norandommap, randrepeat, group, new_group;
	bool rw_mixed, direct, stonewall;
	uint64_t seed;
};

struct parser {
	struct bench_options *o;
	struct bench_refusal *why;
	const char *where; /* "fio: ", or the job file and line */
	uint64_t entropy;
	struct section global, now;
	bool open; /* now is a job not yet added */
	bool readonly;
	unsigned groups;
	bool any;
};

static int fail(const struct parser *, const char *, ...) CLI_PRINTF(2, 3);

static int
fail(const struct parser *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return (bench_refuse(
	    p->why, EINVAL, BENCH_EXIT_USAGE, "%s%s", p->where, text));
}

static void
section_init(struct section *s)
{
	memset(s, 0, sizeof *s);
	bench_job_init(&s->job);
	/* fio's own defaults, not ours. */
	s->job.depth = 1;
	s->job.engine = NULL;
	s->job.shape.random = false;
	s->job.buffered = true;
	s->randrepeat = true;
	s->numjobs = 1;
	s->loops = 1;
}

static const struct word *
find(const char *name, size_t len)
{
	const struct word *w;

	for (w = words; w->name != NULL; w++) {
		if (strlen(w->name) == len && memcmp(w->name, name, len) == 0)
			return (w);
		if (w->other != NULL && strlen(w->other) == len &&
		    memcmp(w->other, name, len) == 0)
			return (w);
	}
	return (NULL);
}

/* --- values --------------------------------------------------------------- */

static int
bad(const struct parser *p, const struct word *w, const char *value,
    const char *expected)
{
	return (fail(p, "%s: \"%s\" is not %s", w->name, value, expected));
}

static int
boolean(const struct parser *p, const struct word *w, const char *v, bool *ret)
{
	if (strcmp(v, "1") == 0 || strcmp(v, "true") == 0)
		*ret = true;
	else if (strcmp(v, "0") == 0 || strcmp(v, "false") == 0)
		*ret = false;
	else
		return (bad(p, w, v, "0 or 1"));
	return (0);
}

static int
count(const struct parser *p, const struct word *w, const char *v, uint64_t min,
    uint64_t max, unsigned *ret)
{
	char what[64];
	uint64_t n;

	if (cli_num_count(v, min, max, &n) < 0) {
		(void)snprintf(what, sizeof what,
		    "a number from %" PRIu64 " to %" PRIu64, min, max);
		return (bad(p, w, v, what));
	}
	*ret = (unsigned)n;
	return (0);
}

static int
size(const struct parser *p, const struct word *w, const char *v, uint64_t *ret)
{
	if (cli_num_size(v, 0, INT64_MAX, ret) < 0)
		return (bad(p, w, v, "a size, like 4096, 64k or 10g"));
	return (0);
}

static int
duration(
    const struct parser *p, const struct word *w, const char *v, uint64_t *ret)
{
	if (cli_num_duration(v, 0, UINT64_C(31536000000000000), ret) < 0)
		return (bad(p, w, v, "a time, like 500ms, 10s, 120 or 24h"));
	return (0);
}

/*
 * "read,write": one value is for both.  Calls set for the parts that are not
 * empty.  A third, for trims, is refused: there are none.
 */
static int
each_side(const struct parser *p, const struct word *w, char *value,
    int (*set)(const struct parser *, const struct word *, struct section *,
	unsigned op, const char *),
    struct section *s)
{
	char *comma = strchr(value, ',');
	int r;

	if (comma == NULL) {
		r = set(p, w, s, BENCH_OP_READ, value);
		return (r < 0 ? r : set(p, w, s, BENCH_OP_WRITE, value));
	}
	*comma = '\0';
	if (strchr(comma + 1, ',') != NULL)
		return (fail(p,
		    "%s: a value for trims, and diskbench does "
		    "none",
		    w->name));
	r = *value != '\0' ? set(p, w, s, BENCH_OP_READ, value) : 0;
	if (r == 0 && comma[1] != '\0')
		r = set(p, w, s, BENCH_OP_WRITE, comma + 1);
	return (r);
}

static int
set_bs(const struct parser *p, const struct word *w, struct section *s,
    unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1 << 30, &n) < 0)
		return (bad(p, w, v, "a block size up to 1g"));
	s->job.shape.size[op][0].bytes = (uint32_t)n;
	s->job.shape.size[op][0].share = 1;
	s->job.shape.n_size[op] = 1;
	return (0);
}

/*
 * "1k-64k": fio picks a multiple of the smaller one, all equally often.  More
 * of them than a mix has room for are thinned out evenly.
 */
static int
set_bsrange(const struct parser *p, const struct word *w, struct section *s,
    unsigned op, const char *v)
{
	struct bench_size *ret = s->job.shape.size[op];
	char one[32];
	const char *dash = strchr(v, '-');
	uint64_t lo, hi, steps, i;
	unsigned n;

	if (dash == NULL || (size_t)(dash - v) >= sizeof one)
		return (bad(p, w, v, "a range like 1k-64k"));
	memcpy(one, v, (size_t)(dash - v));
	one[dash - v] = '\0';
	if (cli_num_size(one, 1, 1 << 30, &lo) < 0 ||
	    cli_num_size(dash + 1, lo, 1 << 30, &hi) < 0)
		return (bad(p, w, v, "a range like 1k-64k"));
	steps = hi / lo;
	n = steps < BENCH_SIZES ? (unsigned)steps : BENCH_SIZES;
	for (i = 0; i < n; i++) {
		ret[i].bytes =
		    (uint32_t)(lo *
			       (n == 1 ? 1 : 1 + i * (steps - 1) / (n - 1)));
		ret[i].share = 1;
	}
	s->job.shape.n_size[op] = n;
	if (s->job.shape.align == 0)
		s->job.shape.align = (uint32_t)lo;
	return (0);
}

/* "4k/60:16k/40"; a missing share is an equal part of what is left of 100. */
static int
set_bssplit(const struct parser *p, const struct word *w, struct section *s,
    unsigned op, const char *v)
{
	struct bench_size *ret = s->job.shape.size[op];
	bool open_share[BENCH_SIZES] = { false };
	const char *end, *slash;
	unsigned n = 0, missing = 0, i;
	uint64_t bytes, share, total = 0;
	char one[32];
	size_t len;

	for (;; v = end + 1) {
		end = strchr(v, ':');
		len = end != NULL ? (size_t)(end - v) : strlen(v);
		if (len == 0 || len >= sizeof one || n == BENCH_SIZES)
			return (bad(p, w, v, "a split like 4k/60:16k/40"));
		memcpy(one, v, len);
		one[len] = '\0';
		slash = strchr(one, '/');
		share = 0;
		open_share[n] = slash == NULL || slash[1] == '\0';
		if (!open_share[n] &&
		    cli_num_count(slash + 1, 0, 100, &share) < 0)
			return (bad(p, w, v, "a split like 4k/60:16k/40"));
		if (slash != NULL)
			one[slash - one] = '\0';
		if (cli_num_size(one, 1, 1 << 30, &bytes) < 0)
			return (bad(p, w, v, "a split like 4k/60:16k/40"));
		missing += open_share[n];
		total += share;
		ret[n].bytes = (uint32_t)bytes;
		ret[n++].share = (uint32_t)share * 1000;
		if (end == NULL)
			break;
	}
	if (total > 100 || (missing == 0 && total != 100))
		return (bad(p, w, v, "a split whose shares add up to 100"));
	for (i = 0; i < n; i++)
		if (open_share[i])
			ret[i].share =
			    (uint32_t)((100 - total) * 1000 / missing);
	s->job.shape.n_size[op] = n;
	return (0);
}

static int
set_rate_iops(const struct parser *p, const struct word *w, struct section *s,
    unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1000000000, &n) < 0)
		return (bad(p, w, v, "a number of requests a second"));
	s->job.rate[op] = (double)n;
	return (0);
}

static int
set_rate(const struct parser *p, const struct word *w, struct section *s,
    unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, INT64_MAX, &n) < 0)
		return (bad(p, w, v, "a number of bytes a second"));
	s->job.rate_bytes[op] = (double)n;
	return (0);
}

static int
set_rw(const struct parser *p, const struct word *w, struct section *s,
    const char *v)
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
		/* A mix given before it stays. */
		if (!s->rw_mixed || s->job.shape.read_percent % 100 == 0)
			s->job.shape.read_percent = kinds[i].read;
		return (0);
	}
	return (bad(
	    p, w, v, "one of read, write, rw, randread, randwrite, randrw"));
}

static int
set_size(
    const struct parser *p, const struct word *w, struct section *s, char *v)
{
	size_t len = strlen(v);
	uint64_t n;

	if (len > 1 && v[len - 1] == '%') {
		v[len - 1] = '\0';
		if (cli_num_count(v, 1, 100, &n) < 0)
			return (bad(p, w, v, "a percentage"));
		s->size_percent = (unsigned)n;
		s->size = 0;
		return (0);
	}
	s->size_percent = 0;
	return (size(p, w, v, &s->size));
}

static int
set_distribution(const struct parser *p, const struct word *w,
    struct section *s, const char *v)
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
	return (bad(p, w, v, "random or zipf:THETA"));
}

static int
set_engine(
    const struct parser *p, const struct word *w, struct section *s, char *v)
{
	if (bench_engine_find(v) == NULL) {
		/* Same calls under a name of another system's. */
		if (strcmp(v, "libaio") == 0 || strcmp(v, "io_uring") == 0)
			return (fail(p,
			    "ioengine: %s is not in this build, "
			    "or not of this system",
			    v));
		return (bad(p, w, v,
		    "an engine here; \"diskbench run --help\" lists them"));
	}
	s->job.engine = v;
	return (0);
}

static int
set_continue(const struct parser *p, const struct word *w, struct section *s,
    const char *v)
{
	if (strcmp(v, "none") == 0 || strcmp(v, "0") == 0)
		s->job.on_error = BENCH_ON_ERROR_STOP;
	else if (strcmp(v, "all") == 0 || strcmp(v, "io") == 0 ||
		 strcmp(v, "1") == 0)
		s->job.on_error = BENCH_ON_ERROR_CONTINUE;
	else
		return (bad(p, w, v, "none, io or all"));
	return (0);
}

static int
set_sync(const struct parser *p, const struct word *w, struct section *s,
    const char *v)
{
	if (strcmp(v, "none") == 0 || strcmp(v, "0") == 0)
		s->job.sync = BENCH_SYNC_NONE;
	else if (strcmp(v, "dsync") == 0)
		s->job.sync = BENCH_SYNC_DSYNC;
	else if (strcmp(v, "sync") == 0 || strcmp(v, "1") == 0)
		s->job.sync = BENCH_SYNC_SYNC;
	else
		return (bad(p, w, v, "none, dsync or sync"));
	return (0);
}

/* Those about the whole run. */
static int
line_option(struct parser *p, const struct word *w, char *v)
{
	struct bench_options *o = p->o;
	bool b = true;
	int r = 0;

	switch (w->code) {
	case F_READONLY: return (boolean(p, w, v, &p->readonly));
	case F_ETA:
		if (strcmp(v, "always") != 0 && strcmp(v, "never") != 0 &&
		    strcmp(v, "auto") != 0)
			return (bad(p, w, v, "always, never or auto"));
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
		if (strcmp(v, "json") == 0 || strcmp(v, "json+") == 0)
			o->format = BENCH_FORMAT_JSON;
		else if (strcmp(v, "normal") == 0)
			o->format = BENCH_FORMAT_HUMAN;
		else
			return (bad(p, w, v, "normal or json"));
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
static int
job_option(struct parser *p, struct section *s, const struct word *w, char *v)
{
	struct bench_job *j = &s->job;
	unsigned u;
	uint64_t n;
	bool b;
	int r;

	switch (w->code) {
	case F_DESCRIPTION: return (0);
	case F_FILENAME:
		if (strchr(v, ':') != NULL)
			return (fail(p, "filename: a list of files (\":\"); "
					"give each a job of its own"));
		s->filename = v;
		return (0);
	case F_DIRECTORY: s->directory = v; return (0);
	case F_RW: return (set_rw(p, w, s, v));
	case F_MIXREAD:
	case F_MIXWRITE:
		r = count(p, w, v, 0, 100, &u);
		if (r == 0)
			j->shape.read_percent =
			    w->code == F_MIXREAD ? u : 100 - u;
		return (r);
	case F_BS: return (each_side(p, w, v, set_bs, s));
	case F_BSRANGE: return (each_side(p, w, v, set_bsrange, s));
	case F_BSSPLIT: return (each_side(p, w, v, set_bssplit, s));
	case F_BLOCKALIGN:
		r = size(p, w, v, &n);
		if (r == 0 && (n == 0 || n > UINT32_MAX))
			return (bad(p, w, v, "an alignment"));
		if (r == 0)
			j->shape.align = (uint32_t)n;
		return (r);
	case F_SIZE: return (set_size(p, w, s, v));
	case F_IO_SIZE: return (size(p, w, v, &s->io_size));
	case F_OFFSET: return (size(p, w, v, &j->shape.offset));
	case F_OFFSET_INCREMENT: return (size(p, w, v, &s->offset_increment));
	case F_NUMBER_IOS:
		if (cli_num_count(v, 1, INT64_MAX, &j->limit_ios) < 0)
			return (bad(p, w, v, "a number of I/Os"));
		return (0);
	case F_LOOPS:
		if (cli_num_count(v, 1, 1000000, &s->loops) < 0)
			return (bad(p, w, v, "a number of rounds"));
		return (0);
	case F_IOENGINE: return (set_engine(p, w, s, v));
	case F_IODEPTH: return (count(p, w, v, 1, 32768, &j->depth));
	case F_IODEPTH_BATCH: return (count(p, w, v, 1, 32768, &j->batch));
	case F_IODEPTH_BATCH_COMPLETE:
		r = count(p, w, v, 1, 32768, &u);
		if (r == 0 && u > 1) {
			j->mode = BENCH_MODE_PEAK;
			j->batch = u;
		}
		return (r);
	case F_DIRECT:
	case F_BUFFERED:
		r = boolean(p, w, v, &b);
		if (r == 0)
			j->buffered = b == (w->code == F_BUFFERED);
		return (r);
	case F_NUMJOBS: return (count(p, w, v, 1, BENCH_JOBS, &s->numjobs));
	case F_GROUP: return (boolean(p, w, v, &s->group));
	case F_NEW_GROUP: return (boolean(p, w, v, &s->new_group));
	case F_STONEWALL: return (boolean(p, w, v, &s->stonewall));
	case F_RUNTIME: return (duration(p, w, v, &j->runtime_ns));
	case F_TIME_BASED: return (boolean(p, w, v, &s->time_based));
	case F_RAMP: return (duration(p, w, v, &j->ramp_ns));
	case F_STARTDELAY: return (duration(p, w, v, &j->start_ns));
	case F_RATE: return (each_side(p, w, v, set_rate, s));
	case F_RATE_IOPS: return (each_side(p, w, v, set_rate_iops, s));
	case F_RATE_PROCESS:
		if (strcmp(v, "linear") == 0)
			j->gaps = BENCH_GAPS_FIXED;
		else if (strcmp(v, "poisson") == 0)
			j->gaps = BENCH_GAPS_EXPONENTIAL;
		else
			return (bad(p, w, v, "linear or poisson"));
		return (0);
	case F_RANDREPEAT: return (boolean(p, w, v, &s->randrepeat));
	case F_RANDSEED:
		if (cli_num_count(v, 0, UINT64_MAX, &s->seed) < 0)
			return (bad(p, w, v, "a number"));
		return (0);
	case F_NORANDOMMAP: return (boolean(p, w, v, &s->norandommap));
	case F_RANDOM_DISTRIBUTION: return (set_distribution(p, w, s, v));
	case F_REFILL: return (boolean(p, w, v, &j->data.refill));
	case F_COMPRESS:
		return (count(p, w, v, 0, 100, &j->data.compress_percent));
	case F_DEDUPE: return (count(p, w, v, 0, 100, &j->data.dedupe_percent));
	case F_SYNC: return (set_sync(p, w, s, v));
	case F_FSYNC:
	case F_FDATASYNC: return (count(p, w, v, 0, 1000000000, &j->fsync));
	case F_CONTINUE: return (set_continue(p, w, s, v));
	case F_FIXEDBUFS:
	case F_REGISTERFILES:
		r = boolean(p, w, v, &b);
		if (r < 0)
			return (r);
		if (w->code == F_FIXEDBUFS)
			j->plain_buffers = !b;
		else
			j->plain_files = !b;
		return (0);
	case F_HIPRI: return (boolean(p, w, v, &j->poll));
	case F_CPUS_ALLOWED:
		r = count(p, w, v, 0, 4095, &u);
		if (r == 0)
			j->cpu = (int)u;
		return (r);
	/* True of us whatever is asked for. */
	case F_THREAD:
	case F_SCRAMBLE:
	case F_GTOD:
	case F_CLAT_PERCENTILES:
		r = boolean(p, w, v, &b);
		if (r == 0 && !b && w->code != F_GTOD && w->code != F_THREAD)
			return (fail(p, "%s: cannot be turned off", w->name));
		return (r);
	case F_PERCENTILE_LIST:
		if (bench_options_percentiles(v, ':', p->o->percentile,
			sizeof p->o->percentile / sizeof *p->o->percentile,
			&p->o->n_percentile) < 0)
			return (bad(p, w, v, "rising numbers like 50:99:99.9"));
		return (0);
	default: return (line_option(p, w, v));
	}
}

/* --- sections become jobs ------------------------------------------------- */

static int
add_clone(struct parser *p, const struct section *s, struct bench_job *j,
    unsigned clone)
{
	struct bench_options *o = p->o;
	char *file;
	size_t len;

	if (o->n_job == BENCH_JOBS)
		return (
		    fail(p, "more than %d jobs, clones included", BENCH_JOBS));
	if (s->filename == NULL &&
	    (j->engine == NULL || !bench_engine_find(j->engine)->fake)) {
		/* fio's own way to name them. */
		len = (s->directory != NULL ? strlen(s->directory) : 1) +
		      strlen(j->name) + 32;
		file = malloc(len);
		if (file != NULL)
			(void)snprintf(file, len, "%s/%s.%u.0",
			    s->directory != NULL ? s->directory : ".", j->name,
			    clone);
		j->target = bench_options_keep(o, file);
		if (j->target == NULL)
			return (fail(p, "too many files"));
	}
	o->job[o->n_job++] = *j;
	return (0);
}

static int
close_section(struct parser *p)
{
	struct section *s = &p->now;
	struct bench_job *j = &s->job;
	const struct bench_engine_type *e;
	unsigned i, clones;
	bool own_file, one_size;
	int r;

	if (!p->open)
		return (0);
	p->open = false;
	e = j->engine != NULL ? bench_engine_find(j->engine) : NULL;
	own_file = s->filename == NULL;
	j->target = s->filename;
	if (e != NULL && e->fake)
		j->target = NULL;
	else if (s->filename == NULL && s->size == 0)
		return (fail(p,
		    "job %s: no size; size=1g makes a file of it, "
		    "filename=DEVICE measures a device",
		    j->name));
	if (p->readonly && bench_job_writes(j))
		return (fail(
		    p, "job %s: writes, and --readonly forbids it", j->name));
	if (e != NULL && !e->direct && !j->buffered)
		return (fail(p, "job %s: engine %s cannot do direct=1", j->name,
		    e->name));
	j->seed = s->randrepeat ? 0x89 + s->seed : p->entropy;
	j->shape.span = s->size;
	j->shape.span_percent = s->size_percent;
	if (e != NULL && e->fake && j->shape.span == 0)
		j->shape.span = UINT64_C(1) << 40;
	/*
	 * Without time_based a job ends when it has moved its size, or when
	 * its time is over; with it, it goes round and round.
	 */
	if (s->time_based && j->runtime_ns == 0)
		return (fail(p, "job %s: time_based needs a runtime", j->name));
	j->limit_whole_span = !s->time_based && s->io_size == 0;
	j->limit_rounds = (unsigned)s->loops;
	if (!s->time_based)
		j->limit_bytes = s->io_size * s->loops;
	one_size = j->shape.n_size[0] == 1 && j->shape.n_size[1] == 1 &&
		   j->shape.size[0][0].bytes == j->shape.size[1][0].bytes &&
		   (j->shape.align == 0 ||
		       j->shape.align == j->shape.size[0][0].bytes);
	if (j->shape.random && !s->norandommap && one_size &&
	    j->shape.pick == BENCH_PICK_UNIFORM) {
		j->shape.pick = BENCH_PICK_ONCE;
		j->shape.each = true;
		j->shape.again = true;
	}
	j->create_missing = true;
	if (s->stonewall || s->new_group)
		p->groups++;
	j->stonewall = s->stonewall;
	if (!s->group)
		p->groups++;
	j->group = p->groups;
	clones = s->numjobs;
	/* One job of n threads, where they share a file and a report. */
	if (s->group && !own_file && s->offset_increment == 0) {
		j->threads = clones;
		return (add_clone(p, s, j, 0));
	}
	for (i = 0, r = 0; i < clones && r == 0; i++) {
		if (i > 0 && !s->group)
			j->group = ++p->groups;
		if (i > 0)
			j->stonewall = false;
		j->part = own_file || s->offset_increment > 0 ? 0 : i;
		j->parts = own_file || s->offset_increment > 0 ? 0 : clones;
		if (i > 0)
			j->seed += 0x10000;
		r = add_clone(p, s, j, i);
		j->shape.offset += s->offset_increment;
	}
	return (r);
}

static int
open_section(struct parser *p, const char *name)
{
	int r = close_section(p);

	if (r < 0)
		return (r);
	if (strcmp(name, "global") == 0)
		return (0);
	if (*name == '\0')
		return (fail(p, "a job without a name"));
	p->now = p->global;
	p->open = true;
	p->any = true;
	(void)snprintf(p->now.job.name, sizeof p->now.job.name, "%s", name);
	return (0);
}

/* key and, maybe, value: both writable, both outlive the run. */
static int
option(struct parser *p, char *key, char *value, bool in_file)
{
	static char one[] = "1";
	const struct word *w = find(key, strlen(key));

	if (w == NULL) {
		if (strcmp(key, "allow_mounted_write") == 0)
			return (fail(p, "allow_mounted_write: diskbench never "
					"writes to what is mounted"));
		return (fail(p,
		    "option \"%s\" is fio's, or nobody's, and not "
		    "one that diskbench knows; see diskbench fio "
		    "--help",
		    key));
	}
	if (in_file && w->place == LINE)
		return (fail(p, "\"%s\" belongs on the command line", key));
	if (value == NULL || *value == '\0') {
		if (!w->flag)
			return (fail(p, "\"%s\" needs a value", key));
		/* Written by nobody that takes it for a flag. */
		value = one;
	}
	if (w->code == F_NAME)
		return (open_section(p, value));
	return (job_option(p, p->open ? &p->now : &p->global, w, value));
}

static char *
trim(char *s)
{
	size_t len;

	while (isspace((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len > 0 && isspace((unsigned char)s[len - 1]))
		s[--len] = '\0';
	return (s);
}

/* A job file: [sections] of key=value lines; ; and # begin comments. */
static int
file_text(struct parser *p, const char *file, char *text)
{
	char where[160], *line, *next, *eq, *end;
	unsigned number = 0;
	int r = 0;

	p->where = where;
	for (line = text; line != NULL && r == 0; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		number++;
		(void)snprintf(
		    where, sizeof where, "%.100s:%u: ", file, number);
		line = trim(line);
		if (*line == '\0' || *line == ';' || *line == '#')
			continue;
		if (*line == '[') {
			end = strrchr(line, ']');
			if (end == NULL || end[1] != '\0')
				r = fail(p, "a section without its \"]\"");
			else {
				*end = '\0';
				r = open_section(p, trim(line + 1));
			}
			continue;
		}
		eq = strchr(line, '=');
		if (eq != NULL)
			*eq++ = '\0';
		r = option(p, trim(line), eq != NULL ? trim(eq) : NULL, true);
	}
	if (r == 0)
		r = close_section(p);
	p->where = "fio: ";
	return (r);
}

static int
file_read(struct parser *p, const char *file)
{
	enum {
		MAX = 1 << 20
	};
	char *text;
	size_t n;
	FILE *f;

	f = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	if (f == NULL)
		return (fail(p, "job file %s: %s", file, strerror(errno)));
	text = malloc(MAX + 1);
	n = text != NULL ? fread(text, 1, MAX + 1, f) : 0;
	if (f != stdin)
		(void)fclose(f);
	if (text != NULL && n <= MAX)
		text[n] = '\0';
	if (n > MAX || (text != NULL && strlen(text) != n)) {
		free(text);
		return (fail(p, "job file %s: no text, or above 1 MiB", file));
	}
	text = bench_options_keep(p->o, text);
	if (text == NULL)
		return (fail(p, "job file %s: out of memory", file));
	return (file_text(p, file, text));
}

static void
parser_init(struct parser *p, struct bench_options *o, uint64_t entropy,
    struct bench_refusal *why)
{
	memset(p, 0, sizeof *p);
	p->o = o;
	p->why = why;
	p->where = "fio: ";
	p->entropy = entropy;
	section_init(&p->global);
}

int
bench_fio_parse_text(struct bench_options *o, const char *file,
    const char *text, uint64_t entropy, struct bench_refusal *why)
{
	struct parser p;
	char *copy;

	parser_init(&p, o, entropy, why);
	copy = bench_options_keep(o, strdup(text));
	if (copy == NULL)
		return (fail(&p, "out of memory"));
	return (file_text(&p, file, copy));
}

static int
word_of_line(struct parser *p, char *const *argv, int *used)
{
	char *copy, *eq, *value = NULL;
	const struct word *w;
	int r;

	*used = 1;
	if (argv[0][0] != '-')
		return (file_read(p, argv[0]));
	if (argv[0][1] != '-' || argv[0][2] == '\0')
		return (fail(
		    p, "no option \"%s\"; see diskbench fio --help", argv[0]));
	copy = bench_options_keep(p->o, strdup(argv[0] + 2));
	if (copy == NULL)
		return (fail(p, "too many words"));
	eq = strchr(copy, '=');
	if (eq != NULL) {
		*eq = '\0';
		value = eq + 1;
	}
	w = find(copy, strlen(copy));
	if (eq == NULL && w != NULL && !w->flag && argv[1] != NULL) {
		value = bench_options_keep(p->o, strdup(argv[1]));
		if (value == NULL)
			return (fail(p, "too many words"));
		*used = 2;
	}
	r = option(p, copy, value, false);
	return (r);
}

int
bench_fio_parse(struct bench_options *o, int argc, char *const *argv,
    uint64_t entropy, struct bench_refusal *why)
{
	struct parser p;
	int i, used, r;

	parser_init(&p, o, entropy, why);
	for (i = 0; i < argc; i += used) {
		r = word_of_line(&p, argv + i, &used);
		if (r < 0)
			return (r);
		if (o->command != BENCH_CMD_FIO)
			return (0);
	}
	r = close_section(&p);
	if (r < 0)
		return (r);
	if (o->n_job == 0)
		return (fail(&p, "no job; --name=NAME begins one"));
	return (0);
}

void
bench_fio_help(FILE *f)
{
	const struct word *w;
	char name[64];

	(void)fputs("Usage: diskbench fio [--option=value ...] [job.fio ...]\n"
		    "fio's options, with fio's meaning; any other is an "
		    "error.\n\n",
	    f);
	for (w = words; w->name != NULL; w++) {
		(void)snprintf(name, sizeof name, "--%s%s%s", w->name,
		    w->other != NULL ? ", --" : "",
		    w->other != NULL ? w->other : "");
		(void)fprintf(f, "  %-36s %s\n", name, w->help);
	}
}

/* --- and back ------------------------------------------------------------- */

static void say(char **, size_t *, const char *, ...) CLI_PRINTF(3, 4);

static void
say(char **p, size_t *left, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(*p, *left, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= *left)
		n = *left > 0 ? (int)*left - 1 : 0;
	*p += n;
	*left -= (size_t)n;
}

static void
say_sizes(char **p, size_t *left, const struct bench_shape *s)
{
	enum bench_op op =
	    bench_shape_does(s, BENCH_OP_READ) ? BENCH_OP_READ : BENCH_OP_WRITE;
	uint64_t total = 0;
	unsigned i;

	if (s->n_size[op] == 1) {
		say(p, left, " --bs=%" PRIu32, s->size[op][0].bytes);
		return;
	}
	for (i = 0; i < s->n_size[op]; i++)
		total += s->size[op][i].share;
	for (i = 0; i < s->n_size[op]; i++)
		say(p, left, "%s%" PRIu32 "/%" PRIu64,
		    i == 0 ? " --bssplit=" : ":", s->size[op][i].bytes,
		    i + 1 < s->n_size[op]
			? s->size[op][i].share * UINT64_C(100) / total
			: 100 - (total - s->size[op][i].share) * UINT64_C(100) /
				    total);
}

void
bench_fio_show(const struct bench_job *j, char *buf, size_t len)
{
	static const char *const kinds[2][3] = {
		{ "write", "rw", "read" },
		{ "randwrite", "randrw", "randread" },
	};
	const struct bench_shape *s = &j->shape;
	unsigned read = s->read_percent == 0     ? 0
			: s->read_percent == 100 ? 2
						 : 1;

	say(&buf, &len, "fio --name=%s", j->name);
	if (j->target != NULL)
		say(&buf, &len, " --filename=%s", j->target);
	say(&buf, &len, " --ioengine=%s",
	    j->engine != NULL ? j->engine : "io_uring");
	say(&buf, &len, " --direct=%d --rw=%s", j->buffered ? 0 : 1,
	    kinds[s->random][read]);
	if (read == 1)
		say(&buf, &len, " --rwmixread=%u", s->read_percent);
	say_sizes(&buf, &len, s);
	say(&buf, &len, " --iodepth=%u --numjobs=%u", j->depth, j->threads);
	if (j->threads > 1)
		say(&buf, &len, " --group_reporting");
	if (j->mode == BENCH_MODE_PEAK)
		say(&buf, &len,
		    " --iodepth_batch=%u --iodepth_batch_complete_min=%u",
		    j->batch, j->batch);
	if (s->span > 0)
		say(&buf, &len, " --size=%" PRIu64, s->span);
	if (s->offset > 0)
		say(&buf, &len, " --offset=%" PRIu64, s->offset);
	if (j->runtime_ns > 0)
		say(&buf, &len, " --runtime=%" PRIu64 "ms --time_based",
		    j->runtime_ns / 1000000);
	if (j->ramp_ns > 0)
		say(&buf, &len, " --ramp_time=%" PRIu64 "ms",
		    j->ramp_ns / 1000000);
	if (s->random && s->pick == BENCH_PICK_UNIFORM)
		say(&buf, &len, " --norandommap");
	if (s->pick == BENCH_PICK_ZIPF)
		say(&buf, &len, " --norandommap --random_distribution=zipf:%g",
		    s->theta);
	if (bench_job_paced(j))
		say(&buf, &len, " --rate_iops=%.0f,%.0f",
		    j->rate[0] < 1 ? 1 : j->rate[0],
		    j->rate[1] < 1 ? 1 : j->rate[1]);
	if (bench_job_paced(j) && j->gaps == BENCH_GAPS_EXPONENTIAL)
		say(&buf, &len, " --rate_process=poisson");
	if (j->engine == NULL || strcmp(j->engine, "io_uring") == 0)
		say(&buf, &len, " --fixedbufs=%d --registerfiles=%d",
		    j->plain_buffers ? 0 : 1, j->plain_files ? 0 : 1);
	if (j->sync != BENCH_SYNC_NONE)
		say(&buf, &len, " --sync=%s",
		    j->sync == BENCH_SYNC_DSYNC ? "dsync" : "sync");
	if (j->fsync > 0)
		say(&buf, &len, " --fdatasync=%u", j->fsync);
	if (j->data.refill)
		say(&buf, &len, " --refill_buffers");
	if (!bench_job_writes(j))
		say(&buf, &len, " --readonly");
}
