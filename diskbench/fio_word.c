/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio_word.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/num.h"
#include "diskbench/engine.h"

const struct bench_fio_word bench_fio_words[] = {
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

int
bench_fio_fail(const struct bench_fio_parser *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return (bench_refuse(
	    p->why, EINVAL, BENCH_EXIT_USAGE, "%s%s", p->where, text));
}

void
bench_fio_section_init(struct bench_fio_section *s)
{
	memset(s, 0, sizeof *s);
	bench_job_init(&s->job);
	/* fio's own defaults, not ours. */
	s->job.depth = 1;
	s->job.engine = NULL;
	s->job.shape.random = false;
	s->job.buffered = true;
	s->mix = 50;
	s->randrepeat = true;
	s->numjobs = 1;
	s->loops = 1;
}

const struct bench_fio_word *
bench_fio_word_find(const char *name, size_t len)
{
	const struct bench_fio_word *w;

	for (w = bench_fio_words; w->name != NULL; w++) {
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
bad(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *value, const char *expected)
{
	return (bench_fio_fail(
	    p, "%s: \"%s\" is not %s", w->name, value, expected));
}

static int
boolean(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, bool *ret)
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
count(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t min, uint64_t max, unsigned *ret)
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
size(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t *ret)
{
	if (cli_num_size(v, 0, INT64_MAX, ret) < 0)
		return (bad(p, w, v, "a size, like 4096, 64k or 10g"));
	return (0);
}

static int
duration(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *v, uint64_t *ret)
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
each_side(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    char *value,
    int (*set)(const struct bench_fio_parser *, const struct bench_fio_word *,
	struct bench_fio_section *, unsigned op, const char *),
    struct bench_fio_section *s)
{
	char *comma = strchr(value, ',');
	int r;

	if (comma == NULL) {
		r = set(p, w, s, BENCH_OP_READ, value);
		return (r < 0 ? r : set(p, w, s, BENCH_OP_WRITE, value));
	}
	*comma = '\0';
	if (strchr(comma + 1, ',') != NULL)
		return (bench_fio_fail(p,
		    "%s: a value for trims, and diskbench does "
		    "none",
		    w->name));
	r = *value != '\0' ? set(p, w, s, BENCH_OP_READ, value) : 0;
	if (r == 0 && comma[1] != '\0')
		r = set(p, w, s, BENCH_OP_WRITE, comma + 1);
	return (r);
}

static int
set_bs(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1 << 30, &n) < 0)
		return (bad(p, w, v,
		    strchr(v, '-') != NULL
			? "one block size; a range of them is a bsrange"
			: "a block size up to 1g"));
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
set_bsrange(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
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
set_bssplit(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
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
set_rate_iops(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, 1000000000, &n) < 0)
		return (bad(p, w, v, "a number of requests a second"));
	s->job.rate[op] = (double)n;
	return (0);
}

static int
set_rate(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, unsigned op, const char *v)
{
	uint64_t n;

	if (cli_num_size(v, 1, INT64_MAX, &n) < 0)
		return (bad(p, w, v, "a number of bytes a second"));
	s->job.rate_bytes[op] = (double)n;
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
	return (bad(
	    p, w, v, "one of read, write, rw, randread, randwrite, randrw"));
}

static int
set_size(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, char *v)
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
	return (bad(p, w, v, "random or zipf:THETA"));
}

static int
set_engine(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, char *v)
{
	if (bench_engine_find(v) == NULL) {
		/* Same calls under a name of another system's. */
		if (strcmp(v, "libaio") == 0 || strcmp(v, "io_uring") == 0)
			return (bench_fio_fail(p,
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
set_continue(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    struct bench_fio_section *s, const char *v)
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
		return (bad(p, w, v, "none, dsync or sync"));
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
	case F_DIRECTORY: s->directory = v; return (0);
	case F_RW: return (set_rw(p, w, s, v));
	case F_MIXREAD:
	case F_MIXWRITE:
		r = count(p, w, v, 0, 100, &u);
		if (r == 0)
			s->mix = w->code == F_MIXREAD ? u : 100 - u;
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
			return (bench_fio_fail(
			    p, "%s: cannot be turned off", w->name));
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
