/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/report.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "httpdconf/tree.h"

enum {
	CONTEXT = 3
};

/* One line of the file: bytes with its LF, and what becomes of it. */
struct line {
	const char *b;
	size_t len;
	const char *now; /* NULL: as it was */
	size_t now_len;
};

static apr_array_header_t *
split(const struct hconf_text *t, apr_pool_t *pool)
{
	apr_array_header_t *a = apr_array_make(pool, 64, sizeof(struct line));
	const char *p = t->b, *e = t->b + t->len;

	while (p < e) {
		const char *lf = memchr(p, '\n', (size_t)(e - p));
		const char *next = lf == NULL ? e : lf + 1;

		APR_ARRAY_PUSH(a, struct line) =
		    (struct line){ p, (size_t)(next - p), NULL, 0 };
		p = next;
	}
	return (a);
}

/* Edits are sorted by place; each is of one line. */
static bool
apply(apr_array_header_t *lines, const struct hconf_text *t,
    const struct scan_edit *edits, int n, apr_pool_t *pool)
{
	int i, k = 0;
	bool changed = false;

	for (i = 0; i < lines->nelts && k < n; i++) {
		struct line *l = &APR_ARRAY_IDX(lines, i, struct line);
		size_t from = (size_t)(l->b - t->b), at = 0, len = l->len;
		char *buf, *w;
		int last = k;

		/* At the very end of a line is of that line. */
		while (last < n && (edits[last].at < from + l->len ||
				       (i == lines->nelts - 1 &&
					   edits[last].at <= from + l->len))) {
			len += strlen(edits[last].text);
			last++;
		}
		if (last == k)
			continue;
		buf = w = apr_palloc(pool, len + 1);
		for (; k < last; k++) {
			size_t e = edits[k].at - from;
			size_t size = strlen(edits[k].text);

			if (e < at || e + edits[k].len > l->len)
				continue; /* overlaps the one before */
			memcpy(w, l->b + at, e - at);
			w += e - at;
			memcpy(w, edits[k].text, size);
			w += size;
			at = e + edits[k].len;
		}
		memcpy(w, l->b + at, l->len - at);
		w += l->len - at;
		l->now = buf;
		l->now_len = (size_t)(w - buf);
		changed = true;
	}
	return (changed);
}

static void
put(FILE *f, char mark, const char *b, size_t len)
{
	if (len == 0)
		return; /* a line that goes altogether */
	fputc(mark, f);
	(void)fwrite(b, 1, len, f);
	if (b[len - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", f);
}

static void
hunks(FILE *f, const apr_array_header_t *lines)
{
	int i, k, from, to, end, shift = 0;

	for (i = 0; i < lines->nelts; i = end) {
		int old = 0, new = 0;

		while (i < lines->nelts &&
		       APR_ARRAY_IDX(lines, i, struct line).now == NULL)
			i++;
		if (i == lines->nelts)
			return;
		from = i < CONTEXT ? 0 : i - CONTEXT;
		/* As far as the next change is no further than context. */
		end = i;
		for (k = i; k < lines->nelts && k <= end + 2 * CONTEXT; k++)
			if (APR_ARRAY_IDX(lines, k, struct line).now != NULL)
				end = k;
		end++;
		to = end + CONTEXT;
		if (to > lines->nelts)
			to = lines->nelts;
		for (k = from; k < to; k++) {
			const struct line *l =
			    &APR_ARRAY_IDX(lines, k, struct line);

			old++;
			if (l->now == NULL || l->now_len > 0)
				new ++;
		}
		fprintf(f, "@@ -%d,%d +%d,%d @@\n", from + 1, old,
		    new == 0 ? from + shift : from + shift + 1, new);
		shift += new - old;
		for (k = from; k < to;) {
			const struct line *l =
			    &APR_ARRAY_IDX(lines, k, struct line);
			int j;

			if (l->now == NULL) {
				put(f, ' ', l->b, l->len);
				k++;
				continue;
			}
			/* Old lines that stand together come first. */
			for (j = k;
			     j < to &&
			     APR_ARRAY_IDX(lines, j, struct line).now != NULL;
			     j++) {
				l = &APR_ARRAY_IDX(lines, j, struct line);
				put(f, '-', l->b, l->len);
			}
			for (; k < j; k++) {
				l = &APR_ARRAY_IDX(lines, k, struct line);
				put(f, '+', l->now, l->now_len);
			}
		}
		end = to;
	}
}

int
scan_patch_write(FILE *f, const struct scan_result *r, apr_pool_t *scratch_pool)
{
	const struct scan_edit *all =
	    (const struct scan_edit *)(const void *)r->edits->elts;
	apr_hash_t *texts = apr_hash_make(scratch_pool);
	int i, k;

	for (i = 0; i < r->texts->nelts; i++) {
		const struct hconf_text *t =
		    &APR_ARRAY_IDX(r->texts, i, struct hconf_text);

		apr_hash_set(texts, t->file, APR_HASH_KEY_STRING, t);
	}
	for (i = 0; i < r->edits->nelts; i = k) {
		const struct hconf_text *t;
		apr_array_header_t *lines;
		const char *name = all[i].file;

		for (k = i; k < r->edits->nelts &&
			    strcmp(all[k].file, all[i].file) == 0;
		     k++)
			continue;
		t = apr_hash_get(texts, all[i].file, APR_HASH_KEY_STRING);
		if (t == NULL)
			continue;
		lines = split(t, scratch_pool);
		if (!apply(lines, t, all + i, k - i, scratch_pool))
			continue;
		while (*name == '/')
			name++;
		/* The tab ends a name that has blanks in it. */
		fprintf(f, "--- a/%s%s\n+++ b/%s%s\n", name,
		    strchr(name, ' ') != NULL ? "\t" : "", name,
		    strchr(name, ' ') != NULL ? "\t" : "");
		hunks(f, lines);
	}
	return (ferror(f) ? -1 : 0);
}
