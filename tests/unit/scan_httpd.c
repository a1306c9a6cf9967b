/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model against a real httpd: random combinations of directives, each in a
 * directory of its own, and for every request the Vary that is sent has to be
 * the one that follows from the model's sources.
 *
 * A source says "when the rule matches"; whether it does is worked out here,
 * from what the generator wrote, not from what the scanner read.
 *
 * SCAN_HTTPD_COUNT (default 100) and SCAN_HTTPD_SEED choose more, or others.
 */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_tables.h>

#include "httpdconf/tree.h"
#include "scan/judge.h"
#include "scan/model.h"
#include "tests/unit/httpd.h"

enum {
	NHEADERS = 8,
	NPROFILES = 5,
	MAX_CONDS = 3,
	MAX_RULES = 4,
	MAX_IFS = 3,
};

/* As Vary spells them, as mod_rewrite and expressions ask for them. */
static const struct {
	const char *name, *cond, *expr, *lower;
} headers[NHEADERS] = {
	{ "Host", "%{HTTP_HOST}", "%{HTTP_HOST}", "%{http_host}" },
	{ "User-Agent", "%{HTTP_USER_AGENT}", "%{HTTP_USER_AGENT}",
	    "req('User-Agent')" },
	{ "Cookie", "%{HTTP_COOKIE}", "%{HTTP_COOKIE}", "http('Cookie')" },
	{ "Referer", "%{HTTP_REFERER}", "%{HTTP_REFERER}", "%{REQ:Referer}" },
	{ "Accept", "%{HTTP_ACCEPT}", "%{HTTP_ACCEPT}", "req('Acc' . 'ept')" },
	{ "X-Forwarded-Proto", "%{HTTP:X-Forwarded-Proto}",
	    "%{HTTP:X-Forwarded-Proto}", "tolower(req('X-Forwarded-Proto'))" },
	{ "Accept-Language", "%{HTTP:Accept-Language}",
	    "%{req:Accept-Language}", "%{HTTP:Accept-Language}" },
	{ "X-Requested-With", "%{HTTP:X-Requested-With}",
	    "req(\"X-Requested-With\")", "%{HTTP:X-Requested-With}" },
};

static const struct {
	const char *value[NHEADERS]; /* NULL: not sent */
} profiles[NPROFILES] = {
	{ { "dev.example.com", "Mozilla/5.0 (iPhone)", "sess=1",
	    "http://ref.example/", "text/html,image/webp", "https", "de",
	    "XMLHttpRequest" } },
	{ { "www.example.org", "curl/8.5.0", "z=9", "http://else.example/",
	    "*/*", "http", "en", "none" } },
	{ { "dev.example.com", NULL, NULL, NULL, NULL, NULL, NULL, NULL } },
	{ { "www.example.org", "Mozilla/5.0 (iPhone)", NULL, NULL, "*/*", NULL,
	    "de", NULL } },
	{ { "dev.example.com", NULL, "sess=2", NULL, NULL, "https", NULL,
	    "XMLHttpRequest" } },
};

static const char *const patterns[] = { "iPhone", "curl", ".", "nosuch", "dev",
	"sess", "example", "http", "de", "^$", "^.*$", "XML" };
enum {
	NPATTERNS = sizeof patterns / sizeof *patterns
};

struct cond {
	int header, pattern;
	bool negated, ornext, novary, nocase;
};

enum target {
	DASH,
	INTERNAL,
	REDIRECT,
	FORBID,
	NTARGETS
};

struct rule {
	struct cond cond[MAX_CONDS];
	int nconds;
	enum target target;
	bool any, last; /* pattern ^, or ^page\.html$; flag L */
};

/* A op B op C, each "header =~ /pattern/". */
struct iff {
	struct cond operand[MAX_CONDS];
	int noperands;
	bool or, nested;
	int body; /* X-Body-N in Vary */
};

struct combination {
	int n;
	bool in_htaccess, crlf;
	struct rule rule[MAX_RULES];
	int nrules;
	struct iff iff[MAX_IFS];
	int niffs;
	const char *text;
	const apr_array_header_t *sources; /* struct scan_model_source */
};

static apr_pool_t *pool;
static uint64_t seed;
static char root[256];
static pid_t server;
static int port;
static struct httpd httpd;

static unsigned
pick(unsigned n)
{
	/* splitmix64: the same everywhere, which rand() is not. */
	uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((unsigned)((z ^ (z >> 31)) >> 33) % n);
}

/* --- Making combinations ------------------------------------------------- */

