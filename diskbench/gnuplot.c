/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/gnuplot.h"

#include <errno.h>
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

static int
run(FILE *in, FILE *out, FILE *err)
{
	/* -d: no .gnuplot of somebody's changes how a report looks. */
	static char name[] = "gnuplot", d[] = "-d";
	char *const argv[] = { name, d, NULL };
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int r, status;

	r = posix_spawn_file_actions_init(&fa);
	if (r != 0)
		return (-r);
	r = posix_spawn_file_actions_adddup2(&fa, fileno(in), STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(
		    &fa, fileno(out), STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(
		    &fa, fileno(err), STDERR_FILENO);
	if (r == 0)
		r = posix_spawnp(&pid, name, &fa, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&fa);
	if (r != 0)
		return (-r);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return (-errno);
	/* Where spawning cannot tell, the child does. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return (-ENOENT);
	return (WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EPROTO);
}

int
bench_gnuplot_run(
    FILE *script, char **ret, size_t *ret_len, char *error, size_t len)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int r = out == NULL || err == NULL ? -errno : 0;

	error[0] = '\0';
	if (r == 0 && (fflush(script) != 0 || ferror(script)))
		r = -EIO;
	/* The descriptor's place is the child's, too. */
	if (r == 0 && lseek(fileno(script), 0, SEEK_SET) < 0)
		r = -errno;
	if (r == 0) {
		r = run(script, out, err);
		if (r == -EPROTO)
			first_line(err, error, len);
	}
	if (r == 0)
		r = slurp(out, ret, ret_len);
	if (out != NULL)
		(void)fclose(out);
	if (err != NULL)
		(void)fclose(err);
	return (r);
}
