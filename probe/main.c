/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * varyprobe(1): which command, and nothing else.  Usage and dispatch come from
 * one table, so that neither can name a command the other does not know.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "probe/audit.h"
#include "probe/policy.h"
#include "probe/summary.h"
#include "probe/transport.h"
#include "scan/main.h"

static int help_main(int, char **);

/* A command gets its own name as argv[0] and returns the exit code. */
static const struct command {
	const char *name;
	int (*main)(int, char **);
	const char *description;
} commands[] = {
	{ "audit", probe_audit_main,
	    "ask an origin what its responses depend on" },
	{ "scan", scan_main,
	    "find the lines of a configuration that cost a cache" },
	{ "policy", probe_policy_main,
	    "print the VCL policy that an audit has shown to be safe" },
	{ "summary", probe_summary_main, "add up the results of many audits" },
	{ "help", help_main, "say how varyprobe or a command is called" },
};

enum {
	NCOMMANDS = sizeof commands / sizeof *commands
};

static void
usage(FILE *f)
{
	size_t i;

	fprintf(f, "usage: %s COMMAND [options] ...\n\n", cli_diag_name());
	for (i = 0; i < NCOMMANDS; i++)
		fprintf(f, "  %-10s%s\n", commands[i].name,
		    commands[i].description);
	fprintf(f, "  %-10s%s\n", "--version",
	    "say which release this is, and what it was built with");
	fprintf(f,
	    "\n'%s COMMAND --help' lists a command's options; see "
	    "varyprobe(1).\n",
	    cli_diag_name());
}

/* What was built in, and what this system lets us give up. */
static void
version(void)
{
	char buf[128];

	printf("varyprobe (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	printf("%s\n", probe_transport_version());
	printf("decodes: gzip deflate"
#ifdef HAVE_BROTLI
	       " br"
#endif
#ifdef HAVE_ZSTD
	       " zstd"
#endif
	       "; sitemaps: "
#ifdef HAVE_LIBXML2
	       "yes"
#else
	       "no"
#endif
	       "\n");
	cli_confine_offer(buf, sizeof buf);
	printf("gives up: %s\n", buf);
}

static const struct command *
find(const char *name)
{
	size_t i;

	for (i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return (&commands[i]);
	return (NULL);
}

static int
help_main(int argc, char **argv)
{
	static char opt[] = "--help";
	const struct command *c;
	char *args[] = { NULL, opt, NULL };

	if (argc < 2) {
		usage(stdout);
		return (CLI_EXIT_OK);
	}
	c = find(argv[1]);
	if (c == NULL || c->main == help_main) {
		usage(c == NULL ? stderr : stdout);
		return (c == NULL ? CLI_EXIT_USAGE : CLI_EXIT_OK);
	}
	args[0] = argv[1];
	return (c->main(2, args));
}

int
main(int argc, char **argv)
{
	const struct command *c;

	cli_diag_init(argv[0]);
	if (argc < 2) {
		usage(stderr);
		return (CLI_EXIT_USAGE);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		usage(stdout);
		return (CLI_EXIT_OK);
	}
	if (strcmp(argv[1], "--version") == 0) {
		version();
		return (CLI_EXIT_OK);
	}
	c = find(argv[1]);
	if (c == NULL) {
		cli_error("no command '%s'; '%s --help' lists them", argv[1],
		    cli_diag_name());
		return (CLI_EXIT_USAGE);
	}
	return (c->main(argc - 1, argv + 1));
}
