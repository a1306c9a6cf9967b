/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "httpdconf/expr.h"
#include "httpdconf/tree.h"

static apr_pool_t *pool;

static int
up(void **state)
{
	(void)state;
	apr_initialize();
	return (apr_pool_create(&pool, NULL) != APR_SUCCESS);
}

static int
down(void **state)
{
	(void)state;
	apr_pool_destroy(pool);
	apr_terminate();
	return (0);
}

/* --- Lines --------------------------------------------------------------- */

static void
lines_join_as_httpd_joins_them(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		const char *out; /* text:first-last, one a line */
	} t[] = {
#define IN(s) s, sizeof s - 1
		{ IN(""), "" },
		{ IN("a"), "a:1-1\n" },
		{ IN("a\n"), "a:1-1\n" },
		{ IN("a\r\nb\r\n"), "a:1-1\nb:2-2\n" },
		{ IN("a\rb\r"), "a\rb:1-1\n" },
		{ IN(" \t\f\v a b \t\n"), "a b:1-1\n" },
		{ IN("%{HTTP_USER_\\\nAGENT} x\nz"),
		    "%{HTTP_USER_AGENT} x:1-2\nz:3-3\n" },
		{ IN("a\\\r\nb\n"), "ab:1-2\n" },
		{ IN("# c \\\nd\ne"), "# c d:1-2\ne:3-3\n" },
		{ IN("a \\ \nb"), "a \\:1-1\nb:2-2\n" },
		{ IN("a\\\\\nb"), "a\\b:1-2\n" },
		{ IN("a\\"), "a\\:1-1\n" },
		{ IN("a\\\n"), "a:1-1\n" },
		{ IN("\\\n\\\n\\\nx"), "x:1-4\n" },
		{ IN("\n\nx\n"), ":1-1\n:2-2\nx:3-3\n" },
		{ IN("a\0b\\\nc"), "a:1-1\nc:2-2\n" },
		{ IN("a \\\n  b\0c\nd"), "a   b:1-2\nd:3-3\n" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		char *in = unit_exact(t[i].in, t[i].len);
		struct hconf_lines l;
		struct hconf_line line;
		char *out = apr_pstrdup(pool, "");

		hconf_lines_init(&l, in, t[i].len, 100);
		while (hconf_lines_next(&l, &line, pool))
			out = apr_psprintf(pool, "%s%.*s:%u-%u\n", out,
			    (int)line.text.len, line.text.b, line.first,
			    line.last);
		assert_string_equal(t[i].out, out);
		free(in);
	}
}

static void
a_line_of_the_limit_is_too_long(void **state)
{
	char in[] = "123456789\n1234\\\n6789\\\nX\n12345678\n";
	struct hconf_lines l;
	struct hconf_line line;

	(void)state;
	hconf_lines_init(&l, in, sizeof in - 1, 9);
	assert_true(hconf_lines_next(&l, &line, pool));
	assert_true(line.too_long);
	assert_true(hconf_lines_next(&l, &line, pool));
	assert_true(line.too_long);
	assert_int_equal(2, line.first);
	assert_int_equal(4, line.last);
	assert_true(hconf_lines_next(&l, &line, pool));
	assert_false(line.too_long);
	assert_false(hconf_lines_next(&l, &line, pool));
}

/* --- Words --------------------------------------------------------------- */

static void
words_are_cut_as_httpd_cuts_them(void **state)
{
	static const struct {
		const char *in, *out;
	} t[] = {
		{ "", "" },
		{ "  ", "" },
		{ "a b", "[a][b]" },
		{ "a  'b c'\t\"d e\"", "[a][b c][d e]" },
		{ "\"a\\\"b\\\\c\\d\"", "[a\"b\\c\\d]" },
		{ "'a\\'b\"c'", "[a'b\"c]" },
		{ "a\\\\b a\"b'c", "[a\\b][a\"b'c]" },
		{ "a\\b", "[a\\b]" },
		{ "\"unclosed x", "[unclosed x]" },
		{ "\"\" x", "[][x]" },
		{ "\"a\"b", "[a][b]" },
		{ "\"a\\", "[a\\]" },
		{ "a # b", "[a][#][b]" },
	};
	size_t i;
	unsigned k;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		size_t len = strlen(t[i].in);
		char *in = unit_exact(t[i].in, len), *out;
		struct hconf_words w;

		hconf_words((struct hconf_span){ in, len }, &w, pool);
		out = apr_pstrdup(pool, "");
		for (k = 0; k < w.n; k++)
			out = apr_psprintf(
			    pool, "%s[%.*s]", out, (int)w.v[k].len, w.v[k].b);
		assert_string_equal(t[i].out, out);
		free(in);
	}
}

