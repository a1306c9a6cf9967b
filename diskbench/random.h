/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers that look random and come back the same for the same seed.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 *
 * xoshiro256++ (Blackman and Vigna, public domain): 64 bits a step, period
 * 2^256 - 1, about a nanosecond.  fio's 32-bit generator repeats itself on
 * devices above 16 TiB; this one does not.
 */
#ifndef DISKBENCH_RANDOM_H
#define DISKBENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct bench_random {
	uint64_t s[4];
};

/*
 * Any seed is a good seed.  stream separates the threads of a run: the same
 * seed with another stream is unrelated numbers.
 */
void bench_random_init(struct bench_random *, uint64_t seed, uint64_t stream);

static inline uint64_t
bench_random_next(struct bench_random *r)
{
	uint64_t *s = r->s, v, t;

	v = s[0] + s[3];
	v = (v << 23 | v >> 41) + s[0];
	t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return (v);
}

/*
 * One of 0 .. n-1, by the high half of a product (Lemire) instead of a
 * division.  The bias is below n / 2^64: for a petabyte of sectors, 1e-7.
 */
static inline uint64_t
bench_random_below(struct bench_random *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 wide;

	return ((uint64_t)((wide)bench_random_next(r) * n >> 64));
}

/* In (0, 1]: never 0, so that its logarithm is a number. */
static inline double
bench_random_unit(struct bench_random *r)
{
	return ((double)((bench_random_next(r) >> 11) + 1) * 0x1p-53);
}

/* Bytes that gzip cannot make smaller.  len is rounded down to 8. */
void bench_random_fill(struct bench_random *, void *, size_t len);
#endif
