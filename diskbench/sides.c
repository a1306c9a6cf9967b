/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/sides.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "cli/num.h"
#include "diskbench/legible.h"
#include "diskbench/page_card.h"
#include "diskbench/sheet.h"

#define WORD 96 /* of a state, with its NUL */

/* --- what a run was made with ---------------------------------------------- */

static void
text(const char *s, const char *otherwise, char *ret)
{
	(void)snprintf(
	    ret, WORD, "%.90s", s != NULL && s[0] != '\0' ? s : otherwise);
}

/* "64k" of fio's and 65536 of ours are one size. */
static void
size(const char *s, char *ret)
{
	uint64_t v;

	if (cli_num_size(s, 0, INT64_MAX, &v) == 0)
		(void)snprintf(ret, WORD, "%" PRIu64, v);
	else
		text(s, "not said", ret);
}

static void
own_size(const struct bench_card *c, const char *key, const char *fio,
    const char *otherwise, char *ret)
{
	double v = bench_json_number(json_object_get(c->own, key));

	if (v >= 0 && v < 1e18)
		(void)snprintf(ret, WORD, "%.0f", v);
	else if (bench_card_option(c, fio)[0] != '\0')
		size(bench_card_option(c, fio), ret);
	else
		text("", otherwise, ret);
}

/* A profile, and what it was told. */
static void
profile(const struct bench_card *c, char *ret)
{
	const json_t *o = bench_json_at(c->root, "diskbench", "profile", NULL);
	const json_t *slo = json_object_get(o, "slo_ns");
	char limit[24];

	if (!json_is_object(o)) {
		text("", "none", ret);
		return;
	}
	bench_json_ns(slo, limit, sizeof limit);
	(void)snprintf(ret, WORD, "%.24s, %.0f %% hits of %.0f bytes within %s",
	    bench_json_text_at(o, "name"),
	    bench_json_number_at(o, "hit_percent"),
	    bench_json_number_at(o, "object_bytes"), limit);
}

/* It looked for the highest rate itself: that is what it found, not what it was
 * told. */
static bool
searched(const struct bench_card *c)
{
	return (json_array_size(bench_json_at(
		    c->root, "diskbench", "profile", "trials", NULL)) > 0);
}

static void
kind(const struct bench_card *c, char *ret)
{
	text(bench_card_option(c, "rw"), "read", ret);
}

static void
block(const struct bench_card *c, char *ret)
{
	const char *split = bench_card_option(c, "bssplit");

	if (split[0] != '\0')
		text(split, "", ret);
	else if (bench_card_option(c, "bs")[0] != '\0')
		size(bench_card_option(c, "bs"), ret);
	else
		text("4096", "", ret);
}

static void
mix(const struct bench_card *c, char *ret)
{
	text(bench_card_option(c, "rwmixread"), "-", ret);
}

/* How it is used is said where fio says it, too. */
static void
engine(const struct bench_card *c, char *ret)
{
	static const struct {
		const char *engine, *option;
	} used[] = {
		{ "io_uring", "fixedbufs" },
		{ "io_uring", "registerfiles" },
		{ "libaio", "userspace_reap" },
		{ "io_uring", "hipri" },
	};
	unsigned i;

	text(c->engine, "not said", ret);
	for (i = 0; i < sizeof used / sizeof *used; i++) {
		const char *said = bench_card_option(c, used[i].option);
		/* Ours did not say these before they had fio's defaults. */
		bool silent = said[0] == '\0' && c->own != NULL &&
			      strcmp(used[i].option, "hipri") != 0;

		if (strcmp(c->engine, used[i].engine) == 0 &&
		    (silent || strcmp(said, "1") == 0))
			cli_append(ret, WORD, ", %s", used[i].option);
	}
}

static void
depth(const struct bench_card *c, char *ret)
{
	text(bench_card_option(c, "iodepth"), "1", ret);
}

/* Ours did not say these before they had fio's defaults: it was all of them. */
static void
batch(const struct bench_card *c, const char *said, char *ret)
{
	char all[WORD];

	depth(c, all);
	text(said, c->own != NULL ? all : "1", ret);
	if (strcmp(ret, all) == 0)
		text("", "all there are", ret);
}

static void
sent(const struct bench_card *c, char *ret)
{
	batch(c, bench_card_option(c, "iodepth_batch"), ret);
}

static void
reaped(const struct bench_card *c, char *ret)
{
	const char *s = bench_card_option(c, "iodepth_batch_complete_max");

	if (s[0] == '\0')
		s = bench_card_option(c, "iodepth_batch_complete_min");
	batch(c, s, ret);
}

