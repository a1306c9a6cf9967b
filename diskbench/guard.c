/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/guard.h"

#include <string.h>

#ifdef __linux__
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "diskbench/mountinfo.h"

/* A few devices: the target with its partitions, or what "/" stands on. */
struct set {
	dev_t dev[256];
	unsigned n;
};

static bool
has(const struct set *s, dev_t dev)
{
	unsigned i;

	for (i = 0; i < s->n; i++)
		if (s->dev[i] == dev)
			return (true);
	return (false);
}

static bool
add(struct set *s, dev_t dev)
{
	if (dev == 0 || has(s, dev) || s->n == sizeof s->dev / sizeof *s->dev)
		return (false);
	s->dev[s->n++] = dev;
	return (true);
}

static bool
sys_dir(dev_t dev, char *ret)
{
	char link[64];

	(void)snprintf(
	    link, sizeof link, "/sys/dev/block/%u:%u", major(dev), minor(dev));
	return (realpath(link, ret) != NULL);
}

/* The numbers in DIR/NAME/dev; 0 if there are none. */
static dev_t
dev_of(const char *dir, const char *name)
{
	char path[PATH_MAX];
	unsigned a, b;
	dev_t dev = 0;
	FILE *f;

	if (snprintf(path, sizeof path, "%s/%s/dev", dir, name) >=
	    (int)sizeof path)
		return (0);
	f = fopen(path, "r");
	if (f == NULL)
		return (0);
	if (fscanf(f, "%u:%u", &a, &b) == 2)
		dev = makedev(a, b);
	(void)fclose(f);
	return (dev);
}

static const char *
name_of(dev_t dev, char *buf, size_t len)
{
	char dir[PATH_MAX];
	const char *slash;

	if (!sys_dir(dev, dir)) {
		(void)snprintf(buf, len, "%u:%u", major(dev), minor(dev));
		return (buf);
	}
	slash = strrchr(dir, '/');
	(void)snprintf(buf, len, "%.60s", slash != NULL ? slash + 1 : dir);
	return (buf);
}

static bool
exists(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return (snprintf(path, sizeof path, "%s/%s", dir, name) <
		    (int)sizeof path &&
		access(path, F_OK) == 0);
}

/* The whole disk of a partition; 0 if it is none. */
static dev_t
parent(dev_t dev)
{
	char dir[PATH_MAX], *slash;

	if (!sys_dir(dev, dir) || !exists(dir, "partition"))
		return (0);
	slash = strrchr(dir, '/');
	if (slash == NULL)
		return (0);
	*slash = '\0';
	return (dev_of(dir, "."));
}

static void
add_partitions(struct set *s, dev_t dev)
{
	char dir[PATH_MAX], sub[PATH_MAX];
	struct dirent *e;
	DIR *d;

	if (!sys_dir(dev, dir) || (d = opendir(dir)) == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' ||
		    snprintf(sub, sizeof sub, "%s/%s", dir, e->d_name) >=
			(int)sizeof sub)
			continue;
		if (exists(sub, "partition"))
			(void)add(s, dev_of(dir, e->d_name));
	}
	(void)closedir(d);
}

static void found(struct bench_hold *h, enum bench_exit code, const char *fmt,
    ...) CLI_PRINTF(3, 4);

static void
found(struct bench_hold *h, enum bench_exit code, const char *fmt, ...)
{
	va_list ap;

	if (h->code != BENCH_EXIT_OK)
		return; /* the first one is the most serious */
	h->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(h->who, sizeof h->who, fmt, ap);
	va_end(ap);
}

/* --- mounts --------------------------------------------------------------- */

static dev_t
rdev_of(const char *path)
{
	struct stat st;

	if (path[0] != '/' || stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return (0);
	return (st.st_rdev);
}

/* Every device of the btrfs that has this one: they are one file system. */
static void
add_btrfs(struct set *s, dev_t one)
{
	struct dirent *e, *x;
	char dir[PATH_MAX];
	struct set all;
	DIR *d, *dd;
	unsigned i;

	d = opendir("/sys/fs/btrfs");
	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		(void)snprintf(
		    dir, sizeof dir, "/sys/fs/btrfs/%s/devices", e->d_name);
		dd = opendir(dir);
		if (dd == NULL)
			continue;
		all.n = 0;
		while ((x = readdir(dd)) != NULL)
			if (x->d_name[0] != '.')
				(void)add(&all, dev_of(dir, x->d_name));
		(void)closedir(dd);
		for (i = 0; has(&all, one) && i < all.n; i++)
			(void)add(s, all.dev[i]);
	}
	(void)closedir(d);
}

