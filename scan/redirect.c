/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include <apr_strings.h>

#include "scan/rewrite.h"
#include "scan/scope.h"

/* What Redirect, RedirectMatch and their like are given, as mod_alias reads it. */

static bool
read_status(struct hconf_span s, int *ret)
{
	if (!hconf_span_is(s, "gone"))
		return (scan_status_read(s, ret));
	*ret = 410;
	return (true);
}

/* A scheme and anything behind it, or a path of this host. */
static bool
is_place(struct hconf_span s)
{
	size_t i;

	if (s.len > 0 && *s.b == '/')
		return (true);
	for (i = 0; i < s.len; i++) {
		char c = s.b[i];

		if (c == ':')
			return (i > 0);
		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
		    !(c >= 'A' && c <= 'Z') && c != '+' && c != '-' && c != '.')
			return (false);
	}
	return (false);
}

/* Does a section or .htaccess say which paths it is about? */
static bool
has_path(const struct hconf_node *n)
{
	if (n->htaccess)
		return (true);
	/* The root of a file is a section without a name. */
	for (n = n->parent; n != NULL && n->name.len > 0; n = n->parent)
		if (n->id != HCONF_VIRTUALHOST)
			return (true);
	return (false);
}

static const char *
miscounted(enum hconf_id id, unsigned n)
{
	switch (id) {
	case HCONF_REDIRECT:
		return (n >= 1 && n <= 3
			    ? NULL
			    : "Redirect takes a status, a path and a URL, or "
			      "some of them");
	case HCONF_REDIRECTMATCH:
		return (n == 2 || n == 3
			    ? NULL
			    : "RedirectMatch takes a regular expression and a "
			      "URL, perhaps a status before them");
	default:
		return (n == 2 ? NULL
			       : "RedirectTemp and RedirectPermanent take a "
				 "path and a URL");
	}
}

static const char nowhere[] =
    "where it redirects to starts neither with a scheme nor with a slash";

const char *
scan_redirect_read(const struct hconf_node *n, struct scan_redirect *ret,
    apr_pool_t *scratch_pool)
{
	const bool match = n->id == HCONF_REDIRECTMATCH;
	struct hconf_words w;
	struct hconf_span url = { NULL, 0 };
	const char *error;
	bool told, moved;
	int status = 302;

	*ret = (struct scan_redirect){ .status = status };
	hconf_words(n->args, &w, scratch_pool);
	error = miscounted(n->id, w.n);
	if (error != NULL)
		return (error);
	if (n->id == HCONF_REDIRECTPERMANENT)
		status = 301;
	told = read_status(w.v[0], &status);
	moved = status >= 300 && status < 400;
	ret->status = status;
	if (w.n == 3 && !told)
		return ("the first of three arguments has to be a status");
	/* The place is the section's: an expression says where it moved to. */
	if (has_path(n) && (told ? w.n == 2 && moved : w.n == 1)) {
		ret->expr = w.v[told];
		/* httpd starts with that, and answers each request with 500. */
		return (memchr(ret->expr.b, '%', ret->expr.len) == NULL &&
				!is_place(ret->expr)
			    ? nowhere
			    : NULL);
	}
	if (told && w.n == 1 && !moved)
		return (NULL);
	if (w.n > told && match)
		ret->pattern = w.v[told];
	if (w.n > 1U + told)
		url = w.v[1 + told];
	if (moved && url.b == NULL)
		return ("the URL to redirect to is missing");
	if (!moved && url.b != NULL)
		return (apr_psprintf(scratch_pool,
		    "status %d is no redirect, and takes no URL", status));
	if (moved && !match && !is_place(url))
		return (nowhere);
	return (NULL);
}