static void
threads(const struct bench_card *c, char *ret)
{
	text(bench_card_option(c, "numjobs"), "1", ret);
}

static void
direct(const struct bench_card *c, char *ret)
{
	text(bench_card_option(c, "direct"), "0", ret);
}

static void
span(const struct bench_card *c, char *ret)
{
	own_size(c, "span", "size", "not said", ret);
}

static void
offset(const struct bench_card *c, char *ret)
{
	own_size(c, "span_offset", "offset", "0", ret);
}

static void
mode(const struct bench_card *c, char *ret)
{
	text(bench_json_text(json_object_get(c->own, "mode")), "latency", ret);
}

static void
rate(const struct bench_card *c, char *ret)
{
	double v =
	    bench_json_number(bench_json_at(c->own, "pacing", "rate", NULL));

	if (searched(c))
		text(json_is_true(bench_json_at(
			 c->root, "diskbench", "profile", "held", NULL))
			 ? "the highest that held"
			 : "none that held",
		    "", ret);
	else if (v > 0)
		(void)snprintf(ret, WORD, "%.6g%s", v,
		    json_is_true(
			bench_json_at(c->own, "pacing", "open_loop", NULL))
			? ", open loop"
			: "");
	else
		text(bench_card_option(c, "rate_iops"), "none", ret);
}

static void
synced(const struct bench_card *c, char *ret)
{
	const char *s = bench_card_option(c, "sync");

	text(strcmp(s, "0") == 0 ? "" : s, "none", ret);
}

static void
flushed(const struct bench_card *c, char *ret)
{
	const char *s = bench_card_option(c, "fdatasync");

	if (s[0] == '\0')
		s = bench_card_option(c, "fsync");
	text(strcmp(s, "0") == 0 ? "" : s, "never", ret);
}

static void
runtime(const struct bench_card *c, char *ret)
{
	const char *s = bench_card_option(c, "runtime");
	uint64_t ns;

	if (cli_num_duration(s, 0, INT64_MAX, &ns) == 0)
		(void)snprintf(ret, WORD, "%g s", (double)ns / 1e9);
	else
		text(s, "not said", ret);
}

static void
prepared(const struct bench_card *c, char *ret)
{
	text(bench_json_text(json_object_get(c->own, "prepared")), "not said",
	    ret);
}

static bool
warned(const struct bench_card *c, const char *id)
{
	size_t i;

	for (i = 0; i < json_array_size(c->warnings); i++)
		if (strcmp(bench_json_text(json_object_get(
			       json_array_get(c->warnings, i), "id")),
			id) == 0)
			return (true);
	return (false);
}

static void
stored(const struct bench_card *c, char *ret)
{
	text(warned(c, "unwritten")      ? "in part never written"
	     : warned(c, "compressible") ? "compressible"
	     : warned(c, "duplicates")   ? "duplicates"
					 : "",
	    "data", ret);
}

static void
whole(const struct bench_card *c, char *ret)
{
	text(c->complete ? "to the end" : "stopped early", "", ret);
}

static void
failed(const struct bench_card *c, char *ret)
{
	text(c->errors > 0 ? "some failed" : "all done", "", ret);
}

static const struct {
	const char *what;
	void (*say)(const struct bench_card *, char *ret);
} states[] = {
	{ "profile", profile },
	{ "kind of I/O", kind },
	{ "block size", block },
	{ "share of reads", mix },
	{ "engine", engine },
	{ "I/Os in flight", depth },
	{ "I/Os handed over at once", sent },
	{ "I/Os taken back at once", reaped },
	{ "threads", threads },
	{ "direct I/O", direct },
	{ "size of what was measured", span },
	{ "where that begins", offset },
	{ "mode", mode },
	{ "rate", rate },
	{ "O_SYNC", synced },
	{ "fsync", flushed },
	{ "runtime", runtime },
	{ "preconditioning", prepared },
	{ "what is stored there", stored },
	{ "the run", whole },
	{ "I/Os", failed },
};
#define STATES (sizeof states / sizeof *states)
_Static_assert(STATES *(2 * WORD + 40) <= BENCH_DIFFERS,
    "all of them fit into bench_sides.differs");

/* --- its figures ----------------------------------------------------------- */

