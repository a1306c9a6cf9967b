/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reader against a real httpd: random configurations of sections, includes,
 * variables, macros and conditions, of which `-t -D DUMP_CONFIG` and the reader
 * have to see the same directives, with the same arguments, in the same
 * sections, at the same lines.  Nothing is served.
 *
 * HTTPDCONF_DUMP_COUNT (default 30) and HTTPDCONF_DUMP_SEED choose more, or
 * others.
 */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_tables.h>

#include "httpdconf/tree.h"
#include "tests/unit/httpd.h"

enum {
	MAX_LINES = 40, /* chosen for one configuration, not written */
	MAX_FILES = 6,
	MAX_DEPTH = 5,
};

static apr_pool_t *pool, *each;
static char root[256];
static struct httpd httpd;
static uint64_t state_of_random;

static unsigned
below(unsigned n)
{
	/* xorshift64: the same everywhere, whatever libc is below. */
	state_of_random ^= state_of_random << 13;
	state_of_random ^= state_of_random >> 7;
	state_of_random ^= state_of_random << 17;
	return ((unsigned)(state_of_random >> 33) % n);
}

/* --- A configuration ----------------------------------------------------- */

static const char *const loaded[] = { "mpm_event", "authz_core", "headers",
	"info", "macro", "rewrite", "setenvif" };

enum place {
	SERVER,
	HOST,
	DIRECTORY,
	FILES, /* and Location: room for nothing but If */
	IFF,
};

struct writer {
	const char *out;
	int lines, files;
	bool in_macro;
};

static void block(struct writer *, enum place, int depth);

static const char *
pick(const char *const *v, unsigned n)
{
	return (v[below(n)]);
}

#define PICK(v) pick(v, sizeof(v) / sizeof *(v))

static void add(struct writer *w, const char *fmt, ...)
    __attribute__((__format__(__printf__, 2, 3)));

static void
add(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	w->out = apr_pstrcat(each, w->out, apr_pvsprintf(each, fmt, ap), NULL);
	va_end(ap);
}

static void
simple(struct writer *w)
{
	static const char *const texts[] = {
		"Header append Vary User-Agent\n",
		"hEADER set X-A \"a b\"\n",
		"Header set \"X-${V}\" '${W} \"q\" ${V}'\n",
		"Header  set\tX-B   b\\\\c  \n",
		"Header set X-C \\\n    \"continued \\\nvalue\"\n",
		"Header append Vary User-\\\nAgent\n",
		"Header set X-D \"${NOT_DEFINED} ${V}${W}\"\n",
		"SetEnvIf User-Agent \"a \\\"b\\\" c\" x=1 !y\n",
		"SetEnvIfNoCase Host ^${V} v\r\n",
		"BrowserMatch \"^Mozilla/4\" gzip-only-text/html\n",
		"RewriteEngine On\n",
		"RewriteCond %{HTTP_USER_\\\nAGENT} \"a b\" [NC,OR]\n"
		"RewriteCond %{HTTP:Cookie} a\\ b\n"
		"RewriteRule ^ - \"[E=x:${V}]\"\n",
		"RewriteCond %{HTTP_HOST} '!=${W}'\nRewriteRule \"^a b$\" /c\n",
		"# comment \\\nHeader set X-E hidden\n",
		"\n \t\n",
		"    Header set X-F #not-a-comment\n",
	};

	add(w, "%s", PICK(texts));
}

static void
conditional(struct writer *w, enum place place, int depth)
{
	static const char *const opens[] = { "IfModule mod_headers.c",
		"IfModule headers_module", "ifmodule !mod_headers.c",
		"IfModule nosuch_module", "IfModule !mod_nosuch.c",
		"IfModule mod_so.c", "IfModule Mod_Headers.c",
		"IfModule mod_headers", "IfModule !headers",
		"IfModule LiteSpeed", "IfModule !litespeed",
		"IfModule !\"headers_module\"", "IfModule \"!nosuch_module\"",
		"IfModule ! nosuch_module", "IfDefine \"!NOT_DEFINED\"",
		"IfDefine \"V\"", "IfDefine V", "IfDefine !V",
		"IfDefine NOT_DEFINED", "IfDefine FLAG", "IfVersion >= 2.4",
		"IfVersion < 2.4.1", "IfVersion = /^2\\.[4-9]/",
		"IfVersion !~ ^2\\.4", "IfFile ${DIR}/httpd.conf",
		"IfFile !\"${DIR}/httpd.conf\"" };
	const char *open = PICK(opens), *blank = strchr(open, ' ');

	add(w, "<%s>\n", open);
	block(w, place, depth + 1);
	add(w, "</%s>\n", apr_pstrmemdup(each, open, (size_t)(blank - open)));
}

