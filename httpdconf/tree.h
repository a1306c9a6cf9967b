/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Apache configuration as a tree of directives: what is left when the
 * containers that httpd resolves while reading (IfModule, IfDefine, IfVersion,
 * IfFile), Define, Include and Macro have been carried out.
 *
 * An error never ends the reading.  It is noted with file and line where httpd
 * would refuse, and the rest is read as if the line were not there.
 *
 * Room: httpdconf/.  Knows nothing of Vary.  APR pools and files; never writes,
 * prints nothing.
 */
#ifndef HTTPDCONF_TREE_H
#define HTTPDCONF_TREE_H

#include <stdbool.h>

#include <apr_errno.h>
#include <apr_pools.h>
#include <apr_tables.h>

#include "httpdconf/directive.h"
#include "httpdconf/line.h"
#include "httpdconf/word.h"

/* A version of httpd as a number that compares: 2.4.29 is 20429. */
#define HCONF_VERSION(a, b, c) ((a)*10000 + (b)*100 + (c))

/* Most versions that one reading keeps apart. */
#define HCONF_VERSIONS_MAX 8

struct hconf_node {
	enum hconf_id id;
	enum hconf_kind kind;
	struct hconf_span name; /* without "<" and ">" */
	struct hconf_span args; /* without the ">" of a container */
	const char *file;
	unsigned first, last; /* physical lines of the file, from 1 */
	/*
	 * Bit n: the directive is there for versions[n] of the options.
	 * Never 0: what no version sees is not in the tree.
	 */
	unsigned versions;
	bool htaccess; /* from a per-directory file */
	bool joined;   /* spread over several physical lines */
	bool expanded; /* ${VAR} or a macro changed the text */
	/*
	 * In <IfModule !NAME>, of files that say nothing about modules: there
	 * where the module is not.  NULL: there anyway.
	 */
	const char *unless;
	const struct hconf_node *used; /* the Use that brought it, or NULL */
	struct hconf_node *parent, *child, *next;
	struct hconf_node *tail; /* the last child; private to the reader */
};

enum hconf_level {
	HCONF_NOTE,    /* nothing that httpd would mind */
	HCONF_WARNING, /* httpd reads on, most likely not as it was meant */
	HCONF_ERROR,   /* httpd does not start; for .htaccess, answers 500 */
};

struct hconf_problem {
	const char *file;
	unsigned first, last; /* 0 where no line is to blame */
	enum hconf_level level;
	bool htaccess;
	const char *text;
};

struct hconf_options {
	/*
	 * What relative paths start from; NULL: the directory of the first
	 * file read.  A ServerRoot directive counts where it exists.
	 */
	const char *server_root;
	/* "NAME" or "NAME=value", as httpd's -D; NULL-terminated, or NULL. */
	const char *const *defines;
	/* What <IfVersion> is asked about; at most HCONF_VERSIONS_MAX. */
	const int *versions;
	unsigned nversions;
	/* Directives that directive.h does not number are read, not kept. */
	bool known_only;
	/* <IfModule LiteSpeed> is true: the server is LiteSpeed. */
	bool litespeed;
	/* No file but those handed over is opened: for text from strangers. */
	bool no_files;
};

/* What a server lets .htaccess files say. */
struct hconf_overrides {
	unsigned classes;        /* AllowOverride: any of enum hconf_allow */
	struct hconf_words list; /* AllowOverrideList: directives */
	bool nonfatal;           /* what they may not say is passed over */
};
extern const struct hconf_overrides hconf_overrides_all;

/* Reading state: what earlier files defined is there for the next ones. */
struct hconf;

void hconf_create(
    struct hconf **ret, const struct hconf_options *, apr_pool_t *result_pool);

/*
 * Read one file of server configuration and all that it includes, or one
 * .htaccess with these overrides, which have to stay.  *ret is a container
 * without name that holds the directives.  Fails only where the file itself
 * cannot be read; what is wrong inside is a problem, see below.
 */
apr_status_t hconf_read(struct hconf *, const char *path,
    struct hconf_node **ret, apr_pool_t *scratch_pool);
apr_status_t hconf_read_htaccess(struct hconf *, const char *path,
    const struct hconf_overrides *, struct hconf_node **ret,
    apr_pool_t *scratch_pool);

/*
 * The same from memory, which has to stay: the tree borrows from it.  Without
 * overrides it is server configuration.
 */
void hconf_read_bytes(struct hconf *, const char *name, const char *b,
    size_t len, const struct hconf_overrides *, struct hconf_node **ret);

/* All problems so far, in the order found: struct hconf_problem. */
const apr_array_header_t *hconf_problems(const struct hconf *);

/* What the files held, as it was read: the spans of nodes point into it. */
struct hconf_text {
	const char *file;
	const char *b;
	size_t len;
};
const apr_array_header_t *hconf_texts(const struct hconf *);

/* Files opened so far: const char *; and the bytes they held. */
const apr_array_header_t *hconf_files(const struct hconf *);
size_t hconf_bytes(const struct hconf *);

const char *hconf_server_root(const struct hconf *);

/* A whole regular file into memory, NUL-terminated. */
apr_status_t hconf_slurp(const char *path, const char **ret, size_t *ret_len,
    apr_pool_t *result_pool);

/* Define a variable, as Define or the environment does. */
void hconf_define(struct hconf *, const char *name, const char *value);

/* Versions: "2.4.29" or "2.4" to a number; false for anything else. */
bool hconf_version_parse(struct hconf_span, int *ret);
#endif
