/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is said to be a recording of Varnish's log: its records, as far as
 * they are some, become transactions.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/assembly.h"
#include "live/vsl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile char seen;

static int
take(void *priv, const struct live_record *r)
{
	/* What is handed over is there, to its last byte. */
	if (r->len > 0)
		seen = r->b[0] ^ r->b[r->len - 1];
	return (live_assembly_take(priv, r));
}

static void
count(void *priv, const struct live_transaction *t)
{
	(void)t;
	++*(unsigned *)priv;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *f;
	struct live_vsl_options o = { 0 };
	struct live_assembly *a;
	struct live_vsl *v = NULL;
	enum live_vsl_status st;
	char path[64];
	unsigned n = 0;
	int e = 0;

	if (f == NULL)
		f = tmpfile();
	assert(f != NULL);
	assert(ftruncate(fileno(f), 0) == 0);
	assert(pwrite(fileno(f), data, size, 0) == (ssize_t)size);
	(void)snprintf(path, sizeof path, "/dev/fd/%d", fileno(f));
	o.file = path;
	assert(live_assembly_open(&a, 4, count, &n) == 0);
	if (live_vsl_open(&v, &o) == 0) {
		do
			st = live_vsl_read(v, take, a, &e);
		while (st == LIVE_VSL_MORE || st == LIVE_VSL_IDLE);
		assert(st == LIVE_VSL_END || st == LIVE_VSL_TRUNCATED ||
		       st == LIVE_VSL_CORRUPT);
		assert(live_vsl_offset(v) <= size);
	}
	assert(strlen(live_vsl_error(v)) > 0);
	live_assembly_flush(a);
	assert(live_assembly_count(a)->open == 0);
	live_assembly_close(&a);
	live_vsl_close(&v);
	return (0);
}
