/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Neighbours of the cases of public reports: other headers, other statuses,
 * other spellings, and what looks like one of them and is none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "tests/origin/answer.h"

static void
replace(struct response *r, const char *type, const char *body)
{
	r->body.len = 0;
	add(&r->body, "%s", body);
	if (type != NULL) {
		add(&r->head, "Content-Type: %s\r\n", type);
		r->has_type = true;
	}
}

static void
refuse(struct response *r, int status)
{
	r->status = status;
	replace(r, NULL, "no\n");
}

/* --- how Vary is written -------------------------------------------------- */

static void
two_lines(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\nVary: User-Agent\r\n");
	negotiate(q, r);
}

static void
any_case(const struct request *q, struct response *r)
{
	add(&r->head, "vary: ACCEPT-encoding, uSER-aGENT\r\n");
	negotiate(q, r);
}

static void
twice(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\nVary: accept-encoding\r\n");
	negotiate(q, r);
}

static void
empty_members(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: ,\r\nVary:\r\n");
}

static void
star_line(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\nVary: *\r\n");
	negotiate(q, r);
}

static void
semicolon(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding;User-Agent\r\n");
}

/* Meant was Cookie. */
static void
misspelt(const struct request *q, struct response *r)
{
	char buf[64];

	add(&r->head, "Vary: Cookies\r\n");
	if (cookie(q, "lang", buf, sizeof buf))
		add(&r->body, "<p>Sprache: %s</p>\n", buf);
}

/* --- cookies --------------------------------------------------------------- */

/* Counts for those alone that want German. */
static void
cookie_of_language(const struct request *q, struct response *r)
{
	char buf[64];
	bool de = strcmp(language(q), "de") == 0;

	add(&r->head, "Vary: Accept-Language\r\nContent-Language: %s\r\n",
	    de ? "de" : "en");
	if (de && cookie(q, "country", buf, sizeof buf))
		add(&r->body, "<p>Preise in Franken</p>\n");
}

/* A session for who has none, and the same page for all. */
static void
new_visitor(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "sid", buf, sizeof buf))
		add(&r->head, "Set-Cookie: sid=%016llx; Path=/; HttpOnly\r\n",
		    (unsigned long long)random64());
}

/* The same, and the page has another word for who has one. */
static void
old_visitor(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "sid", buf, sizeof buf))
		add(&r->head, "Set-Cookie: sid=%016llx; Path=/; HttpOnly\r\n",
		    (unsigned long long)random64());
	else
		add(&r->body, "<p>Welcome back</p>\n");
}

static void
opened_session(const struct request *q, struct response *r)
{
	char buf[64];

	if (cookie(q, "lang", buf, sizeof buf))
		add(&r->head, "Vary: Cookie\r\n");
	if (cookie(q, "lang", buf, sizeof buf))
		add(&r->body, "<p>Sprache: %s</p>\n", buf);
}

/* One of two pages, which stays who has been given it. */
static void
arm(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "arm", buf, sizeof buf)) {
		buf[0] = random64() % 2 == 0 ? 'a' : 'b';
		buf[1] = '\0';
		add(&r->head, "Set-Cookie: arm=%s; Path=/\r\n", buf);
	}
	add(&r->body, "<p>%s</p>\n",
	    *buf == 'b' ? "Order now" : "Into the basket");
}

/* The same, and one visitor of ten is given the second. */
static void
rare_arm(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "arm", buf, sizeof buf)) {
		buf[0] = atomic_fetch_add(&counter, 1) % 10 != 9 ? 'a' : 'b';
		buf[1] = '\0';
		add(&r->head, "Set-Cookie: arm=%s; Path=/\r\n", buf);
	}
	if (*buf == 'b')
		add(&r->body, "<p>Order now</p>\n");
}

/* A session's token stands in the form. */
static void
session_token(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "PHPSESSID", buf, sizeof buf)) {
		(void)snprintf(
		    buf, sizeof buf, "%016llx", (unsigned long long)random64());
		add(&r->head, "Set-Cookie: PHPSESSID=%s; Path=/\r\n", buf);
	}
	add(&r->body, "<input name=\"token\" value=\"t%s\">\n", buf);
}

/* A token for each request, and a session that is in no page. */
static void
request_token(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "PHPSESSID", buf, sizeof buf))
		add(&r->head, "Set-Cookie: PHPSESSID=%016llx; Path=/\r\n",
		    (unsigned long long)random64());
	add(&r->body, "<input name=\"token\" value=\"%016llx\">\n",
	    (unsigned long long)random64());
}

