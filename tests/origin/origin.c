/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An origin that plays the cases of public reports, page noise, and malice.
 * Sockets of its own rather than a library: half of the cases are answers that
 * no library would send.
 *
 *	origin [-s SECONDS] [-d FOLDER]
 *		listen on a free port of 127.0.0.1, say "port N"; /files/NAME is
 *		what stands in FOLDER
 *
 * It ends when its stdin does (so that it never outlives a test), or after
 * SECONDS.
 */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/origin/answer.h"

enum {
	MAX_REQUEST = 64 * 1024,
};

static atomic_uint connections;
static const char *folder;

static bool
serve_file(const struct request *q, struct response *r)
{
	char name[4096], buf[65536];
	const char *base = q->path + 7;
	size_t n;
	FILE *f;

	if (folder == NULL || strchr(base, '/') != NULL || *base == '.')
		return (false);
	(void)snprintf(name, sizeof name, "%s/%s", folder, base);
	f = fopen(name, "r");
	if (f == NULL)
		return (false);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		add_bytes(&r->body, buf, n);
	(void)fclose(f);
	return (true);
}

static void
answer(const struct request *q, struct response *r)
{
	char letter = 0;
	int n;

	if (strncmp(q->path, "/case/", 6) == 0) {
		n = atoi(q->path + 6);
		letter = q->path[strlen(q->path) - 1];
		play_case(q, r, n, letter);
	} else if (strncmp(q->path, "/near/", 6) == 0)
		play_near(q, r);
	else if (strncmp(q->path, "/app/", 5) == 0)
		play_app(q, r);
	else if (strncmp(q->path, "/valid/", 7) == 0)
		play_valid(q, r);
	else if (strncmp(q->path, "/noise", 6) == 0)
		play_noise(q, r);
	else if (strcmp(q->path, "/robots.txt") == 0 &&
		 says(q, "Host", "busy."))
		r->status = 503;
	else if (strcmp(q->path, "/robots.txt") == 0 &&
		 says(q, "Host", "gone."))
		r->status = 410;
	else if (strcmp(q->path, "/robots.txt") == 0 &&
		 (says(q, "Host", "moved.") || says(q, "Host", "loop."))) {
		r->status = 301;
		add(&r->head, "Location: http://%s.example/robots.txt\r\n",
		    says(q, "Host", "loop.") ? "loop" : "www");
	} else if (strcmp(q->path, "/robots.txt") == 0) {
		add(&r->body, "User-agent: *\nDisallow: /private/\n"
			      "Allow: /private/open\nDisallow: /*.pdf$\n\n"
			      "User-agent: varyprobe\nDisallow: /no-probe\n"
			      "Disallow: /private/\nAllow: /private/open\n");
	} else if (strncmp(q->path, "/plain", 6) == 0 ||
		   strncmp(q->path, "/private", 8) == 0)
		page(&r->body, NULL);
	else if (strncmp(q->path, "/files/", 7) != 0 || !serve_file(q, r)) {
		r->status = 404;
		add(&r->body, "nothing here\n");
	}
}

static bool
serve_one(struct request *q)
{
	struct response r;
	struct text out = { NULL, 0, 0 };
	bool ok, keep;
	const char *c;

	memset(&r, 0, sizeof r);
	r.status = 200;
	if (strncmp(q->path, "/hostile/", 9) == 0 && play_hostile(q, &r)) {
		free(r.head.b);
		free(r.body.b);
		return (false);
	}
	if (strncmp(q->path, "/hostile/", 9) != 0)
		answer(q, &r);
	c = get(q, "Connection");
	keep = !r.close && (c == NULL || strcasecmp(c, "close") != 0);
	add(&out, "HTTP/1.1 %d Whatever\r\n", r.status);
	if (!r.has_type && r.status != 304)
		add(&out, "Content-Type: text/html; charset=utf-8\r\n");
	if (r.head.len > 0)
		add_bytes(&out, r.head.b, r.head.len);
	if (r.status != 304)
		add(&out, "Content-Length: %zu\r\n", r.body.len);
	add(&out, "%s\r\n", keep ? "" : "Connection: close\r\n");
	if (strcmp(q->method, "HEAD") != 0 && r.status != 304 && r.body.len > 0)
		add_bytes(&out, r.body.b, r.body.len);
	ok = put(q->fd, out.b, out.len);
	free(out.b);
	free(r.head.b);
	free(r.body.b);
	return (ok && keep);
}

