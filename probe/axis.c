/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/axis.h"

#include <string.h>
#include <strings.h>

#define LIST(...)                                                              \
	(const char *const[])                                                  \
	{                                                                      \
		__VA_ARGS__, NULL                                              \
	}

enum {
	MAIN = PROBE_AXIS_MAIN,
	GROUP = PROBE_AXIS_GROUP,
	HOP = PROBE_AXIS_HOP,
	MANY = PROBE_AXIS_MANY,
	EACH = PROBE_AXIS_EACH,
};

const struct probe_axis_default probe_axis_defaults[PROBE_AXIS_NDEFAULTS] = {
	{ "User-Agent",
	    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 "
	    "(KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36" },
	{ "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,"
		    "*/*;q=0.8" },
	{ "Accept-Encoding", "gzip, deflate, br" },
	{ "Accept-Language", "en-US,en;q=0.9" },
};

const struct probe_axis probe_axes[] = {
	{ "Host", MAIN | PROBE_AXIS_KEYED | PROBE_AXIS_ALWAYS,
	    LIST("dev.%h", "%c.example") },
	/* With Host as ever; no name at all is as good as another one. */
	{ "SNI", MAIN | PROBE_AXIS_TLS, LIST("%c.example") },
	{ "User-Agent", MAIN | MANY,
	    LIST("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) "
		 "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
		 "Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (compatible; Googlebot/2.1; "
		"+http://www.google.com/bot.html)",
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)",
		"curl/8.5.0") },
	{ "Accept-Encoding", MAIN,
	    LIST("gzip", "br", "zstd", "deflate", "identity", "identity;q=0",
		"gzip;q=0, br;q=0, deflate;q=0") },
	{ "Accept-Language", MAIN | EACH,
	    LIST("de-DE,de;q=0.9", "fr", "ja;q=0.8, en;q=0.1",
		"es, it;q=0.9, pt;q=0.9, nl;q=0.8, pl;q=0.8, ru;q=0.8, "
		"zh;q=0.7, ko;q=0.7, ar;q=0.7, tr;q=0.6, sv;q=0.6, cs;q=0.6, "
		"uk;q=0.5, el;q=0.5, da;q=0.5, fi;q=0.4, hu;q=0.4, ro;q=0.4") },
	{ "Cookie", MAIN | MANY | EACH,
	    LIST("%c=1", "_ga=GA1.1.204896221.1717171717", "csrftoken=%c%c%c",
		"__cf_bm=%c%c") },
	{ "Origin", MAIN | EACH, LIST("%o", "https://%c.example", "null") },
	{ "X-Forwarded-Proto", MAIN | HOP | EACH, LIST("https", "http") },
	{ "X-Forwarded-Host", MAIN | HOP, LIST("%c.example") },
	{ "Accept", MAIN | EACH,
	    LIST("image/avif,image/webp,image/apng,*/*;q=0.8",
		"text/html,image/webp,*/*;q=0.8", "application/json",
		"image/avif;q=0, image/webp;q=0, image/jxl;q=0, */*",
		"image/jxl,image/png,*/*;q=0.5",
		/* linked data, feeds, what language models ask for */
		"text/markdown, application/activity+json, "
		"application/ld+json;q=0.9, text/turtle;q=0.8, "
		"application/rdf+xml;q=0.8, application/atom+xml;q=0.7, "
		"application/xml;q=0.7, text/csv;q=0.6, text/plain;q=0.5, "
		"*/*;q=0.1",
		"*/*") },
	{ "Referer", GROUP | MANY | EACH | PROBE_AXIS_ECHO,
	    LIST("https://%c.example/", "%o/") },
	{ "X-Requested-With", GROUP | EACH, LIST("XMLHttpRequest", "%c") },
	{ "X-Forwarded-For", GROUP | HOP | MANY,
	    LIST("198.51.100.17", "203.0.113.94") },
	{ "X-Real-IP", GROUP | HOP | MANY, LIST("198.51.100.17") },
	{ "X-Forwarded-Port", GROUP | HOP, LIST("8443", "443") },
	{ "X-Forwarded-Scheme", GROUP | HOP, LIST("https", "http") },
	{ "X-Forwarded-Ssl", GROUP | HOP, LIST("on") },
	{ "X-Forwarded-Server", GROUP | HOP, LIST("%c.example") },
	{ "X-Forwarded-Prefix", GROUP | HOP, LIST("/%c") },
	{ "X-Host", GROUP | HOP, LIST("%c.example") },
	{ "X-Original-URL", GROUP | HOP, LIST("/%c") },
	{ "X-Rewrite-URL", GROUP | HOP, LIST("/%c") },
	{ "Forwarded", GROUP | HOP,
	    LIST("for=198.51.100.17;host=%c.example;proto=https") },
	{ "Front-End-Https", GROUP | HOP, LIST("on") },
	{ "Save-Data", GROUP | EACH, LIST("on") },
	{ "Sec-CH-UA", GROUP | EACH,
	    LIST("\"Chromium\";v=\"131\", \"Google Chrome\";v=\"131\"") },
	{ "Sec-CH-UA-Mobile", GROUP | EACH, LIST("?1", "?0") },
	{ "Sec-CH-UA-Platform", GROUP | EACH, LIST("\"Android\"") },
	{ "Sec-CH-Prefers-Color-Scheme", GROUP | EACH, LIST("dark") },
	{ "Sec-CH-Prefers-Reduced-Motion", GROUP | EACH, LIST("reduce") },
	{ "Sec-CH-DPR", GROUP | EACH, LIST("2") },
	{ "Sec-CH-Width", GROUP | EACH, LIST("640") },
	{ "Sec-CH-Viewport-Width", GROUP | EACH, LIST("400") },
	{ "DPR", GROUP | EACH, LIST("2", "1") },
	{ "Width", GROUP | EACH, LIST("640", "1280") },
	{ "Viewport-Width", GROUP | EACH, LIST("400", "1600") },
	{ "Upgrade-Insecure-Requests", GROUP | EACH, LIST("1") },
	{ "Sec-Fetch-Dest", GROUP | EACH, LIST("image") },
	{ "Sec-Fetch-Mode", GROUP | EACH, LIST("cors") },
	{ "Sec-Fetch-Site", GROUP | EACH, LIST("cross-site") },
	{ "Purpose", GROUP | EACH, LIST("prefetch") },
	{ "RSC", GROUP | EACH, LIST("1", "%c") },
	{ "Next-Url", GROUP | EACH, LIST("/%c", "/de") },
	{ "Next-Router-State-Tree", GROUP | EACH, LIST("%%5B%%22%%22%%5D") },
	{ "Next-Router-Prefetch", GROUP | EACH, LIST("1") },
	{ "x-nextjs-data", GROUP | EACH, LIST("1") },
	{ "x-now-route-matches", GROUP | EACH, LIST("1") },
	{ "x-middleware-prefetch", GROUP | EACH, LIST("1") },
	{ "X-Inertia", GROUP | EACH, LIST("true") },
	{ "HX-Request", GROUP | EACH, LIST("true") },
	{ "Turbo-Frame", GROUP | EACH, LIST("%c") },
	{ "X-PJAX", GROUP | EACH, LIST("true") },
	{ "X-Language", GROUP | EACH, LIST("de", "fr") },
	{ "X-Locale", GROUP | EACH, LIST("de", "fr") },
	{ "X-Currency", GROUP | EACH, LIST("CHF") },
	{ "X-Device", GROUP | EACH, LIST("mobile", "desktop") },
	{ "X-Device-Type", GROUP | EACH, LIST("mobile", "desktop") },
	{ "X-UA-Device", GROUP | EACH, LIST("mobile", "desktop") },
	{ "CloudFront-Is-Mobile-Viewer", GROUP | HOP | EACH, LIST("true") },
	{ "CF-IPCountry", GROUP | HOP | EACH, LIST("CH", "JP") },
	{ "X-Country-Code", GROUP | HOP | EACH, LIST("CH", "JP") },
	{ "X-XSRF-TOKEN", GROUP | EACH, LIST("%c") },
	{ "X-Wap-Profile", GROUP | EACH, LIST("http://%c.example/a.xml") },
	{ "DNT", GROUP | EACH, LIST("1") },
	{ "Sec-GPC", GROUP | EACH, LIST("1") },
	{ "Accept-Charset", GROUP | EACH, LIST("iso-8859-1") },
	/* More of frameworks */
	{ "x-middleware-subrequest", GROUP | EACH, LIST("%c") },
	{ "x-matched-path", GROUP | EACH, LIST("/%c") },
	{ "x-invoke-path", GROUP | EACH, LIST("/%c") },
	{ "x-invoke-status", GROUP | EACH, LIST("404") },
	{ "Next-Router-Segment-Prefetch", GROUP | EACH, LIST("/_tree") },
	{ "X-Inertia-Version", GROUP | EACH, LIST("%c") },
	{ "X-Inertia-Partial-Data", GROUP | EACH, LIST("%c") },
	{ "HX-Boosted", GROUP | EACH, LIST("true") },
	{ "HX-Target", GROUP | EACH, LIST("%c") },
	{ "HX-History-Restore-Request", GROUP | EACH, LIST("true") },
	{ "X-Up-Version", GROUP | EACH, LIST("3.0.0") },
	{ "X-Up-Target", GROUP | EACH, LIST("main") },
	{ "X-Livewire", GROUP | EACH, LIST("true") },
	{ "X-Barba", GROUP | EACH, LIST("yes") },
	{ "Datastar-Request", GROUP | EACH, LIST("true") },
	{ "X-Turbo-Request-Id", GROUP | EACH, LIST("%c") },
	{ "X-PJAX-Container", GROUP | EACH, LIST("%c") },
	{ "Sec-Purpose", GROUP | EACH, LIST("prefetch") },
	{ "X-Moz", GROUP | EACH, LIST("prefetch") },
	{ "Prefer", GROUP | EACH, LIST("return=minimal") },
	{ "Accept-Version", GROUP | EACH, LIST("2", "1") },
	{ "X-Api-Version", GROUP | EACH, LIST("2", "1") },
	{ "Accept-Datetime", GROUP | EACH,
	    LIST("Thu, 31 May 2007 20:35:00 GMT") },
	{ "Device-Memory", GROUP | EACH, LIST("1") },
	{ "ECT", GROUP | EACH, LIST("2g") },
	{ "Downlink", GROUP | EACH, LIST("0.4") },
	{ "RTT", GROUP | EACH, LIST("800") },
	{ "X-Theme", GROUP | EACH, LIST("dark") },
	{ "X-Tenant", GROUP | EACH, LIST("%c") },
	{ "X-Tenant-ID", GROUP | EACH, LIST("%c") },
	{ "X-Store", GROUP | EACH, LIST("%c") },
	/* More of edges */
	{ "X-Forwarded-Protocol", GROUP | HOP | EACH, LIST("https") },
	{ "X-Original-Host", GROUP | HOP, LIST("%c.example") },
	{ "X-Forwarded-Path", GROUP | HOP, LIST("/%c") },
	{ "X-Forwarded-Uri", GROUP | HOP, LIST("/%c") },
	{ "CF-Visitor", GROUP | HOP | EACH, LIST("{\"scheme\":\"https\"}") },
	{ "CF-Connecting-IP", GROUP | HOP | MANY, LIST("198.51.100.17") },
	{ "True-Client-IP", GROUP | HOP | MANY, LIST("198.51.100.17") },
	{ "X-Client-IP", GROUP | HOP | MANY, LIST("198.51.100.17") },
	{ "CloudFront-Forwarded-Proto", GROUP | HOP | EACH, LIST("https") },
	{ "CloudFront-Is-Tablet-Viewer", GROUP | HOP | EACH, LIST("true") },
	{ "CloudFront-Viewer-Country", GROUP | HOP | EACH, LIST("CH") },
	{ "X-Country", GROUP | HOP | EACH, LIST("CH") },
	{ "X-Geo-Country", GROUP | HOP | EACH, LIST("CH") },
	{ "X-AppEngine-Country", GROUP | HOP | EACH, LIST("CH") },
	{ "X-Vercel-IP-Country", GROUP | HOP | EACH, LIST("CH") },
	{ "X-Url-Scheme", GROUP | HOP | EACH, LIST("https") },
	{ "X-Is-Mobile", GROUP | HOP | EACH, LIST("1") },
	{ "Available-Dictionary", 0,
	    LIST(":pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4=:") },
	/* A server may answer it with 401 alone: not together with others. */
	{ "Authorization", PROBE_AXIS_EXEMPT | MANY, LIST("Bearer %c") },
	{ "Access-Control-Request-Method", 0, LIST("PUT", "GET") },
	{ "Access-Control-Request-Headers", 0, LIST("x-%c", "content-type") },
	{ NULL, 0, NULL },
};

