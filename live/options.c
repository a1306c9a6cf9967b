/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diag.h"
#include "cli/line.h"
#include "cli/num.h"
#include "cli/options.h"
#include "live/accesslog.h"

/* In the order of --help. */
/* clang-format off */
#define OPTIONS(X)							\
X(NAME,		"name",		'n', "DIR",	"varnishd's working directory, or its name")	\
X(READ,		"read",		'r', "FILE",	"read FILE, of varnishlog -w; - is standard input") \
X(HEAD,		"head",		'd', NULL,	"what the log holds now, then the end")		\
X(QUERY,	"query",	'q', "QUERY",	"transactions that match this VSL query")	\
X(QUERY_FILE,	"query-file",	'Q', "FILE",	"the query is in FILE")				\
X(LIMIT,	"limit",	'L', "N",	"incomplete transactions kept (default: 1000)")	\
X(MAX_TIME,	"max-time",	'T', "SECONDS",	"how long one may stay incomplete, with -q (default: 120)") \
X(PATIENCE,	"patience",	't', "SECONDS",	"how long to wait for varnishd; off: always (default: 5)") \
X(COUNT,	"count",	'k', "N",	"stop after N requests")			\
X(DAEMON,	"daemon",	'D', NULL,	"go to the background; needs --prometheus or -o") \
X(PID_FILE,	"pid-file",	'P', "FILE",	"write the process id there")			\
X(ONCE,		"once",		'1', NULL,	"no screen: one report, at the end")		\
X(DURATION,	"duration",	0,   "TIME",	"stop after this time")				\
X(INTERVAL,	"interval",	0,   "TIME",	"refresh the screen or the files (default: 2s)") \
X(FORMAT,	"format",	0,   "NAME",	"of the report: text (default), json, prometheus") \
X(OUTPUT,	"output",	'o', "FILE",	"print the report there")			\
X(PROMETHEUS,	"prometheus",	0,   "FILE",	"keep a textfile for node_exporter up to date")	\
X(DISK,		"profile-disk",	0,   "FILE",	"write the load on the cache's disk, for diskbench") \
X(REPLACE,	"replace",	0,   NULL,	"--profile-disk may replace a file that is there") \
X(ACCESS_LOG,	"access-log",	0,   "FORMAT",	"-r is an access log: varykit, varykit-ncsa, combined, common, json, or a LogFormat") \
X(TTL,		"ttl",		0,   "TIME",	"where an access log does not tell (default: 120s)") \
X(GRACE,	"grace",	0,   "TIME",	"Varnish's default_grace, for an access log (default: 10s)") \
X(POLICY,	"policy",	0,   "FILE.vcl", "replay with the vary.policy() of this VCL, too") \
X(AUDIT,	"audit",	0,   "RESULT.json", "which members are safe to strip: of varyprobe audit") \
X(STORAGE,	"storage",	0,   "SIZE",	"replay a cache of this size (default: no limit)") \
X(GZIP,		"gzip-support",	0,   "WORD",	"Varnish's http_gzip_support: on, off, auto (default)") \
X(MEMORY,	"memory",	0,   "SIZE",	"for the replay; then it samples URLs (default: 32m)") \
X(GROUPS,	"groups",	0,   "N",	"groups counted before paths fold (default: 512)") \
X(TOP,		"top",		0,   "N",	"groups and findings in a report (default: 20)") \
X(FAIL_ON,	"fail-on",	0,   "LEVEL",	"exit 1 on findings from: note, warning, error") \
X(HELP,		"help",		'h', NULL,	"print this")					\
X(VERSION,	"version",	'V', NULL,	"print the version")

enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

void
live_options_usage(FILE *f)
{
	(void)fprintf(f, "usage: varylive [options]\n\n"
			 "What Vary costs, read from Varnish's own log.\n\n");
	cli_options_usage(f, table);
	(void)fprintf(f,
	    "\nExit status: 0 a report, 1 findings (--fail-on), 2 usage or no "
	    "log,\n3 the log was damaged or lost records and is reported as "
	    "far "
	    "as it goes,\n4 internal.\n");
}

static int
bad(const char *option, const char *arg, const char *want)
{
	cli_error("--%s: \"%s\" is not %s", option, arg, want);
	return (CLI_EXIT_USAGE);
}

