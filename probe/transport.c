/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/transport.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <apr_strings.h>
#include <curl/curl.h>

#include "probe/head.h"
#include "probe/sockets.h"

enum {
	MAX_HEAD = 512 * 1024,
	DEFAULT_BODY = 4 * 1024 * 1024,
	KEEP = 256 * 1024, /* a slot's buffer may stay this large */
};

struct buffer {
	char *b;
	size_t len, cap;
};

struct slot {
	struct probe_transport *t;
	struct slot *next;
	CURL *easy;
	struct curl_slist *headers, *connect_to;
	struct buffer head, body;
	struct probe_head split;
	bool head_done, head_large, truncated, nomem;
	char error[CURL_ERROR_SIZE];
	probe_transport_done *done;
	void *baton;
};

struct probe_transport {
	CURLM *multi;
	struct slot *slots, *idle;
	unsigned nslots, nidle;
	size_t max_body;
	struct curl_slist *connect_to, *resolve;
	bool insecure;
	struct probe_sockets sockets;
	int64_t timer; /* when libcurl wants to be called; -1: never */
};

static bool
append(struct buffer *b, const char *p, size_t len)
{
	size_t cap;
	char *n;

	if (len > b->cap - b->len) {
		cap = b->cap > 0 ? b->cap : 4096;
		while (cap - b->len < len)
			cap *= 2;
		n = realloc(b->b, cap);
		if (n == NULL)
			return (false);
		b->b = n;
		b->cap = cap;
	}
	memcpy(b->b + b->len, p, len);
	b->len += len;
	return (true);
}

/* After one large page a slot would hold its megabytes for good. */
static void
shrink(struct buffer *b)
{
	if (b->cap > KEEP) {
		free(b->b);
		b->b = NULL;
		b->cap = 0;
	}
	b->len = 0;
}

static size_t
on_head(char *p, size_t size, size_t n, void *baton)
{
	struct slot *s = baton;

	n *= size;
	/* A status line begins anew: an interim answer, or after a proxy's. */
	if (n > 5 && memcmp(p, "HTTP/", 5) == 0) {
		s->head.len = 0;
		s->head_done = false;
	} else if (s->head_done)
		return (n); /* a trailer is no part of the head */
	if (n > MAX_HEAD - s->head.len) {
		s->head_large = true;
		return (0);
	}
	if (!append(&s->head, p, n)) {
		s->nomem = true;
		return (0);
	}
	if ((n == 2 && memcmp(p, "\r\n", 2) == 0) || (n == 1 && *p == '\n'))
		s->head_done = true;
	return (n);
}

static size_t
on_body(char *p, size_t size, size_t n, void *baton)
{
	struct slot *s = baton;
	size_t take;

	n *= size;
	take = s->t->max_body - s->body.len;
	if (take > n)
		take = n;
	if (!append(&s->body, p, take)) {
		s->nomem = true;
		return (0);
	}
	if (take < n) {
		/* An endless body is cut here: the transfer ends. */
		s->truncated = true;
		return (0);
	}
	return (n);
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

/* The next request goes to its URL's host again. */
static void
end_other_sni(struct slot *s)
{
	(void)curl_easy_setopt(s->easy, CURLOPT_CONNECT_TO, s->t->connect_to);
	if (!s->t->insecure)
		(void)curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_slist_free_all(s->connect_to);
	s->connect_to = NULL;
}

static void
finish(struct slot *s, CURLcode code)
{
	struct probe_transport *t = s->t;
	struct probe_exchange x;
	probe_transport_done *done = s->done;
	void *baton = s->baton;
	long v = 0;

	memset(&x, 0, sizeof x);
	x.end = how(code);
	x.error = s->error[0] != '\0' ? s->error : curl_easy_strerror(code);
	if (s->truncated && s->head_done)
		x.end = PROBE_ANSWERED;
	/* libcurl has a limit of its own for a line of the head. */
	if (s->head_large || (!s->head_done && !s->nomem &&
				 (code == CURLE_OUT_OF_MEMORY ||
#if LIBCURL_VERSION_NUM >= 0x080600
				     code == CURLE_TOO_LARGE ||
#endif
				     false))) {
		x.end = PROBE_TOO_LARGE;
		x.error = "the response head is too long";
	} else if (s->nomem) {
		x.end = PROBE_BROKEN;
		x.error = "out of memory";
	}
	if (x.end == PROBE_ANSWERED &&
	    !probe_head_split(&s->split, s->head.b, s->head.len)) {
		x.end = PROBE_BROKEN;
		x.error = "out of memory";
	}
	if (x.end == PROBE_ANSWERED) {
		x.error = NULL;
		(void)curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &v);
		x.status = (int)v;
		(void)curl_easy_getinfo(s->easy, CURLINFO_HTTP_VERSION, &v);
		x.http = v == CURL_HTTP_VERSION_1_0   ? 10
			 : v == CURL_HTTP_VERSION_1_1 ? 11
						      : 20;
		x.lines = s->split.lines;
		x.nlines = s->split.nlines;
		x.body = s->body.b;
		x.body_len = s->body.len;
		x.truncated = s->truncated;
	}
	(void)curl_easy_getinfo(s->easy, CURLINFO_TOTAL_TIME, &x.seconds);
	s->done = NULL;
	done(baton, &x);
	if (s->connect_to != NULL)
		end_other_sni(s);
	curl_slist_free_all(s->headers);
	s->headers = NULL;
	shrink(&s->head);
	shrink(&s->body);
	s->next = t->idle;
	t->idle = s;
	t->nidle++;
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
prepare(struct slot *s, const struct probe_route *r)
{
	CURL *e = s->easy;
	long v;

	SET(CURLOPT_PRIVATE, (char *)s);
	SET(CURLOPT_ERRORBUFFER, s->error);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	SET(CURLOPT_HEADERFUNCTION, on_head);
	SET(CURLOPT_HEADERDATA, s);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, s);
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
	if (s->t->connect_to != NULL)
		SET(CURLOPT_CONNECT_TO, s->t->connect_to);
	if (s->t->resolve != NULL)
		SET(CURLOPT_RESOLVE, s->t->resolve);
	return (APR_SUCCESS);
}

