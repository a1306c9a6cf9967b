/* SPDX-License-Identifier: BSD-2-Clause */
/* diskbench report: results become one page, or text on a terminal. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/diag.h"
#include "diskbench/command.h"
#include "diskbench/gnuplot.h"
#include "diskbench/page_print.h"
#include "diskbench/page_read.h"

/* Is this one of our pages, or nothing?  What somebody else wrote stays. */
static bool
is_ours(const char *path, off_t size)
{
	char buf[sizeof BENCH_PAGE_MARK];
	FILE *f;
	size_t n;

	if (size == 0)
		return (true);
	f = fopen(path, "re");
	if (f == NULL)
		return (false);
	n = fread(buf, 1, sizeof buf - 1, f);
	(void)fclose(f);
	return (n == sizeof buf - 1 && memcmp(buf, BENCH_PAGE_MARK, n) == 0);
}

/* The folder of a path, links resolved; NULL: there is none. */
static char *
folder(const char *path)
{
	char *copy = strdup(path), *slash, *real;

	if (copy == NULL)
		return (NULL);
	slash = strrchr(copy, '/');
	if (slash == NULL) {
		free(copy);
		return (realpath(".", NULL));
	}
	slash[slash == copy] = '\0';
	real = realpath(copy, NULL);
	free(copy);
	return (real);
}

static bool
below(const char *dir, const char *what)
{
	size_t n = strlen(what);

	return (
	    strncmp(dir, what, n) == 0 && (dir[n] == '\0' || dir[n] == '/'));
}

static int
may_write(const char *path, struct bench_refusal *why)
{
	char *dir = folder(path);
	struct stat st;
	bool system_dir;

	if (dir == NULL)
		return (bench_refuse(why, errno, BENCH_EXIT_PLACE,
		    "%.200s: cannot write there: %s", path, strerror(errno)));
	system_dir = below(dir, "/dev") && !below(dir, "/dev/shm");
	system_dir = system_dir || below(dir, "/proc") || below(dir, "/sys");
	free(dir);
	if (system_dir)
		return (bench_refuse(why, EPERM, BENCH_EXIT_PLACE,
		    "%.200s: no report is written there; name a file "
		    "elsewhere, or \"-\" for stdout",
		    path));
	if (lstat(path, &st) < 0) {
		if (errno == ENOENT)
			return (0);
		return (bench_refuse(why, errno, BENCH_EXIT_PLACE,
		    "%.200s: cannot write there: %s", path, strerror(errno)));
	}
	if (!S_ISREG(st.st_mode))
		return (bench_refuse(why, EEXIST, BENCH_EXIT_EXISTS,
		    "%.200s: exists and is not a regular file; remove it or "
		    "name another",
		    path));
	if (!is_ours(path, st.st_size))
		return (bench_refuse(why, EEXIST, BENCH_EXIT_EXISTS,
		    "%.200s: exists and is not a report of diskbench; only "
		    "those are replaced: remove it or name another",
		    path));
	return (0);
}

/* The plots of a page, or a word about why there are none. */
static void
make_plots(const struct bench_page *page, struct bench_gnuplot *gnuplot,
    char **ret, size_t *ret_len)
{
	char error[200], *script = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&script, &len);
	int r = -ENOMEM;

	if (f != NULL) {
		bench_page_script(f, page);
		if (fclose(f) == 0)
			r = bench_gnuplot_draw(gnuplot, script, len, ret,
			    ret_len, error, sizeof error);
		free(script);
	}
	if (r == -ENOENT)
		cli_warning("gnuplot is not installed (Debian: gnuplot-nox): "
			    "the page has tables in place of plots");
	else if (r == -EPROTO)
		cli_warning("gnuplot failed (%s): the page has tables in "
			    "place of plots",
		    error);
	else if (r < 0)
		cli_warning("no plots: %s: the page has tables in their place",
		    strerror(-r));
}

/* Beside it first: a page is there whole, or as it was. */
static int
write_page(const struct bench_page *page, struct bench_gnuplot *gnuplot,
    const char *path)
{
	char *plots = NULL, *tmp;
	size_t len = 0;
	FILE *f;
	int fd, r;

	make_plots(page, gnuplot, &plots, &len);
	if (strcmp(path, "-") == 0) {
		bench_page_html(stdout, page, plots, len);
		free(plots);
		return (0);
	}
	tmp = malloc(strlen(path) + 8);
	if (tmp == NULL) {
		free(plots);
		return (-ENOMEM);
	}
	(void)sprintf(tmp, "%s.XXXXXX", path);
	fd = mkstemp(tmp);
	f = fd >= 0 ? fdopen(fd, "w") : NULL;
	r = f == NULL ? -errno : 0;
	if (f != NULL) {
		mode_t mask = umask(0);

		(void)umask(mask);
		(void)fchmod(fd, 0666 & ~mask);
		bench_page_html(f, page, plots, len);
		r = ferror(f) ? -EIO : 0;
		if (fclose(f) != 0 && r == 0)
			r = -errno;
		if (r == 0 && rename(tmp, path) != 0)
			r = -errno;
	} else if (fd >= 0)
		(void)close(fd);
	if (r < 0 && fd >= 0)
		(void)unlink(tmp);
	free(tmp);
	free(plots);
	return (r);
}

static unsigned
terminal_width(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40)
		return (w.ws_col);
	return (80);
}

static int
make_page(struct bench_call *c, struct bench_page *page)
{
	const struct bench_options *o = c->options;
	struct bench_gnuplot gnuplot;
	struct bench_refusal why;
	int r;

	/* Before the work, not after it. */
	if (strcmp(o->output, "-") != 0 && may_write(o->output, &why) < 0)
		return (bench_call_refused(c, &why));
	/*
	 * What gnuplot draws comes from others, so it is confined, too; and when
	 * it runs, nothing else has to be started by whoever reads their files.
	 */
	bench_gnuplot_init(&gnuplot);
	bench_call_confine_reader(c, true);
	bench_gnuplot_start(&gnuplot);
	bench_call_confine_reader(c, false);
	if (bench_page_read(page, o->file, o->n_file, &why) < 0) {
		r = bench_call_refused(c, &why);
	} else {
		r = write_page(page, &gnuplot, o->output);
		if (r < 0) {
			cli_error("%s: the report could not be written: %s",
			    o->output, strerror(-r));
			r = BENCH_EXIT_INTERNAL;
		}
	}
	bench_gnuplot_fini(&gnuplot);
	return (r);
}

int
bench_cmd_report(struct bench_call *c)
{
	const struct bench_options *o = c->options;
	struct bench_page page;
	struct bench_refusal why;
	int r = 0;

	bench_page_init(&page);
	if (o->output != NULL) {
		r = make_page(c, &page);
	} else {
		bench_call_confine_reader(c, false);
		if (bench_page_read(&page, o->file, o->n_file, &why) < 0)
			r = bench_call_refused(c, &why);
		else
			bench_page_text(stdout, &page, terminal_width());
	}
	bench_page_fini(&page);
	return (r);
}
