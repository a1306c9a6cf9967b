/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * .fetch() and .deliver(): the stored Vary, and the one that clients see.
 */
#include "config.h"

#include <string.h>

#include "cache/cache.h"
#include "vcl.h"
#include "vrt_obj.h"
#include "vcc_vary_if.h"
#include "VSC_vary.h"

#include "vary/normal.h"
#include "vmod/compat.h"
#include "vmod/crowd.h"
#include "vmod/learn.h"
#include "vmod/policy.h"
#include "vmod/record.h"

/* Most values fit; a larger one costs workspace before it is known whether
 * anything changes. */
#define STACK_BUFFER 1024

/* The longest request header value that Varnish can keep in a variant's key. */
#define VALUE_MAX 65534

/* What an earlier call in the same fetch wrote: recognised by address. */
struct written {
	const char *vary, *side; /* values; NULL: no header */
};

static bool
same(struct vary_span a, struct vary_span b)
{
	return (a.len == b.len && (a.len == 0 || memcmp(a.b, b.b, a.len) == 0));
}

/* Both headers of ours, of which there is most often one. */
enum {
	VARY,
	SIDE,
	N_SOUGHT
};

static void
seek(const struct http *hp, struct header_seek ret[N_SOUGHT])
{
	ret[VARY].name = &header_vary;
	ret[SIDE].name = &header_side;
	header_seek(hp, ret, N_SOUGHT);
}

/*
 * The side header goes, and Vary's lines give way to this one; NULL: to none.
 * What is removed moves the lines behind it, and makes room for one more.
 */
static void
replace_vary(
    struct http *hp, const struct header_seek now[N_SOUGHT], const char *line)
{
	if (line != NULL && now[VARY].n == 1)
		header_replace(hp, &now[VARY], line);
	else if (now[VARY].n > 0)
		header_remove(hp, &header_vary);
	if (now[SIDE].n > 0)
		header_remove(hp, &header_side);
	if (line != NULL && now[VARY].n != 1)
		http_SetHeader(hp, line);
}

static void
read_vary(
    const struct http *hp, const struct header_seek *vary, struct vary_set *ret)
{
	struct vary_span v;
	unsigned pos = vary->at + 1, n;

	vary_set_init(ret);
	if (vary->n > 0)
		vary_set_add(ret, vary->first.b, vary->first.len);
	for (n = 1; n < vary->n && header_next(hp, &header_vary, &pos, &v); n++)
		vary_set_add(ret, v.b, v.len);
}

/*
 * The two values, in buf where they fit, else on the workspace.  False: no
 * room there either.
 */
static bool
values(struct ws *ws, const struct vmod_vary_policy *p,
    const struct vary_set *set, enum vary_via via, char *buf, size_t cap,
    struct vary_normal *ret)
{
	size_t need = vary_normal_bound(&p->vary, set);

	if (need > cap) {
		buf = WS_Alloc(ws, (unsigned)need);
		if (buf == NULL)
			return (false);
		cap = need;
	}
	return (
	    vary_normal_apply(&p->vary, set, via, buf, cap, ret) == VARY_OK);
}

/* Is this one of the stored object's headers, as it stands there? */
static bool
is_stored(const struct busyobj *bo, const struct header_name *h,
    struct vary_span value)
{
	const char *stored;

	if (bo->stale_oc == NULL)
		return (false);
	stored = HTTP_GetHdrPack(bo->wrk, bo->stale_oc, VK_HDR(h->bytes));
	return (stored != NULL && same(value, vary_span_str(stored)));
}

/*
 * The side header is ours if a 304 was merged with the stored object that has
 * it, or if an earlier call wrote it; anything else the origin made up.  With
 * *ret_done the Vary beside it is the stored or written one, too: there is
 * nothing left to do.
 */
static bool
is_ours(VRT_CTX, struct vary_span side, unsigned lines, struct vary_span vary,
    bool *ret_done)
{
	const struct vmod_priv *task = VRT_priv_task(ctx, &header_side);
	const struct written *w;

	*ret_done = false;
	if (task != NULL && task->priv != NULL) {
		w = task->priv;
		if (w->side == side.b) {
			*ret_done = w->vary == NULL
					? lines == 0
					: lines == 1 && w->vary == vary.b;
			return (true);
		}
	}
	if (!VRT_r_beresp_was_304(ctx) ||
	    !is_stored(ctx->bo, &header_side, side))
		return (false);
	/* Core may have added Accept-Encoding to the stored one: compare that. */
	*ret_done = lines == 0
			? HTTP_GetHdrPack(ctx->bo->wrk, ctx->bo->stale_oc,
			      VK_HDR(header_vary.bytes)) == NULL
			: lines == 1 && is_stored(ctx->bo, &header_vary, vary);
	return (true);
}

