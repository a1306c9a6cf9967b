/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judged members as configuration: VCL, Apache's, nginx's, availability hints.
 * Room: probe/.
 */
#ifndef PROBE_POLICY_PRINT_H
#define PROBE_POLICY_PRINT_H

#include <stdio.h>

#include "probe/judged.h"

enum probe_policy_format {
	PROBE_POLICY_VCL,
	PROBE_POLICY_APACHE,
	PROBE_POLICY_NGINX,
	PROBE_POLICY_AVAIL,
	PROBE_NPOLICIES
};

const char *probe_policy_format_name(enum probe_policy_format);

/*
 * Names and values of the result stand in what is printed only as far as they
 * mean nothing there but themselves; others are left out, and a comment says so.
 */
void
probe_policy_print(FILE *, struct probe_judged *, enum probe_policy_format);
#endif
