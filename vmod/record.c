/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "cache/cache.h"

#include "vmod/record.h"

/* One record stays well below vsl_reclen, 255 bytes, where values are short,
 * and is cut by Varnish itself where they are not. */
#define RECORD_MAX 1000

struct text {
	char b[3 * RECORD_MAX];
	size_t n;
};

static void
put(struct text *t, const char *s, size_t len)
{
	size_t i;

	if (len > RECORD_MAX)
		len = RECORD_MAX;
	for (i = 0; i < len && t->n < sizeof t->b - 1; i++)
		t->b[t->n++] = s[i];
}

static void
put_str(struct text *t, const char *s)
{
	put(t, s, strlen(s));
}

static void
put_value(struct text *t, const char *key, struct vary_span v)
{
	size_t i, from;

	put_str(t, key);
	put_str(t, "=\"");
	from = t->n;
	put(t, v.b, v.len);
	for (i = from; i < t->n; i++)
		if (t->b[i] == '"' || t->b[i] < ' ' || t->b[i] == 0x7f)
			t->b[i] = '?';
	put_str(t, "\"");
}

static void
begin(struct text *t, const struct vmod_vary_policy *p)
{
	t->n = 0;
	put_str(t, "vary: policy=");
	put_str(t, p->name);
	put_str(t, " ");
}

static void
end(VRT_CTX, const struct vmod_vary_policy *p, struct text *t)
{
	if (p->observe)
		put_str(t, " observe");
	t->b[t->n] = '\0';
	VSLb(ctx->vsl, SLT_VCL_Log, "%s", t->b);
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
	struct text t;
	size_t from;
	unsigned u;

	begin(&t, p);
	put_str(&t, "origin=\"");
	for (u = 0; u < origin->n && t.n < RECORD_MAX; u++) {
		if (u > 0)
			put_str(&t, ", ");
		from = t.n;
		put(&t, origin->name[u].b, origin->name[u].len);
		assert(t.n >= from);
	}
	put_str(&t, "\" ");
	put_value(&t, "cache", v->cache);
	put_str(&t, " ");
	put_value(&t, "client", v->client);
	if (why[v->share] != NULL)
		put_str(&t, why[v->share]);
	if (origin->first_bad.b != NULL) {
		put_str(&t, " ");
		put_value(&t, "malformed", origin->first_bad);
	}
	if (pass)
		put_str(&t, " pass");
	end(ctx, p, &t);
}

void
record_request(VRT_CTX, const struct vmod_vary_policy *p, struct vary_span name,
    const struct vary_span *from, const struct vary_span *to)
{
	struct text t;

	begin(&t, p);
	put_value(&t, "request", name);
	put_str(&t, " ");
	if (from != NULL)
		put_value(&t, "from", *from);
	else
		put_str(&t, "from=absent");
	put_str(&t, " ");
	if (to != NULL)
		put_value(&t, "to", *to);
	else
		put_str(&t, "to=absent");
	end(ctx, p, &t);
}
