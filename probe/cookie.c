/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/cookie.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "vary/name.h"

enum {
	MAX_COOKIES = 8, /* of a response */
	MAX_LEN = 1024,
};

static size_t
name_len(const char *cookie)
{
	return (strcspn(cookie, "="));
}

bool
probe_cookie_is_same(const char *a, const char *b)
{
	size_t n = name_len(a);

	return (n == name_len(b) && strncmp(a, b, n) == 0);
}

const char *
probe_cookie_name(const char *cookie, apr_pool_t *pool)
{
	size_t n = name_len(cookie);

	return (cookie[n] == '=' && vary_is_token(cookie, n)
		    ? apr_pstrndup(pool, cookie, n)
		    : NULL);
}

const char *
probe_cookie_list(
    const apr_array_header_t *names, const char *quote, apr_pool_t *pool)
{
	const char *out = "";
	int i;

	for (i = 0; i < names->nelts; i++)
		out = apr_pstrcat(pool, out, i > 0 ? ", " : "", quote,
		    APR_ARRAY_IDX(names, i, const char *), quote, NULL);
	return (out);
}

static bool
is_one_of(const char *const *names, const char *cookie)
{
	size_t n = name_len(cookie);

	for (; *names != NULL; names++)
		if (strlen(*names) == n && strncasecmp(cookie, *names, n) == 0)
			return (true);
	return (false);
}

bool
probe_cookie_is_balancers(const char *cookie)
{
	static const char *const names[] = { "SERVERID", "SRVNAME", "SRV",
		"AWSALB", "AWSALBCORS", "AWSALBTG", "AWSALBTGCORS", "AWSELB",
		"AWSELBCORS", "ROUTEID", "route", "INGRESSCOOKIE",
		"ARRAffinity", "ARRAffinitySameSite", "GCLB", "lb", "sticky",
		"stickysession", "BALANCEID", "DO-LB", "__cflb", NULL };

	return (is_one_of(names, cookie) ||
		strncmp(cookie, "BIGipServer", 11) == 0 ||
		strncmp(cookie, "X-Mapping-", 10) == 0);
}

/* Two values of each cookie are remembered. */
static void
receive(struct probe_subject *s, const char *cookie, size_t len)
{
	size_t name = (size_t)((const char *)memchr(cookie, '=', len) - cookie);
	int i, known = 0;

	for (i = 0; i < s->received->nelts; i++) {
		const char *v = APR_ARRAY_IDX(s->received, i, const char *);

		if (strncmp(v, cookie, name + 1) != 0)
			continue;
		if (strlen(v) == len && memcmp(v, cookie, len) == 0)
			return;
		known++;
	}
	if (known < 2 && i < 2 * MAX_COOKIES)
		APR_ARRAY_PUSH(s->received, const char *) =
		    apr_pstrndup(s->pool, cookie, len);
}

void
probe_cookie_take(
    struct probe_subject *s, const struct probe_exchange *x, bool base)
{
	size_t i, n;
	int added = 0;

	for (i = 0; i < x->nlines && added < MAX_COOKIES; i++) {
		const struct probe_line *l = &x->lines[i];
		const char *semi;

		if (!probe_line_is(l, "set-cookie"))
			continue;
		semi = memchr(l->value, ';', l->value_len);
		n = semi != NULL ? (size_t)(semi - l->value) : l->value_len;
		if (n == 0 || n > MAX_LEN || memchr(l->value, '=', n) == NULL)
			continue;
		receive(s, l->value, n);
		if (base)
			probe_subject_add_value(
			    s, "Cookie", apr_pstrndup(s->pool, l->value, n));
		added++;
	}
}
