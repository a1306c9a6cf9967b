/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The httpd of this machine, if there is one: found, started on a port of
 * loopback, asked, and ended.
 */
#ifndef TESTS_UNIT_HTTPD_H
#define TESTS_UNIT_HTTPD_H

#include <stdbool.h>
#include <sys/types.h>

#include <apr_pools.h>

struct httpd {
	const char *program; /* NULL: there is none, with those modules */
	const char *modules; /* the folder they are in */
	pid_t pid;           /* 0: it does not run */
	int port;
};

/* With these modules ("mod_info.so" ...), NULL-terminated, besides its own. */
struct httpd httpd_find(const char *const *with);

/*
 * Start it on what root/htdocs holds, with the sections in `dirs` besides;
 * root/log is its error log.  False if it does not listen within ten seconds.
 */
bool
httpd_start(struct httpd *, const char *root, const char *dirs, apr_pool_t *);

/* End it, if it runs. */
void httpd_stop(struct httpd *);

/*
 * GET path with `lines`, each with its CR LF.  Returns the status; *ret_vary is
 * the members of Vary, "" without one.
 */
int httpd_get(const struct httpd *, const char *path, const char *lines,
    const char **ret_vary, apr_pool_t *);

/* Write a file, or fail the test. */
void httpd_write(const char *path, const char *text);
#endif
