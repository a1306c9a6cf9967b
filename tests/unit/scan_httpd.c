/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model against a real httpd: random combinations of directives, each in a
 * directory of its own, and for every request the Vary that is sent has to be
 * the one that follows from the model's sources.
 *
 * A source says "when the rule matches"; whether it does follows from what
 * combination.c chose, not from what the scanner read.
 *
 * SCAN_HTTPD_COUNT (default 100) and SCAN_HTTPD_SEED choose more, or others.
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_tables.h>

#include "httpdconf/tree.h"
#include "scan/judge.h"
#include "scan/model.h"
#include "tests/unit/combination.h"
#include "tests/unit/httpd.h"

static apr_pool_t *pool;
static char root[256];
static struct httpd httpd;

/* --- The prediction ------------------------------------------------------ */

/* The n-th directive of its kind in the file, as the generator counted. */
static int
index_of(const struct hconf_node *node, enum hconf_id id)
{
	const struct hconf_node *n;
	int i = 0;

	for (n = node->parent->child; n != NULL && n != node; n = n->next)
		if (n->id == id)
			i++;
	return (i);
}

static bool
expected(const struct combination *c, const struct scan_model_source *s,
    const struct combination_outcome *o, int visitor)
{
	int i, k, first;

	/* The server has each module that the generator names. */
	if (s->pub.place.unless != NULL) {
		assert_int_equal(SCAN_POSSIBLE, s->pub.when);
		return (false);
	}
	if (s->versions == 0 || (o->status != 200 && !s->pub.any_status))
		return (false);
	switch (s->pub.by) {
	case SCAN_BY_REWRITE:
		i = index_of(s->rule->node, HCONF_REWRITERULE);
		for (first = 0, k = 0; k < i; k++)
			first += c->rule[k].nconds;
		k = index_of(s->cond->node, HCONF_REWRITECOND) - first;
		assert_in_range(k, 0, MAX_CONDS - 1);
		return (o->fired[i] && o->counted[i][k] &&
			combination_visitors[visitor]
				.value[c->rule[i].cond[k].header] != NULL);
	case SCAN_BY_EXPR:
		if (s->pub.when == SCAN_ALWAYS)
			return (true);
		/* The first Require has granted; no other is looked at. */
		if (s->node->id == HCONF_REQUIRE)
			return (false);
		assert_int_equal(HCONF_IF, s->node->id);
		i = index_of(s->node, HCONF_IF);
		for (k = 0; k < c->iff[i].noperands; k++)
			if (o->reached[i][k] && !c->iff[i].operand[k].novary &&
			    strcasecmp(
				combination_headers[c->iff[i].operand[k].header]
				    .name,
				s->pub.member) == 0)
				return (true);
		return (false);
	case SCAN_BY_HEADER:
		if (s->pub.when == SCAN_ALWAYS)
			return (true);
		for (i = 0; i < c->niffs; i++)
			if (strcmp(
				s->pub.member, apr_psprintf(pool, "X-Body-%d",
						   c->iff[i].body)) == 0)
				return (o->truth[i]);
		return (true);
	case SCAN_BY_FILTER:
	case SCAN_BY_NEGOTIATION:
	case SCAN_BY_DAV:
	case SCAN_BY_NGINX: break;
	}
	return (false);
}

/* The sources of its Vary, struct scan_model_source. */
static const apr_array_header_t *
predict(const struct combination *c)
{
	static const int version = HCONF_VERSION(2, 4, 71);
	struct hconf_options o = {
		.versions = &version, .nversions = 1, .no_files = true
	};
	struct hconf *h;
	struct hconf_node *tree;
	struct scan_model *m;
	struct scan_scope *dir;
	const char *text = combination_file(c);
	const char *conf =
	    apr_psprintf(pool, "<Directory /d>\n%s</Directory>\n",
		c->in_htaccess ? "AllowOverride All\n" : text);
	int i;

	hconf_create(&h, &o, pool);
	scan_model_create(&m, &version, 1, pool);
	hconf_read_bytes(h, "conf", conf, strlen(conf), NULL, &tree);
	(void)scan_model_add(m, tree, NULL);
	dir = scan_model_directory(m, "/d");
	if (c->in_htaccess) {
		hconf_read_bytes(h, ".htaccess", text, strlen(text),
		    &hconf_overrides_all, &tree);
		(void)scan_model_add(m, tree, dir);
	}
	scan_model_finish(m);
	for (i = 0; i < hconf_problems(h)->nelts; i++)
		fail_msg("%s\n%s", text,
		    APR_ARRAY_IDX(hconf_problems(h), i, struct hconf_problem)
			.text);
	for (i = 0; i < scan_model_lints(m)->nelts; i++) {
		const struct scan_lint *l =
		    &APR_ARRAY_IDX(scan_model_lints(m), i, struct scan_lint);

		if (l->kind == SCAN_LINT_ERROR)
			fail_msg(
			    "%s\nline %u: %s", text, l->node->first, l->text);
	}
	return (scan_model_sources(m));
}

/* --- The server ---------------------------------------------------------- */

static bool
in_list(const char *list, const char *member)
{
	size_t n = strlen(member);

	while (*list != '\0') {
		size_t k;

		list += strspn(list, ", ");
		k = strcspn(list, ", ");
		if (k == n && strncasecmp(list, member, n) == 0)
			return (true);
		list += k;
	}
	return (false);
}

