/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>

#include "cli/diag.h"

int
probe_output_open(struct probe_run *r)
{
	const char *name = r->opt->output;
	struct stat st;

	if (name == NULL)
		return (0);
	r->output_name = name;
	if (stat(name, &st) != 0 || S_ISREG(st.st_mode))
		r->output_name =
		    apr_psprintf(r->pool, "%s.%ld.tmp", name, (long)getpid());
	r->context.f = fopen(r->output_name, "we");
	if (r->context.f == NULL) {
		cli_error("%s: %s", name, strerror(errno));
		r->context.f = stdout;
		return (-1);
	}
	return (0);
}

int
probe_output_close(struct probe_run *r, int code)
{
	const char *name = r->opt->output;

	if (r->context.f == NULL || r->context.f == stdout)
		return (code);
	if (fclose(r->context.f) != 0 ||
	    (r->output_name != name && code != CLI_EXIT_INTERNAL &&
		rename(r->output_name, name) != 0)) {
		cli_error("%s: %s", name, strerror(errno));
		code = CLI_EXIT_INTERNAL;
	}
	if (code == CLI_EXIT_INTERNAL && r->output_name != name)
		(void)unlink(r->output_name);
	return (code);
}
