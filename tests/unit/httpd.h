/* SPDX-License-Identifier: BSD-2-Clause */
/* The httpd of this machine, if there is one, for tests that start it. */
#ifndef TESTS_UNIT_HTTPD_H
#define TESTS_UNIT_HTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

struct httpd {
	const char *program; /* NULL: there is none, with those modules */
	const char *modules; /* the folder they are in */
};

/* With these modules ("mod_info.so" ...), NULL-terminated, besides its own. */
static inline struct httpd
httpd_find(const char *const *with)
{
	static const struct httpd known[] = { { "/usr/sbin/apache2",
						  "/usr/lib/apache2/modules" },
		{ "/usr/sbin/httpd", "/usr/lib64/httpd/modules" } };
	char path[256];
	size_t i, k;

	for (i = 0; i < sizeof known / sizeof *known; i++) {
		bool there = access(known[i].program, X_OK) == 0 &&
			     access(known[i].modules, R_OK) == 0;

		for (k = 0; there && with[k] != NULL; k++) {
			(void)snprintf(path, sizeof path, "%s/%s",
			    known[i].modules, with[k]);
			there = access(path, R_OK) == 0;
		}
		if (there)
			return (known[i]);
	}
	return ((struct httpd){ NULL, NULL });
}
#endif