static void
section(struct writer *w, enum place place, int depth)
{
	static const char *const dirs[] = { "Directory ${DIR}/d",
		"Directory \"/a b\"", "DirectoryMatch \"^/x(y|z)>\"",
		"Location /l", "locationMatch \"^/m/${V}\"",
		"Directory ~ ^/t" };
	static const char *const files[] = { "Files *.html",
		"FilesMatch \"\\.(css|js)$\"", "Files ~ \"^a b\"" };
	static const char *const ifs[] = { "If \"%{HTTP_HOST} == '${V}'\"",
		"If \"%{HTTP_USER_AGENT} =~ /a b/ && 1 -lt 2\"", "If true" };
	const char *open;
	enum place in;

	if (place == SERVER && below(4) == 0) {
		open = "VirtualHost *:8${FLAGGED}1";
		in = HOST;
	} else if (place <= HOST && below(2) == 0) {
		open = PICK(dirs);
		in = strncasecmp(open, "Location", 8) == 0 ? FILES : DIRECTORY;
	} else if (place <= DIRECTORY && below(2) == 0) {
		open = PICK(files);
		in = FILES;
	} else if (place < IFF) {
		open = PICK(ifs);
		in = IFF;
	} else {
		simple(w);
		return;
	}
	add(w, "<%s>\n", open);
	block(w, in, depth + 1);
	add(w, "</%s>\n",
	    apr_pstrmemdup(each, open, (size_t)(strchr(open, ' ') - open)));
	if (in == IFF && below(2) == 0) {
		add(w, "<Else>\n");
		block(w, in, depth + 1);
		add(w, "</Else>\n");
	}
}

