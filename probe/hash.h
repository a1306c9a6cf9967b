/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes as a number of 64 bits, by a seed that nobody outside knows.  Not for
 * secrets.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_HASH_H
#define PROBE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Of a word.  What it makes of a seed and bytes stays the same from release to
 * release: fingerprints in reports are made of it. */
uint64_t probe_hash(uint64_t seed, const void *, size_t);

/* Of a whole body: another number, several times as fast. */
uint64_t probe_hash_body(uint64_t seed, const void *, size_t);

/* A number made of a number, each bit of it by all. */
static inline uint64_t
probe_hash_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31));
}
#endif
