/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	DEFAULT_BODY = 4 * 1024 * 1024,
};

static size_t
on_head(char *p, size_t size, size_t n, void *baton)
{
	return (probe_answer_head(baton, p, size * n) ? size * n : 0);
}

static size_t
on_body(char *p, size_t size, size_t n, void *baton)
{
	return (probe_answer_body(baton, p, size * n) ? size * n : 0);
}

static struct curl_slist *
list_of(const char *const *v, bool *ok)
{
	struct curl_slist *l = NULL, *n;

	for (; v != NULL && *v != NULL; v++) {
		n = curl_slist_append(l, *v);
		if (n == NULL) {
			*ok = false;
			return (l);
		}
		l = n;
	}
	return (l);
}

/* Tunnels and SOCKS have no answers of their own, once they stand. */
static bool
is_proxied(const struct probe_route *r)
{
	const char *p = r->proxy;

	if (p == NULL)
		p = getenv("http_proxy");
	if (p == NULL)
		p = getenv("all_proxy");
	if (p == NULL)
		p = getenv("ALL_PROXY");
	return (p != NULL && *p != '\0' && strncasecmp(p, "socks", 5) != 0 &&
		(r->connect_to == NULL || *r->connect_to == NULL) &&
		r->unix_socket == NULL);
}

apr_status_t
probe_transfer_share(
    struct probe_transfer_shared *c, const struct probe_route *r)
{
	bool ok = true;

	c->route = *r;
	c->connect_to = list_of(r->connect_to, &ok);
	c->resolve = list_of(r->resolve, &ok);
	c->proxied = is_proxied(r);
	return (ok ? APR_SUCCESS : APR_ENOMEM);
}

void
probe_transfer_unshare(struct probe_transfer_shared *c)
{
	curl_slist_free_all(c->connect_to);
	curl_slist_free_all(c->resolve);
	memset(c, 0, sizeof *c);
}

#define SET(opt, val)                                                          \
	do {                                                                   \
		if (curl_easy_setopt(e, (opt), (val)) != CURLE_OK)             \
			return (APR_EINVAL);                                   \
	} while (0)

