/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/har.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>
#include <jansson.h>

enum {
	SWITCHING = 101 /* to another protocol */
};

apr_status_t
probe_har_read(apr_array_header_t **ret, const char *text, size_t len,
    const char **ret_why, apr_pool_t *pool)
{
	apr_hash_t *seen = apr_hash_make(pool);
	apr_array_header_t *a;
	json_error_t error;
	json_t *root, *entries, *entry, *request, *response, *status;
	const char *method, *url, *copy;
	size_t i;

	/* Programs on Windows write a byte order mark. */
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	/* jansson's own limit of depth holds: 2048. */
	root = json_loadb(text, len, 0, &error);
	if (root == NULL) {
		*ret_why =
		    apr_psprintf(pool, "line %d: %s", error.line, error.text);
		return (APR_EINVAL);
	}
	entries = json_object_get(json_object_get(root, "log"), "entries");
	if (!json_is_array(entries)) {
		json_decref(root);
		*ret_why = "no log.entries: not a HAR file";
		return (APR_EINVAL);
	}
	a = apr_array_make(pool, 32, sizeof(const char *));
	json_array_foreach(entries, i, entry)
	{
		request = json_object_get(entry, "request");
		method = json_string_value(json_object_get(request, "method"));
		url = json_string_value(json_object_get(request, "url"));
		/* A WebSocket has the URL of its handshake. */
		response = json_object_get(entry, "response");
		status = json_object_get(response, "status");
		if (json_integer_value(status) == SWITCHING)
			continue;
		if (method == NULL || url == NULL ||
		    strcmp(method, "GET") != 0 ||
		    strncmp(url, "http", 4) != 0 ||
		    apr_hash_get(seen, url, APR_HASH_KEY_STRING) != NULL)
			continue;
		copy = apr_pstrdup(pool, url);
		apr_hash_set(seen, copy, APR_HASH_KEY_STRING, copy);
		APR_ARRAY_PUSH(a, const char *) = copy;
	}
	json_decref(root);
	*ret = a;
	return (APR_SUCCESS);
}
