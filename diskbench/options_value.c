/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options_value.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/num.h"
#include "diskbench/options_pts.h"

static int
bad(const struct bench_option_given *rd, const char *expected)
{
	return (bench_refuse_usage(rd->why, "--%s: \"%s\" is not %s",
	    rd->opt->name, rd->value, expected));
}

static int
count(const struct bench_option_given *rd, uint64_t min, uint64_t max,
    unsigned *ret)
{
	uint64_t v;
	char what[64];

	if (cli_num_count(rd->value, min, max, &v) < 0) {
		(void)snprintf(what, sizeof what,
		    "a number from %" PRIu64 " to %" PRIu64, min, max);
		return (bad(rd, what));
	}
	*ret = (unsigned)v;
	return (0);
}

static int
size(const struct bench_option_given *rd, uint64_t min, uint64_t *ret)
{
	if (cli_num_size(rd->value, min, INT64_MAX, ret) < 0)
		return (bad(rd, "a size, like 4096, 64k or 10G"));
	return (0);
}

static int
duration(const struct bench_option_given *rd, uint64_t min, uint64_t *ret)
{
	/* A year: long enough, and far from any overflow. */
	if (cli_num_duration(rd->value, min, UINT64_C(31536000000000000), ret) <
	    0)
		return (bad(rd, "a time, like 500ms, 10s or 2h"));
	return (0);
}

/* One of the words; their index comes back. */
static int
word(const struct bench_option_given *rd, const char *const *words,
    const char *expected, unsigned *ret)
{
	unsigned i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], rd->value) == 0) {
			*ret = i;
			return (0);
		}
	}
	return (bad(rd, expected));
}

/* "4k" or "4k:60,16k:40": sizes up to 1 GiB with shares.  ret has room for
 * BENCH_SIZES.  -EINVAL. */
static int
sizes_of(const char *s, struct bench_size *ret, unsigned *ret_n)
{
	char one[64];
	const char *end, *colon;
	uint64_t v, share;
	unsigned n = 0;
	size_t len;

	for (;; s = end + 1) {
		end = strchr(s, ',');
		len = end != NULL ? (size_t)(end - s) : strlen(s);
		if (len == 0 || len >= sizeof one || n == BENCH_SIZES)
			return (-EINVAL);
		memcpy(one, s, len);
		one[len] = '\0';
		colon = strchr(one, ':');
		share = 1;
		if (colon != NULL) {
			if (cli_num_count(colon + 1, 1, 1000000, &share) < 0)
				return (-EINVAL);
			one[colon - one] = '\0';
		}
		if (cli_num_size(one, 1, 1 << 30, &v) < 0)
			return (-EINVAL);
		ret[n].bytes = (uint32_t)v;
		ret[n++].share = (uint32_t)share;
		if (end == NULL)
			break;
	}
	*ret_n = n;
	return (0);
}

static int
rw(const struct bench_option_given *rd, struct bench_job *j, bool *mixed)
{
	static const char *const words[] = { "read", "write", "rw", "randread",
		"randwrite", "randrw", NULL };
	static const unsigned percent[] = { 100, 0, 75 };
	unsigned i;
	int r;

	r = word(
	    rd, words, "read, write, randread, randwrite, rw or randrw", &i);
	if (r < 0)
		return (r);
	j->shape.random = i >= 3;
	j->shape.read_percent = percent[i % 3];
	*mixed = i % 3 == 2;
	return (0);
}

static int
pick(const struct bench_option_given *rd, struct bench_job *j)
{
	if (strcmp(rd->value, "uniform") == 0) {
		j->shape.pick = BENCH_PICK_UNIFORM;
		return (0);
	}
	if (strcmp(rd->value, "once") == 0) {
		j->shape.pick = BENCH_PICK_ONCE;
		return (0);
	}
	if (strncmp(rd->value, "zipf:", 5) == 0 &&
	    cli_num_decimal(rd->value + 5, 0.01, 10, &j->shape.theta) == 0) {
		j->shape.pick = BENCH_PICK_ZIPF;
		/* The formula divides by 1 - theta. */
		if (j->shape.theta > 0.999999 && j->shape.theta < 1.000001)
			j->shape.theta = 1.000001;
		return (0);
	}
	return (bad(rd, "uniform, once or zipf:THETA (0.01 to 10)"));
}