static void
rewrite_words_have_their_own_quoting(void **state)
{
	static const struct {
		const char *in, *out;
	} t[] = {
		{ "", NULL },
		{ "a", NULL },
		{ "a b", "[a][b]" },
		{ "a b [c]", "[a][b][[c]]" },
		{ "\"a b\" 'c d' \"[e, f]\"", "[a b][c d][[e, f]]" },
		{ "a b\\ c [d]", "[a][b\\ c][[d]]" },
		{ "\"a\" \"x|\\\"y\"", "[a][x|\\][y\"]" },
		{ "^ \"-\" ", "[^][-]" },
		{ "a b c d", "[a][b][c]" },
		{ "a b\\", "[a][b\\]" },
	};
	size_t i;
	int k;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		size_t len = strlen(t[i].in);
		char *in = unit_exact(t[i].in, len), *out;
		struct hconf_span w[3];

		if (!hconf_rewrite_words((struct hconf_span){ in, len }, w)) {
			assert_null(t[i].out);
			free(in);
			continue;
		}
		out = apr_pstrdup(pool, "");
		for (k = 0; k < 3 && w[k].b != NULL; k++)
			out = apr_psprintf(
			    pool, "%s[%.*s]", out, (int)w[k].len, w[k].b);
		assert_non_null(t[i].out);
		assert_string_equal(t[i].out, out);
		free(in);
	}
}

/* --- The table ----------------------------------------------------------- */

static void
names_are_found_in_any_case_and_only_whole(void **state)
{
	static const char *const yes[] = { "RewriteCond", "REWRITECOND", "if",
		"Else", "elseif", "XBitHack", "addcharset", "Use",
		"VirtualHost", "sslrequire" };
	static const char *const no[] = { "", "Rewrite", "RewriteConds", "x",
		"Elsei", "zzz", "aa" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof yes / sizeof *yes; i++) {
		const struct hconf_directive *d = hconf_directive_find(
		    (struct hconf_span){ yes[i], strlen(yes[i]) });

		assert_non_null(d);
		assert_int_equal(0, strcasecmp(d->name, yes[i]));
	}
	for (i = 0; i < sizeof no / sizeof *no; i++)
		assert_null(hconf_directive_find(
		    (struct hconf_span){ no[i], strlen(no[i]) }));
}

/* --- The tree ------------------------------------------------------------ */

/* name(args)@first-last?unless{children} */
static char *
show(const struct hconf_node *n)
{
	char *out = apr_pstrdup(pool, "");

	for (; n != NULL; n = n->next) {
		out =
		    apr_psprintf(pool, "%s%.*s(%.*s)@%u", out, (int)n->name.len,
			n->name.b, (int)n->args.len, n->args.b, n->first);
		if (n->last != n->first)
			out = apr_psprintf(pool, "%s-%u", out, n->last);
		if (n->unless != NULL)
			out = apr_pstrcat(pool, out, "?", n->unless, NULL);
		if (n->kind == HCONF_CONTAINER)
			out = apr_pstrcat(
			    pool, out, "{", show(n->child), "}", NULL);
		if (n->next != NULL)
			out = apr_pstrcat(pool, out, " ", NULL);
	}
	return (out);
}

static char *
complaints(const struct hconf *h)
{
	const apr_array_header_t *a = hconf_problems(h);
	char *out = apr_pstrdup(pool, "");
	int i;

	for (i = 0; i < a->nelts; i++) {
		const struct hconf_problem *p =
		    &APR_ARRAY_IDX(a, i, struct hconf_problem);

		out = apr_psprintf(pool, "%s%s%c%u", out, i > 0 ? " " : "",
		    "nwe"[p->level], p -> first);
	}
	return (out);
}