/* libcurl looks for each of them at each request. */
static bool
has_proxy_variable(void)
{
	static const char *const names[] = { "http_proxy", "https_proxy",
		"HTTPS_PROXY", "all_proxy", "ALL_PROXY" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (getenv(names[i]) != NULL)
			return (true);
	return (false);
}

/* What is the same for all requests of a run. */
static apr_status_t
prepare(struct probe_transfer *t)
{
	const struct probe_transfer_shared *c = t->shared;
	const struct probe_route *r = &c->route;
	CURL *e = t->easy;
	long v;

	SET(CURLOPT_ERRORBUFFER, t->error);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	SET(CURLOPT_HEADERFUNCTION, on_head);
	SET(CURLOPT_HEADERDATA, &t->answer);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, &t->answer);
	SET(CURLOPT_BUFFERSIZE, 32768L);
	SET(CURLOPT_TIMEOUT_MS,
	    r->timeout_ms > 0 ? (long)r->timeout_ms : 30000L);
	SET(CURLOPT_CONNECTTIMEOUT_MS,
	    r->timeout_ms > 0 && r->timeout_ms < 10000 ? (long)r->timeout_ms
						       : 10000L);
	v = r->http == 10   ? CURL_HTTP_VERSION_1_0
	    : r->http == 20 ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
			    : CURL_HTTP_VERSION_1_1;
	SET(CURLOPT_HTTP_VERSION, v);
	SET(CURLOPT_PIPEWAIT, r->http == 20 ? 1L : 0L);
	if (r->insecure) {
		SET(CURLOPT_SSL_VERIFYPEER, 0L);
		SET(CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (r->cert != NULL)
		SET(CURLOPT_SSLCERT, r->cert);
	if (r->key != NULL)
		SET(CURLOPT_SSLKEY, r->key);
	if (r->cacert != NULL)
		SET(CURLOPT_CAINFO, r->cacert);
	if (r->user != NULL) {
		SET(CURLOPT_USERPWD, r->user);
		SET(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
	}
	if (r->netrc)
		SET(CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (r->proxy_protocol)
		SET(CURLOPT_HAPROXYPROTOCOL, 1L);
	if (r->unix_socket != NULL)
		SET(CURLOPT_UNIX_SOCKET_PATH, r->unix_socket);
	if (r->proxy != NULL)
		SET(CURLOPT_PROXY, r->proxy);
	else if (!has_proxy_variable())
		SET(CURLOPT_PROXY, "");
	if (r->proxy_user != NULL)
		SET(CURLOPT_PROXYUSERPWD, r->proxy_user);
	if (c->connect_to != NULL)
		SET(CURLOPT_CONNECT_TO, c->connect_to);
	if (c->resolve != NULL)
		SET(CURLOPT_RESOLVE, c->resolve);
	return (APR_SUCCESS);
}

apr_status_t
probe_transfer_init(
    struct probe_transfer *t, const struct probe_transfer_shared *c)
{
	t->shared = c;
	t->answer.max_body =
	    c->route.max_body > 0 ? c->route.max_body : DEFAULT_BODY;
	t->easy = curl_easy_init();
	return (t->easy != NULL ? prepare(t) : APR_ENOMEM);
}

void
probe_transfer_fini(struct probe_transfer *t)
{
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	curl_slist_free_all(t->connect_to);
	probe_answer_fini(&t->answer);
	memset(t, 0, sizeof *t);
}

static apr_status_t
add_header(struct probe_transfer *t, const struct probe_header *h)
{
	struct curl_slist *l;
	size_t n, v;
	char stack[1024], *b = stack;

	n = strlen(h->name);
	v = h->value != NULL ? strlen(h->value) : 0;
	if (n + v + 4 > sizeof stack && (b = malloc(n + v + 4)) == NULL)
		return (APR_ENOMEM);
	memcpy(b, h->name, n);
	/* libcurl's spelling: "N:" sends none, "N;" sends an empty one. */
	if (v == 0) {
		b[n] = h->value == NULL ? ':' : ';';
		b[n + 1] = '\0';
	} else {
		memcpy(b + n, ": ", 2);
		memcpy(b + n + 2, h->value, v + 1);
	}
	l = curl_slist_append(t->headers, b);
	if (b != stack)
		free(b);
	if (l == NULL)
		return (APR_ENOMEM);
	t->headers = l;
	return (APR_SUCCESS);
}

/*
 * The handshake's name is the URL's host, for libcurl: so the URL gets another
 * host, an address where there is to be no name, and the connection goes where it
 * would have gone.  The certificate cannot be for that name, but has to be good.
 */
static apr_status_t
begin_other_sni(
    struct probe_transfer *t, const struct probe_request *q, char **ret_url)
{
	CURLU *u = curl_url();
	char *host = NULL, *port = NULL, *header = NULL, *to = NULL;
	const char *name = q->sni != NULL ? q->sni : "127.0.0.1";
	apr_status_t st = APR_ENOMEM;
	bool has_host = false;
	long v;
	size_t i;

	for (i = 0; i < q->nheaders; i++)
		has_host |= strcasecmp(q->headers[i].name, "Host") == 0;
	if (u == NULL ||
	    curl_url_set(u, CURLUPART_URL, q->url, 0) != CURLUE_OK ||
	    curl_url_get(u, CURLUPART_HOST, &host, 0) != CURLUE_OK ||
	    curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) !=
		CURLUE_OK)
		goto out;
	v = strcmp(port, "443") == 0;
	if (asprintf(&to, "%s:%s:%s:%s", name, port, host, port) < 0) {
		to = NULL;
		goto out;
	}
	if (!has_host) {
		struct curl_slist *l;

		if (asprintf(&header, "Host: %s%s%s", host, v ? "" : ":",
			v ? "" : port) < 0) {
			header = NULL;
			goto out;
		}
		l = curl_slist_append(t->headers, header);
		if (l == NULL)
			goto out;
		t->headers = l;
	}
	/* --connect-to says where to, whatever the host is. */
	t->connect_to = curl_slist_append(NULL,
	    t->shared->connect_to != NULL ? t->shared->connect_to->data : to);
	if (t->connect_to != NULL &&
	    curl_url_set(u, CURLUPART_HOST, name, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_URL, ret_url, 0) == CURLUE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_CONNECT_TO, t->connect_to) ==
		CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK)
		st = APR_SUCCESS;
out:
	free(header);
	free(to);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
	return (st);
}

static apr_status_t
set_request(struct probe_transfer *t, const struct probe_request *q)
{
	CURL *e = t->easy;
	apr_status_t st;
	char *url = NULL;
	size_t i;

	for (i = 0; i < q->nheaders; i++) {
		st = add_header(t, &q->headers[i]);
		if (st != APR_SUCCESS)
			return (st);
	}
	if (q->other_sni) {
		st = begin_other_sni(t, q, &url);
		if (st == APR_SUCCESS &&
		    curl_easy_setopt(e, CURLOPT_URL, url) != CURLE_OK)
			st = APR_ENOMEM;
		curl_free(url);
		if (st != APR_SUCCESS)
			return (st);
	} else
		SET(CURLOPT_URL, q->url);
	SET(CURLOPT_HTTPHEADER, t->headers);
	SET(CURLOPT_FRESH_CONNECT, q->fresh ? 1L : 0L);
	SET(CURLOPT_NOBODY, q->method == PROBE_HEAD ? 1L : 0L);
	if (q->method != PROBE_HEAD)
		SET(CURLOPT_HTTPGET, 1L);
	SET(CURLOPT_CUSTOMREQUEST,
	    q->method == PROBE_OPTIONS ? "OPTIONS" : NULL);
	return (APR_SUCCESS);
}

apr_status_t
probe_transfer_begin(struct probe_transfer *t, const struct probe_request *q)
{
	apr_status_t st;

	t->error[0] = '\0';
	t->tls = strncasecmp(q->url, "https:", 6) == 0;
	st = set_request(t, q);
	if (st != APR_SUCCESS)
		probe_transfer_end(t);
	return (st);
}

static enum probe_end
how(CURLcode c)
{
	switch (c) {
	case CURLE_OK: return (PROBE_ANSWERED);
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY: return (PROBE_NO_ADDRESS);
	case CURLE_COULDNT_CONNECT:
	case CURLE_INTERFACE_FAILED: return (PROBE_NO_CONNECT);
	case CURLE_PROXY: return (PROBE_NO_PROXY);
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
	case CURLE_USE_SSL_FAILED: return (PROBE_NO_TLS);
	case CURLE_OPERATION_TIMEDOUT: return (PROBE_TIMEOUT);
	default: return (PROBE_BROKEN);
	}
}

/* libcurl has a limit of its own for a line of the head. */
static bool
is_large(const struct probe_answer *a, CURLcode code)
{
	if (a->large_head || a->whole_head || a->nomem)
		return (a->large_head);
#if LIBCURL_VERSION_NUM >= 0x080600
	if (code == CURLE_TOO_LARGE)
		return (true);
#endif
	return (code == CURLE_OUT_OF_MEMORY);
}

/* A refusal by SOCKS, which libcurl has as a number. */
static const char *
socks_error(const struct probe_transfer *t, const char *otherwise)
{
	long v = CURLPX_OK;

	(void)curl_easy_getinfo(t->easy, CURLINFO_PROXY_ERROR, &v);
	switch (v) {
	case CURLPX_USER_REJECTED:
	case CURLPX_REQUEST_FAILED:
	case CURLPX_NO_AUTH:
		return ("the SOCKS proxy wants a user name and a password "
			"that it knows: give --proxy-user");
	case CURLPX_REPLY_NOT_ALLOWED:
		return ("the SOCKS proxy does not allow it");
	case CURLPX_REPLY_CONNECTION_REFUSED:
		return ("the SOCKS proxy's connection to the origin is "
			"refused");
	case CURLPX_REPLY_HOST_UNREACHABLE:
	case CURLPX_REPLY_NETWORK_UNREACHABLE:
	case CURLPX_REPLY_TTL_EXPIRED:
		return ("the SOCKS proxy does not reach the origin");
	case CURLPX_RESOLVE_HOST:
		return ("the host has no address here: with socks5h:// the "
			"proxy looks for it");
	default: return (otherwise);
	}
}

/* No answer: was that the proxy's doing? */
static void
ask_proxy(const struct probe_transfer *t, struct probe_exchange *x)
{
	long v = 0;

	if (x->end == PROBE_NO_PROXY)
		x->error = socks_error(t, x->error);
	(void)curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &v);
	if (v / 100 == 2 || v == 0 || x->end == PROBE_TIMEOUT)
		return;
	x->end = PROBE_NO_PROXY;
	x->proxy_status = (int)v;
}

static void
fill(struct probe_transfer *t, struct probe_exchange *x)
{
	long v = 1;

#if LIBCURL_VERSION_NUM >= 0x080700
	(void)curl_easy_getinfo(t->easy, CURLINFO_USED_PROXY, &v);
#endif
	x->proxied = v != 0 && t->shared->proxied && !t->tls;
	x->error = NULL;
	(void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &v);
	x->status = (int)v;
	(void)curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &v);
	x->http = v == CURL_HTTP_VERSION_1_0   ? 10
		  : v == CURL_HTTP_VERSION_1_1 ? 11
					       : 20;
}

