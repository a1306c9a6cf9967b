/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes to 64 bits, for tables and sketches: fast and well mixed, not secret.
 * The same bytes give the same number in every run on every machine.
 * Room: live/.
 */
#ifndef LIVE_HASH_H
#define LIVE_HASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A bijection of 64 bits (the finaliser of SplitMix64). */
static inline uint64_t
live_hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31);
}

static inline uint64_t
live_hash(const char *b, size_t len, uint64_t seed)
{
	uint64_t h = seed ^ (len * UINT64_C(0x9e3779b97f4a7c15)), w;
	size_t i;

	for (i = 0; len - i >= 8; i += 8) {
		memcpy(&w, b + i, sizeof w);
		/* The same on every byte order. */
		w = le64toh(w);
		h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	for (w = 0; i < len; i++)
		w = w << 8 | (unsigned char)b[i];
	return (live_hash_mix(h ^ w));
}
#endif