static void add(struct combination *c, const char *fmt, ...)
    __attribute__((__format__(__printf__, 2, 3)));

static void
add(struct combination *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	c->text =
	    apr_pstrcat(pool, c->text, apr_pvsprintf(pool, fmt, ap), NULL);
	va_end(ap);
}

static struct cond
cond_new(void)
{
	return ((struct cond){ .header = (int)pick(NHEADERS),
	    .pattern = (int)pick(NPATTERNS),
	    .negated = pick(4) == 0,
	    .ornext = pick(4) == 0,
	    .novary = pick(6) == 0 });
}

static void
write_cond(struct combination *c, struct cond *x)
{
	const char *test = headers[x->header].cond;
	const char *quote = pick(4) == 0 ? "\"" : "";
	const char *flags = "";

	if (pick(6) == 0) /* in the middle of a word, as one may */
		test = apr_psprintf(pool, "%.4s\\\n%s", test, test + 4);
	if (x->ornext && x->novary)
		flags = pick(2) ? " [OR,NV]" : " [novary,ornext]";
	else if (x->ornext)
		flags = " [or]";
	else if (x->novary)
		flags = " [NC,NV]";
	else if (pick(4) == 0)
		flags = " [NC]";
	x->nocase = strstr(flags, "NC") != NULL;
	add(c, "%s%s%s%s %s%s%s\n",
	    pick(5) == 0 ? "\trewritecond " : "RewriteCond ", quote, test,
	    quote, x->negated ? "!" : "", patterns[x->pattern], flags);
}

static void
write_rule(struct combination *c)
{
	struct rule *r = &c->rule[c->nrules++];
	int i;

	r->nconds = (int)pick(MAX_CONDS + 1);
	r->target = (enum target)pick(NTARGETS);
	r->any = pick(2) == 0;
	r->last = pick(3) == 0;
	if (r->target != DASH && r->nconds == 0)
		r->target = DASH; /* else nothing else would be seen */
	if (r->target == INTERNAL)
		r->any = false; /* else it would turn in circles */
	for (i = 0; i < r->nconds; i++) {
		r->cond[i] = cond_new();
		if (i == r->nconds - 1)
			r->cond[i].ornext = false;
		write_cond(c, &r->cond[i]);
		if (pick(6) == 0)
			add(c, "# a comment\n\n");
	}
	add(c, "RewriteRule %s ", r->any ? "^" : "^page\\.html$");
	switch (r->target) {
	case DASH: add(c, "- [E=X%d:1%s]\n", i, r->last ? ",L" : ""); break;
	case INTERNAL: add(c, "/d%04d/front.html [L]\n", c->n); break;
	case REDIRECT: add(c, "http://other.example/ [R=301,L]\n"); break;
	case FORBID:
	case NTARGETS: add(c, "- [F]\n"); break;
	}
}

static void
write_if(struct combination *c)
{
	struct iff *x = &c->iff[c->niffs];
	const char *text = "";
	int i;

	x->noperands = 1 + (int)pick(MAX_CONDS);
	x->or = pick(2) == 0;
	x->body = c->n * 10 + c->niffs;
	for (i = 0; i < x->noperands; i++) {
		struct cond *o = &x->operand[i];
		const char *word;

		*o = cond_new();
		o->nocase = true;
		word = pick(3) == 0 ? headers[o->header].lower
				    : headers[o->header].expr;
		if (o->novary)
			word = apr_psprintf(
			    pool, "%%{req_novary:%s}", headers[o->header].name);
		/* In double quotes for the file, so none inside. */
		if (strchr(word, '"') != NULL)
			word = headers[o->header].lower;
		text = apr_psprintf(pool, "%s%s%s %s /%s/i", text,
		    i == 0  ? ""
		    : x->or ? " || "
			    : " && ",
		    word, o->negated ? "!~" : "=~", patterns[o->pattern]);
	}
	add(c, "%s \"%s\">\nHeader %s Vary X-Body-%d\n</If>\n",
	    pick(4) == 0 ? "<if" : "<If", text, pick(2) ? "append" : "merge",
	    x->body);
	c->niffs++;
}

