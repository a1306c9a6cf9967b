/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is given up is gone: each test tries the forbidden thing, in a child,
 * for there is no way back.  What a system lacks is said and skipped.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/confine.h"

/* exit codes of the children */
enum {
	GOOD = 0,
	BAD = 1,
	LACKS = 77,
};

static char dir[] = "/tmp/varykit-confine.XXXXXX";

static void
in_a_child(int (*f)(void))
{
	pid_t pid;
	int status = 0;

	(void)fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(f());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == LACKS)
		skip();
	assert_int_equal(WEXITSTATUS(status), GOOD);
}

static int
can_write(const char *name)
{
	char path[128];
	int fd;

	(void)snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return (0);
	(void)close(fd);
	return (1);
}

static int
files(void)
{
	struct cli_confine c = { 0 };
	char out[128];
	const char *writes[] = { out, NULL };
	char from[128], to[128];
	int before;

	(void)snprintf(out, sizeof out, "%s/in/result", dir);
	(void)snprintf(from, sizeof from, "%s/in/result.tmp", dir);
	(void)snprintf(to, sizeof to, "%s/other", dir);
	before = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!can_write("other"))
		return (BAD);
	c.writes = writes;
	c.keep_user = true;
	c.keep_dac = true;
	if ((cli_confine(&c) & CLI_CONFINED_FILES) == 0)
		return (LACKS);
	/* Not here: a new file, one that is there, its end. */
	if (can_write("new") || can_write("other") || unlink(to) == 0)
		return (BAD);
	/* There: a file beside the result, renamed to it. */
	if (!can_write("in/result.tmp") || rename(from, out) != 0)
		return (BAD);
	/* What was open is open; what is read is read. */
	if (write(before, "x", 1) != 1 || access("/etc/passwd", R_OK) != 0)
		return (BAD);
	return (GOOD);
}

static int
no_files(void)
{
	struct cli_confine c = { 0 };

	c.keep_user = true;
	c.keep_dac = true;
	if ((cli_confine(&c) & CLI_CONFINED_FILES) == 0)
		return (LACKS);
	return (can_write("in/new") ? BAD : GOOD);
}

static int
calls(void)
{
	char sh[] = "/bin/true";
	char *argv[] = { sh, NULL };
	struct cli_confine c = { 0 };

	c.keep_user = true;
	if ((cli_confine(&c) & CLI_CONFINED_CALLS) == 0)
		return (LACKS);
	(void)execv(sh, argv);
	if (errno != EPERM && errno != EACCES)
		return (BAD);
	return (GOOD);
}

/* true(1) is started, or not. */
static bool
can_start(void)
{
	char name[] = "true";
	char *argv[] = { name, NULL };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execvp(name, argv);
		_exit(9);
	}
	return (pid > 0 && waitpid(pid, &status, 0) == pid &&
		WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* First the program that is needed, then none: files and calls each. */
static int
twice(void)
{
	struct cli_confine c = { 0 };
	bool calls;

	for (calls = false;; calls = true) {
		c.keep_user = true;
		c.keep_dac = true;
		c.keep_calls = !calls;
		c.keep_exec = true;
		if ((cli_confine(&c) & CLI_CONFINED_FILES) == 0)
			return (LACKS);
		if (!can_start() || can_write("new"))
			return (BAD);
		if (calls)
			break;
	}
	c.keep_exec = false;
	(void)cli_confine(&c);
	return (can_start() ? BAD : GOOD);
}

/* A call that the kernel would let anybody make. */
static int
other_calls(void)
{
	struct cli_confine c = { 0 };

	c.keep_user = true;
	if ((cli_confine(&c) & CLI_CONFINED_CALLS) == 0)
		return (LACKS);
#ifdef __linux__
	errno = 0;
	if (syscall(250 /* keyctl */, 0, -3, 0) >= 0 || errno != EPERM)
		return (BAD);
#endif
	return (GOOD);
}

static unsigned long
capabilities(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long v = ~0UL;
	char line[256];

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "CapEff: %lx", &v) == 1)
			break;
	if (f != NULL)
		(void)fclose(f);
	return (v);
}