/* Since some time, and never set back. */
static int64_t
microseconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
}

static int on_socket(CURL *, curl_socket_t, int, void *, void *);
static int on_timer(CURLM *, long, void *);

apr_status_t
probe_transport_open(struct probe_transport **ret, const struct probe_route *r,
    apr_pool_t *result_pool)
{
	struct probe_transport *t;
	apr_status_t st = APR_SUCCESS;
	bool ok = true;
	unsigned i;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return (APR_EGENERAL);
	t = apr_pcalloc(result_pool, sizeof *t);
	t->insecure = r->insecure;
	t->max_body = r->max_body > 0 ? r->max_body : DEFAULT_BODY;
	t->nslots = r->concurrency > 0 ? r->concurrency : 8;
	t->slots = apr_pcalloc(result_pool, t->nslots * sizeof *t->slots);
	t->connect_to = list_of(r->connect_to, &ok);
	t->resolve = list_of(r->resolve, &ok);
	t->timer = -1;
	t->multi = curl_multi_init();
	if (t->multi == NULL || !ok ||
	    curl_multi_setopt(t->multi, CURLMOPT_SOCKETFUNCTION, on_socket) !=
		CURLM_OK ||
	    curl_multi_setopt(t->multi, CURLMOPT_SOCKETDATA, t) != CURLM_OK ||
	    curl_multi_setopt(t->multi, CURLMOPT_TIMERFUNCTION, on_timer) !=
		CURLM_OK ||
	    curl_multi_setopt(t->multi, CURLMOPT_TIMERDATA, t) != CURLM_OK)
		st = APR_ENOMEM;
	for (i = 0; i < t->nslots && st == APR_SUCCESS; i++) {
		struct slot *s = &t->slots[t->nslots - 1 - i];

		s->t = t;
		s->easy = curl_easy_init();
		if (s->easy == NULL)
			st = APR_ENOMEM;
		else
			st = prepare(s, r);
		s->next = t->idle;
		t->idle = s;
		t->nidle++;
	}
	if (st == APR_SUCCESS && r->per_host > 0 &&
	    curl_multi_setopt(t->multi, CURLMOPT_MAX_HOST_CONNECTIONS,
		(long)r->per_host) != CURLM_OK)
		st = APR_EGENERAL;
	if (st != APR_SUCCESS) {
		probe_transport_close(&t);
		return (st);
	}
	*ret = t;
	return (APR_SUCCESS);
}

void
probe_transport_close(struct probe_transport **tp)
{
	struct probe_transport *t = *tp;
	unsigned i;

	struct probe_exchange x = { .end = PROBE_STOPPED, .error = "stopped" };

	*tp = NULL;
	if (t == NULL)
		return;
	for (i = 0; i < t->nslots; i++)
		if (t->slots[i].done != NULL)
			t->slots[i].done(t->slots[i].baton, &x);
	for (i = 0; i < t->nslots; i++) {
		struct slot *s = &t->slots[i];

		if (s->easy != NULL) {
			if (t->multi != NULL)
				(void)curl_multi_remove_handle(
				    t->multi, s->easy);
			curl_easy_cleanup(s->easy);
		}
		curl_slist_free_all(s->headers);
		curl_slist_free_all(s->connect_to);
		free(s->head.b);
		free(s->body.b);
		probe_head_fini(&s->split);
	}
	if (t->multi != NULL)
		(void)curl_multi_cleanup(t->multi);
	probe_sockets_fini(&t->sockets);
	curl_slist_free_all(t->connect_to);
	curl_slist_free_all(t->resolve);
	curl_global_cleanup();
}

