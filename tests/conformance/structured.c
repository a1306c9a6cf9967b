/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For structured.mjs: each line of stdin is a kind (i, l, d) and a field value in
 * hexadecimal; each line of stdout what vary/structured.h read there, as JSON
 * with texts in hexadecimal, or null.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vary/structured.h"

/* Larger than any value of the suite. */
#define LINE_MAX_LEN (1 << 20)

static const char *const names[] = { "integer", "decimal", "string", "token",
	"binary", "boolean", "date", "displaystring", "inner" };

static void
print_hex(const char *b, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		printf("%02x", (unsigned)(unsigned char)b[i]);
}

static void
print_bare(const struct vary_bare *v)
{
	char *buf = malloc(v->text.len + 1);

	if (buf == NULL)
		abort();
	printf("[\"%s\",%lld,\"", names[v->type], v->number);
	print_hex(buf, vary_bare_decode(v, buf));
	printf("\"]");
	free(buf);
}

static void print_members(struct vary_structured *);

static void
print_member(const struct vary_member *m)
{
	struct vary_structured in;
	struct vary_span params = m->params, key;
	struct vary_bare v;
	const char *sep = "";

	printf("[\"");
	print_hex(m->key.b, m->key.len);
	printf("\",");
	if (m->value.type == VARY_BARE_INNER) {
		vary_structured_inner(&in, &m->value);
		print_members(&in);
	} else {
		print_bare(&m->value);
	}
	printf(",[");
	while (vary_structured_param(&params, &key, &v) == VARY_OK) {
		printf("%s[\"", sep);
		print_hex(key.b, key.len);
		printf("\",");
		print_bare(&v);
		printf("]");
		sep = ",";
	}
	printf("]]");
}

static void
print_members(struct vary_structured *s)
{
	struct vary_member m;
	const char *sep = "";

	printf("{\"members\":[");
	while (vary_structured_next(s, &m) == VARY_OK) {
		printf("%s", sep);
		print_member(&m);
		sep = ",";
	}
	printf("]}");
}

int
main(void)
{
	static char line[LINE_MAX_LEN], value[LINE_MAX_LEN / 2];
	struct vary_structured s;
	enum vary_structured_kind kind;
	size_t n;
	unsigned c;

	while (fgets(line, sizeof line, stdin) != NULL) {
		kind = *line == 'i'   ? VARY_STRUCTURED_ITEM
		       : *line == 'l' ? VARY_STRUCTURED_LIST
				      : VARY_STRUCTURED_DICTIONARY;
		for (n = 0; sscanf(line + 1 + 2 * n, "%2x", &c) == 1; n++)
			value[n] = (char)c;
		if (vary_structured_ok(kind, value, n)) {
			vary_structured_init(&s, kind, value, n);
			print_members(&s);
			printf("\n");
		} else {
			printf("null\n");
		}
	}
	return (0);
}
