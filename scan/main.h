/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "varyprobe scan".
 * Room: scan/.
 */
#ifndef SCAN_MAIN_H
#define SCAN_MAIN_H

enum scan_exit {
	SCAN_EXIT_FINDINGS = 1, /* at or above --fail-on */
	SCAN_EXIT_UNREAD = 3,   /* something was not read, with --strict */
};

/* argv[0] is the command's name; returns the exit code. */
int scan_main(int argc, char **argv);
#endif
