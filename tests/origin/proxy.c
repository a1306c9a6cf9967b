/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Proxies of all kinds, good and bad ones, each at a port of its own.
 *
 *	proxy [-s SECONDS] [-l LOG] -t PORT
 *		say "NAME PORT" for each of them, then "ready"; a name is taken
 *		for 127.0.0.1, and https' own port for PORT.  LOG gets a line for
 *		whatever a proxy is asked for.
 *
 * It ends when its stdin does (so that it never outlives a test), or after
 * SECONDS.
 */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	MAX_HEAD = 64 * 1024,
	HTTPS = 443,
};

struct way {
	const char *name;
	void (*serve)(const struct way *, int fd);
	int status; /* that it answers, whatever it is asked for */
};

static int tls_port;
static FILE *book;

static bool
put(int fd, const char *p, size_t len)
{
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n) {
		n = send(fd, p, len, MSG_NOSIGNAL);
		if (n <= 0)
			return (false);
	}
	return (true);
}

static bool
take(int fd, void *to, size_t len)
{
	char *p = to;
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n) {
		n = recv(fd, p, len, 0);
		if (n <= 0)
			return (false);
	}
	return (true);
}

static void
note(const char *kind, const char *what, size_t len, int port)
{
	if (book == NULL)
		return;
	fprintf(book, "%s %.*s:%d\n", kind, (int)len, what, port);
	(void)fflush(book);
}

/* To 127.0.0.1, whatever the name is; -1: nobody is there. */
static int
reach(int port)
{
	struct sockaddr_in sa;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memset(&sa, 0, sizeof sa);
	sa.sin_family = AF_INET;
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sa.sin_port = htons((uint16_t)(port == HTTPS ? tls_port : port));
	if (fd >= 0 && connect(fd, (struct sockaddr *)&sa, sizeof sa) != 0) {
		(void)close(fd);
		return (-1);
	}
	return (fd);
}

/* Bytes both ways, until one side has had enough. */
static void
tunnel(int a, int b)
{
	struct pollfd p[2] = { { .fd = a, .events = POLLIN },
		{ .fd = b, .events = POLLIN } };
	char buf[16384];
	ssize_t n;
	int i;

	while (poll(p, 2, -1) > 0)
		for (i = 0; i < 2; i++) {
			if (p[i].revents == 0)
				continue;
			n = recv(p[i].fd, buf, sizeof buf, 0);
			if (n <= 0 || !put(p[1 - i].fd, buf, (size_t)n))
				return;
		}
}

/* A request's head, with what came behind it; its length, or 0. */
static size_t
head(int fd, char *buf)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = recv(fd, buf + len, MAX_HEAD - len, 0);
		if (n <= 0)
			return (0);
		len += (size_t)n;
		buf[len] = '\0';
	} while (strstr(buf, "\r\n\r\n") == NULL && len < MAX_HEAD);
	return (len);
}

/* A page of the proxy's own, which is another one for each request. */
static void
error_page(int fd, int status, const char *request)
{
	char *b = NULL;
	int n;

	n = asprintf(&b,
	    "HTTP/1.1 %d Whatever\r\nContent-Type: text/html\r\n%s"
	    "Connection: close\r\nVary: User-Agent\r\nContent-Length: "
	    "%zu\r\n\r\n%s",
	    status,
	    status == 407 ? "Proxy-Authenticate: Basic realm=\"proxy\"\r\n"
			  : "",
	    strlen(request), request);
	if (n > 0)
		(void)put(fd, b, (size_t)n);
	free(b);
}

/* http://HOST[:PORT]/PATH or HOST:PORT */
static bool
parse(char *line, bool *ret_connect, char **ret_host, int *ret_port,
    char **ret_path)
{
	char *p, *e;

	*ret_connect = strncmp(line, "CONNECT ", 8) == 0;
	p = *ret_connect ? line + 8 : strstr(line, " http://");
	if (p == NULL)
		return (false);
	if (!*ret_connect)
		p += 8;
	*ret_host = p;
	e = p + strcspn(p, ":/ ");
	*ret_port = *e == ':' ? atoi(e + 1) : 80;
	*ret_path = e + strcspn(e, "/ ");
	return (*ret_port > 0);
}

/* One request, in the form for origins, and its answer. */
static void
relay(int fd, int to, const char *buf, size_t len, const char *path)
{
	const char *e = strstr(path, "\r\n");

	if (put(to, buf, strcspn(buf, " ") + 1) &&
	    put(to, path, (size_t)(e - path)) &&
	    put(to, "\r\nConnection: close", 19) &&
	    put(to, e, len - (size_t)(e - buf)))
		tunnel(fd, to);
}

static void
forward(int fd, char *buf, size_t len)
{
	char *host, *path;
	bool connects;
	int port, to;

	if (!parse(buf, &connects, &host, &port, &path))
		return;
	note(connects ? "CONNECT" : "GET", host, strcspn(host, ":/ "), port);
	to = reach(port);
	if (to < 0) {
		error_page(fd, 502, buf);
		return;
	}
	if (!connects)
		relay(fd, to, buf, len, path);
	else if (put(fd, "HTTP/1.1 200 Go on\r\n\r\n", 22))
		tunnel(fd, to);
	(void)close(to);
}

static void
serve_open(const struct way *w, int fd)
{
	char *buf = malloc(MAX_HEAD + 1);
	size_t len = buf != NULL ? head(fd, buf) : 0;

	(void)w;
	if (len > 0)
		forward(fd, buf, len);
	free(buf);
}

/* user:secret */
static void
serve_password(const struct way *w, int fd)
{
	char *buf = malloc(MAX_HEAD + 1);
	size_t len = buf != NULL ? head(fd, buf) : 0;

	(void)w;
	if (len > 0 &&
	    strstr(buf,
		"\r\nProxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n") == NULL)
		error_page(fd, 407, buf);
	else if (len > 0)
		forward(fd, buf, len);
	free(buf);
}

