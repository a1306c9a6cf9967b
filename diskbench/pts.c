/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/pts.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diskbench/levels.h"

#define SECOND   UINT64_C(1000000000)
#define MINUTE   (60 * SECOND)
#define CELL_MIN (SECOND / 10)
/* Threads and buffers have to be made for each cell. */
#define CELL_SETUP (SECOND / 20)
#define KIB        UINT32_C(1024)
/* A budget is planned for so many rounds: seven are what steady drives take,
 * and a few more for those that are not. */
#define ROUNDS_WANTED 10
#define WSAT_LEAST    12

const char *const bench_pts_names[BENCH_PTS_TESTS] = { "precondition", "iops",
	"throughput", "latency", "wsat" };

static void left_out(struct bench_pts *, const char *, ...) CLI_PRINTF(2, 3);

static void
left_out(struct bench_pts *p, const char *fmt, ...)
{
	va_list ap;

	assert(p->n_left_out < BENCH_PTS_LEFT_OUT);
	va_start(ap, fmt);
	(void)vsnprintf(
	    p->left_out[p->n_left_out++], sizeof p->left_out[0], fmt, ap);
	va_end(ap);
}

/* Mixes times sizes, in the order of PTS: it matters, as each leaves the drive
 * in a state for the next. */
static void
grid(struct bench_pts *p, const unsigned *percent, unsigned n_percent,
    const uint32_t *bytes, unsigned n_bytes, uint32_t align)
{
	unsigned i, k;
	bool odd = false;

	for (i = 0; i < n_percent; i++)
		for (k = 0; k < n_bytes; k++) {
			if (bytes[k] % align != 0 || bytes[k] > p->span) {
				odd = true;
				continue;
			}
			p->cell[p->cells].read_percent = percent[i];
			p->cell[p->cells].bytes = bytes[k];
			/* The last one of 4 KiB is the one of writes alone. */
			if (bytes[k] == 4 * KIB || n_bytes == 1)
				p->tracked = p->cells;
			p->cells++;
		}
	if (odd)
		left_out(p,
		    "sizes that are no multiples of the drive's %u bytes, or "
		    "larger than what is measured",
		    (unsigned)align);
}

static void
cells(struct bench_pts *p, uint32_t align)
{
	static const unsigned seven[] = { 100, 95, 65, 50, 35, 5, 0 };
	static const unsigned three[] = { 100, 65, 0 };
	static const unsigned two[] = { 100, 0 };
	static const unsigned one[] = { 0 };
	static const uint32_t eight[] = { 1024 * KIB, 128 * KIB, 64 * KIB,
		32 * KIB, 16 * KIB, 8 * KIB, 4 * KIB, KIB / 2 };
	static const uint32_t big_small[] = { 128 * KIB, 4 * KIB };
	static const uint32_t small[] = { 8 * KIB, 4 * KIB, KIB / 2 };
	static const uint32_t page[] = { 4 * KIB };
	uint32_t run = p->wish.bytes > 0 ? p->wish.bytes : 1024 * KIB;

	p->random = true;
	switch (p->wish.test) {
	case BENCH_PTS_IOPS:
		if (p->wish.quick) {
			left_out(p,
			    "mixes 95/5, 50/50, 35/65 and 5/95, and sizes "
			    "other "
			    "than 128 and 4 KiB: 6 of 56 cells are measured");
			grid(p, three, 3, big_small, 2, align);
		} else
			grid(p, seven, 7, eight, 8, align);
		break;
	case BENCH_PTS_THROUGHPUT:
		p->random = false;
		grid(p, two, 2, &run, 1, align);
		break;
	case BENCH_PTS_LATENCY:
		p->by_latency = true;
		if (p->wish.quick) {
			left_out(p, "sizes 8 and 0.5 KiB: 3 of 9 cells are "
				    "measured");
			grid(p, three, 3, page, 1, align);
		} else
			grid(p, three, 3, small, 3, align);
		break;
	case BENCH_PTS_WSAT: grid(p, one, 1, page, 1, align); break;
	default: break;
	}
}

