/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "tests/unit/combination.h"

#include <regex.h>
#include <string.h>

#include <apr_strings.h>

#include "tests/unit/unit.h"

const struct combination_header combination_headers[NHEADERS] = {
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

const struct combination_visitor combination_visitors[NVISITORS] = {
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

static unsigned
pick(struct combination *c, unsigned n)
{
	/* splitmix64: the same everywhere, which rand() is not. */
	uint64_t z = (*c->seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((unsigned)((z ^ (z >> 31)) >> 33) % n);
}

/* --- Making one ---------------------------------------------------------- */

static void add(struct combination *c, const char *fmt, ...)
    __attribute__((__format__(__printf__, 2, 3)));

static void
add(struct combination *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	c->text = apr_pstrcat(
	    c->pool, c->text, apr_pvsprintf(c->pool, fmt, ap), NULL);
	va_end(ap);
}

static struct combination_cond
cond_new(struct combination *c)
{
	return ((struct combination_cond){ .header = (int)pick(c, NHEADERS),
	    .pattern = (int)pick(c, NPATTERNS),
	    .negated = pick(c, 4) == 0,
	    .ornext = pick(c, 4) == 0,
	    .novary = pick(c, 6) == 0 });
}

static void
write_cond(struct combination *c, struct combination_cond *x)
{
	const char *test = combination_headers[x->header].cond;
	const char *quote = pick(c, 4) == 0 ? "\"" : "";
	const char *flags = "";

	if (pick(c, 6) == 0) /* in the middle of a word, as one may */
		test = apr_psprintf(c->pool, "%.4s\\\n%s", test, test + 4);
	if (x->ornext && x->novary)
		flags = pick(c, 2) ? " [OR,NV]" : " [novary,ornext]";
	else if (x->ornext)
		flags = " [or]";
	else if (x->novary)
		flags = " [NC,NV]";
	else if (pick(c, 4) == 0)
		flags = " [NC]";
	x->nocase = strstr(flags, "NC") != NULL;
	add(c, "%s%s%s%s %s%s%s\n",
	    pick(c, 5) == 0 ? "\trewritecond " : "RewriteCond ", quote, test,
	    quote, x->negated ? "!" : "", patterns[x->pattern], flags);
}

static void
write_rule(struct combination *c)
{
	struct combination_rule *r = &c->rule[c->nrules++];
	int i;

	r->nconds = (int)pick(c, MAX_CONDS + 1);
	r->target = (enum combination_target)pick(c, NTARGETS);
	r->any = pick(c, 2) == 0;
	r->last = pick(c, 3) == 0;
	if (r->target != DASH && r->nconds == 0)
		r->target = DASH; /* else nothing else would be seen */
	if (r->target == INTERNAL)
		r->any = false; /* else it would turn in circles */
	for (i = 0; i < r->nconds; i++) {
		r->cond[i] = cond_new(c);
		if (i == r->nconds - 1)
			r->cond[i].ornext = false;
		write_cond(c, &r->cond[i]);
		if (pick(c, 6) == 0)
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
	struct combination_if *x = &c->iff[c->niffs];
	const char *text = "";
	int i;

	x->noperands = 1 + (int)pick(c, MAX_CONDS);
	x->or = pick(c, 2) == 0;
	x->body = c->n * 10 + c->niffs;
	for (i = 0; i < x->noperands; i++) {
		struct combination_cond *o = &x->operand[i];
		const char *word;

		*o = cond_new(c);
		o->nocase = true;
		word = pick(c, 3) == 0 ? combination_headers[o->header].lower
				       : combination_headers[o->header].expr;
		if (o->novary)
			word = apr_psprintf(c->pool, "%%{req_novary:%s}",
			    combination_headers[o->header].name);
		/* In double quotes for the file, so none inside. */
		if (strchr(word, '"') != NULL)
			word = combination_headers[o->header].lower;
		text = apr_psprintf(c->pool, "%s%s%s %s /%s/i", text,
		    i == 0  ? ""
		    : x->or ? " || "
			    : " && ",
		    word, o->negated ? "!~" : "=~", patterns[o->pattern]);
	}
	add(c, "%s \"%s\">\nHeader %s Vary X-Body-%d\n</If>\n",
	    pick(c, 4) == 0 ? "<if" : "<If", text,
	    pick(c, 2) ? "append" : "merge", x->body);
	c->niffs++;
}

static void
write_misc(struct combination *c)
{
	int h = (int)pick(c, NHEADERS), p = (int)pick(c, NPATTERNS);

	switch (pick(c, 11)) {
	case 0: add(c, "Header append Vary X-Plain\n"); break;
	case 1: add(c, "Header always merge Vary X-Always\n"); break;
	case 2: add(c, "Header unset Vary\n"); break;
	case 3: add(c, "Header set Vary: \"X-Set, x-plain\"\n"); break;
	case 4:
		add(c, "Header set X-T 1 \"expr=%s =~ /%s/\"\n",
		    combination_headers[h].cond, patterns[p]);
		break;
	case 5:
		add(c, "RequestHeader set X-T 1 \"expr=%s =~ /%s/\"\n",
		    combination_headers[h].cond, patterns[p]);
		break;
	case 6:
		add(c, "SetEnvIfExpr \"%s =~ /%s/\" y=1\n",
		    combination_headers[h].cond, patterns[p]);
		break;
	case 7:
		add(c, "Header edit* Vary \"(^|,\\s*)%s\" \"\"\n",
		    h == 4 ? "Cookie"
			   : combination_headers[h].name); /* no prefix of
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
		    combination_headers[h].cond);
		break;
	default:
		add(c, "<IfModule !mod_headers.c>\n"
		       "Header append Vary X-Never\n</IfModule>\n");
		break;
	}
}

struct combination *
combination_new(int n, uint64_t *seed, apr_pool_t *pool)
{
	struct combination *c = apr_pcalloc(pool, sizeof *c);
	unsigned i, steps;

	c->n = n;
	c->pool = pool;
	c->seed = seed;
	steps = 1 + pick(c, 6);
	c->text = "RewriteEngine On\n";
	c->in_htaccess = pick(c, 3) != 0;
	c->crlf = pick(c, 5) == 0;
	for (i = 0; i < steps; i++)
		switch (pick(c, 4)) {
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

const char *
combination_file(const struct combination *c)
{
	const char *p;
	char *r, *w;

	if (!c->crlf)
		return (c->text);
	r = w = apr_palloc(c->pool, 2 * strlen(c->text) + 1);
	for (p = c->text; *p != '\0'; p++) {
		if (*p == '\n')
			*w++ = '\r';
		*w++ = *p;
	}
	*w = '\0';
	return (r);
}

/* --- What it does -------------------------------------------------------- */

static bool
holds(const struct combination_cond *x, int visitor)
{
	const char *v = combination_visitors[visitor].value[x->header];
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
fires(const struct combination_rule *r, const char *path, int visitor,
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
			if (!ok && holds(&r->cond[i], visitor)) {
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

void
combination_play(
    const struct combination *c, int visitor, struct combination_outcome *o)
{
	const char *path = "page.html";
	int i, k, pass;

	memset(o, 0, sizeof *o);
	o->status = 200;
	for (pass = 0; pass < 2; pass++) {
		bool again = false;

		for (i = 0; i < c->nrules && !again; i++) {
			const struct combination_rule *r = &c->rule[i];
			bool counted[MAX_CONDS];

			if (!fires(r, path, visitor, counted))
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
		const struct combination_if *x = &c->iff[i];
		bool t = false;

		for (k = 0; k < x->noperands; k++) {
			o->reached[i][k] = true;
			t = holds(&x->operand[k], visitor);
			if (t == x->or)
				break;
		}
		o->truth[i] = t;
	}
}
