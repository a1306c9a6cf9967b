/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What gnuplot calls a colour of ours: #0101NN, a black that nobody else
 * uses. */
#define COLOUR "#0101%02x"

unsigned
bench_plot_colour(unsigned line)
{
	return (3 + line % BENCH_LINES);
}

struct span {
	double low, high;
};

static void
widen(struct span *s, double v)
{
	if (v < s->low)
		s->low = v;
	if (v > s->high)
		s->high = v;
}

/* Steps of 1, 2 or 5 times a power of ten, so that about n fit. */
static double
nice_step(double width, double n)
{
	double raw = width / n, p = pow(10, floor(log10(raw)));

	return (raw / p <= 1   ? p
		: raw / p <= 2 ? 2 * p
		: raw / p <= 5 ? 5 * p
			       : 10 * p);
}

/* There is nothing between the first and the second. */
static double
step_of(const struct bench_axis *a, const struct span *s, double n)
{
	double step = nice_step(s->high - s->low, n);

	return (a->unit == BENCH_UNIT_ORDINAL ? fmax(step, 1) : step);
}

static void
round_out(struct span *s, const struct bench_axis *a, double n)
{
	double step;

	if (a->log) {
		/* At least half a decade to see. */
		if (s->high / s->low < 3) {
			s->low /= 1.75;
			s->high *= 1.75;
		}
		s->low *= 0.9;
		s->high *= 1.1;
		return;
	}
	if (a->unit == BENCH_UNIT_NINES) {
		s->low = 0;
		s->high = fmax(s->high * 1.02, 1);
		return;
	}
	if (a->zero)
		widen(s, 0);
	if (s->high - s->low <= fabs(s->high) * 1e-9) {
		double d = s->high != 0 ? fabs(s->high) * 0.1 : 1;

		s->low -= a->zero && s->low >= 0 ? 0 : d;
		s->high += d;
	}
	step = step_of(a, s, n);
	s->low = floor(s->low / step) * step;
	s->high = ceil(s->high / step) * step;
}

static void
tick(FILE *f, const struct bench_axis *a, double v, bool *first)
{
	char buf[32];
	const char *s;

	bench_value_text(a->unit, v, buf, sizeof buf);
	(void)fprintf(f, "%s'", *first ? "" : ", ");
	for (s = buf; *s != '\0'; s++)
		/* Its labels are formats. */
		(void)fprintf(f, *s == '%' ? "%%%%" : "%c", *s);
	(void)fprintf(f, "' %.12g", v);
	*first = false;
}

/* About n labels, each a round number in the unit of the axis. */
static void
ticks(FILE *f, char axis, const struct bench_axis *a, const struct span *s,
    double n)
{
	static const double fine[] = { 1, 2, 5 };
	double step, v, p, decades;
	unsigned i, every;
	bool first = true;

	(void)fprintf(f, "set %ctics (", axis);
	if (a->unit == BENCH_UNIT_NINES) {
		tick(f, a, 0, &first);
		/* Where it does not run into its neighbours. */
		if (s->high / n <= 0.67)
			tick(f, a, -log10(0.5), &first);
		every = s->high / n > 1 ? 2 : 1;
		for (i = 1; i <= s->high; i += every)
			tick(f, a, i, &first);
	} else if (a->log) {
		decades = log10(s->high / s->low);
		every = (unsigned)fmax(1, ceil(decades / n));
		for (p = floor(log10(s->low)); p <= log10(s->high); p += every)
			for (i = 0; i < (decades <= 2.5 ? 3 : 1); i++) {
				v = fine[i] * pow(10, p);
				if (v >= s->low && v <= s->high)
					tick(f, a, v, &first);
			}
	} else {
		step = step_of(a, s, n);
		for (i = 0; i <= 40; i++) {
			v = (ceil(s->low / step - 1e-9) + i) * step;
			if (v > s->high + step * 1e-9)
				break;
			tick(f, a, fabs(v) < step * 1e-9 ? 0 : v, &first);
		}
	}
	(void)fputs(")\n", f);
}

static bool
is_forest(const struct bench_figure *fig)
{
	return (fig->n_line > 0 && fig->line[0].mark == BENCH_MARK_RANGE);
}

