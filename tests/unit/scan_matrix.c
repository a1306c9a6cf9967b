/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model against what four releases of httpd were seen to send:
 * tests/data/vary_matrix.tsv, one row for each request, snippet and release.
 *
 * What is predicted "always" has to be there; what is there has to be
 * predicted, unless it came from a program or backend that no configuration
 * shows; and what was predicted and is not there needs a "when" that says why.
 */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <strings.h>

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_tables.h>

#include "httpdconf/tree.h"
#include "scan/judge.h"
#include "scan/model.h"

enum {
	COLUMNS = 18,
	NVERSIONS = 4,
};

static const struct {
	const char *name;
	int version;
	int column; /* of the status; Vary is the next */
} releases[NVERSIONS] = {
	{ "2.4.6", HCONF_VERSION(2, 4, 6), 9 },
	{ "2.4.25", HCONF_VERSION(2, 4, 25), 11 },
	{ "2.4.29", HCONF_VERSION(2, 4, 29), 13 },
	{ "2.4.71", HCONF_VERSION(2, 4, 71), 15 },
};

struct row {
	const char *column[COLUMNS];
};

struct count {
	unsigned rows, exact, labelled, application, missed, overclaimed;
	unsigned snippets, snippets_exact, snippets_over, snippets_missed,
	    snippets_application;
};

static apr_pool_t *pool;
static apr_array_header_t *rows; /* struct row */
static apr_table_t *profiles;    /* "profile\tHeader" -> value */

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

static const char *
unescape(const char *s)
{
	char *r = apr_palloc(pool, strlen(s) + 1), *w = r;

	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			s++;
			*w++ = *s == 'n'   ? '\n'
			       : *s == 't' ? '\t'
			       : *s == 'r' ? '\r'
					   : *s;
		} else {
			*w++ = *s;
		}
	}
	*w = '\0';
	return (r);
}

static const char *
slurp(const char *name)
{
	const char *b, *dir = getenv("top_srcdir");
	size_t len;

	assert_int_equal(
	    APR_SUCCESS, hconf_slurp(apr_psprintf(pool, "%s/tests/data/%s",
					 dir != NULL ? dir : ".", name),
			     &b, &len, pool));
	return (b);
}

static void
load(void)
{
	char *text = apr_pstrdup(pool, slurp("vary_matrix.tsv")), *line, *end;

	rows = apr_array_make(pool, 1000, sizeof(struct row));
	for (line = text; *line != '\0'; line = end) {
		struct row *r;
		int i;
		char *p = line;

		end = line + strcspn(line, "\n");
		if (*end != '\0')
			*end++ = '\0';
		if (*line == '#' || *line == '\0' ||
		    strncmp(line, "id\t", 3) == 0)
			continue;
		r = apr_array_push(rows);
		for (i = 0; i < COLUMNS; i++) {
			char *tab = p + strcspn(p, "\t");

			if (*tab != '\0')
				*tab++ = '\0';
			r->column[i] = p;
			p = tab;
		}
	}
	profiles = apr_table_make(pool, 64);
	text = apr_pstrdup(pool, slurp("vary_matrix.profiles.tsv"));
	for (line = text; *line != '\0'; line = end) {
		char *tab;

		end = line + strcspn(line, "\n");
		if (*end != '\0')
			*end++ = '\0';
		tab = strchr(line, '\t');
		if (tab != NULL)
			tab = strchr(tab + 1, '\t');
		if (tab == NULL)
			continue;
		*tab = '\0';
		apr_table_set(profiles, line, tab + 1);
	}
}

static const char *
sent(const struct row *r, const char *header)
{
	const char *overrides = r->column[8];
	size_t n = strlen(header);

	if (strncasecmp(overrides, header, n) == 0 && overrides[n] == '=')
		return (overrides + n + 1);
	return (apr_table_get(
	    profiles, apr_psprintf(pool, "%s\t%s", r->column[7], header)));
}

/* The part of "[vhost] ... ## [htaccess] ..." for a context. */
static const char *
part(const struct row *r, const char *context)
{
	const char *all = r->column[2], *p;
	char *mark;

	if (strchr(r->column[1], '+') == NULL)
		return (
		    strcmp(r->column[1], context) == 0 ? unescape(all) : "");
	mark = apr_psprintf(pool, "[%s] ", context);
	p = strstr(all, mark);
	if (p == NULL)
		return ("");
	p += strlen(mark);
	mark = apr_pstrdup(pool, p);
	if (strstr(mark, " ## [") != NULL)
		*strstr(mark, " ## [") = '\0';
	return (unescape(mark));
}

