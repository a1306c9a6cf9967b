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
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "diskbench/guard_look.h"
#include "diskbench/guard_process.h"
#include "diskbench/mountinfo.h"
#include "diskbench/topology.h"

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
    struct bench_look *l, struct bench_devset *s, const struct bench_mount *m)
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
		bench_look_unseen(l, "/sys/fs/btrfs", errno);
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
each_mount(struct bench_look *l, const char *file, bool must, const char *whose,
    void (*see)(struct bench_look *, struct bench_devset *,
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
			bench_look_unseen(l, file, errno);
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
		bench_look_unseen(l, file, error);
	l->ours.lost = l->ours.lost || used.lost;
	bench_devset_fini(&used);
	free(line);
	(void)fclose(f);
}

static void
see_mount(struct bench_look *l, struct bench_devset *used,
    const struct bench_mount *m, const char *whose)
{
	char name[64];
	size_t i;

	for (i = 0; i < used->n; i++)
		if (bench_devset_has(&l->ours, used->dev[i]))
			bench_look_found(l, BENCH_EXIT_MOUNTED,
			    "%s is used by the %s mounted on %s%s",
			    bench_topology_name(
				used->dev[i], name, sizeof name),
			    m->type, m->point, whose);
}

/* Mount namespaces that were looked into. */
struct namespaces {
	ino_t seen[256];
	unsigned n;
};

static void
see_namespace(struct bench_look *l, const char *pid, void *arg)
{
	struct namespaces *ns = arg;
	char path[300], whose[64];
	struct stat st;
	unsigned i;

	(void)snprintf(path, sizeof path, "/proc/%.20s/ns/mnt", pid);
	if (stat(path, &st) < 0)
		return;
	for (i = 0; i < ns->n; i++)
		if (ns->seen[i] == st.st_ino)
			return;
	if (ns->n < sizeof ns->seen / sizeof *ns->seen)
		ns->seen[ns->n++] = st.st_ino;
	(void)snprintf(path, sizeof path, "/proc/%.20s/mountinfo", pid);
	(void)snprintf(whose, sizeof whose,
	    " in the mount namespace of process %.20s", pid);
	each_mount(l, path, false, whose, see_mount);
}

/* Also what only other mount namespaces see: one process of each will do. */
static void
check_mounts(struct bench_look *l)
{
	struct namespaces ns = { .n = 0 };
	struct stat st;

	each_mount(l, "/proc/self/mountinfo", true, "", see_mount);
	if (l->hold->code != BENCH_EXIT_OK)
		return;
	if (stat("/proc/self/ns/mnt", &st) == 0)
		ns.seen[ns.n++] = st.st_ino;
	bench_guard_each_process(l, see_namespace, &ns);
}

/* Its loss ends the running system, or its next start. */
static void
see_system(struct bench_look *l, struct bench_devset *used,
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
			bench_look_found(l, BENCH_EXIT_SYSTEM,
			    "%s holds the running system (%s)",
			    bench_topology_name(
				chain.dev[i], name, sizeof name),
			    m->point);
	l->ours.lost = l->ours.lost || chain.lost;
	bench_devset_fini(&chain);
}

/* --- swap, holders, loops ------------------------------------------------- */

static void
check_swap(struct bench_look *l)
{
	static const char file[] = "/proc/swaps";
	char line[PATH_MAX + 128], *end;
	struct stat st;
	FILE *f;

	f = fopen(file, "re");
	if (f == NULL) {
		bench_look_unseen(l, file, errno);
		return;
	}
	/* The first line is the titles, and is always there. */
	if (fgets(line, sizeof line, f) == NULL)
		bench_look_unseen(l, file, ferror(f) ? errno : 0);
	while (fgets(line, sizeof line, f) != NULL) {
		end = strpbrk(line, " \t");
		if (line[0] != '/' || end == NULL)
			continue;
		*end = '\0';
		bench_mountinfo_unescape(line);
		if (stat(line, &st) == 0 && bench_look_is_ours(l, &st))
			bench_look_found(
			    l, BENCH_EXIT_SWAP, "%.300s is active swap", line);
	}
	(void)fclose(f);
}

static void
check_holders(struct bench_look *l)
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
				bench_look_found(l, BENCH_EXIT_HOLDER,
				    "%s is part of %.60s (device mapper, md "
				    "or bcache)",
				    bench_topology_name(
					l->ours.dev[i], name, sizeof name),
				    e->d_name);
		(void)closedir(d);
	}
}