/* Says what the requests are: a profile knows better. */
static bool
is_shape(enum bench_option_code code)
{
	switch (code) {
	case O_BATCH:
	case O_BS:
	case O_BUFFERED:
	case O_FSYNC:
	case O_GAPS:
	case O_IODEPTH:
	case O_MIX:
	case O_MODE:
	case O_OPEN_LOOP:
	case O_OVERLAP:
	case O_PICK:
	case O_RW:
	case O_SYNC:
	case O_THREADS: return (true);
	default: return (false);
	}
}

/* Has nothing to do with measuring. */
static bool
is_telling(enum bench_option_code code)
{
	switch (code) {
	case O_DIFFERENT:
	case O_FORMAT:
	case O_OUTPUT:
	case O_SEED:
	case O_STATUS:
	case O_VS: return (true);
	default: return (false);
	}
}

int
bench_options_apply(struct bench_options *o, struct bench_job *j,
    struct bench_gathered *g, const struct bench_option_given *rd)
{
	static const char *const formats[] = { "human", "json", NULL };
	static const char *const modes[] = { "latency", "peak", NULL };
	static const char *const gaps[] = { "fixed", "exponential", NULL };
	static const char *const syncs[] = { "none", "dsync", "sync", NULL };
	static const char *const errors[] = { "stop", "continue", NULL };
	static const char *const whens[] = { "auto", "always", "never", NULL };
	struct bench_size sizes[BENCH_SIZES];
	unsigned u, op;
	uint64_t v;
	int r = 0;

