/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/json.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/report.h"

/* Room for so many bytes more; false: there is none. */
static bool
reserve(struct probe_json *j, size_t n)
{
	size_t cap;
	char *b;

	if (n <= j->cap - j->len)
		return (true);
	for (cap = j->cap > 0 ? j->cap : 4096; cap - j->len < n; cap *= 2)
		continue;
	b = realloc(j->b, cap);
	if (b == NULL) {
		j->nomem = true;
		return (false);
	}
	j->b = b;
	j->cap = cap;
	return (true);
}

static void
put(struct probe_json *j, const char *s, size_t n)
{
	if (!reserve(j, n))
		return;
	memcpy(j->b + j->len, s, n);
	j->len += n;
}

static void
begin_line(struct probe_json *j)
{
	unsigned i;

	if (j->compact)
		return;
	put(j, "\n", 1);
	for (i = 0; i < j->depth; i++)
		put(j, " ", 1);
}

/* What stands between this value, or name, and the one before it. */
static void
begin(struct probe_json *j)
{
	if (j->named || j->depth == 0) {
		j->named = false;
		return;
	}
	if (!j->empty)
		put(j, ",", 1);
	j->empty = false;
	begin_line(j);
}

void
probe_json_reset(struct probe_json *j)
{
	j->len = 0;
	j->depth = 0;
	j->nomem = j->empty = j->named = false;
}

void
probe_json_fini(struct probe_json *j)
{
	free(j->b);
	memset(j, 0, sizeof *j);
}

void
probe_json_open(struct probe_json *j, char bracket)
{
	begin(j);
	put(j, &bracket, 1);
	j->depth++;
	j->empty = true;
}

void
probe_json_close(struct probe_json *j, char bracket)
{
	assert(j->depth > 0);
	j->depth--;
	if (!j->empty)
		begin_line(j);
	/* What was opened in it is there. */
	j->empty = false;
	put(j, &bracket, 1);
}

static bool
is_utf8(const char *s)
{
	size_t n;

	for (; *s != '\0'; s += n) {
		n = (unsigned char)*s < 0x80 ? 1 : probe_report_character(s);
		if (n == 0)
			return (false);
	}
	return (true);
}

/* A byte that may not stand for itself (RFC 8259 section 7). */
static void
escape(struct probe_json *j, char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *p = strchr(from, c);
	char b[8];

	if (p != NULL)
		(void)snprintf(b, sizeof b, "\\%c", to[p - from]);
	else
		(void)snprintf(b, sizeof b, "\\u%04X", (unsigned)c);
	put(j, b, strlen(b));
}

static void
quote(struct probe_json *j, const char *s)
{
	const char *b;
	bool utf8 = is_utf8(s);

	put(j, "\"", 1);
	for (b = s;; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= ' ' && c != '"' && c != '\\' && (c < 0x80 || utf8))
			continue;
		put(j, b, (size_t)(s - b));
		b = s + 1;
		if (c == '\0')
			break;
		if (c >= 0x80)
			put(j, "\xef\xbf\xbd", 3);
		else
			escape(j, *s);
	}
	put(j, "\"", 1);
}

void
probe_json_name(struct probe_json *j, const char *name)
{
	begin(j);
	quote(j, name);
	put(j, ": ", j->compact ? 1 : 2);
	j->named = true;
}

void
probe_json_string(struct probe_json *j, const char *s)
{
	begin(j);
	if (s == NULL)
		put(j, "null", 4);
	else
		quote(j, s);
}

void
probe_json_integer(struct probe_json *j, int64_t n)
{
	char b[32];

	begin(j);
	put(j, b, (size_t)snprintf(b, sizeof b, "%" PRId64, n));
}

void
probe_json_real(struct probe_json *j, double d)
{
	char b[32], *e;
	size_t n = (size_t)snprintf(b, sizeof b, "%.8g", d);

	begin(j);
	/* 1e-05 is 1e-5. */
	e = strchr(b, 'e');
	if (e != NULL) {
		e += e[1] == '-' ? 2 : 1;
		memmove(
		    e, e + strspn(e, "+0"), strlen(e + strspn(e, "+0")) + 1);
		n = strlen(b);
	}
	put(j, b, n);
	if (e == NULL && strchr(b, '.') == NULL)
		put(j, ".0", 2);
}

void
probe_json_bool(struct probe_json *j, bool yes)
{
	begin(j);
	put(j, yes ? "true" : "false", yes ? 4 : 5);
}
