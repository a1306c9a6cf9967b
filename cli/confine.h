/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Give up what a program does not need, before it reads what others wrote: root,
 * capabilities, writing to files (Landlock), other programs and the kernel's
 * rarely needed doors (seccomp).  Each is done as far as the system has it; none
 * is an error where it has not.
 * Room: cli/.
 */
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

struct cli_confine {
	/* Files that are going to be read or written beside: folders of the
	 * latter stay writable.  NULL at the end; NULL and "-" are none. */
	const char *const *reads;
	const char *const *writes;
	bool keep_user;  /* stay root, without its capabilities */
	bool keep_exec;  /* other programs are started */
	bool keep_calls; /* no seccomp: it costs a little in every call */
	/* Capabilities that stay, if they are there. */
	bool keep_ipc_lock, keep_dac, keep_admin;
};

/* What was done; a set of these. */
enum {
	CLI_CONFINED_USER = 1,         /* root is given up */
	CLI_CONFINED_CAPABILITIES = 2, /* those of root are */
	CLI_CONFINED_FILES = 4,        /* Landlock */
	CLI_CONFINED_CALLS = 8,        /* seccomp */
};

/*
 * Call it before the first thread; it holds for all that come, and another call
 * can only give up more.  Of root,
 * SUDO_UID or else nobody is made, unless keep_user is set, something is in
 * .writes, or that user could not read all of .reads; root that stays keeps its
 * way past file permissions for those.
 */
unsigned cli_confine(const struct cli_confine *);

/* What a program could do here: "user, capabilities, files (Landlock 7), ..." */
void cli_confine_offer(char *buf, size_t len);
#endif