static int
user(void)
{
	struct cli_confine c = { 0 };

	if (geteuid() != 0)
		return (LACKS);
	if ((cli_confine(&c) & CLI_CONFINED_USER) == 0)
		return (BAD);
	if (getuid() == 0 || geteuid() == 0 || getgid() == 0 ||
	    setuid(0) == 0 || getgroups(0, NULL) != 0)
		return (BAD);
	return (capabilities() == 0 ? GOOD : BAD);
}

static int
sudo_user(void)
{
	struct cli_confine c = { 0 };

	if (geteuid() != 0)
		return (LACKS);
	(void)setenv("SUDO_UID", "4711", 1);
	(void)setenv("SUDO_GID", "4712", 1);
	(void)cli_confine(&c);
	return (getuid() == 4711 && getgid() == 4712 ? GOOD : BAD);
}

/* A file that only root reads: root stays, and its other powers go. */
static int
secret(void)
{
	char path[128];
	const char *reads[] = { path, NULL };
	struct cli_confine c = { 0 };
	int fd;

	if (geteuid() != 0)
		return (LACKS);
	(void)snprintf(path, sizeof path, "%s/secret", dir);
	if (!can_write("secret") || chmod(path, 0600) != 0)
		return (BAD);
	c.reads = reads;
	if ((cli_confine(&c) & CLI_CONFINED_USER) != 0 || getuid() != 0)
		return (BAD);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return (BAD);
	(void)close(fd);
	/* CAP_NET_ADMIN and CAP_SYS_ADMIN are 12 and 21. */
	return ((capabilities() & (1UL << 12 | 1UL << 21)) == 0 ? GOOD : BAD);
}

static void
files_are_written_where_the_result_goes_alone(void **state)
{
	(void)state;
	in_a_child(files);
}

static void
without_a_result_no_file_is_written(void **state)
{
	(void)state;
	in_a_child(no_files);
}

static void
no_program_is_started(void **state)
{
	(void)state;
	in_a_child(calls);
}

static void
another_call_gives_up_more(void **state)
{
	(void)state;
	in_a_child(twice);
}

static void
rare_calls_are_refused(void **state)
{
	(void)state;
#if defined(__x86_64__)
	in_a_child(other_calls);
#else
	(void)other_calls;
	skip();
#endif
}

static void
root_becomes_nobody(void **state)
{
	(void)state;
	in_a_child(user);
}

static void
root_by_sudo_becomes_who_called(void **state)
{
	(void)state;
	in_a_child(sudo_user);
}

static void
root_that_is_needed_stays_without_its_powers(void **state)
{
	(void)state;
	in_a_child(secret);
}

static void
what_there_is_is_said(void **state)
{
	char buf[128] = "";

	(void)state;
	cli_confine_offer(buf, sizeof buf);
	assert_true(strlen(buf) > 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_written_where_the_result_goes_alone),
		cmocka_unit_test(without_a_result_no_file_is_written),
		cmocka_unit_test(no_program_is_started),
		cmocka_unit_test(another_call_gives_up_more),
		cmocka_unit_test(rare_calls_are_refused),
		cmocka_unit_test(root_becomes_nobody),
		cmocka_unit_test(root_by_sudo_becomes_who_called),
		cmocka_unit_test(root_that_is_needed_stays_without_its_powers),
		cmocka_unit_test(what_there_is_is_said),
	};
	char path[128];
	static const char *const made[] = { "in/result", "in/result.tmp",
		"in/new", "other", "new", "secret" };
	size_t i;
	int r;

	if (mkdtemp(dir) == NULL)
		return (99);
	(void)snprintf(path, sizeof path, "%s/in", dir);
	(void)mkdir(path, 0755);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	for (i = 0; i < sizeof made / sizeof *made; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		(void)unlink(path);
	}
	(void)snprintf(path, sizeof path, "%s/in", dir);
	(void)rmdir(path);
	(void)rmdir(dir);
	return (r);
}
