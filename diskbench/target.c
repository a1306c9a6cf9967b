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
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/sysmacros.h>
#endif

#include "diskbench/content.h"
#include "diskbench/guard.h"
#include "diskbench/random.h"
#include "diskbench/signature.h"

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
#ifdef ENOMEDIUM
	case ENOMEDIUM:
#endif
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

/* --- consent to write ----------------------------------------------------- */

static int
refuse_held(const struct bench_target *t, const struct bench_hold *h,
    struct bench_refusal *why)
{
	return (bench_refuse(why, EBUSY, h->code,
	    h->code == BENCH_EXIT_SYSTEM
		? "%s: %s: never written to, token or not"
		: "%s: %s: not written to",
	    t->path, h->who));
}

static int
check_token(const struct bench_target *t, const struct bench_target_wish *wish,
    struct bench_refusal *why)
{
	if (wish->own || strcmp(wish->token, t->identity.token) == 0)
		return (0);
	return (bench_refuse(why, EPERM, BENCH_EXIT_TOKEN,
	    "%s: the token \"%s\" is not this one's: another drive has taken "
	    "the name, or it was plugged in again; look at it with \"diskbench "
	    "identify %s\"",
	    t->path, wish->token, t->path));
}

/* Somebody's data, known by name or only by being there. */
static int
check_data(const struct bench_target *t, const struct bench_target_wish *wish,
    struct bench_refusal *why)
{
	struct bench_content c;
	char what[200];
	int r;

	if (wish->own)
		return (0);
	r = bench_signature_find(t->fd, t->size, what, sizeof what);
	if (r == -ENOSYS)
		return (bench_refuse(why, ENOSYS, BENCH_EXIT_NOBLKID,
		    "%s: this build has no libblkid to see what is on it, and "
		    "does not write",
		    t->path));
	if (r < 0)
		return (bench_refuse(why, -r, BENCH_EXIT_IO,
		    "%s: cannot see what is on it: %s", t->path, strerror(-r)));
	if (wish->overwrite_data)
		return (0);
	if (r > 0)
		return (bench_refuse(why, EEXIST, BENCH_EXIT_SIGNATURE,
		    "%s: holds a %s; --overwrite-data, besides the token, "
		    "destroys it",
		    t->path, what));
	r = bench_content_sample(t->fd, 0, t->size, 256, &c);
	if (r < 0)
		return (bench_refuse(why, -r, BENCH_EXIT_IO,
		    "%s: cannot see what is on it: %s", t->path, strerror(-r)));
	if (c.zero < c.blocks)
		return (bench_refuse(why, EEXIST, BENCH_EXIT_CONTENT,
		    "%s: holds data (%u of %u blocks looked at are not "
		    "empty); --overwrite-data, besides the token, destroys it",
		    t->path, c.blocks - c.zero, c.blocks));
	return (0);
}

static int
check_consent(struct bench_target *t, const struct stat *st,
    const struct bench_target_wish *wish, struct bench_refusal *why)
{
	struct bench_hold h;
	int r;

	if (t->geometry.read_only || t->identity.read_only)
		return (bench_refuse(why, EROFS, BENCH_EXIT_READONLY,
		    "%s: is write-protected", t->path));
	if (bench_guard_find(st, t->fd, &h))
		return (refuse_held(t, &h, why));
	r = check_token(t, wish, why);
	if (r == 0)
		r = check_data(t, wish, why);
	/* From here on others that ask can see that it is in use. */
	if (r == 0 && !t->is_disk && flock(t->fd, LOCK_EX | LOCK_NB) < 0)
		r = bench_refuse(why, EBUSY, BENCH_EXIT_SHARED,
		    "%s: somebody has locked it: not written to", t->path);
	return (r);
}