static bool
same_list(const char *a, const char *b)
{
	char *copy = apr_pstrdup(pool, a), *state, *m;

	for (m = apr_strtok(copy, ", ", &state); m != NULL;
	     m = apr_strtok(NULL, ", ", &state))
		if (!in_list(b, m))
			return (false);
	return (true);
}

/* The combinations, and what each was predicted to send. */
struct trial {
	struct combination *c;
	const apr_array_header_t *sources; /* struct scan_model_source */
};

/* Make one, write its directory; *dirs gets its section, if it has one. */
static struct trial
trial_new(int n, uint64_t *seed, const char **dirs)
{
	struct combination *c = combination_new(n, seed, pool);
	const char *dir = apr_psprintf(pool, "%s/htdocs/d%04d", root, n);
	struct trial t = { c, predict(c) };

	assert_int_equal(0, mkdir(dir, 0755));
	httpd_write(apr_pstrcat(pool, dir, "/page.html", NULL), "page");
	httpd_write(apr_pstrcat(pool, dir, "/front.html", NULL), "front");
	if (c->in_htaccess)
		httpd_write(apr_pstrcat(pool, dir, "/.htaccess", NULL),
		    combination_file(c));
	else
		*dirs = apr_psprintf(pool, "%s<Directory %s>\n%s</Directory>\n",
		    *dirs, dir, combination_file(c));
	return (t);
}

static const char *
lines_of(const struct combination_visitor *v)
{
	const char *lines = "";
	int i;

	for (i = 0; i < NHEADERS; i++)
		if (v->value[i] != NULL)
			lines = apr_psprintf(pool, "%s%s: %s\r\n", lines,
			    combination_headers[i].name, v->value[i]);
	return (lines);
}

/* Whether status and Vary are as predicted; if not, *ret_why says what was. */
static bool
trial_holds(const struct trial *t, int visitor, const char **ret_vary,
    const char **ret_why)
{
	struct combination_outcome o;
	const char *predicted = "";
	int k, status;

	combination_play(t->c, visitor, &o);
	for (k = 0; k < t->sources->nelts; k++) {
		const struct scan_model_source *s =
		    &APR_ARRAY_IDX(t->sources, k, struct scan_model_source);

		if (expected(t->c, s, &o, visitor))
			predicted = apr_pstrcat(
			    pool, predicted, ",", s->pub.member, NULL);
	}
	status =
	    httpd_get(&httpd, apr_psprintf(pool, "/d%04d/page.html", t->c->n),
		lines_of(&combination_visitors[visitor]), ret_vary, pool);
	*ret_why = apr_psprintf(pool,
	    "visitor %d: status %d, expected %d; Vary \"%s\", "
	    "predicted \"%s\"\n%s",
	    visitor, status, o.status, *ret_vary, predicted, t->c->text);
	return (status == o.status && same_list(*ret_vary, predicted) &&
		same_list(predicted, *ret_vary));
}

static void
what_is_predicted_is_what_is_sent(void **state)
{
	const char *env = getenv("SCAN_HTTPD_COUNT"), *dirs = "";
	int n = env != NULL ? atoi(env) : 100, i, v;
	unsigned requests = 0, with_vary = 0, wrong = 0;
	uint64_t seed = 20260101;
	struct trial *all;

	(void)state;
	if (httpd.program == NULL) {
		print_message("no Apache httpd here: skipped\n");
		skip();
		return;
	}
	env = getenv("SCAN_HTTPD_SEED");
	if (env != NULL)
		seed = strtoull(env, NULL, 10);
	print_message(
	    "# %d combinations from seed %llu\n", n, (unsigned long long)seed);
	all = apr_palloc(pool, (size_t)n * sizeof *all);
	for (i = 0; i < n; i++)
		all[i] = trial_new(i, &seed, &dirs);
	if (!httpd_start(&httpd, root, dirs, pool)) {
		const char *log = "no log";
		size_t len;

		(void)hconf_slurp(
		    apr_psprintf(pool, "%s/log", root), &log, &len, pool);
		fail_msg("httpd does not start: %s", log);
	}
	for (i = 0; i < n; i++)
		for (v = 0; v < NVISITORS; v++) {
			const char *vary, *why;

			if (!trial_holds(&all[i], v, &vary, &why) &&
			    wrong++ < 5)
				print_message("# %s\n", why);
			requests++;
			if (*vary != '\0')
				with_vary++;
		}
	httpd_stop(&httpd);
	print_message("# %u requests, %u with Vary, %u predicted wrongly\n",
	    requests, with_vary, wrong);
	assert_true(with_vary > requests / 4);
	assert_int_equal(0, wrong);
}

static int
up(void **state)
{
	static const char *const with[] = { NULL };
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	apr_initialize();
	apr_pool_create(&pool, NULL);
	httpd = httpd_find(with);
	(void)snprintf(root, sizeof root, "%s/scan-httpd-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(root) == NULL || chmod(root, 0755) != 0)
		return (-1);
	return (mkdir(apr_psprintf(pool, "%s/htdocs", root), 0755));
}

static int
down(void **state)
{
	pid_t rm;

	(void)state;
	httpd_stop(&httpd);
	rm = fork();
	if (rm == 0) {
		execlp("rm", "rm", "-rf", root, (char *)NULL);
		_exit(127);
	}
	(void)waitpid(rm, NULL, 0);
	apr_pool_destroy(pool);
	apr_terminate();
	return (0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_predicted_is_what_is_sent),
	};

	return (cmocka_run_group_tests_name("scan_httpd", tests, up, down));
}
