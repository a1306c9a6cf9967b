/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/options.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "cli/diag.h"
#include "cli/options.h"
#include "httpdconf/tree.h"

/* clang-format off */
#define OPTIONS(X)							\
X(VERSION,	"apache-version", 0,	"V",		"what this release does, such as 2.4.6 (default: all eras)") \
X(UPGRADE,	"upgrade-to",	  0,	"V",		"and what an upgrade to that one changes") \
X(ERA,		"era",		  0,	"LIST",		"E1 (to 2.4.28), E2 (2.4.29), E3 (from 2.4.30), all") \
X(SERVER,	"server",	  0,	"NAME",		"whose reading: apache (default), litespeed, nginx") \
X(DEFINE,	"define",	  'D',	"NAME[=V]",	"as httpd's -D") \
X(AS,		"as",		  0,	"FORMAT",	"read files as: htaccess, httpd, nginx (default: by name)") \
X(SERVER_ROOT,	"server-root",	  0,	"DIR",		"what relative paths in it start from") \
X(PATCH,	"patch",	  0,	NULL,		"print the fixes as a diff for patch -p1") \
X(ALL,		"all",		  0,	NULL,		"list all directives that add to Vary, not only faults") \
X(FAIL_ON,	"fail-on",	  0,	"LEVEL",	"exit 1 from: note, warning (default), error") \
X(STRICT,	"strict",	  0,	NULL,		"exit 3 if something could not be read") \
X(FORMAT,	"format",	  0,	"NAME",		"how to print the result (default: human)") \
X(OUTPUT,	"output",	  'o',	"FILE",		"print it there") \
X(HELP,		"help",		  'h',	NULL,		"print this")

enum {
	OPTIONS(CLI_OPTION_ID)
};
static const struct cli_option table[] = {
	OPTIONS(CLI_OPTION_ROW) CLI_OPTION_END
};
/* clang-format on */

void
scan_options_usage(FILE *f)
{
	fprintf(f,
	    "usage: %s scan [options] PATH ...\n"
	    "Read configuration of Apache (or nginx): which line puts what "
	    "into Vary, when, and\nin which release?  PATH is a file, a "
	    "server's configuration directory, or a\ndirectory with "
	    ".htaccess files in it.\n\n",
	    cli_diag_name());
	cli_options_usage(f, table);
	fprintf(f,
	    "\nformats: %s\n\nexit: 0 nothing at or above --fail-on, 1 "
	    "findings, 2 usage or nothing readable,\n3 something not read "
	    "(--strict), 4 internal error\n",
	    scan_report_names());
}

static const char *
version(const char *name, const char *arg, int *ret, apr_pool_t *pool)
{
	struct hconf_span s = { arg, strlen(arg) };

	if (!hconf_version_parse(s, ret))
		return (apr_psprintf(pool,
		    "--%s takes a release such as 2.4.29, not '%s'", name,
		    arg));
	/* ap_expr and <If> are of 2.4; nothing older was measured. */
	if (*ret < HCONF_VERSION(2, 2, 0) || *ret >= HCONF_VERSION(2, 6, 0))
		return (apr_psprintf(pool,
		    "--%s %s: only releases of Apache 2.2 and 2.4 are known",
		    name, arg));
	return (NULL);
}

static const char *
era_list(const char *arg, unsigned *ret, apr_pool_t *pool)
{
	char *copy = apr_pstrdup(pool, arg), *state, *p;

	*ret = 0;
	for (p = apr_strtok(copy, ", ", &state); p != NULL;
	     p = apr_strtok(NULL, ", ", &state)) {
		if (strcasecmp(p, "all") == 0)
			*ret |= SCAN_ERAS;
		else if (strcasecmp(p, "E1") == 0)
			*ret |= SCAN_E1;
		else if (strcasecmp(p, "E2") == 0)
			*ret |= SCAN_E2;
		else if (strcasecmp(p, "E3") == 0)
			*ret |= SCAN_E3;
		else
			return (apr_psprintf(pool,
			    "--era takes E1, E2, E3 or all, not '%s'", p));
	}
	return (*ret == 0 ? "--era names none" : NULL);
}

