/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages that differ by themselves, and effects within that noise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "tests/origin/answer.h"

static bool
among(const char *list, const char *word)
{
	const char *p = strstr(list, word);

	return (p != NULL);
}

void
play_noise(const struct request *q, struct response *r)
{
	struct text *b = &r->body;
	char noise[256], effect[64], declare[256], axis[64], number[32];
	const char *v;
	int i, j, order[12], swap;
	bool ab, differs;
	size_t n;

	param(q, "noise", noise, sizeof noise);
	param(q, "effect", effect, sizeof effect);
	param(q, "declare", declare, sizeof declare);
	param(q, "axis", axis, sizeof axis);
	param(q, "n", number, sizeof number);
	if (*declare != '\0')
		add(&r->head, "Vary: %s\r\n", declare);
	v = *axis != '\0' ? get(q, axis) : NULL;
	/* What the axis does: to the value that is not a desktop browser's. */
	if (strcasecmp(axis, "User-Agent") == 0)
		differs = says(q, axis, "iPhone");
	else if (strcasecmp(axis, "Accept-Language") == 0)
		differs = strcmp(language(q), "de") == 0;
	else if (strcasecmp(axis, "Accept") == 0)
		differs = says(q, axis, "image/webp");
	else
		differs = v != NULL;
	ab = random64() % 2 == 0;
	add(b, "<!DOCTYPE html>\n<html>\n<head><title>Page %s</title>\n",
	    number);
	if (among(noise, "nonce"))
		add(b, "<script nonce=\"%016llx\"></script>\n",
		    (unsigned long long)random64());
	if (among(noise, "csrf"))
		add(b,
		    "<input name=\"csrf\" value=\"%016llx%016llx\"> %lld "
		    "%08llx-%04llx\n",
		    (unsigned long long)random64(),
		    (unsigned long long)random64(), (long long)time(NULL),
		    (unsigned long long)random64(),
		    (unsigned long long)random64() & 0xffff);
	if (among(noise, "rr"))
		add(b, "<!-- served by web%u -->\n", q->connection % 2);
	add(b, "</head>\n<body class=\"%s\">\n",
	    differs && strcmp(effect, "class") == 0 ? "mobile" : "plain");
	if (among(noise, "counter"))
		add(b, "<p>You are visitor %u</p>\n",
		    atomic_fetch_add(&counter, 1));
	if (among(noise, "ads"))
		add(b, "<div class=\"ad\">Buy thing number %d</div>\n",
		    (int)(random64() % 5));
	if (among(noise, "ab"))
		add(b, "<div class=\"%s\">%s%s</div>\n", ab ? "red" : "blue",
		    ab ? "Order now" : "Add to the basket",
		    differs && strcmp(effect, "inab") == 0 ? " by touch" : "");
	if (among(noise, "promo") && random64() % 10 == 0)
		add(b, "<div>Ten percent off today</div>\n");
	if (among(noise, "shuffle")) {
		for (i = 0; i < 12; i++)
			order[i] = i;
		for (i = 11; i > 0; i--) {
			j = (int)(random64() % (uint64_t)(i + 1));
			swap = order[i];
			order[i] = order[j];
			order[j] = swap;
		}
		for (i = 0; i < 12; i++)
			add(b, "<li>Recommended product %d</li>\n", order[i]);
	}
	n = b->len;
	for (i = 0; i < LINES; i++)
		add(b, "<p>Paragraph %d of page %s, price %d</p>\n", i, number,
		    i == 60 && differs && strcmp(effect, "digit") == 0
			? i * 7 + 1
			: i * 7);
	(void)n;
	if (differs && strcmp(effect, "text") == 0)
		add(b, "<p>Something that only some are told</p>\n");
	if (v != NULL && strcmp(effect, "reflect") == 0)
		add(b, "<link rel=\"canonical\" href=\"https://%s/\">\n", v);
	if (differs && strcmp(effect, "header") == 0)
		add(&r->head, "X-Variant: touch\r\n");
	if (differs && strcmp(effect, "status") == 0)
		r->status = 404;
	if (among(noise, "cookie"))
		add(&r->head, "X-Request-Id: %016llx\r\n",
		    (unsigned long long)random64());
	add(b, "</body>\n</html>\n");
}
