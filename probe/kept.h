/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A copy of a response, to show where it differs from another.
 * Room: probe/.  Pure; owns its memory, which is not a pool's: a subject keeps
 * the last one of many.
 */
#ifndef PROBE_KEPT_H
#define PROBE_KEPT_H


#include "probe/exchange.h"

struct probe_kept {
	int status;
	struct probe_line *lines;
	size_t nlines;
	char *head; /* what the lines point into */
	char *body; /* decoded; at most the first 256 KiB */
	size_t body_len;
	bool cut; /* there was more of the body */
};

/*
 * In place of what it holds; body is the decoded one.  0, or -ENOMEM, and then
 * it may hold a part.
 */
int probe_kept_copy(struct probe_kept *, const struct probe_exchange *,
    const char *body, size_t len);
void probe_kept_fini(struct probe_kept *);
#endif
