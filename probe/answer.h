/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An answer while it comes: its head and body, as far as we take them.
 * Room: probe/.  No I/O.
 */
#ifndef PROBE_ANSWER_H
#define PROBE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/exchange.h"
#include "probe/head.h"

struct probe_answer_bytes {
	char *b;
	size_t len, cap;
};

/* All zeros but max_body is an answer of which nothing has come. */
struct probe_answer {
	size_t max_body;
	bool whole_head;
	bool large_head; /* longer than we take */
	bool truncated;  /* there was more body than max_body */
	bool nomem;
	/* private to answer.c */
	struct probe_answer_bytes head, body;
	struct probe_head split;
};

/* Give back what is held of an answer; small buffers stay for the next one. */
void probe_answer_reset(struct probe_answer *);
void probe_answer_fini(struct probe_answer *);

/* A line of the head, or bytes of the body, as they come.  False: no more, please;
 * the members say why. */
bool probe_answer_head(struct probe_answer *, const char *line, size_t len);
bool probe_answer_body(struct probe_answer *, const char *b, size_t len);

/* The lines and the body of what has come, borrowed until the next answer.  False: no
 * memory. */
bool probe_answer_fill(struct probe_answer *, struct probe_exchange *);
#endif
