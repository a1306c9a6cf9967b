/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/hash.h"

#include <string.h>

enum {
	LANES = 4,
};

static uint64_t
step(uint64_t h, const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof w);
	h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
	return (h ^ (h >> 32));
}

uint64_t
probe_hash(uint64_t seed, const void *v, size_t len)
{
	const unsigned char *p = v;
	uint64_t h = seed ^ (len * UINT64_C(0x9e3779b97f4a7c15)), w = 0;

	for (; len >= sizeof w; p += sizeof w, len -= sizeof w)
		h = step(h, p);
	if (len > 0)
		memcpy(&w, p, len);
	return (probe_hash_mix(h ^ w));
}

uint64_t
probe_hash_body(uint64_t seed, const void *v, size_t len)
{
	const unsigned char *p = v;
	uint64_t h[LANES], whole = seed ^ len;
	size_t i;

	for (i = 0; i < LANES; i++)
		h[i] = probe_hash_mix(seed + i);
	/* A step waits for the one before it, so four go beside each other. */
	for (; len >= sizeof h; p += sizeof h, len -= sizeof h)
		for (i = 0; i < LANES; i++)
			h[i] = step(h[i], p + i * sizeof *h);
	for (i = 0; i < LANES; i++)
		whole = probe_hash_mix(whole + h[i]);
	return (probe_hash(whole, p, len));
}
