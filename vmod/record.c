/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cache/cache.h"

#include "vary/avail.h"
#include "vmod/record.h"

/*
 * Varnish cuts a record at its parameter vsl_reclen, 255 bytes by default: what
 * matters comes first, and no more is written than can be of use.
 */
#define RECORD_MAX 1024
#define VALUE_MAX  300

struct text {
	char *b;
	size_t n, cap;
};

static inline void
put(struct text *t, const char *s, size_t len)
{
	if (len > t->cap - t->n)
		len = t->cap - t->n;
	if (len > 0)
		memcpy(t->b + t->n, s, len);
	t->n += len;
}

static inline void
put_str(struct text *t, const char *s)
{
	put(t, s, strlen(s));
}

/* The record is read line by line and word by word: nothing in it may end a
 * line or a quote. */
static void
put_value(struct text *t, struct vary_span v)
{
	size_t i, len = v.len > VALUE_MAX ? VALUE_MAX : v.len;
	char c;

	put(t, "\"", 1);
	if (len > t->cap - t->n)
		len = t->cap - t->n;
	for (i = 0; i < len; i++) {
		c = v.b[i];
		t->b[t->n++] =
		    c == '"' || (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
	}
	put(t, "\"", 1);
}

static void
begin(struct text *t, const struct vmod_vary_policy *p)
{
	put_str(t, "vary: policy=");
	put_str(t, p->name);
}

static void
end(VRT_CTX, const struct vmod_vary_policy *p, struct text *t)
{
	txt record;

	if (p->observe)
		put_str(t, " observe");
	record.b = t->b;
	record.e = t->b + t->n;
	VSLbt(ctx->vsl, SLT_VCL_Log, record);
}

void
record_fetch(VRT_CTX, const struct vmod_vary_policy *p,
    const struct vary_set *origin, const struct vary_normal *v, bool pass)
{
	static const char *const why[] = {
		[VARY_SHARED] = NULL,
		[VARY_UNSHARED_STAR] = " unshared=star",
		[VARY_UNSHARED_MALFORMED] = " unshared=malformed",
		[VARY_UNSHARED_OVERFLOW] = " unshared=overflow",
		[VARY_UNSHARED_BYPASS] = " unshared=bypass",
	};
	char b[RECORD_MAX];
	struct text t = { b, 0, sizeof b };
	unsigned u;

	begin(&t, p);
	put_str(&t, " origin=\"");
	for (u = 0; u < origin->n && t.n < VALUE_MAX; u++) {
		if (u > 0)
			put_str(&t, ", ");
		put(&t, origin->name[u].b, origin->name[u].len);
	}
	put_str(&t, "\" cache=");
	put_value(&t, v->cache);
	put_str(&t, " client=");
	put_value(&t, v->client);
	if (why[v->share] != NULL)
		put_str(&t, why[v->share]);
	if (origin->first_bad.b != NULL) {
		put_str(&t, " malformed=");
		put_value(&t, origin->first_bad);
	}
	if (pass)
		put_str(&t, " pass");
	end(ctx, p, &t);
}

void
record_learned(VRT_CTX, const struct vmod_vary_policy *p,
    struct vary_span folder, unsigned changed)
{
	char b[RECORD_MAX];
	struct text t = { b, 0, sizeof b };
	unsigned u;

	begin(&t, p);
	put_str(&t, " learned=");
	put_value(&t, folder);
	for (u = 0; u < VARY_AVAIL_AXES; u++)
		if (changed >> u & 1U) {
			put_str(&t, " ");
			put_str(&t, vary_avail_name(u)->request);
		}
	end(ctx, p, &t);
}

void
record_crowd(VRT_CTX, const struct vmod_vary_policy *p, struct vary_span cache,
    unsigned variants)
{
	char b[RECORD_MAX], number[40];
	struct text t = { b, 0, sizeof b };

	begin(&t, p);
	bprintf(number, " variants=%u cache=", variants);
	put_str(&t, number);
	put_value(&t, cache);
	end(ctx, p, &t);
}

void
record_request_begin(struct record_request *r, const struct vmod_vary_policy *p)
{
	struct text t = { r->b, 0, sizeof r->b };

	begin(&t, p);
	put_str(&t, " request");
	r->n = t.n;
}

void
record_request_header(
    struct record_request *r, struct vary_span name, const struct vary_span *to)
{
	struct text t = { r->b, r->n, sizeof r->b };

	put_str(&t, " ");
	put(&t, name.b, name.len);
	put_str(&t, "=");
	if (to == NULL)
		put_str(&t, "absent");
	else
		put_value(&t, *to);
	r->n = t.n;
}

void
record_request_end(VRT_CTX, const struct vmod_vary_policy *p,
    struct record_request *r, unsigned joined)
{
	struct text t = { r->b, r->n, sizeof r->b };
	char number[32];

	if (joined > 0) {
		bprintf(number, " joined=%u", joined);
		put_str(&t, number);
	}
	end(ctx, p, &t);
}