static void
write_file(const char *name, const char *text)
{
	FILE *f = fopen(apr_pstrcat(each, root, "/", name, NULL), "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(0, fclose(f));
}

static void
include(struct writer *w, enum place place, int depth)
{
	struct writer in = { "", w->lines, w->files, w->in_macro };
	const char *name;

	if (w->files >= MAX_FILES || w->in_macro) {
		add(w, "IncludeOptional nosuch.d/*.conf\n");
		return;
	}
	name = apr_psprintf(each, "inc%d.conf", in.files++);
	block(&in, place, depth + 1);
	write_file(name, in.out);
	w->lines = in.lines;
	w->files = in.files;
	switch (below(3)) {
	case 0: add(w, "Include %s\n", name); break;
	case 1: add(w, "IncludeOptional \"${DIR}/%s\"\n", name); break;
	default: add(w, "Include inc[%c]*.conf\n", name[3]); break;
	}
}

static void
block(struct writer *w, enum place place, int depth)
{
	static const char *const values[] = { "one", "\"two words\"", "''" };
	unsigned n = 1 + below(5);

	while (n-- > 0 && w->lines > 0) {
		w->lines--;
		if (depth >= MAX_DEPTH) {
			simple(w);
			continue;
		}
		switch (below(10)) {
		case 0:
		case 1: conditional(w, place, depth); break;
		case 2:
		case 3: section(w, place, depth); break;
		case 4: include(w, place, depth); break;
		case 5:
			if (w->in_macro)
				simple(w);
			else
				add(w, place <= DIRECTORY && below(2) == 0
					   ? "Use Outer \"o${V}\" 'p q'\n"
					   : "use INNER \"${W}\"\n");
			break;
		case 6:
			/* httpd refuses Define in a section. */
			if (place == SERVER && !w->in_macro)
				add(w, "Define V %s\n", PICK(values));
			else
				simple(w);
			break;
		default: simple(w); break;
		}
	}
}

static const char *
generate(void)
{
	struct writer w = { "", MAX_LINES, 0, false };
	size_t i;

	add(&w, "ServerRoot \"%s\"\nServerName localhost\n", root);
	add(&w, "Listen 127.0.0.1:1\nPidFile %s/pid\nErrorLog %s/log\n", root,
	    root);
	for (i = 0; i < sizeof loaded / sizeof *loaded; i++)
		add(&w, "LoadModule %s_module %s/mod_%s.so\n", loaded[i],
		    httpd.modules, loaded[i]);
	add(&w, "Define DIR %s\nDefine V v\nDefine W \"w x\"\nDefine FLAG\n",
	    root);
	add(&w, "Define FLAGGED 0\n");
	add(&w, "<Macro Inner $a>\nHeader set X-Inner \"$a ${V}\"\n");
	w.in_macro = true;
	block(&w, IFF, 1);
	add(&w, "</Macro>\n<macro Outer $a %%bb>\n<Files \"$a\">\n");
	block(&w, FILES, 2);
	add(&w, "Use Inner '%%bb'\n</Files>\nHeader set \"$a\" \"%%bb\"\n"
		"</Macro>\n");
	w.in_macro = false;
	while (w.lines > 0)
		block(&w, SERVER, 0);
	return (w.out);
}

/* --- What the two see ---------------------------------------------------- */

/*
 * One directive a line: depth, place, text; of a macro, where it was used.
 * httpd writes the names of some as their module spells them: case is not told.
 */
static void
note(apr_array_header_t *out, int depth, const char *file, unsigned line,
    bool macro, const char *text)
{
	char *p = apr_pstrdup(each, text), *q;

	p[strcspn(p, " ")] = '\0';
	for (q = p; *q != '\0'; q++)
		*q = (char)tolower((unsigned char)*q);
	APR_ARRAY_PUSH(out, const char *) =
	    apr_psprintf(each, "%d %s:%u%s %s%s", depth, file, line,
		macro ? "(macro)" : "", p, text + strlen(p));
}

/* Whether httpd keeps it, or is done with it once it is read. */
static bool
kept(const struct hconf_node *n)
{
	switch (n->id) {
	case HCONF_DEFINE:
	case HCONF_UNDEFINE:
	case HCONF_INCLUDE:
	case HCONF_INCLUDEOPTIONAL:
	case HCONF_LOADMODULE:
	case HCONF_SERVERROOT:
	case HCONF_USE: return (false);
	default: return (true);
	}
}

static void
walk(const struct hconf_node *parent, int depth, apr_array_header_t *out)
{
	const struct hconf_node *n, *at;

	for (n = parent->child; n != NULL; n = n->next) {
		const char *args = hconf_span_dup(n->args, each);

		if (!kept(n))
			continue;
		for (at = n; at->used != NULL; at = at->used)
			;
		note(out, depth, at->file, at->last, at != n,
		    apr_pstrcat(each, n->kind == HCONF_CONTAINER ? "<" : "",
			hconf_span_dup(n->name, each), *args != '\0' ? " " : "",
			args, NULL));
		walk(n, depth + 1, out);
	}
}

static void
parse_dump(char *dump, apr_array_header_t *out)
{
	const char *file = "", *s;
	char *line, *last, *end;
	bool macro = false;
	unsigned n = 0, used = 0;
	int depth;

	for (line = apr_strtok(dump, "\n", &last); line != NULL;
	     line = apr_strtok(NULL, "\n", &last)) {
		/*
		 * Two blanks a level.  End tags are not to be counted: an empty
		 * section has none.
		 */
		depth = (int)strspn(line, " ") / 2;
		line += strspn(line, " ");
		if (strncmp(line, "# In file: ", 11) == 0) {
			file = line + 11;
			macro = strncmp(file, "macro '", 7) == 0;
			/* The outermost use is named last. */
			while (macro &&
			       (s = strstr(file, "used on line ")) != NULL) {
				used = (unsigned)strtoul(s + 13, &end, 10);
				file = end + strlen(" of ");
			}
			if (macro) {
				file++;
				file = apr_pstrmemdup(
				    each, file, strcspn(file, "\""));
			}
		} else if (line[0] == '#' && line[1] == ' ') {
			n = (unsigned)strtoul(line + 2, NULL, 10);
		} else if (strncmp(line, "</", 2) == 0) {
			continue;
		} else {
			bool open = *line == '<';

			end = line + strlen(line);
			if (open && end > line && end[-1] == '>')
				end--;
			while (end > line && end[-1] == ' ')
				end--;
			*end = '\0';
			note(out, depth, file, macro ? used : n, macro, line);
		}
	}
}

static char *
run(const char *command, int *ret_status)
{
	FILE *f = popen(command, "r");
	char *s = apr_pstrdup(each, ""), buf[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof buf - 1, f)) > 0) {
		buf[n] = '\0';
		s = apr_pstrcat(each, s, buf, NULL);
	}
	*ret_status = pclose(f);
	return (s);
}