/* Several queries are one that any of them fulfils. */
static int
add_query(struct live_options *o, const char *q)
{
	size_t had = o->query != NULL ? strlen(o->query) : 0;
	char *p = malloc(had + strlen(q) + 16);

	if (p == NULL)
		return (CLI_EXIT_INTERNAL);
	if (had == 0)
		strcpy(p, q);
	else {
		strcpy(p, "(");
		strcat(p, o->query);
		strcat(p, ") or (");
		strcat(p, q);
		strcat(p, ")");
	}
	free(o->query);
	o->query = p;
	o->log.query = p;
	return (0);
}

/* Bytes of a query in a file of them. */
#define QUERY_MAX 65536

static int
add_query_file(struct live_options *o, const char *path)
{
	FILE *f = fopen(path, "re");
	enum cli_line_status st = CLI_LINE_OK;
	struct cli_line line;
	int e = 0;

	if (f == NULL) {
		cli_error("%s: %s", path, strerror(errno));
		return (CLI_EXIT_USAGE);
	}
	cli_line_init(&line, QUERY_MAX);
	/* As Varnish has it: a query a line, # begins a comment. */
	while (e == 0 && (st = cli_line_next(&line, f)) == CLI_LINE_OK) {
		line.b[strcspn(line.b, "\n")] = '\0';
		if (*line.b != '\0' && *line.b != '#')
			e = add_query(o, line.b);
	}
	if (e == 0 && (st != CLI_LINE_END || ferror(f))) {
		cli_error("%s:%" PRIu64 ": %s", path, line.number,
		    st == CLI_LINE_LONG    ? "longer than 64 KiB: no query"
		    : st == CLI_LINE_NOMEM ? "out of memory"
					   : strerror(errno));
		e = CLI_EXIT_USAGE;
	}
	cli_line_fini(&line);
	(void)fclose(f);
	return (e);
}

static int
level(const char *s, enum live_level *ret)
{
	for (*ret = LIVE_NOTE; *ret <= LIVE_ERROR; (*ret)++)
		if (strcmp(s, live_level_word(*ret)) == 0)
			return (0);
	return (-EINVAL);
}

static int
take(struct live_options *o, int c, const char *a)
{
	uint64_t v = 0;
	int e;

	switch (c) {
	case O_NAME: o->log.instance = a; break;
	case O_READ: o->log.file = a; break;
	case O_HEAD: o->log.head = true; break;
	case O_QUERY: return (add_query(o, a));
	case O_QUERY_FILE: return (add_query_file(o, a));
	case O_LIMIT:
		if (cli_num_count(a, 1, 1000000, &v) < 0)
			return (bad("limit", a, "a number from 1 to 1000000"));
		o->log.limit = a;
		o->limit = (size_t)v;
		break;
	case O_MAX_TIME:
		if (cli_num_count(a, 1, 86400, &v) < 0)
			return (bad("max-time", a, "1 to 86400 seconds"));
		o->log.timeout = a;
		break;
	case O_PATIENCE: o->log.patience = a; break;
	case O_COUNT:
		if (cli_num_count(a, 1, UINT64_MAX, &o->transactions) < 0)
			return (bad("count", a, "a number from 1"));
		break;
	case O_DAEMON: o->daemon = true; break;
	case O_PID_FILE: o->pid_file = a; break;
	case O_ONCE: o->once = true; break;
	case O_DURATION:
		if (cli_num_duration(a, 1000000, INT64_MAX, &o->duration) < 0)
			return (bad("duration", a, "a time such as 10s or 1h"));
		break;
	case O_INTERVAL:
		if (cli_num_duration(a, 100000000, INT64_MAX, &o->interval) < 0)
			return (bad("interval", a, "a time from 100ms"));
		break;
	case O_FORMAT:
		if (strcmp(a, "text") == 0)
			o->format = LIVE_FORMAT_TEXT;
		else if (strcmp(a, "json") == 0)
			o->format = LIVE_FORMAT_JSON;
		else if (strcmp(a, "prometheus") == 0)
			o->format = LIVE_FORMAT_PROMETHEUS;
		else
			return (bad("format", a, "text, json or prometheus"));
		break;
	case O_OUTPUT: o->output = a; break;
	case O_PROMETHEUS: o->prometheus = a; break;
	case O_DISK: o->workload = a; break;
	case O_REPLACE: o->replace = true; break;
	case O_ACCESS_LOG: o->access_log = a; break;
	case O_TTL:
		if (cli_num_duration(a, 0, UINT64_C(1) << 62, &v) < 0)
			return (bad("ttl", a, "a time such as 120s"));
		o->ttl = (double)v / 1e9;
		break;
	case O_GRACE:
		if (cli_num_duration(a, 0, UINT64_C(1) << 62, &v) < 0)
			return (bad("grace", a, "a time such as 10s"));
		o->grace = (double)v / 1e9;
		break;
	case O_POLICY: o->policy = a; break;
	case O_AUDIT: o->audit = a; break;
	case O_STORAGE:
		e = cli_num_size(a, 1, UINT64_MAX, &o->traffic.storage);
		if (e < 0)
			return (bad("storage", a, "a size such as 4g"));
		break;
	case O_GZIP:
		if (strcmp(a, "on") == 0)
			o->traffic.gzip = LIVE_GZIP_ON;
		else if (strcmp(a, "off") == 0)
			o->traffic.gzip = LIVE_GZIP_OFF;
		else if (strcmp(a, "auto") == 0)
			o->traffic.gzip = LIVE_GZIP_AUTO;
		else
			return (bad("gzip-support", a, "on, off or auto"));
		break;
	case O_MEMORY:
		if (cli_num_size(a, 65536, SIZE_MAX / 4, &v) < 0)
			return (bad("memory", a, "a size from 64k"));
		o->traffic.replay_memory = (size_t)v;
		break;
	case O_GROUPS:
		if (cli_num_count(a, 1, 100000, &v) < 0)
			return (bad("groups", a, "a number from 1 to 100000"));
		o->traffic.groups = (size_t)v;
		break;
	case O_TOP:
		if (cli_num_count(a, 0, 1000000, &v) < 0)
			return (bad("top", a, "a number up to 1000000"));
		o->top = (unsigned)v;
		break;
	case O_FAIL_ON:
		if (level(a, &o->fail_on) < 0)
			return (bad("fail-on", a, "note, warning or error"));
		o->fail = true;
		break;
	case O_HELP: o->help = true; break;
	case O_VERSION: o->version = true; break;
	default: assert(c == '?'); return (CLI_EXIT_USAGE);
	}
	return (0);
}

