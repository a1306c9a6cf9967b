/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Validators, and the answers that must agree with the 200: 304, 206, HEAD, the
 * other codings, a preflight.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/origin/answer.h"

static bool
is_head(const struct request *q)
{
	return (strcmp(q->method, "HEAD") == 0);
}

static bool
is_conditional(const struct request *q)
{
	return (get(q, "If-None-Match") != NULL ||
		get(q, "If-Modified-Since") != NULL);
}

/* In the language that is asked for, and says so. */
static void
translate(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Language\r\n");
	if (strcmp(language(q), "de") == 0)
		add(&r->body, "<p>Seite</p>\n");
}

/* Brotli without compressing: one stored block, and the last, which is empty. */
static void
brotli(struct response *r)
{
	struct text out = { NULL, 0, 0 };
	unsigned long bits = ((r->body.len - 1) << 4) | 1UL << 20;
	const unsigned char head[3] = { bits & 0xff, bits >> 8 & 0xff,
		bits >> 16 & 0xff };

	if (r->body.len > 65536)
		abort();
	add_bytes(&out, head, sizeof head);
	add_bytes(&out, r->body.b, r->body.len);
	add_bytes(&out, "\3", 1);
	free(r->body.b);
	r->body = out;
	add(&r->head, "Content-Encoding: br\r\n");
}

/* --- ETag ------------------------------------------------------------------ */

static void
etag_of_codings(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"one\"\r\nVary: Accept-Encoding\r\n");
	negotiate(q, r);
}

static void
weak_etag_of_codings(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: W/\"one\"\r\nVary: Accept-Encoding\r\n");
	negotiate(q, r);
}

static void
etag_with_suffix(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"one%s\"\r\nVary: Accept-Encoding\r\n",
	    takes_gzip(q) ? "-gzip" : "");
	negotiate(q, r);
}

static void
etag_of_languages(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"one\"\r\n");
	translate(q, r);
}

static void
weak_etag_of_languages(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: W/\"one\"\r\n");
	translate(q, r);
}

static void
etag_a_language(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: \"one-%s\"\r\n",
	    strcmp(language(q), "de") == 0 ? "de" : "en");
	translate(q, r);
}

/* --- 304 ------------------------------------------------------------------- */

static void
same_304(const struct request *q, struct response *r)
{
	etag_a_language(q, r);
	if (is_conditional(q))
		r->status = 304;
}

static void
more_in_304(const struct request *q, struct response *r)
{
	same_304(q, r);
	if (r->status == 304)
		add(&r->head, "Vary: Origin\r\n");
}

static void
less_in_304(const struct request *q, struct response *r)
{
	add(&r->head, "Last-Modified: Wed, 02 Dec 2026 10:00:00 GMT\r\n");
	if (is_conditional(q))
		r->status = 304;
	else
		translate(q, r);
}

static void
other_etag_in_304(const struct request *q, struct response *r)
{
	if (!is_conditional(q)) {
		etag_a_language(q, r);
		return;
	}
	r->status = 304;
	add(&r->head, "ETag: \"two\"\r\nVary: Accept-Language\r\n");
}

/* As Apache says it of what it has compressed, and of what it would have. */
static void
bare_etag_in_304(const struct request *q, struct response *r)
{
	bool gzip = takes_gzip(q) && !is_conditional(q);

	add(&r->head, "ETag: \"one%s\"\r\nVary: Accept-Encoding\r\n",
	    gzip ? "-gzip" : "");
	if (is_conditional(q))
		r->status = 304;
	else
		negotiate(q, r);
}

/* --- 206 ------------------------------------------------------------------- */

static bool
is_cut(const struct request *q, struct response *r)
{
	add(&r->head, "Accept-Ranges: bytes\r\n");
	if (get(q, "Range") == NULL)
		return (false);
	r->status = 206;
	r->body.len = 2;
	add(&r->head, "Content-Range: bytes 0-1/6000\r\n");
	return (true);
}

static void
same_206(const struct request *q, struct response *r)
{
	translate(q, r);
	(void)is_cut(q, r);
}

static void
less_in_206(const struct request *q, struct response *r)
{
	if (!is_cut(q, r))
		translate(q, r);
}

static void
other_in_206(const struct request *q, struct response *r)
{
	if (is_cut(q, r))
		add(&r->head, "Vary: Accept-Encoding\r\n");
	else
		translate(q, r);
}

