/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * .recv(): one spelling for what selects a variant, seen alike by the cache
 * and by the origin.
 */
#include "config.h"

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"
#include "VSC_vary.h"

#include "vmod/policy.h"

VCL_VOID
vmod_policy_recv(VRT_CTX, struct vmod_vary_policy *p)
{
	int joined;

	/*
	 * Only here: a value that changes later is stored under one spelling
	 * and looked up under another, which is a miss for ever.
	 */
	if (!policy_in_method(ctx, p, "recv", VCL_MET_RECV, "vcl_recv"))
		return;
	CHECK_OBJ_NOTNULL(ctx->http_req, HTTP_MAGIC);
	policy_count(&p->vsc->requests, 1);
	if (p->observe)
		return;
	joined = header_join_all(ctx->http_req, ctx->ws);
	if (joined < 0)
		policy_fail(ctx, p, "recv", FULL_CLIENT);
	else
		policy_count(&p->vsc->joined, (uint64_t)joined);
}
