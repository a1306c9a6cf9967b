/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/list.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
probe_list_init(struct probe_list *l)
{
	memset(l, 0, sizeof *l);
	l->fd = -1;
}

void
probe_list_fini(struct probe_list *l)
{
	probe_list_close(l);
	free(l->b);
	l->b = NULL;
}

apr_status_t
probe_list_open(struct probe_list *l, const char *name)
{
	assert(l->fd < 0);
	/* The longest line, its newline, and a NUL behind it. */
	if (l->b == NULL && (l->b = malloc(PROBE_LIST_LINE + 2)) == NULL)
		return (APR_ENOMEM);
	l->from = l->to = l->seen = 0;
	l->over = l->passing = false;
	l->number = 0;
	/* The open of a fifo does not wait for its writer, either. */
	l->fd = strcmp(name, "-") == 0
		    ? STDIN_FILENO
		    : open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return (l->fd < 0 ? APR_FROM_OS_ERROR(errno) : APR_SUCCESS);
}

void
probe_list_close(struct probe_list *l)
{
	if (l->fd > STDIN_FILENO)
		(void)close(l->fd);
	l->fd = -1;
}

/* Read on, if that takes no waiting. */
static apr_status_t
fill(struct probe_list *l)
{
	/* Standard input is not ours alone: others would find O_NONBLOCK. */
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	ssize_t n;

	if (poll(&p, 1, 0) <= 0)
		return (APR_EAGAIN);
	if (l->from > 0)
		memmove(l->b, l->b + l->from, l->to - l->from);
	l->to -= l->from;
	l->seen -= l->from;
	l->from = 0;
	n = read(l->fd, l->b + l->to, PROBE_LIST_LINE + 1 - l->to);
	if (n < 0)
		return (errno == EAGAIN || errno == EINTR
			    ? APR_EAGAIN
			    : APR_FROM_OS_ERROR(errno));
	l->over = n == 0;
	l->to += (size_t)n;
	return (APR_SUCCESS);
}

/* A whole line, with a NUL in place of its newline. */
static apr_status_t
next_line(struct probe_list *l, char **ret, size_t *ret_len)
{
	char *nl;
	bool passing;
	apr_status_t st;

	while ((nl = memchr(l->b + l->seen, '\n', l->to - l->seen)) == NULL &&
	       !l->over) {
		l->seen = l->to;
		if (l->to - l->from > PROBE_LIST_LINE) {
			l->from = l->to = l->seen = 0;
			l->passing = true;
		}
		st = fill(l);
		if (st != APR_SUCCESS)
			return (st);
	}
	passing = l->passing;
	if (nl == NULL && l->from == l->to && !passing)
		return (APR_EOF);
	if (nl == NULL)
		nl = l->b + l->to;
	*nl = '\0';
	*ret = l->b + l->from;
	*ret_len = (size_t)(nl - *ret);
	l->from = (size_t)(nl - l->b) + (l->from + *ret_len < l->to ? 1 : 0);
	l->seen = l->from;
	l->passing = false;
	l->number++;
	return (passing ? APR_ENAMETOOLONG : APR_SUCCESS);
}

apr_status_t
probe_list_next(struct probe_list *l, const char **ret)
{
	char *b, *e;
	size_t len;
	apr_status_t st;

	while ((st = next_line(l, &b, &len)) == APR_SUCCESS) {
		e = b + len;
		/* A file from elsewhere may begin with a byte order mark. */
		if (len >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0)
			b += 3;
		while (e > b && strchr(" \t\r\n", e[-1]) != NULL)
			*--e = '\0';
		while (*b == ' ' || *b == '\t')
			b++;
		if (*b == '\0' || *b == '#')
			continue;
		*ret = b;
		break;
	}
	return (st);
}
