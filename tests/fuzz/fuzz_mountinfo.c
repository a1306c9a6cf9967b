/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel writes these lines, and mount points are named by anybody. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/mountinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench_mount m;
	char *line = malloc(size + 1), buf[8];

	if (line == NULL)
		abort();
	if (size > 0)
		memcpy(line, data, size);
	line[size] = '\0';
	if (bench_mountinfo_parse(line, &m) == 0) {
		assert(m.point != NULL && m.type != NULL && m.source != NULL);
		assert(strlen(m.point) <= size && strlen(m.source) <= size);
		(void)bench_mountinfo_option(m.options, "a", buf, sizeof buf);
		(void)bench_mountinfo_option(
		    m.options, "logdev", buf, sizeof buf);
	}
	free(line);
	return (0);
}
