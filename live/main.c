/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * varylive(1): records -> transactions -> groups and the replayed cache ->
 * findings -> report.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "cli/line.h"
#include "live/accesslog.h"
#include "live/run.h"

static volatile sig_atomic_t stop, refresh;

static void
on_signal(int sig)
{
	if (sig == SIGHUP || sig == SIGUSR1 || sig == SIGWINCH)
		refresh = 1;
	else
		stop = sig;
}

static void
catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1,
		SIGWINCH };
	struct sigaction sa;
	size_t i;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal;
	(void)sigemptyset(&sa.sa_mask);
	/* Without SA_RESTART: a read from a pipe has to end. */
	for (i = 0; i < sizeof sigs / sizeof sigs[0]; i++)
		(void)sigaction(sigs[i], &sa, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

static uint64_t
now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec);
}

static void
nap(void)
{
	/* As Varnish's own tools: often enough for a log of any speed. */
	static const struct timespec ts = { 0, 10 * 1000 * 1000 };

	(void)nanosleep(&ts, NULL);
}

/* Time to show something, or to end?  Sets r->done. */
static int
look_at_the_clock(struct run *r, bool live)
{
	uint64_t t = now_ns();

	if (stop != 0 || (r->end != 0 && t >= r->end))
		r->done = true;
	if (r->done || (t < r->next && !refresh))
		return (0);
	refresh = 0;
	r->next = t + r->opt.interval;
	if (r->screen || r->opt.prometheus != NULL || r->opt.daemon)
		return (run_show(r, live));
	return (0);
}

/* --- Reading -------------------------------------------------------------- */

static void
on_transaction(void *priv, const struct live_transaction *t)
{
	struct run *r = priv;

	if (r->done || r->error != 0)
		return;
	r->error = live_traffic_take(&r->traffic, t);
	if (r->opt.transactions > 0 &&
	    r->traffic.requests >= r->opt.transactions)
		r->done = true;
}

static int
on_record(void *priv, const struct live_record *rec)
{
	struct run *r = priv;
	int e = live_assembly_take(r->assembly, rec);

	if (e == 0)
		e = r->error;
	/* Not an error, but the way to end in the middle. */
	return (e == 0 && r->done ? -ECANCELED : e);
}

static void
damaged(struct run *r, const char *what)
{
	r->source.complete = false;
	if (r->damage[0] == '\0')
		(void)snprintf(r->damage, sizeof r->damage, "%s", what);
	r->source.damage = r->damage;
}

static int
read_log(struct run *r)
{
	bool live = r->opt.log.file == NULL;
	char text[512];
	int e, ce = 0;

	e = live_assembly_open(&r->assembly, r->opt.limit, on_transaction, r);
	if (e < 0)
		return (e);
	while (!r->done) {
		enum live_vsl_status st =
		    live_vsl_read(r->vsl, on_record, r, &ce);
		bool over = false;

		switch (st) {
		case LIVE_VSL_MORE: break;
		case LIVE_VSL_IDLE: nap(); break;
		case LIVE_VSL_END: over = true; break;
		case LIVE_VSL_OVERRUN:
			r->source.overruns++;
			damaged(r,
			    "log overrun: varnishd wrote faster than this "
			    "program read; records are lost (give varnishd a "
			    "larger -l)");
			if (r->source.overruns == 1)
				cli_warning("%s", r->damage);
			live_assembly_flush(r->assembly);
			break;
		case LIVE_VSL_ABANDONED:
			r->source.restarts++;
			cli_warning("varnishd's child is gone; waiting for "
				    "the next");
			live_assembly_flush(r->assembly);
			break;
		case LIVE_VSL_TRUNCATED:
			(void)snprintf(text, sizeof text,
			    "the file ends inside a record, after %llu bytes",
			    (unsigned long long)live_vsl_offset(r->vsl));
			damaged(r, text);
			over = true;
			break;
		case LIVE_VSL_CORRUPT:
			(void)snprintf(text, sizeof text, "at byte %llu: %s",
			    (unsigned long long)live_vsl_offset(r->vsl),
			    live_vsl_error(r->vsl));
			damaged(r, text);
			over = true;
			break;
		case LIVE_VSL_ERROR:
		default:
			if (ce == -ECANCELED)
				break;
			if (ce < 0)
				return (ce);
			damaged(r, live_vsl_error(r->vsl));
			over = true;
			break;
		}
		if (over)
			break;
		e = look_at_the_clock(r, live);
		if (e < 0)
			return (e);
	}
	r->source.bytes = live_vsl_offset(r->vsl);
	live_assembly_flush(r->assembly);
	return (r->error);
}

