/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole files, from a disk or out of a pipe.
 * Room: probe/, doing: stdio.
 */
#ifndef PROBE_FILE_H
#define PROBE_FILE_H

#include <stddef.h>

/*
 * All that is in it and a NUL behind that, which the caller frees.  NULL with errno;
 * EFBIG: more than max bytes.
 */
char *probe_file_read(const char *name, size_t max, size_t *ret_len);
#endif
