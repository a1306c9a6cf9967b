/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probe/hash.h"

/*
 * SARIF 2.1.0.  GitHub takes no https: as the place of a finding, only a file of
 * the repository, and wants a region: the line of the cause if it is known, the
 * URL's line in --sarif-anchor, or else host and path as if they were a file.
 */

static const char *const descriptions[PROBE_NRULES] = {
	[PROBE_VARY_INCONSISTENT] =
	    "Only some responses of the URL name the header in Vary, and the "
	    "response depends on it",
	[PROBE_VARY_MISSING] =
	    "The response depends on a header that Vary does not name",
	[PROBE_VARY_REFLECTED] =
	    "The response repeats a header that any client can send and no "
	    "cache keys on",
	[PROBE_VARY_STAR] = "Vary has a star",
	[PROBE_VARY_SYNTAX] = "Vary is malformed",
	[PROBE_VARY_LEAK] =
	    "Vary names a header for which no effect was observed",
	[PROBE_VARY_COSTLY] =
	    "Vary rightly names a header that has very many values",
	[PROBE_VARY_PARTIAL] =
	    "Vary names a header of which only a part has an effect",
	[PROBE_VARY_PRESENCE] =
	    "Only the presence of a header in Vary has an effect",
	[PROBE_VARY_VALIDATOR] =
	    "304, 206, HEAD or ETag do not agree with the full response",
	[PROBE_VARY_HOP] = "The chosen cache does not do what Vary asks",
	[PROBE_VARY_REDUNDANT] = "Vary names what is in the key already",
};

static int
dump(FILE *f, json_t *j)
{
	int r;

	if (j == NULL)
		return (-1);
	r = json_dumpf(j, f, JSON_INDENT(1));
	json_decref(j);
	return (r != 0 || ferror(f) ? -1 : 0);
}

static int
begin(struct probe_report_context *c)
{
	json_t *rules = json_array();
	int i;

	for (i = 0; i < PROBE_NRULES; i++)
		(void)json_array_append_new(
		    rules, json_pack("{s:s, s:{s:s}, s:{s:s}}", "id",
			       probe_rule_name((enum probe_rule)i),
			       "shortDescription", "text", descriptions[i],
			       "defaultConfiguration", "level", "warning"));
	if (fputs("{\"$schema\": \"https://json.schemastore.org/"
		  "sarif-2.1.0.json\",\n \"version\": \"2.1.0\",\n "
		  "\"runs\": [{\"tool\": ",
		c->f) == EOF ||
	    dump(c->f,
		json_pack("{s:{s:s, s:s, s:s, s:o}}", "driver", "name",
		    "varyprobe", "informationUri",
		    "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5",
		    "version", PACKAGE_VERSION, "rules", rules)) != 0 ||
	    fputs(",\n\"columnKind\": \"utf16CodeUnits\",\n\"results\": [",
		c->f) == EOF)
		return (-1);
	c->printed = 0;
	return (0);
}

/* Percent-encode what a relative reference may not hold. */
static char *
as_path(const char *url)
{
	const char *p = strstr(url, "://");
	bool file = p == NULL;
	char *out, *o;

	p = p != NULL ? p + 3 : url;
	out = o = malloc(3 * strlen(p) + 16);
	if (out == NULL)
		return (NULL);
	for (; *p != '\0'; p++)
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		    (*p >= '0' && *p <= '9') || strchr("/-._~", *p) != NULL)
			*o++ = *p;
		else
			o += sprintf(o, "%%%02X", (unsigned char)*p);
	if (!file && o > out && o[-1] == '/')
		o += sprintf(o, "index");
	*o = '\0';
	return (out);
}

/* The line of the anchor file that holds the URL; 1 if none does. */
static int
anchor_line(const struct probe_report_context *c, const char *url)
{
	const char *p = c->anchor_text, *at, *e;
	size_t n = strlen(url);
	int line = 1;

	for (at = p; at != NULL && (at = strstr(at, url)) != NULL; at++) {
		e = at + n;
		/* The whole word: /a is no line of /ab. */
		if (*e == '\0' || strchr(" \t\r\n<\"'", *e) != NULL)
			break;
	}
	for (; at != NULL && p < at; p++)
		line += *p == '\n';
	return (line);
}

static json_t *
text(const char *s)
{
	json_t *j = json_string(s);

	return (j != NULL ? j : json_string("(no UTF-8)"));
}

static int
result(struct probe_report_context *c, const struct probe_result *r,
    const struct probe_finding *f)
{
	char fingerprint[32], *path = as_path(r->url), *message = NULL;
	const char *member = f->member != NULL ? f->member : "";
	const char *file = path;
	uint64_t h;
	int line = 1, ret;

	if (path == NULL)
		return (-1);
	if (f->cause.file != NULL) {
		file = f->cause.file;
		line = f->cause.line;
	} else if (c->anchor != NULL) {
		file = c->anchor;
		line = anchor_line(c, r->url);
	}
	if (file != path) {
		free(path);
		path = as_path(file);
		if (path == NULL)
			return (-1);
	}
	h = probe_hash(1, r->url, strlen(r->url));
	h = probe_hash(h, member, strlen(member));
	h = probe_hash(h + (uint64_t)f->rule, "", 0);
	(void)snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, h);
	if (asprintf(&message, "%s: %s%s%s", r->url, f->message,
		f->fix_origin != NULL ? " Fix: " : "",
		f->fix_origin != NULL ? f->fix_origin : "") < 0) {
		free(path);
		return (-1);
	}
	ret = fputs(c->printed++ > 0 ? ",\n" : "\n", c->f) == EOF ? -1 : 0;
	if (ret == 0)
		ret = dump(
		    c->f, json_pack("{s:s, s:i, s:s, s:{s:o}, "
				    "s:[{s:{s:{s:o}, s:{s:i}}}], s:{s:s}, "
				    "s:{s:o, s:o}}",
			      "ruleId", probe_rule_name(f->rule), "ruleIndex",
			      (int)f->rule, "level", probe_level_name(f->level),
			      "message", "text", text(message), "locations",
			      "physicalLocation", "artifactLocation", "uri",
			      text(path), "region", "startLine", line,
			      "partialFingerprints", "varykit/v1", fingerprint,
			      "properties", "url", text(r->url), "member",
			      text(member)));
	free(path);
	free(message);
	return (ret);
}

static int
target(struct probe_report_context *c, const struct probe_result *r)
{
	int i;

	for (i = 0; i < r->findings->nelts; i++)
		if (result(c, r,
			&APR_ARRAY_IDX(r->findings, i, struct probe_finding)) !=
		    0)
			return (-1);
	return (0);
}

static int
end(struct probe_report_context *c, const struct probe_summary *s)
{
	return (fprintf(c->f,
		    "],\n\"properties\": {\"urls\": %" PRIu64
		    ", \"judged\": %" PRIu64 "}}]}\n",
		    s->urls, s->outcome[PROBE_JUDGED]) < 0
		    ? -1
		    : 0);
}

const struct probe_report probe_report_sarif = {
	"sarif",
	begin,
	target,
	end,
};