/* A header of this fetch that would be too long as a selecting one? */
static bool
value_too_long(const struct http *bereq)
{
	unsigned u;

	for (u = HTTP_HDR_FIRST; u < bereq->nhd; u++)
		if (bereq->hd[u].e - bereq->hd[u].b > VALUE_MAX)
			return (true);
	return (false);
}

static void
count(const struct vmod_vary_policy *p, const struct vary_set *set,
    const struct vary_normal *v, bool changed)
{
	struct VSC_vary *c = p->vsc;

	policy_count(&c->changed, changed);
	policy_count(&c->merged, set->repeated);
	policy_count(&c->stripped, v->tally.stripped);
	policy_count(&c->hidden, v->tally.hidden);
	policy_count(&c->mapped, v->tally.mapped);
	policy_count(&c->restored, v->tally.restored);
	policy_count(&c->ensured, v->tally.ensured);
	switch (v->share) {
	case VARY_SHARED: break;
	case VARY_UNSHARED_STAR: policy_count(&c->stars, 1); break;
	case VARY_UNSHARED_MALFORMED: policy_count(&c->malformed, 1); break;
	case VARY_UNSHARED_OVERFLOW: policy_count(&c->overflows, 1); break;
	case VARY_UNSHARED_BYPASS: policy_count(&c->bypassed, 1); break;
	}
}

/*
 * Not for a second client, and not for long: the mark of a hit-for-miss lasts
 * for beresp.ttl, and hides what can be cached of this URL until then.
 */
static void
hit_for_miss(VRT_CTX, const struct vmod_vary_policy *p)
{
	VRT_l_beresp_uncacheable(ctx, 1);
	VRT_l_beresp_ttl(ctx, p->bypass_ttl);
	VRT_l_beresp_grace(ctx, 0);
	VRT_l_beresp_keep(ctx, 0);
}

static void
remember(VRT_CTX, const char *vary_line, const char *side_line)
{
	struct vmod_priv *task = VRT_priv_task(ctx, &header_side);
	struct written *w = WS_Alloc(ctx->ws, sizeof *w);

	/* Forgotten, a second call would only take the side header away. */
	if (task == NULL || w == NULL)
		return;
	w->vary = header_line_value(&header_vary, vary_line);
	w->side = header_line_value(&header_side, side_line);
	task->priv = w;
}

/*
 * Put the lines in place of what is there; NULL takes it away.  All is made
 * before anything is touched.  False: failed, and said.
 */
static bool
write_lines(VRT_CTX, const struct vmod_vary_policy *p, struct http *hp,
    const struct header_seek now[N_SOUGHT], const struct vary_span *vary,
    const struct vary_span *side)
{
	const char *vary_line = NULL, *side_line = NULL;
	unsigned in;

	if (vary != NULL)
		vary_line = header_line(ctx->ws, &header_vary, *vary);
	if (side != NULL)
		side_line = header_line(ctx->ws, &header_side, *side);
	if ((vary != NULL && vary_line == NULL) ||
	    (side != NULL && side_line == NULL)) {
		policy_fail(ctx, p, "fetch", FULL_BACKEND);
		return (false);
	}
	in = (vary != NULL) + (side != NULL);
	if (hp->nhd - now[VARY].n - now[SIDE].n + in > hp->shd) {
		policy_fail(ctx, p, "fetch", FULL_HEADERS);
		return (false);
	}
	replace_vary(hp, now, vary_line);
	if (side_line != NULL) {
		http_SetHeader(hp, side_line);
		remember(ctx, vary_line, side_line);
	}
	return (true);
}

/*
 * Under the URL and Host that .recv() saw, whatever the backend is asked for.
 * Errors say nothing of a page; what is passed is looked up nowhere.
 */
static void
learn(VRT_CTX, const struct vmod_vary_policy *p, const struct vary_set *set)
{
	struct learn_key k;
	unsigned changed, u;

	if (p->learn == NULL || ctx->http_beresp->status != 200 ||
	    ctx->bo->bereq0 == NULL ||
	    (ctx->bo->fetch_objcore->flags & OC_F_PRIVATE) != 0 ||
	    !learn_key_init(&k, ctx->bo->bereq0))
		return;
	changed = learn_response(p->learn, &k, ctx->now, ctx->http_beresp, set);
	if (changed == 0)
		return;
	for (u = 0; u < VARY_AVAIL_AXES; u++)
		policy_count(&p->vsc->learned, changed >> u & 1U);
	record_learned(ctx, p, (struct vary_span){ k.b, k.len }, changed);
}

