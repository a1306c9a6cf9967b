/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of a command as a table, which is the only list of them: argv is
 * read by it, and --help is printed from it.
 *
 *	#define OPTIONS(X)					\
 *	X(RATE,	"rate",	0,   "N",	"requests a second")	\
 *	X(HELP,	"help",	'h', NULL,	"print this")
 *
 *	enum { OPTIONS(CLI_OPTION_ID) };
 *	static const struct cli_option table[] = {
 *		OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
 *	};
 *
 * makes O_RATE and O_HELP.
 * Room: cli/.  Knows neither Vary nor disks.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdio.h>

enum {
	CLI_OPTIONS_MAX = 96, /* options of one command */
};

/* An option; the last of a table has no name. */
struct cli_option {
	const char *name;
	char letter;     /* or 0 */
	const char *arg; /* what its value is called; NULL: it has none */
	const char *help;
};

#define CLI_OPTION_ID(id, name, letter, arg, help)  O_##id,
#define CLI_OPTION_ROW(id, name, letter, arg, help) { name, letter, arg, help },
#define CLI_OPTION_END                                                         \
	{                                                                      \
		NULL, 0, NULL, NULL                                            \
	}

/* What cli_options_next() returns when it returns no option. */
enum {
	CLI_OPTIONS_OVER = -1, /* see cli_options_operands() */
	CLI_OPTIONS_BAD = -2,  /* why says what is wrong */
};

/* A reading position in argv.  One at a time: getopt_long() is below it. */
struct cli_options {
	const struct cli_option *table;
	int argc;
	char **argv;
	const char *value; /* of the option that was just read, or NULL */
	char why[128];
};

/* The table and argv are borrowed; operands may stand among the options, and
 * are moved behind them. */
void cli_options_init(struct cli_options *, const struct cli_option *table,
    int argc, char **argv);

/* The next option's place in the table, or one of the above.  Names may be
 * shortened while they are unique. */
int cli_options_next(struct cli_options *);

/* After CLI_OPTIONS_OVER: the index in argv of the first operand, argc: none. */
int cli_options_operands(const struct cli_options *);

/* A line an option; the texts stand in one column. */
void cli_options_usage(FILE *, const struct cli_option *table);
#endif