/* A balancer keeps who has its cookie with one of two machines. */
static void
sticky(const struct request *q, struct response *r)
{
	char buf[64];

	if (!cookie(q, "SERVERID", buf, sizeof buf)) {
		(void)snprintf(buf, sizeof buf, "web%d", (int)(random64() % 2));
		add(&r->head, "Set-Cookie: SERVERID=%s; Path=/\r\n", buf);
	}
	add(&r->body, "<!-- served by %s -->\n", buf);
}

static void
whole_cookie(const struct request *q, struct response *r)
{
	const char *c = get(q, "Cookie");

	add(&r->head, "Vary: Cookie\r\n");
	add(&r->body, "<p>Cookies: %s</p>\n", c != NULL ? c : "none");
}

/* --- other statuses -------------------------------------------------------- */

static void
not_found(const struct request *q, struct response *r)
{
	refuse(r, 404);
	add(&r->body, "<p>%s</p>\n",
	    strcmp(language(q), "de") == 0 ? "Nichts da" : "Nothing here");
}

static void
failed(const struct request *q, struct response *r)
{
	not_found(q, r);
	r->status = 500;
}

static void
to_https(const struct request *q, struct response *r)
{
	if (!says(q, "X-Forwarded-Proto", "https")) {
		refuse(r, 301);
		add(&r->head, "Location: https://www.site.example%s\r\n",
		    q->path);
	}
}

static void
no_content(const struct request *q, struct response *r)
{
	const char *o = get(q, "Origin");

	refuse(r, 204);
	r->body.len = 0;
	if (o != NULL)
		add(&r->head, "Access-Control-Allow-Origin: %s\r\n", o);
}

static void
bare_304(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"%s%s\"\r\n", language(q),
	    takes_gzip(q) ? "-gzip" : "");
	if (get(q, "If-None-Match") != NULL) {
		r->status = 304;
		return;
	}
	add(&r->head, "Vary: Accept-Encoding, Accept-Language\r\n");
	if (strcmp(language(q), "de") == 0)
		add(&r->body, "<p>Seite</p>\n");
	negotiate(q, r);
}

static void
no_head(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (strcmp(q->method, "HEAD") == 0)
		r->status = 405;
	else if (takes_gzip(q))
		zip(r);
}

static void
not_acceptable(const struct request *q, struct response *r)
{
	if (!says(q, "Accept", "text/html") && !says(q, "Accept", "*/*"))
		refuse(r, 406);
}

static void
hotlink(const struct request *q, struct response *r)
{
	const char *v = get(q, "Referer");

	if (v != NULL && strstr(v, "127.0.0.1") == NULL)
		refuse(r, 403);
}

/* --- noise ----------------------------------------------------------------- */

static void
clocked(const struct request *q, struct response *r)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	add(&r->head, "Server-Timing: app;dur=%ld\r\nX-Request-Id: %016llx\r\n",
	    t.tv_nsec / 1000, (unsigned long long)random64());
	add(&r->body, "<!-- made at %ld.%09ld -->\n", (long)t.tv_sec,
	    t.tv_nsec);
}

static void
csp_nonce(const struct request *q, struct response *r)
{
	unsigned long long n = (unsigned long long)random64();

	add(&r->head, "Content-Security-Policy: script-src 'nonce-%016llx'\r\n",
	    n);
	add(&r->body, "<script nonce=\"%016llx\">go()</script>\n", n);
}

static void
json(const struct request *q, struct response *r, bool by_language)
{
	static const char *const names[] = { "alpha", "beta", "gamma",
		"delta" };
	int i, from = (int)(random64() % 4);

	replace(r, "application/json", "{");
	add(&r->body, "\"csrf\": \"%016llx\"", (unsigned long long)random64());
	for (i = 0; i < 4; i++)
		add(&r->body, ", \"%s\": {\"n\": %d, \"t\": \"%s\"}",
		    names[(from + i) % 4], (from + i) % 4,
		    by_language && (from + i) % 4 == 2 &&
			    strcmp(language(q), "de") == 0
			? "drei"
			: "three");
	add(&r->body, "}\n");
}

static void
json_order(const struct request *q, struct response *r)
{
	json(q, r, false);
}

static void
json_language(const struct request *q, struct response *r)
{
	json(q, r, true);
}

/* Two machines behind one name, not of the same release. */
static void
two_backends(const struct request *q, struct response *r)
{
	bool one = q->connection % 2 == 0;

	add(&r->head, "ETag: \"%s\"\r\nX-Served-By: web%d\r\n",
	    one ? "5f2a" : "61c0", one ? 1 : 2);
	add(&r->body, "<p>Release %s</p>\n", one ? "1.4" : "1.5");
}