static int
read_access_log(struct run *r)
{
	const struct live_lifetime fallback = { r->opt.ttl, r->opt.grace, 0 };
	struct live_log_format f;
	struct live_log_line *l;
	const char *name = r->opt.log.file;
	FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
	enum cli_line_status st;
	struct cli_line line;
	int e = live_log_format_init(&f, r->opt.access_log);

	if (in == NULL) {
		cli_error("%s: %s", name, strerror(errno));
		return (CLI_EXIT_USAGE);
	}
	l = malloc(sizeof *l);
	if (l == NULL)
		e = -ENOMEM;
	cli_line_init(&line, LIVE_LOG_LINE);
	while (e == 0 && !r->done &&
	       (st = cli_line_next(&line, in)) != CLI_LINE_END) {
		if (st == CLI_LINE_NOMEM) {
			e = -ENOMEM;
			break;
		}
		r->source.bytes = line.bytes;
		r->source.records++;
		if (st == CLI_LINE_LONG) {
			cli_warning("%s:%llu: longer than %d bytes, and "
				    "passed over",
			    name, (unsigned long long)line.number,
			    LIVE_LOG_LINE);
			r->source.unread++;
		} else if (live_log_read(l, &f, line.b, line.len, fallback)) {
			r->source.transactions++;
			on_transaction(r, &l->t);
			e = r->error;
		} else
			r->source.unread++;
		if (e == 0 && line.number % 1024 == 0)
			e = look_at_the_clock(r, false);
	}
	if (e == 0 && ferror(in))
		damaged(r, "reading the access log failed");
	cli_line_fini(&line);
	free(l);
	if (in != stdin)
		(void)fclose(in);
	if (e < 0)
		return (e);
	if (r->source.unread > 0) {
		char text[256];

		(void)snprintf(text, sizeof text,
		    "%llu of %llu lines are not in the format that "
		    "--access-log names",
		    (unsigned long long)r->source.unread,
		    (unsigned long long)r->source.records);
		damaged(r, text);
	}
	return (0);
}

/* --- Before and after ----------------------------------------------------- */

static int
read_policy(struct run *r)
{
	FILE *f = fopen(r->opt.policy, "re");
	char *b = NULL;
	size_t n = 0, cap = 0;
	unsigned line = 0;
	int e;

	if (f == NULL) {
		cli_error("%s: %s", r->opt.policy, strerror(errno));
		return (CLI_EXIT_USAGE);
	}
	for (;;) {
		char *p;

		if (n == cap) {
			/* VCL of more than this is no policy. */
			cap = cap == 0 ? 16384 : 2 * cap;
			p = cap > (size_t)16 << 20 ? NULL : realloc(b, cap);
			if (p == NULL)
				break;
			b = p;
		}
		if (feof(f) || ferror(f))
			break;
		n += fread(b + n, 1, cap - n, f);
	}
	e = ferror(f) || n == cap ? -EIO
				  : live_policy_read(&r->policy, b, n, &line);
	(void)fclose(f);
	free(b);
	if (e == -EINVAL)
		cli_error("%s: line %u: not a policy that can be read",
		    r->opt.policy, line);
	else if (e == -E2BIG)
		cli_error("%s: line %u: more rules, or longer ones, than can "
			  "be replayed",
		    r->opt.policy, line);
	else if (e < 0)
		cli_error("%s: it could not be read", r->opt.policy);
	else if (!r->policy.declared) {
		cli_error("%s: there is no vary.policy() in it: \"varyprobe "
			  "policy\" writes one",
		    r->opt.policy);
		e = -EINVAL;
	}
	r->opt.traffic.policy = &r->policy;
	return (e < 0 ? CLI_EXIT_USAGE : 0);
}

static int
read_audit(struct run *r)
{
	char text[256] = "";
	int e = live_audit_open(&r->audit, r->opt.audit, text, sizeof text);

	if (e == -ENOMEM)
		return (CLI_EXIT_INTERNAL);
	if (e < 0)
		cli_error("%s: %s", r->opt.audit, text);
	return (e < 0 ? CLI_EXIT_USAGE : 0);
}

static int
go_to_background(struct run *r)
{
	FILE *f = NULL;
	int e = 0;

	/* Opened before: a message about it still has a terminal. */
	if (r->opt.pid_file != NULL) {
		f = fopen(r->opt.pid_file, "we");
		if (f == NULL) {
			cli_error("%s: %s", r->opt.pid_file, strerror(errno));
			return (CLI_EXIT_USAGE);
		}
	}
	if (r->opt.daemon && daemon(1, 0) != 0) {
		cli_error("-D: %s", strerror(errno));
		e = CLI_EXIT_INTERNAL;
	}
	if (f != NULL) {
		(void)fprintf(f, "%ld\n", (long)getpid());
		(void)fclose(f);
	}
	return (e);
}

static int
exit_code(const struct run *r)
{
	/* They are sorted: the first is the worst. */
	if (r->opt.fail && r->findings.n > 0 &&
	    r->findings.f[0].level >= r->opt.fail_on)
		return (LIVE_EXIT_FINDINGS);
	return (r->source.complete ? CLI_EXIT_OK : LIVE_EXIT_DAMAGED);
}

