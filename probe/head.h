/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The head of a response, as it came, into lines.
 * Room: probe/.  No I/O.
 */
#ifndef PROBE_HEAD_H
#define PROBE_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/exchange.h"

enum {
	PROBE_HEAD_LINES = 4096, /* what comes after so many is left out */
};

/* All zeros is empty; the lines point into what was split last. */
struct probe_head {
	struct probe_line *lines;
	size_t nlines;
	size_t cap; /* private to head.c */
};

/*
 * The lines of b, of len bytes; a line without a colon, such as the status line, is
 * none.  A line that begins with a blank goes on with the one before (obs-fold, RFC
 * 9112 section 5.2): what is between them in b becomes blanks.  False: no memory.
 */
bool probe_head_split(struct probe_head *, char *b, size_t len);
void probe_head_fini(struct probe_head *);
#endif