static void
no_such_range(const struct request *q, struct response *r)
{
	etag_a_language(q, r);
	add(&r->head, "Accept-Ranges: bytes\r\n");
	if (get(q, "Range") != NULL)
		r->status = 416;
}

/* --- If-Range -------------------------------------------------------------- */

static const char etag[] = "\"v1\"";
static const char modified[] = "Wed, 02 Dec 2026 10:00:00 GMT";

/* 206 where If-Range is not there, or names this validator. */
static void
cut_if(const char *validator, const struct request *q, struct response *r)
{
	const char *v = get(q, "If-Range");

	if (v == NULL || strcmp(v, validator) == 0)
		(void)is_cut(q, r);
}

static void
if_range(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: %s\r\nLast-Modified: %s\r\n", etag, modified);
	cut_if(etag, q, r);
}

static void
if_range_date(const struct request *q, struct response *r)
{
	add(&r->head,
	    "Date: Thu, 03 Dec 2026 10:00:00 GMT\r\nLast-Modified: %s\r\n",
	    modified);
	cut_if(modified, q, r);
}

static void
if_range_ignored(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: %s\r\n", etag);
	(void)is_cut(q, r);
}

static void
if_range_date_ignored(const struct request *q, struct response *r)
{
	add(&r->head,
	    "Date: Thu, 03 Dec 2026 10:00:00 GMT\r\nLast-Modified: %s\r\n",
	    modified);
	(void)is_cut(q, r);
}

/* What must not be sent here, and so is never answered. */
static void
weak_if_range(const struct request *q, struct response *r)
{
	add(&r->head,
	    "Date: Thu, 03 Dec 2026 10:00:00 GMT\r\n"
	    "ETag: W/%s\r\nLast-Modified: %s\r\n",
	    etag, modified);
	(void)is_cut(q, r);
	if (get(q, "If-Range") != NULL)
		r->status = 412;
}

/* It may have changed twice within this second. */
static void
young_if_range(const struct request *q, struct response *r)
{
	add(&r->head, "Date: %s\r\nLast-Modified: %s\r\n", modified, modified);
	(void)is_cut(q, r);
	if (get(q, "If-Range") != NULL)
		r->status = 412;
}

/* It knows ranges, and none with a condition. */
static void
if_range_whole(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: %s\r\n", etag);
	if (get(q, "If-Range") == NULL)
		(void)is_cut(q, r);
}

/* As if it were If-Match. */
static void
if_range_refused(const struct request *q, struct response *r)
{
	const char *v = get(q, "If-Range");

	add(&r->head, "ETag: %s\r\n", etag);
	cut_if(etag, q, r);
	if (v != NULL && strcmp(v, etag) != 0)
		r->status = 412;
}

/* Another version by now, and still a part of it. */
static void
if_range_other(const struct request *q, struct response *r)
{
	const char *v = get(q, "If-Range");

	add(&r->head, "ETag: %s\r\n", v != NULL ? "\"v2\"" : etag);
	cut_if(etag, q, r);
}

/* Only without a condition is the 206 as the 200 is. */
static void
less_in_if_range(const struct request *q, struct response *r)
{
	const char *v = get(q, "If-Range");

	add(&r->head, "ETag: %s\r\n", etag);
	if (v == NULL || strcmp(v, etag) != 0)
		add(&r->head, "Vary: Origin\r\n");
	cut_if(etag, q, r);
}

/* Whole, and without the Vary of what was asked for without a range. */
static void
less_in_whole(const struct request *q, struct response *r)
{
	const char *v = get(q, "If-Range");

	add(&r->head, "ETag: %s\r\n", etag);
	if (v == NULL || strcmp(v, etag) == 0)
		add(&r->head, "Vary: Origin\r\n");
	cut_if(etag, q, r);
}

/* A part, which calls itself the whole. */
static void
part_as_whole(const struct request *q, struct response *r)
{
	if (is_cut(q, r))
		r->status = 200;
}

/* Two bytes are the whole. */
static void
short_whole(const struct request *q, struct response *r)
{
	add(&r->head, "ETag: %s\r\nAccept-Ranges: bytes\r\n", etag);
	r->body.len = 2;
	(void)q;
}

/* --- HEAD ------------------------------------------------------------------ */