static void
write_misc(struct combination *c)
{
	int h = (int)pick(NHEADERS), p = (int)pick(NPATTERNS);

	switch (pick(11)) {
	case 0: add(c, "Header append Vary X-Plain\n"); break;
	case 1: add(c, "Header always merge Vary X-Always\n"); break;
	case 2: add(c, "Header unset Vary\n"); break;
	case 3: add(c, "Header set Vary: \"X-Set, x-plain\"\n"); break;
	case 4:
		add(c, "Header set X-T 1 \"expr=%s =~ /%s/\"\n",
		    headers[h].cond, patterns[p]);
		break;
	case 5:
		add(c, "RequestHeader set X-T 1 \"expr=%s =~ /%s/\"\n",
		    headers[h].cond, patterns[p]);
		break;
	case 6:
		add(c, "SetEnvIfExpr \"%s =~ /%s/\" y=1\n", headers[h].cond,
		    patterns[p]);
		break;
	case 7:
		add(c, "Header edit* Vary \"(^|,\\s*)%s\" \"\"\n",
		    h == 4 ? "Cookie" : headers[h].name); /* no prefix of
							      another's */
		break;
	case 8:
		add(c, "SetEnvIf User-Agent iPhone mob\n"
		       "Header set X-M 1 env=mob\n");
		break;
	case 9:
		add(c,
		    "<RequireAll>\nRequire all granted\n"
		    "Require expr \"%s !~ /never/\"\n</RequireAll>\n",
		    headers[h].cond);
		break;
	default:
		add(c, "<IfModule !mod_headers.c>\n"
		       "Header append Vary X-Never\n</IfModule>\n");
		break;
	}
}

static struct combination *
combination_new(int n)
{
	struct combination *c = apr_pcalloc(pool, sizeof *c);
	unsigned i, steps = 1 + pick(6);

	c->n = n;
	c->text = "RewriteEngine On\n";
	c->in_htaccess = pick(3) != 0;
	c->crlf = pick(5) == 0;
	for (i = 0; i < steps; i++)
		switch (pick(4)) {
		case 0:
		case 1:
			if (c->nrules < MAX_RULES)
				write_rule(c);
			break;
		case 2:
			if (c->niffs < MAX_IFS)
				write_if(c);
			break;
		default: write_misc(c); break;
		}
	return (c);
}

/* --- What they mean, from what the generator wrote ----------------------- */

static bool
holds(const struct cond *x, int profile)
{
	const char *v = profiles[profile].value[x->header];
	regex_t re;
	bool hit;

	assert_int_equal(
	    0, regcomp(&re, patterns[x->pattern],
		   REG_EXTENDED | REG_NOSUB | (x->nocase ? REG_ICASE : 0)));
	hit = regexec(&re, v != NULL ? v : "", 0, NULL, 0) == 0;
	regfree(&re);
	return (hit != x->negated);
}

static bool
fires(const struct rule *r, const char *path, int profile,
    bool counted[MAX_CONDS])
{
	int i = 0;

	memset(counted, 0, MAX_CONDS * sizeof *counted);
	if (!r->any && strcmp(path, "page.html") != 0)
		return (false);
	while (i < r->nconds) {
		bool ok = false;

		/* One group of alternatives. */
		for (;;) {
			if (!ok && holds(&r->cond[i], profile)) {
				ok = true;
				counted[i] = true;
			}
			if (!r->cond[i].ornext)
				break;
			i++;
		}
		i++;
		if (!ok)
			return (false);
	}
	return (true);
}

struct outcome {
	int status;
	bool fired[MAX_RULES], counted[MAX_RULES][MAX_CONDS];
	bool reached[MAX_IFS][MAX_CONDS], truth[MAX_IFS];
};

static void
play(const struct combination *c, int profile, struct outcome *o)
{
	const char *path = "page.html";
	int i, k, pass;

	memset(o, 0, sizeof *o);
	o->status = 200;
	for (pass = 0; pass < 2; pass++) {
		bool again = false;

		for (i = 0; i < c->nrules && !again; i++) {
			const struct rule *r = &c->rule[i];
			bool counted[MAX_CONDS];

			if (!fires(r, path, profile, counted))
				continue;
			o->fired[i] = true;
			for (k = 0; k < MAX_CONDS; k++)
				o->counted[i][k] |= counted[k];
			switch (r->target) {
			case DASH: break;
			case INTERNAL:
				path = "front.html";
				again = true;
				break;
			case REDIRECT: o->status = 301; return;
			case FORBID:
			case NTARGETS: o->status = 403; return;
			}
			if (r->last)
				break;
		}
		if (!again)
			break;
	}
	for (i = 0; i < c->niffs; i++) {
		const struct iff *x = &c->iff[i];
		bool t = false;

		for (k = 0; k < x->noperands; k++) {
			o->reached[i][k] = true;
			t = holds(&x->operand[k], profile);
			if (t == x->or)
				break;
		}
		o->truth[i] = t;
	}
}

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
    const struct outcome *o, int profile)
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
		return (
		    o->fired[i] && o->counted[i][k] &&
		    profiles[profile].value[c->rule[i].cond[k].header] != NULL);
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
				headers[c->iff[i].operand[k].header].name,
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