static const apr_array_header_t *
predict(const struct row *r, const int *version)
{
	struct hconf_options o = {
		.versions = version, .nversions = 1, .no_files = true
	};
	struct hconf *h;
	struct hconf_node *root;
	struct scan_model *m;
	struct scan_scope *dir;
	struct scan_verdict v;
	const char *other = r->column[3], *htaccess = part(r, "htaccess");
	struct hconf_overrides over;
	const char *differ;
	const char *allow = "All", *conf;

	if (strncmp(other, "AllowOverride=", 14) == 0)
		allow = other + 14;
	conf = apr_psprintf(pool,
	    "%s\n<VirtualHost *>\n%s\n<Directory @DOC@>\nAllowOverride %s\n"
	    "%s\n</Directory>\n</VirtualHost>\n",
	    part(r, "server"), part(r, "vhost"), allow, part(r, "dir"));
	hconf_create(&h, &o, pool);
	scan_model_create(&m, version, 1, pool);
	hconf_read_bytes(h, "httpd.conf", conf, strlen(conf), NULL, &root);
	(void)scan_model_add(m, root, NULL);
	dir = scan_model_directory(m, "@DOC@");
	assert_non_null(dir);
	if (*htaccess != '\0' && scan_model_allow(m, "@DOC@", &over, &differ)) {
		hconf_read_bytes(
		    h, ".htaccess", htaccess, strlen(htaccess), &over, &root);
		dir = scan_model_add(m, root, dir);
	}
	if (strncmp(other, scan_model_access_file(m),
		strlen(scan_model_access_file(m))) == 0 &&
	    *htaccess == '\0') {
		const char *text = unescape(strchr(other, ':') + 2);

		hconf_read_bytes(h, scan_model_access_file(m), text,
		    strlen(text), &hconf_overrides_all, &root);
		(void)scan_model_add(m, root, dir);
	}
	if (strncmp(other, "sub/.htaccess: ", 15) == 0) {
		const char *text = unescape(other + 15);

		hconf_read_bytes(h, "sub/.htaccess", text, strlen(text),
		    &hconf_overrides_all, &root);
		(void)scan_model_add(m, root, dir);
	}
	scan_model_finish(m);
	scan_verdict_init(&v, pool);
	scan_judge(&v, m, hconf_problems(h), hconf_texts(h), pool);
	return (v.sources);
}

static bool
in_list(const char *list, const char *member)
{
	size_t n = strlen(member);
	const char *p = list;

	while (*p != '\0') {
		size_t k = strcspn(p, ",");

		if (k == n && strncasecmp(p, member, n) == 0)
			return (true);
		p += k + (p[k] == ',');
	}
	return (false);
}

/* Made by a program, or behind one: nothing in the configuration says it. */
static bool
by_application(const struct row *r)
{
	const char *p = r->column[6];
	size_t n = strlen(p);

	return ((n > 4 && strcmp(p + n - 4, ".cgi") == 0) ||
		strstr(r->column[2], "vary.cgi") != NULL ||
		strstr(r->column[2], "@BACKEND@") != NULL ||
		strstr(r->column[2], "@FCGI@") != NULL);
}

static void
judge(const struct row *r, int at, const apr_array_header_t *sources,
    struct count *c, const char **ret_predicted)
{
	const char *vary = r->column[releases[at].column + 1];
	int status = atoi(r->column[releases[at].column]), i;
	bool missed = false, absent = false, overclaimed = false,
	     application = false;
	const char *predicted = "", *p;

