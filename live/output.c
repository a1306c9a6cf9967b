/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/diag.h"

static int64_t
wall_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

static struct live_report
report_of(struct run *r)
{
	return ((struct live_report){ .source = &r->source,
	    .traffic = &r->traffic,
	    .findings = &r->findings,
	    .audit = r->audit,
	    .policy = r->opt.policy,
	    .top = r->opt.top });
}

typedef int report_f(const struct live_report *, FILE *);

/* A file that others read while we write: they see the old one or the new. */
static int
write_file(const char *path, report_f *func, const struct live_report *rep)
{
	size_t len = strlen(path);
	char *tmp = malloc(len + 8);
	FILE *f = NULL;
	int fd, e = -ENOMEM;

	if (tmp == NULL)
		return (e);
	(void)snprintf(tmp, len + 8, "%s.XXXXXX", path);
	fd = mkstemp(tmp);
	if (fd >= 0) {
		mode_t mask = umask(0);

		(void)umask(mask);
		(void)fchmod(fd, 0666 & ~mask);
		f = fdopen(fd, "w");
	}
	if (f == NULL) {
		e = -errno;
		if (fd >= 0) {
			(void)close(fd);
			(void)unlink(tmp);
		}
		goto out;
	}
	e = func(rep, f);
	if (fclose(f) != 0 && e == 0)
		e = -errno;
	if (e == 0 && rename(tmp, path) != 0)
		e = -errno;
	if (e != 0)
		(void)unlink(tmp);
out:
	if (e != 0)
		cli_error("%s: %s", path, strerror(-e));
	free(tmp);
	return (e);
}

static report_f *
format_of(enum live_format f)
{
	switch (f) {
	case LIVE_FORMAT_JSON: return (live_report_json);
	case LIVE_FORMAT_PROMETHEUS: return (live_report_prometheus);
	case LIVE_FORMAT_TEXT:
	default: return (live_report_text);
	}
}

static int
find(struct run *r)
{
	live_findings_fini(&r->findings);
	return (live_findings_make(&r->findings, &r->traffic, r->audit));
}

int
run_show(struct run *r, bool live)
{
	struct live_report rep;
	struct winsize w;
	int e;

	/* What has been waiting for two seconds has nothing to wait for. */
	if (live) {
		e = live_traffic_settle(
		    &r->traffic, wall_us() - LIVE_REPLAY_WINDOW_US);
		if (e < 0)
			return (e);
	}
	e = find(r);
	if (e < 0)
		return (e);
	if (r->assembly != NULL) {
		const struct live_assembly_count *c =
		    live_assembly_count(r->assembly);

		r->source.records = live_vsl_records(r->vsl);
		r->source.transactions = c->transactions;
		r->source.orphans = c->orphans;
	}
	rep = report_of(r);
	if (r->screen) {
		rep.lines = 23;
		rep.columns = 80;
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 4 &&
		    w.ws_col > 20) {
			rep.lines = w.ws_row - 1U;
			rep.columns = w.ws_col;
		}
		rep.colour = getenv("NO_COLOR") == NULL;
		(void)fputs("\033[H\033[2J", stdout);
		e = live_report_text(&rep, stdout);
		rep = report_of(r);
	}
	/* A file that cannot be written now may be next time. */
	if (r->opt.prometheus != NULL)
		(void)write_file(
		    r->opt.prometheus, live_report_prometheus, &rep);
	if (r->opt.daemon && r->opt.output != NULL)
		(void)write_file(r->opt.output, format_of(r->opt.format), &rep);
	return (e);
}

/* Nobody's file is lost to a name that was mistyped. */
int
run_may_write_workload(const struct run *r)
{
	struct stat st;

	if (r->opt.workload == NULL || r->opt.replace ||
	    lstat(r->opt.workload, &st) != 0)
		return (0);
	cli_error("--profile-disk: %s is there already: name another file, or "
		  "give --replace",
	    r->opt.workload);
	return (CLI_EXIT_USAGE);
}

int
run_write_workload(struct run *r)
{
	const struct live_disk *d = &r->traffic.disk;
	struct live_report rep = report_of(r);
	const char *dot = strrchr(r->opt.workload, '.');
	bool fio = dot != NULL && strcmp(dot, ".fio") == 0;

	/* It may have come while the log was read. */
	if (run_may_write_workload(r) != 0)
		return (-EEXIST);
	if (d->read.objects + d->write.objects == 0) {
		cli_error("--profile-disk: %s is not written: no hit and no "
			  "stored fetch with a body was seen",
		    r->opt.workload);
		return (-ENODATA);
	}
	return (write_file(r->opt.workload,
	    fio ? live_report_fio : live_report_workload, &rep));
}

int
run_report(struct run *r)
{
	struct live_report rep;
	report_f *func = format_of(r->opt.format);
	int e;

	e = live_traffic_settle(&r->traffic, INT64_MAX);
	if (e == 0)
		e = run_show(r, false);
	if (e < 0)
		return (e);
	rep = report_of(r);
	if (r->opt.output != NULL)
		return (write_file(r->opt.output, func, &rep));
	if (r->opt.daemon)
		return (0);
	if (r->screen) {
		(void)fputs("\033[H\033[2J", stdout);
		rep.colour = getenv("NO_COLOR") == NULL;
	}
	e = func(&rep, stdout);
	if (e < 0)
		cli_error("standard output: %s", strerror(-e));
	return (e);
}
