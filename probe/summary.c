/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "cli/line.h"
#include "cli/options.h"
#include "probe/report.h"

enum {
	EXIT_FINDINGS = 1,
	MAX_LINE = 16 * 1024 * 1024 /* a target, or a summary */
};

static uint64_t
count(const json_t *o, const char *key)
{
	json_int_t v = json_integer_value(json_object_get(o, key));

	return (v > 0 ? (uint64_t)v : 0);
}

static void
add(struct probe_summary *to, const struct probe_summary *from)
{
	int i;

	to->urls += from->urls;
	for (i = 0; i < 4; i++)
		to->outcome[i] += from->outcome[i];
	for (i = 0; i < 3; i++)
		to->level[i] += from->level[i];
	for (i = 0; i < PROBE_NRULES; i++)
		to->rule[i] += from->rule[i];
	to->requests += from->requests;
}

static void
read_summary(struct probe_summary *s, const json_t *j)
{
	int i;

	memset(s, 0, sizeof *s);
	s->urls = count(j, "urls");
	s->requests = count(j, "requests");
	for (i = 0; i < 4; i++)
		s->outcome[i] = count(json_object_get(j, "outcomes"),
		    probe_outcome_name((enum probe_outcome)i));
	for (i = 0; i < 3; i++)
		s->level[i] = count(json_object_get(j, "worst"),
		    probe_level_name((enum probe_level)i));
	for (i = 0; i < PROBE_NRULES; i++)
		s->rule[i] = count(json_object_get(j, "findings"),
		    probe_rule_name((enum probe_rule)i));
}

static void
read_target(struct probe_summary *s, const json_t *j)
{
	const char *outcome, *rule, *level;
	const json_t *findings = json_object_get(j, "findings"), *f;
	int i, l, worst = -1;
	size_t k;

	memset(s, 0, sizeof *s);
	s->urls = 1;
	s->requests = count(j, "requests");
	outcome = json_string_value(json_object_get(j, "outcome"));
	for (i = 0; outcome != NULL && i < 4; i++)
		if (strcmp(outcome,
			probe_outcome_name((enum probe_outcome)i)) == 0)
			s->outcome[i]++;
	for (k = 0; k < json_array_size(findings); k++) {
		f = json_array_get(findings, k);
		rule = json_string_value(json_object_get(f, "rule"));
		level = json_string_value(json_object_get(f, "level"));
		for (i = 0; rule != NULL && i < PROBE_NRULES; i++)
			if (strcmp(rule, probe_rule_name((enum probe_rule)i)) ==
			    0)
				s->rule[i]++;
		l = level != NULL ? probe_level_of(level) : -1;
		if (l > worst)
			worst = l;
	}
	if (worst >= 0)
		s->level[worst]++;
}

/*
 * A run's summary stands for the targets before it.  Where there is none, since
 * the run was killed, the targets stand for themselves.
 */
int
probe_summary_read(
    struct probe_summary *total, FILE *f, char *ret_why, size_t why_cap)
{
	struct probe_summary pending, one;
	json_error_t error;
	const char *schema, *kind;
	enum cli_line_status st;
	struct cli_line line;
	json_t *j;
	int r = 0;

	memset(&pending, 0, sizeof pending);
	cli_line_init(&line, MAX_LINE);
	while (r == 0 && (st = cli_line_next(&line, f)) != CLI_LINE_END) {
		if (st != CLI_LINE_OK) {
			(void)snprintf(ret_why, why_cap, "%" PRIu64 ": %s",
			    line.number,
			    st == CLI_LINE_LONG ? "is longer than 16 MiB: no "
						  "line of 'varyprobe audit "
						  "--format ndjson'"
						: strerror(ENOMEM));
			r = st == CLI_LINE_LONG ? -EINVAL : -ENOMEM;
			break;
		}
		if (line.b[strspn(line.b, " \t\r\n")] == '\0')
			continue;
		j = json_loadb(line.b, line.len, 0, &error);
		schema = json_string_value(json_object_get(j, "schema"));
		kind = json_string_value(json_object_get(j, "kind"));
		if (schema == NULL || kind == NULL ||
		    strcmp(schema, "varykit.audit/1") != 0) {
			(void)snprintf(ret_why, why_cap,
			    "%" PRIu64 ": no line of 'varyprobe audit --format "
			    "ndjson': %s",
			    line.number,
			    j == NULL        ? error.text
			    : schema != NULL ? schema
					     : "it names no schema");
			r = -EINVAL;
		} else if (strcmp(kind, "summary") == 0) {
			read_summary(&one, j);
			add(total, &one);
			memset(&pending, 0, sizeof pending);
		} else {
			read_target(&one, j);
			add(&pending, &one);
		}
		json_decref(j);
	}
	if (r == 0 && ferror(f)) {
		r = -errno;
		(void)snprintf(ret_why, why_cap, " %s", strerror(errno));
	}
	add(total, &pending);
	cli_line_fini(&line);
	return (r);
}

