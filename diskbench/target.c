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

int
bench_target_explain_open(const char *path, int r, struct bench_refusal *why)
{
	if (*path == '\0')
		return (bench_refuse(why, ENOENT, BENCH_EXIT_NOENT,
		    "the target's name is empty (a variable that is not set?); "
		    "name a device or a file"));
	switch (r) {
	case ENAMETOOLONG:
		return (bench_refuse(why, r, BENCH_EXIT_NOENT,
		    "%.60s...: does not exist: %s", path, strerror(r)));
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
		return (bench_refuse(why, EINVAL, BENCH_EXIT_SMALL,
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
	if (h->code == BENCH_EXIT_UNSEEN)
		return (bench_refuse(why, EINVAL, h->code,
		    "%s: %s: not written to; this needs /proc and /sys as the "
		    "kernel has them, with nothing mounted over them",
		    t->path, h->who));
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
		    "%s: is write-protected; it can be read, or unlock it: "
		    "blockdev --setrw, or a switch of its own",
		    t->path));
	/* A file of this very run's cannot be swap, or somebody's. */
	if (bench_guard_find(st, t->fd, &h) &&
	    !(wish->own && h.code == BENCH_EXIT_UNSEEN))
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

	/* Not being root is no reason where no root may. */
	if ((r == EBUSY || r == EPERM || r == EACCES) &&
	    bench_guard_find(st, -1, &h) &&
	    (r == EBUSY ? h.code != BENCH_EXIT_UNSEEN
			: h.code == BENCH_EXIT_SYSTEM))
		return (refuse_held(t, &h, why));
	if (r == EBUSY)
		return (bench_refuse(why, r, BENCH_EXIT_BUSY,
		    "%s: somebody has it, the kernel says (%s): not written to",
		    t->path, strerror(r)));
	/* Not even root may: reading it is another matter. */
	if (r == EPERM && S_ISREG(st->st_mode))
		return (bench_refuse(why, r, BENCH_EXIT_PERM,
		    "%s: not written to: %s; lsattr shows whether it is "
		    "immutable or append-only",
		    t->path, strerror(r)));
	if (r == EROFS || r == ETXTBSY)
		return (bench_refuse(why, r,
		    r == EROFS ? BENCH_EXIT_READONLY : BENCH_EXIT_BUSY,
		    "%s: not written to: %s", t->path, strerror(r)));
	return (bench_target_explain_open(t->path, r, why));
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

/*
 * A read that writes down when it was is no read: it makes the file system
 * write, and costs time.  Only owners may ask for this, so it is not asked for
 * while opening, which would then be refused.
 */
static void
leave_no_time(int fd)
{
#ifdef O_NOATIME
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		(void)fcntl(fd, F_SETFL, flags | O_NOATIME);
#else
	(void)fd;
#endif
}

int
bench_target_open(struct bench_target **ret,
    const struct bench_target_wish *wish, struct bench_refusal *why)
{
	const char *kernels;
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
		return (bench_target_explain_open(wish->path, errno, why));
	if (!S_ISREG(before.st_mode) && !bench_geometry_is_disk(&before))
		return (bench_refuse(why, ENOTBLK, BENCH_EXIT_KIND,
		    "%s: is %s, neither a block device nor a regular file",
		    wish->path, kind(before.st_mode)));
	/* Some do things when they are opened, others when they are read. */
	kernels =
	    S_ISREG(before.st_mode) ? bench_geometry_kernels(wish->path) : NULL;
	if (kernels != NULL)
		return (bench_refuse(why, ENOTBLK, BENCH_EXIT_KIND,
		    "%s: is a file of the kernel's own (%s), and stands on no "
		    "disk",
		    wish->path, kernels));
	t = target_new(wish);
	if (t == NULL)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	t->made = wish->own;
	t->fd = open(t->path, flags_for(wish, &before));
	if (t->fd < 0)
		r = wish->access == BENCH_ACCESS_WRITE
			? explain_write_open(t, &before, errno, why)
			: bench_target_explain_open(t->path, errno, why);
	else if (fstat(t->fd, &st) < 0 ||
		 (strcmp(t->path, wish->path) == 0 && !same(&st, &before)))
		r = bench_refuse(why, EAGAIN, BENCH_EXIT_CHANGED,
		    "%s: became something else while it was being opened",
		    t->path);
	else
		r = measure(t, &st, why);
	if (r == 0)
		leave_no_time(t->fd);
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