/* All that one mount uses: what stands in front, btrfs's others, xfs's log and
 * real-time device. */
static void
mount_devices(struct set *s, const struct bench_mount *m)
{
	char path[256];

	s->n = 0;
	if (m->major != 0)
		(void)add(s, makedev(m->major, m->minor));
	(void)add(s, rdev_of(m->source));
	if (strcmp(m->type, "btrfs") == 0 && s->n > 0)
		add_btrfs(s, s->dev[s->n - 1]);
	if (bench_mountinfo_option(m->options, "logdev", path, sizeof path) > 0)
		(void)add(s, rdev_of(path));
	if (bench_mountinfo_option(m->options, "rtdev", path, sizeof path) > 0)
		(void)add(s, rdev_of(path));
}

static void
check_mounts_of(const char *file, const char *whose, const struct set *ours,
    struct bench_hold *h)
{
	struct bench_mount m;
	struct set used;
	char *line = NULL, name[64];
	size_t cap = 0;
	unsigned i;
	FILE *f;

	f = fopen(file, "r");
	if (f == NULL)
		return;
	while (h->code == BENCH_EXIT_OK && getline(&line, &cap, f) > 0) {
		if (bench_mountinfo_parse(line, &m) < 0)
			continue;
		mount_devices(&used, &m);
		for (i = 0; i < used.n; i++)
			if (has(ours, used.dev[i]))
				found(h, BENCH_EXIT_MOUNTED,
				    "%s is used by the %s mounted on %s%s",
				    name_of(used.dev[i], name, sizeof name),
				    m.type, m.point, whose);
	}
	free(line);
	(void)fclose(f);
}

/* Also what only other mount namespaces see: one process of each will do. */
static void
check_mounts(const struct set *ours, struct bench_hold *h)
{
	char path[300], ns[64], whose[64];
	ino_t seen[256];
	unsigned n = 0, i;
	struct dirent *e;
	struct stat st;
	DIR *d;

	check_mounts_of("/proc/self/mountinfo", "", ours, h);
	if (stat("/proc/self/ns/mnt", &st) == 0)
		seen[n++] = st.st_ino;
	d = h->code == BENCH_EXIT_OK ? opendir("/proc") : NULL;
	if (d == NULL)
		return;
	while (h->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		(void)snprintf(ns, sizeof ns, "/proc/%.20s/ns/mnt", e->d_name);
		if (stat(ns, &st) < 0)
			continue;
		for (i = 0; i < n; i++)
			if (seen[i] == st.st_ino)
				break;
		if (i < n)
			continue;
		if (n < sizeof seen / sizeof *seen)
			seen[n++] = st.st_ino;
		(void)snprintf(
		    path, sizeof path, "/proc/%.20s/mountinfo", e->d_name);
		(void)snprintf(whose, sizeof whose,
		    " in the mount namespace of process %.20s", e->d_name);
		check_mounts_of(path, whose, ours, h);
	}
	(void)closedir(d);
}

/* --- what the system stands on -------------------------------------------- */

/* A device, what it is a part of, and what it is made of, down to the disks. */
static void
add_chain(struct set *s, dev_t dev)
{
	char dir[PATH_MAX], sub[PATH_MAX + 16];
	struct loop_info64 info;
	struct dirent *e;
	DIR *d;
	int fd;

	if (!add(s, dev))
		return;
	add_chain(s, parent(dev));
	if (!sys_dir(dev, dir))
		return;
	(void)snprintf(sub, sizeof sub, "%s/slaves", dir);
	d = opendir(sub);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			add_chain(s, dev_of(sub, e->d_name));
	if (d != NULL)
		(void)closedir(d);
	if (exists(dir, "loop")) {
		char name[64], node[80];

		(void)snprintf(node, sizeof node, "/dev/%s",
		    name_of(dev, name, sizeof name));
		fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0)
			add_chain(s, (dev_t)info.lo_device);
		if (fd >= 0)
			(void)close(fd);
	}
}

