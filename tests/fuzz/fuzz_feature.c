/* SPDX-License-Identifier: BSD-2-Clause */
/* An origin writes the body: text, JSON or anything else. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probe/feature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
sorted(const struct probe_features *f)
{
	size_t i;

	for (i = 1; i < f->n; i++)
		assert(f->f[i - 1] < f->f[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct probe_features a = { NULL, 0, 0 }, b = { NULL, 0, 0 },
			      c = { NULL, 0, 0 };
	const char *body = (const char *)data;
	struct probe_line line = { "Link", 4, body, size };
	struct probe_place at;
	size_t half = size / 2, n;

	if (probe_features_of_body(&a, 7, body, size) != 0 ||
	    probe_features_of_body(&b, 7, body, half) != 0 ||
	    probe_features_copy(&c, &a) != 0)
		abort();
	sorted(&a);
	sorted(&b);
	/* a = (a without b) or (a and b), and the two have nothing in common */
	n = a.n;
	probe_features_subtract(&a, &b);
	if (a.n > 0) {
		assert(probe_features_first(&a, 7, PROBE_F_JSON, PROBE_F_WHOLE,
		    200, NULL, 0, body, size, &at));
		assert(at.text >= body && at.text + at.text_len <= body + size);
	}
	probe_features_intersect(&c, &b);
	assert(a.n + c.n == n);
	if (probe_features_merge(&a, &c) != 0)
		abort();
	assert(a.n == n);
	sorted(&a);
	if (probe_features_of_head(&c, 7, 200, &line, 1) != 0)
		abort();
	sorted(&c);
	probe_features_fini(&a);
	probe_features_fini(&b);
	probe_features_fini(&c);
	return (0);
}