static void
limits(const struct bench_figure *fig, struct span *x, struct span *y)
{
	unsigned i, k;

	*x = *y = (struct span){ INFINITY, -INFINITY };
	for (i = 0; i < fig->n_line; i++) {
		for (k = 0; k < fig->line[i].n; k++) {
			const struct bench_point *p = &fig->line[i].point[k];

			widen(x, p->x);
			/* Of a forest that is a line across its rows. */
			if (!is_forest(fig) ||
			    fig->line[i].mark == BENCH_MARK_RANGE)
				widen(y, p->y);
			if (fig->line[i].mark == BENCH_MARK_RANGE) {
				widen(x, p->low);
				widen(x, p->high);
			}
		}
	}
}

/* Dashes besides colours: prints are grey, and so are some eyes. */
static void
draw(FILE *f, const struct bench_figure *fig, unsigned i, const struct span *y)
{
	const struct bench_line *l = &fig->line[i];
	unsigned c = bench_plot_colour(i);

	switch (l->mark) {
	case BENCH_MARK_LINE:
		(void)fprintf(f,
		    "$d%u using 1:2 with lines lw 2 dt %u lc rgb '" COLOUR "'",
		    i, 1 + i % 4, c);
		break;
	case BENCH_MARK_POINTS:
		(void)fprintf(f,
		    "$d%u using 1:2 with points pt 7 ps 0.3 lc rgb '" COLOUR
		    "'",
		    i, c);
		break;
	case BENCH_MARK_DISCS:
	case BENCH_MARK_CROSSES:
		(void)fprintf(f,
		    "$d%u using 1:2 with points pt %u ps %g lw 2 lc rgb "
		    "'" COLOUR "'",
		    i, l->mark == BENCH_MARK_DISCS ? 7 : 2,
		    l->mark == BENCH_MARK_DISCS ? 0.7 : 1.0, c);
		break;
	case BENCH_MARK_DOTTED:
		(void)fprintf(f,
		    "$d%u using 1:2 with linespoints lw 2 dt %u pt 7 ps 0.6 "
		    "lc rgb '" COLOUR "'",
		    i, 1 + i % 4, c);
		break;
	case BENCH_MARK_BARS:
		(void)fprintf(f,
		    "$d%u using 1:(%.12g):3:4:(%.12g):2 with boxxyerror fill "
		    "solid 0.7 noborder lc rgb '" COLOUR "'",
		    i, y->low, y->low, c);
		break;
	case BENCH_MARK_RANGE:
		(void)fprintf(f,
		    "$d%u using 1:2:3:4 with xerrorbars pt 5 ps 0.8 lw 2 "
		    "lc rgb '" COLOUR "'",
		    i, c);
		break;
	case BENCH_MARK_LEVEL:
		(void)fprintf(f,
		    "$d%u using 1:2 with lines lw 1.5 dt %u lc rgb '" COLOUR
		    "'",
		    i, 1 + i % 4, c);
		break;
	}
	(void)fputs(" notitle", f);
}

void
bench_plot_script(
    FILE *f, const struct bench_figure *fig, struct bench_plot_size size)
{
	bool narrow = size.width < 600;
	double nx = narrow ? 4 : 9, ny = size.height < 300 ? 4 : 6;
	struct span x, y;
	unsigned i, k;

	limits(fig, &x, &y);
	round_out(&x, &fig->x, nx);
	if (is_forest(fig)) {
		/* Rows from the top. */
		y.low = 0.4;
		y.high += 0.6;
	} else
		round_out(&y, &fig->y, ny);
	(void)fprintf(f,
	    "reset\n"
	    "set terminal svg size %u,%u noenhanced font 'sans-serif,13'\n"
	    "set encoding utf8\n"
	    "unset key\n"
	    "set border 3 lw 1 lc rgb '" COLOUR "'\n"
	    "set grid lt 1 dt 1 lw 0.5 lc rgb '" COLOUR "'\n"
	    "set tics nomirror out scale 0.5 textcolor rgb '" COLOUR "'\n"
	    "set xlabel '%s' offset 0,0.2 textcolor rgb '" COLOUR "'\n"
	    "set ylabel '%s' offset 0.5,0 textcolor rgb '" COLOUR "'\n",
	    size.width, size.height, BENCH_PLOT_INK, BENCH_PLOT_GRID,
	    BENCH_PLOT_INK, fig->x.label, BENCH_PLOT_INK, fig->y.label,
	    BENCH_PLOT_INK);
	if (fig->x.log)
		(void)fputs("set logscale x\n", f);
	if (fig->y.log)
		(void)fputs("set logscale y\n", f);
	ticks(f, 'x', &fig->x, &x, nx);
	if (is_forest(fig)) {
		(void)fputs("set ytics 1\n", f);
		(void)fprintf(f, "set yrange [%.12g:%.12g]\n", y.high, y.low);
	} else {
		ticks(f, 'y', &fig->y, &y, ny);
		(void)fprintf(f, "set yrange [%.12g:%.12g]\n", y.low, y.high);
	}
	(void)fprintf(f, "set xrange [%.12g:%.12g]\n", x.low, x.high);
	for (i = 0; i < fig->n_line; i++) {
		const struct bench_line *l = &fig->line[i];

		(void)fprintf(f, "$d%u << EOD\n", i);
		for (k = 0; k < l->n; k++)
			(void)fprintf(f, "%.12g %.12g %.12g %.12g\n",
			    l->point[k].x, l->point[k].y, l->point[k].low,
			    l->point[k].high);
		(void)fputs("EOD\n", f);
	}
	(void)fputs("plot ", f);
	for (i = 0; i < fig->n_line; i++) {
		if (i > 0)
			(void)fputs(", \\\n  ", f);
		draw(f, fig, i, &y);
	}
	(void)fputs("\n", f);
}

