/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the VMOD's files need of varnishd to be tested without it; included once
 * by a test, before the headers of vmod/.
 */
#ifndef TESTS_UNIT_VARNISH_H
#define TESTS_UNIT_VARNISH_H

#include <stdio.h>
#include <stdlib.h>

#include "config.h"

#include "cache/cache.h"

v_noreturn_ void
VAS_Fail(const char *func, const char *file, int line, const char *cond,
    enum vas_e kind)
{
	(void)kind;
	fprintf(stderr, "%s() at %s:%d: %s\n", func, file, line, cond);
	abort();
}
#endif
