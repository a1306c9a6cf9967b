/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings from files, for a terminal and for a page.
 * Room: diskbench/, deciding.
 */
#ifndef DISKBENCH_LEGIBLE_H
#define DISKBENCH_LEGIBLE_H

/*
 * Titles of terminals, moved cursors, text that reads backwards, what is no
 * UTF-8: none of it belongs in a name.  Each such character becomes one "?", in
 * place.
 */
void bench_legible(char *text);
#endif