unsigned
probe_transport_room(const struct probe_transport *t)
{
	return (t->nidle);
}

static apr_status_t
add_header(struct slot *s, const struct probe_header *h)
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
	l = curl_slist_append(s->headers, b);
	if (b != stack)
		free(b);
	if (l == NULL)
		return (APR_ENOMEM);
	s->headers = l;
	return (APR_SUCCESS);
}

/*
 * The handshake's name is the URL's host, for libcurl: so the URL gets another
 * host, an address where there is to be no name, and the connection goes where it
 * would have gone.  The certificate cannot be for that name, but has to be good.
 */
static apr_status_t
begin_other_sni(struct slot *s, const struct probe_request *q, char **ret_url)
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
		l = curl_slist_append(s->headers, header);
		if (l == NULL)
			goto out;
		s->headers = l;
	}
	/* --connect-to says where to, whatever the host is. */
	s->connect_to = curl_slist_append(
	    NULL, s->t->connect_to != NULL ? s->t->connect_to->data : to);
	if (s->connect_to != NULL &&
	    curl_url_set(u, CURLUPART_HOST, name, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_URL, ret_url, 0) == CURLUE_OK &&
	    curl_easy_setopt(s->easy, CURLOPT_CONNECT_TO, s->connect_to) ==
		CURLE_OK &&
	    curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK)
		st = APR_SUCCESS;
out:
	free(header);
	free(to);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
	return (st);
}

apr_status_t
probe_transport_submit(struct probe_transport *t, const struct probe_request *q,
    probe_transport_done *done, void *baton)
{
	struct slot *s = t->idle;
	apr_status_t st;
	char *url = NULL;
	CURL *e;
	size_t i;

	if (s == NULL)
		return (APR_EAGAIN);
	e = s->easy;
	s->head_done = s->head_large = s->truncated = s->nomem = false;
	s->error[0] = '\0';
	for (i = 0; i < q->nheaders; i++) {
		st = add_header(s, &q->headers[i]);
		if (st != APR_SUCCESS) {
			curl_slist_free_all(s->headers);
			s->headers = NULL;
			return (st);
		}
	}
	if (q->other_sni) {
		st = begin_other_sni(s, q, &url);
		if (st == APR_SUCCESS &&
		    curl_easy_setopt(e, CURLOPT_URL, url) != CURLE_OK)
			st = APR_ENOMEM;
		curl_free(url);
		if (st != APR_SUCCESS) {
			end_other_sni(s);
			curl_slist_free_all(s->headers);
			s->headers = NULL;
			return (st);
		}
	} else
		SET(CURLOPT_URL, q->url);
	SET(CURLOPT_HTTPHEADER, s->headers);
	SET(CURLOPT_FRESH_CONNECT, q->fresh ? 1L : 0L);
	SET(CURLOPT_NOBODY, q->method == PROBE_HEAD ? 1L : 0L);
	if (q->method != PROBE_HEAD)
		SET(CURLOPT_HTTPGET, 1L);
	SET(CURLOPT_CUSTOMREQUEST,
	    q->method == PROBE_OPTIONS ? "OPTIONS" : NULL);
	if (curl_multi_add_handle(t->multi, e) != CURLM_OK)
		return (APR_EGENERAL);
	s->done = done;
	s->baton = baton;
	t->idle = s->next;
	t->nidle--;
	return (APR_SUCCESS);
}

/* libcurl's word on what it waits for. */
static int
on_socket(CURL *e, curl_socket_t fd, int what, void *baton, void *unused)
{
	struct probe_transport *t = baton;
	short events = 0;

	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
		events |= POLLIN;
	if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
		events |= POLLOUT;
	return (
	    probe_sockets_await(&t->sockets, (int)fd, events) == 0 ? 0 : -1);
}

static int
on_timer(CURLM *m, long ms, void *baton)
{
	struct probe_transport *t = baton;

	t->timer = ms < 0 ? -1 : microseconds() + (int64_t)ms * 1000;
	return (0);
}

/* All that has ended; how many there were. */
static int
reap(struct probe_transport *t)
{
	CURLMsg *m;
	char *private;
	int n, ended = 0;

	while ((m = curl_multi_info_read(t->multi, &n)) != NULL) {
		CURL *e = m->easy_handle;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		private = NULL;
		(void)curl_easy_getinfo(e, CURLINFO_PRIVATE, &private);
		assert(private != NULL);
		(void)curl_multi_remove_handle(t->multi, e);
		/* through void *: libcurl keeps it as char * */
		finish((struct slot *)(void *)private, code);
		ended++;
	}
	return (ended);
}

