/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/options.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

enum {
	FIRST = 256, /* no letter is a number of this size */
	WIDEST = 34, /* of a name and its value in --help */
};

void
cli_options_init(struct cli_options *o, const struct cli_option *table,
    int argc, char **argv)
{
	memset(o, 0, sizeof *o);
	o->table = table;
	o->argc = argc;
	o->argv = argv;
	opterr = 0; /* we have words of our own */
	/* glibc's way to begin anew, with whatever it remembers of the last
	 * argv; BSD's is 1, with optreset. */
#ifdef __GLIBC__
	optind = 0;
#else
	optind = 1;
#endif
}

int
cli_options_next(struct cli_options *o)
{
	struct option longs[CLI_OPTIONS_MAX + 1];
	char letters[2 * CLI_OPTIONS_MAX + 2] = ":";
	const struct cli_option *t;
	size_t n = 0, k = 1;
	int c;

	memset(longs, 0, sizeof longs);
	for (t = o->table; t->name != NULL; t++, n++) {
		assert(n < CLI_OPTIONS_MAX);
		longs[n].name = t->name;
		longs[n].has_arg =
		    t->arg != NULL ? required_argument : no_argument;
		longs[n].val = FIRST + (int)n;
		if (t->letter != 0) {
			letters[k++] = t->letter;
			if (t->arg != NULL)
				letters[k++] = ':';
		}
	}
	letters[k] = '\0';
	o->value = NULL;
	c = getopt_long(o->argc, o->argv, letters, longs, NULL);
	if (c == -1)
		return (CLI_OPTIONS_OVER);
	if (c == '?' || c == ':') {
		/* A bundle of letters is not over at its bad one: name the
		 * letter.  A long option is over. */
		if (optopt > 0 && optopt < FIRST)
			(void)snprintf(o->why, sizeof o->why,
			    c == ':' ? "option -%c needs a value"
				     : "no option -%c; --help lists them",
			    optopt);
		else
			(void)snprintf(o->why, sizeof o->why,
			    c == ':' ? "option %.60s needs a value"
			    : optopt != 0
				? "option %.60s takes no value"
				: "no option %.60s; --help lists them",
			    o->argv[optind - 1]);
		return (CLI_OPTIONS_BAD);
	}
	o->value = optarg;
	if (c >= FIRST)
		return (c - FIRST);
	for (t = o->table; t->letter != c; t++)
		assert(t->name != NULL);
	return ((int)(t - o->table));
}

int
cli_options_operands(const struct cli_options *o)
{
	(void)o;
	return (optind);
}

void
cli_options_usage(FILE *f, const struct cli_option *table)
{
	const struct cli_option *t;
	size_t width = 0, n;

	for (t = table; t->name != NULL; t++) {
		n = strlen(t->name) + (t->arg != NULL ? strlen(t->arg) + 1 : 0);
		if (n > width && n <= WIDEST)
			width = n;
	}
	for (t = table; t->name != NULL; t++)
		fprintf(f, "  %c%c%c --%s%s%-*s  %s\n",
		    t->letter != 0 ? '-' : ' ',
		    t->letter != 0 ? t->letter : ' ',
		    t->letter != 0 ? ',' : ' ', t->name,
		    t->arg != NULL ? " " : "",
		    (int)(width - (strlen(t->name) + (t->arg != NULL))),
		    t->arg != NULL ? t->arg : "", t->help);
}