static void
check_system(const struct set *ours, struct bench_hold *h)
{
	/* Its loss ends the running system, or its next start. */
	static const char *const points[] = { "/", "/usr", "/etc", "/var",
		"/boot", "/boot/efi", "/nix" };
	struct bench_mount m;
	struct set used, chain;
	char *line = NULL, name[64];
	size_t cap = 0;
	unsigned i;
	FILE *f;

	f = fopen("/proc/self/mountinfo", "r");
	if (f == NULL)
		return;
	while (h->code == BENCH_EXIT_OK && getline(&line, &cap, f) > 0) {
		if (bench_mountinfo_parse(line, &m) < 0)
			continue;
		for (i = 0; i < sizeof points / sizeof *points; i++)
			if (strcmp(points[i], m.point) == 0)
				break;
		if (i == sizeof points / sizeof *points)
			continue;
		mount_devices(&used, &m);
		chain.n = 0;
		for (i = 0; i < used.n; i++)
			add_chain(&chain, used.dev[i]);
		for (i = 0; i < chain.n; i++)
			if (has(ours, chain.dev[i]))
				found(h, BENCH_EXIT_SYSTEM,
				    "%s holds the running system (%s)",
				    name_of(chain.dev[i], name, sizeof name),
				    m.point);
	}
	free(line);
	(void)fclose(f);
}

/* --- swap, holders, loops ------------------------------------------------- */

static void
check_swap(
    const struct set *ours, const struct stat *file, struct bench_hold *h)
{
	char line[PATH_MAX + 128], *end;
	struct stat st;
	FILE *f;

	f = fopen("/proc/swaps", "r");
	if (f == NULL)
		return;
	while (fgets(line, sizeof line, f) != NULL) {
		end = strpbrk(line, " \t");
		if (line[0] != '/' || end == NULL)
			continue;
		*end = '\0';
		if (stat(line, &st) < 0)
			continue;
		if (S_ISBLK(st.st_mode)
			? has(ours, st.st_rdev)
			: file != NULL && st.st_ino == file->st_ino &&
			      st.st_dev == file->st_dev)
			found(
			    h, BENCH_EXIT_SWAP, "%.300s is active swap", line);
	}
	(void)fclose(f);
}

static void
check_holders(const struct set *ours, struct bench_hold *h)
{
	char dir[PATH_MAX], sub[PATH_MAX + 16], name[64];
	struct dirent *e;
	unsigned i;
	DIR *d;

	for (i = 0; i < ours->n; i++) {
		if (!sys_dir(ours->dev[i], dir))
			continue;
		(void)snprintf(sub, sizeof sub, "%s/holders", dir);
		d = opendir(sub);
		if (d == NULL)
			continue;
		while ((e = readdir(d)) != NULL)
			if (e->d_name[0] != '.')
				found(h, BENCH_EXIT_HOLDER,
				    "%s is part of %.60s (device mapper, md "
				    "or bcache)",
				    name_of(ours->dev[i], name, sizeof name),
				    e->d_name);
		(void)closedir(d);
	}
}

/*
 * A loop device opens what it stands on without claiming it: the kernel lets
 * two people write to the same blocks.
 */
static void
check_loops(
    const struct set *ours, const struct stat *file, struct bench_hold *h)
{
	char path[300], back[PATH_MAX];
	struct loop_info64 info;
	struct dirent *e;
	struct stat st;
	FILE *f;
	DIR *d;
	int fd;

	d = opendir("/sys/block");
	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		bool ask, is_ours = false;

		if (strncmp(e->d_name, "loop", 4) != 0)
			continue;
		(void)snprintf(path, sizeof path,
		    "/sys/block/%.60s/loop/backing_file", e->d_name);
		f = fopen(path, "r");
		if (f == NULL)
			continue; /* nothing behind it */
		back[0] = '\0';
		ask = fgets(back, sizeof back, f) != NULL;
		(void)fclose(f);
		back[strcspn(back, "\n")] = '\0';
		if (ask && stat(back, &st) == 0)
			is_ours = S_ISBLK(st.st_mode)
				      ? has(ours, st.st_rdev)
				      : file != NULL &&
					    st.st_ino == file->st_ino &&
					    st.st_dev == file->st_dev;
		/* The name may be of another namespace; the numbers are not. */
		(void)snprintf(path, sizeof path, "/dev/%.60s", e->d_name);
		memset(&info, 0, sizeof info);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0) {
			if (file != NULL && info.lo_inode == file->st_ino &&
			    info.lo_device == file->st_dev)
				is_ours = true;
			if (file == NULL && info.lo_rdevice != 0 &&
			    has(ours, (dev_t)info.lo_rdevice) &&
			    stat(back, &st) < 0)
				is_ours = true;
		}
		if (fd >= 0)
			(void)close(fd);
		if (is_ours)
			found(h, BENCH_EXIT_LOOP,
			    "the loop device %.60s stands on it", e->d_name);
	}
	(void)closedir(d);
}

