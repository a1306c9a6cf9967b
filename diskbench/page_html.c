/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "config.h"
#include "diskbench/page_print.h"
#include "diskbench/plot.h"

static const struct bench_plot_size wide = { 920, 340 };
static const struct bench_plot_size narrow = { 352, 270 };
static const struct bench_plot_size wide_flat = { 920, 200 };
static const struct bench_plot_size narrow_flat = { 352, 200 };

/* Nothing is loaded and nothing runs, whatever got into a page. */
static const char head[] =
    "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action "
    "'none'\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"generator\" content=\"diskbench " PACKAGE_VERSION "\">\n"
    "<title>diskbench report</title>\n<style>\n";

/* --g1 to --g14: see plot.h.  Both sets keep 3:1 on their ground. */
static const char style[] =
    ":root{--ground:#fff;--card:#f5f6f8;--ink:#1c2127;--soft:#5a636e;"
    "--line:#d5d9df;--good:#1b6e32;--warn:#8a5300;--bad:#b3261e;"
    "--g1:#3d454f;--g2:#e3e6ea;--g3:#1f6fb2;--g4:#c2491d;--g5:#2f7d3b;"
    "--g6:#8444a8;--g7:#8d6a00;--g8:#00798a;--g9:#b3336f;--g10:#4a5fc1;"
    "--g11:#7a4a2b;--g12:#5b6670;--g13:#3c7a00;--g14:#a03030}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#15181c;"
    "--card:#1f242a;--ink:#e6e9ec;--soft:#a5aeb8;--line:#3a424b;"
    "--good:#7fd694;--warn:#f0b95a;--bad:#ff9389;--g1:#bcc4cc;"
    "--g2:#2e353d;--g3:#6db3f2;--g4:#ff9a6b;--g5:#7ed08a;--g6:#cf9bf0;"
    "--g7:#e3c04f;--g8:#58cfe0;--g9:#f08fbd;--g10:#9fb0ff;--g11:#d6a684;"
    "--g12:#aab4bd;--g13:#a3d65c;--g14:#ff8f8f}}\n"
    "@media print{div.scroll{overflow:visible}"
    ":root{--ground:#fff;--card:#fff;--ink:#000;--soft:#333;"
    "--line:#999;--good:#1b6e32;--warn:#8a5300;--bad:#b3261e;--g1:#222;"
    "--g2:#ddd;--g3:#1f6fb2;--g4:#c2491d;--g5:#2f7d3b;--g6:#8444a8;"
    "--g7:#8d6a00;--g8:#00798a;--g9:#b3336f;--g10:#4a5fc1;--g11:#7a4a2b;"
    "--g12:#5b6670;--g13:#3c7a00;--g14:#a03030}"
    "figure,table,.verdict{break-inside:avoid}h2{break-after:avoid}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:984px;margin:0 auto;padding:16px}\n"
    "h1{font-size:26px;line-height:1.2;margin:8px 0 16px}\n"
    "h2{font-size:20px;margin:40px 0 12px;padding-top:12px;"
    "border-top:1px solid var(--line)}\n"
    ".verdict{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:4px 16px}\n"
    ".verdict p{font-size:17px;margin:12px 0}\n"
    ".good,.warning,.bad{border-left:4px solid;padding-left:10px}\n"
    ".good{border-color:var(--good)}.warning{border-color:var(--warn)}"
    ".bad{border-color:var(--bad)}\n"
    ".good b{color:var(--good)}.warning b{color:var(--warn)}"
    ".bad b{color:var(--bad)}\n"
    "figure{margin:24px 0}figcaption{font-weight:600;margin-bottom:4px}\n"
    "svg{display:block;max-width:100%;height:auto}\n"
    "svg text{font-variant-numeric:tabular-nums}\n"
    ".narrow{display:none}\n"
    "@media screen and (max-width:640px){.narrow{display:block}"
    ".wide{display:none}}\n"
    ".key{list-style:none;display:flex;flex-wrap:wrap;gap:2px 20px;margin:0;"
    "padding:0;font-size:14px;color:var(--soft)}\n"
    ".key svg{display:inline-block;vertical-align:middle;margin-right:6px}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:14px;margin:12px 0;"
    "font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:4px 0}\n"
    "th,td{padding:3px 14px 3px 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n"
    "th{color:var(--soft);font-weight:600}\n"
    "th,td{white-space:nowrap}caption{white-space:normal}"
    ".pairs td{white-space:normal;overflow-wrap:anywhere}"
    "table{min-width:280px}\n"
    "details{font-size:14px;color:var(--soft);margin-top:6px}\n"
    "summary{cursor:pointer}\n"
    "footer{margin:40px 0 16px;color:var(--soft);font-size:13px}\n"
    "</style></head>\n";

