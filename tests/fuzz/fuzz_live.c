/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What varylive reads that others wrote: lines of access logs, VCL, and the
 * text of log records, in any order.  The first byte says which.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "live/accesslog.h"
#include "live/assembly.h"
#include "live/policy.h"
#include "live/traffic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
count(void *priv, const struct live_transaction *t)
{
	assert(live_traffic_take(priv, t) == 0);
}

static void
log_lines(struct live_traffic *t, const char *name, const char *b, size_t len)
{
	static struct live_log_line l;
	static const struct live_lifetime fallback = { 120, 10, 0 };
	struct live_log_format f;
	const char *e;

	assert(live_log_format_init(&f, name) == 0);
	for (; len > 0; len -= (size_t)(e - b), b = e) {
		e = memchr(b, '\n', len);
		e = e == NULL ? b + len : e + 1;
		if (live_log_read(&l, &f, b, (size_t)(e - b), fallback))
			count(t, &l.t);
	}
}

/* A line a record: tag, vxid (both one byte from '0'), text. */
static void
records(struct live_traffic *t, const char *b, size_t len)
{
	struct live_assembly *a;
	const char *e;

	assert(live_assembly_open(&a, 4, count, t) == 0);
	for (; len > 0; len -= (size_t)(e - b), b = e) {
		struct live_record r;
		size_t n;

		e = memchr(b, '\n', len);
		e = e == NULL ? b + len : e + 1;
		n = (size_t)(e - b) - (e[-1] == '\n');
		if (n < 2)
			continue;
		r.tag = (enum live_tag)(
		    (unsigned char)(b[0] - '0') % LIVE_TAG__MAX);
		r.vxid = (unsigned char)(b[1] - '0') % 8;
		r.b = b + 2;
		r.len = n - 2;
		assert(live_assembly_take(a, &r) == 0);
	}
	live_assembly_flush(a);
	assert(live_assembly_count(a)->open == 0);
	live_assembly_close(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct live_traffic_options o = { .groups = 8,
		.replay_memory = 65536 };
	struct live_traffic t;
	struct live_policy p;
	const char *b = (const char *)data + 1;
	char *format;
	struct live_log_format f;
	unsigned line;

	if (size < 1)
		return (0);
	if (*data == 'v') {
		(void)live_policy_read(&p, b, size - 1, &line);
		return (0);
	}
	if (*data == 'f') {
		format = strndup(b, size - 1);
		assert(format != NULL);
		(void)live_log_format_init(&f, format);
		free(format);
		return (0);
	}
	assert(live_traffic_init(&t, &o) == 0);
	switch (*data) {
	case 'c': log_lines(&t, "combined", b, size - 1); break;
	case 'k': log_lines(&t, "varykit-ncsa", b, size - 1); break;
	case 'j': log_lines(&t, "json", b, size - 1); break;
	default: records(&t, b, size - 1); break;
	}
	assert(live_traffic_settle(&t, INT64_MAX) == 0);
	live_traffic_fini(&t);
	return (0);
}
