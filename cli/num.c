/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/num.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{ "", 1 },
	{ "b", 1 },
	{ "k", UINT64_C(1) << 10 },
	{ "kib", UINT64_C(1) << 10 },
	{ "m", UINT64_C(1) << 20 },
	{ "mib", UINT64_C(1) << 20 },
	{ "g", UINT64_C(1) << 30 },
	{ "gib", UINT64_C(1) << 30 },
	{ "t", UINT64_C(1) << 40 },
	{ "tib", UINT64_C(1) << 40 },
	{ "p", UINT64_C(1) << 50 },
	{ "pib", UINT64_C(1) << 50 },
	{ "kb", UINT64_C(1000) },
	{ "mb", UINT64_C(1000000) },
	{ "gb", UINT64_C(1000000000) },
	{ "tb", UINT64_C(1000000000000) },
	{ "pb", UINT64_C(1000000000000000) },
	{ NULL, 0 },
};

static const struct unit duration_units[] = {
	{ "", UINT64_C(1000000000) },
	{ "ns", 1 },
	{ "us", UINT64_C(1000) },
	{ "ms", UINT64_C(1000000) },
	{ "s", UINT64_C(1000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ "d", UINT64_C(86400000000000) },
	{ NULL, 0 },
};

/*
 * Digits, and at most one point with digits after it: whole part, and the
 * fraction as fraction/scale.  Nine places are kept: a nanosecond.
 */
static int
digits(
    const char **sp, uint64_t *ret, uint64_t *ret_fraction, uint64_t *ret_scale)
{
	const char *s = *sp;
	uint64_t v = 0, f = 0, scale = 1;

	if (*s < '0' || *s > '9')
		return (-EINVAL);
	for (; *s >= '0' && *s <= '9'; s++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return (-ERANGE);
	}
	if (*s == '.') {
		s++;
		if (*s < '0' || *s > '9')
			return (-EINVAL);
		for (; *s >= '0' && *s <= '9'; s++) {
			if (scale == UINT64_C(1000000000))
				continue;
			f = f * 10 + (uint64_t)(*s - '0');
			scale *= 10;
		}
	}
	*sp = s;
	*ret = v;
	*ret_fraction = f;
	*ret_scale = scale;
	return (0);
}

static int
scaled(const char *s, const struct unit *u, uint64_t min, uint64_t max,
    uint64_t *ret)
{
	uint64_t v, f, scale, part;
	int r;

	if (s == NULL)
		return (-EINVAL);
	r = digits(&s, &v, &f, &scale);
	if (r < 0)
		return (r);
	while (u->name != NULL && strcasecmp(u->name, s) != 0)
		u++;
	if (u->name == NULL)
		return (-EINVAL);
	/* A fraction of the smallest unit is no number of them. */
	if (f != 0 && u->factor == 1)
		return (-EINVAL);
	part = u->factor / scale * f + u->factor % scale * f / scale;
	if (__builtin_mul_overflow(v, u->factor, &v) ||
	    __builtin_add_overflow(v, part, &v) || v < min || v > max)
		return (-ERANGE);
	*ret = v;
	return (0);
}

int
cli_num_count(const char *s, uint64_t min, uint64_t max, uint64_t *ret)
{
	static const struct unit none[] = { { "", 1 }, { NULL, 0 } };

	return (scaled(s, none, min, max, ret));
}

int
cli_num_size(const char *s, uint64_t min, uint64_t max, uint64_t *ret)
{
	return (scaled(s, size_units, min, max, ret));
}

int
cli_num_duration(const char *s, uint64_t min, uint64_t max, uint64_t *ret)
{
	return (scaled(s, duration_units, min, max, ret));
}

int
cli_num_decimal(const char *s, double min, double max, double *ret)
{
	uint64_t v, f, scale;
	double d;
	int r;

	if (s == NULL)
		return (-EINVAL);
	r = digits(&s, &v, &f, &scale);
	if (r < 0)
		return (r);
	if (*s != '\0')
		return (-EINVAL);
	d = (double)v + (double)f / (double)scale;
	if (d < min || d > max)
		return (-ERANGE);
	*ret = d;
	return (0);
}
