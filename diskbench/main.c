/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole line: argv -> options -> target + workload -> run(engine) -> hist
 * -> report -> stdout.
 */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/diag.h"
#include "config.h"
#include "diskbench/content.h"
#include "diskbench/engine.h"
#include "diskbench/fio.h"
#include "diskbench/guard.h"
#include "diskbench/options.h"
#include "diskbench/report.h"
#include "diskbench/run.h"
#include "diskbench/signature.h"

static volatile sig_atomic_t stop; /* the signal that asked for it */

static void
on_signal(int sig)
{
	/* The second one means it: no result, at once. */
	if (stop != 0)
		_exit(128 + sig);
	stop = sig;
}

static void
catch_signals(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal;
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGTERM, &sa, NULL);
	/* A reader that went away is an error of the writing, below. */
	sa.sa_handler = SIG_IGN;
	(void)sigaction(SIGPIPE, &sa, NULL);
}

static uint64_t
entropy(void)
{
	struct timespec ts;
	uint64_t v = 0;
	FILE *f = fopen("/dev/urandom", "r");

	if (f != NULL) {
		if (fread(&v, sizeof v, 1, f) != 1)
			v = 0;
		(void)fclose(f);
	}
	if (v == 0) {
		(void)clock_gettime(CLOCK_REALTIME, &ts);
		v = (uint64_t)ts.tv_sec << 32 ^ (uint64_t)ts.tv_nsec;
	}
	/* JSON's integers are signed. */
	return (v & INT64_MAX);
}

static int
refused(const struct bench_refusal *why)
{
	cli_error("%s", why->text);
	return (stop != 0 ? 128 + stop : (int)why->code);
}

/* --- what all commands print ---------------------------------------------- */

static int
write_output(const struct bench_options *o, int (*print)(FILE *, const void *),
    const void *arg)
{
	FILE *f = stdout;
	int r;

	if (o->output != NULL && strcmp(o->output, "-") != 0)
		f = fopen(o->output, "w");
	if (f == NULL) {
		cli_error("%s: cannot write: %s", o->output, strerror(errno));
		return (BENCH_EXIT_USAGE);
	}
	r = print(f, arg);
	if (f != stdout && fclose(f) != 0)
		r = -errno;
	if (r < 0) {
		cli_error("%s: the result could not be written: %s",
		    o->output != NULL ? o->output : "stdout", strerror(-r));
		return (BENCH_EXIT_INTERNAL);
	}
	return (0);
}

/* --- targets -------------------------------------------------------------- */

/* Targets that several jobs share are opened once: the second opening of a
 * device held exclusively would be refused to ourselves. */
static struct bench_target *
already_open(
    struct bench_target *const *target, const struct bench_job *job, unsigned i)
{
	unsigned k;

	for (k = 0; k < i; k++)
		if (target[k] != NULL && job[k].target != NULL &&
		    strcmp(job[k].target, job[i].target) == 0 &&
		    job[k].buffered == job[i].buffered)
			return (target[k]);
	return (NULL);
}

/* Does this job, or another one on the same target, write? */
static bool
will_write(const struct bench_options *o, unsigned i)
{
	unsigned k;

	for (k = 0; k < o->n_job; k++)
		if (o->job[k].target != NULL &&
		    strcmp(o->job[k].target, o->job[i].target) == 0 &&
		    bench_job_writes(&o->job[k]))
			return (true);
	return (false);
}

static int
open_target(struct bench_target **ret, const struct bench_options *o,
    unsigned i, struct bench_refusal *why)
{
	const struct bench_job *j = &o->job[i];
	struct bench_target_wish wish = { 0 };
	uint64_t make = j->create;
	struct stat st;

	wish.path = j->target;
	wish.buffered = j->buffered;
	wish.sync = j->sync;
	wish.token = o->token;
	wish.overwrite_data = o->overwrite_data;
	if (will_write(o, i))
		wish.access = BENCH_ACCESS_WRITE;
	if (make == 0 && j->create_missing && stat(j->target, &st) < 0 &&
	    errno == ENOENT) {
		make = j->shape.span + j->shape.offset;
		if (j->shape.span == 0)
			return (bench_refuse(why, ENOENT, BENCH_EXIT_NOENT,
			    "%s: does not exist; a size makes a file of it",
			    j->target));
	}
	if (make > 0) {
		cli_note("%s: making a file of %" PRIu64 " MiB", j->target,
		    make >> 20);
		return (
		    bench_target_create(ret, &wish, make, j->seed, &stop, why));
	}
	return (bench_target_open(ret, &wish, why));
}