static void
escaped(FILE *f, const char *s)
{
	for (; *s != '\0'; s++)
		switch (*s) {
		case '&': (void)fputs("&amp;", f); break;
		case '<': (void)fputs("&lt;", f); break;
		case '>': (void)fputs("&gt;", f); break;
		case '"': (void)fputs("&quot;", f); break;
		case '\'': (void)fputs("&#39;", f); break;
		default: (void)fputc(*s, f); break;
		}
}

static void
note(FILE *f, const struct bench_note *n)
{
	static const char *const class[] = { "", " class=\"good\"",
		" class=\"warning\"", " class=\"bad\"" };
	/* In words, too: not everyone sees colours. */
	static const char *const word[] = { "", "", "<b>Warning:</b> ",
		"<b>Problem:</b> " };

	(void)fprintf(f, "<p%s>%s", class[n->tone], word[n->tone]);
	escaped(f, n->text);
	(void)fputs("</p>\n", f);
}

static void
table(FILE *f, const struct bench_table *t, bool caption)
{
	unsigned i;

	(void)fprintf(f, "<div class=\"scroll\" tabindex=\"0\"><table%s>",
	    t->columns == 2 ? " class=\"pairs\"" : "");
	if (caption && t->caption[0] != '\0') {
		(void)fputs("<caption>", f);
		escaped(f, t->caption);
		(void)fputs("</caption>", f);
	}
	for (i = 0; i < t->n; i++) {
		bool is_head = i < t->columns, is_row = i % t->columns == 0;

		if (is_row)
			(void)fputs("\n<tr>", f);
		(void)fputs(is_head  ? "<th scope=\"col\">"
			    : is_row ? "<th scope=\"row\">"
				     : "<td>",
		    f);
		escaped(f, t->cell[i]);
		(void)fputs(is_head || is_row ? "</th>" : "</td>", f);
		if (i % t->columns == t->columns - 1)
			(void)fputs("</tr>", f);
	}
	(void)fputs("</table></div>\n", f);
}

static void
legend(FILE *f, const struct bench_figure *fig)
{
	static const char *const dash[] = { "", "8,4", "2,4", "8,3,2,3" };
	unsigned i;

	(void)fputs("<ul class=\"key\">", f);
	for (i = 0; i < fig->n_line; i++) {
		enum bench_mark m = fig->line[i].mark;
		unsigned c = bench_plot_colour(i);

		(void)fputs("<li><svg width=\"28\" height=\"12\" "
			    "aria-hidden=\"true\">",
		    f);
		if (m == BENCH_MARK_POINTS || m == BENCH_MARK_DISCS)
			(void)fprintf(f,
			    "<circle cx=\"14\" cy=\"6\" r=\"%d\" "
			    "fill=\"var(--g%u)\"/>",
			    m == BENCH_MARK_DISCS ? 4 : 3, c);
		else if (m == BENCH_MARK_CROSSES)
			(void)fprintf(f,
			    "<path d=\"M10,2 l8,8 m0,-8 l-8,8\" "
			    "stroke-width=\"2\" stroke=\"var(--g%u)\"/>",
			    c);
		else if (m == BENCH_MARK_BARS)
			(void)fprintf(f,
			    "<rect x=\"6\" width=\"16\" height=\"12\" "
			    "fill=\"var(--g%u)\"/>",
			    c);
		else
			(void)fprintf(f,
			    "<path d=\"M0,6 h28\" stroke-width=\"2\" "
			    "stroke=\"var(--g%u)\" stroke-dasharray=\"%s\"/>",
			    c, m == BENCH_MARK_RANGE ? "" : dash[i % 4]);
		(void)fputs("</svg>", f);
		/* Which row of the plot it is. */
		if (m == BENCH_MARK_RANGE && fig->line[i].n == 1)
			(void)fprintf(f, "row %.0f: ", fig->line[i].point[0].y);
		escaped(f, fig->line[i].name);
		(void)fputs("</li>", f);
	}
	(void)fputs("</ul>\n", f);
}

