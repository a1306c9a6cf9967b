/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/geometry.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "config.h"

#ifdef __linux__
#include <linux/fs.h>
#include <sys/vfs.h>
#elif defined(__FreeBSD__)
#include <sys/disk.h>
#elif defined(__APPLE__)
#ifdef HAVE_SYS_DISK_H
#include <sys/disk.h>
#else
/* Apple's own, for toolchains whose headers leave it out. */
#define DKIOCGETBLOCKSIZE         _IOR('d', 24, uint32_t)
#define DKIOCGETBLOCKCOUNT        _IOR('d', 25, uint64_t)
#define DKIOCISWRITABLE           _IOR('d', 29, uint32_t)
#define DKIOCGETPHYSICALBLOCKSIZE _IOR('d', 77, uint32_t)
#endif
#endif

bool
bench_geometry_is_disk(const struct stat *st)
{
#ifdef __linux__
	return (S_ISBLK(st->st_mode));
#else
	return (S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode));
#endif
}

#ifdef __linux__
static int
disk(int fd, struct bench_geometry *g)
{
	unsigned physical = 0;
	int logical = 0, ro = 0;
	uint64_t size = 0;

	if (ioctl(fd, BLKGETSIZE64, &size) < 0 ||
	    ioctl(fd, BLKSSZGET, &logical) < 0)
		return (-errno);
	if (ioctl(fd, BLKPBSZGET, &physical) < 0)
		physical = (unsigned)logical;
	if (ioctl(fd, BLKROGET, &ro) < 0)
		ro = 0;
	g->size = size;
	g->logical = (uint32_t)logical;
	g->physical = physical;
	g->read_only = ro != 0;
	return (0);
}

/* These live in memory: whatever open() says, there is nothing to go past. */
#define TMPFS_TYPE 0x01021994
#define RAMFS_TYPE 0x858458f6

const char *
bench_geometry_kernels(const char *path)
{
	static const struct {
		unsigned long type;
		const char *name;
	} kernels[] = {
		{ 0x9fa0, "proc" },
		{ 0x62656572, "sysfs" },
		{ 0x64626720, "debugfs" },
		{ 0x74726163, "tracefs" },
		{ 0x73636673, "securityfs" },
		{ 0x0027e0eb, "cgroup" },
		{ 0x63677270, "cgroup2" },
		{ 0x62656570, "configfs" },
		{ 0xde5e81e4, "efivarfs" },
		{ 0x6165676c, "pstore" },
		{ 0xcafe4a11, "bpf" },
		{ 0xf97cff8c, "selinuxfs" },
	};
	struct statfs fs;
	unsigned i;

	if (statfs(path, &fs) < 0)
		return (NULL);
	for (i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if ((uint32_t)fs.f_type == kernels[i].type)
			return (kernels[i].name);
	return (NULL);
}

static void
ask_direct(int fd, bool is_disk, struct bench_geometry *g)
{
	struct statfs fs;

	if (!is_disk && fstatfs(fd, &fs) == 0 &&
	    ((unsigned long)fs.f_type == TMPFS_TYPE ||
		(unsigned long)fs.f_type == RAMFS_TYPE)) {
		g->direct = BENCH_DIRECT_NO;
		return;
	}
#ifdef STATX_DIOALIGN
	struct statx sx;

	memset(&sx, 0, sizeof sx);
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) == 0 &&
	    (sx.stx_mask & STATX_DIOALIGN) != 0) {
		if (sx.stx_dio_offset_align == 0) {
			g->direct = BENCH_DIRECT_NO;
			return;
		}
		g->direct = BENCH_DIRECT_YES;
		g->align = sx.stx_dio_offset_align;
		g->align_mem = sx.stx_dio_mem_align;
		return;
	}
#endif
	if (is_disk)
		g->direct = BENCH_DIRECT_YES;
}
#elif defined(__APPLE__)
static int
disk(int fd, struct bench_geometry *g)
{
	uint32_t size = 0, physical = 0, writable = 1;
	uint64_t count = 0;

	if (ioctl(fd, DKIOCGETBLOCKSIZE, &size) < 0 ||
	    ioctl(fd, DKIOCGETBLOCKCOUNT, &count) < 0)
		return (-errno);
	if (ioctl(fd, DKIOCGETPHYSICALBLOCKSIZE, &physical) < 0)
		physical = size;
	if (ioctl(fd, DKIOCISWRITABLE, &writable) < 0)
		writable = 1;
	g->size = size * count;
	g->logical = size;
	g->physical = physical;
	g->read_only = writable == 0;
	return (0);
}
#elif defined(__FreeBSD__)
static int
disk(int fd, struct bench_geometry *g)
{
	off_t size = 0, stripe = 0;
	unsigned sector = 0;

	if (ioctl(fd, DIOCGMEDIASIZE, &size) < 0 ||
	    ioctl(fd, DIOCGSECTORSIZE, &sector) < 0)
		return (-errno);
	if (ioctl(fd, DIOCGSTRIPESIZE, &stripe) < 0 || stripe == 0)
		stripe = (off_t)sector;
	g->size = (uint64_t)size;
	g->logical = sector;
	g->physical = (uint32_t)stripe;
	return (0);
}
#else
static int
disk(int fd, struct bench_geometry *g)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return (-errno);
	g->size = (uint64_t)end;
	g->logical = g->physical = 512;
	return (0);
}
#endif

#ifndef __linux__
const char *
bench_geometry_kernels(const char *path)
{
	(void)path;
	return (NULL);
}
#endif

int
bench_geometry_read(int fd, const struct stat *st, struct bench_geometry *ret)
{
	struct bench_geometry g;
	bool is_disk = bench_geometry_is_disk(st);
	int r;

	memset(&g, 0, sizeof g);
	if (is_disk) {
		r = disk(fd, &g);
		if (r < 0)
			return (r);
		g.align = g.align_mem = g.logical;
	} else {
		g.size = (uint64_t)st->st_size;
		/* What every file system with direct I/O is content with,
		 * unless it says otherwise. */
		g.logical = g.align = g.align_mem = 512;
		g.physical = (uint32_t)st->st_blksize;
	}
#ifdef __linux__
	ask_direct(fd, is_disk, &g);
#else
	g.direct = is_disk ? BENCH_DIRECT_YES : BENCH_DIRECT_UNKNOWN;
#endif
	*ret = g;
	return (0);
}

int
bench_geometry_uncache(int fd)
{
#ifdef __APPLE__
	/* It does not drop what is cached already: see the manual. */
	return (fcntl(fd, F_NOCACHE, 1) < 0 ? -errno : 0);
#else
	(void)fd;
	return (0);
#endif
}
