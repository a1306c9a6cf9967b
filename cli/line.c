/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/line.h"

#include <stdlib.h>
#include <string.h>

void
cli_line_init(struct cli_line *l, size_t max)
{
	memset(l, 0, sizeof *l);
	l->max = max;
}

void
cli_line_fini(struct cli_line *l)
{
	free(l->b);
	l->b = NULL;
}

/* Room for one byte more and the NUL.  Never beyond max and newline. */
static int
grow(struct cli_line *l)
{
	size_t cap = l->cap == 0 ? 256 : 2 * l->cap;
	char *b;

	if (l->len + 2 <= l->cap)
		return (0);
	if (cap > l->max + 2)
		cap = l->max + 2;
	b = realloc(l->b, cap);
	if (b == NULL)
		return (-1);
	l->b = b;
	l->cap = cap;
	return (0);
}

enum cli_line_status
cli_line_next(struct cli_line *l, FILE *f)
{
	enum cli_line_status st = CLI_LINE_OK;
	uint64_t n = 0;
	int c;

	l->len = 0;
	while ((c = getc_unlocked(f)) != EOF) {
		n++;
		if (l->len < l->max || (c == '\n' && l->len == l->max)) {
			if (grow(l) < 0)
				return (CLI_LINE_NOMEM);
			l->b[l->len++] = (char)c;
		} else
			st = CLI_LINE_LONG;
		if (c == '\n')
			break;
	}
	l->bytes += n;
	if (n == 0)
		return (CLI_LINE_END);
	l->number++;
	/* max may be 0. */
	if (grow(l) < 0)
		return (CLI_LINE_NOMEM);
	l->b[l->len] = '\0';
	return (st);
}
