/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/accesslog.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static const struct {
	const char *name, *text;
} named[] = {
	{ "common", "%h %l %u %t \"%r\" %>s %b" },
	{ "combined",
	    "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" },
	{ "varykit",
	    "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" "
	    "\"%{Host}i\" \"%{Accept}i\" \"%{Accept-Encoding}i\" "
	    "\"%{Accept-Language}i\" \"%{Cookie}i\" \"%{Origin}i\" "
	    "\"%{Vary}o\" \"%{Cache-Control}o\" %D" },
	{ "varykit-ncsa",
	    "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\" "
	    "\"%{Host}i\" \"%{Accept}i\" \"%{Accept-Encoding}i\" "
	    "\"%{Accept-Language}i\" \"%{Cookie}i\" \"%{Origin}i\" "
	    "\"%{Vary}o\" \"%{Cache-Control}o\" %D \"%{Age}o\" "
	    "%{Varnish:handling}x" },
	{ NULL, NULL },
};

static enum live_field
field_of(char letter, const char *name, size_t len)
{
#define NAMED(s) (len == sizeof s - 1 && memcmp(name, s, sizeof s - 1) == 0)
	switch (letter) {
	case 't':
		if (len == 0)
			return (LIVE_FIELD_TIME);
		if (NAMED("sec") || NAMED("begin:sec") || NAMED("%s"))
			return (LIVE_FIELD_SECONDS);
		return (LIVE_FIELD_SKIP);
	case 'r': return (LIVE_FIELD_REQUEST);
	case 'm': return (LIVE_FIELD_METHOD);
	case 'U': return (LIVE_FIELD_URL);
	case 'q': return (LIVE_FIELD_QUERY);
	case 'v':
	case 'V': return (LIVE_FIELD_HOST);
	case 's': return (LIVE_FIELD_STATUS);
	case 'b':
	case 'B':
	case 'O': return (LIVE_FIELD_BYTES);
	case 'D': return (LIVE_FIELD_MICROSECONDS);
	case 'i': return (LIVE_FIELD_REQ_HEADER);
	case 'o': return (LIVE_FIELD_RESP_HEADER);
	case 'x':
		if (NAMED("Varnish:handling") || NAMED("Varnish:hitmiss"))
			return (LIVE_FIELD_HANDLING);
		if (NAMED("VSL:Timestamp:Req[1]") ||
		    NAMED("VSL:Timestamp:Start[1]"))
			return (LIVE_FIELD_SECONDS);
		return (LIVE_FIELD_SKIP);
	default: return (LIVE_FIELD_SKIP);
	}
#undef NAMED
}

int
live_log_format_init(struct live_log_format *f, const char *text)
{
	bool url = false, when = false;
	char lit[32];
	size_t lit_n = 0, i;

	assert(f != NULL && text != NULL);
	memset(f, 0, sizeof *f);
	if (strcmp(text, "json") == 0) {
		f->json = true;
		return (0);
	}
	for (i = 0; named[i].name != NULL; i++)
		if (strcmp(named[i].name, text) == 0)
			text = named[i].text;
	for (; *text != '\0'; text++) {
		const char *name = "";
		size_t len = 0;

		if (*text != '%' || text[1] == '%') {
			if (*text == '%' || (*text == '\\' && text[1] != '\0'))
				text++;
			if (lit_n == sizeof lit)
				return (-EINVAL);
			lit[lit_n++] = *text;
			continue;
		}
		text++;
		/* Conditions, "first" and "last": "%!200,304{Vary}o", "%>s". */
		while (*text != '\0' && strchr("<>!,0123456789", *text) != NULL)
			text++;
		if (*text == '{') {
			const char *e = strchr(text, '}');

			if (e == NULL)
				return (-EINVAL);
			name = text + 1;
			len = (size_t)(e - name);
			text = e + 1;
		}
		/* Two fields with nothing between them cannot be told apart. */
		if (*text == '\0' || f->n == LIVE_LOG_FIELDS ||
		    len >= sizeof f->f[0].name || (f->n > 0 && lit_n == 0))
			return (-EINVAL);
		f->f[f->n].field = field_of(*text, name, len);
		memcpy(f->f[f->n].name, name, len);
		memcpy(f->f[f->n].before, lit, lit_n);
		if (f->n > 0)
			f->f[f->n - 1].end = lit[0];
		url = url || f->f[f->n].field == LIVE_FIELD_REQUEST ||
		      f->f[f->n].field == LIVE_FIELD_URL;
		when = when || f->f[f->n].field == LIVE_FIELD_TIME ||
		       f->f[f->n].field == LIVE_FIELD_SECONDS;
		f->n++;
		lit_n = 0;
		memset(lit, 0, sizeof lit);
	}
	if (f->n == 0 || !url || !when || lit_n == sizeof f->after)
		return (-EINVAL);
	memcpy(f->after, lit, lit_n);
	if (lit_n > 0)
		f->f[f->n - 1].end = lit[0];
	return (0);
}
