/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/magnitude.h"

#include <stdio.h>

/* "12.3k": three digits and a unit of thousands. */
const char *
bench_thousands(char *buf, size_t len, double v)
{
	static const char units[] = " kMGT";
	unsigned i = 0;

	while (v >= 999.5 && i < 4) {
		v /= 1000;
		i++;
	}
	if (i == 0)
		(void)snprintf(buf, len, "%.0f", v);
	else
		(void)snprintf(buf, len, "%.*f%c",
		    v < 9.995   ? 2
		    : v < 99.95 ? 1
				: 0,
		    v, units[i]);
	return (buf);
}

/* "48.0MiB" or "50.3MB". */
const char *
bench_bytes(char *buf, size_t len, double v, bool binary)
{
	static const char units[] = " KMGTP";
	double step = binary ? 1024 : 1000;
	unsigned i = 0;

	while (v >= step && i < 5) {
		v /= step;
		i++;
	}
	if (i == 0)
		(void)snprintf(buf, len, "%.0fB", v);
	else
		(void)snprintf(buf, len, "%.*f%c%sB", v < 99.95 ? 1 : 0, v,
		    i == 1 && !binary ? 'k' : units[i], binary ? "i" : "");
	return (buf);
}
