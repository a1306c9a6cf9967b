/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A response as a set of features, so that two samples can be compared without
 * looking at them again: the status, each header on its own, and of the body
 * its lines and tokens, or a path=value of JSON, or as a whole if it is no text.
 * Room: probe/.  Pure; malloc only.
 */
#ifndef PROBE_FEATURE_H
#define PROBE_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/walk.h"

/* A feature is its kind in the top bits above a hash of what it is. */
typedef uint64_t probe_feature;

static inline enum probe_feature_kind
probe_feature_kind(probe_feature f)
{
	return ((enum probe_feature_kind)(f >> 60));
}

/* Sorted, without duplicates; the n-th equal line is a feature of its own. */
struct probe_features {
	probe_feature *f;
	size_t n, cap;
};

void probe_features_fini(struct probe_features *);

/*
 * The features of a response.  body is decoded.  A body of more than a quarter
 * of a million features is one feature as a whole.  Returns 0 or -ENOMEM.
 */
int probe_features_of_head(struct probe_features *ret, uint64_t seed,
    int status, const struct probe_line *lines, size_t nlines);
int probe_features_of_body(
    struct probe_features *ret, uint64_t seed, const char *body, size_t len);

/*
 * One number for all of a response that makes features: two responses that have
 * it in common have the same features.  The body is the one that came, coded.
 */
uint64_t probe_features_signature(uint64_t seed, int status,
    const struct probe_line *lines, size_t nlines, const char *body,
    size_t len);

/* a := a and b; a := a without b; a := a or b.  The last may be -ENOMEM. */
void probe_features_intersect(
    struct probe_features *a, const struct probe_features *b);
void probe_features_subtract(
    struct probe_features *a, const struct probe_features *b);
int
probe_features_merge(struct probe_features *a, const struct probe_features *b);
bool probe_features_has(const struct probe_features *, probe_feature);
int
probe_features_copy(struct probe_features *ret, const struct probe_features *);

/*
 * The first place, in the order of the response, of any feature of the set that
 * is of kind from..to.  ETag and its kind, which follow what they describe, come
 * last.  false: none of them is there.
 */
bool probe_features_first(const struct probe_features *, uint64_t seed,
    enum probe_feature_kind from, enum probe_feature_kind to, int status,
    const struct probe_line *lines, size_t nlines, const char *body, size_t len,
    struct probe_place *ret);
#endif
