/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole audit of an origin that means harm: heads and bodies are the input's, and
 * which one comes depends on a request header, on the method, or on how many came
 * before.  Ends in every format.
 */
#include "config.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probe/analysis.h"
#include "probe/head.h"
#include "probe/plan.h"
#include "probe/report.h"
#include "probe/rules.h"
#include "tests/fuzz/fuzz_apr.h"

enum {
	REPLIES = 4,
	MAX_AXES = 256,
	MOST = 4000, /* requests of an audit: it ends */
};

/* Replies are parted by NULs; of each, the head ends with an empty line. */
struct origin {
	const uint8_t *reply[REPLIES];
	size_t len[REPLIES];
	unsigned n, count;
	uint8_t how;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *
sent(const struct probe_request *q, const char *name)
{
	const char *found = "";
	size_t i;

	for (i = 0; i < q->nheaders; i++)
		if (strcasecmp(q->headers[i].name, name) == 0)
			found = q->headers[i].value;
	return (found);
}

static unsigned
choose(const struct origin *o, const struct probe_request *q)
{
	static const char *const by[] = { "Accept-Language", "User-Agent",
		"Cookie", "Accept-Encoding", "Accept", "Origin", "Host" };
	const char *v;
	unsigned n = 0;

	switch (o->how % 10) {
	case 7: return (q->method);
	case 8: return (o->count);
	case 9: return (0);
	default:
		v = sent(q, by[o->how % 10]);
		for (; v != NULL && *v != '\0'; v++)
			n = n * 31 + (unsigned char)*v;
		return (n);
	}
}

static void
answer(struct origin *o, struct probe_subject *s,
    const struct probe_sample *sample, struct probe_head *head,
    struct probe_decoded *scratch, apr_pool_t *pool)
{
	struct probe_exchange x;
	struct probe_request q;
	const uint8_t *body;
	size_t len;
	unsigned i;
	char *b;

	o->count++;
	probe_plan_request(s, sample, &q, pool);
	i = choose(o, &q) % o->n;
	memset(&x, 0, sizeof x);
	body = memmem(o->reply[i], o->len[i], "\n\n", 2);
	len = body != NULL ? (size_t)(body - o->reply[i]) : o->len[i];
	b = fuzz_exact(o->reply[i], len);
	if (!probe_head_split(head, b, len))
		abort();
	x.status = 200;
	if (len >= 12 && memcmp(b, "HTTP/1.1 ", 9) == 0)
		x.status = atoi((char[]){ b[9], b[10], b[11], '\0' });
	if (x.status < 100)
		x.end = PROBE_BROKEN;
	else {
		x.http = 11;
		x.lines = head->lines;
		x.nlines = head->nlines;
		if (body != NULL && q.method != PROBE_HEAD) {
			x.body = (const char *)body + 2;
			x.body_len = o->len[i] - len - 2;
		}
	}
	probe_analysis_take(s, sample, &x, scratch);
	free(b);
}

static void
print(const struct probe_result *r)
{
	static const char *const formats[] = { "human", "json", "ndjson",
		"sarif", "junit", "tap", "github", "prometheus" };
	const struct probe_report *report;
	struct probe_report_context c;
	struct probe_summary sum;
	char *text;
	size_t i, len, j;

	for (i = 0; i < sizeof formats / sizeof *formats; i++) {
		report = probe_report_find(formats[i]);
		memset(&c, 0, sizeof c);
		memset(&sum, 0, sizeof sum);
		c.f = open_memstream(&text, &len);
		c.width = 80;
		c.profile = "varnish";
		c.fail_on = PROBE_NOTE;
		probe_summary_add(&sum, r);
		if (c.f == NULL || report->begin(&c) != 0 ||
		    report->target(&c, r) != 0 || report->end(&c, &sum) != 0 ||
		    fclose(c.f) != 0)
			abort();
		/* Nothing that a terminal would obey, in no format. */
		for (j = 0; j < len; j++)
			assert(
			    text[j] == '\n' || (unsigned char)text[j] >= ' ');
		free(text);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct probe_axis *axes[MAX_AXES];
	struct probe_settings settings;
	struct probe_subject subject;
	struct probe_decoded scratch;
	struct probe_sample next;
	struct probe_head head;
	struct origin o;
	const struct probe_axis *a;
	const uint8_t *p, *e = data + size, *nul;
	apr_pool_t *pool;

	if (size < 2)
		return (0);
	memset(&o, 0, sizeof o);
	o.how = (uint8_t)(*data - '0');
	for (p = data + 1; o.n < REPLIES; p = nul + 1) {
		nul = memchr(p, 0, (size_t)(e - p));
		o.reply[o.n] = p;
		o.len[o.n++] = (size_t)((nul != NULL ? nul : e) - p);
		if (nul == NULL)
			break;
	}
	pool = fuzz_pool();
	memset(&settings, 0, sizeof settings);
	settings.profile = probe_profile_find("varnish");
	settings.checks = true;
	settings.max_body = 1 << 20;
	settings.expected = 1;
	settings.seed = 7;
	for (a = probe_axes; a->name != NULL && settings.naxes < MAX_AXES; a++)
		if ((a->flags & PROBE_AXIS_MAIN) != 0)
			axes[settings.naxes++] = a;
	settings.axes = axes;
	memset(&scratch, 0, sizeof scratch);
	memset(&head, 0, sizeof head);
	if (probe_subject_init(&subject, &settings, "http://site.example/",
		"site.example", 1, pool) != APR_SUCCESS)
		abort();
	while (probe_plan_next(&subject, &next) == PROBE_PLAN_SEND) {
		assert(o.count < MOST);
		answer(&o, &subject, &next, &head, &scratch, pool);
	}
	print(probe_rules_judge(&subject, pool));
	probe_decoded_fini(&scratch);
	probe_subject_fini(&subject);
	probe_head_fini(&head);
	apr_pool_destroy(pool);
	return (0);
}
