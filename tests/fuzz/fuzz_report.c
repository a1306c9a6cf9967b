/* SPDX-License-Identifier: BSD-2-Clause */
/* Results from anywhere: as a page, as text, and gnuplot's commands. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "diskbench/page_print.h"
#include "diskbench/page_read.h"
#include "diskbench/plot.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct bench_page page;
	struct bench_refusal why;
	char *text = NULL;
	size_t n = 0, i;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL)
		return (0);
	bench_page_init(&page);
	if (bench_page_parse(&page, "input", (const char *)data, len, &why) ==
	    0) {
		bench_page_text(f, &page, 80);
		/* Whatever was in the file, a terminal gets none of these. */
		(void)fflush(f);
		for (i = 0; i < n; i++)
			if ((unsigned char)text[i] < 0x20 && text[i] != '\n')
				abort();
		bench_page_script(f, &page);
		bench_page_html(f, &page, NULL, 0);
	}
	bench_page_fini(&page);
	/* The other thing that is read: what gnuplot printed. */
	(void)bench_plot_inside(f, (const char *)data, len);
	(void)fclose(f);
	free(text);
	return (0);
}
