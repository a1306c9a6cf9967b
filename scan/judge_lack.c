/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judging.h"

#include <strings.h>

#include <apr_strings.h>

static bool
cached_by_default(int status)
{
	return (status == 301 || status == 308);
}

void
scan_judge_lack(struct scan_judging *j, const struct scan_lack *l)
{
	struct scan_place p = scan_place_of(l->node, j->pool);
	unsigned eras = scan_model_eras(j->m, l->versions);
	struct scan_finding *f;
	enum scan_level level = SCAN_WARNING;
	bool apache = scan_model_server(j->m) == SCAN_SERVER_APACHE;
	const char *server = apache ? "httpd" : "LiteSpeed";
	bool lost_with_status = l->kind == SCAN_LACK_REDIRECT ||
				l->kind == SCAN_LACK_REFUSE ||
				(l->kind == SCAN_LACK_SUBST && l->status != 0);

	if (l->member != NULL && l->kind != SCAN_LACK_UNSET &&
	    scan_model_declares(
		j->m, l->scope, l->member, l->versions, lost_with_status))
		return;
	if (l->member != NULL &&
	    scan_member_class(l->member) == SCAN_MEMBER_PRIVATE)
		level = SCAN_NOTE;
	switch (l->kind) {
	case SCAN_LACK_REDIRECT:
		f = scan_judging_finding(j, "vary-missing",
		    cached_by_default(l->status) ? level : SCAN_NOTE, p,
		    l->member, SCAN_ONLY_STATUS, eras);
		f->message = apr_psprintf(j->pool,
		    "the %d depends on %s, and %s: a cache that keeps it sends "
		    "everybody there",
		    l->status, l->member,
		    apache ? "httpd drops Vary from redirects"
			   : "LiteSpeed's conditions never add to Vary");
		f->fix = apr_psprintf(j->pool,
		    "add E=redirected:1 to the rule and \"Header always merge "
		    "Vary %s env=redirected\"; or keep the redirect out of "
		    "caches (Cache-Control: no-store)",
		    l->member);
		return;
	case SCAN_LACK_REFUSE:
		/* 403 and most others are not kept without being told to. */
		if (l->status != 404 && l->status != 410)
			return;
		f = scan_judging_finding(j, "vary-missing", SCAN_NOTE, p,
		    l->member, SCAN_ONLY_STATUS, eras);
		f->message = apr_psprintf(j->pool,
		    "the %d depends on %s, and %s leaves Vary out of error "
		    "pages; caches may keep it",
		    l->status, l->member, server);
		f->fix = "answer 403, or send Cache-Control: no-store with "
			 "Header always set";
		return;
	case SCAN_LACK_PERDIR:
		f = scan_judging_finding(j, "vary-missing", level, p, l->member,
		    SCAN_RULE_MATCHES, eras);
		f->message = apr_psprintf(j->pool,
		    "the page depends on %s, but %s", l->member,
		    apache ? "the internal rewrite drops it from Vary before "
			     "Apache 2.4.30"
			   : "LiteSpeed's conditions never add to Vary");
		f->fix =
		    apr_psprintf(j->pool, "Header merge Vary %s", l->member);
		return;
	case SCAN_LACK_STRING:
		f = scan_judging_finding(j, "vary-missing",
		    l->status == 0 || l->status == 302 ? level : SCAN_NOTE, p,
		    l->member, l->status == 0 ? l->when : SCAN_ONLY_STATUS,
		    eras);
		f->message = apr_psprintf(j->pool,
		    "%s is made from %s; an expression that makes a string "
		    "never adds to Vary",
		    l->detail, l->member);
		f->fix = apr_psprintf(j->pool, "Header %smerge Vary %s",
		    l->status == 0 ? "" : "always ", l->member);
		return;
	case SCAN_LACK_SUBST:
		f = scan_judging_finding(j, "vary-missing", level, p, l->member,
		    l->status != 0 ? SCAN_ONLY_STATUS : SCAN_RULE_MATCHES,
		    eras);
		f->message = apr_psprintf(j->pool,
		    "the substitution is made from %s; mod_rewrite adds to "
		    "Vary for conditions only",
		    l->member);
		f->fix = apr_psprintf(j->pool, "Header %smerge Vary %s",
		    l->status == 0 ? "" : "always ", l->member);
		return;
	case SCAN_LACK_ENV:
		/* Only of this one it is certain that it matters. */
		if (strcasecmp(l->detail, "Access-Control-Allow-Origin") != 0)
			level = SCAN_NOTE;
		f = scan_judging_finding(
		    j, "vary-missing", level, p, l->member, l->when, eras);
		f->message = apr_psprintf(j->pool,
		    "%s depends on %s by way of SetEnvIf, which never adds to "
		    "Vary",
		    l->detail, l->member);
		f->fix =
		    apr_psprintf(j->pool, "Header merge Vary %s", l->member);
		return;
	case SCAN_LACK_UNSET:
		f = scan_judging_finding(j, "vary-missing", SCAN_ERROR, p,
		    l->member, SCAN_POSSIBLE, eras);
		f->message = "responses are compressed and Vary is removed "
			     "after that: a cache sends gzip to clients that "
			     "cannot read it";
		f->fix = "remove single members with Header edit*, or add "
			 "\"Header merge Vary Accept-Encoding\" after this "
			 "line";
		return;
	case SCAN_LACK_SILENT:
		f = scan_judging_finding(
		    j, "vary-missing", level, p, l->member, SCAN_ALWAYS, eras);
		f->message = apr_psprintf(j->pool,
		    "what is in the section depends on %s, and LiteSpeed's "
		    "expressions never add to Vary",
		    l->member);
		f->fix =
		    apr_psprintf(j->pool, "Header merge Vary %s", l->member);
		return;
	case SCAN_LACK_FORCED:
		f = scan_judging_finding(j, "vary-missing", SCAN_WARNING, p,
		    NULL,
		    l->node->id == HCONF_SETENV ? SCAN_ALWAYS : SCAN_POSSIBLE,
		    eras);
		f->message = "force-no-vary removes Vary whatever the "
			     "response depends on, and makes it HTTP/1.0 "
			     "without keep-alive";
		f->fix = "remove it; take single members out with Header edit*";
		return;
	}
}
