/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/target.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "diskbench/random.h"

#ifndef O_DIRECT
#define O_DIRECT 0 /* Darwin has F_NOCACHE in its place */
#endif

void
bench_target_close(struct bench_target **tp)
{
	struct bench_target *t = *tp;

	if (t == NULL)
		return;
	assert(t->magic == BENCH_TARGET_MAGIC);
	if (t->fd >= 0)
		(void)close(t->fd);
	free(t->path);
	t->magic = 0;
	free(t);
	*tp = NULL;
}

/*
 * macOS: /dev/diskN goes through a cache and is up to 36 times slower than
 * /dev/rdiskN, the same disk.
 */
static char *
real_path(const char *path)
{
#ifdef __APPLE__
	char *raw;

	if (strncmp(path, "/dev/disk", 9) == 0) {
		raw = malloc(strlen(path) + 2);
		if (raw != NULL) {
			memcpy(raw, "/dev/r", 6);
			strcpy(raw + 6, path + 5);
		}
		return (raw);
	}
#endif
	return (strdup(path));
}

static struct bench_target *
target_new(const struct bench_target_wish *wish)
{
	struct bench_target *t = calloc(1, sizeof *t);

	if (t == NULL)
		return (NULL);
	t->magic = BENCH_TARGET_MAGIC;
	t->fd = -1;
	t->access = wish->access;
	t->buffered = wish->buffered;
	t->path = real_path(wish->path);
	if (t->path == NULL)
		bench_target_close(&t);
	return (t);
}

static const char *
kind(mode_t mode)
{
	return (S_ISDIR(mode)    ? "a directory"
		: S_ISCHR(mode)  ? "a character device"
		: S_ISFIFO(mode) ? "a pipe"
		: S_ISSOCK(mode) ? "a socket"
				 : "something else");
}

static int
explain_open(const char *path, int r, struct bench_refusal *why)
{
	switch (r) {
	case ENOENT:
	case ENOTDIR:
		return (bench_refuse(why, r, BENCH_EXIT_NOENT,
		    "%s: does not exist; \"diskbench list\" shows the drives, "
		    "--create SIZE makes a file",
		    path));
	case EACCES:
	case EPERM:
		return (bench_refuse(why, r, BENCH_EXIT_PERM,
		    "%s: %s; reading a device needs root, or membership in "
		    "the group that owns it (often \"disk\")",
		    path, strerror(r)));
	case EBUSY:
		return (bench_refuse(why, r, BENCH_EXIT_BUSY, "%s: in use (%s)",
		    path, strerror(r)));
	case EINVAL:
		return (bench_refuse(why, r, BENCH_EXIT_DIRECT,
		    "%s: direct I/O is refused here (O_DIRECT: %s); use a "
		    "file on another file system, or --buffered to measure "
		    "through the page cache",
		    path, strerror(r)));
	case ENXIO:
	case ENODEV:
	case ENOMEDIUM:
		return (bench_refuse(why, r, BENCH_EXIT_NOENT,
		    "%s: no such device behind it, or no medium in it (%s)",
		    path, strerror(r)));
	default:
		return (bench_refuse(why, r, BENCH_EXIT_IO,
		    "%s: cannot open: %s", path, strerror(r)));
	}
}

/* The kernel's name of a block device, from its numbers. */
static void
find_name(struct bench_target *t)
{
#ifdef __linux__
	char link[64], to[PATH_MAX];
	const char *slash;
	ssize_t n;

	(void)snprintf(link, sizeof link, "/sys/dev/block/%u:%u", major(t->dev),
	    minor(t->dev));
	n = readlink(link, to, sizeof to - 1);
	if (n <= 0)
		return;
	to[n] = '\0';
	slash = strrchr(to, '/');
	(void)snprintf(
	    t->name, sizeof t->name, "%.60s", slash != NULL ? slash + 1 : to);
#else
	const char *slash = strrchr(t->path, '/');

	if (t->is_disk)
		(void)snprintf(t->name, sizeof t->name, "%s",
		    slash != NULL ? slash + 1 : t->path);
#endif
}

/*
 * A file system may take O_DIRECT and go through the page cache all the same.
 * One that is really direct has to refuse a buffer at an odd address.
 */
static bool
takes_odd_buffers(int fd)
{
	unsigned char *p;
	ssize_t n;

	if (posix_memalign((void **)&p, 4096, 8192) != 0)
		return (false);
	n = pread(fd, p + 1, 511, 0);
	free(p);
	return (n > 0);
}

