/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* clang-format off */
#define OPTIONS(X)						\
X(RATE,	"rate",		'r',	"N",	"requests a second")	\
X(RING,	"ring",		0,	NULL,	"of no use")		\
X(HELP,	"help",		'h',	NULL,	"print this")
enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

static char *
argv_of(const char *words, char **argv, int *ret)
{
	char *copy = strdup(words), *state, *w;

	assert_non_null(copy);
	*ret = 0;
	for (w = strtok_r(copy, " ", &state); w != NULL;
	     w = strtok_r(NULL, " ", &state))
		argv[(*ret)++] = w;
	argv[*ret] = NULL;
	return (copy);
}

/* What is read of the words, as a line of text. */
static void
reads(const char *words, const char *want)
{
	struct cli_options in;
	char *argv[16], *copy, got[256] = "";
	size_t n = 0;
	int argc, c, i;

	copy = argv_of(words, argv, &argc);
	cli_options_init(&in, table, argc, argv);
	while ((c = cli_options_next(&in)) >= 0)
		n += (size_t)snprintf(got + n, sizeof got - n, "%s=%s ",
		    table[c].name, in.value != NULL ? in.value : "-");
	if (c == CLI_OPTIONS_BAD)
		n += (size_t)snprintf(got + n, sizeof got - n, "%s", in.why);
	else
		for (i = cli_options_operands(&in); i < argc; i++)
			n += (size_t)snprintf(
			    got + n, sizeof got - n, "[%s]", argv[i]);
	free(copy);
	assert_string_equal(got, want);
}

static void
options_and_operands(void **state)
{
	(void)state;
	reads("x", "");
	reads("x -r 3 a --ring b", "rate=3 ring=- [a][b]");
	reads("x --rate=3 -hr4", "rate=3 help=- rate=4 ");
	reads("x --ra 3 --rate", "rate=3 option --rate needs a value");
	reads("x -- -r 3", "[-r][3]");
	/* a second argv begins anew, also after one that ended early */
	reads("x --none a b c", "no option --none; --help lists them");
	reads("x -h", "help=- ");
}

static void
mistakes_are_named(void **state)
{
	(void)state;
	reads("x -z", "no option -z; --help lists them");
	reads("x -hz", "help=- no option -z; --help lists them");
	reads("x -r", "option -r needs a value");
	reads("x --ring=3", "option --ring=3 takes no value");
	reads("x --r 3", "no option --r; --help lists them");
}

static void
usage_is_the_table(void **state)
{
	char *b = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&b, &n);

	(void)state;
	assert_non_null(f);
	cli_options_usage(f, table);
	(void)fclose(f);
	assert_string_equal(b, "  -r, --rate N  requests a second\n"
			       "      --ring    of no use\n"
			       "  -h, --help    print this\n");
	free(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(usage_is_the_table),
	};

	return (cmocka_run_group_tests_name("options", tests, NULL, NULL));
}
