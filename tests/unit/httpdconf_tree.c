/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the reader makes of files, for comparison with other readers: a line for
 * each directive, "DEPTH NAME ARG ARG ...", the arguments as httpd hands them to
 * the directive, with all but letters and digits as %XX.  A file begins with
 * "file NAME", an error is a line "error LINE".
 *
 * usage: httpdconf_tree FILE ...
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "httpdconf/tree.h"

static void
put(struct hconf_span s)
{
	size_t i;

	putchar(' ');
	for (i = 0; i < s.len; i++)
		if (isalnum((unsigned char)s.b[i]))
			putchar(s.b[i]);
		else
			printf("%%%02X", (unsigned char)s.b[i]);
}

static void
print(const struct hconf_node *n, int depth, apr_pool_t *pool)
{
	struct hconf_words w;
	struct hconf_span raw[3];
	unsigned i;

	for (; n != NULL; n = n->next) {
		printf("%d %.*s", depth, (int)n->name.len, n->name.b);
		if (n->id == HCONF_REWRITECOND || n->id == HCONF_REWRITERULE) {
			if (hconf_rewrite_words(n->args, raw))
				for (i = 0; i < 3 && raw[i].b != NULL; i++)
					put(raw[i]);
		} else {
			hconf_words(n->args, &w, pool);
			for (i = 0; i < w.n; i++)
				put(w.v[i]);
		}
		putchar('\n');
		print(n->child, depth + 1, pool);
	}
}

int
main(int argc, char **argv)
{
	static const int version = HCONF_VERSION(2, 4, 71);
	struct hconf_options o = {
		.versions = &version, .nversions = 1, .no_files = true
	};
	apr_pool_t *pool;
	int i, k;

	if (apr_initialize() != APR_SUCCESS ||
	    apr_pool_create(&pool, NULL) != APR_SUCCESS)
		return (EXIT_FAILURE);
	for (i = 1; i < argc; i++) {
		struct hconf *h;
		struct hconf_node *root;
		const char *b;
		size_t len;

		if (hconf_slurp(argv[i], &b, &len, pool) != APR_SUCCESS) {
			fprintf(stderr, "%s: cannot read\n", argv[i]);
			return (EXIT_FAILURE);
		}
		hconf_create(&h, &o, pool);
		hconf_read_bytes(h, argv[i], b, len, NULL, &root);
		printf("file %s\n", argv[i]);
		for (k = 0; k < hconf_problems(h)->nelts; k++) {
			const struct hconf_problem *p = &APR_ARRAY_IDX(
			    hconf_problems(h), k, struct hconf_problem);

			if (p->level == HCONF_ERROR)
				printf("error %u\n", p->first);
		}
		print(root->child, 0, pool);
	}
	apr_pool_destroy(pool);
	apr_terminate();
	return (fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