void
probe_transfer_exchange(
    struct probe_transfer *t, CURLcode code, struct probe_exchange *x)
{
	struct probe_answer *a = &t->answer;

	memset(x, 0, sizeof *x);
	x->end = how(code);
	x->error = t->error[0] != '\0' ? t->error : curl_easy_strerror(code);
	if (a->truncated && a->whole_head)
		x->end = PROBE_ANSWERED;
	if (is_large(a, code)) {
		x->end = PROBE_TOO_LARGE;
		x->error = "the response head is too long";
	} else if (a->nomem ||
		   (x->end == PROBE_ANSWERED && !probe_answer_fill(a, x))) {
		x->end = PROBE_BROKEN;
		x->error = "out of memory";
	}
	if (x->end == PROBE_ANSWERED)
		fill(t, x);
	else
		ask_proxy(t, x);
	(void)curl_easy_getinfo(t->easy, CURLINFO_TOTAL_TIME, &x->seconds);
}

/* The next request goes to its URL's host again. */
static void
end_other_sni(struct probe_transfer *t)
{
	(void)curl_easy_setopt(
	    t->easy, CURLOPT_CONNECT_TO, t->shared->connect_to);
	if (!t->shared->route.insecure)
		(void)curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_slist_free_all(t->connect_to);
	t->connect_to = NULL;
}

void
probe_transfer_end(struct probe_transfer *t)
{
	if (t->connect_to != NULL)
		end_other_sni(t);
	curl_slist_free_all(t->headers);
	t->headers = NULL;
	probe_answer_reset(&t->answer);
}
