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
#include "diskbench/topology.h"

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

/* What is looked for, and what became of it. */
struct look {
	struct bench_devset ours;
	const struct stat *file; /* NULL: a device */
	struct bench_hold *hold;
	/* The first thing that could not be looked at.  It comes last: who is
	 * found elsewhere has a name. */
	char unseen[200];
};

static void
unseen(struct look *l, const char *what, int error)
{
	if (l->unseen[0] == '\0')
		(void)snprintf(l->unseen, sizeof l->unseen, "%s: %s", what,
		    error != 0 ? strerror(error) : "is empty");
}

static bool
is_ours(const struct look *l, const struct stat *st)
{
	if (S_ISBLK(st->st_mode))
		return (bench_devset_has(&l->ours, st->st_rdev));
	return (l->file != NULL && S_ISREG(st->st_mode) &&
		st->st_ino == l->file->st_ino && st->st_dev == l->file->st_dev);
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

/* All that one mount uses: what stands in front, btrfs's others, xfs's log and
 * real-time device. */
static void
mount_devices(
    struct look *l, struct bench_devset *s, const struct bench_mount *m)
{
	static const char *const others[] = { "logdev", "rtdev" };
	char path[256];
	unsigned i;

	bench_devset_clear(s);
	if (m->major != 0)
		(void)bench_devset_add(s, makedev(m->major, m->minor));
	(void)bench_devset_add(s, rdev_of(m->source));
	if (strcmp(m->type, "btrfs") == 0 && s->n > 0 &&
	    !bench_topology_add_btrfs(s, s->dev[s->n - 1]))
		unseen(l, "/sys/fs/btrfs", errno);
	for (i = 0; i < sizeof others / sizeof *others; i++) {
		if (bench_mountinfo_option(
			m->options, others[i], path, sizeof path) == 0)
			continue;
		bench_mountinfo_unescape(path);
		(void)bench_devset_add(s, rdev_of(path));
	}
}

/*
 * Have each mount of a mountinfo looked at, until somebody is found.  `must`:
 * it is our own, and has "/" in it at the least.
 */
static void
each_mount(struct look *l, const char *file, bool must, const char *whose,
    void (*see)(struct look *, struct bench_devset *,
	const struct bench_mount *, const char *))
{
	struct bench_devset used = { 0 };
	struct bench_mount m;
	size_t cap = 0, n = 0;
	char *line = NULL;
	int error = 0;
	FILE *f;

	f = fopen(file, "re");
	if (f == NULL) {
		if (must)
			unseen(l, file, errno);
		return;
	}
	errno = 0;
	while (l->hold->code == BENCH_EXIT_OK && getline(&line, &cap, f) > 0) {
		if (bench_mountinfo_parse(line, &m) == 0) {
			n++;
			mount_devices(l, &used, &m);
			see(l, &used, &m, whose);
		}
		errno = 0;
	}
	if (l->hold->code == BENCH_EXIT_OK && !feof(f))
		error = errno != 0 ? errno : EIO;
	if (must && l->hold->code == BENCH_EXIT_OK && (error != 0 || n == 0))
		unseen(l, file, error);
	l->ours.lost = l->ours.lost || used.lost;
	bench_devset_fini(&used);
	free(line);
	(void)fclose(f);
}

static void
see_mount(struct look *l, struct bench_devset *used,
    const struct bench_mount *m, const char *whose)
{
	char name[64];
	size_t i;

	for (i = 0; i < used->n; i++)
		if (bench_devset_has(&l->ours, used->dev[i]))
			found(l->hold, BENCH_EXIT_MOUNTED,
			    "%s is used by the %s mounted on %s%s",
			    bench_topology_name(
				used->dev[i], name, sizeof name),
			    m->type, m->point, whose);
}

/* Also what only other mount namespaces see: one process of each will do. */
static void
check_mounts(struct look *l)
{
	char path[300], ns[64], whose[64];
	ino_t seen[256];
	unsigned n = 0, i;
	struct dirent *e;
	struct stat st;
	DIR *d;

	each_mount(l, "/proc/self/mountinfo", true, "", see_mount);
	if (l->hold->code != BENCH_EXIT_OK)
		return;
	if (stat("/proc/self/ns/mnt", &st) == 0)
		seen[n++] = st.st_ino;
	d = opendir("/proc");
	if (d == NULL) {
		unseen(l, "/proc", errno);
		return;
	}
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL) {
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
		each_mount(l, path, false, whose, see_mount);
	}
	(void)closedir(d);
}