	if (strcmp(vary, "-") == 0)
		vary = "";
	for (i = 0; i < sources->nelts; i++) {
		const struct scan_source *s =
		    &APR_ARRAY_IDX(sources, i, struct scan_source);
		enum scan_when when = s->when;
		bool there = in_list(vary, s->member);

		if (s->broken)
			continue;
		if (s->by == SCAN_BY_REWRITE && sent(r, s->member) == NULL)
			continue;
		if (when == SCAN_HEADER_SENT)
			when = SCAN_ALWAYS;
		/* "always" is of the section it stands in ... */
		if (s->scope != NULL &&
		    (strncmp(s->scope, "<Files", 6) == 0 ||
			strncmp(s->scope, "<Location", 9) == 0))
			when = SCAN_POSSIBLE;
		/* ... and of responses that are no canned pages. */
		if (!s->any_status && status >= 300 && status != 304)
			when = SCAN_ONLY_STATUS;
		predicted = apr_pstrcat(pool, predicted,
		    *predicted != '\0' ? "," : "", s->member, NULL);
		if (there)
			continue;
		absent = true;
		if (when == SCAN_ALWAYS) {
			overclaimed = true;
			printf("# %s %s %s: \"always\" %s, sent \"%s\" (%d)\n",
			    releases[at].name, r->column[0], r->column[7],
			    s->member, vary, status);
		}
	}
	for (p = vary; *p != '\0';) {
		size_t n = strcspn(p, ",");
		char *member = apr_pstrmemdup(pool, p, n);

		if (!in_list(predicted, member)) {
			if (by_application(r)) {
				application = true;
			} else {
				missed = true;
				printf("# %s %s %s: missed %s, predicted "
				       "\"%s\"\n",
				    releases[at].name, r->column[0],
				    r->column[7], member, predicted);
			}
		}
		p += n + (p[n] == ',');
	}
	c->rows++;
	if (missed)
		c->missed++;
	else if (overclaimed)
		c->overclaimed++;
	else if (application)
		c->application++;
	else if (absent)
		c->labelled++;
	else
		c->exact++;
	*ret_predicted = predicted;
}

static void
every_measured_row_is_predicted(void **state)
{
	int at, i, k;
	unsigned missed = 0, overclaimed = 0;
	bool verbose = getenv("SCAN_MATRIX_VERBOSE") != NULL;

	(void)state;
	load();
	assert_true(rows->nelts > 700);
	for (at = 0; at < NVERSIONS; at++) {
		struct count c = { 0 };

		for (i = 0; i < rows->nelts; i = k) {
			const struct row *r =
			    &APR_ARRAY_IDX(rows, i, struct row);
			const apr_array_header_t *sources = NULL;
			const char *all = "", *seen = "", *p;
			bool miss = false, over = false, counted = false;

			/* The requests of one snippet stand together. */
			for (k = i; k < rows->nelts; k++) {
				const struct row *q =
				    &APR_ARRAY_IDX(rows, k, struct row);
				const char *predicted, *vary;

				if (strcmp(q->column[0], r->column[0]) != 0 ||
				    strcmp(q->column[6], r->column[6]) != 0)
					break;
				if (atoi(q->column[releases[at].column]) == 0)
					continue; /* httpd did not start */
				if (sources == NULL)
					sources =
					    predict(r, &releases[at].version);
				judge(q, at, sources, &c, &predicted);
				counted = true;
				vary = q->column[releases[at].column + 1];
				all = apr_pstrcat(
				    pool, all, ",", predicted, NULL);
				if (strcmp(vary, "-") != 0)
					seen = apr_pstrcat(
					    pool, seen, ",", vary, NULL);
			}
			if (!counted)
				continue;
			c.snippets++;
			for (p = all; *p != '\0';) {
				size_t n = strcspn(p, ",");

				if (n > 0 &&
				    !in_list(seen, apr_pstrmemdup(pool, p, n)))
					over = true;
				p += n + (p[n] == ',');
			}
			for (p = seen; *p != '\0';) {
				size_t n = strcspn(p, ",");

				if (n > 0 &&
				    !in_list(all, apr_pstrmemdup(pool, p, n)))
					miss = true;
				p += n + (p[n] == ',');
			}
			if (miss && by_application(r))
				c.snippets_application++;
			else if (miss)
				c.snippets_missed++;
			else if (over)
				c.snippets_over++;
			else
				c.snippets_exact++;
			if (over && verbose)
				printf("# %s %s: over: \"%s\", seen \"%s\"\n",
				    releases[at].name, r->column[0], all, seen);
		}
		printf("# httpd %s: %u requests: %u exact, %u with a member "
		       "left to its \"when\", %u of an application, %u missed, "
		       "%u claimed too much\n",
		    releases[at].name, c.rows, c.exact, c.labelled,
		    c.application, c.missed, c.overclaimed);
		printf("# httpd %s: %u snippets: %u exact, %u over, %u of an "
		       "application, %u missed\n",
		    releases[at].name, c.snippets, c.snippets_exact,
		    c.snippets_over, c.snippets_application, c.snippets_missed);
		fflush(stdout);
		missed += c.missed;
		overclaimed += c.overclaimed;
	}
	assert_int_equal(0, missed);
	assert_int_equal(0, overclaimed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_measured_row_is_predicted),
	};

	return (cmocka_run_group_tests_name("scan_matrix", tests, up, down));
}