/* How long, how often, by the book. */
static void
times(struct bench_pts *p)
{
	const struct bench_pts_wish *w = &p->wish;
	bool wsat = w->test == BENCH_PTS_WSAT;

	p->rounds_max = wsat ? BENCH_PTS_ROUNDS : BENCH_STEADY_ROUNDS;
	p->runtime_ns = w->quick ? 5 * SECOND : MINUTE;
	if (w->rounds > 0)
		p->rounds_max = w->rounds;
	if (w->runtime_ns > 0)
		p->runtime_ns = w->runtime_ns;
	if (p->rounds_max > BENCH_PTS_ROUNDS / (p->cells > 0 ? p->cells : 1))
		p->rounds_max =
		    BENCH_PTS_ROUNDS / (p->cells > 0 ? p->cells : 1);
	if (p->cells == 0)
		p->rounds_max = 0;
	if (p->cells > 0 && p->runtime_ns < MINUTE)
		left_out(p, "of each cell %.3g of 60 s",
		    (double)p->runtime_ns / 1e9);
	if (p->cells > 0 && !wsat && p->rounds_max < BENCH_STEADY_ROUNDS)
		left_out(p, "rounds after the %uth (PTS: %d)", p->rounds_max,
		    BENCH_STEADY_ROUNDS);
	/* WSAT begins with an empty drive: that is what it shows. */
	if (!wsat && w->prepared == NULL)
		p->fill.wanted = (w->quick ? 1 : 2) * p->span;
	if (!wsat && w->quick && w->prepared == NULL)
		left_out(p, "the second pass of the preconditioning");
	if (wsat && w->quick)
		left_out(p, "what comes after the first steady state (PTS: "
			    "until four times the capacity was written)");
}

/* What of it the budget has time for. */
static int
fit(struct bench_pts *p, uint64_t *ret_least)
{
	uint64_t rest = p->wish.budget_ns, asked = p->runtime_ns, each;
	uint64_t round, least, wanted = ROUNDS_WANTED;
	unsigned rounds = p->rounds_max;

	if (p->fill.wanted > 0)
		p->fill.limit_ns = p->cells > 0 ? rest / 3 : rest;
	rest -= p->fill.limit_ns;
	if (p->cells == 0)
		return (0);
	/* Levels need some rounds on either side. */
	least =
	    p->wish.test == BENCH_PTS_WSAT ? WSAT_LEAST : BENCH_STEADY_WINDOW;
	if (wanted < least)
		wanted = least;
	round = p->cells * (CELL_MIN + CELL_SETUP);
	if (rest < least * round) {
		*ret_least = least * round;
		if (p->fill.wanted > 0)
			*ret_least = *ret_least * 3 / 2;
		*ret_least = (*ret_least / SECOND + 1) * SECOND;
		return (-EINVAL);
	}
	each = rest / (wanted * p->cells);
	if (each < CELL_MIN + CELL_SETUP)
		each = CELL_MIN + CELL_SETUP;
	if (each - CELL_SETUP < p->runtime_ns)
		p->runtime_ns = each - CELL_SETUP;
	round = p->cells * (p->runtime_ns + CELL_SETUP);
	if (rest / round < p->rounds_max)
		p->rounds_max = (unsigned)(rest / round);
	p->shorter = p->runtime_ns < asked || p->rounds_max < rounds;
	return (0);
}

int
bench_pts_plan(struct bench_pts *p, const struct bench_pts_wish *w,
    uint64_t span, uint32_t align, uint64_t *ret_least)
{
	memset(p, 0, sizeof *p);
	p->wish = *w;
	p->span = span;
	cells(p, align > 0 ? align : 1);
	times(p);
	return (w->budget_ns > 0 ? fit(p, ret_least) : 0);
}

struct bench_pts_value *
bench_pts_at(struct bench_pts *p, unsigned round, unsigned cell)
{
	assert(cell < p->cells && round * p->cells + cell < BENCH_PTS_ROUNDS);
	return (&p->value[round * p->cells + cell]);
}

void
bench_pts_tracked(const struct bench_pts *p, double *ret)
{
	unsigned i;

	for (i = 0; i < p->rounds; i++) {
		const struct bench_pts_value *v =
		    &p->value[i * p->cells + p->tracked];

		ret[i] = p->by_latency ? v->mean_ns : v->iops;
	}
}

/* The last window of what there is. */
static bool
steady_now(const struct bench_pts *p)
{
	double y[BENCH_PTS_ROUNDS];
	struct bench_steady s;

	if (p->rounds < BENCH_STEADY_WINDOW)
		return (false);
	bench_pts_tracked(p, y);
	bench_steady_window(&s, y + p->rounds - BENCH_STEADY_WINDOW);
	return (s.reached);
}

