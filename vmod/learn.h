/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What origins said to be available, by host and folder of the URL.
 * Room: vmod/.  Included after cache/cache.h.
 *
 * A table of fixed size: LEARN_SETS times LEARN_WAYS folders, about 2.4 MB, which
 * several threads use at once.  A folder that finds no place takes that of the
 * one learned longest ago; so does a flood of folders, and then requests are
 * as the client sent them, as they are before anything was learned.
 */
#ifndef VMOD_LEARN_H
#define VMOD_LEARN_H

#include "vary/avail.h"
#include "vary/set.h"

#define LEARN_SETS 256
#define LEARN_WAYS 4
/* Host and folder together; longer ones are not learned of. */
#define LEARN_KEY_MAX 250
/* Bytes that several lines of one hint may have together; more are no hint. */
#define LEARN_LINES_MAX 1024
/* Seconds from a folder's first hint until it is learned anew. */
#define LEARN_TTL 3600

struct learn;

void learn_open(struct learn **ret);
void learn_close(struct learn **);

/* Host and folder of a request, in lower case what has no case. */
struct learn_key {
	char b[LEARN_KEY_MAX];
	size_t len;
};
/* False: neither learned of nor looked up: not GET or HEAD, no Host, too long. */
bool learn_key_init(struct learn_key *, const struct http *request);

/*
 * What one response says; set: the members of its Vary, NULL where that is not
 * the origin's own.  Returns a bit (1 << axis) for each axis that changed.
 */
unsigned learn_response(struct learn *, const struct learn_key *, double now,
    const struct http *response, const struct vary_set *set);

/* Copies what is known of this folder; false: nothing. */
bool learn_look_up(struct learn *, const struct learn_key *, double now,
    struct vary_avail ret[VARY_AVAIL_AXES]);
#endif
