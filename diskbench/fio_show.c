/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "cli/diag.h"
#include "diskbench/fio.h"
#include "diskbench/legible.h"

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
	uint64_t total = 0, before = 0, share;
	unsigned i;

	if (s->n_size[op] == 1) {
		say(p, left, " --bs=%" PRIu32, s->size[op][0].bytes);
		return;
	}
	for (i = 0; i < s->n_size[op]; i++)
		total += s->size[op][i].share;
	/* Whole ones, and fio wants 100 of them: what one is rounded down by
	 * is left for the next. */
	for (i = 0; i < s->n_size[op]; i++) {
		share = before + s->size[op][i].share;
		say(p, left, "%s%" PRIu32 "/%" PRIu64,
		    i == 0 ? " --bssplit=" : ":", s->size[op][i].bytes,
		    share * 100 / total - before * 100 / total);
		before = share;
	}
}

/* One word of a shell's, and of what fio takes for a list one name. */
static void
say_word(
    char **p, size_t *left, const char *option, const char *word, bool is_list)
{
	char name[2 * PATH_MAX];
	size_t n = 0;

	for (; *word != '\0' && n + 2 < sizeof name; word++) {
		if (is_list && *word == ':')
			name[n++] = '\\';
		name[n++] = *word;
	}
	name[n] = '\0';
	say(p, left, " %s=", option);
	bench_shell_word(*p, *left, name);
	n = strlen(*p);
	*p += n;
	*left -= n;
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

	say(&buf, &len, "fio");
	say_word(&buf, &len, "--name", j->name, false);
	if (j->target != NULL)
		say_word(&buf, &len, "--filename", j->target, true);
	say(&buf, &len, " --ioengine=%s",
	    j->engine != NULL ? j->engine : "io_uring");
	say(&buf, &len, " --direct=%d --rw=%s", j->buffered ? 0 : 1,
	    kinds[s->random][read]);
	if (j->buffered && !j->invalidate)
		say(&buf, &len, " --invalidate=0");
	if (read == 1)
		say(&buf, &len, " --rwmixread=%u", s->read_percent);
	say_sizes(&buf, &len, s);
	say(&buf, &len, " --iodepth=%u --numjobs=%u", j->depth, j->threads);
	if (j->threads > 1)
		say(&buf, &len, " --group_reporting");
	if (j->depth > 1)
		say(&buf, &len,
		    " --iodepth_batch=%u --iodepth_batch_complete_max=%u",
		    bench_job_batch(j), bench_job_reap(j));
	if (j->mode == BENCH_MODE_PEAK)
		say(&buf, &len, " --iodepth_batch_complete_min=%u", j->batch);
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
	else if (strcmp(j->engine, "libaio") == 0)
		say(&buf, &len, " --userspace_reap=%d", j->plain_reap ? 0 : 1);
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
