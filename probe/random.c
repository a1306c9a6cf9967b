/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/random.h"

#include <assert.h>

/* xoshiro256** of Blackman and Vigna (public domain), seeded by splitmix64. */

static uint64_t
splitmix(uint64_t *x)
{
	uint64_t z;

	*x += UINT64_C(0x9e3779b97f4a7c15);
	z = *x;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31));
}

static uint64_t
rotl(uint64_t x, int k)
{
	return ((x << k) | (x >> (64 - k)));
}

void
probe_random_init(struct probe_random *r, uint64_t seed)
{
	int i;

	for (i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

uint64_t
probe_random_next(struct probe_random *r)
{
	uint64_t v = rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotl(r->s[3], 45);
	return (v);
}

uint64_t
probe_random_below(struct probe_random *r, uint64_t n)
{
	uint64_t v, limit;

	assert(n > 0);
	/* The remainder alone would favour small numbers. */
	limit = UINT64_MAX - UINT64_MAX % n;
	do
		v = probe_random_next(r);
	while (v >= limit);
	return (v % n);
}

void
probe_random_word(struct probe_random *r, char *buf, size_t len)
{
	size_t i;

	assert(len > 0);
	for (i = 0; i + 1 < len; i++)
		buf[i] = (char)('a' + probe_random_below(r, 26));
	buf[i] = '\0';
}
