/* SPDX-License-Identifier: BSD-2-Clause */
/* Content codings: the first byte chooses them, the rest is the body. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "probe/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const codings[] = { "gzip", "deflate", "br", "zstd",
		"gzip, br", "identity", "", "zstd,gzip , deflate" };
	struct probe_decoded d = { NULL, 0, 0 };
	const char *coding;

	if (size == 0)
		return (0);
	coding = codings[data[0] % 8];
	(void)probe_decode(&d, coding, strlen(coding), (const char *)data + 1,
	    size - 1, 100000);
	assert(d.len <= 100000);
	probe_decoded_fini(&d);
	return (0);
}
