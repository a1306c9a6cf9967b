/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/url.h"

#include <string.h>

#include <apr_strings.h>
#include <curl/curl.h>

static const char *
part(CURLU *u, CURLUPart which, unsigned flags, apr_pool_t *pool)
{
	char *p = NULL;
	const char *copy = NULL;

	if (curl_url_get(u, which, &p, flags) == CURLUE_OK)
		copy = apr_pstrdup(pool, p);
	curl_free(p);
	return (copy);
}

apr_status_t
probe_url_read(const char *url, const char **ret_url, const char **ret_host,
    const char **ret_why, apr_pool_t *pool)
{
	const char *scheme, *host, *port, *whole;
	CURLU *u;
	CURLUcode c;

	*ret_why = NULL;
	u = curl_url();
	if (u == NULL)
		return (APR_ENOMEM);
	c = curl_url_set(u, CURLUPART_URL, url, 0);
	if (c == CURLUE_OK)
		c = curl_url_set(u, CURLUPART_FRAGMENT, NULL, 0);
	if (c != CURLUE_OK) {
		curl_url_cleanup(u);
		*ret_why = strstr(url, "://") == NULL
			       ? "a URL begins with http:// or https://"
			       : apr_pstrdup(pool, curl_url_strerror(c));
		return (APR_EINVAL);
	}
	if (part(u, CURLUPART_USER, 0, pool) != NULL ||
	    part(u, CURLUPART_PASSWORD, 0, pool) != NULL) {
		curl_url_cleanup(u);
		*ret_why = "a password in a URL would stand in every report: "
			   "use --user";
		return (APR_EINVAL);
	}
	scheme = part(u, CURLUPART_SCHEME, 0, pool);
	host = part(u, CURLUPART_HOST, 0, pool);
	port = part(u, CURLUPART_PORT, CURLU_NO_DEFAULT_PORT, pool);
	whole = part(u, CURLUPART_URL, CURLU_NO_DEFAULT_PORT, pool);
	curl_url_cleanup(u);
	if (scheme == NULL || host == NULL || whole == NULL ||
	    (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)) {
		*ret_why = "only http and https can be audited";
		return (APR_EINVAL);
	}
	*ret_url = whole;
	*ret_host =
	    port != NULL ? apr_pstrcat(pool, host, ":", port, NULL) : host;
	return (APR_SUCCESS);
}

apr_status_t
probe_url_resolve(
    const char *base, const char *reference, const char **ret, apr_pool_t *pool)
{
	CURLU *u = curl_url();
	const char *whole = NULL;

	if (u == NULL)
		return (APR_ENOMEM);
	if (curl_url_set(u, CURLUPART_URL, base, 0) == CURLUE_OK &&
	    curl_url_set(u, CURLUPART_URL, reference, 0) == CURLUE_OK)
		whole = part(u, CURLUPART_URL, 0, pool);
	curl_url_cleanup(u);
	if (whole == NULL)
		return (APR_EINVAL);
	*ret = whole;
	return (APR_SUCCESS);
}

apr_status_t
probe_url_proxy(const char *url, const char **ret_why, apr_pool_t *pool)
{
	static const char *const schemes[] = { "http", "https", "socks4",
		"socks4a", "socks5", "socks5h" };
	const char *scheme;
	CURLU *u;
	CURLUcode c;
	size_t i;

	/* None is for http; and an empty one for no proxy, for libcurl. */
	if (*url == '\0')
		return (APR_SUCCESS);
	if (strstr(url, "://") == NULL)
		url = apr_pstrcat(pool, "http://", url, NULL);
	u = curl_url();
	if (u == NULL)
		return (APR_ENOMEM);
	c = curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
	scheme = c == CURLUE_OK ? part(u, CURLUPART_SCHEME, 0, pool) : NULL;
	curl_url_cleanup(u);
	for (i = 0; scheme != NULL && i < sizeof schemes / sizeof *schemes; i++)
		if (strcmp(scheme, schemes[i]) == 0)
			return (APR_SUCCESS);
	/* There may be a password in it: it is not said what it was. */
	*ret_why = scheme == NULL
		       ? apr_pstrdup(pool, curl_url_strerror(c))
		       : apr_psprintf(pool,
			     "a proxy is asked by http, https, socks4, "
			     "socks4a, socks5 or socks5h, not by '%s'",
			     scheme);
	return (APR_EINVAL);
}
