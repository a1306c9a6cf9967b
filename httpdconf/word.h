/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words of a directive.  httpd has two grammars for them: its own, and the one
 * of mod_rewrite, whose directives take their line raw.
 * Room: httpdconf/.  APR pools; no I/O, prints nothing.
 */
#ifndef HTTPDCONF_WORD_H
#define HTTPDCONF_WORD_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "httpdconf/line.h"

/*
 * Take the first word from *rest, as ap_getword_conf() does: quoted only where
 * it starts with a quote; inside, "\\" and "\quote" are one byte and any other
 * backslash stays; outside, only "\\" is.  False where nothing is left.
 * *rest then stands after the blanks that follow.
 */
bool hconf_word(
    struct hconf_span *rest, struct hconf_span *ret, apr_pool_t *result_pool);

/* All words at once: an array of struct hconf_span. */
struct hconf_words {
	const struct hconf_span *v;
	unsigned n;
};
void hconf_words(
    struct hconf_span text, struct hconf_words *ret, apr_pool_t *result_pool);

/*
 * The two or three words of RewriteCond and RewriteRule, as mod_rewrite's
 * parseargline() cuts them: a quote at the start of a word ends at the next
 * one, which no backslash hides; "\" and a blank stays in the word.  ret[2].b
 * is NULL where there is no third.  False where there are fewer than two.
 */
bool hconf_rewrite_words(struct hconf_span text, struct hconf_span ret[3]);

/*
 * Compared without regard to ASCII case, as directive and header names are.
 * Inline: the name is most often a literal, whose length the compiler knows,
 * and most comparisons end there.
 */
bool hconf_span_eq(struct hconf_span, struct hconf_span);

static inline bool
hconf_span_is(struct hconf_span s, const char *name)
{
	return (s.len == strlen(name) &&
		(s.len == 0 || strncasecmp(s.b, name, s.len) == 0));
}

/* Is it one of a list that ends with NULL? */
static inline bool
hconf_span_in(struct hconf_span s, const char *const *list)
{
	for (; *list != NULL; list++)
		if (hconf_span_is(s, *list))
			return (true);
	return (false);
}

static inline bool
hconf_span_starts(struct hconf_span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return (s.len >= n && strncasecmp(s.b, prefix, n) == 0);
}

char *hconf_span_dup(struct hconf_span, apr_pool_t *result_pool);
#endif
