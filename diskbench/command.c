/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "diskbench/geometry.h"
#include "diskbench/legible.h"

int
bench_call_refused(const struct bench_call *c, const struct bench_refusal *why)
{
	cli_error("%s", why->text);
	return (bench_call_signal(c) != 0 ? 128 + bench_call_signal(c)
					  : (int)why->code);
}

/* The target under another name, too; job[].target that is made later has only
 * its name. */
static bool
is_target(const struct bench_options *o, const struct stat *st)
{
	struct stat target;
	unsigned i;

	for (i = 0; i < o->n_job; i++) {
		if (o->job[i].target == NULL)
			continue;
		if (st == NULL ? strcmp(o->job[i].target, o->output) == 0
			       : stat(o->job[i].target, &target) == 0 &&
				     target.st_ino == st->st_ino &&
				     target.st_dev == st->st_dev)
			return (true);
	}
	return (false);
}

/* 0, or errno: a file of this name can be made, or written to. */
static int
writable(const char *path, bool exists)
{
	const char *slash = strrchr(path, '/');
	char *dir;
	int r;

	if (exists)
		return (access(path, W_OK) < 0 ? errno : 0);
	dir = slash == NULL   ? strdup(".")
	      : slash == path ? strdup("/")
			      : strndup(path, (size_t)(slash - path));
	if (dir == NULL)
		return (errno);
	r = access(dir, W_OK | X_OK) < 0 ? errno : 0;
	free(dir);
	return (r);
}

int
bench_call_output(const struct bench_call *c)
{
	const struct bench_options *o = c->options;
	bool named = o->output != NULL && strcmp(o->output, "-") != 0;
	const char *name = named ? o->output : "stdout";
	struct stat st;
	int r;

	r = (named ? stat(name, &st) : fstat(STDOUT_FILENO, &st)) < 0 ? errno
								      : 0;
	if (r == 0 && bench_geometry_is_disk(&st) && !S_ISCHR(st.st_mode)) {
		cli_error("%s: is a disk: no result is written over it; name "
			  "a file",
		    name);
		return (BENCH_EXIT_PLACE);
	}
	if ((r == 0 && is_target(o, &st)) ||
	    (r == ENOENT && is_target(o, NULL))) {
		cli_error("%s: is what is measured: no result is written over "
			  "it; name another file",
		    name);
		return (BENCH_EXIT_PLACE);
	}
	if (!named)
		return (0);
	if (r == 0)
		r = S_ISDIR(st.st_mode) ? EISDIR : writable(name, true);
	else if (r == ENOENT)
		r = writable(name, false);
	if (r == 0)
		return (0);
	cli_error("%s: cannot write: %s", name, strerror(r));
	return (BENCH_EXIT_USAGE);
}

/* As fopen(path, "w"), but never on a disk, whatever took the name by now. */
static FILE *
open_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	struct stat st;
	FILE *f = NULL;

	if (fd < 0)
		return (NULL);
	if (fstat(fd, &st) == 0) {
		if (S_ISBLK(st.st_mode))
			errno = EPERM;
		else if (!S_ISREG(st.st_mode) || ftruncate(fd, 0) == 0)
			f = fdopen(fd, "w");
	}
	if (f == NULL)
		(void)close(fd);
	return (f);
}

/* As print() prints it; the caller frees *ret.  0 or -errno. */
static int
print_to_memory(char **ret, size_t *ret_len, int (*print)(FILE *, const void *),
    const void *arg)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int r;

	if (f == NULL)
		return (-errno);
	r = print(f, arg);
	if (fclose(f) != 0 && r == 0)
		r = -errno;
	if (r < 0) {
		free(text);
		return (r);
	}
	*ret = text;
	*ret_len = len;
	return (0);
}

/* Whoever named the jobs and drives in it. */
static size_t
legible_lines(char *text)
{
	char *line = text, *end = text, *feed;
	size_t n;

	do {
		feed = strchr(line, '\n');
		if (feed != NULL)
			*feed = '\0';
		bench_legible(line);
		n = strlen(line);
		memmove(end, line, n);
		end += n;
		if (feed != NULL) {
			*end++ = '\n';
			line = feed + 1;
		}
	} while (feed != NULL);
	return ((size_t)(end - text));
}

int
bench_call_print(const struct bench_call *c, int (*text)(FILE *, const void *),
    int (*json)(FILE *, const void *), const void *arg)
{
	const struct bench_options *o = c->options;
	bool is_json = o->format == BENCH_FORMAT_JSON;
	FILE *f = stdout;
	char *all = NULL;
	size_t len = 0;
	int r;

	r = print_to_memory(&all, &len, is_json ? json : text, arg);
	if (r == 0 && !is_json)
		len = legible_lines(all);
	if (r == 0 && o->output != NULL && strcmp(o->output, "-") != 0)
		f = open_output(o->output);
	if (f == NULL) {
		cli_error("%s: cannot write: %s", o->output, strerror(errno));
		free(all);
		return (BENCH_EXIT_USAGE);
	}
	if (r == 0 && (fwrite(all, 1, len, f) != len || fflush(f) != 0))
		r = errno != 0 ? -errno : -EIO;
	if (f != stdout && fclose(f) != 0 && r == 0)
		r = -errno;
	free(all);
	if (r < 0) {
		cli_error("%s: the result could not be written: %s",
		    o->output != NULL ? o->output : "stdout", strerror(-r));
		return (BENCH_EXIT_INTERNAL);
	}
	return (0);
}

