/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEEP_BODY = 256 * 1024,
};

void
probe_kept_fini(struct probe_kept *k)
{
	free(k->lines);
	free(k->head);
	free(k->body);
	memset(k, 0, sizeof *k);
}

int
probe_kept_copy(struct probe_kept *k, const struct probe_exchange *x,
    const char *body, size_t len)
{
	size_t i, n = 0;
	char *p;

	probe_kept_fini(k);
	for (i = 0; i < x->nlines; i++)
		n += x->lines[i].name_len + x->lines[i].value_len;
	k->cut = len > KEEP_BODY;
	if (k->cut)
		len = KEEP_BODY;
	k->lines = malloc((x->nlines + 1) * sizeof *k->lines);
	k->head = p = malloc(n + 1);
	k->body = malloc(len + 1);
	if (k->lines == NULL || k->head == NULL || k->body == NULL)
		return (-ENOMEM);
	for (i = 0; i < x->nlines; i++) {
		k->lines[i] = x->lines[i];
		k->lines[i].name =
		    memcpy(p, x->lines[i].name, x->lines[i].name_len);
		p += x->lines[i].name_len;
		k->lines[i].value =
		    memcpy(p, x->lines[i].value, x->lines[i].value_len);
		p += x->lines[i].value_len;
	}
	k->nlines = x->nlines;
	k->status = x->status;
	if (len > 0)
		memcpy(k->body, body, len);
	k->body_len = len;
	return (0);
}
