/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stateless functions: one value of Vary in, one out.
 */
#include "config.h"

#include <string.h>

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"

#include "vary/normal.h"
#include "vary/set.h"

/* How an edit ends: the value as it came, or a new one from the set. */
static bool
read_value(VRT_CTX, VCL_STRING value, struct vary_set *ret)
{
	CHECK_OBJ_NOTNULL(ctx, VRT_CTX_MAGIC);
	vary_set_init(ret);
	if (value == NULL)
		return (true);
	vary_set_add(ret, value, strlen(value));
	return (ret->malformed == 0 && ret->blanks == 0 && !ret->overflow);
}

static void
complain(
    VRT_CTX, const char *what, VCL_STRING value, const struct vary_set *set)
{
	if (ctx->vsl == NULL)
		return;
	if (set->overflow)
		VSLb(ctx->vsl, SLT_VCL_Error, "vary.%s(): more than %d members",
		    what, VARY_SET_MAX);
	else
		VSLb(ctx->vsl, SLT_VCL_Error,
		    "vary.%s(): malformed \"%.*s\" in \"%.200s\"", what,
		    (int)(set->first_bad.len > 100 ? 100 : set->first_bad.len),
		    set->first_bad.b, value);
}

/* The members as met; an unset string where there are none. */
static VCL_STRING
members(VRT_CTX, const char *what, const struct vary_set *set)
{
	size_t len = 0;
	unsigned u;
	char *b, *p;

	if (set->n == 0)
		return (NULL);
	for (u = 0; u < set->n; u++)
		len += set->name[u].len + 2;
	b = WS_Alloc(ctx->ws, (unsigned)len);
	if (b == NULL) {
		VRT_fail(ctx, "vary.%s(): out of workspace", what);
		return (NULL);
	}
	for (u = 0, p = b; u < set->n; u++) {
		if (u > 0) {
			memcpy(p, ", ", 2);
			p += 2;
		}
		memcpy(p, set->name[u].b, set->name[u].len);
		p += set->name[u].len;
	}
	*p = '\0';
	return (b);
}

VCL_STRING
vmod_normalise(VRT_CTX, VCL_STRING value)
{
	struct vary_set set;
	size_t n;
	char *b;

	if (!read_value(ctx, value, &set)) {
		complain(ctx, "normalise", value, &set);
		/* A star beside nonsense is still a star: not to be shared. */
		return (set.star ? "*" : value);
	}
	if (set.n == 0)
		return (NULL);
	n = vary_normal_bound(NULL, &set);
	b = WS_Alloc(ctx->ws, (unsigned)n + 1);
	if (b == NULL) {
		VRT_fail(ctx, "vary.normalise(): out of workspace");
		return (NULL);
	}
	if (vary_normal_write(&set, b, n, &n) != VARY_OK)
		WRONG("the bound is no bound");
	b[n] = '\0';
	return (b);
}

VCL_BOOL
vmod_has(VRT_CTX, VCL_STRING value, VCL_STRING name)
{
	struct vary_set set, names;
	unsigned u;

	(void)read_value(ctx, value, &set);
	if (!read_value(ctx, name, &names)) {
		complain(ctx, "has", name, &names);
		return (false);
	}
	for (u = 0; u < names.n; u++)
		if (vary_set_has(&set, names.name[u]))
			return (true);
	return (false);
}

VCL_BOOL
vmod_star(VRT_CTX, VCL_STRING value)
{
	struct vary_set set;

	(void)read_value(ctx, value, &set);
	return (set.star);
}

VCL_INT
vmod_count(VRT_CTX, VCL_STRING value)
{
	struct vary_set set;

	(void)read_value(ctx, value, &set);
	return ((VCL_INT)set.n);
}

VCL_STRING
vmod_merge(VRT_CTX, VCL_STRING value, VCL_STRING other)
{
	struct vary_set set;

	if (!read_value(ctx, value, &set)) {
		complain(ctx, "merge", value, &set);
		return (value);
	}
	if (other != NULL)
		vary_set_add(&set, other, strlen(other));
	if (set.malformed + set.blanks > 0 || set.overflow) {
		complain(ctx, "merge", other, &set);
		return (value);
	}
	return (members(ctx, "merge", &set));
}

VCL_STRING
vmod_add(VRT_CTX, VCL_STRING value, VCL_STRING name)
{
	return (vmod_merge(ctx, value, name));
}

VCL_STRING
vmod_remove(VRT_CTX, VCL_STRING value, VCL_STRING name)
{
	struct vary_set set, out;
	unsigned u;

	if (!read_value(ctx, value, &set)) {
		complain(ctx, "remove", value, &set);
		return (value);
	}
	if (!read_value(ctx, name, &out)) {
		complain(ctx, "remove", name, &out);
		return (value);
	}
	for (u = 0; u < out.n; u++)
		(void)vary_set_remove(&set, out.name[u]);
	return (members(ctx, "remove", &set));
}
