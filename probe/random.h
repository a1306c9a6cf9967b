/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random numbers that a seed repeats: the order of a run's requests.  Not for
 * secrets.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_RANDOM_H
#define PROBE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The members are private to random.c. */
struct probe_random {
	uint64_t s[4];
};

void probe_random_init(struct probe_random *, uint64_t seed);
uint64_t probe_random_next(struct probe_random *);

/* Evenly from [0, n); n > 0. */
uint64_t probe_random_below(struct probe_random *, uint64_t n);

/* len - 1 letters of lower case and a NUL. */
void probe_random_word(struct probe_random *, char *buf, size_t len);
#endif
