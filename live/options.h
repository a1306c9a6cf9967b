/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argv to struct live_options.
 * Room: live/.
 */
#ifndef LIVE_OPTIONS_H
#define LIVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "live/finding.h"
#include "live/traffic.h"
#include "live/vsl.h"

/* Exit codes; 0, 2 and 4 are those of all programs (cli/diag.h). */
#define LIVE_EXIT_FINDINGS 1 /* at or above --fail-on */
#define LIVE_EXIT_DAMAGED  3 /* the log was; what could be read is reported */

enum live_format {
	LIVE_FORMAT_TEXT = 0,
	LIVE_FORMAT_JSON,
	LIVE_FORMAT_PROMETHEUS,
};

struct live_options {
	struct live_vsl_options log;
	char *query;           /* several, joined; owned */
	size_t limit;          /* -L, as a number */
	uint64_t transactions; /* -k; 0: all */
	const char *pid_file;
	bool daemon, once, help, version;
	uint64_t duration, interval; /* ns; 0: no end */
	enum live_format format;
	const char *output, *prometheus, *workload;
	bool replace;           /* workload, where there is such a file */
	const char *access_log; /* its format; NULL: Varnish's log */
	double ttl, grace;      /* seconds, for an access log */
	const char *policy, *audit;
	unsigned top;
	bool fail;
	enum live_level fail_on;
	struct live_traffic_options traffic;
};

/* 0, or an exit code and a message on stderr. */
int live_options_parse(struct live_options *, int argc, char **argv);
void live_options_fini(struct live_options *);
void live_options_usage(FILE *);
#endif
