/* SPDX-License-Identifier: BSD-2-Clause */
/* Workload files from anywhere: never a crash, never requests outside. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/workload_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bench_profile p, q;
	struct bench_job like, job[BENCH_STREAMS];
	struct bench_refusal why;
	struct bench_workload w;
	struct bench_request r;
	unsigned i, k, n;
	char *text;

	why.text[0] = '\0';
	if (bench_workload_read(&p, "x", (const char *)data, size, &why) < 0) {
		assert(why.text[0] != '\0');
		return (0);
	}
	assert(bench_profile_check(&p) == NULL);
	text = bench_workload_write(&p);
	assert(text != NULL);
	assert(bench_workload_read(&q, "y", text, strlen(text), &why) == 0);
	free(text);
	bench_job_init(&like);
	n = bench_profile_jobs(&p, &like, 100, false, job);
	assert(n <= BENCH_STREAMS);
	for (i = 0; i < n; i++) {
		struct bench_job *j = &job[i];

		assert(j->depth > 0 && j->threads > 0);
		if (bench_job_fit(j, "x", UINT64_C(1) << 40, 512, &why) < 0 ||
		    bench_workload_init(&w, &j->shape, 1, 0, 1) < 0)
			continue;
		for (k = 0; k < 50 && bench_workload_next(&w, &r); k++)
			assert(
			    r.len > 0 && r.offset <= UINT64_C(1) << 40 &&
			    r.len + r.more <= (UINT64_C(1) << 40) - r.offset);
	}
	return (0);
}
