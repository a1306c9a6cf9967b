/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The page is a few hundred kilobytes; gnuplot run wild is not. */
#define MOST ((long)256 << 20)

static int
slurp(FILE *f, char **ret, size_t *ret_len)
{
	long n;
	char *s;

	if (fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0)
		return (-errno);
	if (n > MOST)
		return (-EFBIG);
	rewind(f);
	s = malloc((size_t)n + 1);
	if (s == NULL)
		return (-ENOMEM);
	*ret_len = fread(s, 1, (size_t)n, f);
	s[*ret_len] = '\0';
	*ret = s;
	return (0);
}

/* The first line that is not empty. */
static void
first_line(FILE *f, char *ret, size_t len)
{
	char *text = NULL, *s;
	size_t n;

	ret[0] = '\0';
	if (slurp(f, &text, &n) < 0)
		return;
	s = text + strspn(text, " \t\n");
	s[strcspn(s, "\n")] = '\0';
	(void)snprintf(ret, len, "%s", s);
	free(text);
}

/* Both ends are ours alone. */
static int
make_pipe(int *ret)
{
	int fd[2], k;

	if (pipe(fd) != 0)
		return (-errno);
	for (k = 0; k < 2; k++)
		(void)fcntl(fd[k], F_SETFD, FD_CLOEXEC);
	memcpy(ret, fd, sizeof fd);
	return (0);
}

static int
start(struct bench_gnuplot *g, int in)
{
	/* -d: no .gnuplot of somebody's changes how a report looks. */
	static char name[] = "gnuplot", d[] = "-d";
	char *const argv[] = { name, d, NULL };
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int r;

	r = posix_spawn_file_actions_init(&fa);
	if (r != 0)
		return (-r);
	r = posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(
		    &fa, fileno(g->out), STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(
		    &fa, fileno(g->err), STDERR_FILENO);
	if (r == 0)
		r = posix_spawnp(&pid, name, &fa, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&fa);
	if (r != 0)
		return (-r);
	g->pid = pid;
	return (0);
}

void
bench_gnuplot_init(struct bench_gnuplot *g)
{
	memset(g, 0, sizeof *g);
	g->script = -1;
	g->out = tmpfile();
	if (g->out != NULL)
		g->err = tmpfile();
	g->failed = g->err == NULL ? -errno : 0;
}

void
bench_gnuplot_start(struct bench_gnuplot *g)
{
	int fd[2];

	if (g->failed == 0)
		g->failed = make_pipe(fd);
	if (g->failed < 0)
		return;
	g->failed = start(g, fd[0]);
	(void)close(fd[0]);
	if (g->failed == 0)
		g->script = fd[1];
	else
		(void)close(fd[1]);
}

/* One that ends before it has read all says why by how it ends. */
static int
tell(int fd, const char *s, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(fd, s, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return (errno == EPIPE ? 0 : -errno);
		s += n;
		len -= (size_t)n;
	}
	return (0);
}

/* Nothing more is said to it: it ends. */
static int
end(struct bench_gnuplot *g)
{
	int status;

	if (g->script >= 0)
		(void)close(g->script);
	g->script = -1;
	if (g->pid == 0)
		return (0);
	while (waitpid(g->pid, &status, 0) < 0)
		if (errno != EINTR)
			return (-errno);
	g->pid = 0;
	/* Where spawning cannot tell, the child does. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return (-ENOENT);
	return (WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EPROTO);
}

int
bench_gnuplot_draw(struct bench_gnuplot *g, const char *script,
    size_t script_len, char **ret, size_t *ret_len, char *error, size_t len)
{
	int told, r;

	error[0] = '\0';
	if (g->failed < 0)
		return (g->failed);
	told = tell(g->script, script, script_len);
	r = end(g);
	if (r == -EPROTO)
		first_line(g->err, error, len);
	if (r == 0)
		r = told;
	if (r == 0)
		r = slurp(g->out, ret, ret_len);
	return (r);
}

void
bench_gnuplot_fini(struct bench_gnuplot *g)
{
	(void)end(g);
	if (g->out != NULL)
		(void)fclose(g->out);
	if (g->err != NULL)
		(void)fclose(g->err);
}
