/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every unit test includes: cmocka, whose own header needs these four
 * before it, and input that a sanitizer or valgrind guards to the byte.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * A copy in a block of exactly its length, without a NUL, so that one byte
 * read too many is seen.  The caller frees it.
 */
static inline char *
unit_exact(const char *s, size_t len)
{
	char *p = malloc(len > 0 ? len : 1);

	if (p == NULL)
		abort();
	memcpy(p, s, len);
	return (p);
}
#endif
