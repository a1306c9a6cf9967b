/* SPDX-License-Identifier: BSD-2-Clause */
/* What a cache's load came to: the highest rate, its trials, the advice. */
#include <stdint.h>
#include <stdio.h>

#include "diskbench/page_json.h"

static void
verdict(struct bench_page *p, const json_t *o)
{
	const json_t *said = bench_json_at(o, "advice", "text", NULL);
	bool held = json_is_true(json_object_get(o, "held"));
	const char *key;
	json_t *v;
	char limit[32];
	size_t i, first = 0;

	bench_json_value(
	    o, "slo_ns", BENCH_UNIT_SECONDS, 1e-9, limit, sizeof limit);
	if (held)
		bench_page_verdict(p, BENCH_TONE_GOOD,
		    "As %s: %.0f objects a second with 99 of 100 reads within "
		    "%s, which is %.2f Gbit/s of hits.",
		    bench_json_text_at(o, "name"),
		    bench_json_number_at(o, "objects_per_second"), limit,
		    bench_json_number_at(o, "hit_gbit_per_second"));
	else
		bench_page_verdict(p, BENCH_TONE_WARNING,
		    "As %s: 99 of 100 reads within %s were not had, at %.0f "
		    "objects a second.",
		    bench_json_text_at(o, "name"), limit,
		    bench_json_number_at(o, "objects_per_second"));
	/* The first ones are the amplifications, which the table has. */
	json_object_foreach((json_t *)(uintptr_t)bench_json_at(
				o, "advice", "read_amplification", NULL),
	    key, v) first += json_is_number(v);
	for (i = first; i < json_array_size(said) && i < first + 4; i++)
		bench_page_verdict(p, BENCH_TONE_PLAIN, "Advice: %s.",
		    bench_json_text(json_array_get(said, i)));
}

/* Where the limit is crossed: what held, and what did not. */
static void
trials(struct bench_page *p, struct bench_section *s, const json_t *o)
{
	static const struct bench_axis x = { "objects a second",
		BENCH_UNIT_COUNT, true, false };
	static const struct bench_axis y = { "p99 of reads", BENCH_UNIT_SECONDS,
		true, false };
	static const char *const names[] = { "held", "did not hold" };
	const json_t *all = json_object_get(o, "trials");
	double low = INFINITY, high = 0;
	struct bench_figure *f;
	struct bench_line *l;
	unsigned k, n[2] = { 0, 0 };
	size_t i;

	if (json_array_size(all) == 0)
		return;
	f = bench_page_figure(p, s, &x, &y, "The search for the highest rate");
	for (k = 0; k < 2; k++) {
		l = bench_page_line(p, f,
		    k == 0 ? BENCH_MARK_DISCS : BENCH_MARK_CROSSES, names[k]);
		for (i = 0; i < json_array_size(all); i++) {
			const json_t *t = json_array_get(all, i);
			double rate =
			    bench_json_number_at(t, "objects_per_second");

			if (json_is_true(json_object_get(t, "held")) !=
			    (k == 0))
				continue;
			n[k]++;
			low = fmin(low, rate);
			high = fmax(high, rate);
			bench_page_point(p, f, l,
			    &(struct bench_point){ rate,
				bench_json_number_at(t, "p99_ns") / 1e9, 0,
				0 });
		}
	}
	l = bench_page_line(p, f, BENCH_MARK_LEVEL, "limit");
	bench_page_point(p, f, l,
	    &(struct bench_point){
		low, bench_json_number_at(o, "slo_ns") / 1e9, 0, 0 });
	bench_page_point(p, f, l,
	    &(struct bench_point){
		high, bench_json_number_at(o, "slo_ns") / 1e9, 0, 0 });
	bench_page_alt(p, f,
	    "The 99th percentile of reads at each rate that was tried: %u "
	    "rates held (discs), %u did not (crosses), and a line at the "
	    "limit between them.",
	    n[0], n[1]);
}

static void
figures(struct bench_page *p, struct bench_section *s, const json_t *o)
{
	static const struct bench_json_row rows[] = {
		{ "name", "profile", 0, 1 },
		{ "basis", "its numbers are", 0, 1 },
		{ "hit_percent", "hits, of 100 objects", BENCH_UNIT_ORDINAL,
		    1 },
		{ "object_bytes", "an object has", BENCH_UNIT_BYTES, 1 },
		{ "slo_ns", "limit of the 99th percentile", BENCH_UNIT_SECONDS,
		    1e-9 },
		{ "objects_per_second", "objects a second", BENCH_UNIT_COUNT,
		    1 },
		{ "got_per_second", "of these were had", BENCH_UNIT_COUNT, 1 },
		{ "hit_gbit_per_second", "Gbit/s of hits", BENCH_UNIT_RATIO,
		    1 },
	};
	static const struct bench_json_row advised[] = {
		{ "storage", "storage that suits", 0, 1 },
		{ "madvise", "advice of file storage", 0, 1 },
		{ "file_objects_per_second", "file storage, hits a second",
		    BENCH_UNIT_COUNT, 1 },
		{ "file_gbit_per_second", "file storage, Gbit/s of hits",
		    BENCH_UNIT_RATIO, 1 },
		{ "raw_objects_per_second", "raw disk, hits a second",
		    BENCH_UNIT_COUNT, 1 },
		{ "raw_gbit_per_second", "raw disk, Gbit/s of hits",
		    BENCH_UNIT_RATIO, 1 },
	};
	static const struct bench_json_row amplified[] = {
		{ "random", "bytes read for a byte of a hit, advice random",
		    BENCH_UNIT_RATIO, 1 },
		{ "normal", "the same, advice normal", BENCH_UNIT_RATIO, 1 },
		{ "sequential", "the same, advice sequential", BENCH_UNIT_RATIO,
		    1 },
	};
	struct bench_table *t = bench_page_table(p, s, 2, "What it comes to");

	bench_page_cell(p, t, "what");
	bench_page_cell(p, t, "value");
	bench_page_rows(p, t, o, rows, sizeof rows / sizeof *rows);
	o = json_object_get(o, "advice");
	bench_page_rows(p, t, o, advised, sizeof advised / sizeof *advised);
	bench_page_rows(p, t, json_object_get(o, "read_amplification"),
	    amplified, sizeof amplified / sizeof *amplified);
}

void
bench_page_profile(struct bench_page *p, const struct bench_sheet *sh)
{
	const json_t *o = bench_json_at(sh->root, "diskbench", "profile", NULL);
	const char *certainty = bench_json_text(
	    bench_json_at(sh->root, "diskbench", "certainty", NULL));
	struct bench_section *s;

	/* Of what has phases in place of a rate there is no more to say. */
	if (bench_json_number_at(o, "objects_per_second") > 0) {
		verdict(p, o);
		s = bench_page_section(
		    p, "The load of %s", bench_json_text_at(o, "name"));
		trials(p, s, o);
		figures(p, s, o);
	}
	if (certainty[0] != '\0')
		bench_page_verdict(
		    p, BENCH_TONE_PLAIN, "Certainty: %s.", certainty);
}
