/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/cause.h"

#include <string.h>
#include <strings.h>

#include "cli/diag.h"
#include "httpdconf/tree.h"
#include "scan/scan.h"

/* Where the configuration adds a member: the source that needs least for it. */
void
probe_cause_name(const struct scan_result *config, struct probe_result *r)
{
	const struct scan_source *s, *best;
	struct probe_finding *f;
	int i, j;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		best = NULL;
		/* What is missing has no line that causes it. */
		if (f->member == NULL || f->rule == PROBE_VARY_MISSING ||
		    f->rule == PROBE_VARY_REFLECTED)
			continue;
		for (j = 0; j < config->sources->nelts; j++) {
			s = &APR_ARRAY_IDX(
			    config->sources, j, struct scan_source);
			if (strcasecmp(s->member, f->member) == 0 &&
			    (best == NULL || s->when < best->when))
				best = s;
		}
		if (best == NULL)
			continue;
		f->cause.file = best->place.file;
		f->cause.line = (int)best->place.line;
		f->cause.directive = best->place.directive;
	}
}

int
probe_cause_read(struct probe_run *r)
{
	struct scan_request q;
	struct scan_result *result;
	apr_pool_t *scratch;
	apr_status_t st;
	char buf[128];
	int i;

	if (r->opt->configs->nelts == 0)
		return (0);
	memset(&q, 0, sizeof q);
	if (r->opt->apache_version != NULL &&
	    !hconf_version_parse((struct hconf_span){ r->opt->apache_version,
				     strlen(r->opt->apache_version) },
		&q.version)) {
		cli_error("--apache-version takes a release such as 2.4.6, "
			  "not '%s'",
		    r->opt->apache_version);
		return (-1);
	}
	APR_ARRAY_PUSH(r->opt->configs, const char *) = NULL;
	q.paths = (const char *const *)(const void *)r->opt->configs->elts;
	apr_pool_create(&scratch, r->pool);
	st = scan_run(&result, &q, r->pool, scratch);
	apr_pool_destroy(scratch);
	if (st != APR_SUCCESS) {
		cli_error("--config %s: %s", q.paths[0],
		    apr_strerror(st, buf, sizeof buf));
		return (-1);
	}
	for (i = 0; i < result->unread->nelts; i++)
		cli_warning("%s: %s",
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).path,
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).why);
	r->config = result;
	return (0);
}