bool
bench_pts_more(const struct bench_pts *p)
{
	if (p->rounds >= p->rounds_max || p->interrupted)
		return (false);
	if (p->wish.test != BENCH_PTS_WSAT)
		return (!steady_now(p));
	/* A drive's write cache is steady as well, while it lasts: before the
	 * drive was filled once nothing is known. */
	if (p->wish.quick && p->written >= p->span && steady_now(p))
		return (false);
	return (p->written < 4 * p->span || p->rounds < BENCH_STEADY_WINDOW);
}

void
bench_pts_cell_text(
    const struct bench_pts *p, unsigned cell, char *ret, unsigned ret_len)
{
	const struct bench_pts_cell *c = &p->cell[cell];
	const char *order = p->random ? "random" : "sequential";
	char mix[48];

	if (c->read_percent == 0 || c->read_percent == 100)
		(void)snprintf(mix, sizeof mix, "%s",
		    c->read_percent > 0 ? "reads" : "writes");
	else
		(void)snprintf(mix, sizeof mix, "reads/writes %u/%u",
		    c->read_percent, 100 - c->read_percent);
	(void)snprintf(
	    ret, ret_len, "%g KiB %s %s", (double)c->bytes / 1024, order, mix);
}

/* --- what can be said ----------------------------------------------------- */

/* Values of all cells over the rounds of the window: means, and the worst. */
static void
means(struct bench_pts *p)
{
	unsigned c, i, known;

	for (c = 0; c < p->cells; c++) {
		struct bench_pts_value *m = &p->mean[c];

		memset(m, 0, sizeof *m);
		known = 0;
		for (i = 0; i < BENCH_STEADY_WINDOW; i++) {
			const struct bench_pts_value *v =
			    bench_pts_at(p, p->steady.first + i, c);

			m->iops += v->iops / BENCH_STEADY_WINDOW;
			m->bytes_per_s += v->bytes_per_s / BENCH_STEADY_WINDOW;
			m->mean_ns += v->mean_ns / BENCH_STEADY_WINDOW;
			m->p99_ns += v->p99_ns / BENCH_STEADY_WINDOW;
			known += v->p99_ns > 0;
			if (v->max_ns > m->max_ns)
				m->max_ns = v->max_ns;
		}
		if (known < BENCH_STEADY_WINDOW)
			m->p99_ns = 0;
	}
}

/* Where the rate changes: bytes a second of the filling, or of the rounds of
 * the one cell of WSAT. */
static void
levels(struct bench_pts *p, const double *y, unsigned n)
{
	unsigned at[BENCH_PTS_LEVELS - 1], changes, i, k, to;

	for (i = 0; i < n; i++)
		if (!(y[i] > 0))
			return;
	if (n < 6)
		return;
	changes = bench_levels_find(y, n, 3, at, BENCH_PTS_LEVELS - 1);
	for (i = 0; i <= changes; i++) {
		struct bench_pts_level *l = &p->level[i];

		l->first = i == 0 ? 0 : at[i - 1];
		to = i == changes ? n : at[i];
		l->n = to - l->first;
		l->mean = 0;
		for (k = l->first; k < to; k++)
			l->mean += y[k] / l->n;
	}
	p->n_level = changes + 1;
	p->sustained = p->level[changes].mean;
	/* What is not faster is no burst. */
	if (p->level[0].mean > 1.1 * p->sustained)
		p->burst = p->level[0].mean;
}

static void
find_levels(struct bench_pts *p)
{
	double y[BENCH_PTS_ROUNDS];
	unsigned i;

	if (p->wish.test != BENCH_PTS_WSAT) {
		levels(p, p->fill.trace, p->fill.n);
		return;
	}
	for (i = 0; i < p->rounds; i++)
		y[i] = bench_pts_at(p, i, 0)->bytes_per_s;
	levels(p, y, p->rounds);
}

static void
say_burst(struct bench_pts *p)
{
	const char *what =
	    p->wish.test == BENCH_PTS_WSAT ? "Writing" : "Filling";
	char *s = p->sentence;

	if (p->n_level == 0)
		return;
	if (p->burst > 0)
		cli_append(s, sizeof p->sentence,
		    " %s began with %.1f MB/s (burst) and ended with %.1f MB/s "
		    "(sustained), at %u levels.",
		    what, p->burst / 1e6, p->sustained / 1e6, p->n_level);
	else if (p->n_level == 1)
		cli_append(s, sizeof p->sentence,
		    " %s held %.1f MB/s all the time: no burst is seen.", what,
		    p->sustained / 1e6);
	else
		cli_append(s, sizeof p->sentence,
		    " %s went through %u levels and ended with %.1f MB/s; it "
		    "did not begin with a burst.",
		    what, p->n_level, p->sustained / 1e6);
}

