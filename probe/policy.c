/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/policy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <apr_general.h>
#include <apr_pools.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "cli/options.h"
#include "probe/judged.h"
#include "probe/policy_print.h"

enum {
	EXIT_NOT_JUDGED = 3
};

/* clang-format off */
#define OPTIONS(X)							\
X(FORMAT,	"format",	0,	"NAME",	"vcl (default), apache, nginx, or avail: the availability hints that the origin could send") \
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
	    "usage: %s policy [options] AUDIT.json ...\n"
	    "Print the policy that 'varyprobe audit --format json' has shown "
	    "to be safe; - is\nstdin.\n\n",
	    cli_diag_name());
	cli_options_usage(f, table);
	fprintf(f, "\nexit: 0, 2 usage, 3 no URL was judged\n");
}

static int
policy(struct probe_judged *a, int argc, char **argv)
{
	struct cli_confine need = { 0 };
	const char *format = "vcl";
	struct cli_options in;
	enum probe_policy_format k;
	const char *name, *why;
	apr_status_t st;
	FILE *f;
	int i, o;

	cli_options_init(&in, table, argc, argv);
	while ((o = cli_options_next(&in)) != CLI_OPTIONS_OVER) {
		switch (o) {
		case O_FORMAT: format = in.value; break;
		case O_HELP: usage(stdout); return (CLI_EXIT_OK);
		default: cli_error("%s", in.why); return (CLI_EXIT_USAGE);
		}
	}
	for (k = 0; k < PROBE_NPOLICIES; k++)
		if (strcmp(format, probe_policy_format_name(k)) == 0)
			break;
	if (k == PROBE_NPOLICIES) {
		cli_error("no format '%s'; there are vcl, apache, nginx, avail",
		    format);
		return (CLI_EXIT_USAGE);
	}
	i = cli_options_operands(&in);
	if (i == argc) {
		cli_error("no file; give the result of 'varyprobe audit "
			  "--format json', or - for stdin");
		return (CLI_EXIT_USAGE);
	}
	need.reads = (const char *const *)(const void *)(argv + i);
	(void)cli_confine(&need);
	for (; i < argc; i++) {
		bool piped = strcmp(argv[i], "-") == 0;

		name = piped ? "stdin" : argv[i];
		f = piped ? stdin : fopen(argv[i], "re");
		if (f == NULL) {
			cli_error("%s: %s", name, strerror(errno));
			return (CLI_EXIT_USAGE);
		}
		st = probe_judged_read(a, f, &why);
		if (!piped)
			(void)fclose(f);
		if (st != APR_SUCCESS) {
			cli_error("%s: %s", name, why);
			return (CLI_EXIT_USAGE);
		}
	}
	if (a->judged == 0) {
		cli_error("no URL was judged, and so no policy is known to be "
			  "safe%s%s%s%s",
		    a->unjudged > 0 ? ": " : "",
		    a->unjudged > 0 ? a->unjudged_url : "",
		    a->unjudged > 0 ? " is " : "",
		    a->unjudged > 0 ? a->unjudged_why : "");
		return (EXIT_NOT_JUDGED);
	}
	if (a->unjudged > 0)
		cli_warning("%d of %d URLs were not judged; what they declare "
			    "is kept",
		    a->unjudged, a->judged + a->unjudged);
	probe_policy_print(stdout, a, k);
	return (fflush(stdout) == 0 ? CLI_EXIT_OK : CLI_EXIT_INTERNAL);
}

int
probe_policy_main(int argc, char **argv)
{
	struct probe_judged a;
	apr_pool_t *pool;
	int code;

	if (apr_initialize() != APR_SUCCESS)
		return (CLI_EXIT_INTERNAL);
	apr_pool_create(&pool, NULL);
	probe_judged_init(&a, pool);
	code = policy(&a, argc, argv);
	apr_pool_destroy(pool);
	apr_terminate();
	return (code);
}
