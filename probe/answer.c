/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/answer.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_HEAD = 512 * 1024,
	KEEP = 256 * 1024, /* a buffer may stay this large */
};

static bool
append(struct probe_answer_bytes *b, const char *p, size_t len)
{
	size_t cap;
	char *n;

	if (len > b->cap - b->len) {
		cap = b->cap > 0 ? b->cap : 4096;
		while (cap - b->len < len)
			cap *= 2;
		n = realloc(b->b, cap);
		if (n == NULL)
			return (false);
		b->b = n;
		b->cap = cap;
	}
	memcpy(b->b + b->len, p, len);
	b->len += len;
	return (true);
}

/* After one large page its megabytes would be held for good. */
static void
shrink(struct probe_answer_bytes *b)
{
	if (b->cap > KEEP) {
		free(b->b);
		b->b = NULL;
		b->cap = 0;
	}
	b->len = 0;
}

void
probe_answer_reset(struct probe_answer *a)
{
	shrink(&a->head);
	shrink(&a->body);
	a->whole_head = a->large_head = a->truncated = a->nomem = false;
}

void
probe_answer_fini(struct probe_answer *a)
{
	free(a->head.b);
	free(a->body.b);
	probe_head_fini(&a->split);
	memset(a, 0, sizeof *a);
}

bool
probe_answer_head(struct probe_answer *a, const char *p, size_t len)
{
	/* A status line begins anew: an interim answer, or after a proxy's. */
	if (len > 5 && memcmp(p, "HTTP/", 5) == 0) {
		a->head.len = 0;
		a->whole_head = false;
	} else if (a->whole_head)
		return (true); /* a trailer is no part of the head */
	if (len > MAX_HEAD - a->head.len) {
		a->large_head = true;
		return (false);
	}
	if (!append(&a->head, p, len)) {
		a->nomem = true;
		return (false);
	}
	if ((len == 2 && memcmp(p, "\r\n", 2) == 0) || (len == 1 && *p == '\n'))
		a->whole_head = true;
	return (true);
}

bool
probe_answer_body(struct probe_answer *a, const char *p, size_t len)
{
	size_t take = a->max_body - a->body.len;

	if (take > len)
		take = len;
	if (!append(&a->body, p, take)) {
		a->nomem = true;
		return (false);
	}
	/* An endless body is cut here: the transfer ends. */
	a->truncated = take < len;
	return (!a->truncated);
}

bool
probe_answer_fill(struct probe_answer *a, struct probe_exchange *x)
{
	if (!probe_head_split(&a->split, a->head.b, a->head.len))
		return (false);
	x->lines = a->split.lines;
	x->nlines = a->split.nlines;
	x->body = a->body.b;
	x->body_len = a->body.len;
	x->truncated = a->truncated;
	return (true);
}