/* The head of a request in place; false if it is none. */
static bool
parse(struct request *q, char *p)
{
	char *line, *state, *sp, *colon;

	line = strtok_r(p, "\r\n", &state);
	if (line == NULL)
		return (false);
	q->nh = 0;
	q->query = NULL;
	sp = strchr(line, ' ');
	if (sp == NULL)
		return (false);
	*sp++ = '\0';
	(void)snprintf(q->method, sizeof q->method, "%s", line);
	(void)snprintf(
	    q->path, sizeof q->path, "%.*s", (int)strcspn(sp, " "), sp);
	q->query = strchr(q->path, '?');
	if (q->query != NULL)
		*q->query++ = '\0';
	while ((line = strtok_r(NULL, "\r\n", &state)) != NULL &&
	       q->nh < MAX_HEADERS) {
		colon = strchr(line, ':');
		if (colon == NULL)
			continue;
		*colon++ = '\0';
		while (*colon == ' ' || *colon == '\t')
			colon++;
		q->h[q->nh].name = line;
		q->h[q->nh++].value = colon;
	}
	return (true);
}

static void *
serve(void *arg)
{
	struct request *q = arg;
	char *buf = malloc(MAX_REQUEST + 1), *end;
	size_t len = 0, used;
	ssize_t n;
	bool more = buf != NULL;

	while (more) {
		buf[len] = '\0';
		while ((end = strstr(buf, "\r\n\r\n")) == NULL) {
			if (len == MAX_REQUEST)
				goto out;
			n = recv(q->fd, buf + len, MAX_REQUEST - len, 0);
			if (n <= 0)
				goto out;
			len += (size_t)n;
			buf[len] = '\0';
		}
		used = (size_t)(end - buf) + 4;
		*end = '\0';
		more = parse(q, buf) && serve_one(q);
		memmove(buf, buf + used, len - used);
		len -= used;
	}
out:
	(void)close(q->fd);
	free(buf);
	free(q);
	return (NULL);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in sa;
	socklen_t sl = sizeof sa;
	struct pollfd p[2];
	pthread_attr_t attr;
	pthread_t t;
	int s, fd, on = 1;
	char c;

	while ((fd = getopt(argc, argv, "s:d:")) != -1) {
		if (fd == 's')
			(void)alarm((unsigned)atoi(optarg));
		else if (fd == 'd')
			folder = optarg;
		else
			return (2);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	memset(&sa, 0, sizeof sa);
	sa.sin_family = AF_INET;
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s < 0 || bind(s, (struct sockaddr *)&sa, sizeof sa) != 0 ||
	    listen(s, 512) != 0 ||
	    getsockname(s, (struct sockaddr *)&sa, &sl) != 0) {
		perror("origin");
		return (1);
	}
	printf("port %d\n", ntohs(sa.sin_port));
	(void)fflush(stdout);
	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&attr, 512 * 1024);
	p[0].fd = s;
	p[1].fd = STDIN_FILENO;
	p[0].events = p[1].events = POLLIN;
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return (1);
		if (p[1].revents != 0 && read(STDIN_FILENO, &c, 1) <= 0)
			return (0);
		if ((p[0].revents & POLLIN) == 0)
			continue;
		fd = accept4(s, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		{
			struct request *q = calloc(1, sizeof *q);

			if (q == NULL)
				return (1);
			q->fd = fd;
			q->connection = atomic_fetch_add(&connections, 1);
			if (pthread_create(&t, &attr, serve, q) != 0) {
				(void)close(fd);
				free(q);
			}
		}
	}
}
