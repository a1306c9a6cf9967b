/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static const char *const bots[] = { "bot", "crawl", "spider", "slurp", "craper",
	"scan", "fetch", "monitor", "preview", "watch", "verif", "optimi",
	"inspect", "synthetic", "agent", "headless", "lighthouse", "electron",
	"python", "playwright", "selenium", "nikto", "ptst", "pingdom",
	"imageproxy", "favicon", "metrix", "google-", "-google",
	"securityheaders", "insights", "hotjar", "http:", "https:", "www.",
	NULL };
static const char *const browsers[] = { "Mozilla/5.0 (",
	"Mozilla/4.0 (compatible; MSIE", "Opera/", NULL };
static const char *const tablets[] = { "iPad", "Tablet", "Kindle", "Silk/",
	"PlayBook", NULL };
static const char *const mobiles[] = { "Mobi", "iPhone", "iPod", "Android",
	"Opera Mini", "BlackBerry", NULL };

/*
 * Which pairs of letters, in any case, stand next to each other: a word whose first
 * pair does not is not there, and hardly any is.
 */
struct pairs {
	uint64_t bit[16];
};

static unsigned
pair(const char *b)
{
	return (((unsigned)b[0] & 31) << 5 | ((unsigned)b[1] & 31));
}

static void
pairs_of(struct vary_span v, struct pairs *ret)
{
	size_t i;

	memset(ret, 0, sizeof *ret);
	for (i = 0; i + 1 < v.len; i++) {
		unsigned n = pair(v.b + i);

		ret->bit[n / 64] |= UINT64_C(1) << n % 64;
	}
}

static bool
has(struct vary_span v, const struct pairs *p, const char *const *word,
    bool caseless)
{
	for (; *word != NULL; word++) {
		size_t n = strlen(*word), i;
		unsigned first = pair(*word);

		if (!(p->bit[first / 64] >> first % 64 & 1))
			continue;
		for (i = 0; i + n <= v.len; i++)
			if (pair(v.b + i) == first &&
			    (caseless ? strncasecmp(v.b + i, *word, n) == 0
				      : memcmp(v.b + i, *word, n) == 0))
				return (true);
	}
	return (false);
}

static bool
begins(struct vary_span v, const char *const *word)
{
	for (; *word != NULL; word++)
		if (v.len >= strlen(*word) &&
		    memcmp(v.b, *word, strlen(*word)) == 0)
			return (true);
	return (false);
}

enum live_device
live_device_of(struct vary_span v)
{
	static const char *const mobi[] = { "Mobi", NULL };
	static const char *const android[] = { "Android", NULL };

	struct pairs p;

	if (v.b == NULL || !begins(v, browsers))
		return (LIVE_DEVICE_BOT);
	pairs_of(v, &p);
	if (has(v, &p, bots, true))
		return (LIVE_DEVICE_BOT);
	if (has(v, &p, tablets, false) ||
	    (has(v, &p, android, false) && !has(v, &p, mobi, false)))
		return (LIVE_DEVICE_TABLET);
	return (has(v, &p, mobiles, false) ? LIVE_DEVICE_MOBILE
					   : LIVE_DEVICE_DESKTOP);
}

const char *
live_device_name(enum live_device d)
{
	switch (d) {
	case LIVE_DEVICE_MOBILE: return ("mobile");
	case LIVE_DEVICE_TABLET: return ("tablet");
	case LIVE_DEVICE_BOT: return ("bot");
	case LIVE_DEVICE_DESKTOP:
	default: return ("desktop");
	}
}
