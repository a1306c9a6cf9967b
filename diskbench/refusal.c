/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/refusal.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int
bench_refuse(struct bench_refusal *why, int r, enum bench_exit code,
    const char *fmt, ...)
{
	va_list ap;

	assert(r > 0);
	why->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	return (-r);
}

int
bench_refuse_usage(struct bench_refusal *why, const char *fmt, ...)
{
	va_list ap;

	why->code = BENCH_EXIT_USAGE;
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	return (-EINVAL);
}
