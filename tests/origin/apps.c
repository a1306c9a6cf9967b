/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Applications, frameworks and CDNs, as they answer: the headers that they send,
 * and what they let decide.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/origin/answer.h"

static void
empty(struct response *r)
{
	r->body.len = 0;
}

static void
head(struct response *r, const char *lines)
{
	add(&r->head, "%s", lines);
}

static void
redirect(struct response *r, int status, const char *where)
{
	empty(r);
	r->status = status;
	add(&r->head, "Location: %s\r\n", where);
}

/* A line more of the page, where a cookie of this name is sent. */
static void
by_cookie(const struct request *q, struct response *r, const char *name)
{
	char buf[128];

	if (cookie(q, name, buf, sizeof buf))
		add(&r->body, "<p>For %s</p>\n", buf);
}

/* A line more of the page, where a header has this part. */
static void
by_header(const struct request *q, struct response *r, const char *name,
    const char *part)
{
	if (says(q, name, part))
		add(&r->body, "<p>Not for all</p>\n");
}

/* A fragment in place of the page. */
static void
fragment(const struct request *q, struct response *r, const char *name)
{
	if (get(q, name) == NULL)
		return;
	empty(r);
	add(&r->body, "<p>A fragment</p>\n");
}

/* --- shops and content ------------------------------------------------------ */

static void
wordpress(const struct request *q, struct response *r)
{
	head(r, "X-Powered-By: PHP/8.2\r\nVary: Cookie\r\n");
	by_cookie(q, r, "wordpress_logged_in_5f");
}

static void
woocommerce(const struct request *q, struct response *r)
{
	by_cookie(q, r, "woocommerce_items_in_cart");
}

static void
magento(const struct request *q, struct response *r)
{
	head(r, "Vary: Accept-Encoding\r\nX-Magento-Tags: FPC\r\n"
		"Cache-Control: max-age=86400, public, s-maxage=86400\r\n");
	by_cookie(q, r, "X-Magento-Vary");
	negotiate(q, r);
}

static void
drupal(const struct request *q, struct response *r)
{
	head(r, "X-Generator: Drupal 10 (https://www.drupal.org)\r\n"
		"X-Drupal-Cache: HIT\r\nVary: Cookie,Accept-Encoding\r\n"
		"Expires: Sun, 19 Nov 1978 05:00:00 GMT\r\n"
		"Cache-Control: max-age=900, public\r\n");
	negotiate(q, r);
}

static void
typo3(const struct request *q, struct response *r)
{
	head(r, "Cache-Control: private, no-store\r\n"
		"Content-Language: de\r\n");
}

/* Both cookies are new with every response. */
static void
laravel(const struct request *q, struct response *r)
{
	add(&r->head,
	    "Cache-Control: no-cache, private\r\n"
	    "Set-Cookie: XSRF-TOKEN=%016llx; path=/; samesite=lax\r\n"
	    "Set-Cookie: laravel_session=%016llx; path=/; httponly\r\n",
	    (unsigned long long)random64(), (unsigned long long)random64());
	add(&r->body, "<meta name=\"csrf-token\" content=\"%016llx\">\n",
	    (unsigned long long)random64());
}

static void
django(const struct request *q, struct response *r)
{
	char buf[64];

	head(r, "Vary: Cookie\r\n");
	if (!cookie(q, "csrftoken", buf, sizeof buf))
		add(&r->head, "Set-Cookie: csrftoken=%016llx; Path=/\r\n",
		    (unsigned long long)random64());
	add(&r->body,
	    "<input name=\"csrfmiddlewaretoken\" value=\"%016llx\">\n",
	    (unsigned long long)random64());
}

/* The session goes into the links of who shows no cookie. */
static void
jsessionid(const struct request *q, struct response *r)
{
	char buf[64];

	if (cookie(q, "JSESSIONID", buf, sizeof buf)) {
		add(&r->body, "<a href=\"/next\">Next</a>\n");
		return;
	}
	add(&r->head, "Set-Cookie: JSESSIONID=%016llx; Path=/\r\n",
	    (unsigned long long)random64());
	add(&r->body, "<a href=\"/next;jsessionid=%016llx\">Next</a>\n",
	    (unsigned long long)random64());
}

/* --- what scripts fetch ------------------------------------------------------ */

static void
nextjs(const struct request *q, struct response *r)
{
	head(r, "Vary: RSC, Next-Router-State-Tree, Next-Router-Prefetch\r\n"
		"X-Nextjs-Cache: HIT\r\nCache-Control: s-maxage=60\r\n");
	if (get(q, "RSC") == NULL)
		return;
	empty(r);
	add(&r->body, "0:[\"payload\"]\n");
	if (get(q, "Next-Router-Prefetch") != NULL)
		add(&r->body, "1:[\"less of it\"]\n");
}

