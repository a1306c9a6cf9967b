/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many variants of one URL live at a time: a lookup walks all of them, and
 * Varnish before 6.6 says nothing of it.
 * Room: vmod/.  Included after cache/cache.h.
 *
 * A table of fixed size, 140 KiB: CROWD_SETS times CROWD_WAYS URLs with up to
 * CROWD_MAX variants each, which several threads use at once.  A URL that finds
 * no place takes that of the one that had no new variant for longest.
 */
#ifndef VMOD_CROWD_H
#define VMOD_CROWD_H

#define CROWD_SETS 64
#define CROWD_WAYS 4
#define CROWD_MAX  64

struct crowd;

void crowd_open(struct crowd **ret);
void crowd_close(struct crowd **);

/*
 * A variant of the object of that hash is stored, until then; variant is a hash
 * of what it was selected by.  Times are seconds.  Returns how many are alive, this
 * one among them, up to CROWD_MAX; 0: this one was known already.
 */
unsigned crowd_add(struct crowd *, const uint8_t digest[DIGEST_LEN],
    uint32_t variant, double now, double until);
#endif