static void
check(const char *in, const struct hconf_overrides *over, const char *tree,
    const char *problems)
{
	static const int versions[] = { HCONF_VERSION(2, 4, 6),
		HCONF_VERSION(2, 4, 29), HCONF_VERSION(2, 4, 62) };
	struct hconf_options o = {
		.versions = versions, .nversions = 3, .no_files = true
	};
	struct hconf *h;
	struct hconf_node *root;
	size_t len = strlen(in);
	char *b = unit_exact(in, len);

	hconf_create(&h, &o, pool);
	hconf_read_bytes(h, "f", b, len, over, &root);
	assert_string_equal(tree, show(root->child));
	assert_string_equal(problems, complaints(h));
	free(b);
}

static void
containers_nest_and_errors_are_survived(void **state)
{
	static const struct {
		const char *in, *tree, *problems;
	} t[] = {
		{ "A b\n# c\n\n<X y>\nB\n</X>\nC", "A(b)@1 X(y)@4{B()@5} C()@7",
		    "" },
		{ "<If \"a > b\">\nA\n</iF>", "If(\"a > b\")@1{A()@2}", "" },
		{ "<If \"x\">\nA\n<Else>\nB\n</Else>\n</If>",
		    "If(\"x\")@1{A()@2 Else()@3{B()@4}}", "" },
		{ "<X>\nA\n<Y>\nB\n</X>\nC", "X()@1{A()@2 Y()@3{B()@4}} C()@6",
		    "e5" },
		{ "A\n</X>\nB", "A()@1 B()@3", "e2" },
		{ "<X a\nB\n</X>", "X(a)@1{B()@2}", "e1" },
		{ "<X a>\nB\n</X \nC", "X(a)@1{B()@2} C()@4", "e3" },
		{ "<X a>\nB\n</X> z\nC", "X(a)@1{B()@2} C()@4", "e3" },
		{ "< X>\nB", "B()@2", "e1" },
		{ "<X>\nB", "X()@1{B()@2}", "e1" },
		{ "<IfModule a.c>\nB", "B()@2", "n1" },
		{ "<IfModule !a.c>\nB\n<X>\nC\n</X>\n</IfModule>\nD",
		    "B()@2?a.c X()@3?a.c{C()@4?a.c} D()@7", "" },
		{ "<IfModule !a.c>\n<IfModule !b.c>\nB\n</IfModule>\nC\n"
		  "</IfModule>\nD",
		    "B()@3?b.c C()@5?a.c D()@7", "" },
		{ "<IfModule>\nB\n</IfModule>\nD", "D()@4", "e1" },
		{ "<IfDefine A>\nB\n</IfDefine>\n<IfDefine !A>\nC\n</IfDefine>",
		    "C()@5", "" },
		{ "<IfFile /etc/passwd>\nB\n</IfFile>\nC", "C()@4", "" },
		{ "\xef\xbb\xbf"
		  "A b\nC",
		    "A(b)@1 C()@2", "e1" },
		{ "A x\\\ny\nB", "A(xy)@1-2 B()@3", "" },
		{ "<Perl>\n</X>\n<$y>\n</Perl>\nA", "A()@5", "n1" },
		{ "\"A\" b", "A(b)@1", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(t[i].in, NULL, t[i].tree, t[i].problems);
}

static void
variables_and_macros_are_replaced(void **state)
{
	static const struct {
		const char *in, *tree, *problems;
	} t[] = {
		{ "Define H HTTP_HOST\nA %{${H}} ${N} ${m:%{H}}",
		    "Define(H HTTP_HOST)@1 A(%{HTTP_HOST} ${N} ${m:%{H}})@2",
		    "" },
		{ "Define H x\nUnDefine H\nA ${H}",
		    "Define(H x)@1 UnDefine(H)@2 A(${H})@3", "" },
		{ "Define F\n<IfDefine F>\nA ${F}\n</IfDefine>",
		    "Define(F)@1 A(${F})@3", "" },
		{ "Define\nDefine a b c\nDefine a:b c",
		    "Define()@1 "
		    "Define(a b c)@2 Define(a:b c)@3",
		    "e1 e2 e3" },
		{ "<Macro m $a $ab>\n<X $ab>\nA $a\n</X>\n</Macro>\n"
		  "Use M 1 '2 3'",
		    "Use(M 1 '2 3')@6 X(2 3)@2{A(1)@3}", "" },
		{ "<Macro m>\nUse m\n</Macro>\nUse m\nUse n\nUse m x",
		    "Use(m)@4 Use(m)@2 Use(n)@5 Use(m x)@6", "e2 e5 e6" },
		{ "<Macro m>\n<X>\n</Macro>\nUse m\nB",
		    "Use(m)@4 X()@2{} B()@5", "e2" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(t[i].in, NULL, t[i].tree, t[i].problems);
}

static void
htaccess_refuses_what_httpd_refuses(void **state)
{
	static const struct {
		const char *in;
		unsigned allow;
		const char *list, *tree, *problems, *nonfatal;
	} t[] = {
		{ "Define A b\nInclude x\nX", HCONF_ALLOW_ALL, "", "X()@3",
		    "e1 e2", "e1 w2" },
		{ "<Directory />\nA\n</Directory>\nX", HCONF_ALLOW_ALL, "",
		    "X()@4", "e1", "w1" },
		{ "RewriteEngine On\n<If \"true\">\nRequire all granted\n</If>",
		    HCONF_ALLOW_AUTHCONFIG, "",
		    "If(\"true\")@2{Require(all granted)@3}", "e1", "w1" },
		{ "<IfModule x.c>\nHeader set A b\n</IfModule>",
		    HCONF_ALLOW_FILEINFO, "", "Header(set A b)@2", "", "" },
		/* By name; what is for the server alone not even so. */
		{ "Header set A b\nRequire all granted\nInclude x", 0,
		    "header Include", "Header(set A b)@1", "e2 e3", "w2 w3" },
		{ "<IfModule x.c>\nHeader set A b\n</IfModule>\n"
		  "Header set B b\nOptions A",
		    HCONF_ALLOW_OPTIONS, "Header",
		    "Header(set A b)@2 Header(set B b)@4 Options(A)@5", "",
		    "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct hconf_overrides over = { .classes = t[i].allow };

		hconf_words((struct hconf_span){ t[i].list, strlen(t[i].list) },
		    &over.list, pool);
		check(t[i].in, &over, t[i].tree, t[i].problems);
		/* The same is passed over where the server says so. */
		over.nonfatal = true;
		check(t[i].in, &over, t[i].tree, t[i].nonfatal);
	}
}

static void
a_version_sees_its_own_directives(void **state)
{
	static const int versions[] = { HCONF_VERSION(2, 4, 6),
		HCONF_VERSION(2, 4, 29), HCONF_VERSION(2, 4, 62) };
	struct hconf_options o = {
		.versions = versions, .nversions = 3, .no_files = true
	};
	static const struct {
		const char *arg;
		unsigned mask;
		const char *problems;
	} t[] = {
		{ ">= 2.4", 7, "" },
		{ "2.4.6", 1, "" },
		{ "!= 2.4.6", 6, "" },
		{ "!2.4.6", 0, "e1" },
		{ ">= 2.4.29", 6, "" },
		{ "> 2.4.29", 4, "" },
		{ "< 2.4.29", 1, "" },
		{ "<= 2.4.29", 3, "" },
		{ "!>= 2.4.29", 1, "" },
		{ "= /^2.4.6$/", 1, "" },
		{ "~ ^2.4.(29|62)$", 6, "" },
		{ "< 2.2", 0, "" },
		{ ">= x", 0, "e1" },
		{ "? 2.4", 0, "e1" },
		{ "", 0, "e1" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct hconf *h;
		struct hconf_node *root;
		char *in = apr_psprintf(
		    pool, "<IfVersion %s>\nA\n</IfVersion>\n", t[i].arg);

		hconf_create(&h, &o, pool);
		hconf_read_bytes(h, "f", in, strlen(in), NULL, &root);
		assert_int_equal(
		    t[i].mask, root->child == NULL ? 0 : root->child->versions);
		assert_string_equal(t[i].problems, complaints(h));
	}
}

static void
modules_are_known_after_the_first_LoadModule(void **state)
{
	(void)state;
	/* Case counts: httpd finds no DEFLATE_module. */
	check("<IfModule rewrite_module>\nA\n</IfModule>\n"
	      "LoadModule deflate_module m/mod_deflate.so\n"
	      "<IfModule rewrite_module>\nB\n</IfModule>\n"
	      "<IfModule mod_deflate.c>\nC\n</IfModule>\n"
	      "<IfModule DEFLATE_module>\nD\n</IfModule>\n"
	      "<IfModule mod_version.c>\nE\n</IfModule>\n"
	      "<IfModule log_config_module>\nF\n</IfModule>\n",
	    NULL,
	    "A()@2 LoadModule(deflate_module m/mod_deflate.so)@4 C()@9 "
	    "E()@15 F()@18",
	    "w11");
}

/* A file that stands alone: modules are there, but not by names they have not. */
static void
modules_have_names_of_two_shapes_and_case(void **state)
{
	(void)state;
	check("<IfModule mod_rewrite>\nA\n</IfModule>\n"
	      "<IfModule Mod_Rewrite.c>\nB\n</IfModule>\n"
	      "<IfModule !REWRITE_MODULE>\nC\n</IfModule>\n"
	      "<IfModule !headers>\nD\n</IfModule>\n"
	      "<IfModule mod_Own.c>\nE\n</IfModule>\n"
	      "<IfModule litespeed>\nF\n</IfModule>\n"
	      "<IfModule !LiteSpeed>\nG\n</IfModule>\n",
	    &hconf_overrides_all, "C()@8 D()@11 E()@14 G()@20", "w1 w4 n7 n10");
}

/* --- Expressions --------------------------------------------------------- */

/* name or name:arg, "?" where not certain, " !" and the error's place. */
static void
expressions_say_what_they_ask_for(void **state)
{
	static const struct {
		enum hconf_expr_kind kind;
		const char *in, *out;
	} t[] = {
		{ HCONF_EXPR_BOOL, "true", "=1" },
		{ HCONF_EXPR_BOOL, "%{HTTP_HOST} == 'a'", "HTTP_HOST" },
		{ HCONF_EXPR_BOOL, "%{A} == 'a' && %{B} =~ /x/i", "A B?" },
		{ HCONF_EXPR_BOOL, "%{A} == 'a' || %{B} !~ m#x# or true",
		    "A B? =1" },
		{ HCONF_EXPR_BOOL, "true && %{A} = %{B}", "A B" },
		{ HCONF_EXPR_BOOL, "true || %{A} = 'x'", "=1" },
		{ HCONF_EXPR_BOOL, "false && %{A} = 'x'", "=0" },
		{ HCONF_EXPR_BOOL, "!(%{A} -eq 1) and not %{B} -in {'a',%{C}}",
		    "A B? C?" },
		{ HCONF_EXPR_BOOL, "%{A} in { %{B}, %{C} }", "A B C?" },
		{ HCONF_EXPR_BOOL, "-n req('X') && -z http(\"Y\")",
		    "req:X http:Y?" },
		{ HCONF_EXPR_BOOL, "-n%{HTTP_COOKIE}", "HTTP_COOKIE" },
		{ HCONF_EXPR_BOOL, "req('X-' . 'Y') == '1'", "req:X-Y" },
		{ HCONF_EXPR_BOOL, "req('X-' . %{Z}) == '1'",
		    "Z req:(computed)" },
		{ HCONF_EXPR_BOOL, "tolower(%{A}) -strmatch '*x*'",
		    "A tolower:(computed)" },
		{ HCONF_EXPR_BOOL, "\"x%{A}y%{HTTP:B-C}z\" == \"\\\"%{D}\"",
		    "A HTTP:B-C D" },
		{ HCONF_EXPR_BOOL, "%{HTTP:B} == 'x%{A}'", "HTTP:B A" },
		{ HCONF_EXPR_BOOL, "%{md5:a%{HTTP:B}%{A}c} == 'x'",
		    "HTTP:B A md5:(computed)" },
		{ HCONF_EXPR_BOOL, "%{md5:%{A} == 'x'", "A !17" },
		{ HCONF_EXPR_BOOL, "%{A} =~ /x/i && %{B} =~ /y/s", "A B? !27" },
		{ HCONF_EXPR_BOOL, "'$1' == $1 && %{A} != ''", "A?" },
		{ HCONF_EXPR_BOOL, "%{A} =~ m#a/%{B}# && -5 -lt %{C}", "A C?" },
		/* No backslash hides the end: httpd refuses it. */
		{ HCONF_EXPR_BOOL, "%{A} =~ /a\\/%{B}/", "A !12" },
		{ HCONF_EXPR_BOOL, "", " !0" },
		{ HCONF_EXPR_BOOL, "%{A}", "A !4" },
		{ HCONF_EXPR_BOOL, "%{A} == x", "A !8" },
		{ HCONF_EXPR_BOOL, "%{A} == 'x", "A !10" },
		{ HCONF_EXPR_BOOL, "%{A == 'x'", " !3" },
		{ HCONF_EXPR_BOOL, "(%{A} == 'x'", "A !12" },
		{ HCONF_EXPR_BOOL, "%{A} == 'x' )", "A !12" },
		{ HCONF_EXPR_BOOL, "%{A} =~ 'x'", "A !8" },
		{ HCONF_EXPR_STRING, "a %{HTTP_HOST} \"b\" %{REQ:X}",
		    "HTTP_HOST REQ:X" },
		{ HCONF_EXPR_STRING, "plain", "" },
		{ HCONF_EXPR_STRING, "", "" },
		{ HCONF_EXPR_STRING, "%{", " !2" },
	};
	size_t i;
	int k;

	(void)state;
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		size_t len = strlen(t[i].in);
		char *in = unit_exact(t[i].in, len), *out;
		struct hconf_expr x;

		hconf_expr_parse(
		    (struct hconf_span){ in, len }, t[i].kind, &x, pool);
		out = apr_pstrdup(pool, "");
		for (k = 0; k < x.refs->nelts; k++) {
			const struct hconf_ref *r =
			    &APR_ARRAY_IDX(x.refs, k, struct hconf_ref);

			out = apr_psprintf(pool, "%s%s%.*s", out,
			    k > 0 ? " " : "", (int)r->name.len, r->name.b);
			if (r->kind == HCONF_REF_FUNC)
				out = r->arg.b == NULL
					  ? apr_pstrcat(
						pool, out, ":(computed)", NULL)
					  : apr_psprintf(pool, "%s:%.*s", out,
						(int)r->arg.len, r->arg.b);
			if (!r->certain)
				out = apr_pstrcat(pool, out, "?", NULL);
			assert_true(r->where.b >= in &&
				    r->where.b + r->where.len <= in + len);
		}
		if (x.error != NULL)
			out = apr_psprintf(
			    pool, "%s !%lu", out, (unsigned long)x.error_at);
		else if (x.truth >= 0)
			out = apr_psprintf(pool, "%s%s=%d", out,
			    *out != '\0' ? " " : "", x.truth);
		assert_string_equal(t[i].out, out);
		free(in);
	}
}

static void
depth_is_an_error_and_not_a_crash(void **state)
{
	enum {
		N = 100000
	};
	char *in = malloc(N);
	struct hconf_expr x;

	(void)state;
	assert_non_null(in);
	memset(in, '(', N);
	hconf_expr_parse(
	    (struct hconf_span){ in, N }, HCONF_EXPR_BOOL, &x, pool);
	assert_non_null(x.error);
	memset(in, '!', N);
	hconf_expr_parse(
	    (struct hconf_span){ in, N }, HCONF_EXPR_BOOL, &x, pool);
	assert_non_null(x.error);
	free(in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_join_as_httpd_joins_them),
		cmocka_unit_test(a_line_of_the_limit_is_too_long),
		cmocka_unit_test(words_are_cut_as_httpd_cuts_them),
		cmocka_unit_test(rewrite_words_have_their_own_quoting),
		cmocka_unit_test(names_are_found_in_any_case_and_only_whole),
		cmocka_unit_test(containers_nest_and_errors_are_survived),
		cmocka_unit_test(variables_and_macros_are_replaced),
		cmocka_unit_test(htaccess_refuses_what_httpd_refuses),
		cmocka_unit_test(a_version_sees_its_own_directives),
		cmocka_unit_test(modules_are_known_after_the_first_LoadModule),
		cmocka_unit_test(modules_have_names_of_two_shapes_and_case),
		cmocka_unit_test(expressions_say_what_they_ask_for),
		cmocka_unit_test(depth_is_an_error_and_not_a_crash),
	};

	return (cmocka_run_group_tests_name("httpdconf", tests, up, down));
}