static void
turbo(const struct request *q, struct response *r)
{
	fragment(q, r, "Turbo-Frame");
}

static void
inertia(const struct request *q, struct response *r)
{
	head(r, "Vary: X-Inertia\r\n");
	if (get(q, "X-Inertia") == NULL)
		return;
	empty(r);
	add(&r->head, "X-Inertia: true\r\nContent-Type: application/json\r\n");
	r->has_type = true;
	add(&r->body, "{\"component\": \"Page\", \"props\": {\"n\": 1}}\n");
}

static void
pjax(const struct request *q, struct response *r)
{
	if (get(q, "X-PJAX") != NULL)
		head(r, "Vary: X-PJAX\r\n");
	fragment(q, r, "X-PJAX");
}

static void
rails(const struct request *q, struct response *r)
{
	add(&r->head,
	    "Vary: Accept\r\nX-Runtime: 0.0%05llu\r\n"
	    "X-Request-Id: %016llx\r\nETag: W/\"5f2a%d\"\r\n",
	    (unsigned long long)random64() % 100000,
	    (unsigned long long)random64(),
	    says(q, "Accept", "application/json"));
	if (!says(q, "Accept", "application/json"))
		return;
	empty(r);
	head(r, "Content-Type: application/json\r\n");
	r->has_type = true;
	add(&r->body, "{\"n\": 1}\n");
}

static void
symfony(const struct request *q, struct response *r)
{
	head(r, "Surrogate-Control: content=\"ESI/1.0\"\r\n"
		"Cache-Control: public, s-maxage=600\r\n");
	add(&r->body, "<esi:include src=\"/_fragment\"/>\n");
}

/* --- CORS -------------------------------------------------------------------- */

static void
spring(const struct request *q, struct response *r)
{
	head(r, "Vary: Origin\r\nVary: Access-Control-Request-Method\r\n"
		"Vary: Access-Control-Request-Headers\r\n");
}

static void
cors_fixed(const struct request *q, struct response *r)
{
	head(r, "Access-Control-Allow-Origin: https://app.site.example\r\n");
}

static void
cors_any(const struct request *q, struct response *r)
{
	head(r, "Access-Control-Allow-Origin: *\r\n");
}

/* --- images and devices ------------------------------------------------------ */

static void
image(struct response *r, const char *type)
{
	empty(r);
	add(&r->head, "Content-Type: image/%s\r\n", type);
	r->has_type = true;
	add(&r->body, "%s\n%c%c%c of an image", type, 1, 2, 0xff);
}

static void
avif(const struct request *q, struct response *r)
{
	head(r, "Vary: Accept\r\n");
	image(r, says(q, "Accept", "image/avif") &&
			 !says(q, "Accept", "image/avif;q=0")
		     ? "avif"
		     : "jpeg");
}

static void
webp_by_browser(const struct request *q, struct response *r)
{
	image(r, says(q, "User-Agent", "Chrome/") ? "webp" : "jpeg");
}

static void
m_dot(const struct request *q, struct response *r)
{
	if (says(q, "User-Agent", "iPhone"))
		redirect(r, 302, "https://m.site.example/");
}

static void
viewer(const struct request *q, struct response *r)
{
	by_header(q, r, "CloudFront-Is-Mobile-Viewer", "true");
}

static void
tracked(const struct request *q, struct response *r)
{
	by_header(q, r, "DNT", "1");
}

/* --- where and how one comes ------------------------------------------------- */

static void
to_language(const struct request *q, struct response *r)
{
	redirect(r, 302, strcmp(language(q), "de") == 0 ? "/de/" : "/en/");
}

static void
to_language_for_a_minute(const struct request *q, struct response *r)
{
	to_language(q, r);
	head(r, "Cache-Control: max-age=60\r\n");
}

static void
country(const struct request *q, struct response *r)
{
	by_header(q, r, "CF-IPCountry", "CH");
}

static void
to_https(const struct request *q, struct response *r)
{
	head(r, "Vary: X-Forwarded-Proto\r\n");
	if (!says(q, "X-Forwarded-Proto", "https"))
		redirect(r, 301, "https://www.site.example/");
}

static void
forwarded_port(const struct request *q, struct response *r)
{
	const char *v = get(q, "X-Forwarded-Port");

	add(&r->body, "<link rel=\"canonical\" href=\"http://h:%s/\">\n",
	    v != NULL ? v : "80");
}

