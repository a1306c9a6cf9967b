/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/devset.h"

#include <stdlib.h>

bool
bench_devset_has(const struct bench_devset *s, dev_t dev)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->dev[i] == dev)
			return (true);
	return (false);
}

bool
bench_devset_add(struct bench_devset *s, dev_t dev)
{
	size_t cap = s->cap > 0 ? s->cap * 2 : 64;
	dev_t *more;

	if (dev == 0 || bench_devset_has(s, dev))
		return (false);
	if (s->n == s->cap) {
		more = realloc(s->dev, cap * sizeof *more);
		if (more == NULL) {
			s->lost = true;
			return (false);
		}
		s->dev = more;
		s->cap = cap;
	}
	s->dev[s->n++] = dev;
	return (true);
}

void
bench_devset_clear(struct bench_devset *s)
{
	s->n = 0;
}

void
bench_devset_fini(struct bench_devset *s)
{
	free(s->dev);
	s->dev = NULL;
	s->n = s->cap = 0;
}