static struct bench_plot_size
size_of(const struct bench_figure *fig, bool is_wide)
{
	bool flat = fig->line[0].mark == BENCH_MARK_RANGE;
	struct bench_plot_size s = is_wide ? flat ? wide_flat : wide
				   : flat  ? narrow_flat
					   : narrow;

	if (flat && fig->n_line > 4)
		s.height += 26 * (fig->n_line - 4);
	return (s);
}

/* How much of the plots it took; 0: there is none. */
static size_t
plot(FILE *f, const struct bench_figure *fig, bool is_wide, const char *plots,
    size_t len)
{
	struct bench_plot_size s = size_of(fig, is_wide);
	size_t n;

	(void)fprintf(f,
	    "<svg class=\"%s\" role=\"img\" viewBox=\"0 0 %u %u\" width=\"%u\" "
	    "height=\"%u\" aria-label=\"",
	    is_wide ? "wide" : "narrow", s.width, s.height, s.width, s.height);
	escaped(f, fig->alt);
	(void)fputs("\">\n", f);
	n = bench_plot_inside(f, plots, len);
	(void)fputs("</svg>\n", f);
	return (n);
}

static size_t
figure(FILE *f, const struct bench_figure *fig, const char *plots, size_t len)
{
	struct bench_table *t = bench_figure_rows(fig, 24);
	size_t a = 0, b = 0;

	(void)fputs("<figure><figcaption>", f);
	escaped(f, fig->title);
	(void)fputs("</figcaption>\n", f);
	if (plots != NULL) {
		legend(f, fig);
		a = plot(f, fig, true, plots, len);
		b = plot(f, fig, false, plots + a, len - a);
	}
	(void)fprintf(f, "<details%s><summary>The numbers</summary>",
	    plots == NULL ? " open" : "");
	if (t != NULL)
		table(f, t, false);
	bench_table_free(t);
	(void)fputs("</details></figure>\n", f);
	return (a + b);
}

void
bench_page_script(FILE *f, const struct bench_page *p)
{
	unsigned i, k;

	for (i = 0; i < p->n_section; i++) {
		const struct bench_section *s = p->section[i];

		for (k = 0; k < s->n; k++) {
			const struct bench_figure *fig = s->item[k].u.figure;

			if (s->item[k].kind != BENCH_ITEM_FIGURE)
				continue;
			bench_plot_script(f, fig, size_of(fig, true));
			bench_plot_script(f, fig, size_of(fig, false));
		}
	}
}

void
bench_page_html(
    FILE *f, const struct bench_page *p, const char *plots, size_t len)
{
	size_t at = 0;
	unsigned i, k;

	(void)fprintf(f, "%s\n%s%s", BENCH_PAGE_MARK, head, style);
	/* The markers that plots use. */
	(void)fputs("<body><svg width=\"0\" height=\"0\" aria-hidden=\"true\" "
		    "style=\"position:absolute\"><defs>"
		    "<path id=\"gpPt1\" stroke-width=\"0.45\" "
		    "stroke=\"currentColor\" d=\"M-1,-1 L1,1 M1,-1 L-1,1\"/>"
		    "<circle id=\"gpPt6\" r=\"1\" fill=\"currentColor\"/>"
		    "<rect id=\"gpPt4\" x=\"-1\" y=\"-1\" width=\"2\" "
		    "height=\"2\" fill=\"currentColor\"/></defs></svg>\n"
		    "<main><h1>diskbench report</h1>\n"
		    "<section class=\"verdict\" aria-label=\"verdict\">\n",
	    f);
	for (i = 0; i < p->n_verdict; i++)
		note(f, &p->verdict[i]);
	(void)fputs("</section>\n", f);
	for (i = 0; i < p->n_section; i++) {
		const struct bench_section *s = p->section[i];

		(void)fputs("<section><h2>", f);
		escaped(f, s->title);
		(void)fputs("</h2>\n", f);
		for (k = 0; k < s->n; k++)
			switch (s->item[k].kind) {
			case BENCH_ITEM_NOTE: note(f, s->item[k].u.note); break;
			case BENCH_ITEM_TABLE:
				table(f, s->item[k].u.table, true);
				break;
			case BENCH_ITEM_FIGURE:
				at += figure(f, s->item[k].u.figure,
				    plots != NULL ? plots + at : NULL,
				    len - at);
				break;
			}
		(void)fputs("</section>\n", f);
	}
	(void)fputs("<footer>Made by diskbench " PACKAGE_VERSION
		    ". This page loads nothing and runs no script."
		    "</footer></main></body></html>\n",
	    f);
}
