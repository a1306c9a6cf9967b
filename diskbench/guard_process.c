/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/guard_process.h"

#ifdef __linux__
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool
opened_for_writing(const char *pid, const char *fd)
{
	char path[100], line[128];
	unsigned flags = 0;
	FILE *f;

	(void)snprintf(path, sizeof path, "/proc/%.20s/fdinfo/%.20s", pid, fd);
	f = fopen(path, "re");
	if (f == NULL)
		return (false);
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	(void)fclose(f);
	return ((flags & O_ACCMODE) != O_RDONLY);
}

/* how: "open", "mapped". */
static void
found_process(struct bench_look *l, const char *pid, const struct stat *what,
    const char *how)
{
	char path[64], name[64] = "?";
	FILE *f;

	(void)snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
	f = fopen(path, "re");
	if (f != NULL) {
		if (fgets(name, sizeof name, f) != NULL)
			name[strcspn(name, "\n")] = '\0';
		(void)fclose(f);
	}
	bench_look_found(l,
	    l->file != NULL ? BENCH_EXIT_SHARED : BENCH_EXIT_BUSY,
	    "process %.20s (%s) has %s %s for writing", pid, name,
	    S_ISREG(what->st_mode) && l->file == NULL ? "the file below it"
						      : "it",
	    how);
}

static void
check_fds_of(struct bench_look *l, const char *pid, int own)
{
	char dir[64], path[PATH_MAX];
	struct dirent *e;
	struct stat st;
	DIR *d;

	(void)snprintf(dir, sizeof dir, "/proc/%.20s/fd", pid);
	d = opendir(dir);
	if (d == NULL)
		return; /* gone, or not ours to look at */
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || (own >= 0 && atoi(e->d_name) == own))
			continue;
		(void)snprintf(path, sizeof path, "%s/%.20s", dir, e->d_name);
		if (stat(path, &st) == 0 && bench_look_is_ours(l, &st) &&
		    opened_for_writing(pid, e->d_name))
			found_process(l, pid, &st, "open");
	}
	(void)closedir(d);
}

/*
 * A mapping outlives the descriptor that it was made with, as a cache that
 * keeps its objects in a file may have it.  The device number in "maps" is not
 * everywhere the one that stat() has (btrfs, overlay), so what is mapped is
 * asked for itself.
 */
static void
check_maps_of(struct bench_look *l, const char *pid)
{
	char path[128], range[40], mode[8], *line = NULL;
	size_t cap = 0;
	struct stat st;
	int at;
	FILE *f;

	(void)snprintf(path, sizeof path, "/proc/%.20s/maps", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	while (l->hold->code == BENCH_EXIT_OK && getline(&line, &cap, f) > 0) {
		at = 0;
		if (sscanf(line, "%39s %7s %*s %*s %*s %n", range, mode, &at) <
			2 ||
		    strlen(mode) < 4 || mode[1] != 'w' || mode[3] != 's' ||
		    at == 0 || line[at] != '/')
			continue;
		(void)snprintf(
		    path, sizeof path, "/proc/%.20s/map_files/%s", pid, range);
		line[strcspn(line, "\n")] = '\0';
		if ((stat(path, &st) == 0 || stat(line + at, &st) == 0) &&
		    bench_look_is_ours(l, &st))
			found_process(l, pid, &st, "mapped");
	}
	free(line);
	(void)fclose(f);
}

void
bench_guard_each_process(struct bench_look *l,
    void (*see)(struct bench_look *, const char *pid, void *arg), void *arg)
{
	struct dirent *e;
	DIR *d;

	d = opendir("/proc");
	if (d == NULL) {
		bench_look_unseen(l, "/proc", errno);
		return;
	}
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			see(l, e->d_name, arg);
	(void)closedir(d);
}

static void
see_process(struct bench_look *l, const char *pid, void *arg)
{
	check_fds_of(l, pid, atoi(pid) == getpid() ? *(const int *)arg : -1);
	check_maps_of(l, pid);
}

void
bench_guard_processes(struct bench_look *l, int fd)
{
	bench_guard_each_process(l, see_process, &fd);
}

void
bench_guard_locks(struct bench_look *l)
{
	static const char file[] = "/proc/locks";
	char line[256], kind[16];
	unsigned a, b;
	uint64_t ino;
	long pid;
	FILE *f;

	f = fopen(file, "re");
	if (f == NULL) {
		bench_look_unseen(l, file, errno);
		return;
	}
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%*s %15s %*s %*s %ld %x:%x:%" SCNu64, kind,
			&pid, &a, &b, &ino) != 5)
			continue;
		if (bench_fileset_has(&l->files, makedev(a, b), (ino_t)ino))
			bench_look_found(l, BENCH_EXIT_SHARED,
			    "process %ld has locked %s (%s)", pid,
			    l->file != NULL ? "it" : "the file below it", kind);
	}
	(void)fclose(f);
}
#endif
