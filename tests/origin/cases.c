/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of public reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/origin/answer.h"

void
play_case(const struct request *q, struct response *r, int n, char letter)
{
	struct text *h = &r->head, *b = &r->body;
	const char *origin = get(q, "Origin"), *v;
	char buf[256], text[512];
	bool conditional = get(q, "If-None-Match") != NULL ||
			   get(q, "If-Modified-Since") != NULL;

	page(b, NULL);
	switch (n) {
	case 1:
		if (origin != NULL)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Vary: Origin\r\n",
			    origin);
		break;
	case 2:
		if (origin != NULL &&
		    strcmp(origin, "https://allowed.example") == 0)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Vary: Origin\r\n",
			    origin);
		break;
	case 4:
		add(h, "Cache-Control: public, max-age=604800\r\n");
		if (origin != NULL)
			add(h, "Access-Control-Allow-Origin: %s\r\n", origin);
		break;
	case 5:
		add(h, "Access-Control-Allow-Origin: *\r\nVary: Origin\r\n");
		break;
	case 7:
		/* a preflight's answer is made of what it asks */
		if (letter == 'b' && strcmp(q->method, "OPTIONS") == 0) {
			r->status = 204;
			b->len = 0;
			v = get(q, "Access-Control-Request-Headers");
			add(h,
			    "Access-Control-Allow-Origin: "
			    "https://allowed.example\r\n"
			    "Access-Control-Allow-Methods: %s\r\n"
			    "Access-Control-Allow-Headers: %s\r\n"
			    "Vary: Access-Control-Request-Headers\r\n",
			    says(q, "Access-Control-Request-Method", "DELETE")
				? "DELETE"
				: "GET, HEAD, PUT",
			    v != NULL ? v : "none");
			break;
		}
		if (origin != NULL &&
		    strcmp(origin, "https://allowed.example") == 0)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Access-Control-Allow-Credentials: true\r\n",
			    origin);
		break;
	case 8:
		if (takes_gzip(q)) {
			add(h, "Vary: Accept-Encoding\r\n");
			zip(r);
		}
		break;
	case 10:
		if (letter == 'a') {
			add(h, "Vary: Content-Encoding\r\n");
			negotiate(q, r);
			break;
		}
		add(h, "Vary: Content-Type\r\n");
		__attribute__((fallthrough));
	case 11:
		if (says(q, "Accept", "application/json")) {
			b->len = 0;
			add(b, "{\"page\": [1, 2, 3]}\n");
			add(h, "Content-Type: application/json\r\n");
			r->has_type = true;
		}
		break;
	case 13:
		b->len = 0;
		r->has_type = true;
		if (letter == 'b') {
			add(h, "Content-Type: image/webp\r\nVary: Accept\r\n");
			add_bytes(b, "RIFF\0\0\0\0WEBP", 12);
		} else if (says(q, "Accept", "image/webp") &&
			   !says(q, "Accept", "image/webp;q=0")) {
			add(h, "Content-Type: image/webp\r\nVary: Accept\r\n");
			add_bytes(b, "RIFF\0\0\0\0WEBP", 12);
		} else {
			add(h, "Content-Type: image/jpeg\r\n");
			add_bytes(b, "\xff\xd8\xff\xe0\0\x10JFIF", 10);
		}
		break;
	case 14:
		r->has_type = true;
		b->len = 0;
		/* reads "image/jxl;q=0" as support */
		if (says(q, "Accept", "image/jxl")) {
			add(h, "Content-Type: image/jxl\r\n");
			add_bytes(b, "\xff\x0a\0\0", 4);
		} else {
			add(h, "Content-Type: image/jpeg\r\n");
			add_bytes(b, "\xff\xd8\xff\xe0\0\x10JFIF", 10);
		}
		break;
	case 16:
		add(h, "Vary: RSC\r\n");
		v = get(
		    q, letter == 'c' ? "Next-Router-State-Tree" : "Next-Url");
		if (v != NULL && letter == '6')
			add(b, "<!-- payload for %zu bytes of path -->\n",
			    strlen(v));
		if (!says(q, "RSC", "1"))
			break;
		/* as Next.js does: of payloads alone */
		b->len = 0;
		add(b, "1:\"$Sreact.fragment\"\n");
		if (v != NULL && letter != '6')
			add(b, "2:{\"intercepted\": true}\n");
		add(h, "Content-Type: text/x-component\r\n");
		r->has_type = true;
		break;
	case 17:
		add(h, "Vary: rsc\r\n");
		v = get(q, "RSC");
		if (v != NULL && strcmp(v, "1") == 0) {
			b->len = 0;
			add(b, "1:\"$Sreact.fragment\"\n");
			add(h, "Content-Type: text/x-component\r\n");
			r->has_type = true;
		}
		break;
	case 19:
		add(h, "Vary: Accept-Language\r\nContent-Language: de\r\n");
		break;
	case 20:
		add(h, "Vary: Cookie\r\n");
		if (cookie(q, "sessionid", buf, sizeof buf))
			add(b, "<p>Good day, %s</p>\n", buf);
		break;
	case 22:
		add(h, "Vary: Accept-Encoding, User-Agent\r\n");
		negotiate(q, r);
		break;
	case 24:
		if (get(q, "X-Forwarded-Proto") != NULL)
			add(h, "Vary: X-Forwarded-Proto\r\n");
		break;
	case 25: add(h, "Vary: Host\r\n"); break;
	case 26:
		r->status = 301;
		b->len = 0;
		add(h, "Location: /%s/\r\n", language(q));
		break;
	case 28:
	case 29:
		v = get(q, "X-Forwarded-Host");
		add(b,
		    "<meta property=\"og:image\" "
		    "content=\"https://%s/image.png\">\n",
		    v != NULL ? v : "www.site.example");
		break;
	case 30:
		add(h, "ETag: \"%s\"\r\nAccept-Ranges: bytes\r\n",
		    says(q, "Accept", "application/json") ? "two" : "one");
		if (conditional && letter == 'a') {
			r->status = 304;
			add(h, "Vary: Accept-Encoding\r\n");
		} else if (get(q, "Range") != NULL && letter == 'b' &&
			   (get(q, "If-Range") == NULL ||
			       says(q, "If-Range", "\"one\""))) {
			r->status = 206;
			b->len = 2;
			add(h, "Content-Range: bytes 0-1/1000\r\n"
			       "Vary: Accept-Encoding\r\n");
		} else if (letter != 'c' || strcmp(q->method, "HEAD") != 0)
			add(h, "Vary: Accept-Encoding, Accept\r\n");
		if (says(q, "Accept", "application/json") && r->status == 200)
			add(b, "json\n");
		break;
	case 31:
		add(h, "Vary: Accept-Encoding\r\nETag: %s\"same%s\"\r\n",
		    letter == 'b' ? "W/" : "",
		    letter == 'c' && takes_gzip(q) ? "-gzip" : "");
		negotiate(q, r);
		break;
	case 32:
		add(h, letter == 'b' ? "Vary: Accept-Encoding, *\r\n"
				     : "Vary: *\r\n");
		if (letter == 'd')
			add(h, "Vary:\r\n");
		/* as a cache would, that takes no notice */
		if (letter == 'c')
			add(h, "Age: 7\r\nX-Cache: HIT\r\n");
		break;
	case 34:
		add(h, "Vary: Origin\r\nAccess-Control-Allow-Origin: %s\r\n",
		    origin != NULL ? origin : "null");
		v = get(q, "X-Language");
		if (v != NULL)
			add(b, "<p>Sprache: %s</p>\n", v);
		break;
	case 35: add(h, "Vary: *\r\n"); break;
	case 37:
		r->status = 302;
		b->len = 0;
		add(h, "Location: /login?back=/case/37?%s\r\n",
		    q->query != NULL ? q->query : "");
		break;
	case 38:
		add(h, "Content-Type: application/gzip\r\n");
		r->has_type = true;
		zip(r);
		break;
	case 40:
		add(h, "Vary: Origin\r\n");
		if (letter == 'c') /* allowed or not, and to be stored */
			add(h, "Cache-Control: max-age=60\r\n");
		if (letter == 'b')
			/* one copy for all, of a cache that has no Origin in
			 * its key */
			add(h, "X-Cache: HIT\r\n");
		else if (origin != NULL)
			add(h, "Access-Control-Allow-Origin: %s\r\n", origin);
		break;
	case 41: /* a header that CORS names, and Vary does not */
		add(h, "Access-Control-Allow-Headers: X-Tenant, Content-Type"
		       "\r\n");
		v = get(q, "X-Tenant");
		if (v != NULL)
			add(b, "<p>Tenant %s</p>\n", v);
		break;
	case 42:
		if (letter == 'a' ? get(q, "x-now-route-matches") != NULL
				  : says(q, "RSC", "1")) {
			b->len = 0;
			add(b, "{\"pageProps\": {}}\n");
			add(h, "Content-Type: application/json\r\n");
			r->has_type = true;
		}
		break;
	case 43:
		add(h, "Vary: X-Forwarded-For\r\n");
		v = get(q, "X-Forwarded-For");
		(void)snprintf(text, sizeof text, "<p>You are %s</p>",
		    v != NULL ? v : "nobody");
		add(b, "%s\n", text);
		break;
	case 45:
		b->len = 0;
		add(b, "too small to be worth it\n");
		break;
	case 47:
		add(h, "ETag: \"one\"\r\n");
		if (conditional) {
			r->status = 304;
			add(h, "Vary: Accept-Encoding, Cookie\r\n");
		} else
			add(h, "Vary: Accept-Encoding\r\n");
		break;
	case 49:
		add(h, "Vary%s\r\n",
		    letter == 'a'   ? ": \"Foo\""
		    : letter == 'b' ? ": Foo;q=1"
		    : letter == 'c' ? ": Foo:"
		    : letter == 'd' ? ": Foo Bar"
				    : " : Foo");
		break;
	case 50:
		add(h, "Vary: Accept-Language\r\nContent-Language: %s\r\n",
		    says(q, "Accept-Language", "de") ? "de" : "en");
		break;
	case 51: /* a cookie pins the language, and it says what is said anyway */
		add(h, letter == 'b' ? "Vary: Accept-Language, Cookie\r\n"
				     : "Vary: Accept-Language\r\n");
		if (letter != 'c')
			add(h, "Set-Cookie: sprache=en; Path=/\r\n");
		add(b, "<p>Sprache: %s</p>\n",
		    cookie(q, "sprache", buf, sizeof buf) ? buf : language(q));
		break;
	case 52: /* two together, and neither alone */
		if (get(q, "DPR") != NULL && get(q, "Width") != NULL)
			add(b, "<p>small and thrifty</p>\n");
		break;
	case 53: /* a cookie that nobody was told of */
		if (cookie(q, "currency", buf, sizeof buf))
			add(b, "<p>Prices in %s</p>\n", buf);
		break;
	default: r->status = 404; break;
	}
}