/* What speaks against the numbers before there are any. */
static int
examine(struct bench_verdict *v, const struct bench_job *j,
    const struct bench_target *t, struct bench_refusal *why)
{
	struct bench_content c;
	int r;

	bench_verdict_align(v, j, t);
	/* What we made ourselves is known; what is only written need not be. */
	if (t->made || j->shape.read_percent == 0)
		return (0);
	r = bench_content_sample(t->fd, j->shape.offset, j->shape.span, 64, &c);
	if (r < 0) {
		/* The run will see it, count it, and say where. */
		bench_verdict_add(v, "sample-failed",
		    "%s: some blocks cannot be read (%s)", t->path,
		    strerror(-r));
		return (0);
	}
	return (bench_verdict_content(v, &c, t->path, j->allow_unwritten, why));
}

static int
open_targets(struct bench_target **target, struct bench_options *o,
    struct bench_verdict *v, struct bench_refusal *why)
{
	const struct bench_engine_type *e;
	unsigned i;
	int r = 0;

	for (i = 0; i < o->n_job && r == 0; i++) {
		struct bench_job *j = &o->job[i];

		if (j->target == NULL)
			continue;
		/* What goes through the page cache by nature. */
		e = j->engine != NULL ? bench_engine_find(j->engine) : NULL;
		if (e != NULL && !e->direct)
			j->buffered = true;
		target[i] = already_open(target, o->job, i);
		if (target[i] == NULL)
			r = open_target(&target[i], o, i, why);
		if (r == 0)
			r = bench_job_fit(j, j->target, target[i]->size,
			    j->buffered ? 1 : target[i]->geometry.align, why);
		if (r == 0 && j->poll && target[i]->is_disk &&
		    !target[i]->identity.polls)
			r = bench_refuse(why, EOPNOTSUPP, BENCH_EXIT_ENGINE,
			    "%s: its queues cannot be polled (queue/io_poll is "
			    "0 in sysfs; NVMe: nvme.poll_queues)",
			    j->target);
		if (r == 0)
			r = examine(v, j, target[i], why);
	}
	for (i = 0; i < o->n_job && r == 0; i++)
		if (target[i] != NULL &&
		    target[i]->access == BENCH_ACCESS_WRITE)
			r = bench_target_recheck(target[i], why);
	return (r);
}

static void
close_targets(struct bench_target **target, unsigned n)
{
	unsigned i, k;

	for (i = 0; i < n; i++) {
		struct bench_target *t = target[i];

		for (k = i; k < n; k++)
			if (target[k] == t)
				target[k] = NULL;
		bench_target_close(&t);
	}
}

/* --- run and fio ---------------------------------------------------------- */

struct live {
	bool newline;
	struct bench_progress before;
	size_t width;
};

static void
live_line(void *arg, const struct bench_progress *now)
{
	struct live *l = arg;
	char buf[256];
	int n;

	n = bench_report_progress(buf, sizeof buf, now, &l->before);
	l->before = *now;
	if (n < 0)
		return;
	if (l->newline) {
		(void)fprintf(stderr, "%s\n", buf);
		return;
	}
	/* Blanks over what a longer line left there. */
	(void)fprintf(stderr, "\r%-*s", (int)l->width, buf);
	l->width = (size_t)n;
	(void)fflush(stderr);
}

static void
live_end(const struct live *l)
{
	if (l->width > 0)
		(void)fprintf(stderr, "\r%*s\r", (int)l->width, "");
}

static void
warn_all(const struct bench_report *rep)
{
	unsigned i, k;

	for (i = 0; i < rep->n; i++)
		for (k = 0; k < rep->group[i].verdict.n; k++)
			cli_warning("%s: %s",
			    rep->group[i].verdict.warning[k].id,
			    rep->group[i].verdict.warning[k].text);
}