static void
less_in_head(const struct request *q, struct response *r)
{
	if (!is_head(q))
		translate(q, r);
}

/* What has no body is not compressed. */
static void
no_coding_in_head(const struct request *q, struct response *r)
{
	if (is_head(q))
		return;
	add(&r->head, "Vary: Accept-Encoding\r\n");
	negotiate(q, r);
}

/* --- codings --------------------------------------------------------------- */

static bool
takes_brotli(const struct request *q)
{
	return (says(q, "Accept-Encoding", "br") &&
		!says(q, "Accept-Encoding", "br;q=0"));
}

/* A second module compresses, and knows nothing of Vary. */
static void
bare_brotli(const struct request *q, struct response *r)
{
	if (takes_brotli(q)) {
		brotli(r);
		return;
	}
	add(&r->head, "Vary: Accept-Encoding\r\n");
	negotiate(q, r);
}

static void
named_brotli(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (takes_brotli(q))
		brotli(r);
	else
		negotiate(q, r);
}

/* Two modules compress, one after the other, and each says so. */
static void
gzip_twice(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (takes_gzip(q)) {
		zip(r);
		zip(r);
	}
}

/* It says gzip, and is not. */
static void
false_gzip(const struct request *q, struct response *r)
{
	add(&r->head, "Vary: Accept-Encoding\r\n");
	if (takes_gzip(q))
		add(&r->head, "Content-Encoding: gzip\r\n");
}

/* --- preflights ------------------------------------------------------------ */

static void
allow(const struct request *q, struct response *r)
{
	const char *m = get(q, "Access-Control-Request-Method");

	if (strcmp(q->method, "OPTIONS") != 0)
		return;
	add(&r->head,
	    "Access-Control-Allow-Origin: *\r\n"
	    "Access-Control-Allow-Methods: %s\r\n",
	    m != NULL ? m : "GET");
	r->body.len = 0;
}

static void
preflight(const struct request *q, struct response *r)
{
	allow(q, r);
}

static void
declared_preflight(const struct request *q, struct response *r)
{
	allow(q, r);
	if (strcmp(q->method, "OPTIONS") == 0)
		add(&r->head, "Vary: Access-Control-Request-Method\r\n");
}

static void
no_options(const struct request *q, struct response *r)
{
	if (strcmp(q->method, "OPTIONS") == 0)
		r->status = 405;
}

static const struct play valid[] = {
	{ "etag-of-codings", etag_of_codings },
	{ "weak-etag-of-codings", weak_etag_of_codings },
	{ "etag-with-suffix", etag_with_suffix },
	{ "etag-of-languages", etag_of_languages },
	{ "weak-etag-of-languages", weak_etag_of_languages },
	{ "etag-a-language", etag_a_language },
	{ "same-304", same_304 },
	{ "more-in-304", more_in_304 },
	{ "less-in-304", less_in_304 },
	{ "other-etag-in-304", other_etag_in_304 },
	{ "bare-etag-in-304", bare_etag_in_304 },
	{ "same-206", same_206 },
	{ "less-in-206", less_in_206 },
	{ "other-in-206", other_in_206 },
	{ "no-such-range", no_such_range },
	{ "if-range", if_range },
	{ "if-range-date", if_range_date },
	{ "if-range-ignored", if_range_ignored },
	{ "if-range-date-ignored", if_range_date_ignored },
	{ "weak-if-range", weak_if_range },
	{ "young-if-range", young_if_range },
	{ "if-range-whole", if_range_whole },
	{ "if-range-refused", if_range_refused },
	{ "if-range-other", if_range_other },
	{ "less-in-if-range", less_in_if_range },
	{ "less-in-whole", less_in_whole },
	{ "part-as-whole", part_as_whole },
	{ "short-whole", short_whole },
	{ "less-in-head", less_in_head },
	{ "no-coding-in-head", no_coding_in_head },
	{ "bare-brotli", bare_brotli },
	{ "named-brotli", named_brotli },
	{ "gzip-twice", gzip_twice },
	{ "false-gzip", false_gzip },
	{ "preflight", preflight },
	{ "declared-preflight", declared_preflight },
	{ "no-options", no_options },
};

void
play_valid(const struct request *q, struct response *r)
{
	play_named(valid, sizeof valid / sizeof *valid, q, r);
}