/* What cannot be meant together. */
static int
check(const struct live_options *o)
{
	struct live_log_format f;
	const char *why = NULL;

	if (o->log.instance != NULL && o->log.file != NULL)
		why = "-n is a running varnishd, -r a file: give one of them";
	else if (o->log.head && o->log.file != NULL)
		why = "-d is for a running varnishd; a file is read to its end";
	else if (o->access_log != NULL && o->log.file == NULL)
		why = "--access-log needs its file: -r FILE, or -r - for "
		      "standard input";
	else if (o->access_log != NULL && o->log.query != NULL)
		why = "-q asks Varnish's log, not an access log";
	else if (o->access_log != NULL &&
		 live_log_format_init(&f, o->access_log) < 0)
		why = "--access-log: not a format that a request can be read "
		      "with: it needs %t and %r at least, and text between "
		      "two fields";
	else if (o->daemon && o->prometheus == NULL && o->output == NULL)
		why = "-D leaves the terminal: give --prometheus FILE or -o "
		      "FILE";
	else if (o->daemon && o->log.file != NULL)
		why = "-D is for a running varnishd";
	if (why == NULL)
		return (0);
	cli_error("%s", why);
	return (CLI_EXIT_USAGE);
}

int
live_options_parse(struct live_options *o, int argc, char **argv)
{
	struct cli_options in;
	int c, e = 0, first;

	memset(o, 0, sizeof *o);
	o->limit = 1000;
	o->interval = UINT64_C(2000000000);
	o->ttl = 120;
	o->grace = 10;
	o->top = 20;
	o->traffic.groups = 512;
	o->traffic.replay_memory = (size_t)32 << 20;

	cli_options_init(&in, table, argc, argv);
	while (e == 0 && (c = cli_options_next(&in)) != CLI_OPTIONS_OVER) {
		if (c == CLI_OPTIONS_BAD) {
			cli_error("%s", in.why);
			e = CLI_EXIT_USAGE;
		} else
			e = take(o, c, in.value);
	}
	first = cli_options_operands(&in);
	if (e == 0 && !o->help && !o->version) {
		if (first < argc) {
			cli_error("what is \"%s\"?  A file is read with -r, a "
				  "query is given with -q",
			    argv[first]);
			e = CLI_EXIT_USAGE;
		} else
			e = check(o);
	}
	if (e == CLI_EXIT_USAGE)
		(void)fprintf(stderr, "Try \"varylive --help\".\n");
	return (e);
}

void
live_options_fini(struct live_options *o)
{
	free(o->query);
	o->query = NULL;
}
