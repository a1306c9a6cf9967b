/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argv of "varyprobe scan" into a struct; the table of its options is the only
 * list of them.
 * Room: scan/.
 */
#ifndef SCAN_OPTIONS_H
#define SCAN_OPTIONS_H

#include <stdio.h>

#include "scan/report.h"
#include "scan/scan.h"

struct scan_options {
	struct scan_request request;
	const struct scan_report *report;
	const char *output; /* NULL: stdout */
	enum scan_level fail_on;
	bool patch, strict, all, help;
};

/*
 * APR_EINVAL: *ret_why says what is wrong.  Values are of the pool or of argv.
 */
apr_status_t scan_options_parse(struct scan_options *, int argc, char **argv,
    const char **ret_why, apr_pool_t *result_pool);

void scan_options_usage(FILE *);
#endif
