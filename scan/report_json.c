/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "scan/report.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <apr_strings.h>

/* Every allocation of jansson's may fail; there is no way on from there. */
static json_t *
must(json_t *j)
{
	if (j == NULL)
		abort();
	return (j);
}

static void
put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, must(value)) != 0)
		abort();
}

static void
append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, must(value)) != 0)
		abort();
}

/* Files are bytes and JSON is UTF-8: what is not becomes \xNN. */
static json_t *
text(const char *s, apr_pool_t *pool)
{
	static const char hex[] = "0123456789abcdef";
	json_t *j;
	char *r, *w;

	if (s == NULL)
		return (json_null());
	j = json_string(s);
	if (j != NULL)
		return (j);
	r = w = apr_palloc(pool, strlen(s) * 4 + 1);
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x80) {
			*w++ = *s;
			continue;
		}
		*w++ = '\\';
		*w++ = 'x';
		*w++ = hex[c >> 4];
		*w++ = hex[c & 15];
	}
	*w = '\0';
	return (json_string(r));
}

static json_t *
eras(unsigned mask)
{
	json_t *a = must(json_array());
	unsigned e;

	for (e = SCAN_E1; e <= SCAN_E3; e <<= 1)
		if ((mask & e) != 0)
			append(a, json_string(scan_era_name((enum scan_era)e)));
	return (a);
}

static void
place(json_t *o, const struct scan_place *p, apr_pool_t *pool)
{
	put(o, "file", text(p->file, pool));
	put(o, "line", p->line == 0 ? json_null() : json_integer(p->line));
	put(o, "line_last",
	    p->line == 0 ? json_null() : json_integer(p->line_last));
	put(o, "directive", text(p->directive, pool));
}

static json_t *
finding(const struct scan_finding *x, apr_pool_t *pool)
{
	json_t *o = must(json_object());

	put(o, "rule", json_string(x->rule));
	put(o, "level", json_string(scan_level_name(x->level)));
	place(o, &x->place, pool);
	put(o, "member", text(x->member, pool));
	put(o, "when", json_string(scan_when_name(x->when)));
	put(o, "eras", eras(x->eras));
	put(o, "message", text(x->message, pool));
	put(o, "fix", text(x->fix, pool));
	put(o, "caution", text(x->caution, pool));
	put(o, "patched", json_boolean(x->patched));
	return (o);
}

static json_t *
source(const struct scan_source *s, apr_pool_t *pool)
{
	json_t *o = must(json_object());

	place(o, &s->place, pool);
	put(o, "member", text(s->member, pool));
	put(o, "when", json_string(scan_when_name(s->when)));
	put(o, "eras", eras(s->eras));
	put(o, "scope", text(s->scope, pool));
	put(o, "rule_line", s->rule == 0 ? json_null() : json_integer(s->rule));
	put(o, "any_status", json_boolean(s->any_status));
	return (o);
}

static json_t *
change(const struct scan_change *c, apr_pool_t *pool)
{
	json_t *o = must(json_object());

	put(o, "from", json_string(scan_era_name(c->from)));
	put(o, "to", json_string(scan_era_name(c->to)));
	put(o, "change", json_string(c->comes ? "comes" : "goes"));
	put(o, "member", text(c->member, pool));
	place(o, &c->place, pool);
	put(o, "when", json_string(scan_when_name(c->when)));
	return (o);
}

static int
dump(FILE *f, json_t *root)
{
	int r = json_dumpf(root, f, JSON_INDENT(2));

	json_decref(root);
	if (r != 0 || fputc('\n', f) == EOF)
		return (-1);
	return (0);
}

int
scan_report_json(FILE *f, const struct scan_result *r,
    const struct scan_view *v, apr_pool_t *scratch_pool)
{
	json_t *root = must(json_object()), *a, *o;
	unsigned count[SCAN_ERROR + 1] = { 0 };
	int i;

	(void)v;
	put(root, "schema", json_string("varykit.scan/1"));
	put(root, "server", json_string(scan_server_name(r->server)));
	put(root, "eras", eras(r->eras));
	a = must(json_array());
	for (i = 0; i < r->findings->nelts; i++) {
		const struct scan_finding *x =
		    &APR_ARRAY_IDX(r->findings, i, struct scan_finding);

		count[x->level]++;
		append(a, finding(x, scratch_pool));
	}
	put(root, "findings", a);
	a = must(json_array());
	for (i = 0; i < r->sources->nelts; i++)
		append(
		    a, source(&APR_ARRAY_IDX(r->sources, i, struct scan_source),
			   scratch_pool));
	put(root, "sources", a);
	a = must(json_array());
	for (i = 0; i < r->changes->nelts; i++)
		append(
		    a, change(&APR_ARRAY_IDX(r->changes, i, struct scan_change),
			   scratch_pool));
	put(root, "upgrade", a);
	a = must(json_array());
	for (i = 0; i < r->unread->nelts; i++) {
		const struct scan_unread *u =
		    &APR_ARRAY_IDX(r->unread, i, struct scan_unread);

		o = must(json_object());
		put(o, "path", text(u->path, scratch_pool));
		put(o, "why", text(u->why, scratch_pool));
		append(a, o);
	}
	put(root, "unread", a);
	o = must(json_object());
	put(o, "files", json_integer((json_int_t)r->files));
	put(o, "bytes", json_integer((json_int_t)r->bytes));
	put(o, "errors", json_integer(count[SCAN_ERROR]));
	put(o, "warnings", json_integer(count[SCAN_WARNING]));
	put(o, "notes", json_integer(count[SCAN_NOTE]));
	put(root, "summary", o);
	return (dump(f, root));
}

