/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings from files, for a terminal, for a page and for a shell.
 * Room: diskbench/, deciding.
 */
#ifndef DISKBENCH_LEGIBLE_H
#define DISKBENCH_LEGIBLE_H

#include <stddef.h>

/*
 * Titles of terminals, moved cursors, text that reads backwards, what is no
 * UTF-8: none of it belongs in a name.  Each such character becomes one "?", in
 * place.
 */
void bench_legible(char *text);
/* Of a copy in buf, cut where it does not fit.  Returns buf. */
const char *bench_legible_copy(char *buf, size_t len, const char *text);

/* The word as a shell reads it, quoted where it has to be; into buf, cut where
 * it does not fit. */
void bench_shell_word(char *buf, size_t len, const char *word);
#endif