static const char *
one(struct scan_options *o, apr_array_header_t *defines, int opt,
    const char *arg, apr_pool_t *pool)
{
	static const struct {
		const char *name;
		enum scan_format format;
	} formats[] = {
		{ "htaccess", SCAN_FORMAT_HTACCESS },
		{ "httpd", SCAN_FORMAT_HTTPD },
		{ "nginx", SCAN_FORMAT_NGINX },
	};
	size_t i;

	switch (opt) {
	case O_VERSION:
		return (
		    version("apache-version", arg, &o->request.version, pool));
	case O_UPGRADE:
		return (
		    version("upgrade-to", arg, &o->request.upgrade_to, pool));
	case O_ERA: return (era_list(arg, &o->request.eras, pool));
	case O_SERVER:
		for (i = SCAN_SERVER_APACHE; i <= SCAN_SERVER_NGINX; i++)
			if (strcasecmp(scan_server_name((enum scan_server)i),
				arg) == 0) {
				o->request.server = (enum scan_server)i;
				return (NULL);
			}
		return (apr_psprintf(pool,
		    "--server takes apache, litespeed or nginx, not '%s'",
		    arg));
	case O_DEFINE:
		if (*arg == '\0' || *arg == '=')
			return ("--define takes NAME or NAME=VALUE");
		APR_ARRAY_PUSH(defines, const char *) = arg;
		break;
	case O_AS:
		for (i = 0; i < sizeof formats / sizeof *formats; i++)
			if (strcmp(formats[i].name, arg) == 0) {
				o->request.format = formats[i].format;
				return (NULL);
			}
		return (apr_psprintf(pool,
		    "--as takes htaccess, httpd or nginx, not '%s'", arg));
	case O_SERVER_ROOT: o->request.server_root = arg; break;
	case O_PATCH: o->patch = true; break;
	case O_ALL: o->all = true; break;
	case O_FAIL_ON:
		for (i = SCAN_NOTE; i <= SCAN_ERROR; i++)
			if (strcmp(scan_level_name((enum scan_level)i), arg) ==
			    0) {
				o->fail_on = (enum scan_level)i;
				return (NULL);
			}
		return (apr_psprintf(pool,
		    "--fail-on takes note, warning or error, not '%s'", arg));
	case O_STRICT: o->strict = true; break;
	case O_FORMAT:
		o->report = scan_report_find(arg);
		if (o->report == NULL)
			return (
			    apr_psprintf(pool, "no format '%s'; there are %s",
				arg, scan_report_names()));
		break;
	case O_OUTPUT: o->output = arg; break;
	case O_HELP: o->help = true; break;
	default: break;
	}
	return (NULL);
}

apr_status_t
scan_options_parse(struct scan_options *o, int argc, char **argv,
    const char **ret_why, apr_pool_t *result_pool)
{
	struct cli_options in;
	apr_array_header_t *defines =
	    apr_array_make(result_pool, 4, sizeof(const char *));
	apr_array_header_t *paths =
	    apr_array_make(result_pool, 4, sizeof(const char *));
	int c, i;

	memset(o, 0, sizeof *o);
	o->fail_on = SCAN_WARNING;
	o->report = scan_report_find("human");
	cli_options_init(&in, table, argc, argv);
	while ((c = cli_options_next(&in)) != CLI_OPTIONS_OVER) {
		*ret_why = c == CLI_OPTIONS_BAD
			       ? apr_pstrdup(result_pool, in.why)
			       : one(o, defines, c, in.value, result_pool);
		if (*ret_why != NULL)
			return (APR_EINVAL);
	}
	if (o->help)
		return (APR_SUCCESS);
	for (i = cli_options_operands(&in); i < argc; i++)
		APR_ARRAY_PUSH(paths, const char *) = argv[i];
	if (paths->nelts == 0) {
		*ret_why = "no path: name a file or a directory";
		return (APR_EINVAL);
	}
	if (o->request.upgrade_to != 0 && o->request.version == 0) {
		*ret_why = "--upgrade-to needs --apache-version: from where?";
		return (APR_EINVAL);
	}
	if (o->request.eras != 0 && o->request.version != 0) {
		*ret_why = "--era and --apache-version: one of them is enough";
		return (APR_EINVAL);
	}
	if (o->request.server != SCAN_SERVER_APACHE &&
	    (o->request.version != 0 || o->request.eras != 0)) {
		*ret_why = "releases and eras are Apache's: --server has none";
		return (APR_EINVAL);
	}
	APR_ARRAY_PUSH(paths, const char *) = NULL;
	APR_ARRAY_PUSH(defines, const char *) = NULL;
	o->request.paths = (const char *const *)(const void *)paths->elts;
	o->request.defines = (const char *const *)(const void *)defines->elts;
	return (APR_SUCCESS);
}
