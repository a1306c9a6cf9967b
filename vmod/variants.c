/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vary.variants(): was it Vary that made this a miss?
 */
#include "config.h"

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"

VCL_INT
vmod_variants(VRT_CTX)
{
	CHECK_OBJ_NOTNULL(ctx, VRT_CTX_MAGIC);
	if (ctx->method != VCL_MET_MISS) {
		VRT_fail(ctx, "vary.variants() is for vcl_miss only");
		return (-1);
	}
#if VRT_MAJOR_VERSION >= 13U
	CHECK_OBJ_NOTNULL(ctx->req, REQ_MAGIC);
	CHECK_OBJ_NOTNULL(ctx->req->wrk, WORKER_MAGIC);
	/* What the lookup that led here counted for the sake of vary_notice. */
	return (ctx->req->wrk->strangelove);
#else
	return (-1);
#endif
}
