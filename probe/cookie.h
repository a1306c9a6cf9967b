/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cookies that an origin sets, each as "name=value".
 * Room: probe/.  Pure.
 */
#ifndef PROBE_COOKIE_H
#define PROBE_COOKIE_H

#include <stdbool.h>

#include "probe/exchange.h"
#include "probe/subject.h"

/* "sid=1" and "sid=2" are, whatever the value. */
bool probe_cookie_is_same(const char *, const char *);

/*
 * By these a balancer knows which machine it chose.  That machine's name is not
 * what a page is about.
 */
bool probe_cookie_is_balancers(const char *);

/* NULL: it has none that may stand in a list as it is. */
const char *probe_cookie_name(const char *cookie, apr_pool_t *);

/* Names (const char *), ", " between, each within quotes, which may be "". */
const char *probe_cookie_list(
    const apr_array_header_t *names, const char *quote, apr_pool_t *);

/* What a baseline sets is tried; what any answer sets is remembered, two values
 * of each name. */
void probe_cookie_take(
    struct probe_subject *, const struct probe_exchange *, bool base);
#endif
