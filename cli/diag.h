/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the programs say to people: "prog: message" on stderr.
 * Room: cli/.  Knows neither Vary nor disks.
 */
#ifndef CLI_DIAG_H
#define CLI_DIAG_H

#include <stddef.h>

#if defined(__GNUC__)
#define CLI_PRINTF(f, a) __attribute__((__format__(__printf__, f, a)))
#else
#define CLI_PRINTF(f, a)
#endif

/* Exit codes that both programs share; each documents its own beside these. */
enum cli_exit {
	CLI_EXIT_OK = 0,
	CLI_EXIT_USAGE = 2,
	CLI_EXIT_INTERNAL = 4,
};

/*
 * The first thing that a program does: see that no file which it opens becomes its
 * standard output or error, and remember its name; argv[0] with or without a path.
 * Borrowed.
 */
void cli_diag_init(const char *argv0);
const char *cli_diag_name(void);

/*
 * One line of at most 4096 bytes; control characters become '?'.
 * "prog: message", "prog: warning: message", "prog: note: message".
 */
void cli_error(const char *fmt, ...) CLI_PRINTF(1, 2);
void cli_warning(const char *fmt, ...) CLI_PRINTF(1, 2);
void cli_note(const char *fmt, ...) CLI_PRINTF(1, 2);

/* More of a sentence; size is that of all of text, and what does not fit is cut. */
void cli_append(char *text, size_t size, const char *fmt, ...) CLI_PRINTF(3, 4);
#endif
