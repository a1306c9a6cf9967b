/* SPDX-License-Identifier: BSD-2-Clause */
/* Malice: what no server should send. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/origin/answer.h"

bool
put(int fd, const char *b, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = send(fd, b, len, MSG_NOSIGNAL);
		if (n <= 0)
			return (false);
		b += n;
		len -= (size_t)n;
	}
	return (true);
}

static void
reset(int fd)
{
	struct linger l = { 1, 0 };

	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
}

bool
play_hostile(const struct request *q, struct response *r)
{
	static const char ok[] =
	    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
	const char *what = q->path + strlen("/hostile/");
	char junk[16384];
	int fd = q->fd, i;
	size_t n;

	memset(junk, 'x', sizeof junk);
	r->close = true;
	if (strcmp(what, "endless-head") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		for (i = 0; i < 10000000; i++) {
			int len = snprintf(
			    junk, sizeof junk, "X-Junk-%d: %.900d\r\n", i, 0);

			if (!put(fd, junk, (size_t)len))
				break;
		}
	} else if (strcmp(what, "endless-line") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Vary: ", 6);
		while (put(fd, junk, sizeof junk))
			continue;
	} else if (strcmp(what, "big-vary") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Vary: a", 7);
		for (n = 0; n < 10 * 1024 * 1024; n += sizeof junk)
			if (!put(fd, junk, sizeof junk))
				break;
		(void)put(fd, "\r\nContent-Length: 2\r\n\r\nok", 25);
	} else if (strcmp(what, "many-vary") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		for (i = 0; i < 5000; i++) {
			int len = snprintf(
			    junk, sizeof junk, "Vary: X-Name-%d\r\n", i);

			if (!put(fd, junk, (size_t)len))
				break;
		}
		(void)put(fd, "Content-Length: 2\r\n\r\nok", 23);
	} else if (strcmp(what, "endless-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "\r\n", 2);
		while (put(fd, junk, sizeof junk))
			continue;
	} else if (strcmp(what, "drip") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 100000\r\n\r\n", 26);
		for (i = 0; i < 600; i++) {
			if (!put(fd, "x", 1))
				break;
			(void)poll(NULL, 0, 100);
		}
	} else if (strcmp(what, "bad-chunk") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Transfer-Encoding: chunked\r\n\r\n", 30);
		(void)put(fd, "5\r\nhello\r\nzz\r\nworld\r\n", 21);
	} else if (strcmp(what, "short-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 1000\r\n\r\nshort", 29);
	} else if (strcmp(what, "reset-before") == 0) {
		reset(fd);
	} else if (strcmp(what, "reset-head") == 0) {
		(void)put(fd, ok, 20);
		reset(fd);
	} else if (strcmp(what, "reset-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 1000\r\n\r\nshort", 29);
		reset(fd);
	} else if (strcmp(what, "no-http") == 0) {
		(void)put(fd, "220 mail.example ESMTP\r\n", 24);
	} else if (strcmp(what, "bomb") == 0) {
		/* 64 MB of nothing in 64 kB of gzip */
		memset(junk, 0, sizeof junk);
		for (n = 0; n < 64 * 1024 * 1024; n += sizeof junk)
			add_bytes(&r->body, junk, sizeof junk);
		zip(r);
		return (false);
	} else if (strcmp(what, "not-gzip") == 0) {
		page(&r->body, NULL);
		add(&r->head, "Content-Encoding: gzip\r\n");
		return (false);
	} else if (strcmp(what, "binary") == 0) {
		for (n = 0; n < 5000; n++) {
			char c = (char)(n * 7919 >> 3);

			add_bytes(&r->body, &c, 1);
		}
		add(&r->head, "X-Odd: \x01\x02\xff\xfe\r\n");
		return (false);
	} else if (strcmp(what, "loop") == 0) {
		r->status = 302;
		add(&r->head, "Location: /hostile/loop\r\n");
		return (false);
	} else if (strcmp(what, "refuses-later") == 0) {
		/* 403 for everything from the 10th request on */
		if (atomic_fetch_add(&counter, 1) >= 10)
			r->status = 403;
		page(&r->body, NULL);
		r->close = false;
		return (false);
	} else if (strcmp(what, "slow-down") == 0) {
		r->status = atomic_fetch_add(&counter, 1) % 6 == 5 ? 429 : 200;
		if (r->status == 429)
			add(&r->head, "Retry-After: 0\r\n");
		page(&r->body, NULL);
		r->close = false;
		return (false);
	} else if (strcmp(what, "limited") == 0) {
		r->status = atomic_fetch_add(&counter, 1) < 10 ? 200 : 429;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "blocks-bots") == 0) {
		r->status = says(q, "User-Agent", "Googlebot") ? 403 : 200;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "random-status") == 0) {
		r->status = atomic_fetch_add(&counter, 1) % 2 == 0 ? 200 : 500;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "random-body") == 0) {
		for (i = 0; i < 64; i++) {
			uint64_t v = random64();

			add_bytes(&r->body, &v, sizeof v);
			add_bytes(&r->body, "\0", 1);
		}
		return (false);
	} else {
		r->status = 404;
		return (false);
	}
	return (true);
}
