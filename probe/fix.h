/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What to do about a finding, in the words of Apache, nginx and VCL.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_FIX_H
#define PROBE_FIX_H

#include <stdbool.h>

#include <apr_pools.h>
#include <apr_tables.h>

#include "probe/finding.h"

/* The header is named in vain; name as people write it. */
void probe_fix_leak(apr_pool_t *, struct probe_finding *, const char *name);
/* Can Varnish key on it?  The module refuses what no fetch carries. */
bool probe_fix_is_keyable(const char *name);
/* It has to be named; flags of its axis; of Cookie, the names (const char *) that
 * matter. */
void probe_fix_missing(apr_pool_t *, struct probe_finding *, const char *name,
    unsigned flags, const apr_array_header_t *cookies);
/* Only which cookies are set depends on it: in Vary it does no good. */
void probe_fix_cookie_set(struct probe_finding *);
/* How a condition of Apache's asks for a request header: "%{HTTP_HOST}". */
const char *probe_fix_variable(apr_pool_t *, const char *name);
/* The line of VCL that makes few values of many. */
const char *probe_fix_normaliser(apr_pool_t *, const char *name);

/* The directive of Apache's that takes the name out of Vary, wherever in it. */
const char *probe_fix_apache_edit(apr_pool_t *, const char *name);
#endif
