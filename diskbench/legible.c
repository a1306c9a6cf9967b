/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/legible.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 sequence that begins here, and its code point; 0: it
 * is none. */
static unsigned
sequence(const unsigned char *s, uint32_t *ret)
{
	unsigned n = *s < 0x80   ? 1
		     : *s < 0xc2 ? 0
		     : *s < 0xe0 ? 2
		     : *s < 0xf0 ? 3
		     : *s < 0xf5 ? 4
				 : 0;
	uint32_t c = n < 2 ? *s : *s & (0x7fU >> n);
	unsigned i;

	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return (0);
		c = c << 6 | (s[i] & 0x3fU);
	}
	if ((n == 3 && c < 0x800) ||
	    (n == 4 && (c < 0x10000 || c > 0x10ffff)) ||
	    (c >= 0xd800 && c < 0xe000))
		return (0);
	*ret = c;
	return (n);
}

void
bench_legible(char *text)
{
	unsigned char *s = (unsigned char *)text, *d = s;
	unsigned n;
	uint32_t c;

	while (*s != '\0') {
		n = sequence(s, &c);
		if (n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) ||
		    (c >= 0x200b && c <= 0x200f) ||
		    (c >= 0x2028 && c <= 0x202e) ||
		    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
		    (c & 0xfffe) == 0xfffe) {
			*d++ = n == 1 && (*s == '\n' || *s == '\t') ? ' ' : '?';
			s += n > 0 ? n : 1;
			continue;
		}
		memmove(d, s, n);
		d += n;
		s += n;
	}
	*d = '\0';
}

const char *
bench_legible_copy(char *buf, size_t len, const char *text)
{
	(void)snprintf(buf, len, "%s", text);
	bench_legible(buf);
	return (buf);
}

void
bench_shell_word(char *buf, size_t len, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:,+=@%-";
	bool quote = *word == '\0' || word[strspn(word, plain)] != '\0';
	char *end = buf + len;

	(void)snprintf(buf, len, "%s", quote ? "'" : "");
	buf += strlen(buf);
	for (; *word != '\0'; word++) {
		(void)snprintf(buf, (size_t)(end - buf), "%s",
		    *word == '\'' ? "'\\''" : (char[]){ *word, '\0' });
		buf += strlen(buf);
	}
	(void)snprintf(buf, (size_t)(end - buf), "%s", quote ? "'" : "");
}
