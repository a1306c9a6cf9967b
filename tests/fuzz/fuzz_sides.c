/* SPDX-License-Identifier: BSD-2-Clause */
/* Results from anywhere, compared with themselves and printed. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diskbench/sides.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct bench_sides *s = calloc(1, sizeof *s);
	struct bench_comparison *c = calloc(1, sizeof *c);
	struct bench_refusal why;
	char path[64], *text = NULL;
	size_t n = 0, i;
	FILE *f = open_memstream(&text, &n);
	int fd = memfd_create("result", 0);

	if (s == NULL || c == NULL || f == NULL || fd < 0 ||
	    write(fd, data, len) != (ssize_t)len)
		abort();
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (i = 0; i < 4; i++)
		s->file[i] = path;
	s->n[0] = s->n[1] = 2;
	s->different = (len & 1) != 0;
	if (bench_sides_open(s, c, &why) == 0 &&
	    bench_comparison_decide(c) == 0) {
		(void)bench_report_compare_text(f, c);
		/* Whatever was in the file, a terminal gets none of these. */
		(void)fflush(f);
		for (i = 0; i < n; i++)
			if ((unsigned char)text[i] < 0x20 && text[i] != '\n')
				abort();
		(void)bench_report_compare_json(f, c, NULL, 0, 0);
	}
	bench_sides_close(s);
	(void)fclose(f);
	free(text);
	free(s);
	free(c);
	(void)close(fd);
	return (0);
}
