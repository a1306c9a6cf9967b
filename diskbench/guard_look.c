/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/guard_look.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
bench_look_found(
    struct bench_look *l, enum bench_exit code, const char *fmt, ...)
{
	struct bench_hold *h = l->hold;
	va_list ap;

	if (h->code != BENCH_EXIT_OK)
		return;
	h->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(h->who, sizeof h->who, fmt, ap);
	va_end(ap);
}

void
bench_look_unseen(struct bench_look *l, const char *what, int error)
{
	if (l->unseen[0] == '\0')
		(void)snprintf(l->unseen, sizeof l->unseen, "%s: %s", what,
		    error != 0 ? strerror(error) : "is empty");
}

bool
bench_look_is_ours(const struct bench_look *l, const struct stat *st)
{
	if (S_ISBLK(st->st_mode))
		return (bench_devset_has(&l->ours, st->st_rdev));
	return (S_ISREG(st->st_mode) &&
		bench_fileset_has(&l->files, st->st_dev, st->st_ino));
}