static int
version(void)
{
	int status, v = 0;
	char *s, *at;

	s = run(apr_pstrcat(each, httpd.program, " -v", NULL), &status);
	at = strstr(s, "Apache/");
	assert_non_null(at);
	at += strlen("Apache/");
	assert_true(hconf_version_parse(
	    (struct hconf_span){ at, strspn(at, "0123456789.") }, &v));
	return (v);
}

static unsigned
compare(const char *conf, uint64_t seed, unsigned *ret_seen)
{
	apr_array_header_t *theirs, *ours;
	int v = version(), status, i;
	struct hconf_options o = { .versions = &v, .nversions = 1 };
	struct hconf_node *tree;
	struct hconf *h;
	const char *path = apr_pstrcat(each, root, "/httpd.conf", NULL);
	char *dump;

	theirs = apr_array_make(each, 64, sizeof(const char *));
	ours = apr_array_make(each, 64, sizeof(const char *));
	/* Without the environment, of which ${} would take values. */
	dump = run(
	    apr_psprintf(each, "env -i %s -f '%s' -t -D DUMP_CONFIG 2>'%s/err'",
		httpd.program, path, root),
	    &status);
	if (status != 0)
		fail_msg("seed %llu: httpd refuses it: %s\n%s",
		    (unsigned long long)seed,
		    run(apr_pstrcat(each, "cat '", root, "/err'", NULL),
			&status),
		    conf);
	parse_dump(dump, theirs);
	hconf_create(&h, &o, each);
	assert_int_equal(APR_SUCCESS, hconf_read(h, path, &tree, each));
	walk(tree, 0, ours);
	*ret_seen += (unsigned)theirs->nelts;
	for (i = 0; i < theirs->nelts || i < ours->nelts; i++) {
		const char *a = i < theirs->nelts
				    ? APR_ARRAY_IDX(theirs, i, const char *)
				    : "(nothing)";
		const char *b = i < ours->nelts
				    ? APR_ARRAY_IDX(ours, i, const char *)
				    : "(nothing)";

		if (strcmp(a, b) == 0)
			continue;
		print_message("# seed %llu\n# httpd:  %s\n# reader: %s\n",
		    (unsigned long long)seed, a, b);
		return (1);
	}
	return (0);
}

static void
httpd_and_the_reader_see_the_same(void **state)
{
	const char *env = getenv("HTTPDCONF_DUMP_COUNT");
	unsigned count = env != NULL ? (unsigned)atoi(env) : 30;
	unsigned i, seen = 0, wrong = 0;
	uint64_t seed;

	(void)state;
	if (httpd.program == NULL) {
		print_message("# SKIP no httpd with mod_info and mod_macro\n");
		skip();
	}
	env = getenv("HTTPDCONF_DUMP_SEED");
	seed = env != NULL ? strtoull(env, NULL, 10) : 1;
	for (i = 0; i < count; i++, seed++) {
		const char *conf;

		apr_pool_create(&each, pool);
		/* Neighbouring seeds must not start alike. */
		state_of_random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
		conf = generate();
		write_file("httpd.conf", conf);
		wrong += compare(conf, seed, &seen);
		apr_pool_destroy(each);
	}
	print_message("# %u configurations, %u directives in them, %u "
		      "configurations read otherwise\n",
	    count, seen, wrong);
	assert_true(seen > 10 * count);
	assert_int_equal(0, wrong);
}

static int
up(void **state)
{
	static const char *const with[] = { "mod_info.so", "mod_macro.so",
		NULL };
	const char *tmp = getenv("TMPDIR");

	(void)state;
	apr_initialize();
	apr_pool_create(&pool, NULL);
	httpd = httpd_find(with);
	(void)snprintf(root, sizeof root, "%s/httpdconf-dump-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	return (mkdtemp(root) == NULL ? -1 : 0);
}

static int
down(void **state)
{
	int status;

	(void)state;
	each = pool;
	(void)run(apr_psprintf(pool, "rm -rf '%s'", root), &status);
	apr_pool_destroy(pool);
	apr_terminate();
	return (status);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(httpd_and_the_reader_see_the_same),
	};

	return (cmocka_run_group_tests_name("httpdconf_dump", tests, up, down));
}