static void
serve_status(const struct way *w, int fd)
{
	char *buf = malloc(MAX_HEAD + 1);

	if (buf != NULL && head(fd, buf) > 0)
		error_page(fd, w->status, buf);
	free(buf);
}

/* It does not reach the origin for crawlers. */
static void
serve_picky(const struct way *w, int fd)
{
	char *buf = malloc(MAX_HEAD + 1);
	size_t len = buf != NULL ? head(fd, buf) : 0;

	if (len > 0 && strstr(buf, "ooglebot") != NULL)
		error_page(fd, w->status, buf);
	else if (len > 0)
		forward(fd, buf, len);
	free(buf);
}

static void
serve_dies(const struct way *w, int fd)
{
	char *buf = malloc(MAX_HEAD + 1);

	(void)w;
	if (buf != NULL && head(fd, buf) > 0)
		(void)put(fd, "HTTP/1.1 20", 11);
	free(buf);
}

static void
serve_hangs(const struct way *w, int fd)
{
	char c;

	(void)w;
	while (recv(fd, &c, 1, 0) > 0)
		continue;
}

/* RFC 1928, without a password; status is the reply's code. */
static void
serve_socks(const struct way *w, int fd)
{
	unsigned char b[4], name[256], port[2];
	char reply[10] = { 5, 0, 0, 1 }, address[32];
	int to, n;

	if (!take(fd, b, 2) || b[0] != 5 || !take(fd, name, b[1]) ||
	    !put(fd, "\5\0", 2) || !take(fd, b, 4))
		return;
	name[0] = 4;
	if (b[3] == 3 && !take(fd, name, 1))
		return;
	n = name[0];
	if ((b[3] != 1 && b[3] != 3) || !take(fd, name, (size_t)n) ||
	    !take(fd, port, 2))
		return;
	to = port[0] << 8 | port[1];
	if (b[3] == 1) {
		n = snprintf(address, sizeof address, "%d.%d.%d.%d", name[0],
		    name[1], name[2], name[3]);
		note("address", address, (size_t)n, to);
	} else
		note("name", (const char *)name, (size_t)n, to);
	to = w->status == 0 ? reach(to) : -1;
	reply[1] = (char)(to >= 0 ? 0 : w->status != 0 ? w->status : 5);
	if (put(fd, reply, sizeof reply) && to >= 0)
		tunnel(fd, to);
	if (to >= 0)
		(void)close(to);
}

static const struct way ways[] = {
	{ "open", serve_open, 0 },
	{ "password", serve_password, 0 },
	{ "forbids", serve_status, 403 },
	{ "bad-gateway", serve_status, 502 },
	{ "unavailable", serve_status, 503 },
	{ "picky-502", serve_picky, 502 },
	{ "picky-503", serve_picky, 503 },
	{ "dies", serve_dies, 0 },
	{ "hangs", serve_hangs, 0 },
	{ "socks", serve_socks, 0 },
	{ "socks-forbids", serve_socks, 2 },
};

enum {
	NWAYS = sizeof ways / sizeof *ways
};

struct client {
	const struct way *way;
	int fd;
};

static void *
serve(void *arg)
{
	struct client *c = arg;

	c->way->serve(c->way, c->fd);
	(void)close(c->fd);
	free(c);
	return (NULL);
}

/* A free port of 127.0.0.1. */
static int
listen_at(int *ret_port)
{
	struct sockaddr_in sa;
	socklen_t sl = sizeof sa;
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memset(&sa, 0, sizeof sa);
	sa.sin_family = AF_INET;
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (s < 0 || bind(s, (struct sockaddr *)&sa, sizeof sa) != 0 ||
	    listen(s, 512) != 0 ||
	    getsockname(s, (struct sockaddr *)&sa, &sl) != 0) {
		perror("proxy");
		exit(1);
	}
	*ret_port = ntohs(sa.sin_port);
	return (s);
}

static void
welcome(const struct way *w, int s)
{
	struct client *c = calloc(1, sizeof *c);
	pthread_t t;

	if (c == NULL)
		exit(1);
	c->way = w;
	c->fd = accept4(s, NULL, NULL, SOCK_CLOEXEC);
	if (c->fd < 0 || pthread_create(&t, NULL, serve, c) != 0) {
		if (c->fd >= 0)
			(void)close(c->fd);
		free(c);
		return;
	}
	(void)pthread_detach(t);
}

int
main(int argc, char **argv)
{
	struct pollfd p[NWAYS + 1];
	int i, port;
	char c;

	while ((i = getopt(argc, argv, "s:l:t:")) != -1) {
		if (i == 's')
			(void)alarm((unsigned)atoi(optarg));
		else if (i == 'l')
			book = fopen(optarg, "ae");
		else if (i == 't')
			tls_port = atoi(optarg);
		else
			return (2);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < NWAYS; i++) {
		p[i].fd = listen_at(&port);
		p[i].events = POLLIN;
		printf("%s %d\n", ways[i].name, port);
	}
	printf("ready\n");
	(void)fflush(stdout);
	p[NWAYS].fd = STDIN_FILENO;
	p[NWAYS].events = POLLIN;
	for (;;) {
		if (poll(p, NWAYS + 1, -1) < 0 && errno != EINTR)
			return (1);
		if (p[NWAYS].revents != 0 && read(STDIN_FILENO, &c, 1) <= 0)
			return (0);
		for (i = 0; i < NWAYS; i++)
			if ((p[i].revents & POLLIN) != 0)
				welcome(&ways[i], p[i].fd);
	}
}