static void
forwarded_prefix(const struct request *q, struct response *r)
{
	const char *v = get(q, "X-Forwarded-Prefix");

	add(&r->body, "<script src=\"%s/app.js\"></script>\n",
	    v != NULL ? v : "");
}

static void
public_api(const struct request *q, struct response *r)
{
	if (get(q, "Authorization") == NULL) {
		empty(r);
		r->status = 401;
	}
	head(r, "Cache-Control: public, max-age=60\r\n");
	by_header(q, r, "Accept-Language", "de");
}

/* --- other statuses, and lifetimes ------------------------------------------- */

static void
moved(const struct request *q, struct response *r)
{
	redirect(r, 301, "/there");
	head(r, "Vary: User-Agent\r\n");
}

static void
missing_page(const struct request *q, struct response *r)
{
	r->status = 404;
	head(r, "Vary: User-Agent\r\n");
}

static void
gone(const struct request *q, struct response *r)
{
	r->status = 410;
	by_header(q, r, "Accept-Language", "de");
}

static void
maintenance(const struct request *q, struct response *r)
{
	r->status = 503;
}

static void
not_shared(const struct request *q, struct response *r)
{
	head(r, "Cache-Control: max-age=600, s-maxage=0\r\n");
	by_header(q, r, "User-Agent", "iPhone");
}

/* --- what changes by itself -------------------------------------------------- */

static unsigned
number(void)
{
	return (atomic_fetch_add(&counter, 1));
}

/* A cache in front fills up. */
static void
warm_up(const struct request *q, struct response *r)
{
	unsigned n = number();

	if (n == 0)
		head(r, "X-Cache: MISS\r\n");
	else
		add(&r->head, "X-Cache: HIT\r\nAge: %u\r\n", n);
}

static void
drift(const struct request *q, struct response *r)
{
	add(&r->body, "<p>%u visitors</p>\n", number() / 7);
}

static void
deploy(const struct request *q, struct response *r)
{
	bool now = number() >= 30;

	add(&r->head, "ETag: \"%s\"\r\n", now ? "61c0" : "5f2a");
	add(&r->body, "<script src=\"/app.%s.js\"></script>\n",
	    now ? "61c0" : "5f2a");
}

/* A real effect on either side of it. */
static void
deploy_by_touch(const struct request *q, struct response *r)
{
	deploy(q, r);
	by_header(q, r, "User-Agent", "iPhone");
}

static void
restless_head(const struct request *q, struct response *r)
{
	char date[64];
	time_t now = time(NULL);
	struct tm tm;

	(void)gmtime_r(&now, &tm);
	(void)strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &tm);
	add(&r->head,
	    "Last-Modified: %s\r\nDate: %s\r\nETag: \"%016llx\"\r\n"
	    "Set-Cookie: ab=%c; Path=/\r\nX-Trace: %016llx\r\n"
	    "Alt-Svc: h3=\":443\"; ma=86400\r\n",
	    date, date, (unsigned long long)random64(),
	    random64() % 2 == 0 ? 'a' : 'b', (unsigned long long)random64());
}

static const struct play apps[] = {
	{ "wordpress", wordpress },
	{ "woocommerce", woocommerce },
	{ "magento", magento },
	{ "drupal", drupal },
	{ "typo3", typo3 },
	{ "laravel", laravel },
	{ "django", django },
	{ "jsessionid", jsessionid },
	{ "nextjs", nextjs },
	{ "turbo", turbo },
	{ "inertia", inertia },
	{ "pjax", pjax },
	{ "rails", rails },
	{ "symfony", symfony },
	{ "spring", spring },
	{ "cors-fixed", cors_fixed },
	{ "cors-any", cors_any },
	{ "avif", avif },
	{ "webp-by-browser", webp_by_browser },
	{ "m-dot", m_dot },
	{ "viewer", viewer },
	{ "tracked", tracked },
	{ "to-language", to_language },
	{ "to-language-for-a-minute", to_language_for_a_minute },
	{ "country", country },
	{ "to-https", to_https },
	{ "forwarded-port", forwarded_port },
	{ "forwarded-prefix", forwarded_prefix },
	{ "public-api", public_api },
	{ "moved", moved },
	{ "missing-page", missing_page },
	{ "gone", gone },
	{ "maintenance", maintenance },
	{ "not-shared", not_shared },
	{ "warm-up", warm_up },
	{ "drift", drift },
	{ "deploy", deploy },
	{ "deploy-by-touch", deploy_by_touch },
	{ "restless-head", restless_head },
};

void
play_app(const struct request *q, struct response *r)
{
	play_named(apps, sizeof apps / sizeof *apps, q, r);
}
