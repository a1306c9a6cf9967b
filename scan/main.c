/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "scan/main.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_general.h>

#include "cli/confine.h"
#include "cli/diag.h"
#include "scan/options.h"
#include "scan/report.h"
#include "scan/scan.h"

/* What a fix can spoil, and what the diff does not hold. */
static void
patch_notes(const struct scan_result *r)
{
	unsigned left = 0;
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		const struct scan_finding *f =
		    &APR_ARRAY_IDX(r->findings, i, struct scan_finding);

		if (!f->patched && f->level > SCAN_NOTE)
			left++;
		if (f->patched && f->caution != NULL)
			cli_note("%s:%u: %s: %s", f->place.file, f->place.line,
			    f->member, f->caution);
	}
	if (left > 0)
		cli_note("%u finding%s need%s a decision and %s not in the "
			 "patch",
		    left, left == 1 ? "" : "s", left == 1 ? "s" : "",
		    left == 1 ? "is" : "are");
}

static int
print(
    const struct scan_options *o, const struct scan_result *r, apr_pool_t *pool)
{
	struct scan_view v = { .all = o->all };
	FILE *f = stdout;
	int bad;

	if (o->output != NULL) {
		f = fopen(o->output, "w");
		if (f == NULL) {
			cli_error("%s: %s", o->output, strerror(errno));
			return (CLI_EXIT_USAGE);
		}
	} else {
		const char *no = getenv("NO_COLOR");

		v.colour =
		    isatty(STDOUT_FILENO) == 1 && (no == NULL || *no == '\0');
	}
	if (o->patch) {
		patch_notes(r);
		bad = scan_patch_write(f, r, pool);
	} else
		bad = o->report->write(f, r, &v, pool);
	if (fflush(f) != 0)
		bad = -1;
	if (f != stdout && fclose(f) != 0)
		bad = -1;
	if (bad != 0) {
		cli_error("%s: cannot write: %s",
		    o->output != NULL ? o->output : "stdout", strerror(errno));
		return (CLI_EXIT_INTERNAL);
	}
	return (CLI_EXIT_OK);
}

static int
run(const struct scan_options *o, apr_pool_t *pool)
{
	struct scan_result *r;
	apr_status_t rv;
	char msg[128];
	int i, code;

	rv = scan_run(&r, &o->request, pool, pool);
	if (rv != APR_SUCCESS) {
		cli_error("%s: %s", o->request.paths[0],
		    scan_why(rv, msg, sizeof msg));
		return (CLI_EXIT_USAGE);
	}
	for (i = 0; i < r->unread->nelts; i++) {
		const struct scan_unread *u =
		    &APR_ARRAY_IDX(r->unread, i, struct scan_unread);

		cli_error("%s: not read: %s", u->path, u->why);
	}
	code = print(o, r, pool);
	if (code != CLI_EXIT_OK)
		return (code);
	for (i = 0; i < r->findings->nelts; i++)
		if (APR_ARRAY_IDX(r->findings, i, struct scan_finding).level >=
		    o->fail_on)
			return (SCAN_EXIT_FINDINGS);
	if (r->unread->nelts > 0 && o->strict)
		return (SCAN_EXIT_UNREAD);
	return (CLI_EXIT_OK);
}

/* .htaccess files are written by whoever has a site.  A tree may have files in it
 * that root alone reads: of root its permissions for files stay. */
static void
confine(const struct scan_options *o)
{
	const char *const writes[] = { o->output, NULL };
	struct cli_confine c = { 0 };

	c.writes = writes;
	c.keep_user = true;
	c.keep_dac = true;
	(void)cli_confine(&c);
}

int
scan_main(int argc, char **argv)
{
	struct scan_options o;
	apr_pool_t *pool;
	const char *why;
	int code;

	if (apr_initialize() != APR_SUCCESS ||
	    apr_pool_create(&pool, NULL) != APR_SUCCESS) {
		cli_error("APR does not start");
		return (CLI_EXIT_INTERNAL);
	}
	if (scan_options_parse(&o, argc, argv, &why, pool) != APR_SUCCESS) {
		cli_error("scan: %s", why);
		cli_error(
		    "'%s scan --help' lists the options", cli_diag_name());
		code = CLI_EXIT_USAGE;
	} else if (o.help) {
		scan_options_usage(stdout);
		code = CLI_EXIT_OK;
	} else {
		confine(&o);
		code = run(&o, pool);
	}
	apr_pool_destroy(pool);
	apr_terminate();
	return (code);
}
