/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fileset.h"

bool
bench_fileset_has(const struct bench_fileset *s, dev_t dev, ino_t ino)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->file[i].dev == dev && s->file[i].ino == ino)
			return (true);
	return (false);
}

void
bench_fileset_add(struct bench_fileset *s, dev_t dev, ino_t ino)
{
	if (bench_fileset_has(s, dev, ino))
		return;
	if (s->n == sizeof s->file / sizeof *s->file) {
		s->lost = true;
		return;
	}
	s->file[s->n].dev = dev;
	s->file[s->n].ino = ino;
	s->n++;
}