static apr_status_t
act_on_timer(struct probe_transport *t, int64_t now)
{
	int n;

	if (t->timer < 0 || t->timer > now)
		return (APR_SUCCESS);
	t->timer = -1;
	return (curl_multi_socket_action(
		    t->multi, CURL_SOCKET_TIMEOUT, 0, &n) == CURLM_OK
		    ? APR_SUCCESS
		    : APR_EGENERAL);
}

static apr_status_t
act_on_sockets(struct probe_transport *t, int ready)
{
	struct probe_sockets *s = &t->sockets;
	int i, n, how;

	/* Whoever is taken out has its place taken by the last one, which is
	 * not behind us if we go from the end. */
	for (i = s->n - 1; ready > 0 && i >= 0; i--) {
		short r;

		if (i >= s->n || (r = s->p[i].revents) == 0)
			continue;
		s->p[i].revents = 0;
		ready--;
		/* An error is for the read to find, if one is awaited: it tells
		 * a reset from others, as libcurl's own loop has it. */
		if ((r & (POLLERR | POLLHUP | POLLNVAL)) == 0)
			how = 0;
		else if ((s->p[i].events & POLLIN) != 0)
			how = CURL_CSELECT_IN;
		else
			how = CURL_CSELECT_ERR;
		how |= ((r & POLLIN) != 0 ? CURL_CSELECT_IN : 0) |
		       ((r & POLLOUT) != 0 ? CURL_CSELECT_OUT : 0);
		if (curl_multi_socket_action(t->multi, s->p[i].fd, how, &n) !=
		    CURLM_OK)
			return (APR_EGENERAL);
	}
	return (APR_SUCCESS);
}

apr_status_t
probe_transport_run(struct probe_transport *t, int timeout_ms)
{
	int64_t now = microseconds();
	apr_status_t st;
	int ready;

	st = act_on_timer(t, now);
	if (st != APR_SUCCESS)
		return (st);
	if (reap(t) > 0)
		timeout_ms = 0;
	else if (t->timer >= 0 && t->timer <= now)
		timeout_ms = 0;
	else if (t->timer >= 0 && timeout_ms > (t->timer - now) / 1000)
		timeout_ms = (int)((t->timer - now + 999) / 1000);
	ready = poll(t->sockets.p, (nfds_t)t->sockets.n,
	    timeout_ms > 0 ? timeout_ms : 0);
	/* A signal: the caller knows of it. */
	if (ready < 0)
		return (
		    errno == EINTR ? APR_SUCCESS : APR_FROM_OS_ERROR(errno));
	st = act_on_sockets(t, ready);
	if (st == APR_SUCCESS)
		st = act_on_timer(t, microseconds());
	(void)reap(t);
	return (st);
}

const char *
probe_transport_version(void)
{
	return (curl_version());
}

static const char *
url_part(CURLU *u, CURLUPart part, unsigned flags, apr_pool_t *pool)
{
	char *p = NULL;
	const char *copy = NULL;

	if (curl_url_get(u, part, &p, flags) == CURLUE_OK)
		copy = apr_pstrdup(pool, p);
	curl_free(p);
	return (copy);
}

apr_status_t
probe_transport_url(const char *url, const char **ret_url,
    const char **ret_host, const char **ret_why, apr_pool_t *pool)
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
	if (url_part(u, CURLUPART_USER, 0, pool) != NULL ||
	    url_part(u, CURLUPART_PASSWORD, 0, pool) != NULL) {
		curl_url_cleanup(u);
		*ret_why = "a password in a URL would stand in every report: "
			   "use --user";
		return (APR_EINVAL);
	}
	scheme = url_part(u, CURLUPART_SCHEME, 0, pool);
	host = url_part(u, CURLUPART_HOST, 0, pool);
	port = url_part(u, CURLUPART_PORT, CURLU_NO_DEFAULT_PORT, pool);
	whole = url_part(u, CURLUPART_URL, CURLU_NO_DEFAULT_PORT, pool);
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
probe_transport_relative(
    const char *base, const char *reference, const char **ret, apr_pool_t *pool)
{
	CURLU *u = curl_url();
	const char *whole = NULL;

	if (u == NULL)
		return (APR_ENOMEM);
	if (curl_url_set(u, CURLUPART_URL, base, 0) == CURLUE_OK &&
	    curl_url_set(u, CURLUPART_URL, reference, 0) == CURLUE_OK)
		whole = url_part(u, CURLUPART_URL, 0, pool);
	curl_url_cleanup(u);
	if (whole == NULL)
		return (APR_EINVAL);
	*ret = whole;
	return (APR_SUCCESS);
}
