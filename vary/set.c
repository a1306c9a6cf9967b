/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/set.h"

#include <assert.h>
#include <string.h>

void
vary_set_init(struct vary_set *s)
{
	/* The names stay unwritten: this runs for every response. */
	s->n = 0;
	s->star = s->overflow = false;
	s->lines = s->repeated = s->blanks = s->malformed = 0;
	s->first_bad = (struct vary_span){ NULL, 0 };
}

static bool
find(const struct vary_set *s, struct vary_span name, unsigned *ret)
{
	unsigned i;

	for (i = 0; i < s->n; i++)
		if (vary_name_eq(s->name[i], name)) {
			*ret = i;
			return (true);
		}
	return (false);
}

bool
vary_set_has(const struct vary_set *s, struct vary_span name)
{
	unsigned i;

	return (find(s, name, &i));
}

void
vary_set_add_name(struct vary_set *s, struct vary_span name)
{
	unsigned i;

	assert(name.len > 0);
	if (find(s, name, &i)) {
		s->repeated++;
	} else if (s->n == VARY_SET_MAX) {
		s->overflow = true;
		/* A star past the limit is still a star. */
		s->star |= name.len == 1 && *name.b == '*';
	} else {
		s->name[s->n++] = name;
		s->star |= name.len == 1 && *name.b == '*';
	}
}

bool
vary_set_remove(struct vary_set *s, struct vary_span name)
{
	unsigned i;

	if (!find(s, name, &i))
		return (false);
	memmove(
	    &s->name[i], &s->name[i + 1], (s->n - i - 1) * sizeof s->name[0]);
	s->n--;
	if (name.len == 1 && *name.b == '*')
		s->star = false;
	return (true);
}

/* "X-A X-B": tokens with nothing but blanks between them. */
static bool
is_blank_separated(struct vary_span e)
{
	size_t i;

	for (i = 0; i < e.len; i++)
		if (!vary_is_tchar(e.b[i]) && e.b[i] != ' ' && e.b[i] != '\t')
			return (false);
	return (true);
}

static void
add_parts(struct vary_set *s, struct vary_span e)
{
	size_t i, from;

	for (i = 0; i < e.len;) {
		while (i < e.len && !vary_is_tchar(e.b[i]))
			i++;
		for (from = i; i < e.len && vary_is_tchar(e.b[i]); i++)
			continue;
		if (i > from)
			vary_set_add_name(
			    s, (struct vary_span){ e.b + from, i - from });
	}
}

void
vary_set_add(struct vary_set *s, const char *line, size_t len)
{
	struct vary_field f;
	struct vary_span m;
	enum vary_status st;

	s->lines++;
	vary_field_init(&f, line, len);
	while ((st = vary_field_next(&f, &m)) != VARY_END) {
		if (st == VARY_OK) {
			vary_set_add_name(s, m);
			continue;
		}
		vary_field_skip(&f, &m);
		if (s->first_bad.b == NULL)
			s->first_bad = m;
		if (is_blank_separated(m)) {
			s->blanks++;
			add_parts(s, m);
		} else {
			s->malformed++;
		}
	}
}