static void
two_backends_mobile(const struct request *q, struct response *r)
{
	two_backends(q, r);
	if (says(q, "User-Agent", "iPhone"))
		add(&r->body, "<p>By touch</p>\n");
}

/* --- codings --------------------------------------------------------------- */

static void
codings(const struct request *q, struct response *r)
{
	static const char
	    br[] = "\x1b\x3f\x00\x88\x8d\xd3\xa5\xf6\xd3\x0a\x4c\xb5\x02\x88"
		   "\x4b\x90\x1e\x4b\x7b\x9b\x03\x13\x39\x60\xaf\x1d\x24\x90"
		   "\x83\x43\x4e\x35\x09\xe2\xf0\xd0\x6a\xa7\xa0\x77\x33\x5c"
		   "\x7f\x47\x14\x53\x39\xbe\xe6\x35\x20\x48\x29",
	    zstd[] = "\x28\xb5\x2f\xfd\x24\x40\xd5\x01\x00\x02\x84\x0d\x14"
		     "\xa0\x37\x1d\x06\x3a\x95\x91\xfd\x63\xb7\xbd\xb4\x51"
		     "\x75\x30\x2c\x22\x55\x12\x63\x80\xa0\x12\xb1\x69\x91"
		     "\x76\xe2\xaa\x48\xaf\xe0\x25\x07\x07\xa1\x49\xe5\x2b"
		     "\xd6\x11\x5e\xc3\xf2\xde\x3a\xf1\x65\xb7\xee\xb1\xe3"
		     "\x21\x00\x0f\xa9\x63\x45";

	replace(r, NULL,
	    "A page that is the same in each coding, whichever is asked "
	    "for.\n");
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (says(q, "Accept-Encoding", "zstd")) {
		r->body.len = 0;
		add_bytes(&r->body, zstd, sizeof zstd - 1);
		add(&r->head, "Content-Encoding: zstd\r\n");
	} else if (says(q, "Accept-Encoding", "br") &&
		   !says(q, "Accept-Encoding", "br;q=0")) {
		r->body.len = 0;
		add_bytes(&r->body, br, sizeof br);
		add(&r->head, "Content-Encoding: br\r\n");
	} else if (takes_gzip(q))
		zip(r);
}

static void
bare_gzip(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"same\"\r\n");
	negotiate(q, r);
}

/* --- CORS ------------------------------------------------------------------ */

static void
null_origin(const struct request *q, struct response *r)
{
	const char *o = get(q, "Origin");

	if (o != NULL && strcmp(o, "null") == 0)
		add(&r->head, "Access-Control-Allow-Origin: null\r\n"
			      "Access-Control-Allow-Credentials: true\r\n");
}

static void
credentials(const struct request *q, struct response *r)
{
	const char *o = get(q, "Origin");

	add(&r->head, "Vary: origin\r\n");
	if (o != NULL)
		add(&r->head,
		    "Access-Control-Allow-Origin: %s\r\n"
		    "Access-Control-Allow-Credentials: true\r\n",
		    o);
}

/* --- who asks --------------------------------------------------------------- */

static void
authorization(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Authorization\r\n");
}

static void
shared_authorization(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Authorization\r\n"
		      "Cache-Control: public, max-age=60\r\n");
}

static void
greeting(const struct request *q, struct response *r)
{
	if (get(q, "Authorization") != NULL)
		add(&r->body, "<p>Good day</p>\n");
}

/* A cache may give it to others, by its own word: RFC 9111 section 3.5. */
static void
public_greeting(const struct request *q, struct response *r)
{
	greeting(q, r);
	add(&r->head, "Cache-Control: max-age=60, must-revalidate\r\n");
}

/* Nobody gets in without; and in German for some. */
static void
guarded(const struct request *q, struct response *r)
{
	if (get(q, "Authorization") == NULL) {
		refuse(r, 401);
		add(&r->head, "WWW-Authenticate: Basic realm=\"x\"\r\n");
	} else if (strcmp(language(q), "de") == 0)
		add(&r->body, "<p>Guten Tag</p>\n");
}

static void
referer(const struct request *q, struct response *r)
{
	const char *v = get(q, "Referer");

	if (v != NULL)
		add(&r->body, "<a href=\"%s\">Back</a>\n", v);
}

static void
declared_referer(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Referer\r\n");
	referer(q, r);
}

