/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/document.h"

#include <assert.h>

void
cli_document_init(struct cli_document *d, FILE *f)
{
	d->f = f;
	d->left = CLI_DOCUMENT_MAX;
	d->over = false;
}

size_t
cli_document_read(void *buf, size_t cap, void *document)
{
	struct cli_document *d = document;
	int c;

	assert(cap > 0);
	if (d->left == 0) {
		d->over = true;
		return (0);
	}
	c = getc_unlocked(d->f);
	if (c == EOF)
		return (0);
	d->left--;
	*(unsigned char *)buf = (unsigned char)c;
	return (1);
}
