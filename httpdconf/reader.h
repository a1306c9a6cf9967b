/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading from within: the state, and what the files of the reader share.
 * Whoever wants a tree includes httpdconf/tree.h.
 * Room: httpdconf/.
 */
#ifndef HTTPDCONF_READER_H
#define HTTPDCONF_READER_H

#include <apr_hash.h>

#include "httpdconf/tree.h"

/* httpd's own limit of nested inclusion. */
#define HCONF_DEPTH_MAX 128

struct hconf_macro_line {
	struct hconf_span text;
	const char *file;
	unsigned first, last;
	bool joined;
};

struct hconf_macro {
	const char *name;
	struct hconf_words params;
	apr_array_header_t *lines; /* struct hconf_macro_line */
	const char *file;
	unsigned line;
	bool in_use;
};

struct hconf {
	apr_pool_t *pool;
	struct hconf_options options;
	const char *server_root;
	apr_hash_t *vars;    /* name -> value, "" where Define gave none */
	apr_hash_t *valued;  /* name -> value, what ${} can be replaced by */
	apr_hash_t *macros;  /* lower-case name -> struct hconf_macro */
	apr_hash_t *modules; /* NULL while nothing is known */
	apr_array_header_t *problems, *files;
	apr_array_header_t *texts; /* struct hconf_text */
	struct hconf_node *spare;  /* allocated and not yet in the tree */
	size_t nspare, block;
	size_t bytes;
	unsigned depth, nfiles, nmacro;
	bool told_budget;
	const char *unless; /* as in struct hconf_node, of what is read now */
};

/* A container that was opened and not yet closed. */
struct hconf_open {
	struct hconf_span name;
	struct hconf_node *node; /* NULL: dissolved, or skipped */
	enum hconf_kind kind;
	unsigned first, last, versions;
	const char *unless; /* around it */
	bool skip;
};

/* One file, or one use of a macro: containers have to close within it. */
struct hconf_reading {
	struct hconf *h;
	const char *file;
	bool htaccess;
	const struct hconf_overrides *overrides; /* of .htaccess */
	struct hconf_node *parent;
	unsigned versions;
	const struct hconf_node *used;
	apr_array_header_t *opens; /* struct hconf_open */
	struct hconf_macro *macro; /* being defined */
	bool raw;                  /* in <Perl>: not our language */
};

/* Where a logical line came from. */
struct hconf_origin {
	const char *file;
	unsigned first, last;
	bool joined;
};

/* --- reader.c: lines and the tree they make ------------------------------ */

void hconf_complain(struct hconf *, const struct hconf_origin *, bool htaccess,
    enum hconf_level, const char *fmt, ...)
    __attribute__((__format__(__printf__, 5, 6)));

/* May it stand in this file?  False, and said, where it may not. */
bool hconf_permitted(struct hconf_reading *, const struct hconf_directive *,
    const struct hconf_origin *);

/* A copy in lower case. */
char *hconf_lower(struct hconf_span, apr_pool_t *);

/* All lines of a file; and one of them, continued ones joined. */
void hconf_lines_read(struct hconf_reading *, const char *b, size_t len);
void hconf_logical(struct hconf_reading *, struct hconf_span text,
    const struct hconf_origin *);

/* What is still open at the end of a file or macro. */
void hconf_finish(struct hconf_reading *, const char *what);

/* --- section.c: containers ----------------------------------------------- */

struct hconf_node *hconf_node_new(struct hconf_reading *, enum hconf_id,
    enum hconf_kind, struct hconf_span name, struct hconf_span args,
    const struct hconf_origin *, bool expanded);
struct hconf_open *hconf_open_top(struct hconf_reading *);
void hconf_open_pop(struct hconf_reading *);

/* In a section that does not count? */
bool hconf_skipping(struct hconf_reading *);
void hconf_section_open(struct hconf_reading *, struct hconf_span name,
    struct hconf_span args, const struct hconf_origin *, bool expanded);
void hconf_section_close(struct hconf_reading *, struct hconf_span name,
    struct hconf_span args, const struct hconf_origin *);

/* --- resolve.c: IfModule and its like ------------------------------------ */

/*
 * The versions that see what is inside; 0 skips it.  *ret_unless is set where a
 * module decides of which nothing is known.
 */
unsigned hconf_resolve(struct hconf_reading *, const struct hconf_directive *,
    struct hconf_span args, const struct hconf_origin *,
    const char **ret_unless);

/* --- include.c ----------------------------------------------------------- */

/* A path as httpd understands it: relative to ServerRoot. */
const char *hconf_rooted(struct hconf *, const char *path, apr_pool_t *);
void hconf_include(struct hconf_reading *, const struct hconf_words *,
    const struct hconf_origin *, bool optional);

/* --- macro.c: text that is replaced -------------------------------------- */

/* ${NAME}, on the whole line and before it is cut into words. */
struct hconf_span
hconf_expand(struct hconf *, struct hconf_span, bool *ret_changed);
void hconf_use(struct hconf_reading *, const struct hconf_words *,
    const struct hconf_origin *, struct hconf_span name,
    struct hconf_span args);
#endif
