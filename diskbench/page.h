/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a report shows: a verdict, then sections of notes, figures and tables.
 * Results become one page (page_read.h), a page becomes HTML or text.
 * Room: diskbench/, deciding: no I/O, prints nothing.
 */
#ifndef DISKBENCH_PAGE_H
#define DISKBENCH_PAGE_H

#include <stdarg.h>
#include <stdbool.h>

#include "cli/diag.h"

enum bench_tone {
	BENCH_TONE_PLAIN = 0,
	BENCH_TONE_GOOD,
	BENCH_TONE_WARNING,
	BENCH_TONE_BAD,
};

struct bench_note {
	enum bench_tone tone;
	char *text;
};

enum bench_unit {
	BENCH_UNIT_COUNT = 0, /* 1200, 40k, 1.2M */
	BENCH_UNIT_SECONDS,   /* 80 us, 1.2 ms, 3 s */
	BENCH_UNIT_RATE,      /* bytes a second: 1.2 MB/s */
	BENCH_UNIT_BYTES,     /* a place: 12 GB */
	BENCH_UNIT_NINES,     /* -log10(1 - share): 90 %, 99.9 % */
	BENCH_UNIT_RATIO,     /* 0.95 */
	BENCH_UNIT_FACTOR,    /* near 1: 0.983 */
	BENCH_UNIT_ORDINAL,   /* whole, and all of it: 1200 */
};

struct bench_axis {
	const char *label; /* ours, not from a file; printable ASCII, no quotes
			    */
	enum bench_unit unit;
	bool log;
	bool zero; /* a linear axis that begins with 0 */
};

struct bench_point {
	double x, y;
	double low, high; /* of BENCH_MARK_RANGE, in x */
};

enum bench_mark {
	BENCH_MARK_LINE = 0,
	BENCH_MARK_POINTS, /* many, small */
	BENCH_MARK_DISCS,  /* a few, large; and such that cannot be taken ... */
	BENCH_MARK_CROSSES, /* ... for them, whatever their colour */
	BENCH_MARK_DOTTED,  /* a line with its points */
	BENCH_MARK_BARS,
	BENCH_MARK_RANGE, /* an interval; its y counts rows from 1 */
	BENCH_MARK_LEVEL, /* dashed, from its first point to its last */
};

#define BENCH_LINES  12   /* in a figure; each has a look of its own */
#define BENCH_POINTS 4096 /* of a line: more are left out */

struct bench_line {
	enum bench_mark mark;
	char *name;
	struct bench_point *point;
	unsigned n, room;
};

struct bench_figure {
	char *title;
	char *alt; /* what it shows, for who cannot see it */
	struct bench_axis x, y;
	struct bench_line line[BENCH_LINES];
	unsigned n_line;
	bool in_text; /* false: a table beside it says the same */
};

/* Row 0 is the head. */
struct bench_table {
	char *caption;
	char **cell;
	unsigned columns, n; /* n: cells so far */
	unsigned room;
};

enum bench_item_kind {
	BENCH_ITEM_NOTE,
	BENCH_ITEM_FIGURE,
	BENCH_ITEM_TABLE
};

struct bench_item {
	enum bench_item_kind kind;
	union {
		struct bench_note *note;
		struct bench_figure *figure;
		struct bench_table *table;
	} u;
};

struct bench_section {
	char *title;
	struct bench_item *item;
	unsigned n, room;
};

/*
 * All strings in it are valid UTF-8 without control characters (line breaks
 * included) or marks that change the direction of text: adding replaces them.
 * They are otherwise as hostile as the file that they came from.
 */
struct bench_page {
	struct bench_note *verdict;
	unsigned n_verdict, verdict_room;
	struct bench_section **section;
	unsigned n_section, section_room;
	bool failed; /* memory: everything after it was dropped */
};

void bench_page_init(struct bench_page *);
void bench_page_fini(struct bench_page *);

/*
 * Adding never fails at once: without memory it sets ->failed, and what it
 * returns is NULL, which all others take and do nothing with.
 */
void bench_page_verdict(struct bench_page *, enum bench_tone, const char *fmt,
    ...) CLI_PRINTF(3, 4);
struct bench_section *
bench_page_section(struct bench_page *, const char *fmt, ...) CLI_PRINTF(2, 3);
void bench_page_note(struct bench_page *, struct bench_section *,
    enum bench_tone, const char *fmt, ...) CLI_PRINTF(4, 5);
struct bench_table *bench_page_table(struct bench_page *,
    struct bench_section *, unsigned columns, const char *caption);
/* Cells go row by row; a figure made of rows may need a table of its own. */
void bench_page_cell(struct bench_page *, struct bench_table *, const char *fmt,
    ...) CLI_PRINTF(3, 4);
struct bench_figure *bench_page_figure(struct bench_page *,
    struct bench_section *, const struct bench_axis *x,
    const struct bench_axis *y, const char *fmt, ...) CLI_PRINTF(5, 6);
void bench_page_alt(struct bench_page *, struct bench_figure *, const char *fmt,
    ...) CLI_PRINTF(3, 4);
/* NULL also where the figure has BENCH_LINES already. */
struct bench_line *bench_page_line(struct bench_page *, struct bench_figure *,
    enum bench_mark, const char *name);
/* Not finite, beyond 1e18, or not above 0 on a logarithmic axis: left out. */
void bench_page_point(struct bench_page *, const struct bench_figure *,
    struct bench_line *, const struct bench_point *);

/* Figures without a point and sections without an item leave the page. */
void bench_page_tidy(struct bench_page *);

/* A value as people write it: 40k, 1.25 ms, 99.9 %.  ASCII.  ret ends in NUL
 * whatever its length. */
void bench_value_text(enum bench_unit, double, char *ret, unsigned len);

/* The numbers of a figure in at most `most` rows, beside the plot and in its
 * place: freed with bench_table_free.  NULL: no memory. */
struct bench_table *
bench_figure_rows(const struct bench_figure *, unsigned most);
void bench_table_free(struct bench_table *);

/* For the files that make them: a table of its own, and one more cell of it.
 * NULL or false: no memory. */
struct bench_table *bench_table_new(unsigned columns, const char *caption);
bool bench_table_cell(struct bench_table *, const char *fmt, va_list)
    CLI_PRINTF(2, 0);

/*
 * The y of line l within row k of n rows over the figure's x: the mean, of
 * loose points the median, of bars the sum.  false: no point there.  *ret_x is its place.
 */
bool bench_figure_row(const struct bench_figure *, unsigned l, unsigned k,
    unsigned n, double *ret_x, double *ret_y);
/* How many rows that makes, at most `most`. */
unsigned bench_figure_row_count(const struct bench_figure *, unsigned most);
#endif