/* Requests and responses are written by others.  varnishd, when it starts anew,
 * makes files that only root or its group may open. */
static void
confine(const struct run *r)
{
	const char *dir = getenv("TMPDIR"), *writes[6];
	char tmp[PATH_MAX];
	struct cli_confine c = { 0 };
	size_t n = 0;

	if (r->opt.output != NULL)
		writes[n++] = r->opt.output;
	if (r->opt.prometheus != NULL)
		writes[n++] = r->opt.prometheus;
	if (r->opt.workload != NULL)
		writes[n++] = r->opt.workload;
	if (r->opt.pid_file != NULL)
		writes[n++] = r->opt.pid_file;
	/* A copy of what came by a pipe is removed at the end. */
	(void)snprintf(tmp, sizeof tmp, "%s/copy",
	    dir != NULL && *dir != '\0' ? dir : "/tmp");
	if (r->opt.log.file != NULL)
		writes[n++] = tmp;
	writes[n] = NULL;
	c.writes = writes;
	c.keep_user = true;
	c.keep_dac = true;
	(void)cli_confine(&c);
}

static int
work(struct run *r)
{
	int e = run_may_write_workload(r);

	if (e != 0)
		return (e);
	if (r->opt.policy != NULL && (e = read_policy(r)) != 0)
		return (e);
	if (r->opt.audit != NULL && (e = read_audit(r)) != 0)
		return (e);
	r->source = (struct live_source){ .kind = "varnishd",
		.name = r->opt.log.instance != NULL ? r->opt.log.instance : "",
		.complete = true,
		.damage = "" };
	if (r->opt.log.file != NULL) {
		r->source.kind =
		    r->opt.access_log != NULL ? "access-log" : "file";
		r->source.name = r->opt.log.file;
	}
	if (live_traffic_init(&r->traffic, &r->opt.traffic) < 0)
		return (-ENOMEM);
	if (r->opt.access_log == NULL) {
		e = live_vsl_open(&r->vsl, &r->opt.log);
		if (e == -ENOMEM)
			return (e);
		if (e < 0) {
			cli_error("%s", live_vsl_error(r->vsl));
			return (CLI_EXIT_USAGE);
		}
	}
	if ((r->opt.daemon || r->opt.pid_file != NULL) &&
	    (e = go_to_background(r)) != 0)
		return (e);
	confine(r);
	catch_signals();
	r->screen = r->opt.log.file == NULL && !r->opt.log.head &&
		    !r->opt.once && !r->opt.daemon &&
		    r->opt.format == LIVE_FORMAT_TEXT &&
		    r->opt.output == NULL && isatty(STDOUT_FILENO);
	r->next = now_ns() + r->opt.interval;
	if (r->opt.duration > 0)
		r->end = now_ns() + r->opt.duration;
	e = r->opt.access_log != NULL ? read_access_log(r) : read_log(r);
	if (e != 0)
		return (e);
	if (!r->source.complete && r->source.overruns == 0)
		cli_warning("%s; what could be read is reported", r->damage);
	e = run_report(r);
	if (e == 0 && r->opt.workload != NULL)
		e = run_write_workload(r);
	if (e < 0 && e != -ENOMEM)
		return (CLI_EXIT_USAGE);
	return (e < 0 ? e : exit_code(r));
}

/* What it was built for, and what this system lets us give up. */
static void
version(void)
{
	char buf[128];

	cli_confine_offer(buf, sizeof buf);
	(void)printf("varylive (%s) %s\nlog of: %s\ngives up: %s\n",
	    PACKAGE_NAME, PACKAGE_VERSION, BUILT_FOR_VARNISH, buf);
}

int
main(int argc, char **argv)
{
	struct run *r = calloc(1, sizeof *r);
	int e;

	cli_diag_init(argv[0]);
	if (r == NULL) {
		cli_error("out of memory");
		return (CLI_EXIT_INTERNAL);
	}
	e = live_options_parse(&r->opt, argc, argv);
	if (e == 0 && r->opt.help)
		live_options_usage(stdout);
	else if (e == 0 && r->opt.version)
		version();
	else if (e == 0)
		e = work(r);
	if (e < 0) {
		cli_error("%s", strerror(-e));
		e = CLI_EXIT_INTERNAL;
	}
	if (r->opt.pid_file != NULL && r->opt.daemon)
		(void)unlink(r->opt.pid_file);
	live_findings_fini(&r->findings);
	live_assembly_close(&r->assembly);
	live_vsl_close(&r->vsl);
	if (r->traffic.recent != NULL)
		live_traffic_fini(&r->traffic);
	live_audit_close(&r->audit);
	live_options_fini(&r->opt);
	free(r);
	return (e);
}