const char *const probe_axis_cookies[] = { "lang=de", "language=de",
	"locale=de", "NEXT_LOCALE=de", "django_language=de", "i18next=de",
	"i18n_redirected=de", "pll_language=de", "wp-wpml_current_language=de",
	"PREF_LANG=de", "country=CH", "region=CH", "currency=CHF", "theme=dark",
	"color_scheme=dark", "device=mobile", "view=mobile", "cookie_consent=1",
	"CookieConsent=true", "logged_in=1", "store=de", NULL };

const struct probe_axis *
probe_axis_find(const char *name, size_t len)
{
	const struct probe_axis *a;

	for (a = probe_axes; a->name != NULL; a++)
		if (strlen(a->name) == len &&
		    strncasecmp(a->name, name, len) == 0)
			return (a);
	return (NULL);
}

const char *
probe_axis_value(const struct probe_axis *a, int n)
{
	int i;

	for (i = 0; i < n && a->values[i] != NULL; i++)
		continue;
	return (a->values[i]);
}

int
probe_axis_is_response_header(
    const char *name, size_t len, const char **ret_meant)
{
	static const struct {
		const char *name, *meant;
	} t[] = {
		{ "Content-Encoding", "Accept-Encoding" },
		{ "Content-Type", "Accept" },
		{ "Content-Language", "Accept-Language" },
		{ "Set-Cookie", "Cookie" },
		{ "Access-Control-Allow-Origin", "Origin" },
		{ "Content-Length", NULL },
		{ "Content-Disposition", NULL },
		{ "Content-Location", NULL },
		{ "Access-Control-Allow-Credentials", "Origin" },
		{ "Access-Control-Allow-Methods",
		    "Access-Control-Request-Method" },
		{ "Access-Control-Allow-Headers",
		    "Access-Control-Request-Headers" },
		{ "Access-Control-Expose-Headers", NULL },
		{ "Access-Control-Max-Age", NULL },
		{ "Accept-CH", NULL },
		{ "Critical-CH", NULL },
		{ "Link", NULL },
		{ "Retry-After", NULL },
		{ "Strict-Transport-Security", NULL },
		{ "Content-Security-Policy", NULL },
		{ "X-Content-Type-Options", NULL },
		{ "X-Powered-By", NULL },
		{ "X-Cache", NULL },
		{ "Refresh", NULL },
		{ "Location", NULL },
		{ "ETag", NULL },
		{ "Last-Modified", NULL },
		{ "Cache-Control", NULL },
		{ "Expires", NULL },
		{ "Server", NULL },
		{ "Vary", NULL },
		{ "Age", NULL },
		{ "Accept-Ranges", NULL },
		{ "WWW-Authenticate", "Authorization" },
		{ "X-Frame-Options", NULL },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		if (strlen(t[i].name) == len &&
		    strncasecmp(t[i].name, name, len) == 0) {
			*ret_meant = t[i].meant;
			return (1);
		}
	return (0);
}