static int
print_text(FILE *f, const void *arg)
{
	return (bench_report_text(f, arg));
}

static int
print_json(FILE *f, const void *arg)
{
	return (bench_report_json(f, arg));
}

/* Results of jobs become groups of a report. */
static int
group_results(struct bench_report *rep, const struct bench_options *o,
    struct bench_result **result, const struct bench_verdict *before)
{
	unsigned i;

	rep->group = calloc(o->n_job, sizeof *rep->group);
	if (rep->group == NULL)
		return (-ENOMEM);
	for (i = 0; i < o->n_job; i++) {
		struct bench_group *g =
		    rep->n > 0 ? &rep->group[rep->n - 1] : NULL;

		if (g == NULL || g->result->job->group != o->job[i].group) {
			g = &rep->group[rep->n++];
			g->result = result[i];
			result[i] = NULL;
			g->verdict = *before;
			if (g->result->target != NULL)
				g->identity = g->result->target->identity;
		} else {
			bench_result_merge(g->result, result[i]);
			bench_result_free(&result[i]);
		}
	}
	for (i = 0; i < rep->n; i++) {
		bench_verdict_judge(
		    &rep->group[i].verdict, rep->group[i].result);
		rep->complete = rep->complete && rep->group[i].result->complete;
	}
	return (0);
}

static int
exit_code(const struct bench_report *rep)
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

/* Jobs up to the next stonewall run at once, then the next lot. */
static int
run_all(const struct bench_options *o, struct bench_target *const *target,
    const struct bench_run_control *control, struct bench_result **result,
    struct bench_refusal *why)
{
	unsigned from, to;
	int r = 0;

	for (from = 0; from < o->n_job && r == 0; from = to) {
		to = from + 1;
		while (to < o->n_job && !o->job[to].stonewall)
			to++;
		r = bench_run(o->job + from, target + from, to - from, control,
		    result + from, why);
	}
	return (r);
}

static const double fio_percentiles[] = { 0.01, 0.05, 0.10, 0.20, 0.30, 0.40,
	0.50, 0.60, 0.70, 0.80, 0.90, 0.95, 0.99, 0.995, 0.999, 0.9995,
	0.9999 };

static void
show_fio(const struct bench_options *o)
{
	char buf[2048];
	unsigned i;

	for (i = 0; i < o->n_job; i++) {
		buf[0] = '\0';
		bench_fio_show(&o->job[i], buf, sizeof buf);
		(void)printf("%s\n", buf);
	}
}

static int
measure(struct bench_options *o, int argc, char *const *argv)
{
	struct bench_target *target[BENCH_JOBS] = { NULL };
	struct bench_result *result[BENCH_JOBS] = { NULL };
	struct bench_run_control control = { 0 };
	struct bench_report rep = { 0 };
	struct bench_verdict before;
	struct bench_refusal why;
	struct live live = { 0 };
	unsigned i;
	int r;

	bench_verdict_init(&before);
	r = open_targets(target, o, &before, &why);
	if (r < 0) {
		close_targets(target, o->n_job);
		return (refused(&why));
	}
	bench_verdict_jobs(&before, o->job, o->n_job);
	control.stop = &stop;
	live.newline = o->status_newline;
	if (!o->no_status && (o->status || isatty(STDERR_FILENO))) {
		control.progress = live_line;
		control.progress_arg = &live;
	}
	r = run_all(o, target, &control, result, &why);
	live_end(&live);
	if (r < 0) {
		r = refused(&why);
	} else {
		rep.complete = true;
		rep.signal = stop;
		rep.argc = argc;
		rep.argv = argv;
		rep.percentile = fio_percentiles;
		rep.n_percentile =
		    sizeof fio_percentiles / sizeof *fio_percentiles;
		if (o->n_percentile > 0) {
			rep.percentile = o->percentile;
			rep.n_percentile = o->n_percentile;
		}
		if (group_results(&rep, o, result, &before) < 0) {
			cli_error("out of memory");
			r = BENCH_EXIT_INTERNAL;
		} else if (o->format == BENCH_FORMAT_JSON) {
			warn_all(&rep);
			r = write_output(o, print_json, &rep);
		} else
			r = write_output(o, print_text, &rep);
		if (r == 0)
			r = exit_code(&rep);
	}
	for (i = 0; i < rep.n; i++)
		bench_result_free(&rep.group[i].result);
	free(rep.group);
	for (i = 0; i < o->n_job; i++)
		bench_result_free(&result[i]);
	close_targets(target, o->n_job);
	return (r);
}