/* Does the loop device of this name stand on it, or on what it stands on?  Itself
 * and those that it is made of do by their nature. */
static bool
loop_is_ours(struct bench_look *l, const char *name)
{
	struct stat st;
	unsigned i;

	if (bench_devset_has(
		&l->through, bench_topology_dev("/sys/block", name)))
		return (false);
	/* It may have been given a file just now: once more, then. */
	for (i = 0; i < 3; i++) {
		bool named = bench_topology_loop_name(name, &st);

		if (named && bench_look_is_ours(l, &st))
			return (true);
		/* The name may be of another namespace; the numbers are not. */
		if (bench_topology_loop_numbers(name, &st))
			return (bench_look_is_ours(l, &st));
		if (named || !bench_topology_is_loop(name))
			return (false);
	}
	bench_look_unseen(l, name, errno);
	return (false);
}

/*
 * A loop device opens what it stands on without claiming it: the kernel lets
 * two people write to the same blocks.
 */
static void
check_loops(struct bench_look *l)
{
	struct dirent *e;
	DIR *d;

	d = opendir("/sys/block");
	if (d == NULL) {
		bench_look_unseen(l, "/sys/block", errno);
		return;
	}
	while (l->hold->code == BENCH_EXIT_OK && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, "loop", 4) == 0 &&
		    loop_is_ours(l, e->d_name))
			bench_look_found(l, BENCH_EXIT_LOOP,
			    "the loop device %.60s stands on %s", e->d_name,
			    l->file == NULL && l->files.n > 0
				? "it, or on the same file"
				: "it");
	(void)closedir(d);
}

static void
look_at_device(struct bench_look *l, const struct stat *st, int fd)
{
	size_t i, n;

	(void)bench_devset_add(&l->ours, st->st_rdev);
	if (!bench_topology_add_below(
		&l->ours, &l->files, &l->through, st->st_rdev))
		bench_look_unseen(l, "what its loop device stands on", errno);
	for (i = 0, n = l->ours.n; i < n; i++)
		if (!bench_topology_add_partitions(&l->ours, l->ours.dev[i]))
			bench_look_unseen(
			    l, "its folder in /sys/dev/block", errno);
	each_mount(l, "/proc/self/mountinfo", true, "", see_system);
	/* The whole disk claimed is the partition claimed; that the whole disk
	 * has the system on another partition is not. */
	for (i = 0; i < n; i++)
		(void)bench_devset_add(
		    &l->ours, bench_topology_disk(l->ours.dev[i]));
	check_swap(l);
	check_mounts(l);
	check_holders(l);
	check_loops(l);
	bench_guard_locks(l);
	bench_guard_processes(l, fd);
}

static void
look_at_file(struct bench_look *l, int fd)
{
	bench_fileset_add(&l->files, l->file->st_dev, l->file->st_ino);
	check_swap(l);
	check_loops(l);
	if (l->file->st_nlink > 1)
		bench_look_found(l, BENCH_EXIT_SHARED,
		    "it has %ju names (hard links): the other one's owner may "
		    "not know",
		    (uintmax_t)l->file->st_nlink);
	bench_guard_locks(l);
	bench_guard_processes(l, fd);
}

bool
bench_guard_find(const struct stat *st, int fd, struct bench_hold *ret)
{
	struct bench_look l = { .hold = ret };

	memset(ret, 0, sizeof *ret);
	if (S_ISREG(st->st_mode)) {
		l.file = st;
		look_at_file(&l, fd);
	} else
		look_at_device(&l, st, fd);
	if (l.ours.lost || l.through.lost || l.files.lost)
		bench_look_unseen(&l, "what it is made of", ENOMEM);
	if (l.unseen[0] != '\0')
		bench_look_found(&l, BENCH_EXIT_UNSEEN,
		    "who uses it cannot be told (%s)", l.unseen);
	bench_devset_fini(&l.ours);
	bench_devset_fini(&l.through);
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