/* A share of the latencies of both kinds of I/O together.  0: not known. */
static double
quantile(const struct bench_card *c, double share)
{
	const struct bench_card_side *s = c->side;
	double all = s[0].binned + s[1].binned, below = 0;
	unsigned i = 0, k = 0;

	if (s[0].ios <= 0 || s[1].ios <= 0) {
		double v =
		    bench_card_quantile_ns(&s[s[0].ios <= 0], share * 100);

		return (v > 0 ? v : 0);
	}
	/* As everywhere: ten beyond it at least. */
	if (s[0].binned <= 0 || s[1].binned <= 0 || all * (1 - share) < 10)
		return (0);
	while (i < s[0].n_bin || k < s[1].n_bin) {
		const struct bench_card_bin *b;

		if (k == s[1].n_bin ||
		    (i < s[0].n_bin && s[0].bin[i].high <= s[1].bin[k].high))
			b = &s[0].bin[i++];
		else
			b = &s[1].bin[k++];
		below += b->count;
		if (below >= share * all)
			return (b->high);
	}
	return (0);
}

static void
figures(const struct bench_card *c, double ret[BENCH_METRICS])
{
	static const double p[] = { 0.5, 0.99, 0.999 };
	double n = c->side[0].ios + c->side[1].ios, mean, sum = 0;
	unsigned op, i;

	memset(ret, 0, BENCH_METRICS * sizeof *ret);
	for (op = 0; op < BENCH_OPS; op++) {
		const struct bench_card_side *s = &c->side[op];

		ret[BENCH_METRIC_IOPS] += s->iops;
		ret[BENCH_METRIC_BYTES] += s->bw;
		mean = bench_json_number(s->mean);
		if (s->ios > 0 && mean > 0)
			sum += mean * s->ios;
	}
	if (n > 0)
		ret[BENCH_METRIC_MEAN] = sum / n;
	for (i = 0; i < sizeof p / sizeof *p; i++)
		ret[BENCH_METRIC_P50 + i] = quantile(c, p[i]);
}

/* --- the sides ------------------------------------------------------------- */

/* "a (X and Y); b (X and Y); and 3 more": of what does not fit, how many. */
static void
differences(const struct bench_card *a, const struct bench_card *b, char *ret,
    size_t len)
{
	char x[WORD], y[WORD], entry[2 * WORD + 64];
	unsigned i, more = 0;

	ret[0] = '\0';
	for (i = 0; i < STATES; i++) {
		states[i].say(a, x);
		states[i].say(b, y);
		if (strcmp(x, y) == 0)
			continue;
		(void)snprintf(entry, sizeof entry, "%s%s (%s and %s)",
		    ret[0] != '\0' ? "; " : "", states[i].what, x, y);
		if (more > 0 ||
		    strlen(ret) + strlen(entry) + sizeof "; and 99 more" > len)
			more++;
		else
			cli_append(ret, len, "%s", entry);
	}
	if (more > 0)
		cli_append(ret, len, "; and %u more", more);
}

/* What was measured: the drive if it says so, else its name. */
static void
drive(const struct bench_card *c, char *ret, size_t len)
{
	const json_t *d = json_object_get(c->own, "device");
	const char *serial = bench_json_text(json_object_get(d, "serial"));

	(void)snprintf(ret, len, "%.120s %.60s",
	    serial[0] != '\0' ? bench_json_text(json_object_get(d, "model"))
			      : c->target,
	    serial);
}

static int
held_against(struct bench_sides *s, const struct bench_card *first,
    const struct bench_card *c, bool same_side, struct bench_refusal *why)
{
	/* A refusal has room for so much, besides two names and the advice. */
	char text[440], one[200], other[200];

	differences(first, c, text, sizeof text);
	bench_legible(text);
	if (same_side) {
		drive(first, one, sizeof one);
		drive(c, other, sizeof other);
		if (strcmp(one, other) != 0)
			return (bench_refuse(why, EINVAL, BENCH_EXIT_STATES,
			    "%.150s and %.150s are on one side of --vs and of "
			    "different targets: %.100s and %.100s",
			    first->file, c->file, one, other));
	}
	if (text[0] == '\0')
		return (0);
	if (!s->different)
		return (bench_refuse(why, EINVAL, BENCH_EXIT_STATES,
		    "%.100s and %.100s are not one test, they differ in: "
		    "%s; measure again alike, or say --different",
		    first->file, c->file, text));
	if (s->differs[0] == '\0') {
		differences(first, c, s->differs, sizeof s->differs);
		bench_legible(s->differs);
	}
	return (0);
}

static uint64_t
to_count(const char *s)
{
	uint64_t v;

	return (cli_num_size(s, 0, INT64_MAX, &v) == 0 ? v : 0);
}