/* FNV-1a of what core compares: the values of the members of cache. */
static uint32_t
variant_hash(const struct http *bereq, struct vary_span cache)
{
	struct vary_field f;
	struct vary_span name, v;
	struct header_name h;
	uint32_t hash = 2166136261U;
	unsigned pos;
	size_t i;

	vary_field_init(&f, cache.b, cache.len);
	while (vary_field_next(&f, &name) == VARY_OK) {
		pos = 0;
		/* No value has a NUL or LF: absent is not empty. */
		hash = (hash ^ '\n') * 16777619U;
		if (!header_name_init(&h, name) ||
		    !header_next(bereq, &h, &pos, &v))
			continue;
		hash *= 16777619U;
		for (i = 0; i < v.len; i++)
			hash = (hash ^ (unsigned char)v.b[i]) * 16777619U;
	}
	return (hash);
}

/*
 * Is this variant one too many?  Core counts those that a lookup walks over,
 * since 6.6 and for a log record alone; here it is those that were stored.
 */
static void
count_variant(VRT_CTX, const struct vmod_vary_policy *p, struct vary_span cache)
{
	double life;
	unsigned n;

	if (p->crowd == NULL || cache.len == 0 ||
	    VRT_r_beresp_uncacheable(ctx) || VRT_r_beresp_ttl(ctx) <= 0)
		return;
	life = VRT_r_beresp_ttl(ctx) + VRT_r_beresp_grace(ctx) +
	       VRT_r_beresp_keep(ctx);
	n = crowd_add(p->crowd, ctx->bo->digest,
	    variant_hash(ctx->http_bereq, cache), ctx->now, ctx->now + life);
	if (n <= p->notice)
		return;
	policy_count(&p->vsc->crowded, 1);
	record_crowd(ctx, p, cache, n);
}

VCL_VOID
vmod_policy_fetch(VRT_CTX, struct vmod_vary_policy *p)
{
	struct http *hp;
	struct vary_set set;
	struct vary_normal v;
	struct header_seek now[N_SOUGHT];
	struct vary_span raw;
	char buf[STACK_BUFFER];
	bool done = false, pass, vary_as_is, changed;

	if (!policy_in_method(ctx, p, "fetch",
		VCL_MET_BACKEND_RESPONSE | VCL_MET_BACKEND_ERROR,
		"vcl_backend_response or vcl_backend_error"))
		return;
	hp = ctx->http_beresp;
	CHECK_OBJ_NOTNULL(hp, HTTP_MAGIC);
	policy_count(&p->vsc->responses, 1);
	if (p->n_promoted > 0 &&
	    __atomic_load_n(&p->keyed, __ATOMIC_RELAXED) == 0) {
		/* Out of Vary and not in the hash: wrong content for all. */
		policy_fail(ctx, p, "promote",
		    "write hash_data(POLICY.key()); in vcl_hash");
		return;
	}

	seek(hp, now);
	raw = now[VARY].first;
	if (now[SIDE].n == 1 &&
	    is_ours(ctx, now[SIDE].first, now[VARY].n, raw, &done) && done) {
		policy_count(&p->vsc->refreshed, VRT_r_beresp_was_304(ctx));
		learn(ctx, p, NULL);
		if (!p->observe)
			count_variant(ctx, p, raw);
		return;
	}

	read_vary(hp, &now[VARY], &set);
	learn(ctx, p, &set);
	pass = (ctx->bo->fetch_objcore->flags & OC_F_PRIVATE) != 0;
	if (!values(ctx->ws, p, &set, pass ? VARY_VIA_PASS : VARY_VIA_CACHE,
		buf, sizeof buf, &v)) {
		policy_fail(ctx, p, "fetch", FULL_BACKEND);
		return;
	}
	if (v.share == VARY_SHARED && value_too_long(ctx->http_bereq))
		v.share = VARY_UNSHARED_OVERFLOW;
	/* A malformed value goes on as it came: no list of ours says it. */
	if (v.share == VARY_UNSHARED_MALFORMED && now[VARY].n == 1)
		v.client = raw;
	if (pass)
		v.cache = v.client;

	vary_as_is = now[VARY].n == (v.cache.len > 0) && same(raw, v.cache);
	changed = !vary_as_is || now[SIDE].n > 0 || !same(v.cache, v.client);
	count(p, &set, &v, changed);
	if (changed || v.share != VARY_SHARED)
		record_fetch(ctx, p, &set, &v, pass);
	if (p->observe)
		return;
	if (changed &&
	    !write_lines(ctx, p, hp, now, v.cache.len > 0 ? &v.cache : NULL,
		same(v.cache, v.client) ? NULL : &v.client))
		return;
	if (pass)
		return;
	if (v.share != VARY_SHARED)
		hit_for_miss(ctx, p);
	else
		count_variant(ctx, p, v.cache);
}

