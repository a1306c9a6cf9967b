/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/num.h"

char *
bench_options_keep(struct bench_options *o, char *s)
{
	if (s == NULL || o->n_text == BENCH_TEXTS) {
		free(s);
		return (NULL);
	}
	o->text[o->n_text++] = s;
	return (s);
}

void
bench_options_fini(struct bench_options *o)
{
	while (o->n_text > 0)
		free(o->text[--o->n_text]);
}

int
bench_options_file(struct bench_options *o, const char *what, const char *file,
    char **ret, size_t *ret_len, struct bench_refusal *why)
{
	enum {
		MAX = 1 << 20
	};
	char *text;
	size_t n;
	FILE *f;

	f = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	if (f == NULL)
		return (bench_refuse_usage(
		    why, "%s %s: %s", what, file, strerror(errno)));
	text = malloc(MAX + 1);
	n = text != NULL ? fread(text, 1, MAX + 1, f) : 0;
	if (f != stdin)
		(void)fclose(f);
	if (text != NULL && n <= MAX)
		text[n] = '\0';
	if (n > MAX || (text != NULL && strlen(text) != n)) {
		free(text);
		return (bench_refuse_usage(
		    why, "%s %s: no text, or above 1 MiB", what, file));
	}
	text = bench_options_keep(o, text);
	if (text == NULL)
		return (bench_refuse_usage(
		    why, "%s %s: out of memory", what, file));
	*ret = text;
	*ret_len = n;
	return (0);
}

int
bench_options_percentiles(
    const char *s, char separator, double *ret, unsigned max, unsigned *ret_n)
{
	char one[32];
	const char *end;
	unsigned n = 0;
	double p;
	size_t len;

	for (;; s = end + 1) {
		end = strchr(s, separator);
		len = end != NULL ? (size_t)(end - s) : strlen(s);
		if (len == 0 || len >= sizeof one || n == max)
			return (-EINVAL);
		memcpy(one, s, len);
		one[len] = '\0';
		if (cli_num_decimal(one, 0, 100, &p) < 0 || p <= 0 || p >= 100)
			return (-EINVAL);
		if (n > 0 && p / 100 <= ret[n - 1])
			return (-EINVAL);
		ret[n++] = p / 100;
		if (end == NULL)
			break;
	}
	*ret_n = n;
	return (0);
}
