/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argv of "varyprobe audit" into a struct; the table of its options is the only
 * list of them.
 * Room: probe/.
 */
#ifndef PROBE_OPTIONS_H
#define PROBE_OPTIONS_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/subject.h"
#include "probe/transport.h"

struct probe_options {
	struct probe_settings set;
	struct probe_route route;
	apr_array_header_t *urls;        /* const char * */
	apr_array_header_t *lists;       /* const char *; "-" is stdin */
	apr_array_header_t *sitemaps;    /* const char * */
	apr_array_header_t *hars;        /* const char * */
	apr_array_header_t *populations; /* const char *, "NAME=FILE" */
	apr_array_header_t *configs;     /* const char * */
	apr_array_header_t *jars;        /* const char * */
	struct probe_jar jar;            /* what they say, once they are read */
	const char *apache_version;
	const char *format;
	const char *output;       /* NULL: stdout */
	const char *sarif_anchor; /* or NULL */
	double rate;              /* requests/s and host; 0: no limit */
	uint64_t max_requests;    /* 0: no limit */
	double requests_per_ttl;
	enum probe_level fail_on;
	bool axes_only; /* --axes: these and no others */
	bool strict, dry_run, no_robots, help;
};

/*
 * APR_EINVAL: *ret_why says what is wrong.  Values are of the pool or of argv.
 */
apr_status_t probe_options_parse(struct probe_options *, int argc, char **argv,
    const char **ret_why, apr_pool_t *pool);

void probe_options_usage(FILE *);
#endif