static void
forwarded(const struct request *q, struct response *r)
{
	const char *v = get(q, "Forwarded");

	if (v != NULL && (v = strstr(v, "host=")) != NULL)
		add(&r->body, "<link href=\"https://%.*s/\">\n",
		    (int)strcspn(v + 5, ";,"), v + 5);
}

static void
forwarded_host_location(const struct request *q, struct response *r)
{
	const char *v = get(q, "X-Forwarded-Host");

	refuse(r, 302);
	add(&r->head,
	    "Cache-Control: max-age=60\r\nLocation: https://%s/login\r\n",
	    v != NULL ? v : "www.site.example");
}

static void
client_address(const struct request *q, struct response *r)
{
	if (says(q, "X-Forwarded-For", "203.0.113."))
		add(&r->body, "<p>Of this house</p>\n");
}

/* --- hints ------------------------------------------------------------------ */

static void
hint(const struct request *q, struct response *r)
{
	add(&r->head, "Accept-CH: Sec-CH-UA-Model, Sec-CH-UA-Arch\r\n");
	if (get(q, "Sec-CH-UA-Model") != NULL)
		add(&r->body, "<p>A known model</p>\n");
}

static void
critical_hint(const struct request *q, struct response *r)
{
	add(&r->head, "Accept-CH: Sec-CH-Prefers-Color-Scheme\r\n"
		      "Critical-CH: Sec-CH-Prefers-Color-Scheme\r\n"
		      "Vary: Sec-CH-Prefers-Color-Scheme\r\n");
	if (says(q, "Sec-CH-Prefers-Color-Scheme", "dark"))
		add(&r->body, "<p>In the dark</p>\n");
}

static void
save_data(const struct request *q, struct response *r)
{
	if (says(q, "Save-Data", "on"))
		add(&r->body, "<p>Fewer bytes</p>\n");
}

static void
fragment(const struct request *q, struct response *r)
{
	if (get(q, "X-Requested-With") != NULL)
		replace(r, NULL, "<p>A fragment</p>\n");
}

static void
htmx(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: HX-Request\r\n");
	if (get(q, "HX-Request") != NULL)
		replace(r, NULL, "<p>A fragment</p>\n");
}

static void
language_header(const struct request *q, struct response *r)
{
	add(&r->head, "Content-Language: %s\r\n", language(q));
}

/* --- what a cache may keep -------------------------------------------------- */

static void
mobile(const struct request *q, struct response *r)
{
	if (says(q, "User-Agent", "iPhone"))
		add(&r->body, "<p>By touch</p>\n");
}

static void
private_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "Cache-Control: private, max-age=60\r\n");
	mobile(q, r);
}

static void
expired_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "Expires: 0\r\n");
	mobile(q, r);
}

static void
past_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "Date: Wed, 02 Dec 2026 10:00:00 GMT\r\n"
		      "Expires: Thu, 19 Nov 1981 08:52:00 GMT\r\n");
	mobile(q, r);
}

static void
surrogate_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "Surrogate-Control: no-store\r\n"
		      "Cache-Control: max-age=600\r\n");
	mobile(q, r);
}

static void
cdn_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "CDN-Cache-Control: no-store\r\n"
		      "Cache-Control: max-age=600\r\n");
	mobile(q, r);
}

static void
some_mobile(const struct request *q, struct response *r)
{
	if (says(q, "User-Agent", "iPhone"))
		add(&r->head, "Vary: User-Agent\r\n");
}

static void
declared_mobile(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: User-Agent\r\n");
	mobile(q, r);
}

/* --- what is small, late, or elsewhere ---------------------------------------- */

static void
policy_by_browser(const struct request *q, struct response *r)
{
	add(&r->head, "Content-Security-Policy: default-src 'self'%s\r\n",
	    says(q, "User-Agent", "MSIE") ? " 'unsafe-inline'" : "");
}

static void
private_for_session(const struct request *q, struct response *r)
{
	char buf[64];

	add(&r->head, "Cache-Control: %s\r\n",
	    cookie(q, "sid", buf, sizeof buf) ? "private" : "max-age=60");
}

static void
blanks(const struct request *q, struct response *r)
{
	if (says(q, "User-Agent", "Googlebot"))
		add(&r->body, "   \n\n");
}

static void
late(const struct request *q, struct response *r)
{
	int i;

	for (i = 0; i < 8000; i++)
		add(&r->body,
		    "<p>Paragraph %d that nobody reads to its end</p>\n", i);
	if (strcmp(language(q), "de") == 0)
		add(&r->body, "<p>Ende</p>\n");
}

static void
emptied(const struct request *q, struct response *r)
{
	if (get(q, "X-Requested-With") != NULL)
		r->body.len = 0;
}