static const char *
file_text(const struct combination *c)
{
	const char *p;
	char *r, *w;

	if (!c->crlf)
		return (c->text);
	r = w = apr_palloc(pool, 2 * strlen(c->text) + 1);
	for (p = c->text; *p != '\0'; p++) {
		if (*p == '\n')
			*w++ = '\r';
		*w++ = *p;
	}
	*w = '\0';
	return (r);
}

static void
predict(struct combination *c)
{
	static const int version = HCONF_VERSION(2, 4, 71);
	struct hconf_options o = {
		.versions = &version, .nversions = 1, .no_files = true
	};
	struct hconf *h;
	struct hconf_node *tree;
	struct scan_model *m;
	struct scan_scope *dir;
	const char *text = file_text(c);
	const char *conf =
	    apr_psprintf(pool, "<Directory /d>\n%s</Directory>\n",
		c->in_htaccess ? "AllowOverride All\n" : text);
	int i;

	hconf_create(&h, &o, pool);
	scan_model_create(&m, &version, 1, pool);
	hconf_read_bytes(h, "conf", conf, strlen(conf), false, 0, &tree);
	(void)scan_model_add(m, tree, NULL);
	dir = scan_model_directory(m, "/d");
	if (c->in_htaccess) {
		hconf_read_bytes(h, ".htaccess", text, strlen(text), true,
		    HCONF_ALLOW_ALL, &tree);
		(void)scan_model_add(m, tree, dir);
	}
	scan_model_finish(m);
	c->sources = scan_model_sources(m);
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
}

/* --- The server ---------------------------------------------------------- */

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		fail_msg("%s: %s", path, strerror(errno));
}

static int
connected(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	struct timeval t = { 10, 0 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a.sin_port = htons((uint16_t)port);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
	if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return (fd);
	(void)close(fd);
	return (-1);
}

static int
free_port(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), r = -1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
	    getsockname(fd, (struct sockaddr *)&a, &len) == 0)
		r = ntohs(a.sin_port);
	(void)close(fd);
	return (r);
}

static void
stop(void)
{
	if (server > 0) {
		(void)kill(server, SIGTERM);
		(void)waitpid(server, NULL, 0);
		server = 0;
	}
}

static bool
start(const char *dirs)
{
	static const char *const load[] = { "mpm_event", "authz_core", "mime",
		"rewrite", "headers", "env", "setenvif", NULL };
	const struct timespec tick = { 0, 50000000 };
	const char *conf = "", *path;
	int try, i;

	for (i = 0; load[i] != NULL; i++)
		conf = apr_psprintf(pool,
		    "%s<IfModule !%s_module>\nLoadModule %s_module "
		    "%s/mod_%s.so\n</IfModule>\n",
		    conf, load[i], load[i], httpd.modules, load[i]);
	path = apr_psprintf(pool, "%s/httpd.conf", root);
	for (try = 0; try < 3; try++) {
		port = free_port();
		write_file(path,
		    apr_psprintf(pool,
			"ServerRoot %s\nServerName localhost\n"
			"Listen 127.0.0.1:%d\nPidFile %s/pid\n"
			"ErrorLog %s/log\nLogLevel error\n%s%s"
			"TypesConfig /dev/null\nAddType text/html .html\n"
			"DocumentRoot %s/htdocs\n<Directory %s/htdocs>\n"
			"AllowOverride All\nRequire all granted\n"
			"</Directory>\n%s",
			root, port, root, root,
			geteuid() == 0 ? "User nobody\nGroup nogroup\n" : "",
			conf, root, root, dirs));
		server = fork();
		if (server == 0) {
			int null = open("/dev/null", O_RDWR);

			(void)dup2(null, STDIN_FILENO);
			(void)dup2(STDERR_FILENO, STDOUT_FILENO);
			execl(httpd.program, httpd.program, "-f", path,
			    "-DFOREGROUND", (char *)NULL);
			_exit(127);
		}
		for (i = 0; i < 200; i++) {
			int fd = connected();

			if (fd >= 0) {
				(void)close(fd);
				return (true);
			}
			if (waitpid(server, NULL, WNOHANG) == server) {
				server = 0;
				break;
			}
			(void)nanosleep(&tick, NULL);
		}
		stop();
	}
	return (false);
}