/* Its loss ends the running system, or its next start. */
static void
see_system(struct look *l, struct bench_devset *used,
    const struct bench_mount *m, const char *whose)
{
	static const char *const points[] = { "/", "/usr", "/etc", "/var",
		"/boot", "/boot/efi", "/nix" };
	struct bench_devset chain = { 0 };
	char name[64];
	size_t i;

	(void)whose;
	for (i = 0; i < sizeof points / sizeof *points; i++)
		if (strcmp(points[i], m->point) == 0)
			break;
	if (i == sizeof points / sizeof *points)
		return;
	for (i = 0; i < used->n; i++)
		bench_topology_add_chain(&chain, used->dev[i]);
	for (i = 0; i < chain.n; i++)
		if (bench_devset_has(&l->ours, chain.dev[i]))
			found(l->hold, BENCH_EXIT_SYSTEM,
			    "%s holds the running system (%s)",
			    bench_topology_name(
				chain.dev[i], name, sizeof name),
			    m->point);
	l->ours.lost = l->ours.lost || chain.lost;
	bench_devset_fini(&chain);
}

/* --- swap, holders, loops ------------------------------------------------- */

static void
check_swap(struct look *l)
{
	static const char file[] = "/proc/swaps";
	char line[PATH_MAX + 128], *end;
	struct stat st;
	FILE *f;

	f = fopen(file, "re");
	if (f == NULL) {
		unseen(l, file, errno);
		return;
	}
	/* The first line is the titles, and is always there. */
	if (fgets(line, sizeof line, f) == NULL)
		unseen(l, file, ferror(f) ? errno : 0);
	while (fgets(line, sizeof line, f) != NULL) {
		end = strpbrk(line, " \t");
		if (line[0] != '/' || end == NULL)
			continue;
		*end = '\0';
		bench_mountinfo_unescape(line);
		if (stat(line, &st) == 0 && is_ours(l, &st))
			found(l->hold, BENCH_EXIT_SWAP, "%.300s is active swap",
			    line);
	}
	(void)fclose(f);
}

static void
check_holders(struct look *l)
{
	char dir[PATH_MAX], sub[PATH_MAX + 16], name[64];
	struct dirent *e;
	size_t i;
	DIR *d;

	for (i = 0; i < l->ours.n; i++) {
		if (!bench_topology_dir(l->ours.dev[i], dir))
			continue; /* its partitions were asked for: unseen */
		(void)snprintf(sub, sizeof sub, "%s/holders", dir);
		d = opendir(sub);
		if (d == NULL)
			continue;
		while ((e = readdir(d)) != NULL)
			if (e->d_name[0] != '.')
				found(l->hold, BENCH_EXIT_HOLDER,
				    "%s is part of %.60s (device mapper, md "
				    "or bcache)",
				    bench_topology_name(
					l->ours.dev[i], name, sizeof name),
				    e->d_name);
		(void)closedir(d);
	}
}

/* Does the loop device of this name stand on it? */
static bool
loop_is_ours(const struct look *l, const char *name)
{
	char path[300], back[PATH_MAX] = "";
	struct loop_info64 info = { 0 };
	bool ours = false, named;
	struct stat st;
	FILE *f;
	int fd;

	(void)snprintf(
	    path, sizeof path, "/sys/block/%.60s/loop/backing_file", name);
	f = fopen(path, "re");
	if (f == NULL)
		return (false); /* nothing behind it */
	named = fgets(back, sizeof back, f) != NULL;
	(void)fclose(f);
	back[strcspn(back, "\n")] = '\0';
	named = named && stat(back, &st) == 0;
	if (named && is_ours(l, &st))
		return (true);
	/* The name may be of another namespace; the numbers are not. */
	(void)snprintf(path, sizeof path, "/dev/%.60s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return (false);
	if (ioctl(fd, LOOP_GET_STATUS64, &info) == 0)
		ours = l->file != NULL ? info.lo_inode == l->file->st_ino &&
					     info.lo_device == l->file->st_dev
				       : !named && info.lo_rdevice != 0 &&
					     bench_devset_has(&l->ours,
						 (dev_t)info.lo_rdevice);
	(void)close(fd);
	return (ours);
}

/*
 * A loop device opens what it stands on without claiming it: the kernel lets
 * two people write to the same blocks.
 */
static void
check_loops(struct look *l)
{
	struct dirent *e;
	DIR *d;

	d = opendir("/sys/block");
	if (d == NULL) {
		unseen(l, "/sys/block", errno);
		return;
	}
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, "loop", 4) == 0 &&
		    loop_is_ours(l, e->d_name))
			found(l->hold, BENCH_EXIT_LOOP,
			    "the loop device %.60s stands on it", e->d_name);
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
	f = fopen(path, "re");
	if (f == NULL)
		return (false);
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	(void)fclose(f);
	return ((flags & O_ACCMODE) != O_RDONLY);
}