/* --- .deliver() ---------------------------------------------------------- */

static bool
names_accept_encoding(const struct http *hp, const struct header_seek *vary)
{
	struct vary_set set;

	read_vary(hp, vary, &set);
	return (vary_set_has(&set, vary_span_str("Accept-Encoding")));
}

/*
 * What .fetch() kept for the client takes the place of the stored value.  Core
 * adds Accept-Encoding to that after vcl_backend_response, when it compresses
 * or uncompresses: so it is looked for here.
 */
static void
restore(VRT_CTX, const struct vmod_vary_policy *p, struct http *hp,
    const struct header_seek now[N_SOUGHT])
{
	static const char coding[] = "Accept-Encoding";
	struct vary_set set;
	struct vary_span side = now[SIDE].first, both = side;
	const char *line;
	char *b;
	size_t n;

	vary_set_init(&set);
	vary_set_add(&set, side.b, side.len);
	if (!vary_set_has(&set, vary_span_str(coding)) &&
	    names_accept_encoding(hp, &now[VARY])) {
		b = WS_Alloc(ctx->ws, (unsigned)(side.len + sizeof coding + 2));
		if (b == NULL) {
			policy_fail(ctx, p, "deliver", FULL_CLIENT);
			return;
		}
		n = side.len;
		memcpy(b, side.b, n);
		if (n > 0) {
			memcpy(b + n, ", ", 2);
			n += 2;
		}
		memcpy(b + n, coding, sizeof coding - 1);
		both = (struct vary_span){ b, n + sizeof coding - 1 };
	}
	line = header_line(ctx->ws, &header_vary, both);
	if (line == NULL) {
		policy_fail(ctx, p, "deliver", FULL_CLIENT);
		return;
	}
	replace_vary(hp, now, both.len > 0 ? line : NULL);
}

/* A response of VCL's own making never met .fetch(): what the policy ensures
 * belongs in its Vary, too. */
static void
ensure(VRT_CTX, const struct vmod_vary_policy *p, struct http *hp,
    const struct header_seek *vary)
{
	struct vary_set set;
	struct vary_normal v;
	char buf[STACK_BUFFER];
	const char *line;

	read_vary(hp, vary, &set);
	if (!values(ctx->ws, p, &set, VARY_VIA_PASS, buf, sizeof buf, &v)) {
		policy_fail(ctx, p, "deliver", FULL_CLIENT);
		return;
	}
	if (v.share == VARY_UNSHARED_MALFORMED || v.client.len == 0 ||
	    (vary->n == 1 && same(vary->first, v.client)))
		return;
	line = header_line(ctx->ws, &header_vary, v.client);
	if (line == NULL || (vary->n == 0 && !header_has_room(hp))) {
		policy_fail(ctx, p, "deliver",
		    line == NULL ? FULL_CLIENT : FULL_HEADERS);
		return;
	}
	header_replace(hp, vary, line);
}

VCL_VOID
vmod_policy_deliver(VRT_CTX, struct vmod_vary_policy *p)
{
	struct http *hp;
	struct header_seek now[N_SOUGHT];

	if (!policy_in_method(ctx, p, "deliver",
		VCL_MET_DELIVER | VCL_MET_SYNTH, "vcl_deliver or vcl_synth"))
		return;
	hp = ctx->http_resp;
	CHECK_OBJ_NOTNULL(hp, HTTP_MAGIC);
	policy_count(&p->vsc->deliveries, 1);
	if (p->observe)
		return;
	seek(hp, now);
	if (ctx->method == VCL_MET_SYNTH)
		ensure(ctx, p, hp, &now[VARY]);
	else if (now[SIDE].n > 0)
		restore(ctx, p, hp, now);
}
