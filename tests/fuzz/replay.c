/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stands in for libFuzzer: runs a target over the files and folders named on
 * the command line, and over all their beginnings, so that the corpus is a
 * test in every build.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file larger than this is no seed. */
#define SEED_MAX (1 << 20)
/* Beginnings of longer ones are tried at this many lengths. */
#define PREFIXES 256

static unsigned long runs;

static void
run(const uint8_t *data, size_t size)
{
	/* In a block of its own length: a sanitizer sees one byte too many. */
	uint8_t *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		abort();
	if (size > 0)
		memcpy(p, data, size);
	(void)LLVMFuzzerTestOneInput(p, size);
	free(p);
	runs++;
}

static int
replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *b;
	size_t n, i, step;

	if (f == NULL)
		return (-1);
	b = malloc(SEED_MAX);
	if (b == NULL)
		abort();
	n = fread(b, 1, SEED_MAX, f);
	(void)fclose(f);
	step = n / PREFIXES + 1;
	for (i = 0; i < n; i += step)
		run(b, i);
	run(b, n);
	free(b);
	return (0);
}

static int
replay(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char name[4096];
	int r = 0;

	if (d == NULL)
		return (replay_file(path));
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof name, "%s/%s", path, e->d_name);
		r |= replay_file(name);
	}
	(void)closedir(d);
	return (r);
}

int
main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	char path[4096];
	int i, r = 0;

	puts("1..1");
	for (i = 1; i < argc; i++)
		r |= replay(argv[i]);
	/* As a test it gets no arguments: the corpus of its name. */
	if (argc == 1 && top != NULL) {
		const char *base = strrchr(argv[0], '/');
		size_t len;

		base = base == NULL ? argv[0] : base + 1;
		if (strncmp(base, "lt-", 3) == 0)
			base += 3;
		len = strcspn(base, ".");
		(void)snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%.*s",
		    top, (int)len, base);
		r |= replay(path);
	}
	printf(
	    "%s 1 - %lu inputs\n", r == 0 && runs > 0 ? "ok" : "not ok", runs);
	return (r == 0 && runs > 0 ? 0 : 1);
}
