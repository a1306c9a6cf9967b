/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char *
probe_file_read(const char *name, size_t max, size_t *ret_len)
{
	FILE *f = fopen(name, "re");
	struct stat st;
	char *b = NULL, *grown;
	size_t cap = 65536, n = 0;
	int e = 0;

	if (f == NULL)
		return (NULL);
	/* What is there now, its end included; a pipe tells no length. */
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size <= max)
		cap = (size_t)st.st_size + 2;
	do {
		if (b == NULL || n + 1 == cap) {
			cap = b == NULL ? cap : cap * 2;
			grown = realloc(b, cap);
			if (grown == NULL) {
				e = ENOMEM;
				break;
			}
			b = grown;
		}
		n += fread(b + n, 1, cap - 1 - n, f);
		if (ferror(f))
			e = errno != 0 ? errno : EIO;
		else if (n > max)
			e = EFBIG;
	} while (e == 0 && !feof(f));
	(void)fclose(f);
	if (e != 0) {
		free(b);
		errno = e;
		return (NULL);
	}
	b[n] = '\0';
	*ret_len = n;
	return (b);
}
