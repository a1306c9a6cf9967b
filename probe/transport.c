/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/transport.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "probe/sockets.h"
#include "probe/transfer.h"

struct slot {
	struct probe_transfer transfer;
	struct slot *next;          /* that is idle */
	probe_transport_done *done; /* NULL: it is idle itself */
	void *baton;
};

struct probe_transport {
	CURLM *multi;
	struct slot *slots, *idle;
	unsigned nslots, nidle;
	struct probe_transfer_shared shared;
	struct probe_sockets sockets;
	int64_t timer; /* when libcurl wants to be called; -1: never */
};

/* Since some time, and never set back. */
static int64_t
microseconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
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

static bool
open_multi(struct probe_transport *t)
{
	CURLM *m = t->multi = curl_multi_init();

	return (m != NULL &&
		curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, on_socket) ==
		    CURLM_OK &&
		curl_multi_setopt(m, CURLMOPT_SOCKETDATA, t) == CURLM_OK &&
		curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, on_timer) ==
		    CURLM_OK &&
		curl_multi_setopt(m, CURLMOPT_TIMERDATA, t) == CURLM_OK &&
		curl_multi_setopt(m, CURLMOPT_MAX_HOST_CONNECTIONS,
		    (long)t->shared.route.per_host) == CURLM_OK);
}

static void
put(struct probe_transport *t, struct slot *s)
{
	s->done = NULL;
	s->next = t->idle;
	t->idle = s;
	t->nidle++;
}

static apr_status_t
open_slot(struct probe_transport *t, struct slot *s)
{
	apr_status_t st = probe_transfer_init(&s->transfer, &t->shared);

	if (st == APR_SUCCESS && curl_easy_setopt(s->transfer.easy,
				     CURLOPT_PRIVATE, (char *)s) != CURLE_OK)
		st = APR_ENOMEM;
	if (st == APR_SUCCESS)
		put(t, s);
	return (st);
}

apr_status_t
probe_transport_open(struct probe_transport **ret, const struct probe_route *r,
    apr_pool_t *result_pool)
{
	struct probe_transport *t;
	apr_status_t st;
	unsigned i;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return (APR_EGENERAL);
	t = apr_pcalloc(result_pool, sizeof *t);
	t->nslots = r->concurrency > 0 ? r->concurrency : 8;
	t->slots = apr_pcalloc(result_pool, t->nslots * sizeof *t->slots);
	t->timer = -1;
	st = probe_transfer_share(&t->shared, r);
	if (st == APR_SUCCESS && !open_multi(t))
		st = APR_ENOMEM;
	/* The first is taken first. */
	for (i = t->nslots; i > 0 && st == APR_SUCCESS; i--)
		st = open_slot(t, &t->slots[i - 1]);
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
	struct probe_exchange x = { .end = PROBE_STOPPED, .error = "stopped" };
	unsigned i;

	*tp = NULL;
	if (t == NULL)
		return;
	for (i = 0; i < t->nslots; i++)
		if (t->slots[i].done != NULL)
			t->slots[i].done(t->slots[i].baton, &x);
	for (i = 0; i < t->nslots; i++) {
		struct slot *s = &t->slots[i];

		if (s->done != NULL)
			(void)curl_multi_remove_handle(
			    t->multi, s->transfer.easy);
		probe_transfer_fini(&s->transfer);
	}
	if (t->multi != NULL)
		(void)curl_multi_cleanup(t->multi);
	probe_sockets_fini(&t->sockets);
	probe_transfer_unshare(&t->shared);
	curl_global_cleanup();
}

unsigned
probe_transport_room(const struct probe_transport *t)
{
	return (t->nidle);
}

apr_status_t
probe_transport_submit(struct probe_transport *t, const struct probe_request *q,
    probe_transport_done *done, void *baton)
{
	struct slot *s = t->idle;
	apr_status_t st;

	if (s == NULL)
		return (APR_EAGAIN);
	st = probe_transfer_begin(&s->transfer, q);
	if (st != APR_SUCCESS)
		return (st);
	if (curl_multi_add_handle(t->multi, s->transfer.easy) != CURLM_OK) {
		probe_transfer_end(&s->transfer);
		return (APR_EGENERAL);
	}
	s->done = done;
	s->baton = baton;
	t->idle = s->next;
	t->nidle--;
	return (APR_SUCCESS);
}

static void
finish(struct probe_transport *t, struct slot *s, CURLcode code)
{
	struct probe_exchange x;
	probe_transport_done *done = s->done;

	probe_transfer_exchange(&s->transfer, code, &x);
	/* It may submit a request, and this slot is not free yet. */
	s->done = NULL;
	done(s->baton, &x);
	probe_transfer_end(&s->transfer);
	put(t, s);
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
		finish(t, (struct slot *)(void *)private, code);
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
probe_transport_run(struct probe_transport *t, int timeout_ms, int fd)
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
	if (fd >= 0 && probe_sockets_await(&t->sockets, fd, POLLIN) != 0)
		return (APR_ENOMEM);
	ready = poll(t->sockets.p, (nfds_t)t->sockets.n,
	    timeout_ms > 0 ? timeout_ms : 0);
	/* It is none of libcurl's. */
	if (fd >= 0)
		(void)probe_sockets_await(&t->sockets, fd, 0);
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