/* --- processes ------------------------------------------------------------ */

static bool
opened_for_writing(const char *pid, const char *fd)
{
	char path[100], line[128];
	unsigned flags = 0;
	FILE *f;

	(void)snprintf(path, sizeof path, "/proc/%.20s/fdinfo/%.20s", pid, fd);
	f = fopen(path, "r");
	if (f == NULL)
		return (false);
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	(void)fclose(f);
	return ((flags & O_ACCMODE) != O_RDONLY);
}

static void
check_fds_of(const char *pid, const struct set *ours, const struct stat *file,
    int own, struct bench_hold *h)
{
	char dir[64], path[PATH_MAX], name[64] = "?";
	struct dirent *e;
	struct stat st;
	FILE *f;
	DIR *d;

	(void)snprintf(dir, sizeof dir, "/proc/%.20s/fd", pid);
	d = opendir(dir);
	if (d == NULL)
		return; /* gone, or not ours to look at */
	while (h->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || (own >= 0 && atoi(e->d_name) == own))
			continue;
		(void)snprintf(path, sizeof path, "%s/%.20s", dir, e->d_name);
		if (stat(path, &st) < 0 ||
		    !(S_ISBLK(st.st_mode)
			    ? has(ours, st.st_rdev)
			    : file != NULL && S_ISREG(st.st_mode) &&
				  st.st_ino == file->st_ino &&
				  st.st_dev == file->st_dev) ||
		    !opened_for_writing(pid, e->d_name))
			continue;
		(void)snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
		f = fopen(path, "r");
		if (f != NULL) {
			if (fgets(name, sizeof name, f) != NULL)
				name[strcspn(name, "\n")] = '\0';
			(void)fclose(f);
		}
		found(h, file != NULL ? BENCH_EXIT_SHARED : BENCH_EXIT_BUSY,
		    "process %.20s (%s) has it open for writing", pid, name);
	}
	(void)closedir(d);
}

static void
check_processes(const struct set *ours, const struct stat *file, int fd,
    struct bench_hold *h)
{
	pid_t me = getpid();
	struct dirent *e;
	DIR *d;

	d = opendir("/proc");
	if (d == NULL)
		return;
	while (h->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			check_fds_of(e->d_name, ours, file,
			    atoi(e->d_name) == me ? fd : -1, h);
	(void)closedir(d);
}

/* flock and POSIX locks, whoever holds them. */
static void
check_locks(const struct stat *file, struct bench_hold *h)
{
	char line[256], kind[16];
	unsigned a, b;
	uint64_t ino;
	long pid;
	FILE *f;

	f = fopen("/proc/locks", "r");
	if (f == NULL)
		return;
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%*s %15s %*s %*s %ld %x:%x:%" SCNu64, kind,
			&pid, &a, &b, &ino) != 5)
			continue;
		if (ino == file->st_ino && makedev(a, b) == file->st_dev)
			found(h, BENCH_EXIT_SHARED,
			    "process %ld has locked it (%s)", pid, kind);
	}
	(void)fclose(f);
}

bool
bench_guard_find(const struct stat *st, int fd, struct bench_hold *ret)
{
	const struct stat *file = S_ISREG(st->st_mode) ? st : NULL;
	struct set ours = { .n = 0 };

	memset(ret, 0, sizeof *ret);
	if (file == NULL) {
		(void)add(&ours, st->st_rdev);
		add_partitions(&ours, st->st_rdev);
		check_system(&ours, ret);
		/* The whole disk claimed is the partition claimed; that the
		 * whole disk has the system on another partition is not. */
		(void)add(&ours, parent(st->st_rdev));
		check_swap(&ours, NULL, ret);
		check_mounts(&ours, ret);
		check_holders(&ours, ret);
		check_loops(&ours, NULL, ret);
		check_processes(&ours, NULL, fd, ret);
		return (ret->code != BENCH_EXIT_OK);
	}
	check_swap(&ours, file, ret);
	check_loops(&ours, file, ret);
	if (st->st_nlink > 1)
		found(ret, BENCH_EXIT_SHARED,
		    "it has %ju names (hard links): the other one's owner may "
		    "not know",
		    (uintmax_t)st->st_nlink);
	check_locks(file, ret);
	check_processes(&ours, file, fd, ret);
	return (ret->code != BENCH_EXIT_OK);
}
#else
bool
bench_guard_find(const struct stat *st, int fd, struct bench_hold *ret)
{
	(void)st;
	(void)fd;
	memset(ret, 0, sizeof *ret);
	return (false);
}
#endif
