/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/topology.h"

#ifdef __linux__
#include <dirent.h>
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
	return (dev_of(dir, "."));
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
			(void)bench_devset_add(s, dev_of(dir, e->d_name));
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
				    &all, dev_of(dir, x->d_name));
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

/* What a loop device stands on; 0: not to be had. */
static dev_t
below_loop(dev_t dev)
{
	struct loop_info64 info;
	char name[64], node[80];
	dev_t below = 0;
	int fd;

	(void)snprintf(node, sizeof node, "/dev/%s",
	    bench_topology_name(dev, name, sizeof name));
	fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return (0);
	if (ioctl(fd, LOOP_GET_STATUS64, &info) == 0)
		below = info.lo_rdevice != 0 ? (dev_t)info.lo_rdevice
					     : (dev_t)info.lo_device;
	(void)close(fd);
	return (below);
}

void
bench_topology_add_chain(struct bench_devset *s, dev_t dev)
{
	char dir[PATH_MAX], sub[PATH_MAX + 16];
	struct dirent *e;
	DIR *d;

	if (!bench_devset_add(s, dev))
		return; /* none, or followed already */
	bench_topology_add_chain(s, bench_topology_disk(dev));
	/* tmpfs and such have numbers, and nothing below them. */
	if (!bench_topology_dir(dev, dir))
		return;
	(void)snprintf(sub, sizeof sub, "%s/slaves", dir);
	d = opendir(sub);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			bench_topology_add_chain(s, dev_of(sub, e->d_name));
	if (d != NULL)
		(void)closedir(d);
	if (exists(dir, "loop"))
		bench_topology_add_chain(s, below_loop(dev));
}
#endif
