/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

enum {
	MAX_SHARES = 2048 /* more are put together by their size */
};

struct table {
	unsigned weight, count;
};

/*
 * User-Agent, language and device class: npm package user-agents 2.1.198
 * (Intoli, BSD-2-Clause), parts per ten million; rare ones of similar weight are
 * put together.  952 User-Agents, 48.1 effective; 39 languages, 1.77; 2.02.
 */
/* clang-format off */
static const struct table user_agent[] = {
	{ 2336586, 1 }, { 1590873, 1 }, { 417697, 1 }, { 360973, 1 },
	{ 197083, 1 }, { 165738, 1 }, { 164393, 1 }, { 151634, 1 },
	{ 141593, 1 }, { 130551, 1 }, { 130013, 1 }, { 129368, 1 },
	{ 124493, 1 }, { 117747, 1 }, { 117130, 1 }, { 117083, 1 },
	{ 111755, 1 }, { 108836, 1 }, { 107893, 1 }, { 107700, 1 },
	{ 105514, 1 }, { 102649, 1 }, { 99922, 1 }, { 89243, 1 },
	{ 87564, 1 }, { 87514, 1 }, { 84119, 1 }, { 80374, 1 },
	{ 77461, 1 }, { 65958, 1 }, { 59971, 1 }, { 59426, 1 },
	{ 58796, 1 }, { 55539, 1 }, { 49218, 1 }, { 44034, 1 },
	{ 41430, 1 }, { 40294, 1 }, { 39869, 1 }, { 39697, 1 },
	{ 38795, 1 }, { 38526, 1 }, { 35294, 1 }, { 35099, 1 },
	{ 33694, 1 }, { 32763, 1 }, { 30983, 1 }, { 29155, 1 },
	{ 25692, 4 }, { 17939, 4 }, { 15674, 4 }, { 13674, 5 },
	{ 10663, 5 }, { 9091, 5 }, { 8283, 6 }, { 7055, 6 },
	{ 5930, 7 }, { 4979, 7 }, { 3981, 8 }, { 3344, 9 },
	{ 2906, 10 }, { 2552, 10 }, { 2308, 11 }, { 2067, 12 },
	{ 1871, 13 }, { 1757, 14 }, { 1654, 15 }, { 1546, 17 },
	{ 1436, 18 }, { 1362, 20 }, { 1311, 21 }, { 1265, 23 },
	{ 1202, 25 }, { 1150, 27 }, { 1114, 29 }, { 1075, 31 },
	{ 1030, 34 }, { 997, 37 }, { 959, 40 }, { 914, 43 },
	{ 877, 46 }, { 848, 50 }, { 821, 54 }, { 789, 59 },
	{ 761, 63 }, { 732, 68 }, { 705, 44 }, { 0, 0 },
};
static const struct table language[] = {
	{ 8857895, 1 }, { 567316, 1 }, { 199075, 1 }, { 88742, 1 },
	{ 53532, 1 }, { 36961, 1 }, { 31231, 1 }, { 25391, 1 },
	{ 24230, 1 }, { 17733, 1 }, { 14790, 1 }, { 13529, 1 },
	{ 11020, 1 }, { 10543, 1 }, { 10290, 1 }, { 5324, 1 },
	{ 4332, 1 }, { 2902, 1 }, { 2858, 1 }, { 1946, 1 },
	{ 1511, 4 }, { 1267, 4 }, { 996, 4 }, { 769, 5 },
	{ 708, 2 }, { 0, 0 },
};
static const struct table device[] = {
	{ 5600486, 1 }, { 4374541, 1 }, { 24972, 1 }, { 0, 0 },
};
/* Of 5,000 samples of header-generator: three values; five of Accept. */
static const struct table coding[] = {
	{ 9500000, 1 }, { 400000, 1 }, { 100000, 1 }, { 0, 0 },
};
static const struct table accept_types[] = {
	{ 6500000, 1 }, { 2000000, 1 }, { 900000, 1 }, { 400000, 1 },
	{ 200000, 1 }, { 0, 0 },
};
/* Assumptions from here on, and meant to be replaced by --population. */
static const struct table everybody[] = {	/* each visitor has his own */
	{ 1000, 10000 }, { 0, 0 },
};
static const struct table referrer[] = {	/* none, or one of 2,000 pages */
	{ 4000000, 1 }, { 3000, 2000 }, { 0, 0 },
};
static const struct table origin[] = {		/* none, or one of 20 */
	{ 9600000, 1 }, { 20000, 20 }, { 0, 0 },
};
static const struct table scheme[] = {
	{ 9700000, 1 }, { 300000, 1 }, { 0, 0 },
};
static const struct table brands[] = {		/* 62 values of Sec-CH-UA */
	{ 3000000, 1 }, { 1500000, 2 }, { 500000, 4 }, { 36363, 55 }, { 0, 0 },
};
static const struct table rare[] = {
	{ 9000000, 1 }, { 1000000, 1 }, { 0, 0 },
};
static const struct table never[] = {		/* in answers to GET */
	{ 10000000, 1 }, { 0, 0 },
};
static const struct table logged_in[] = {	/* one in twenty */
	{ 9500000, 1 }, { 500, 1000 }, { 0, 0 },
};
/* clang-format on */

