/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of a text that somebody else wrote, in bounded memory.
 * Room: cli/.  Knows neither Vary nor disks.
 */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum cli_line_status {
	CLI_LINE_OK = 0,
	CLI_LINE_LONG, /* more than max bytes: passed over, to its end */
	CLI_LINE_END,  /* of the file; or ferror() */
	CLI_LINE_NOMEM
};

/* b: until the next call, with its newline if it has one, and a NUL behind. */
struct cli_line {
	char *b;
	size_t len;
	uint64_t number; /* of this line, from 1 */
	uint64_t bytes;  /* of the file so far */
	size_t max, cap; /* max: bytes without the newline; both private */
};

void cli_line_init(struct cli_line *, size_t max);
void cli_line_fini(struct cli_line *);
enum cli_line_status cli_line_next(struct cli_line *, FILE *);
#endif
