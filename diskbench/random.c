/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/random.h"

#include <string.h>

/* splitmix64: what xoshiro's authors give for filling its state. */
static uint64_t
split(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31);
}

void
bench_random_init(struct bench_random *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = stream;
	unsigned i;

	x = seed ^ split(&x);
	for (i = 0; i < 4; i++)
		r->s[i] = split(&x);
	/* The one state that stays as it is; splitmix never gives it twice. */
	if ((r->s[0] | r->s[1] | r->s[2] | r->s[3]) == 0)
		r->s[0] = 1;
}

void
bench_random_fill(struct bench_random *r, void *buf, size_t len)
{
	unsigned char *p = buf;
	uint64_t v;

	for (; len >= sizeof v; len -= sizeof v, p += sizeof v) {
		v = bench_random_next(r);
		memcpy(p, &v, sizeof v);
	}
}