static const struct {
	const char *name;
	const struct table *raw, *normalised;
} known[] = {
	{ "user-agent", user_agent, device },
	{ "accept-language", language, language },
	{ "accept-encoding", coding, coding }, { "accept", accept_types, rare },
	{ "cookie", everybody, logged_in }, { "referer", referrer, rare },
	{ "x-forwarded-for", everybody, rare },
	{ "x-real-ip", everybody, rare },
	{ "authorization", logged_in, logged_in }, { "origin", origin, rare },
	{ "x-forwarded-proto", scheme, scheme },
	{ "access-control-request-method", never, never },
	{ "access-control-request-headers", never, never },
	{ "x-forwarded-ssl", scheme, scheme }, { "sec-ch-ua", brands, rare },
	{ "", rare, rare }, /* of anything else */
};

enum {
	NKNOWN = sizeof known / sizeof *known
};

static const struct probe_population *
build(const char *name, int normal)
{
	/* Built on first use; the result never changes after it. */
	static struct probe_population done[2][NKNOWN];
	static struct probe_share shares[2][NKNOWN][128];
	struct probe_population *p;
	const struct table *t;
	double sum = 0;
	size_t i, n;

	for (i = 0; i + 1 < NKNOWN; i++)
		if (strcasecmp(known[i].name, name) == 0)
			break;
	p = &done[normal][i];
	if (p->n > 0)
		return (p);
	t = normal ? known[i].normalised : known[i].raw;
	for (n = 0; t[n].count > 0; n++)
		sum += (double)t[n].weight * t[n].count;
	for (n = 0; t[n].count > 0; n++) {
		shares[normal][i][n].p = t[n].weight / sum;
		shares[normal][i][n].count = t[n].count;
	}
	p->name = known[i].name;
	p->shares = shares[normal][i];
	p->n = n;
	return (p);
}

const struct probe_population *
probe_population_builtin(const char *name)
{
	return (build(name, 0));
}

const struct probe_population *
probe_population_normalised(const char *name)
{
	return (build(name, 1));
}

static int
larger_first(const void *a, const void *b)
{
	const struct probe_share *x = a, *y = b;

	return (x->p > y->p ? -1 : x->p < y->p);
}

