/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nginx's configuration as a tree of blocks, with what matters for Vary in each;
 * and what is made of it when all of it is known.  Whoever wants findings
 * includes scan/nginx.h.
 * Room: scan/.
 */
#ifndef SCAN_NGINX_TREE_H
#define SCAN_NGINX_TREE_H

#include <apr_hash.h>

#include "scan/judge.h"

struct scan_nginx_word {
	const char *text; /* without quotes */
	unsigned line;
};

/* A place where a text with variables decides what is answered. */
struct scan_nginx_use {
	const char *file, *directive, *text;
	unsigned line;
};

/* add_header */
struct scan_nginx_added {
	const char *file, *value;
	unsigned line;
	bool vary;
};

/* One block: what is said in it, and what it takes from the one around it. */
struct scan_nginx_block {
	struct scan_nginx_block *parent;
	const char *name; /* "server"; NULL for the file */
	const char *file; /* where it begins */
	unsigned line;
	const char *cond;    /* of an "if": its words */
	bool gzip, gzip_set; /* on? said here? */
	bool gzip_vary, gzip_vary_set;
	unsigned gzip_line;
	const char *gzip_file;
	apr_array_header_t *headers; /* struct scan_nginx_added */
	apr_array_header_t *uses;    /* struct scan_nginx_use */
	bool varies;                 /* one of the headers is Vary */
	bool is_map;
	bool answers; /* there is more in it than set */
	bool refuses; /* return 403 and the like: nothing to cache */
};

/* A variable that map, set or split_clients makes from a text. */
struct scan_nginx_var {
	const char *name, *text;
	struct scan_nginx_var *next; /* of the same name */
	unsigned round;              /* the last one that came by here */
};

struct scan_nginx {
	struct scan_verdict *v;
	apr_pool_t *pool;
	unsigned eras;
	const char *root; /* what relative includes start from; NULL: none */
	apr_hash_t *vars; /* name -> struct scan_nginx_var */
	apr_array_header_t
	    *blocks; /* struct scan_nginx_block *, as they begin */
	size_t files, bytes;
	unsigned depth;
	unsigned round; /* of looking for what variables hang on */
};

struct scan_finding *scan_nginx_finding(struct scan_nginx *, const char *rule,
    enum scan_level, const char *file, unsigned line, const char *directive,
    const char *member, enum scan_when);

/* A file's text and, where there is a root, what it includes: to blocks. */
void scan_nginx_read(
    struct scan_nginx *, const char *name, const char *b, size_t len);

/* When all is read: blocks to findings. */
void scan_nginx_judge(struct scan_nginx *);
#endif