/* The status; *ret_vary is the member list, "" without one. */
static int
ask(const char *path, int profile, const char **ret_vary)
{
	char *buf = apr_palloc(pool, 65536), *p;
	const char *request, *vary = "";
	size_t n = 0;
	ssize_t got;
	int fd = connected(), i;

	if (fd < 0)
		fail_msg("no connection to httpd: %s", strerror(errno));
	request = apr_psprintf(
	    pool, "GET %s HTTP/1.1\r\nConnection: close\r\n", path);
	for (i = 0; i < NHEADERS; i++)
		if (profiles[profile].value[i] != NULL)
			request = apr_psprintf(pool, "%s%s: %s\r\n", request,
			    headers[i].name, profiles[profile].value[i]);
	request = apr_pstrcat(pool, request, "\r\n", NULL);
	assert_int_equal(
	    (ssize_t)strlen(request), write(fd, request, strlen(request)));
	while (n < 65535 && (got = read(fd, buf + n, 65535 - n)) > 0)
		n += (size_t)got;
	(void)close(fd);
	buf[n] = '\0';
	p = strstr(buf, "\r\n\r\n");
	if (p == NULL) {
		fail_msg("no response from httpd for %s", path);
		return (0);
	}
	*p = '\0';
	for (p = buf; p != NULL; p = strstr(p, "\r\n")) {
		if (*p == '\r')
			p += 2;
		if (strncasecmp(p, "Vary:", 5) == 0)
			vary = apr_psprintf(pool, "%s,%.*s", vary,
			    (int)strcspn(p + 5, "\r"), p + 5);
	}
	*ret_vary = vary;
	return (atoi(buf + 9));
}

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

static void
what_is_predicted_is_what_is_sent(void **state)
{
	const char *env = getenv("SCAN_HTTPD_COUNT"), *dirs = "";
	int n = env != NULL ? atoi(env) : 100, i, p, k;
	unsigned requests = 0, with_vary = 0, wrong = 0;
	struct combination **all;

	(void)state;
	if (httpd.program == NULL) {
		print_message("no Apache httpd here: skipped\n");
		skip();
		return;
	}
	env = getenv("SCAN_HTTPD_SEED");
	seed = env != NULL ? strtoull(env, NULL, 10) : 20260101;
	print_message(
	    "# %d combinations from seed %llu\n", n, (unsigned long long)seed);
	all = apr_palloc(pool, (size_t)n * sizeof(*all));
	for (i = 0; i < n; i++) {
		const char *dir =
		    apr_psprintf(pool, "%s/htdocs/d%04d", root, i);

		all[i] = combination_new(i);
		predict(all[i]);
		assert_int_equal(0, mkdir(dir, 0755));
		write_file(apr_pstrcat(pool, dir, "/page.html", NULL), "page");
		write_file(
		    apr_pstrcat(pool, dir, "/front.html", NULL), "front");
		if (all[i]->in_htaccess)
			write_file(apr_pstrcat(pool, dir, "/.htaccess", NULL),
			    file_text(all[i]));
		else
			dirs = apr_psprintf(pool,
			    "%s<Directory %s>\n%s</Directory>\n", dirs, dir,
			    file_text(all[i]));
	}
	if (!start(dirs)) {
		const char *log = "no log";
		size_t len;

		(void)hconf_slurp(
		    apr_psprintf(pool, "%s/log", root), &log, &len, pool);
		fail_msg("httpd does not start: %s", log);
	}
	for (i = 0; i < n; i++)
		for (p = 0; p < NPROFILES; p++) {
			struct outcome o;
			const char *vary = "", *predicted = "";
			int status;

			play(all[i], p, &o);
			for (k = 0; k < all[i]->sources->nelts; k++) {
				const struct scan_model_source *s =
				    &APR_ARRAY_IDX(all[i]->sources, k,
					struct scan_model_source);

				if (expected(all[i], s, &o, p))
					predicted = apr_pstrcat(pool, predicted,
					    ",", s->pub.member, NULL);
			}
			status = ask(apr_psprintf(pool, "/d%04d/page.html", i),
			    p, &vary);
			requests++;
			if (*vary != '\0')
				with_vary++;
			if (status == o.status && same_list(vary, predicted) &&
			    same_list(predicted, vary))
				continue;
			if (wrong++ < 5)
				print_message("# profile %d: status %d, "
					      "expected %d; Vary \"%s\", "
					      "predicted \"%s\"\n%s\n",
				    p, status, o.status, vary, predicted,
				    all[i]->text);
		}
	stop();
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
	stop();
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
