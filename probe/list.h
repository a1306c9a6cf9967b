/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list of URLs, one a line, as somebody writes it: whoever reads it does not
 * wait for the next line of a pipe.
 * Room: probe/.
 */
#ifndef PROBE_LIST_H
#define PROBE_LIST_H

#include <apr_errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROBE_LIST_LINE = 64 * 1024, /* bytes; no server takes a URL so long */
};

/* All but the number is private. */
struct probe_list {
	int fd;             /* -1: none is open */
	char *b;            /* what was read of it, and not taken */
	size_t from, to;    /* there */
	size_t seen;        /* from here on there may be a newline */
	bool over, passing; /* nothing more comes; amid a line too long */
	uint64_t number;    /* of the line, from 1 */
};

void probe_list_init(struct probe_list *);
void probe_list_fini(struct probe_list *);

/* A file, or "-": standard input.  A status of the system, if it fails. */
apr_status_t probe_list_open(struct probe_list *, const char *name);
void probe_list_close(struct probe_list *);

/*
 * The next line that is no comment, without the blanks around it; good until the
 * next call.  APR_EAGAIN: no whole line has come yet; fd is to be waited for.
 * APR_EOF: there is none.  APR_ENAMETOOLONG: line number is too long, the next
 * call goes on behind it.  Another status is the system's, and the end.
 */
apr_status_t probe_list_next(struct probe_list *, const char **ret);
#endif
