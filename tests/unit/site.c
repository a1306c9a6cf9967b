/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/site.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <strings.h>

#include <apr_strings.h>
#include <zlib.h>

#include "probe/analysis.h"
#include "probe/plan.h"

enum {
	MAX_AXES = 256,
};

apr_pool_t *site_pool;
struct probe_subject site_subject;
struct probe_result *site_result;

/* --- what an origin is made of ------------------------------------------- */

const char *
site_sent(const struct probe_request *q, const char *name)
{
	size_t i;

	for (i = 0; i < q->nheaders; i++)
		if (strcasecmp(q->headers[i].name, name) == 0)
			return (q->headers[i].value);
	return (NULL);
}

bool
site_says(const struct probe_request *q, const char *name, const char *part)
{
	const char *v = site_sent(q, name);

	return (v != NULL && strstr(v, part) != NULL);
}

void
reply_line(struct reply *r, const char *name, const char *value)
{
	assert_true(r->n < SITE_MAX_LINES);
	r->lines[r->n].name = name;
	r->lines[r->n].name_len = strlen(name);
	r->lines[r->n].value = apr_pstrdup(site_pool, value);
	r->lines[r->n++].value_len = strlen(value);
}

void
reply_text(struct reply *r, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(r->body + r->len, sizeof r->body - r->len, fmt, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < sizeof r->body - r->len);
	r->len += (size_t)n;
}

void
reply_page(struct reply *r, const char *language)
{
	int i;

	reply_text(r,
	    "<!DOCTYPE html>\n<html lang=\"%s\">\n<title>Page</title>\n",
	    language);
	for (i = 0; i < 20; i++)
		reply_text(r, "<p>Paragraph %d in %s.</p>\n", i, language);
	reply_text(r, "</html>\n");
}

void
reply_compress(struct reply *r)
{
	char out[sizeof r->body];
	z_stream z;

	memset(&z, 0, sizeof z);
	assert_int_equal(Z_OK, deflateInit2(&z, 9, Z_DEFLATED, 31, 9, 0));
	z.next_in = (unsigned char *)r->body;
	z.avail_in = (uInt)r->len;
	z.next_out = (unsigned char *)out;
	z.avail_out = sizeof out;
	assert_int_equal(Z_STREAM_END, deflate(&z, Z_FINISH));
	r->len = z.total_out;
	memcpy(r->body, out, r->len);
	deflateEnd(&z);
}

/* --- an audit ------------------------------------------------------------ */

static struct probe_settings settings;

/* One answer: what the origin says to a sample. */
static void
answer(struct site *s, const struct probe_sample *sample,
    struct probe_decoded *scratch)
{
	static struct reply reply;
	struct probe_exchange x;
	struct probe_request q;

	s->count++;
	probe_plan_request(&site_subject, sample, &q, site_pool);
	if (q.method == PROBE_OPTIONS)
		s->options++;
	if (q.method == PROBE_HEAD)
		s->heads++;
	memset(&reply, 0, sizeof reply);
	reply.status = 200;
	s->answer(s, &q, &reply);
	memset(&x, 0, sizeof x);
	x.end = reply.end;
	if (x.end == PROBE_ANSWERED) {
		x.status = reply.status;
		x.http = 11;
		x.lines = reply.lines;
		x.nlines = reply.n;
		if (q.method != PROBE_HEAD && x.status != 304) {
			x.body = reply.body;
			x.body_len = reply.len;
		}
	} else
		x.error = "as told";
	probe_analysis_take(&site_subject, sample, &x, scratch);
}

static const struct probe_header own_headers[] = { { "X-Own", "yes" } };

void
site_audit(struct site *s)
{
	static const struct probe_axis *axes[MAX_AXES];
	struct probe_sample pending[SITE_MAX_WINDOW], next;
	struct probe_decoded scratch;
	const struct probe_axis *a;
	enum probe_plan_step step;
	size_t n;
	unsigned waiting = 0, window = s->window > 0 ? s->window : 1;

	memset(&settings, 0, sizeof settings);
	settings.profile = probe_profile_find("varnish");
	settings.checks = true;
	settings.max_body = 1 << 20;
	settings.expected = s->number > 0 ? 0 : 1;
	settings.seed = 7;
	settings.buster = s->buster;
	settings.headers = own_headers;
	settings.nheaders = sizeof own_headers / sizeof *own_headers;
	/* As the options choose them. */
	for (a = probe_axes, n = 0; a->name != NULL; a++) {
		if ((a->flags & (PROBE_AXIS_MAIN | PROBE_AXIS_GROUP)) == 0)
			continue;
		assert_true(n < MAX_AXES);
		axes[n++] = a;
	}
	settings.axes = axes;
	settings.naxes = n;
	memset(&scratch, 0, sizeof scratch);
	assert_int_equal(APR_SUCCESS,
	    probe_subject_init(&site_subject, &settings, "http://site.example/",
		"site.example", s->number, site_pool));
	while (
	    (step = probe_plan_next(&site_subject, &next)) != PROBE_PLAN_DONE) {
		assert_true(s->count < SITE_MOST);
		if (step == PROBE_PLAN_SEND)
			pending[waiting++] = next;
		/* It waits for what is on its way, and for nothing else. */
		assert_true(waiting > 0);
		if (step == PROBE_PLAN_WAIT || waiting == window) {
			next = pending[0];
			memmove(
			    pending, pending + 1, --waiting * sizeof *pending);
			answer(s, &next, &scratch);
		}
	}
	assert_int_equal(0, waiting);
	site_result = probe_rules_judge(&site_subject, site_pool);
	assert_int_equal(s->count, site_subject.requests);
	probe_decoded_fini(&scratch);
	probe_subject_fini(&site_subject);
}

const struct probe_finding *
site_found(enum probe_rule rule, const char *member)
{
	const struct probe_finding *f;
	int i;

	for (i = 0; i < site_result->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(
		    site_result->findings, i, struct probe_finding);
		if (f->rule == rule &&
		    (member == NULL ||
			(f->member != NULL && strcmp(f->member, member) == 0)))
			return (f);
	}
	return (NULL);
}

const struct probe_member *
site_member(const char *name)
{
	const struct probe_member *m;
	int i;

	for (i = 0; i < site_result->members->nelts; i++) {
		m = &APR_ARRAY_IDX(
		    site_result->members, i, struct probe_member);
		if (strcasecmp(m->name, name) == 0)
			return (m);
	}
	fail_msg("%s is no member of the result", name);
	abort();
}
