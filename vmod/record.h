/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log records of a policy: one VCL_Log line a call that changes anything.
 * Room: vmod/.  Included after cache/cache.h.
 */
#ifndef VMOD_RECORD_H
#define VMOD_RECORD_H

#include "vary/normal.h"
#include "vary/set.h"
#include "vmod/policy.h"

/*
 *	vary: policy=site origin="Host, Accept" cache="Accept" client="Accept"
 * then, as far as they apply: unshared=star|malformed|overflow|bypass,
 * malformed="the first bad element", pass, observe.  A value is cut after 1,000
 * bytes; quotes and what is not printable become "?".
 */
void record_fetch(const struct vrt_ctx *, const struct vmod_vary_policy *,
    const struct vary_set *origin, const struct vary_normal *, bool pass);

/*
 *	vary: policy=site learned="example.com/shop/" Accept-Language Cookie
 * changed: 1 << enum vary_avail_axis.
 */
void record_learned(const struct vrt_ctx *, const struct vmod_vary_policy *,
    struct vary_span folder, unsigned changed);

/*
 *	vary: policy=site variants=11 cache="Cookie"
 */
void record_crowd(const struct vrt_ctx *, const struct vmod_vary_policy *,
    struct vary_span cache, unsigned variants);

/*
 *	vary: policy=site request Accept-Language="en" Cookie=absent joined=1
 * What was received is in the ReqHeader records before it.  Begin, add each
 * header that changed (NULL: it is absent now), end.
 */
struct record_request {
	char b[1024];
	size_t n;
};
void
record_request_begin(struct record_request *, const struct vmod_vary_policy *);
void record_request_header(
    struct record_request *, struct vary_span name, const struct vary_span *to);
void record_request_end(const struct vrt_ctx *, const struct vmod_vary_policy *,
    struct record_request *, unsigned joined);
#endif
