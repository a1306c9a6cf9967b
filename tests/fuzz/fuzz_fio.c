/* SPDX-License-Identifier: BSD-2-Clause */
/* Job files from anywhere: never a crash, never a job that cannot be. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/fio.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bench_options o;
	struct bench_refusal why;
	struct bench_workload w;
	struct bench_request q;
	char *text, shown[512];
	unsigned i, k;

	text = malloc(size + 1);
	if (text == NULL)
		abort();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	memset(&o, 0, sizeof o);
	o.command = BENCH_CMD_FIO;
	if (bench_fio_parse_text(&o, "fuzz", text, 1, &why) == 0) {
		for (i = 0; i < o.n_job; i++) {
			struct bench_job *j = &o.job[i];
			uint64_t end;

			assert(j->depth > 0 && j->threads > 0);
			bench_fio_show(j, shown, sizeof shown);
			if (bench_job_fit(
				j, "x", UINT64_C(1) << 40, 512, &why) < 0)
				continue;
			if (bench_workload_init(&w, &j->shape, j->seed, j->part,
				j->parts > j->threads ? j->parts : j->threads) <
			    0)
				continue;
			end = j->shape.offset + j->shape.span;
			for (k = 0; k < 50 && bench_workload_next(&w, &q); k++)
				assert(q.offset >= j->shape.offset &&
				       q.len <= end && q.offset <= end - q.len);
		}
	} else
		assert(why.text[0] != '\0');
	bench_options_fini(&o);
	free(text);
	return (0);
}