static void
say_steady(struct bench_pts *p)
{
	const struct bench_steady *s = &p->steady;
	char what[64], unit[8] = "";
	double scale = 1;

	bench_pts_cell_text(p, p->tracked, what, sizeof what);
	if (p->by_latency) {
		scale = 1e-3;
		(void)snprintf(unit, sizeof unit, " us");
	} else
		(void)snprintf(unit, sizeof unit, " IOPS");
	cli_append(p->sentence, sizeof p->sentence,
	    "%s rounds %u to %u of %u: %s %.*f%s on average, range %.1f %% "
	    "(at most %d), slope %.1f %% (at most %d).",
	    s->reached ? "Steady state in"
		       : "Steady state was not reached; the last window,",
	    s->first + 1, s->first + BENCH_STEADY_WINDOW, p->rounds, what,
	    p->by_latency ? 1 : 0, s->average * scale, unit, s->range_percent,
	    BENCH_STEADY_RANGE_PERCENT, s->slope_percent,
	    BENCH_STEADY_SLOPE_PERCENT);
	if (!s->reached)
		cli_append(p->sentence, sizeof p->sentence,
		    " These figures are of a drive on its way, not of what it "
		    "keeps up.");
}

static void
say_certainty(struct bench_pts *p)
{
	char *s = p->certainty;
	size_t n = sizeof p->certainty;
	double passes =
	    p->span > 0 ? (double)p->fill.written / (double)p->span : 0;

	if (p->cells > 0)
		cli_append(s, n,
		    "%u rounds of %u cell%s of %.3g s each (PTS: 60 s)%s",
		    p->rounds, p->cells, p->cells == 1 ? "" : "s",
		    (double)p->runtime_ns / 1e9,
		    p->shorter ? ", shortened to fit the time budget" : "");
	if (p->fill.wanted > 0)
		cli_append(s, n,
		    "%s%.2f times the capacity written before (PTS: 2)",
		    s[0] != '\0' ? "; " : "", passes);
	if (p->shorter || p->fill.written < p->fill.wanted || p->n_left_out > 0)
		cli_append(s, n,
		    ": a drive with a cache or a reserve larger than what was "
		    "written can look steady before it is");
	if (p->wish.purge == NULL && !p->discarded)
		cli_append(s, n,
		    "; it was not said how the drive was purged, so what it "
		    "held before is in the result");
}

void
bench_pts_decide(struct bench_pts *p)
{
	double y[BENCH_PTS_ROUNDS];
	bool wsat = p->wish.test == BENCH_PTS_WSAT;

	p->sentence[0] = p->certainty[0] = '\0';
	p->n_level = 0;
	p->burst = p->sustained = 0;
	bench_pts_tracked(p, y);
	if (wsat) {
		/* What the drive came to, not what it passed through. */
		p->known = p->rounds >= BENCH_STEADY_WINDOW;
		if (p->known) {
			unsigned first = p->rounds - BENCH_STEADY_WINDOW;

			bench_steady_window(&p->steady, y + first);
			p->steady.first = first;
		}
	} else
		p->known = bench_steady_find(&p->steady, y, p->rounds);
	if (p->known)
		means(p);
	find_levels(p);
	if (p->wish.test == BENCH_PTS_PRECONDITION) {
		bool all = p->fill.written >= p->fill.wanted;

		p->verdict = all ? "preconditioned" : "partial";
		cli_append(p->sentence, sizeof p->sentence,
		    "%s: %.3f GB were written in a row, %.2f times the %.3f GB "
		    "of capacity%s.",
		    all ? "Preconditioned" : "Only in part",
		    (double)p->fill.written / 1e9,
		    p->span > 0 ? (double)p->fill.written / (double)p->span : 0,
		    (double)p->span / 1e9,
		    all ? "" : "; the rest is as it was before");
	} else if (!p->known) {
		p->verdict = "too few rounds";
		cli_append(p->sentence, sizeof p->sentence,
		    "Too few rounds: %u, and steady state takes %d at least.",
		    p->rounds, BENCH_STEADY_WINDOW);
	} else {
		p->verdict = p->steady.reached ? "steady" : "not steady";
		say_steady(p);
	}
	say_burst(p);
	say_certainty(p);
}