/* "rgb(  1,   1,  N)" or "rgb(1,1,N)": N, and its length in *ret_len; 0. */
static unsigned
colour(const char *s, size_t len, size_t *ret_len)
{
	char buf[24];
	unsigned n = 0;
	size_t i, k = 0;

	for (i = 0; i < len && i < 20; i++) {
		if (s[i] == ' ')
			continue;
		buf[k++] = s[i];
		if (s[i] == ')')
			break;
	}
	buf[k] = '\0';
	if (k < 10 || memcmp(buf, "rgb(1,1,", 8) != 0 || buf[k - 1] != ')')
		return (0);
	for (i = 8; i + 1 < k; i++) {
		if (!isdigit((unsigned char)buf[i]) || n > 99)
			return (0);
		n = n * 10 + (unsigned)(buf[i] - '0');
	}
	*ret_len = 0;
	while (s[*ret_len] != ')')
		(*ret_len)++;
	(*ret_len)++;
	return (n);
}

static const char *
find(const char *s, const char *e, const char *what)
{
	size_t n = strlen(what);

	for (; (size_t)(e - s) >= n; s++)
		if (memcmp(s, what, n) == 0)
			return (s);
	return (NULL);
}

static bool
begins(const char *s, const char *e, const char *what)
{
	size_t n = strlen(what);

	return ((size_t)(e - s) >= n && memcmp(s, what, n) == 0);
}

/* One line of SVG, without ids and titles. */
static void
line(FILE *f, const char *s, const char *e)
{
	const char *q;
	unsigned c;
	size_t n;

	while (s < e) {
		if (begins(s, e, "<title>") &&
		    (q = find(s, e, "</title>")) != NULL) {
			s = q + strlen("</title>");
			continue;
		}
		if (begins(s, e, " id=\"") &&
		    (q = memchr(s + 5, '"', (size_t)(e - s - 5))) != NULL) {
			s = q + 1;
			continue;
		}
		if (begins(s, e, "rgb(") &&
		    (c = colour(s, (size_t)(e - s), &n)) != 0) {
			(void)fprintf(f, "var(--g%u)", c);
			s += n;
			continue;
		}
		(void)fputc(*s++, f);
	}
}

size_t
bench_plot_inside(FILE *f, const char *text, size_t len)
{
	const char *all = text + len, *s, *e, *n, *next;

	s = find(text, all, "<g id=\"gnuplot_canvas\">");
	e = s != NULL ? find(s, all, "</svg>") : NULL;
	if (e == NULL)
		return (0);
	for (; s < e; s = next) {
		n = memchr(s, '\n', (size_t)(e - s));
		next = n != NULL ? n + 1 : e;
		/* Markers are the page's. */
		if (begins(s, e, "<defs>") &&
		    (n = find(s, e, "</defs>\n")) != NULL) {
			next = n + strlen("</defs>\n");
			continue;
		}
		/* Groups with nothing in them are half of the bytes. */
		if (begins(s, e, "<g fill=") && begins(next, e, "</g>\n")) {
			next += strlen("</g>\n");
			continue;
		}
		line(f, s, next);
	}
	return ((size_t)(e - text) + strlen("</svg>"));
}
