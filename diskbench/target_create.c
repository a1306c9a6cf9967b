/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that are files of our own. */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "diskbench/random.h"
#include "diskbench/target.h"

static bool
below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return (
	    strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0'));
}

/*
 * A typing error in a device's name must not fill the machine's memory with a
 * file of that name in /dev.
 */
static int
check_place(const char *path, struct bench_refusal *why)
{
	static const char *const no[] = { "/dev", "/proc", "/sys" };
	char dir[PATH_MAX], real[PATH_MAX];
	struct stat a, b;
	char *slash;
	unsigned i;

	if (snprintf(dir, sizeof dir, "%s", path) >= (int)sizeof dir)
		return (bench_target_explain_open(path, ENAMETOOLONG, why));
	slash = strrchr(dir, '/');
	if (slash == NULL)
		(void)strcpy(dir, ".");
	else if (slash == dir)
		dir[1] = '\0';
	else
		*slash = '\0';
	if (realpath(dir, real) == NULL)
		return (bench_refuse(why, errno, BENCH_EXIT_NOENT,
		    "%s: cannot make a file there: %s", path, strerror(errno)));
	for (i = 0; i < sizeof no / sizeof *no; i++) {
		/* By name, and by what is mounted there under any name. */
		if (below(real, no[i]) ||
		    (stat(real, &a) == 0 && stat(no[i], &b) == 0 &&
			a.st_dev == b.st_dev && stat("/", &a) == 0 &&
			a.st_dev != b.st_dev))
			return (bench_refuse(why, EPERM, BENCH_EXIT_PLACE,
			    "%s: no such device, and no file is ever made "
			    "under %s; \"diskbench list\" shows the drives",
			    path, no[i]));
	}
	return (0);
}

static int
refuse_existing(const char *path, struct bench_refusal *why)
{
	return (bench_refuse(why, EEXIST, BENCH_EXIT_EXISTS,
	    "%s: exists already and is left alone; remove it, name another, "
	    "or leave out --create to measure that one",
	    path));
}

int
bench_target_may_create(const char *path, struct bench_refusal *why)
{
	struct stat st;
	int r;

	if (*path == '\0')
		return (bench_target_explain_open(path, ENOENT, why));
	r = check_place(path, why);
	if (r == 0 && lstat(path, &st) == 0)
		r = refuse_existing(path, why);
	/* Said before anything else is. */
	else if (r == 0 && errno == ENAMETOOLONG)
		r = bench_target_explain_open(path, errno, why);
	return (r);
}

static int
check_room(const char *path, int fd, uint64_t size, struct bench_refusal *why)
{
	struct statvfs vfs;

	if (fstatvfs(fd, &vfs) == 0 &&
	    (uint64_t)vfs.f_bavail * vfs.f_frsize < size)
		return (bench_refuse(why, ENOSPC, BENCH_EXIT_PLACE,
		    "%s: %" PRIu64 " MiB do not fit: %" PRIu64
		    " MiB are free there; use a smaller --create or another "
		    "place",
		    path, size >> 20,
		    ((uint64_t)vfs.f_bavail * vfs.f_frsize) >> 20));
	return (0);
}

/* Random bytes to the end: nothing of it is a hole, and nothing compresses. */
static int
fill(int fd, uint64_t size, uint64_t seed, const volatile sig_atomic_t *stop)
{
	enum {
		CHUNK = 1 << 20
	};
	struct bench_random random;
	uint64_t at = 0;
	unsigned char *p;
	ssize_t n;
	size_t len;
	int r = 0;

	if (posix_memalign((void **)&p, 4096, CHUNK) != 0)
		return (-ENOMEM);
	bench_random_init(&random, seed, UINT64_C(1) << 34);
	while (at < size && r == 0) {
		if (stop != NULL && *stop != 0) {
			r = -EINTR;
			break;
		}
		bench_random_fill(&random, p, CHUNK);
		len = size - at < CHUNK ? (size_t)(size - at) : CHUNK;
		n = pwrite(fd, p, len, (off_t)at);
		if (n < 0 && errno != EINTR)
			r = -errno;
		else if (n > 0)
			at += (uint64_t)n;
	}
	free(p);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	return (r);
}

int
bench_target_create(struct bench_target **ret,
    const struct bench_target_wish *wish, uint64_t size, uint64_t seed,
    const volatile sig_atomic_t *stop, struct bench_refusal *why)
{
	struct bench_target_wish again = *wish;
	struct stat made, st;
	int fd, r;

	r = check_place(wish->path, why);
	if (r < 0)
		return (r);
	fd = open(wish->path,
	    O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno == EEXIST)
		return (refuse_existing(wish->path, why));
	if (fd < 0)
		return (bench_target_explain_open(wish->path, errno, why));
	if (fstat(fd, &made) < 0)
		r = bench_refuse(why, errno, BENCH_EXIT_IO, "%s: %s",
		    wish->path, strerror(errno));
	else
		r = check_room(wish->path, fd, size, why);
	if (r == 0) {
		r = fill(fd, size, seed, stop);
		if (r == -EINTR)
			r = bench_refuse(why, EINTR, BENCH_EXIT_IO,
			    "%s: interrupted while it was being made; "
			    "removed again",
			    wish->path);
		/* Others write there as well, and users have quotas. */
		else if (r == -ENOSPC || r == -EDQUOT || r == -EFBIG)
			r = bench_refuse(why, -r, BENCH_EXIT_PLACE,
			    "%s: %" PRIu64 " MiB do not fit: %s; removed "
			    "again; use a smaller --create or another place",
			    wish->path, size >> 20, strerror(-r));
		else if (r < 0)
			r = bench_refuse(why, -r, BENCH_EXIT_IO,
			    "%s: cannot be filled: %s; removed again",
			    wish->path, strerror(-r));
	}
#ifdef POSIX_FADV_DONTNEED
	/* What the page cache still has of it is not for the reads to find. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
#endif
	(void)close(fd);
	if (r == 0) {
		again.own = true;
		r = bench_target_open(ret, &again, why);
	}
	if (r == 0) {
		if (fstat((*ret)->fd, &st) == 0 && st.st_ino == made.st_ino &&
		    st.st_dev == made.st_dev) {
			(*ret)->made = true;
			return (0);
		}
		bench_target_close(ret);
		return (bench_refuse(why, EAGAIN, BENCH_EXIT_CHANGED,
		    "%s: became something else while it was being made",
		    wish->path));
	}
	(void)unlink(wish->path);
	return (r);
}