static void
check_fds_of(struct look *l, const char *pid, int own)
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
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || (own >= 0 && atoi(e->d_name) == own))
			continue;
		(void)snprintf(path, sizeof path, "%s/%.20s", dir, e->d_name);
		if (stat(path, &st) < 0 || !is_ours(l, &st) ||
		    !opened_for_writing(pid, e->d_name))
			continue;
		(void)snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
		f = fopen(path, "re");
		if (f != NULL) {
			if (fgets(name, sizeof name, f) != NULL)
				name[strcspn(name, "\n")] = '\0';
			(void)fclose(f);
		}
		found(l->hold,
		    l->file != NULL ? BENCH_EXIT_SHARED : BENCH_EXIT_BUSY,
		    "process %.20s (%s) has it open for writing", pid, name);
	}
	(void)closedir(d);
}

static void
check_processes(struct look *l, int fd)
{
	pid_t me = getpid();
	struct dirent *e;
	DIR *d;

	d = opendir("/proc");
	if (d == NULL) {
		unseen(l, "/proc", errno);
		return;
	}
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			check_fds_of(
			    l, e->d_name, atoi(e->d_name) == me ? fd : -1);
	(void)closedir(d);
}

/* flock and POSIX locks, whoever holds them. */
static void
check_locks(struct look *l)
{
	static const char file[] = "/proc/locks";
	char line[256], kind[16];
	unsigned a, b;
	uint64_t ino;
	long pid;
	FILE *f;

	f = fopen(file, "re");
	if (f == NULL) {
		unseen(l, file, errno);
		return;
	}
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%*s %15s %*s %*s %ld %x:%x:%" SCNu64, kind,
			&pid, &a, &b, &ino) != 5)
			continue;
		if (ino == l->file->st_ino && makedev(a, b) == l->file->st_dev)
			found(l->hold, BENCH_EXIT_SHARED,
			    "process %ld has locked it (%s)", pid, kind);
	}
	(void)fclose(f);
}

static void
look_at_device(struct look *l, const struct stat *st, int fd)
{
	(void)bench_devset_add(&l->ours, st->st_rdev);
	if (!bench_topology_add_partitions(&l->ours, st->st_rdev))
		unseen(l, "its folder in /sys/dev/block", errno);
	each_mount(l, "/proc/self/mountinfo", true, "", see_system);
	/* The whole disk claimed is the partition claimed; that the whole disk
	 * has the system on another partition is not. */
	(void)bench_devset_add(&l->ours, bench_topology_disk(st->st_rdev));
	check_swap(l);
	check_mounts(l);
	check_holders(l);
	check_loops(l);
	check_processes(l, fd);
}

static void
look_at_file(struct look *l, int fd)
{
	check_swap(l);
	check_loops(l);
	if (l->file->st_nlink > 1)
		found(l->hold, BENCH_EXIT_SHARED,
		    "it has %ju names (hard links): the other one's owner may "
		    "not know",
		    (uintmax_t)l->file->st_nlink);
	check_locks(l);
	check_processes(l, fd);
}

bool
bench_guard_find(const struct stat *st, int fd, struct bench_hold *ret)
{
	struct look l = { .hold = ret };

	memset(ret, 0, sizeof *ret);
	if (S_ISREG(st->st_mode)) {
		l.file = st;
		look_at_file(&l, fd);
	} else
		look_at_device(&l, st, fd);
	if (l.ours.lost)
		unseen(&l, "what it is made of", ENOMEM);
	if (l.unseen[0] != '\0')
		found(ret, BENCH_EXIT_UNSEEN, "who uses it cannot be told (%s)",
		    l.unseen);
	bench_devset_fini(&l.ours);
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