/* --- SARIF 2.1.0 --------------------------------------------------------- */

static const struct {
	const char *id, *text;
} rules[] = {
	{ "vary-leak", "A member of Vary that a condition put there" },
	{ "vary-redundant", "Host in Vary: in every cache's key already" },
	{ "vary-inconsistent", "Vary names a header on some variants only" },
	{ "vary-missing", "The response depends on a header not in Vary" },
	{ "vary-costly", "Vary names a header with very many values" },
	{ "vary-star", "Vary: * lets no two requests share a response" },
	{ "vary-syntax", "Not a list of names of request headers" },
	{ "conf-unread", "A file that this server does not read" },
	{ "conf-error", "The server would refuse this configuration" },
	{ "conf-dead-condition", "A condition that cannot do what it was "
				 "written for" },
};

/* A path as a URI reference. */
static json_t *
uri(const char *path, apr_pool_t *pool)
{
	static const char hex[] = "0123456789ABCDEF";
	char *r = apr_palloc(pool, strlen(path) * 3 + 8), *w = r;

	if (*path == '/') {
		memcpy(w, "file://", 7);
		w += 7;
	}
	for (; *path != '\0'; path++) {
		unsigned char c = (unsigned char)*path;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || strchr("/._-~", c) != NULL) {
			*w++ = *path;
			continue;
		}
		*w++ = '%';
		*w++ = hex[c >> 4];
		*w++ = hex[c & 15];
	}
	*w = '\0';
	return (json_string(r));
}

static json_t *
wrapped(const char *key, json_t *value)
{
	json_t *o = must(json_object());

	put(o, key, value);
	return (o);
}

static json_t *
result(const struct scan_finding *x, apr_pool_t *pool)
{
	json_t *o = must(json_object()), *physical, *region, *a;
	const char *message = x->message;
	size_t i;

	if (x->fix != NULL)
		message = apr_psprintf(pool, "%s. Fix: %s.", message, x->fix);
	put(o, "ruleId", json_string(x->rule));
	for (i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rules[i].id, x->rule) == 0)
			put(o, "ruleIndex", json_integer((json_int_t)i));
	put(o, "level", json_string(scan_level_name(x->level)));
	put(o, "message", wrapped("text", text(message, pool)));
	physical = must(json_object());
	put(physical, "artifactLocation",
	    wrapped("uri", uri(x->place.file, pool)));
	if (x->place.line > 0) {
		region = must(json_object());
		put(region, "startLine", json_integer(x->place.line));
		put(region, "endLine", json_integer(x->place.line_last));
		put(physical, "region", region);
	}
	a = must(json_array());
	append(a, wrapped("physicalLocation", physical));
	put(o, "locations", a);
	region = must(json_object());
	put(region, "when", json_string(scan_when_name(x->when)));
	put(region, "eras", eras(x->eras));
	put(region, "member", text(x->member, pool));
	put(o, "properties", region);
	return (o);
}

int
scan_report_sarif(FILE *f, const struct scan_result *r,
    const struct scan_view *v, apr_pool_t *scratch_pool)
{
	json_t *root = must(json_object()), *run = must(json_object()),
	       *driver = must(json_object()), *a;
	size_t k;
	int i;

	(void)v;
	put(root, "$schema",
	    json_string("https://json.schemastore.org/sarif-2.1.0.json"));
	put(root, "version", json_string("2.1.0"));
	put(driver, "name", json_string("varyprobe scan"));
	put(driver, "version", json_string(PACKAGE_VERSION));
	a = must(json_array());
	for (k = 0; k < sizeof rules / sizeof *rules; k++) {
		json_t *o = must(json_object());

		put(o, "id", json_string(rules[k].id));
		put(o, "shortDescription",
		    wrapped("text", json_string(rules[k].text)));
		append(a, o);
	}
	put(driver, "rules", a);
	put(run, "tool", wrapped("driver", driver));
	a = must(json_array());
	for (i = 0; i < r->findings->nelts; i++)
		append(a,
		    result(&APR_ARRAY_IDX(r->findings, i, struct scan_finding),
			scratch_pool));
	put(run, "results", a);
	a = must(json_array());
	append(a, run);
	put(root, "runs", a);
	return (dump(f, root));
}
