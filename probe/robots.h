/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * robots.txt (RFC 9309): may we ask for this path?
 * Room: probe/.  Pure.
 */
#ifndef PROBE_ROBOTS_H
#define PROBE_ROBOTS_H

#include <apr_pools.h>
#include <stdbool.h>
#include <stddef.h>

struct probe_robots;

/* What of a file is read; the RFC asks for 500 KiB at least. */
#define PROBE_ROBOTS_MAX (512 * 1024)

/*
 * The rules for a product token, or if there are none for it those for "*".  Any
 * text is a robots.txt: what is no rule is passed over.  NULL: there are none, and
 * all is allowed.
 */
struct probe_robots *probe_robots_parse(
    const char *text, size_t len, const char *token, apr_pool_t *result_pool);

/* path with its query, from the slash on; the rules may be NULL. */
bool probe_robots_allow(const struct probe_robots *, const char *path);
#endif
