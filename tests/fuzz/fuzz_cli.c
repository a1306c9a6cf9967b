/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers within their limits, or *ret left alone; lines, none lost. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/line.h"
#include "cli/num.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
number(const char *s)
{
	uint64_t v = 7, w = 7;
	double d = -1;

	if (cli_num_count(s, 10, 1000, &v) == 0)
		assert(v >= 10 && v <= 1000);
	else
		assert(v == 7);
	v = 7;
	if (cli_num_size(s, 0, UINT64_MAX, &v) != 0)
		assert(v == 7);
	/* A limit refuses, and changes nothing else. */
	if (cli_num_size(s, 0, 4096, &w) == 0)
		assert(w == v && w <= 4096);
	v = 7;
	if (cli_num_duration(s, 8, UINT64_MAX, &v) == 0)
		assert(v >= 8);
	else
		assert(v == 7);
	if (cli_num_decimal(s, 0, 1, &d) == 0)
		assert(d >= 0 && d <= 1);
	else
		assert(d < 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum cli_line_status st;
	struct cli_line l;
	size_t newlines = 0, i;
	FILE *f;

	if (len == 0)
		return (0);
	f = fmemopen((void *)(uintptr_t)data, len, "r");
	if (f == NULL)
		return (0);
	cli_line_init(&l, 16);
	while ((st = cli_line_next(&l, f)) != CLI_LINE_END) {
		assert(l.len <= 17 && l.b[l.len] == '\0');
		if (st != CLI_LINE_OK)
			continue;
		if (l.len > 0 && l.b[l.len - 1] == '\n')
			l.b[l.len - 1] = '\0';
		number(l.b);
	}
	for (i = 0; i < len; i++)
		newlines += data[i] == '\n';
	assert(l.bytes == len);
	assert(l.number == newlines + (data[len - 1] != '\n'));
	cli_line_fini(&l);
	(void)fclose(f);
	return (0);
}