static void
underscore(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept_Encoding\r\n");
	negotiate(q, r);
}

static void
no_ascii(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding, Spr\xc3\xa4"
		      "che\r\n");
	negotiate(q, r);
}

/* As Apache's documents had it: BrowserMatch and no-gzip. */
static void
old_browser(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (!says(q, "User-Agent", "MSIE 6"))
		negotiate(q, r);
}

static void
old_browser_declared(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: User-Agent\r\n");
	old_browser(q, r);
}

static void
picture(const struct request *q, struct response *r)
{
	bool webp = says(q, "Accept", "image/webp") &&
		    !says(q, "Accept", "image/webp;q=0");
	int i;

	r->body.len = 0;
	add(&r->head, "Content-Type: image/%s\r\n", webp ? "webp" : "jpeg");
	r->has_type = true;
	for (i = 0; i < 3000; i++)
		add_bytes(&r->body,
		    &(unsigned char){ (unsigned char)(i * (webp ? 7 : 13)) },
		    1);
}

/* A new version of the interface for those who say so. */
static void
api_version(const struct request *q, struct response *r)
{
	const char *v = get(q, "Accept-Version");

	replace(r, "application/json",
	    v != NULL && strcmp(v, "1") == 0 ? "{\"name\": \"a\"}\n"
					     : "{\"title\": \"a\"}\n");
}

/* A theme by a cookie, in the class of the body alone. */
static void
theme(const struct request *q, struct response *r)
{
	char buf[64];

	add(&r->head, "Vary: Cookie\r\n");
	add(&r->body, "<body class=\"%s\">\n",
	    cookie(q, "theme", buf, sizeof buf) ? buf : "light");
}

static const struct play near[] = {
	{ "policy-by-browser", policy_by_browser },
	{ "private-for-session", private_for_session },
	{ "blanks", blanks },
	{ "late", late },
	{ "emptied", emptied },
	{ "underscore", underscore },
	{ "no-ascii", no_ascii },
	{ "old-browser", old_browser },
	{ "old-browser-declared", old_browser_declared },
	{ "picture", picture },
	{ "api-version", api_version },
	{ "theme", theme },
	{ "two-lines", two_lines },
	{ "any-case", any_case },
	{ "twice", twice },
	{ "empty-members", empty_members },
	{ "star-line", star_line },
	{ "semicolon", semicolon },
	{ "misspelt", misspelt },
	{ "cookie-of-language", cookie_of_language },
	{ "new-visitor", new_visitor },
	{ "old-visitor", old_visitor },
	{ "opened-session", opened_session },
	{ "arm", arm },
	{ "rare-arm", rare_arm },
	{ "session-token", session_token },
	{ "request-token", request_token },
	{ "sticky", sticky },
	{ "whole-cookie", whole_cookie },
	{ "not-found", not_found },
	{ "failed", failed },
	{ "to-https", to_https },
	{ "no-content", no_content },
	{ "bare-304", bare_304 },
	{ "no-head", no_head },
	{ "not-acceptable", not_acceptable },
	{ "hotlink", hotlink },
	{ "clocked", clocked },
	{ "csp-nonce", csp_nonce },
	{ "json-order", json_order },
	{ "json-language", json_language },
	{ "two-backends", two_backends },
	{ "two-backends-mobile", two_backends_mobile },
	{ "codings", codings },
	{ "bare-gzip", bare_gzip },
	{ "null-origin", null_origin },
	{ "credentials", credentials },
	{ "authorization", authorization },
	{ "shared-authorization", shared_authorization },
	{ "greeting", greeting },
	{ "public-greeting", public_greeting },
	{ "guarded", guarded },
	{ "referer", referer },
	{ "declared-referer", declared_referer },
	{ "forwarded", forwarded },
	{ "forwarded-host-location", forwarded_host_location },
	{ "client-address", client_address },
	{ "hint", hint },
	{ "critical-hint", critical_hint },
	{ "save-data", save_data },
	{ "fragment", fragment },
	{ "htmx", htmx },
	{ "language-header", language_header },
	{ "mobile", mobile },
	{ "private-mobile", private_mobile },
	{ "expired-mobile", expired_mobile },
	{ "past-mobile", past_mobile },
	{ "surrogate-mobile", surrogate_mobile },
	{ "cdn-mobile", cdn_mobile },
	{ "some-mobile", some_mobile },
	{ "declared-mobile", declared_mobile },
};

void
play_near(const struct request *q, struct response *r)
{
	play_named(near, sizeof near / sizeof *near, q, r);
}
