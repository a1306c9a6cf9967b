/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/mountinfo.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The next field, ended by a NUL; NULL at the end of the line. */
static char *
field(char **p)
{
	char *begin = *p, *end;

	if (begin == NULL)
		return (NULL);
	end = strchr(begin, ' ');
	*p = end != NULL ? end + 1 : NULL;
	if (end != NULL)
		*end = '\0';
	return (begin);
}

void
bench_mountinfo_unescape(char *s)
{
	char *to = s;

	while (*s != '\0') {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 +
				       (s[3] - '0'));
			s += 4;
		} else
			*to++ = *s++;
	}
	*to = '\0';
}

int
bench_mountinfo_parse(char *line, struct bench_mount *ret)
{
	struct bench_mount m;
	char *p = line, *dev, *f, after;

	line[strcspn(line, "\n")] = '\0';
	(void)field(&p); /* id */
	(void)field(&p); /* parent */
	dev = field(&p);
	(void)field(&p); /* root */
	m.point = field(&p);
	(void)field(&p); /* the mount's options */
	do {
		f = field(&p); /* optional fields, up to a hyphen */
	} while (f != NULL && strcmp(f, "-") != 0);
	m.type = field(&p);
	m.source = field(&p);
	m.options = field(&p);
	if (dev == NULL || m.options == NULL ||
	    sscanf(dev, "%u:%u%c", &m.major, &m.minor, &after) != 2)
		return (-EINVAL);
	bench_mountinfo_unescape(m.point);
	bench_mountinfo_unescape(m.source);
	*ret = m;
	return (0);
}

unsigned
bench_mountinfo_option(
    const char *options, const char *name, char *buf, unsigned len)
{
	size_t n = strlen(name), value;

	while (*options != '\0') {
		value = strcspn(options, ",");
		if (value > n && memcmp(options, name, n) == 0 &&
		    options[n] == '=') {
			if (value - n - 1 >= len || value == n + 1)
				return (0);
			memcpy(buf, options + n + 1, value - n - 1);
			buf[value - n - 1] = '\0';
			return ((unsigned)(value - n - 1));
		}
		options += value;
		if (*options == ',')
			options++;
	}
	return (0);
}