	if (is_shape(rd->opt->code))
		g->shape = rd->opt->name;
	if (!is_telling(rd->opt->code))
		g->measures = rd->opt->name;
	switch (rd->opt->code) {
	case O_AA: o->compared = BENCH_COMPARED_AA; break;
	case O_ACCESSES:
		return (count(rd, 0, BENCH_CURVE_DOTS_MAX, &o->accesses));
	case O_ADVISE: g->advise = true; break;
	case O_ALLOW_UNWRITTEN: j->allow_unwritten = true; break;
	case O_BATCH: return (count(rd, 1, 65536, &j->batch));
	case O_BS:
		if (sizes_of(rd->value, sizes, &u) < 0)
			return (bad(
			    rd, "a size up to 1G, or a mix like 4k:60,16k:40"));
		o->pts.bytes = u == 1 ? sizes[0].bytes : UINT32_MAX;
		for (op = 0; op < BENCH_OPS; op++) {
			memcpy(j->shape.size[op], sizes, sizeof sizes);
			j->shape.n_size[op] = u;
		}
		break;
	case O_BUFFERED: j->buffered = true; break;
	case O_CREATE: return (size(rd, 4096, &j->create));
	case O_CPU:
		r = count(rd, 0, 4095, &u);
		if (r == 0)
			j->cpu = (int)u;
		return (r);
	case O_DATA_COMPRESS:
		return (count(rd, 0, 100, &j->data.compress_percent));
	case O_DATA_DEDUPE: return (count(rd, 0, 100, &j->data.dedupe_percent));
	case O_DIFFERENT: o->different = true; break;
	case O_DISCARD: o->pts.discard = true; break;
	case O_ENGINE:
		if (bench_engine_find(rd->value) == NULL)
			return (bad(rd, "an engine of this build; --help lists "
					"them"));
		j->engine = rd->value;
		break;
	case O_FORMAT:
		r = word(rd, formats, "human or json", &u);
		if (r == 0)
			o->format = (enum bench_format)u;
		return (r);
	case O_FSYNC: return (count(rd, 1, 1000000000, &j->fsync));
	case O_GAPS:
		r = word(rd, gaps, "fixed or exponential", &u);
		if (r < 0)
			return (r);
		j->gaps = (enum bench_gaps)u;
		g->gaps_given = true;
		break;
	case O_IODEPTH:
		g->depth_given = true;
		return (count(rd, 1, 32768, &j->depth));
	case O_HIT: g->hit_given = true; return (count(rd, 0, 100, &g->hit));
	case O_PROFILE: g->profile = rd->value; break;
	case O_SLO:
		g->slo_given = true;
		return (duration(rd, 1000, &o->slo_ns));
	case O_MADVISE:
		r = word(rd, bench_madvise_names,
		    "random, normal or sequential", &u);
		if (r == 0)
			j->madvise = (enum bench_madvise)u;
		return (r);
	case O_MIX: g->mix_given = true; return (count(rd, 0, 100, &g->mix));
	case O_MODE:
		r = word(rd, modes, "latency or peak", &u);
		if (r == 0)
			j->mode = (enum bench_mode)u;
		return (r);
	case O_NAME:
		(void)snprintf(j->name, sizeof j->name, "%s", rd->value);
		break;
	case O_NO_REGISTER: j->plain_buffers = j->plain_files = true; break;
	case O_OFFSET: return (size(rd, 0, &j->shape.offset));
	case O_ON_ERROR:
		r = word(rd, errors, "stop or continue", &u);
		if (r == 0)
			j->on_error = (enum bench_on_error)u;
		return (r);
	case O_OPEN_LOOP: j->open_loop = true; break;
	case O_OUTPUT: o->output = rd->value; break;
	case O_OVERLAP: j->shape.overlap = true; break;
	case O_OVERWRITE_DATA: o->overwrite_data = true; break;
	case O_PAIRS: return (count(rd, 1, BENCH_PAIRS_MAX, &o->pairs));
	case O_PERCENTILES:
		if (bench_options_percentiles(rd->value, ',', o->percentile,
			sizeof o->percentile / sizeof *o->percentile,
			&o->n_percentile) < 0)
			return (bad(rd, "rising numbers between 0 and 100, "
					"with commas"));
		break;
	case O_PICK: return (pick(rd, j));
	case O_POINTS:
		return (count(rd, 1, BENCH_CURVE_POINTS_MAX, &o->points));
	case O_POLL: j->poll = true; break;
	case O_PREPARED: o->pts.prepared = rd->value; break;
	case O_PURGE: o->pts.purge = rd->value; break;
	case O_QUICK: o->pts.quick = true; break;
	case O_RAMP:
		g->ramp_given = true;
		return (duration(rd, 0, &j->ramp_ns));
	case O_RATE:
		if (cli_num_decimal(rd->value, 0.001, 1e9, &g->rate) < 0)
			return (bad(rd, "a number of requests a second"));
		break;
	case O_ROUNDS: return (count(rd, 1, BENCH_PTS_ROUNDS, &o->pts.rounds));
	case O_RUNTIME: return (duration(rd, 1000000, &j->runtime_ns));
	case O_RW: return (rw(rd, j, &g->mixed));
	case O_SEED:
		if (cli_num_count(rd->value, 0, UINT64_MAX, &v) < 0)
			return (bad(rd, "a number"));
		j->seed = v;
		o->seed_given = true;
		break;
	case O_SHOW_FIO: o->show_fio = true; break;
	case O_SIM: j->sim = rd->value; break;
	case O_SIZE: return (size(rd, 1, &j->shape.span));
	case O_STATUS:
		r = word(rd, whens, "auto, always or never", &u);
		o->status = u == 1;
		o->no_status = u == 2;
		return (r);
	case O_SYNC:
		r = word(rd, syncs, "none, dsync or sync", &u);
		if (r == 0)
			j->sync = (enum bench_sync)u;
		return (r);
	case O_TEST:
		r = word(rd, bench_pts_tests,
		    "iops, throughput, latency or wsat", &u);
		if (r == 0)
			o->pts.test = (enum bench_pts_test)(u + 1);
		return (r);
	case O_THREADS: return (count(rd, 1, 1024, &j->threads));
	case O_TIME_BUDGET: return (duration(rd, 1000000, &o->budget_ns));
	case O_WRITE: o->token = rd->value; break;
	case O_VS:
		if (o->n_a > 0)
			return (bench_refuse_usage(rd->why,
			    "--vs stands once, between the "
			    "results of A and those of B"));
		o->n_a = g->n_target;
		if (o->n_a == 0)
			return (bench_refuse_usage(rd->why,
			    "compare: name A's results "
			    "before --vs and B's after it"));
		if (g->n_target == BENCH_JOBS)
			return (bench_refuse_usage(
			    rd->why, "more than %d results", BENCH_JOBS));
		g->target[g->n_target++] = rd->value;
		break;
	case O_HELP: o->command = BENCH_CMD_HELP; break;
	case O_VERSION: o->command = BENCH_CMD_VERSION; break;
	}
	return (0);
}
