/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * URLs, one after the other, from wherever they come; never all in memory but
 * for one sitemap or HAR file.
 * Room: probe/.
 */
#ifndef PROBE_INPUT_H
#define PROBE_INPUT_H

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>
#include <stdbool.h>
#include <stddef.h>

struct probe_input;

/*
 * Get a document.  The bytes are the source's until its next call.  On an error
 * *ret_why says what the matter is.
 */
typedef apr_status_t probe_input_fetch(void *baton, const char *url,
    const char **ret, size_t *ret_len, const char **ret_why);

struct probe_input_sources {
	const apr_array_header_t *urls;     /* const char * */
	const apr_array_header_t *hars;     /* const char *: files */
	const apr_array_header_t *sitemaps; /* const char *: URLs or files */
	const apr_array_header_t *lists; /* const char *: files; "-": stdin */
	probe_input_fetch *fetch;
	void *baton;
};

/*
 * In the order of the struct.  A line of a list is a URL; blanks around it, empty
 * lines and lines that begin with # are passed over.  The struct is copied, the
 * arrays are borrowed.
 */
apr_status_t probe_input_open(struct probe_input **ret,
    const struct probe_input_sources *, apr_pool_t *result_pool);
void probe_input_close(struct probe_input **);

/*
 * The next URL; *ret is good until the next call.  *ret_listed: nobody named this
 * one, so that robots.txt has a say.  APR_EAGAIN: none has come yet, and there is
 * probe_input_fd() to be waited for.  APR_EOF: there is none.  Another error:
 * *ret_why says of what file, and what the matter is; the next call goes on behind
 * it.
 */
apr_status_t probe_input_next(struct probe_input *, const char **ret,
    bool *ret_listed, const char **ret_why);
int probe_input_fd(const struct probe_input *);
#endif
