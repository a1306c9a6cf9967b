/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "tests/unit/httpd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <apr_strings.h>

#include "tests/unit/unit.h"

struct httpd
httpd_find(const char *const *with)
{
	static const struct {
		const char *program, *modules;
	} known[] = { { "/usr/sbin/apache2", "/usr/lib/apache2/modules" },
		{ "/usr/sbin/httpd", "/usr/lib64/httpd/modules" } };
	char path[256];
	size_t i, k;

	for (i = 0; i < sizeof known / sizeof *known; i++) {
		bool there = access(known[i].program, X_OK) == 0 &&
			     access(known[i].modules, R_OK) == 0;

		for (k = 0; there && with[k] != NULL; k++) {
			(void)snprintf(path, sizeof path, "%s/%s",
			    known[i].modules, with[k]);
			there = access(path, R_OK) == 0;
		}
		if (there)
			return ((struct httpd){ .program = known[i].program,
			    .modules = known[i].modules });
	}
	return ((struct httpd){ .program = NULL });
}

void
httpd_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		fail_msg("%s: %s", path, strerror(errno));
}

static int
connected(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	struct timeval t = { 10, 0 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a.sin_port = htons((uint16_t)port);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
	if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return (fd);
	(void)close(fd);
	return (-1);
}

static int
free_port(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), r = -1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
	    getsockname(fd, (struct sockaddr *)&a, &len) == 0)
		r = ntohs(a.sin_port);
	(void)close(fd);
	return (r);
}

void
httpd_stop(struct httpd *h)
{
	if (h->pid > 0) {
		(void)kill(h->pid, SIGTERM);
		(void)waitpid(h->pid, NULL, 0);
		h->pid = 0;
	}
}

bool
httpd_start(
    struct httpd *h, const char *root, const char *dirs, apr_pool_t *pool)
{
	static const char *const load[] = { "mpm_event", "authz_core", "mime",
		"rewrite", "headers", "env", "setenvif", NULL };
	const struct timespec tick = { 0, 50000000 };
	const char *conf = "", *path;
	int try, i;

	for (i = 0; load[i] != NULL; i++)
		conf = apr_psprintf(pool,
		    "%s<IfModule !%s_module>\nLoadModule %s_module "
		    "%s/mod_%s.so\n</IfModule>\n",
		    conf, load[i], load[i], h->modules, load[i]);
	path = apr_psprintf(pool, "%s/httpd.conf", root);
	for (try = 0; try < 3; try++) {
		h->port = free_port();
		httpd_write(path,
		    apr_psprintf(pool,
			"ServerRoot %s\nServerName localhost\n"
			"Listen 127.0.0.1:%d\nPidFile %s/pid\n"
			"ErrorLog %s/log\nLogLevel error\n%s%s"
			"TypesConfig /dev/null\nAddType text/html .html\n"
			"DocumentRoot %s/htdocs\n<Directory %s/htdocs>\n"
			"AllowOverride All\nRequire all granted\n"
			"</Directory>\n%s",
			root, h->port, root, root,
			geteuid() == 0 ? "User nobody\nGroup nogroup\n" : "",
			conf, root, root, dirs));
		h->pid = fork();
		if (h->pid == 0) {
			int null = open("/dev/null", O_RDWR);

			(void)dup2(null, STDIN_FILENO);
			(void)dup2(STDERR_FILENO, STDOUT_FILENO);
			execl(h->program, h->program, "-f", path,
			    "-DFOREGROUND", (char *)NULL);
			_exit(127);
		}
		for (i = 0; i < 200; i++) {
			int fd = connected(h->port);

			if (fd >= 0) {
				(void)close(fd);
				return (true);
			}
			if (waitpid(h->pid, NULL, WNOHANG) == h->pid) {
				h->pid = 0;
				break;
			}
			(void)nanosleep(&tick, NULL);
		}
		httpd_stop(h);
	}
	return (false);
}

int
httpd_get(const struct httpd *h, const char *path, const char *lines,
    const char **ret_vary, apr_pool_t *pool)
{
	char *buf = apr_palloc(pool, 65536), *p;
	const char *request, *vary = "";
	size_t n = 0;
	ssize_t got;
	int fd = connected(h->port);

	if (fd < 0)
		fail_msg("no connection to httpd: %s", strerror(errno));
	request = apr_psprintf(pool,
	    "GET %s HTTP/1.1\r\nConnection: close\r\n%s\r\n", path, lines);
	assert_int_equal(
	    (ssize_t)strlen(request), write(fd, request, strlen(request)));
	while (n < 65535 && (got = read(fd, buf + n, 65535 - n)) > 0)
		n += (size_t)got;
	(void)close(fd);
	buf[n] = '\0';
	p = strstr(buf, "\r\n\r\n");
	if (p == NULL) {
		fail_msg("no response from httpd for %s", path);
		return (0);
	}
	*p = '\0';
	for (p = buf; p != NULL; p = strstr(p, "\r\n")) {
		if (*p == '\r')
			p += 2;
		if (strncasecmp(p, "Vary:", 5) == 0)
			vary = apr_psprintf(pool, "%s,%.*s", vary,
			    (int)strcspn(p + 5, "\r"), p + 5);
	}
	*ret_vary = vary;
	return (atoi(buf + 9));
}