/* Put the smallest together until they are few; mass and number stay. */
static size_t
compress(struct probe_share *s, size_t n)
{
	size_t i, k = 0, step;

	if (n == 0)
		return (0);
	qsort(s, n, sizeof *s, larger_first);
	for (i = 1, k = 0; i < n; i++)
		if (s[i].p == s[k].p)
			s[k].count += s[i].count;
		else
			s[++k] = s[i];
	n = k + 1;
	if (n <= MAX_SHARES)
		return (n);
	/* The large ones decide: half of the room is theirs. */
	k = MAX_SHARES / 2;
	step = (n - k + MAX_SHARES / 2 - 1) / (MAX_SHARES / 2);
	for (i = k; i < n; i += step) {
		double mass = 0, count = 0;
		size_t j;

		for (j = i; j < i + step && j < n; j++) {
			mass += s[j].p * s[j].count;
			count += s[j].count;
		}
		s[k].p = mass / count;
		s[k++].count = count;
	}
	return (k);
}

static int
number(const char *b, size_t len, double *ret)
{
	double v = 0, f = 1;
	size_t i = 0;

	if (len == 0)
		return (0);
	for (; i < len && b[i] >= '0' && b[i] <= '9'; i++)
		v = v * 10 + (b[i] - '0');
	if (i > 0 && i < len && b[i] == '.')
		for (i++; i < len && b[i] >= '0' && b[i] <= '9'; i++)
			v += (b[i] - '0') * (f /= 10);
	if (i < len)
		return (0);
	*ret = v;
	return (1);
}

apr_status_t
probe_population_read(struct probe_population *ret, const char *name,
    const char *text, size_t len, apr_pool_t *pool)
{
	const char *p = text, *e = text + len, *nl, *tab, *end;
	struct probe_share *s;
	size_t lines = 1, n = 0, i;
	double w, sum = 0;

	for (i = 0; i < len; i++)
		lines += text[i] == '\n';
	s = apr_palloc(pool, lines * sizeof *s);
	for (; p < e; p = nl < e ? nl + 1 : e) {
		nl = memchr(p, '\n', (size_t)(e - p));
		if (nl == NULL)
			nl = e;
		end = nl;
		if (end > p && end[-1] == '\r')
			end--;
		if (p == end || *p == '#')
			continue;
		w = 1;
		for (tab = end; tab > p && tab[-1] != '\t'; tab--)
			continue;
		if (tab == p || !number(tab, (size_t)(end - tab), &w)) {
			tab = memchr(p, '\t', (size_t)(end - p));
			if (tab != NULL)
				(void)number(p, (size_t)(tab - p), &w);
		}
		if (w <= 0 || !isfinite(w))
			continue;
		s[n].p = w;
		s[n++].count = 1;
		sum += w;
	}
	if (n == 0 || !(sum > 0) || !isfinite(sum))
		return (APR_EINVAL);
	for (i = 0; i < n; i++)
		s[i].p /= sum;
	ret->name = apr_pstrdup(pool, name);
	ret->shares = s;
	ret->n = compress(s, n);
	return (APR_SUCCESS);
}

void
probe_population_multiply(struct probe_population *ret,
    const struct probe_population *a, const struct probe_population *b,
    apr_pool_t *pool)
{
	struct probe_share *s;
	size_t i, j, n = 0;

	/* malloc would do as well, and a pool's memory is never too much: the
	 * factors have MAX_SHARES each, and one of them few. */
	s = apr_palloc(pool, a->n * b->n * sizeof *s);
	for (i = 0; i < a->n; i++)
		for (j = 0; j < b->n; j++) {
			s[n].p = a->shares[i].p * b->shares[j].p;
			s[n++].count = a->shares[i].count * b->shares[j].count;
		}
	ret->name = "";
	ret->n = compress(s, n);
	ret->shares = s;
}

double
probe_population_effective(const struct probe_population *p)
{
	double h = 0;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->shares[i].p > 0)
			h -= p->shares[i].count * p->shares[i].p *
			     log2(p->shares[i].p);
	return (exp2(h));
}

double
probe_population_hits(const struct probe_population *p, double n)
{
	double sum = 0, x;
	size_t i;

	for (i = 0; i < p->n; i++) {
		x = n * p->shares[i].p;
		sum += p->shares[i].count * p->shares[i].p * x / (1 + x);
	}
	return (sum);
}
