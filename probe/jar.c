/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/jar.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "vary/field.h"

enum {
	FIELDS = 7,
	MAX_PAIR = 4096, /* RFC 6265 section 6.1 */
};

/* A field of the line, or NULL: there is none. */
static char *
next_field(char **p)
{
	char *b = *p, *tab;

	if (b == NULL)
		return (NULL);
	tab = strchr(b, '\t');
	if (tab != NULL)
		*tab++ = '\0';
	*p = tab;
	return (b);
}

static bool
is_value(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f || *s == ';')
			return (false);
	return (true);
}

static bool
number(const char *s, int64_t *ret)
{
	int64_t v = 0;

	if (*s == '\0')
		return (false);
	for (; *s >= '0' && *s <= '9'; s++) {
		/* A date that nobody will see is a date. */
		if (v < INT64_MAX / 16)
			v = v * 10 + (*s - '0');
	}
	/* Some write fractions. */
	*ret = v;
	return (*s == '\0' || *s == '.');
}

/* What is wrong with it, or NULL. */
static const char *
read_line(struct probe_jar *jar, char *line, apr_pool_t *pool)
{
	char *f[FIELDS], *rest = line;
	const char *value;
	struct probe_cookie *c;
	int64_t expires;
	int i;

	/* Not for scripts, but for us. */
	if (strncmp(line, "#HttpOnly_", 10) == 0)
		rest += 10;
	else if (*line == '#' || line[strspn(line, " \t")] == '\0')
		return (NULL);
	for (i = 0; i < FIELDS; i++)
		f[i] = next_field(&rest);
	if (f[5] == NULL)
		return ("has no seven fields with tabs between: no cookie jar "
			"of curl -c or a browser");
	/* A cookie without a value has lost its last tab, with some. */
	value = f[6] != NULL ? f[6] : "";
	if (*f[0] == '\0' || !vary_is_token(f[5], strlen(f[5])) ||
	    !is_value(value) || strlen(f[5]) + strlen(value) + 1 > MAX_PAIR)
		return ("has a name or value that no request can have");
	if (!number(f[4], &expires))
		return ("has an end that is no number of seconds since 1970");
	if (jar->cookies->nelts == PROBE_JAR_COOKIES)
		return ("is one cookie too many: the limit is 4096");
	c = apr_array_push(jar->cookies);
	memset(c, 0, sizeof *c);
	c->domain = apr_pstrdup(pool, *f[0] == '.' ? f[0] + 1 : f[0]);
	c->subdomains = *f[0] == '.' || strcasecmp(f[1], "TRUE") == 0;
	c->path = apr_pstrdup(pool, *f[2] == '/' ? f[2] : "/");
	c->secure = strcasecmp(f[3], "TRUE") == 0;
	c->expires = expires;
	c->pair = apr_pstrcat(pool, f[5], "=", value, NULL);
	return (NULL);
}

apr_status_t
probe_jar_read(struct probe_jar *jar, const char *text, size_t len,
    const char **ret_why, apr_pool_t *pool)
{
	const char *p = text, *e = text + len, *nl, *end, *why;
	unsigned line = 0;

	if (jar->cookies == NULL)
		jar->cookies =
		    apr_array_make(pool, 16, sizeof(struct probe_cookie));
	for (; p < e; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(e - p));
		if (nl == NULL)
			nl = e;
		end = nl > p && nl[-1] == '\r' ? nl - 1 : nl;
		line++;
		why = memchr(p, '\0', (size_t)(end - p)) != NULL
			  ? "has a NUL"
			  : read_line(jar,
				apr_pstrndup(pool, p, (size_t)(end - p)), pool);
		if (why != NULL) {
			*ret_why = apr_psprintf(pool, "line %u %s", line, why);
			return (APR_EINVAL);
		}
	}
	return (APR_SUCCESS);
}

static bool
domain_fits(const struct probe_cookie *c, const char *host, size_t n)
{
	size_t d = strlen(c->domain);

	if (n < d || strncasecmp(host + n - d, c->domain, d) != 0)
		return (false);
	return (n == d || (c->subdomains && host[n - d - 1] == '.'));
}

/* RFC 6265 section 5.1.4 */
static bool
path_fits(const struct probe_cookie *c, const char *path, size_t n)
{
	size_t d = strlen(c->path);

	if (n < d || memcmp(path, c->path, d) != 0)
		return (false);
	return (n == d || c->path[d - 1] == '/' || path[d] == '/');
}

apr_array_header_t *
probe_jar_fit(const struct probe_jar *jar, const char *url, const char *host,
    int64_t now, apr_pool_t *pool)
{
	apr_array_header_t *a =
	    apr_array_make(pool, 4, sizeof(struct probe_cookie));
	apr_array_header_t *pairs = apr_array_make(pool, 4, sizeof(char *));
	bool secure = strncmp(url, "https:", 6) == 0;
	const char *path;
	size_t host_len, n;
	int i, j;

	host_len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	path = strstr(url, "://");
	path = path != NULL ? path + 3 : url;
	path += strcspn(path, "/?#");
	if (*path != '/')
		path = "/";
	n = strcspn(path, "?#");
	for (i = 0; jar->cookies != NULL && i < jar->cookies->nelts; i++) {
		const struct probe_cookie *c =
		    &APR_ARRAY_IDX(jar->cookies, i, struct probe_cookie);

		if ((c->secure && !secure) ||
		    (c->expires > 0 && c->expires <= now) ||
		    !domain_fits(c, host, host_len) || !path_fits(c, path, n))
			continue;
		(void)apr_array_push(a);
		for (j = a->nelts - 1;
		     j > 0 &&
		     strlen(APR_ARRAY_IDX(a, j - 1, struct probe_cookie).path) <
			 strlen(c->path);
		     j--)
			APR_ARRAY_IDX(a, j, struct probe_cookie) =
			    APR_ARRAY_IDX(a, j - 1, struct probe_cookie);
		APR_ARRAY_IDX(a, j, struct probe_cookie) = *c;
	}
	for (i = 0; i < a->nelts && i < PROBE_JAR_FIT; i++)
		APR_ARRAY_PUSH(pairs, const char *) =
		    APR_ARRAY_IDX(a, i, struct probe_cookie).pair;
	return (pairs);
}
