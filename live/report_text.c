/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A page of lines that are cut at the screen's edges. */
struct page {
	FILE *f;
	unsigned line, lines, columns;
	bool colour;
};

static void put(struct page *, const char *, ...)
    __attribute__((__format__(__printf__, 2, 3)));

/*
 * One line.  What comes from the log may hold anything: a terminal gets
 * printable bytes alone.
 */
static void
put(struct page *p, const char *fmt, ...)
{
	char b[1024];
	va_list ap;
	size_t i;

	if (p->lines > 0 && p->line >= p->lines)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(b, sizeof b, fmt, ap);
	va_end(ap);
	for (i = 0; b[i] != '\0'; i++) {
		unsigned char c = (unsigned char)b[i];

		if (c < 0x20 || c == 0x7f)
			b[i] = '?';
	}
	if (p->columns > 0 && i > p->columns)
		b[p->columns] = '\0';
	(void)fprintf(p->f, "%s\n", b);
	p->line++;
}

/* "1,234,567", in one of a few buffers: so many in one line. */
static const char *
thousands(double v)
{
	static _Thread_local char buf[8][32];
	static _Thread_local unsigned n;
	char digits[32], *out = buf[n++ % 8];
	size_t len, i, o = 0;

	(void)snprintf(digits, sizeof digits, "%.0f", v);
	len = strlen(digits);
	for (i = 0; i < len && o + 2 < sizeof buf[0]; i++) {
		if (i > 0 && (len - i) % 3 == 0 && digits[i - 1] != '-')
			out[o++] = ',';
		out[o++] = digits[i];
	}
	out[o] = '\0';
	return (out);
}

static double
percent(double part, double whole)
{
	return (whole > 0 ? 100 * part / whole : 0);
}

static void
head(struct page *p, const struct live_report *r)
{
	const struct live_traffic *t = r->traffic;
	uint64_t lookups = live_report_lookups(t->by);
	double s = t->last_us > t->first_us
		       ? (double)(t->last_us - t->first_us) / 1e6
		       : 0;

	put(p, "%s requests in %.1f s, %s a second",
	    thousands((double)t->requests), s,
	    thousands(s > 0 ? (double)t->requests / s : 0));
	put(p,
	    "hit %s (%.2f %% of lookups)  miss %s  hit-for-miss %s  "
	    "hit-for-pass %s  pass %s  synth %s",
	    thousands((double)t->by[LIVE_HIT]),
	    percent((double)t->by[LIVE_HIT], (double)lookups),
	    thousands((double)t->by[LIVE_MISS]),
	    thousands((double)t->by[LIVE_HITMISS]),
	    thousands((double)t->by[LIVE_HITPASS]),
	    thousands((double)t->by[LIVE_PASS]),
	    thousands((double)t->by[LIVE_SYNTH]));
	if (r->source->unread > 0)
		put(p, "%s lines could not be read",
		    thousands((double)r->source->unread));
	if (!r->source->complete)
		put(p, "INCOMPLETE: %s", r->source->damage);
}

static void
replay(struct page *p, const struct live_report *r)
{
	struct live_replay_result x;
	const struct live_traffic *t = r->traffic;
	unsigned i;

	live_replay_result(t->replay, &x);
	put(p, "%s", "");
	if (x.lookups <= 0) {
		put(p, "replay: no lookup with a known Vary was seen yet");
		return;
	}
	if (x.observed > 0)
		put(p,
		    "replay: %s lookups; hit ratio observed %.2f %%, replayed "
		    "%.2f %%: error %+.2f points",
		    thousands(x.observed), percent(x.observed_hits, x.observed),
		    percent(x.replayed_hits, x.observed),
		    percent(x.replayed_hits - x.observed_hits, x.observed));
	else
		put(p,
		    "replay: %s lookups; the log does not tell hits from "
		    "misses: hit ratio by the model %.2f %%, unchecked",
		    thousands(x.lookups),
		    percent(x.scenario[0].hits, x.lookups));
	if (x.assumed > 0)
		put(p,
		    "        %s hits are on objects older than the log, and "
		    "taken as given",
		    thousands(x.assumed));
	if (x.sample < 1)
		put(p, "        estimated from %.4g %% of the URLs (--memory)",
		    100 * x.sample);
	put(p, "%s", "");
	put(p, "%-28s %9s %10s %9s  %s", "HAD THERE BEEN", "HIT RATIO",
	    "HITS WON", "FETCHED", "IS IT SAFE");
	for (i = 0; i < x.scenarios; i++) {
		const struct live_scenario *c = &x.scenario[i];
		char what[80];
		const char *safe = "";

		switch (c->kind) {
		case LIVE_AS_IT_WAS:
			(void)snprintf(what, sizeof what, "what there was");
			break;
		case LIVE_AS_DECLARED:
			(void)snprintf(
			    what, sizeof what, "Vary as the origin sent it");
			break;
		case LIVE_NO_VARY:
			(void)snprintf(what, sizeof what, "no Vary at all");
			safe = "only a bound";
			break;
		case LIVE_POLICY:
			(void)snprintf(
			    what, sizeof what, "the policy of --policy");
			break;
		case LIVE_DROPPED:
			(void)snprintf(what, sizeof what, "no %s",
			    live_members_get(t->members, c->member)->name);
			safe = live_verdict_word(
			    live_member_verdict(t, r->audit, c->member));
			break;
		case LIVE_NORMALISED:
		default:
			(void)snprintf(what, sizeof what, "%s: %s",
			    live_members_get(t->members, c->member)->name,
			    live_rule_text(
				&live_members_get(t->members, c->member)
				     ->rule));
			break;
		}
		put(p, "%-28s %7.2f %% %10s %8.1fM  %s", what,
		    percent(c->hits, x.lookups),
		    thousands(c->hits - x.scenario[0].hits), c->fetched / 1e6,
		    safe);
	}
	if (r->audit == NULL)
		put(p,
		    "That a member may go, only its origin can say: varyprobe "
		    "audit, then --audit RESULT.json.");
}

