/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * .recv() and .key(): one spelling for what selects a variant, seen alike by
 * the cache and by the origin.
 */
#include "config.h"

#include <string.h>

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"
#include "VSC_vary.h"

#include "vmod/learn.h"
#include "vmod/policy.h"
#include "vmod/record.h"

/* Most values fit; a larger one costs workspace. */
#define STACK_BUFFER 2048

struct change {
	struct record_request record;
	bool any;
};

/*
 * One header into its normal form.  False: out of workspace, and the header is
 * as it was.
 */
static bool
normalise(VRT_CTX, const struct vmod_vary_policy *p,
    const struct policy_request *q, struct change *c)
{
	struct http *hp = ctx->http_req;
	struct header_seek now = { .name = &q->name };
	struct vary_span in, *value;
	struct vary_request_value v;
	char stack[STACK_BUFFER], *buf = stack;
	const char *line = NULL;
	size_t need;

	header_seek(hp, &now, 1);
	in = now.first;
	value = now.n > 0 ? &in : NULL;
	need = vary_request_bound(&q->rule, value);
	if (need > sizeof stack) {
		buf = WS_Alloc(ctx->ws, (unsigned)need);
		if (buf == NULL)
			return (false);
	}
	if (vary_request_apply(&q->rule, value, buf, need, &v) != VARY_OK)
		WRONG("the bound is no bound");
	policy_count(&p->vsc->capped, v.capped);
	if (v.present == (value != NULL) &&
	    (value == NULL ||
		(v.v.len == in.len &&
		    (in.len == 0 || memcmp(v.v.b, in.b, in.len) == 0))))
		return (true);
	if (v.present && !p->observe) {
		line = header_line(ctx->ws, &q->name, v.v);
		if (line == NULL || (value == NULL && !header_has_room(hp)))
			return (false);
	}
	if (!c->any)
		record_request_begin(&c->record, p);
	c->any = true;
	record_request_header(
	    &c->record, q->rule.name, v.present ? &v.v : NULL);
	policy_count(&p->vsc->normalised, 1);
	if (p->observe)
		return (true);
	if (line != NULL)
		header_replace(hp, &now, line);
	else
		header_remove(hp, &q->name);
	return (true);
}

static bool
has_form(const struct vmod_vary_policy *p, struct vary_span name)
{
	unsigned u;

	for (u = 0; u < p->n_request; u++)
		if (vary_name_eq(name, p->request[u]->rule.name))
			return (true);
	return (false);
}

/*
 * What the origin said of this folder, where the policy says nothing itself.
 * False: out of workspace.
 */
static bool
learned(VRT_CTX, const struct vmod_vary_policy *p, struct change *c)
{
	struct vary_avail axis[VARY_AVAIL_AXES];
	struct learn_key k;
	struct policy_request q;
	unsigned u;

	if (!learn_key_init(&k, ctx->http_req) ||
	    !learn_look_up(p->learn, &k, ctx->now, axis))
		return (true);
	for (u = 0; u < VARY_AVAIL_AXES; u++) {
		if (axis[u].state != VARY_AVAIL_KNOWN)
			continue;
		q.rule = (struct vary_request_rule){
			.name = vary_span_str(vary_avail_name(u)->request),
			.form = vary_avail_name(u)->form,
			.fallback = axis[u].fallback,
			.has_fallback = axis[u].has_fallback
		};
		if (has_form(p, q.rule.name))
			continue;
		vary_avail_words(&axis[u], q.word, &q.rule.words);
		AN(header_name_init(&q.name, q.rule.name));
		if (!normalise(ctx, p, &q, c))
			return (false);
	}
	return (true);
}

VCL_VOID
vmod_policy_recv(VRT_CTX, struct vmod_vary_policy *p)
{
	struct change c;
	unsigned u;
	int joined = 0;
	bool ok = true;

	/*
	 * Only here: a value that changes later is stored under one spelling
	 * and looked up under another, which is a miss for ever.
	 */
	if (!policy_in_method(ctx, p, "recv", VCL_MET_RECV, "vcl_recv"))
		return;
	CHECK_OBJ_NOTNULL(ctx->http_req, HTTP_MAGIC);
	policy_count(&p->vsc->requests, 1);
	if (!p->observe) {
		joined = header_join_all(ctx->http_req, ctx->ws);
		if (joined < 0) {
			policy_fail(ctx, p, "recv", FULL_CLIENT);
			return;
		}
		policy_count(&p->vsc->joined, (uint64_t)joined);
	}
	c.any = joined > 0;
	if (c.any)
		record_request_begin(&c.record, p);
	for (u = 0; ok && u < p->n_request; u++)
		ok = normalise(ctx, p, p->request[u], &c);
	if (ok && p->learn != NULL)
		ok = learned(ctx, p, &c);
	if (!ok) {
		policy_fail(ctx, p, "recv",
		    header_has_room(ctx->http_req) ? FULL_CLIENT
						   : FULL_HEADERS);
		return;
	}
	if (c.any)
		record_request_end(ctx, p, &c.record, (unsigned)joined);
}

/*
 * "name: value" and a newline for each promoted header, only the name where it
 * is absent: no two sets of values read the same.
 */
VCL_STRING
vmod_policy_key(VRT_CTX, struct vmod_vary_policy *p)
{
	struct vary_span name, v;
	unsigned u, pos;
	size_t len = 1;
	char *b, *w;

	if (!policy_in_method(ctx, p, "key", VCL_MET_HASH, "vcl_hash"))
		return (NULL);
	(void)__atomic_exchange_n(&p->keyed, 1U, __ATOMIC_RELAXED);
	for (u = 0; u < p->n_promoted; u++) {
		len += header_name_span(&p->promoted[u]).len + 1;
		for (pos = 0;
		     header_next(ctx->http_req, &p->promoted[u], &pos, &v);)
			len += v.len + 2;
	}
	b = w = WS_Alloc(ctx->ws, (unsigned)len);
	if (b == NULL) {
		policy_fail(ctx, p, "key", FULL_CLIENT);
		return (NULL);
	}
	for (u = 0; u < p->n_promoted; u++) {
		name = header_name_span(&p->promoted[u]);
		vary_name_lower(name, w);
		w += name.len;
		for (pos = 0;
		     header_next(ctx->http_req, &p->promoted[u], &pos, &v);) {
			memcpy(w, ": ", 2);
			memcpy(w + 2, v.b, v.len);
			w += v.len + 2;
		}
		*w++ = '\n';
	}
	*w = '\0';
	return (b);
}