static void
identify(struct bench_identity *id, const struct bench_card *c)
{
	const json_t *d = json_object_get(c->own, "device");
	double v = bench_json_number(json_object_get(d, "size"));

	(void)snprintf(id->model, sizeof id->model, "%s",
	    bench_json_text(json_object_get(d, "model")));
	(void)snprintf(id->serial, sizeof id->serial, "%s",
	    bench_json_text(json_object_get(d, "serial")));
	(void)snprintf(id->firmware, sizeof id->firmware, "%s",
	    bench_json_text(json_object_get(d, "firmware")));
	bench_legible(id->model);
	bench_legible(id->serial);
	bench_legible(id->firmware);
	id->size = v > 0 && v < 9e18 ? (uint64_t)v : 0;
}

/* What the comparison says of a side, as its first file has it. */
static void
describe(struct bench_sides *s, struct bench_comparison *c, unsigned k,
    const struct bench_card *card)
{
	struct bench_job *j = &s->job[k];
	char word[WORD];
	uint64_t ns;

	bench_job_init(j);
	j->target = NULL;
	depth(card, word);
	j->depth = (unsigned)(to_count(word) & INT32_MAX);
	threads(card, word);
	j->threads = (unsigned)(to_count(word) & INT32_MAX);
	direct(card, word);
	j->buffered = strcmp(word, "0") == 0;
	span(card, word);
	j->shape.span = to_count(word);
	offset(card, word);
	j->shape.offset = to_count(word);
	if (cli_num_duration(
		bench_card_option(card, "runtime"), 0, INT64_MAX, &ns) == 0)
		j->runtime_ns = ns;
	rate(card, word);
	/* Then the verdict is on the latency; not where it is what was found. */
	if (strcmp(word, "none") != 0 && !searched(card))
		j->rate[BENCH_OP_READ] = 1;
	c->job[k] = j;
	(void)snprintf(s->path[k], sizeof s->path[k], "%s", card->target);
	bench_legible(s->path[k]);
	c->path[k] = s->path[k];
	(void)snprintf(c->engine[k], sizeof c->engine[k], "%s", card->engine);
	bench_legible(c->engine[k]);
	identify(&c->identity[k], card);
}

static int
take(struct bench_sides *s, struct bench_comparison *c,
    const struct bench_card *card, unsigned n, struct bench_refusal *why)
{
	unsigned i, k;
	int r = 0;

	for (i = 0; i < n && r == 0; i++) {
		bool b = i >= s->n[0];

		k = b ? i - s->n[0] : i;
		if (k == 0)
			describe(s, c, b, &card[i]);
		figures(&card[i], s->pair[k].value[b]);
		if (!(s->pair[k].value[b][BENCH_METRIC_IOPS] > 0))
			return (bench_sheet_none(why, card[i].file,
			    "has no number of IOPS above 0 (or one that cannot "
			    "be): nothing to compare; measure again"));
		/* Each against the first of its side, and the first ones. */
		if (k > 0)
			r = held_against(
			    s, &card[b ? s->n[0] : 0], &card[i], true, why);
		else if (b)
			r = held_against(s, &card[0], &card[i], false, why);
	}
	return (r);
}

int
bench_sides_open(struct bench_sides *s, struct bench_comparison *c,
    struct bench_refusal *why)
{
	unsigned n = s->n[0] + s->n[1], i, cards = 0;
	struct bench_card *card = calloc(n, sizeof *card);
	struct bench_sheet sh;
	int r = 0;

	s->differs[0] = '\0';
	if (card == NULL)
		r = bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory");
	for (i = 0; i < n && r == 0; i++) {
		json_t *root = NULL;

		r = bench_sheet_read(s->file[i], &root, why);
		s->root[i] = root;
		sh = (struct bench_sheet){ s->file[i], root };
		if (r == 0)
			r = bench_sheet_jobs(&sh, why);
		if (r == 0 &&
		    json_array_size(json_object_get(root, "jobs")) != 1)
			r = bench_sheet_none(why, s->file[i],
			    "has several jobs, and one is compared: measure "
			    "them apart, or run fio with --group_reporting");
		if (r == 0 && !bench_card_init(&card[cards++], &sh, 0, false))
			r = bench_refuse(
			    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory");
	}
	if (r == 0)
		r = take(s, c, card, n, why);
	for (i = 0; i < cards; i++)
		bench_card_fini(&card[i]);
	free(card);
	if (r < 0)
		return (r);
	c->kind = BENCH_COMPARED_FILES;
	c->pair = s->pair;
	c->n_side[0] = s->n[0];
	c->n_side[1] = s->n[1];
	c->n = c->planned = s->n[0] > s->n[1] ? s->n[0] : s->n[1];
	c->file = s->file;
	c->differs = s->differs;
	c->complete = true;
	return (0);
}

void
bench_sides_close(struct bench_sides *s)
{
	unsigned i;

	for (i = 0; i < s->n[0] + s->n[1]; i++)
		json_decref(s->root[i]);
}