static void
group(struct page *p, const struct live_report *r, const struct live_group *g)
{
	const struct live_traffic *t = r->traffic;
	uint64_t lookups = live_report_lookups(g->by), urls, variants;
	char name[512], line[600];
	const char *backend = live_groups_backend_name(t->groups, g->backend);
	size_t at = 0;
	unsigned i;

	live_groups_name(t->groups, g, name, sizeof name);
	urls = live_sketch_count(&g->urls);
	variants = live_sketch_count(&g->variants);
	put(p, "%10s %7.2f %8s %6s %6s %8.1f  %s%s%s%s",
	    thousands((double)g->requests),
	    percent((double)g->by[LIVE_HIT], (double)lookups),
	    thousands(live_report_lost(g)),
	    thousands((double)(g->by[LIVE_HITMISS] + g->by[LIVE_HITPASS])),
	    thousands((double)g->by[LIVE_PASS]),
	    urls > 0 ? (double)variants / (double)urls : 0, name,
	    *backend != '\0' ? "  [" : "", backend,
	    *backend != '\0' ? "]" : "");
	for (i = 0; i < LIVE_GROUP_VARIES && g->vary[i].n > 0; i++)
		put(p, "%12s Vary: %s  (%s)", "", g->vary[i].text,
		    thousands((double)g->vary[i].n));
	for (i = 0; i < LIVE_MEMBERS_MAX; i++) {
		const struct live_group_member *m = g->member[i];
		int n;

		if (m == NULL || m->declared == 0)
			continue;
		n = snprintf(line + at, sizeof line - at, "%s%s %s%s%s",
		    at > 0 ? ", " : "", live_members_get(t->members, i)->name,
		    live_sketch_is_exact(&m->values) ? "" : "~",
		    thousands((double)live_sketch_count(&m->values)),
		    m->won_dropped >= 1 ? " values" : "");
		if (n < 0 || (size_t)n >= sizeof line - at)
			break;
		at += (size_t)n;
	}
	if (at > 0)
		put(p, "%12s different values: %s", "", line);
}

static void
finding(
    struct page *p, const struct live_report *r, const struct live_finding *f)
{
	static const char *const colour[] = { "\033[36m", "\033[33m",
		"\033[31m" };
	char name[512];

	live_groups_name(r->traffic->groups, f->group, name, sizeof name);
	/* The colour is ours, and so goes around put()'s own cleaning. */
	if (p->colour && (p->lines == 0 || p->line < p->lines))
		(void)fputs(colour[f->level], p->f);
	put(p, "%s: %s: %s%s%s", live_level_word(f->level), f->rule, name,
	    f->members[0] != '\0' ? ": " : "", f->members);
	if (p->colour)
		(void)fputs("\033[0m", p->f);
	put(p, "    %s; seen %s times%s%s", f->message,
	    thousands((double)f->count),
	    f->example[0] != '\0' ? ", first on " : "", f->example);
	put(p, "    %s", f->fix);
}

int
live_report_text(const struct live_report *r, FILE *out)
{
	struct page p = { out, 0, r->lines, r->columns, r->colour };
	const struct live_group **g;
	unsigned n, i;
	int e;

	e = live_report_groups(r, &g, &n);
	if (e < 0)
		return (e);
	head(&p, r);
	if (r->traffic->requests > 0)
		replay(&p, r);
	if (n > 0) {
		put(&p, "%s", "");
		put(&p, "%10s %7s %8s %6s %6s %8s  %s", "REQUESTS", "HIT %",
		    "LOST", "HFM/P", "PASS", "VARIANTS", "GROUP");
	}
	for (i = 0; i < n && i < r->top; i++)
		group(&p, r, g[i]);
	if (n > r->top)
		put(&p, "%10s more groups (--top)", thousands(n - r->top));
	free(g);
	if (r->findings->n > 0)
		put(&p, "%s", "");
	for (i = 0; i < r->findings->n && i < r->top; i++)
		finding(&p, r, &r->findings->f[i]);
	if (r->findings->n > r->top)
		put(&p, "%s more findings (--top)",
		    thousands((double)(r->findings->n - r->top)));
	return (fflush(out) != 0 || ferror(out) ? -EIO : 0);
}