/* --- list and identify ---------------------------------------------------- */

struct identities {
	struct bench_identity *id;
	unsigned n;
};

static int
list_text(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_list_text(f, l->id, l->n));
}

static int
list_json(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_list_json(f, l->id, l->n));
}

static void
who_has(struct bench_identity *id, int fd)
{
	struct bench_hold h;
	struct stat st;

	if ((fd >= 0 ? fstat(fd, &st) : stat(id->path, &st)) == 0 &&
	    (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) &&
	    bench_guard_find(&st, fd, &h))
		memcpy(id->held_by, h.who, sizeof id->held_by);
}

static int
list(const struct bench_options *o)
{
	struct identities l = { NULL, 0 };
	int r = bench_identity_list(&l.id, &l.n);
	unsigned i;

	if (r < 0) {
		cli_error("cannot list drives here: %s", strerror(-r));
		return (BENCH_EXIT_IO);
	}
	for (i = 0; i < l.n; i++)
		who_has(&l.id[i], -1);
	r = write_output(
	    o, o->format == BENCH_FORMAT_JSON ? list_json : list_text, &l);
	free(l.id);
	return (r);
}

static int
identify_text(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_identity_text(f, l->id));
}

/* What is on it: by name, or only that something is. */
static void
what_is_on(struct bench_identity *id, const struct bench_target *t)
{
	struct bench_content c;
	int r;

	r = bench_signature_find(
	    t->fd, t->size, id->contents, sizeof id->contents);
	if (r > 0)
		return;
	id->contents[0] = '\0';
	r = bench_content_sample(t->fd, 0, t->size, 256, &c);
	if (r < 0)
		(void)snprintf(id->contents, sizeof id->contents,
		    "not readable: %s", strerror(-r));
	else if (c.zero < c.blocks)
		(void)snprintf(id->contents, sizeof id->contents,
		    "data of an unknown kind (%u of %u blocks looked at are "
		    "not empty)",
		    c.blocks - c.zero, c.blocks);
}

static int
identify(struct bench_options *o)
{
	struct bench_target_wish wish = { 0 };
	struct bench_target *t = NULL;
	struct bench_identity id;
	struct bench_refusal why;
	struct identities l = { &id, 1 };
	int r;

	wish.path = o->job[0].target;
	wish.buffered = true;
	r = bench_target_open(&t, &wish, &why);
	if (r < 0)
		return (refused(&why));
	id = t->identity;
	who_has(&id, t->fd);
	what_is_on(&id, t);
	r = write_output(
	    o, o->format == BENCH_FORMAT_JSON ? list_json : identify_text, &l);
	bench_target_close(&t);
	return (r);
}

int
main(int argc, char **argv)
{
	static struct bench_options o;
	struct bench_refusal why;
	int r;

	cli_diag_init(argv[0]);
	catch_signals();
	r = bench_options_init(&o, argc, argv, entropy(), &why);
	if (r < 0) {
		bench_options_fini(&o);
		return (refused(&why));
	}
	switch (o.command) {
	case BENCH_CMD_HELP: bench_options_help(stdout, o.help_for); break;
	case BENCH_CMD_VERSION:
		(void)printf("diskbench (varykit) %s\n", PACKAGE_VERSION);
		break;
	case BENCH_CMD_LIST: r = list(&o); break;
	case BENCH_CMD_IDENTIFY: r = identify(&o); break;
	case BENCH_CMD_RUN:
	case BENCH_CMD_FIO:
		if (o.show_fio)
			show_fio(&o);
		else if (!o.parse_only)
			r = measure(&o, argc, argv);
		break;
	case BENCH_COMMANDS: break;
	}
	if (r == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
		cli_error("stdout: %s", strerror(errno));
		r = BENCH_EXIT_INTERNAL;
	}
	bench_options_fini(&o);
	return (r);
}
