/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/diag.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *name = "varykit";

/*
 * Without one of the three (">&-") its number would be the next file's, a disk's
 * perhaps, and what is printed would be written there.  Each stands for itself:
 * printing to it fails, as it did.
 */
static void
hold_standard_files(void)
{
	int fd, held;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		held =
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		/* A container without it has a root all the same. */
		if (held < 0)
			held = open("/", O_RDONLY);
		if (held != fd)
			_exit(CLI_EXIT_INTERNAL);
	}
}

void
cli_diag_init(const char *argv0)
{
	const char *slash;

	hold_standard_files();
	if (argv0 == NULL || *argv0 == '\0')
		return;
	slash = strrchr(argv0, '/');
	name = slash != NULL ? slash + 1 : argv0;
	/* libtool runs programs of the build tree under this prefix. */
	if (strncmp(name, "lt-", 3) == 0)
		name += 3;
}

const char *
cli_diag_name(void)
{
	return (name);
}

static void say(const char *kind, const char *fmt, va_list ap) CLI_PRINTF(2, 0);

static void
say(const char *kind, const char *fmt, va_list ap)
{
	char text[4096], *p;

	/* What was printed so far stands before the message about it. */
	(void)fflush(stdout);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	/*
	 * URLs and names are in messages, and somebody else wrote these: no
	 * second line that looks like ours, no sequence for the terminal.
	 */
	for (p = text; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	(void)fprintf(stderr, "%s: %s%s\n", name, kind, text);
}

void
cli_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void
cli_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void
cli_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("note: ", fmt, ap);
	va_end(ap);
}

void
cli_append(char *text, size_t size, const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text + n, size - n, fmt, ap);
	va_end(ap);
}
