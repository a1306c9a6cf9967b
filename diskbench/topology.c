/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/topology.h"

#ifdef __linux__
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool
bench_topology_dir(dev_t dev, char *ret)
{
	char link[64];

	(void)snprintf(
	    link, sizeof link, "/sys/dev/block/%u:%u", major(dev), minor(dev));
	return (realpath(link, ret) != NULL);
}

dev_t
bench_topology_dev(const char *dir, const char *name)
{
	char path[PATH_MAX];
	unsigned a, b;
	dev_t dev = 0;
	FILE *f;

	if (snprintf(path, sizeof path, "%s/%s/dev", dir, name) >=
	    (int)sizeof path)
		return (0);
	f = fopen(path, "re");
	if (f == NULL)
		return (0);
	if (fscanf(f, "%u:%u", &a, &b) == 2)
		dev = makedev(a, b);
	(void)fclose(f);
	return (dev);
}

const char *
bench_topology_name(dev_t dev, char *buf, size_t len)
{
	char dir[PATH_MAX];
	const char *slash;

	if (!bench_topology_dir(dev, dir)) {
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

dev_t
bench_topology_disk(dev_t dev)
{
	char dir[PATH_MAX], *slash;

	if (!bench_topology_dir(dev, dir) || !exists(dir, "partition"))
		return (0);
	slash = strrchr(dir, '/');
	if (slash == NULL)
		return (0);
	*slash = '\0';
	return (bench_topology_dev(dir, "."));
}

bool
bench_topology_add_partitions(struct bench_devset *s, dev_t dev)
{
	char dir[PATH_MAX], sub[PATH_MAX];
	struct dirent *e;
	DIR *d;

	if (!bench_topology_dir(dev, dir) || (d = opendir(dir)) == NULL)
		return (false);
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' ||
		    snprintf(sub, sizeof sub, "%s/%s", dir, e->d_name) >=
			(int)sizeof sub)
			continue;
		if (exists(sub, "partition"))
			(void)bench_devset_add(
			    s, bench_topology_dev(dir, e->d_name));
	}
	(void)closedir(d);
	return (true);
}

bool
bench_topology_add_btrfs(struct bench_devset *s, dev_t one)
{
	struct bench_devset all = { 0 };
	struct dirent *e, *x;
	char dir[PATH_MAX];
	DIR *d, *dd;
	size_t i;

	d = opendir("/sys/fs/btrfs");
	if (d == NULL)
		return (false); /* asked for a btrfs that is mounted */
	while ((e = readdir(d)) != NULL) {
		(void)snprintf(
		    dir, sizeof dir, "/sys/fs/btrfs/%s/devices", e->d_name);
		dd = opendir(dir);
		if (dd == NULL)
			continue;
		bench_devset_clear(&all);
		while ((x = readdir(dd)) != NULL)
			if (x->d_name[0] != '.')
				(void)bench_devset_add(
				    &all, bench_topology_dev(dir, x->d_name));
		(void)closedir(dd);
		if (!bench_devset_has(&all, one))
			continue;
		for (i = 0; i < all.n; i++)
			(void)bench_devset_add(s, all.dev[i]);
	}
	(void)closedir(d);
	s->lost = s->lost || all.lost;
	bench_devset_fini(&all);
	return (true);
}

bool
bench_topology_loop_numbers(const char *name, struct stat *ret)
{
	struct loop_info64 info = { 0 };
	char path[80];
	bool found;
	int fd, error;

	memset(ret, 0, sizeof *ret);
	(void)snprintf(path, sizeof path, "/dev/%.60s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return (false);
	found = ioctl(fd, LOOP_GET_STATUS64, &info) == 0;
	error = errno;
	(void)close(fd);
	errno = error;
	ret->st_mode = info.lo_rdevice != 0 ? S_IFBLK : S_IFREG;
	ret->st_rdev = (dev_t)info.lo_rdevice;
	ret->st_dev = (dev_t)info.lo_device;
	ret->st_ino = (ino_t)info.lo_inode;
	return (found);
}

bool
bench_topology_is_loop(const char *name)
{
	char dir[80];

	(void)snprintf(dir, sizeof dir, "/sys/block/%.60s", name);
	return (exists(dir, "loop"));
}

bool
bench_topology_loop_name(const char *name, struct stat *ret)
{
	char path[PATH_MAX + 32];
	bool found = false;
	FILE *f;

	(void)snprintf(
	    path, sizeof path, "/sys/block/%.60s/loop/backing_file", name);
	f = fopen(path, "re");
	if (f == NULL)
		return (false); /* nothing behind it */
	if (fgets(path, sizeof path, f) != NULL) {
		path[strcspn(path, "\n")] = '\0';
		found = stat(path, ret) == 0;
	}
	(void)fclose(f);
	return (found);
}

/* What a loop device stands on, into *ret as stat() would have it.  False: it
 * is not to be had (errno). */
static bool
below_loop(dev_t dev, struct stat *ret)
{
	char name[64];

	(void)bench_topology_name(dev, name, sizeof name);
	/* Not everybody may open it, and a name will do. */
	return (bench_topology_loop_numbers(name, ret) ||
		bench_topology_loop_name(name, ret));
}

static void
each_slave(const char *dir, void (*see)(void *, dev_t), void *arg)
{
	char sub[PATH_MAX + 16];
	struct dirent *e;
	DIR *d;

	(void)snprintf(sub, sizeof sub, "%s/slaves", dir);
	d = opendir(sub);
	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			see(arg, bench_topology_dev(sub, e->d_name));
	(void)closedir(d);
}

static void
chain_slave(void *arg, dev_t dev)
{
	bench_topology_add_chain(arg, dev);
}

void
bench_topology_add_chain(struct bench_devset *s, dev_t dev)
{
	char dir[PATH_MAX];
	struct stat st;

	if (!bench_devset_add(s, dev))
		return; /* none, or followed already */
	bench_topology_add_chain(s, bench_topology_disk(dev));
	/* tmpfs and such have numbers, and nothing below them. */
	if (!bench_topology_dir(dev, dir))
		return;
	each_slave(dir, chain_slave, s);
	if (exists(dir, "loop") && below_loop(dev, &st))
		bench_topology_add_chain(
		    s, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev);
}

struct below {
	struct bench_devset *devices, *through;
	struct bench_fileset *files;
	int error; /* of the first loop device that does not tell; 0: none */
};

static void
follow(void *arg, dev_t dev)
{
	struct below *b = arg;
	char dir[PATH_MAX];
	struct stat st;

	if (!bench_devset_add(b->through, dev))
		return;
	follow(b, bench_topology_disk(dev));
	if (!bench_topology_dir(dev, dir))
		return;
	each_slave(dir, follow, b);
	if (!exists(dir, "loop"))
		return;
	if (!below_loop(dev, &st)) {
		if (b->error == 0)
			b->error = errno;
	} else if (S_ISREG(st.st_mode))
		bench_fileset_add(b->files, st.st_dev, st.st_ino);
	else if (S_ISBLK(st.st_mode)) {
		(void)bench_devset_add(b->devices, st.st_rdev);
		follow(b, st.st_rdev);
	}
}

bool
bench_topology_add_below(struct bench_devset *devices,
    struct bench_fileset *files, struct bench_devset *through, dev_t dev)
{
	struct below b = { devices, through, files, 0 };

	follow(&b, dev);
	errno = b.error;
	return (b.error == 0);
}
#endif
