/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A scan's result to bytes.
 * Room: scan/.
 */
#ifndef SCAN_REPORT_H
#define SCAN_REPORT_H

#include <stdio.h>

#include "scan/scan.h"

struct scan_view {
	bool all;    /* sources too */
	bool colour; /* a terminal, and nobody minds */
};

struct scan_report {
	const char *name;
	/* 0, or -1 where the stream took no more. */
	int (*write)(FILE *, const struct scan_result *,
	    const struct scan_view *, apr_pool_t *scratch_pool);
};

const struct scan_report *scan_report_find(const char *name);
const char *scan_report_names(void);

int scan_report_text(FILE *, const struct scan_result *,
    const struct scan_view *, apr_pool_t *scratch_pool);
int scan_report_json(FILE *, const struct scan_result *,
    const struct scan_view *, apr_pool_t *scratch_pool);
int scan_report_sarif(FILE *, const struct scan_result *,
    const struct scan_view *, apr_pool_t *scratch_pool);

/*
 * The fixes that can be carried out by changing bytes of single lines, as a
 * unified diff of the files that were read.
 */
int
scan_patch_write(FILE *, const struct scan_result *, apr_pool_t *scratch_pool);

/* Text from a file as a person's terminal may have it: no control bytes. */
const char *scan_printable(const char *, apr_pool_t *result_pool);
#endif
