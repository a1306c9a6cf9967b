/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/device.h"

#include <stdbool.h>
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

static bool
has(struct vary_span v, const char *const *word)
{
	for (; *word != NULL; word++) {
		size_t n = strlen(*word), i;

		for (i = 0; i + n <= v.len; i++)
			if (v.b[i] == (*word)[0] &&
			    memcmp(v.b + i, *word, n) == 0)
				return (true);
	}
	return (false);
}

static bool
has_caseless(struct vary_span v, const char *const *word)
{
	for (; *word != NULL; word++) {
		size_t n = strlen(*word), i;

		for (i = 0; i + n <= v.len; i++)
			if ((v.b[i] | 0x20) == ((*word)[0] | 0x20) &&
			    strncasecmp(v.b + i, *word, n) == 0)
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

	if (v.b == NULL || has_caseless(v, bots) || !begins(v, browsers))
		return (LIVE_DEVICE_BOT);
	if (has(v, tablets) || (has(v, android) && !has(v, mobi)))
		return (LIVE_DEVICE_TABLET);
	return (has(v, mobiles) ? LIVE_DEVICE_MOBILE : LIVE_DEVICE_DESKTOP);
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