int
bench_target_recheck(const struct bench_target *t, struct bench_refusal *why)
{
	struct bench_geometry g;
	struct bench_identity id;
	struct stat st, named;

	if (fstat(t->fd, &st) == 0 && stat(t->path, &named) == 0 &&
	    bench_geometry_read(t->fd, &st, &g) == 0 &&
	    (t->is_disk
		    ? st.st_rdev == named.st_rdev
		    : st.st_ino == named.st_ino && st.st_dev == named.st_dev)) {
		bench_identity_read(&id, t->path, t->fd, t->is_disk, &g);
		if (strcmp(id.token, t->identity.token) == 0)
			return (0);
	}
	return (bench_refuse(why, EAGAIN, BENCH_EXIT_CHANGED,
	    "%s: is another device than a moment ago: nothing was written",
	    t->path));
}

static int
explain_write_open(struct bench_target *t, const struct stat *st, int r,
    struct bench_refusal *why)
{
	struct bench_hold h;

	if (r == EBUSY && bench_guard_find(st, -1, &h))
		return (refuse_held(t, &h, why));
	if (r == EBUSY)
		return (bench_refuse(why, r, BENCH_EXIT_BUSY,
		    "%s: somebody has it, the kernel says (%s): not written to",
		    t->path, strerror(r)));
	if (r == EROFS || r == ETXTBSY)
		return (bench_refuse(why, r,
		    r == EROFS ? BENCH_EXIT_READONLY : BENCH_EXIT_BUSY,
		    "%s: not written to: %s", t->path, strerror(r)));
	return (explain_open(t->path, r, why));
}

static bool
same(const struct stat *a, const struct stat *b)
{
	if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT))
		return (false);
	return (S_ISREG(a->st_mode)
		    ? a->st_ino == b->st_ino && a->st_dev == b->st_dev
		    : a->st_rdev == b->st_rdev);
}

static int
flags_for(const struct bench_target_wish *wish, const struct stat *st)
{
	int flags = O_CLOEXEC | O_NONBLOCK;

	if (!wish->buffered)
		flags |= O_DIRECT;
	if (wish->access == BENCH_ACCESS_READ)
		return (flags | O_RDONLY);
	flags |= O_RDWR;
	if (wish->sync == BENCH_SYNC_DSYNC)
		flags |= O_DSYNC;
	if (wish->sync == BENCH_SYNC_SYNC)
		flags |= O_SYNC;
	/*
	 * O_EXCL on a block device asks the kernel whether anyone has it, and
	 * holds it for us from then on.  A look at /proc/mounts would miss swap
	 * and arrays, and be out of date when we write.
	 */
	if (bench_geometry_is_disk(st))
		flags |= O_EXCL;
#ifdef O_EXLOCK
	flags |= O_EXLOCK;
#endif
	return (flags);
}

int
bench_target_open(struct bench_target **ret,
    const struct bench_target_wish *wish, struct bench_refusal *why)
{
	struct bench_target *t;
	struct stat before, st;
	int r;

	assert(ret != NULL && wish->path != NULL);
	if (wish->access == BENCH_ACCESS_WRITE && !wish->own &&
	    wish->token == NULL)
		return (bench_refuse(why, EPERM, BENCH_EXIT_TOKEN,
		    "%s: this job writes, and that needs --write TOKEN; "
		    "\"diskbench identify %s\" says what it would destroy, "
		    "and the token",
		    wish->path, wish->path));
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
	t->made = wish->own;
	t->fd = open(t->path, flags_for(wish, &before));
	if (t->fd < 0)
		r = wish->access == BENCH_ACCESS_WRITE
			? explain_write_open(t, &before, errno, why)
			: explain_open(t->path, errno, why);
	else if (fstat(t->fd, &st) < 0 ||
		 (strcmp(t->path, wish->path) == 0 && !same(&st, &before)))
		r = bench_refuse(why, EAGAIN, BENCH_EXIT_CHANGED,
		    "%s: became something else while it was being opened",
		    t->path);
	else
		r = measure(t, &st, why);
	if (r == 0)
		bench_identity_read(
		    &t->identity, t->path, t->fd, t->is_disk, &t->geometry);
	if (r == 0 && wish->access == BENCH_ACCESS_WRITE)
		r = check_consent(t, &st, wish, why);
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
		    "another, or leave out --create to measure that one",
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
