/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio_section.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
	s->job.batch = 1;
	s->complete_min = 1;
	s->job.engine = NULL;
	s->job.shape.random = false;
	s->job.buffered = true;
	s->job.plain_buffers = s->job.plain_files = true;
	s->job.plain_reap = true;
	s->job.invalidate = true;
	s->mix = 50;
	s->randrepeat = true;
	s->numjobs = 1;
	s->loops = 1;
}

int
bench_fio_bad(const struct bench_fio_parser *p, const struct bench_fio_word *w,
    const char *value, const char *expected)
{
	return (bench_fio_fail(
	    p, "%s: \"%s\" is not %s", w->name, value, expected));
}