static int
check_direct(struct bench_target *t, struct bench_refusal *why)
{
	int r;

	if (t->buffered)
		return (0);
	if (t->geometry.direct == BENCH_DIRECT_NO)
		return (bench_refuse(why, EOPNOTSUPP, BENCH_EXIT_DIRECT,
		    "%s: direct I/O is not supported here (a file system in "
		    "memory, like tmpfs, or one that has only the page cache): "
		    "reads would measure memory; use a file elsewhere, or "
		    "--buffered to measure just that",
		    t->path));
	if (t->geometry.direct == BENCH_DIRECT_UNKNOWN && O_DIRECT != 0)
		t->direct_unproven = takes_odd_buffers(t->fd);
	r = bench_geometry_uncache(t->fd);
	if (r < 0)
		return (bench_refuse(why, -r, BENCH_EXIT_DIRECT,
		    "%s: the cache cannot be avoided: %s", t->path,
		    strerror(-r)));
	return (0);
}

static int
measure(
    struct bench_target *t, const struct stat *st, struct bench_refusal *why)
{
	int r;

	t->is_disk = bench_geometry_is_disk(st);
	t->dev = t->is_disk ? st->st_rdev : st->st_dev;
	r = bench_geometry_read(t->fd, st, &t->geometry);
	if (r < 0)
		return (bench_refuse(why, -r,
		    r == -ENOTTY ? BENCH_EXIT_KIND : BENCH_EXIT_IO,
		    "%s: not a disk that can say its size: %s", t->path,
		    strerror(-r)));
	t->size = t->geometry.size;
	find_name(t);
	if (t->size == 0)
		return (bench_refuse(why, ENODATA, BENCH_EXIT_SMALL,
		    t->is_disk ? "%s: is empty: no medium, or a loop device "
				 "without a file"
			       : "%s: is empty; --create SIZE makes a new "
				 "file of random data",
		    t->path));
	return (check_direct(t, why));
}

int
bench_target_open(struct bench_target **ret,
    const struct bench_target_wish *wish, struct bench_refusal *why)
{
	struct bench_target *t;
	struct stat before, st;
	int r, flags = O_CLOEXEC | O_NONBLOCK;

	assert(ret != NULL && wish->path != NULL);
	/* To look at a thing by opening it can be an action: tapes rewind,
	 * pipes wake their writers.  So look first; that it stayed the same
	 * thing is checked below. */
	if (stat(wish->path, &before) < 0)
		return (explain_open(wish->path, errno, why));
	if (!S_ISREG(before.st_mode) && !bench_geometry_is_disk(&before))
		return (bench_refuse(why, ENOTBLK, BENCH_EXIT_KIND,
		    "%s: is %s, neither a block device nor a regular file",
		    wish->path, kind(before.st_mode)));
	t = target_new(wish);
	if (t == NULL)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	flags |= O_RDONLY;
	if (!wish->buffered)
		flags |= O_DIRECT;
	t->fd = open(t->path, flags);
	if (t->fd < 0 || fstat(t->fd, &st) < 0) {
		r = explain_open(t->path, errno, why);
	} else if (st.st_mode != before.st_mode ||
		   (S_ISREG(st.st_mode) ? st.st_ino != before.st_ino ||
					      st.st_dev != before.st_dev
#ifdef __APPLE__
					: false
#else
					: st.st_rdev != before.st_rdev
#endif
		       )) {
		r = bench_refuse(why, EAGAIN, BENCH_EXIT_CHANGED,
		    "%s: became something else while it was being opened",
		    t->path);
	} else
		r = measure(t, &st, why);
	if (r < 0) {
		bench_target_close(&t);
		return (r);
	}
	*ret = t;
	return (0);
}

/* --- files of our own ----------------------------------------------------- */

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
		return (bench_refuse(why, ENAMETOOLONG, BENCH_EXIT_NOENT,
		    "%s: name too long", path));
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
		return (bench_refuse(why, EEXIST, BENCH_EXIT_EXISTS,
		    "%s: exists already and is left alone; remove it, name "
		    "another, or leave out --create to read it",
		    wish->path));
	if (fd < 0)
		return (explain_open(wish->path, errno, why));
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
		else if (r < 0)
			r = bench_refuse(why, -r, BENCH_EXIT_IO,
			    "%s: cannot be filled: %s; removed again",
			    wish->path, strerror(-r));
	}
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	(void)close(fd);
	if (r == 0) {
		again.access = BENCH_ACCESS_READ;
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
