/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of vary/ alone, for tests/bench/vmod-core.sh.
 *
 *	vmod-core		lists the cases: name, bytes of input
 *	vmod-core NAME N	does it N times, prints nanoseconds of CPU a time
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vary/normal.h"
#include "vary/request.h"

struct bench_case {
	const char *name;
	/* Vary, where form is none. */
	bool response;
	enum vary_form form;
	const char *words[4];
	const char *input;
	unsigned times; /* the input, with commas between */
};

static const struct bench_case cases[] = {
	{ "vary-canonical", true, 0, { NULL }, "Accept-Encoding", 1 },
	{ "vary-3-members", true, 0, { NULL },
	    "Host,Accept-Encoding,User-Agent", 1 },
	{ "vary-12-members", true, 0, { NULL },
	    "RSC, Next-Router-State-Tree, Next-Router-Prefetch, "
	    "Accept-Encoding,"
	    " Host, Origin, Accept, X-A, X-B, X-C, User-Agent, Cookie",
	    1 },
	{ "language", false, VARY_FORM_LANGUAGE, { "en", "fr", "de" },
	    "de-AT,de;q=0.9,en;q=0.8", 1 },
	{ "language-10x", false, VARY_FORM_LANGUAGE, { "en", "fr", "de" },
	    "xa-AT,xb;q=0.9,xn;q=0.8", 10 },
	{ "language-20x", false, VARY_FORM_LANGUAGE, { "en", "fr", "de" },
	    "xa-AT,xb;q=0.9,xn;q=0.8", 20 },
	{ "media", false, VARY_FORM_MEDIA, { "image/avif", "image/webp" },
	    "text/html,application/xhtml+xml,image/webp,*/*;q=0.8", 1 },
	{ "media-5x", false, VARY_FORM_MEDIA, { "image/avif", "image/webp" },
	    "text/html,application/xhtml+xml,image/webp,*/*;q=0.8", 5 },
	{ "media-10x", false, VARY_FORM_MEDIA, { "image/avif", "image/webp" },
	    "text/html,application/xhtml+xml,image/webp,*/*;q=0.8", 10 },
	{ "encoding", false, VARY_FORM_ENCODING, { "br", "gzip" },
	    "gzip, deflate, br, zstd", 1 },
	{ "cookie", false, VARY_FORM_COOKIE, { "session", "lang" },
	    "_ga=GA1.1.1; lang=de; session=0123456789abcdef", 1 },
	{ "cookie-10x", false, VARY_FORM_COOKIE, { "session", "lang" },
	    "_ga=GA1.1.1; _gid=de; _fbp=0123456789abcdef;", 10 },
	{ "cookie-20x", false, VARY_FORM_COOKIE, { "session", "lang" },
	    "_ga=GA1.1.1; _gid=de; _fbp=0123456789abcdef;", 20 },
	{ "allow", false, VARY_FORM_ALLOW,
	    { "https://a.example", "https://b.example" }, "https://b.example",
	    1 },
	{ "list-sorted", false, VARY_FORM_LIST, { NULL }, "c, B ,a,,d", 1 },
	{ "bucket", false, VARY_FORM_BUCKET, { "320", "640", "1280" }, "777",
	    1 },
	{ "brands", false, VARY_FORM_BRANDS, { NULL },
	    "\"Not A;Brand\";v=\"99\", \"Chromium\";v=\"130\","
	    " \"Google Chrome\";v=\"130\"",
	    1 },
};

/* What is computed must be used, or a compiler leaves it out. */
static volatile size_t sink;

static char *
input_of(const struct bench_case *c, size_t *ret_len)
{
	size_t one = strlen(c->input), len = 0;
	char *b = malloc((one + 1) * c->times);
	unsigned u;

	if (b == NULL)
		abort();
	for (u = 0; u < c->times; u++) {
		if (u > 0)
			b[len++] = ',';
		memcpy(b + len, c->input, one);
		len += one;
	}
	*ret_len = len;
	return (b);
}

static void
responses(const char *b, size_t len, unsigned long n)
{
	struct vary_rule rule[2];
	struct vary_policy p;
	struct vary_set set;
	struct vary_normal v;
	char buf[1024];

	memset(rule, 0, sizeof rule);
	rule[0].name = vary_span_str("Host");
	rule[1].name = vary_span_str("User-Agent");
	rule[0].verb = rule[1].verb = VARY_STRIP;
	vary_policy_init(&p, rule, 2);
	p.n = 2;
	for (; n > 0; n--) {
		vary_set_init(&set);
		vary_set_add(&set, b, len);
		if (vary_normal_apply(&p, &set, VARY_VIA_CACHE, buf, sizeof buf,
			&v) != VARY_OK)
			abort();
		sink += v.cache.len;
	}
}

static void
requests(const struct bench_case *c, const char *b, size_t len, unsigned long n)
{
	struct vary_span word[4], value = { b, len };
	struct vary_request_rule r;
	struct vary_request_value v;
	char buf[8192];

	memset(&r, 0, sizeof r);
	r.name = vary_span_str("X");
	r.form = c->form;
	r.sort = r.lower = true;
	for (; r.words.n < 4 && c->words[r.words.n] != NULL; r.words.n++)
		word[r.words.n] = vary_span_str(c->words[r.words.n]);
	r.words.w = word;
	for (; n > 0; n--) {
		if (vary_request_apply(&r, &value, buf, sizeof buf, &v) !=
		    VARY_OK)
			abort();
		sink += v.v.len;
	}
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return ((double)t.tv_sec * 1e9 + (double)t.tv_nsec);
}

int
main(int argc, char **argv)
{
	const struct bench_case *c;
	unsigned long n;
	double t;
	size_t i, len;
	char *b;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		c = &cases[i];
		b = input_of(c, &len);
		if (argc < 3) {
			printf("%s %zu\n", c->name, len);
		} else if (strcmp(argv[1], c->name) == 0) {
			n = strtoul(argv[2], NULL, 10);
			t = cpu();
			if (c->response)
				responses(b, len, n);
			else
				requests(c, b, len, n);
			if (n > 0)
				printf("%.1f\n", (cpu() - t) / (double)n);
		}
		free(b);
	}
	return (0);
}
