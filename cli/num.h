/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers as people write them on a command line, with limits.
 * Room: cli/.  Knows neither Vary nor disks; no locale.
 */
#ifndef CLI_NUM_H
#define CLI_NUM_H

#include <stdint.h>

/*
 * All return 0 and write *ret, or return a negative errno and leave it:
 *	-EINVAL		no number of this kind
 *	-ERANGE		a number, but outside [min, max] or of 64 bits
 */

/* "17": decimal digits only; no sign, no blank. */
int cli_num_count(const char *, uint64_t min, uint64_t max, uint64_t *ret);

/*
 * "4096", "4k", "4K", "4KiB", "1.5m", "2g", "1t", "1p": bytes, in powers of
 * 1024 as fio and Varnish read them; "4kB", "2MB", "1GB": powers of 1000 (SI).
 */
int cli_num_size(const char *, uint64_t min, uint64_t max, uint64_t *ret);

/* "500ms", "10s", "1.5m", "2h", "1d", "50us", "100ns", "10" (seconds):
 * nanoseconds. */
int cli_num_duration(const char *, uint64_t min, uint64_t max, uint64_t *ret);

/* "0.9", "5e-3" is refused: a plain decimal fraction, not negative. */
int cli_num_decimal(const char *, double min, double max, double *ret);
#endif
