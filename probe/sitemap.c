/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/sitemap.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBXML2
#include <libxml/xmlreader.h>

struct probe_sitemap {
	xmlTextReaderPtr reader;
	xmlChar *value;
	bool index;
	char *space; /* the root's namespace, or NULL */
	bool began;
};

static void
silent(void *arg, const char *msg, xmlParserSeverities sev,
    xmlTextReaderLocatorPtr at)
{
}

apr_status_t
probe_sitemap_open(struct probe_sitemap **ret, const char *xml, size_t len)
{
	struct probe_sitemap *s;

	if (len > PROBE_SITEMAP_MAX)
		return (APR_EINVAL);
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return (APR_ENOMEM);
	/* Neither XML_PARSE_NOENT nor DTDLOAD nor HUGE: an entity bomb and an
	 * external entity stay what they are, text. */
	s->reader = xmlReaderForMemory(xml, (int)len, NULL, NULL,
	    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
		XML_PARSE_COMPACT);
	if (s->reader == NULL) {
		free(s);
		return (APR_ENOMEM);
	}
	xmlTextReaderSetErrorHandler(s->reader, silent, NULL);
	*ret = s;
	return (APR_SUCCESS);
}

void
probe_sitemap_close(struct probe_sitemap **sp)
{
	struct probe_sitemap *s = *sp;

	*sp = NULL;
	if (s == NULL)
		return;
	xmlFreeTextReader(s->reader);
	xmlFree(s->value);
	free(s->space);
	free(s);
}

static bool
in_space(const struct probe_sitemap *s)
{
	const xmlChar *u = xmlTextReaderConstNamespaceUri(s->reader);

	/* image:loc and its like are of another one. */
	if (u == NULL || s->space == NULL)
		return (u == NULL && s->space == NULL);
	return (strcmp((const char *)u, s->space) == 0);
}

static const char *
name(const struct probe_sitemap *s)
{
	const xmlChar *n = xmlTextReaderConstLocalName(s->reader);

	return (n != NULL ? (const char *)n : "");
}

static char *
trim(char *t)
{
	char *e;

	t += strspn(t, " \t\r\n");
	e = t + strlen(t);
	while (e > t && strchr(" \t\r\n", e[-1]) != NULL)
		*--e = '\0';
	return (t);
}

apr_status_t
probe_sitemap_next(struct probe_sitemap *s, const char **ret, bool *ret_index)
{
	const xmlChar *u;
	int r, depth;
	char *t;

	while ((r = xmlTextReaderRead(s->reader)) == 1) {
		if (xmlTextReaderNodeType(s->reader) != XML_READER_TYPE_ELEMENT)
			continue;
		depth = xmlTextReaderDepth(s->reader);
		if (depth == 0) {
			if (strcmp(name(s), "sitemapindex") == 0)
				s->index = true;
			else if (strcmp(name(s), "urlset") != 0)
				return (APR_EINVAL);
			u = xmlTextReaderConstNamespaceUri(s->reader);
			if (u != NULL) {
				s->space = strdup((const char *)u);
				if (s->space == NULL)
					return (APR_ENOMEM);
			}
			s->began = true;
			continue;
		}
		if (depth != 2 || !in_space(s) || strcmp(name(s), "loc") != 0)
			continue;
		xmlFree(s->value);
		s->value = xmlTextReaderReadString(s->reader);
		if (s->value == NULL)
			continue;
		t = trim((char *)s->value);
		if (*t == '\0')
			continue;
		*ret = t;
		*ret_index = s->index;
		return (APR_SUCCESS);
	}
	return (r == 0 && s->began ? APR_EOF : APR_EINVAL);
}
#else
apr_status_t
probe_sitemap_open(struct probe_sitemap **ret, const char *xml, size_t len)
{
	return (APR_ENOTIMPL);
}

void
probe_sitemap_close(struct probe_sitemap **sp)
{
	*sp = NULL;
}

apr_status_t
probe_sitemap_next(struct probe_sitemap *s, const char **ret, bool *ret_index)
{
	return (APR_EOF);
}
#endif
