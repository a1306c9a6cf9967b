/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Regular expressions, as httpd's own library reads them.
 * Room: httpdconf/.  Pure: no I/O, no clock, no print.  PCRE2 is named in
 * regex.c and nowhere else.
 */
#ifndef HTTPDCONF_REGEX_H
#define HTTPDCONF_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "httpdconf/word.h"

struct hconf_regex_fault {
	char why[128];
	size_t at;       /* bytes of the pattern that were read before it */
	bool pcre2_only; /* PCRE 1, before httpd 2.4.52, lets it pass */
};

/* Does it compile?  *ret is written where it does not. */
bool hconf_regex_good(struct hconf_span pattern, struct hconf_regex_fault *ret);

/* b is NULL of what took no part; of group[0], where it is not found. */
struct hconf_regex_match {
	struct hconf_span group[10];
};

/*
 * Where is it first found in the text, from that byte on?  False where it does
 * not compile, or takes more steps than PCRE2 has patience for; *ret is written
 * else, and borrows from the text.
 */
bool hconf_regex_find(struct hconf_span pattern, const char *text, size_t from,
    struct hconf_regex_match *ret);
#endif
