/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "diskbench/engine_list.h"

const struct bench_engine_type *const bench_engines[] = {
#ifdef HAVE_LIBURING
	&bench_engine_uring,
#endif
#ifdef HAVE_LIBAIO
	&bench_engine_libaio,
#endif
#ifndef __linux__
	/* The BSDs' own is in the kernel; glibc's is threads, and slow. */
	&bench_engine_posixaio,
#endif
	&bench_engine_psync,
#ifdef __linux__
	&bench_engine_posixaio,
#endif
	&bench_engine_mmap,
	&bench_engine_null,
	&bench_engine_sim,
	NULL,
};

/* fio's names for what we do with the same calls. */
static const struct {
	const char *theirs, *ours;
} alias[] = {
	{ "sync", "psync" },
	{ "vsync", "psync" },
	{ "pvsync", "psync" },
	{ "pvsync2", "psync" },
	{ NULL, NULL },
};

const struct bench_engine_type *
bench_engine_find(const char *name)
{
	unsigned i;

	for (i = 0; alias[i].theirs != NULL; i++) {
		if (strcmp(alias[i].theirs, name) == 0)
			name = alias[i].ours;
	}
	for (i = 0; bench_engines[i] != NULL; i++) {
		if (strcmp(bench_engines[i]->name, name) == 0)
			return (bench_engines[i]);
	}
	return (NULL);
}

/*
 * The first that works.  Choosy: one that is well suited, and has many in
 * flight.
 */
static int
first_of(struct bench_engine **ret, const struct bench_engine_setup *setup,
    bool choosy, char *why, size_t why_len)
{
	struct bench_engine_setup wish = *setup;
	const struct bench_engine_type *t;
	char reason[256], notes[512] = "";
	size_t used = 0;
	unsigned i;
	int r = -ENOSYS;

	wish.any = choosy;
	for (i = 0; (t = bench_engines[i]) != NULL; i++) {
		/* Nobody wants these without having named them. */
		if (t->fake || !t->direct)
			continue;
		if (choosy && t->synchronous)
			break;
		reason[0] = '\0';
		r = t->open(ret, &wish, reason, sizeof reason);
		if (r == 0 && reason[0] == '\0')
			break;
		(void)snprintf(notes + used, sizeof notes - used, "%s%s: %s",
		    used > 0 ? "; " : "", t->name,
		    reason[0] != '\0' ? reason : strerror(-r));
		used = strlen(notes);
		if (r == 0)
			break;
	}
	(void)snprintf(why, why_len, "%s", notes);
	return (r);
}

int
bench_engine_open(struct bench_engine **ret, const char *name,
    const struct bench_engine_setup *setup, char *why, size_t why_len)
{
	const struct bench_engine_type *t;
	int r;

	assert(setup->depth > 0 && why_len > 0);
	why[0] = '\0';
	if (name != NULL) {
		t = bench_engine_find(name);
		if (t == NULL)
			return (-ENOSYS);
		return (t->open(ret, setup, why, why_len));
	}
	r = first_of(ret, setup, true, why, why_len);
	return (r < 0 ? first_of(ret, setup, false, why, why_len) : r);
}

void
bench_engine_close(struct bench_engine **ep)
{
	if (*ep == NULL)
		return;
	(*ep)->type->close(ep);
	assert(*ep == NULL);
}

int
bench_engine_nap(uint64_t ns)
{
	struct timespec ts;

	/* Nothing will come; a signal has to. */
	if (ns > UINT64_C(1000000000) * 3600)
		ns = UINT64_C(1000000000) * 3600;
	ts.tv_sec = (time_t)(ns / 1000000000);
	ts.tv_nsec = (long)(ns % 1000000000);
	return (nanosleep(&ts, NULL) < 0 ? -errno : 0);
}
