/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/diag.h"

const char *const bench_storage_names[] = { "malloc", "file", "raw" };

/* Below that a drive feeds nobody: a page of a site alone has more parts. */
#define FEW_OBJECTS 50
/* So much better has another cache to be, to be worth the change. */
#define WORTH_IT 1.5

static void say(struct bench_advice *, const char *, ...) CLI_PRINTF(2, 3);

static void
say(struct bench_advice *a, const char *fmt, ...)
{
	va_list ap;

	if (a->n == sizeof a->text / sizeof *a->text)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(a->text[a->n++], sizeof *a->text, fmt, ap);
	va_end(ap);
}

static void
choose_madvise(struct bench_advice *a, const struct bench_facts *f)
{
	double least = -1;
	unsigned i;

	a->madvise = BENCH_MADVISE_RANDOM; /* Varnish's default */
	for (i = 0; i < BENCH_MADVISES; i++) {
		double v = f->amplification[i];

		/* The default stays, unless another one is clearly better. */
		if (v >= 0 && (least < 0 || v < least * 0.8)) {
			least = v;
			a->madvise = (enum bench_madvise)i;
		}
	}
	for (i = 0; i < BENCH_MADVISES; i++)
		if (f->amplification[i] >= 0)
			say(a,
			    "file storage, advice %s: %.1f bytes read from the "
			    "drive for each byte of a hit",
			    bench_madvise_names[i], f->amplification[i]);
}

void
bench_advice_give(struct bench_advice *a, const struct bench_facts *f)
{
	double ms = (double)f->slo_ns / 1e6;

	memset(a, 0, sizeof *a);
	a->gbit_file = f->objects_file * f->object_bytes * 8 / 1e9;
	a->gbit_raw = f->objects_raw * f->object_bytes * 8 / 1e9;
	choose_madvise(a, f);
	if (f->objects_file < FEW_OBJECTS && f->objects_raw < FEW_OBJECTS) {
		a->storage = BENCH_STORAGE_MALLOC;
		say(a,
		    "use malloc, and as much memory as there is: this drive "
		    "has %.0f hits a second within %g ms",
		    f->objects_file, ms);
	} else if (f->objects_raw > f->objects_file * WORTH_IT) {
		a->storage = BENCH_STORAGE_RAW;
		if (f->objects_file > 0)
			say(a,
			    "file storage feeds %.2f Gbit/s of hits (%.0f/s "
			    "within %g ms); a cache that reads an object at "
			    "once from a raw disk %.2f Gbit/s (%.0f/s)",
			    a->gbit_file, f->objects_file, ms, a->gbit_raw,
			    f->objects_raw);
		else
			say(a,
			    "file storage has no rate of hits within %g ms; a "
			    "cache that reads an object at once from a raw "
			    "disk feeds %.2f Gbit/s (%.0f/s)",
			    ms, a->gbit_raw, f->objects_raw);
		if (f->objects_file > 0)
			say(a,
			    "use malloc for what fits into memory; beyond it a "
			    "cache on the raw disk (Traffic Server, fellow) "
			    "gets %.1f times as much from this drive as file "
			    "with advice %s",
			    f->objects_raw / f->objects_file,
			    bench_madvise_names[a->madvise]);
		else
			say(a,
			    "use malloc for what fits into memory; beyond it a "
			    "cache on the raw disk (Traffic Server, fellow), "
			    "and not file");
	} else {
		a->storage = BENCH_STORAGE_FILE;
		say(a,
		    "file storage with advice %s feeds %.2f Gbit/s of hits "
		    "(%.0f/s within %g ms), and a cache on the raw disk not "
		    "much more (%.0f/s); malloc for what fits into memory",
		    bench_madvise_names[a->madvise], a->gbit_file,
		    f->objects_file, ms, f->objects_raw);
	}
}