int
bench_call_finish(const struct bench_call *c,
    const struct bench_verdict *warned, int signal, uint64_t errors,
    int (*text)(FILE *, const void *), int (*json)(FILE *, const void *),
    const void *arg)
{
	int r;

	if (c->options->format == BENCH_FORMAT_JSON)
		bench_call_warn(warned);
	r = bench_call_print(c, text, json, arg);
	if (r != 0)
		return (r);
	if (signal != 0)
		return (128 + signal);
	return (errors > 0 ? BENCH_EXIT_ERRORS : 0);
}

static void
live_line(void *arg, const struct bench_progress *now)
{
	struct bench_live *l = arg;
	char buf[256];
	int n;

	n = bench_report_progress(buf, sizeof buf, now, &l->before);
	l->before = *now;
	if (n < 0)
		return;
	if (l->newline) {
		(void)fprintf(stderr, "%s%s\n", l->prefix, buf);
		return;
	}
	/* Blanks over what a longer line left there. */
	(void)fprintf(stderr, "\r%s%-*s", l->prefix, (int)l->width, buf);
	l->width = (size_t)n;
	(void)fflush(stderr);
}

void
bench_live_end(struct bench_live *l)
{
	int width = (int)(l->width + strlen(l->prefix));

	if (l->width > 0)
		(void)fprintf(stderr, "\r%*s\r", width, "");
	l->width = 0;
}

void
bench_live_start(struct bench_live *l, const struct bench_call *c,
    struct bench_run_control *control)
{
	const struct bench_options *o = c->options;

	l->newline = o->status_newline;
	memset(&l->before, 0, sizeof l->before);
	control->stop = c->stop;
	if (!o->no_status && (o->status || isatty(STDERR_FILENO))) {
		control->progress = live_line;
		control->progress_arg = l;
	}
}

/* Where this is 1, a ring is made for whoever may administrate, alone. */
static bool
rings_need_admin(void)
{
	FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	int c = f != NULL ? fgetc(f) : '0';

	if (f != NULL)
		(void)fclose(f);
	return (c == '1');
}

/*
 * The targets are open, and nothing else is root's work.  Locked memory is for
 * registered buffers; the result may go where root's own permissions do not.
 */
void
bench_call_confine(const struct bench_call *call)
{
	const struct bench_options *o = call->options;
	const char *const writes[] = { o->output, NULL };
	struct cli_confine c = { 0 };

	c.writes = writes;
	c.keep_user = true;
	c.keep_ipc_lock = true;
	c.keep_dac = o->output != NULL;
	c.keep_admin = rings_need_admin();
	c.keep_calls = true;
	(void)cli_confine(&c);
}

void
bench_call_confine_reader(const struct bench_call *call, bool starts)
{
	const struct bench_options *o = call->options;
	const char *const writes[] = { o->output, NULL };
	const char *reads[BENCH_JOBS + 1] = { NULL };
	struct cli_confine c = { 0 };

	memcpy(reads, o->file, o->n_file * sizeof *reads);
	c.reads = reads;
	c.writes = writes;
	c.keep_exec = starts;
	(void)cli_confine(&c);
}

void
bench_call_warn(const struct bench_verdict *v)
{
	unsigned i;

	for (i = 0; i < v->n; i++)
		cli_warning("%s: %s", v->warning[i].id, v->warning[i].text);
}

void
bench_call_warn_report(
    const struct bench_call *c, const struct bench_report *rep)
{
	unsigned i;

	if (c->options->format != BENCH_FORMAT_JSON)
		return;
	for (i = 0; i < rep->n; i++)
		bench_call_warn(&rep->group[i].verdict);
}

static const double fio_percentiles[] = { 0.01, 0.05, 0.10, 0.20, 0.30, 0.40,
	0.50, 0.60, 0.70, 0.80, 0.90, 0.95, 0.99, 0.995, 0.999, 0.9995,
	0.9999 };

void
bench_call_describe(const struct bench_call *c, struct bench_report *rep)
{
	const struct bench_options *o = c->options;

	rep->signal = bench_call_signal(c);
	rep->argc = c->argc;
	rep->argv = c->argv;
	rep->prepared = o->pts.prepared;
	rep->budget_ns = o->budget_ns;
	if (o->budget_ns > 0 && rep->n > 0)
		(void)snprintf(rep->certainty, sizeof rep->certainty,
		    "one run of %.3g s is what fits into the budget%s; how "
		    "much another one would differ it does not show (compare "
		    "--aa does), and percentiles with fewer than ten I/Os "
		    "beyond them are left out",
		    (double)rep->group[0].result->job->runtime_ns / 1e9,
		    rep->headline != NULL && rep->headline->search != NULL
			? ", after trials of a fifth of that"
			: "");
	rep->percentile = fio_percentiles;
	rep->n_percentile = sizeof fio_percentiles / sizeof *fio_percentiles;
	rep->bins = o->bins;
	if (o->n_percentile > 0) {
		rep->percentile = o->percentile;
		rep->n_percentile = o->n_percentile;
	}
}

int
bench_call_exit(const struct bench_report *rep)
{
	unsigned i, op;

	if (rep->signal != 0)
		return (128 + rep->signal);
	for (i = 0; i < rep->n; i++)
		for (op = 0; op < BENCH_OPS; op++)
			if (rep->group[i].result->side[op].errors > 0)
				return (BENCH_EXIT_ERRORS);
	return (0);
}
