/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/accesslog_fact.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/*
 * {"time": 1796175654.777, "method": "GET", "host": "www.example.com",
 *  "url": "/", "status": 200, "bytes": 100, "handling": "miss",
 *  "req": {"User-Agent": "..."}, "resp": {"Vary": "...", "Age": "0"}}
 */

static bool
string(
    struct live_log_line *l, json_t *o, const char *key, struct vary_span *ret)
{
	json_t *v = json_object_get(o, key);
	char num[32];

	if (json_is_string(v) && strcmp(json_string_value(v), "-") != 0)
		return (live_log_keep(
		    l, json_string_value(v), json_string_length(v), ret));
	if (json_is_integer(v) && json_integer_value(v) >= 0) {
		int n = snprintf(
		    num, sizeof num, "%lld", (long long)json_integer_value(v));

		return (live_log_keep(l, num, (size_t)n, ret));
	}
	return (true);
}

static bool
object(struct live_log_line *l, json_t *o, struct live_log_facts *x)
{
	json_t *v = json_object_get(o, "time"), *req, *resp;
	const char *key;
	double t;

	/* varnishncsa can only write it as a string. */
	t = json_is_string(v) ? strtod(json_string_value(v), NULL)
			      : json_number_value(v);
	if (!(t > 0 && t < 1e12))
		return (false);
	x->us = (int64_t)(t * 1e6);
	v = json_object_get(o, "microseconds");
	t = json_number_value(v);
	if (t > 0 && t < 1e12)
		x->took_us = (int64_t)t;
	if (!string(l, o, "method", &x->method) ||
	    !string(l, o, "url", &x->url) || !string(l, o, "host", &x->host) ||
	    !string(l, o, "status", &x->status) ||
	    !string(l, o, "bytes", &x->bytes) ||
	    !string(l, o, "handling", &x->handling))
		return (false);
	req = json_object_get(o, "req");
	json_object_foreach(req, key, v)
	{
		struct live_header *h = &l->header[x->headers_n];

		if (!json_is_string(v) ||
		    strcmp(json_string_value(v), "-") == 0)
			continue;
		if (x->headers_n == LIVE_LOG_FIELDS)
			break;
		if (!live_log_keep(l, key, strlen(key), &h->name) ||
		    !live_log_keep(l, json_string_value(v),
			json_string_length(v), &h->value))
			return (false);
		x->headers_n++;
	}
	resp = json_object_get(o, "resp");
	json_object_foreach(resp, key, v)
	{
		struct vary_span value = { NULL, 0 };

		if (!string(l, resp, key, &value))
			return (false);
		if (value.b != NULL)
			live_log_resp_header(x, vary_span_str(key), value);
	}
	return (true);
}

/*
 * Apache writes a byte that it does not like as \xe4, which JSON has not: as
 * \u00e4 it stays the same value for the same bytes.  The length of it in *ret,
 * whose memory is the caller's; NULL: there was none, or no memory.
 */
static char *
without_hex(const char *b, size_t len, size_t *ret_len)
{
	char *out = NULL;
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		bool pair = b[i] == '\\' && i + 1 < len;

		if (pair && b[i + 1] == 'x' && i + 3 < len &&
		    live_log_hex(b[i + 2]) >= 0 &&
		    live_log_hex(b[i + 3]) >= 0) {
			/* Four bytes become six. */
			if (out == NULL) {
				out = malloc(len / 4 * 6 + 8);
				if (out == NULL)
					return (NULL);
				memcpy(out, b, i);
				n = i;
			}
			memcpy(out + n, "\\u00", 4);
			out[n + 4] = b[i + 2];
			out[n + 5] = b[i + 3];
			n += 6;
			i += 3;
			continue;
		}
		if (out != NULL)
			out[n++] = b[i];
		/* What a backslash stands before is no backslash of its own. */
		if (pair) {
			i++;
			if (out != NULL)
				out[n++] = b[i];
		}
	}
	*ret_len = n;
	return (out);
}

bool
live_log_json(struct live_log_line *l, const char *b, size_t len,
    struct live_log_facts *x)
{
	size_t n = 0;
	char *plain = without_hex(b, len, &n);
	json_t *o = plain != NULL ? json_loadb(plain, n, 0, NULL)
				  : json_loadb(b, len, 0, NULL);
	bool ok = json_is_object(o) && object(l, o, x);

	json_decref(o);
	free(plain);
	return (ok);
}