static int
read_file(struct probe_summary *total, FILE *f, const char *name)
{
	char why[512];
	int r = probe_summary_read(total, f, why, sizeof why);

	if (r != 0)
		cli_error("%s:%s", name, why);
	return (r);
}

/* clang-format off */
#define OPTIONS(X)							\
X(FORMAT,	"format",	0,	"NAME",	"ndjson (default): one line, that summary reads again; or human") \
X(FAIL_ON,	"fail-on",	0,	"LEVEL", "exit 1 from: note, warning, error; never by default") \
X(HELP,		"help",		'h',	NULL,	"print this")

enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

static void
usage(FILE *f)
{
	fprintf(f,
	    "usage: %s summary [options] RESULT.ndjson ...\n"
	    "Add up what 'varyprobe audit --format ndjson' has written; - is "
	    "stdin.\n\n",
	    cli_diag_name());
	cli_options_usage(f, table);
	fprintf(f, "\nexit: 0, 1 findings (--fail-on), 2 usage or a file "
		   "that cannot be read\n");
}

int
probe_summary_main(int argc, char **argv)
{
	struct cli_options in;
	struct probe_report_context c;
	struct probe_summary total;
	struct cli_confine need = { 0 };
	const struct probe_report *report = &probe_report_ndjson;
	int i, o, r = 0, level = 3, code = CLI_EXIT_OK;
	FILE *f;

	memset(&total, 0, sizeof total);
	memset(&c, 0, sizeof c);
	c.f = stdout;
	cli_options_init(&in, table, argc, argv);
	while ((o = cli_options_next(&in)) != CLI_OPTIONS_OVER) {
		switch (o) {
		case O_FORMAT:
			report = strcmp(in.value, "human") == 0
				     ? &probe_report_human
				 : strcmp(in.value, "ndjson") == 0
				     ? &probe_report_ndjson
				     : NULL;
			if (report == NULL) {
				cli_error("no format '%s'; there are ndjson, "
					  "human",
				    in.value);
				return (CLI_EXIT_USAGE);
			}
			break;
		case O_FAIL_ON:
			level = probe_level_of(in.value);
			if (level < 0) {
				cli_error("--fail-on takes note, warning or "
					  "error, not '%s'",
				    in.value);
				return (CLI_EXIT_USAGE);
			}
			break;
		case O_HELP: usage(stdout); return (CLI_EXIT_OK);
		default: cli_error("%s", in.why); return (CLI_EXIT_USAGE);
		}
	}
	i = cli_options_operands(&in);
	if (i == argc) {
		cli_error("no file; give some, or - for stdin");
		return (CLI_EXIT_USAGE);
	}
	need.reads = (const char *const *)(const void *)(argv + i);
	(void)cli_confine(&need);
	for (; i < argc; i++) {
		if (strcmp(argv[i], "-") == 0) {
			r |= read_file(&total, stdin, "stdin");
			continue;
		}
		f = fopen(argv[i], "re");
		if (f == NULL) {
			cli_error("%s: %s", argv[i], strerror(errno));
			r = -1;
			continue;
		}
		r |= read_file(&total, f, argv[i]);
		(void)fclose(f);
	}
	/* A sum that lacks a part would be taken for the whole. */
	if (r != 0)
		return (CLI_EXIT_USAGE);
	if (report->end(&c, &total) != 0)
		return (CLI_EXIT_INTERNAL);
	for (i = level; i < 3; i++)
		if (total.level[i] > 0)
			code = EXIT_FINDINGS;
	return (code);
}
