/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/identity.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diskbench/geometry.h"
#include "diskbench/heat.h"

#ifdef __linux__
#include <linux/fs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#endif

/* --- the token ------------------------------------------------------------ */

static uint64_t
hash(uint64_t h, const void *p, size_t len)
{
	const unsigned char *b = p;

	/* FNV-1a: not against forgery, against a slip. */
	for (; len > 0; len--, b++)
		h = (h ^ *b) * UINT64_C(0x100000001b3);
	return (h);
}

static void
token(struct bench_identity *id, const struct stat *st)
{
	/* Without those that look alike. */
	static const char letters[] = "23456789abcdefghjkmnpqrstuvwxyz";
	uint64_t h = UINT64_C(0xcbf29ce484222325), inode = 0, device = 0;
	unsigned i, at = 0;

	h = hash(h, id->model, strlen(id->model) + 1);
	h = hash(h, id->serial, strlen(id->serial) + 1);
	h = hash(h, id->wwid, strlen(id->wwid) + 1);
	h = hash(h, id->backing, strlen(id->backing) + 1);
	h = hash(h, id->name, strlen(id->name) + 1);
	h = hash(h, &id->size, sizeof id->size);
	h = hash(h, &id->diskseq, sizeof id->diskseq);
	if (!id->is_disk) {
		inode = (uint64_t)st->st_ino;
		device = (uint64_t)st->st_dev;
	}
	h = hash(h, &inode, sizeof inode);
	h = hash(h, &device, sizeof device);
	h ^= h >> 29;
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	h ^= h >> 32;
	for (i = 0; i < 12; i++) {
		if (i > 0 && i % 4 == 0)
			id->token[at++] = '-';
		id->token[at++] = letters[h % (sizeof letters - 1)];
		h /= sizeof letters - 1;
	}
	id->token[at] = '\0';
}

#ifdef __linux__

/* A line of a file below /sys, without its blanks; false: not there. */
static bool
line(char *ret, size_t len, const char *dir, const char *file)
{
	char path[PATH_MAX], *from;
	size_t n;
	FILE *f;

	if (snprintf(path, sizeof path, "%s/%s", dir, file) >= (int)sizeof path)
		return (false);
	f = fopen(path, "r");
	if (f == NULL)
		return (false);
	n = fread(ret, 1, len - 1, f);
	(void)fclose(f);
	ret[n] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	for (from = ret; isspace((unsigned char)*from); from++)
		;
	memmove(ret, from, strlen(from) + 1);
	for (n = strlen(ret); n > 0 && isspace((unsigned char)ret[n - 1]);)
		ret[--n] = '\0';
	/* Terminals and JSON get no control characters from a drive. */
	for (from = ret; *from != '\0'; from++)
		if (iscntrl((unsigned char)*from))
			*from = '?';
	return (ret[0] != '\0');
}

static uint64_t
number(const char *dir, const char *file)
{
	char buf[32];

	return (line(buf, sizeof buf, dir, file) ? strtoull(buf, NULL, 10) : 0);
}

static void
transport(struct bench_identity *id, const char *real)
{
	static const struct {
		const char *in, *name;
	} kinds[] = {
		{ "/usb", "usb" },
		{ "/nvme", "nvme" },
		{ "/ata", "sata" },
		{ "/virtio", "virtio" },
		{ "/mmc", "mmc" },
		{ "/vbd-", "xen" },
		{ "/session", "iscsi" },
		{ "/block/loop", "loop" },
		{ "/block/zram", "zram" },
		{ "/block/dm-", "dm" },
		{ "/block/md", "md" },
		{ "/block/nbd", "nbd" },
		{ "/block/ram", "ram" },
		{ "/host", "scsi" },
	};
	unsigned i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strstr(real, kinds[i].in) != NULL) {
			(void)snprintf(id->transport, sizeof id->transport,
			    "%s", kinds[i].name);
			return;
		}
	}
}

/* The selected one stands in brackets. */
static void
selected(char *ret, size_t len, const char *dir, const char *file)
{
	char buf[128], *open, *close_;

	if (!line(buf, sizeof buf, dir, file))
		return;
	open = strchr(buf, '[');
	close_ = open != NULL ? strchr(open, ']') : NULL;
	if (close_ == NULL)
		return;
	*close_ = '\0';
	(void)snprintf(ret, len, "%s", open + 1);
}

/* dir is the disk's or partition's directory in /sys, links resolved. */
static void
from_sysfs(struct bench_identity *id, const char *dir)
{
	char disk[PATH_MAX], buf[64];
	struct bench_heat heat;

	(void)snprintf(disk, sizeof disk, "%s", dir);
	id->partition = line(buf, sizeof buf, dir, "partition");
	if (id->partition) {
		char *slash = strrchr(disk, '/');

		if (slash != NULL)
			*slash = '\0';
	}
	transport(id, disk);
	(void)line(id->model, sizeof id->model, disk, "device/model");
	if (!line(id->serial, sizeof id->serial, disk, "device/serial"))
		(void)line(id->serial, sizeof id->serial, disk, "serial");
	if (!line(id->wwid, sizeof id->wwid, disk, "device/wwid"))
		(void)line(id->wwid, sizeof id->wwid, disk, "wwid");
	if (!line(
		id->firmware, sizeof id->firmware, disk, "device/firmware_rev"))
		(void)line(
		    id->firmware, sizeof id->firmware, disk, "device/rev");
	(void)line(id->backing, sizeof id->backing, disk, "loop/backing_file");
	id->removable = number(disk, "removable") != 0;
	id->rotational = number(disk, "queue/rotational") != 0;
	id->diskseq = number(disk, "diskseq");
	id->polls = number(disk, "queue/io_poll") != 0;
	selected(id->scheduler, sizeof id->scheduler, disk, "queue/scheduler");
	(void)line(
	    id->write_cache, sizeof id->write_cache, disk, "queue/write_cache");
	id->numa_node = -1;
	if (line(buf, sizeof buf, disk, "device/numa_node"))
		id->numa_node = atoi(buf);
	bench_heat_read(disk, &heat);
	id->temperature_mc = heat.now_mc;
	id->temperature_limit_mc = heat.limit_mc;
	id->read_only = id->read_only || number(dir, "ro") != 0;
}

static void
file_system(struct bench_identity *id, int fd)
{
	static const struct {
		unsigned long type;
		const char *name;
	} known[] = {
		{ 0xef53, "ext4" },
		{ 0x58465342, "xfs" },
		{ 0x9123683e, "btrfs" },
		{ 0x01021994, "tmpfs" },
		{ 0x858458f6, "ramfs" },
		{ 0x794c7630, "overlay" },
		{ 0x6969, "nfs" },
		{ 0x65735546, "fuse" },
		{ 0x2fc12fc1, "zfs" },
		{ 0xf2f52010, "f2fs" },
		{ 0x4d44, "vfat" },
		{ 0xca451a4e, "bcachefs" },
	};
	struct statfs fs;
	unsigned i;

	if (fstatfs(fd, &fs) < 0)
		return;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].type == (unsigned long)fs.f_type)
			(void)snprintf(
			    id->fstype, sizeof id->fstype, "%s", known[i].name);
}

static void
system_details(struct bench_identity *id, int fd, const struct stat *st)
{
	char link[64], real[PATH_MAX];
	const char *slash;
	dev_t dev = id->is_disk ? st->st_rdev : st->st_dev;

	(void)snprintf(
	    link, sizeof link, "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (!id->is_disk)
		file_system(id, fd);
	if (realpath(link, real) == NULL)
		return;
	if (!id->is_disk) {
		/* The file's own name stands; the drive below it explains. */
		struct bench_identity below = { 0 };

		from_sysfs(&below, real);
		memcpy(id->model, below.model, sizeof id->model);
		memcpy(id->transport, below.transport, sizeof id->transport);
		memcpy(id->scheduler, below.scheduler, sizeof id->scheduler);
		id->rotational = below.rotational;
		id->temperature_mc = below.temperature_mc;
		id->temperature_limit_mc = below.temperature_limit_mc;
		return;
	}
	slash = strrchr(real, '/');
	(void)snprintf(id->name, sizeof id->name, "%.60s",
	    slash != NULL ? slash + 1 : real);
	from_sysfs(id, real);
#ifdef BLKGETDISKSEQ
	{
		uint64_t seq = 0;

		if (fd >= 0 && ioctl(fd, BLKGETDISKSEQ, &seq) == 0)
			id->diskseq = seq;
	}
#endif
}
#else
static void
system_details(struct bench_identity *id, int fd, const struct stat *st)
{
	const char *slash = strrchr(id->path, '/');

	(void)fd;
	(void)st;
	if (id->is_disk)
		(void)snprintf(id->name, sizeof id->name, "%.60s",
		    slash != NULL ? slash + 1 : id->path);
	id->numa_node = -1;
}
#endif

void
bench_identity_read(struct bench_identity *id, const char *path, int fd,
    bool is_disk, const struct bench_geometry *g)
{
	struct stat st;

	memset(id, 0, sizeof *id);
	memset(&st, 0, sizeof st);
	(void)fstat(fd, &st);
	(void)snprintf(id->path, sizeof id->path, "%s", path);
	id->is_disk = is_disk;
	id->size = g->size;
	id->logical = g->logical;
	id->physical = g->physical;
	id->read_only = g->read_only;
	id->numa_node = -1;
	system_details(id, fd, &st);
	token(id, &st);
}

#ifdef __linux__
static int
by_name(const void *a, const void *b)
{
	const struct bench_identity *x = a, *y = b;

	/* sda before sdaa, loop2 before loop10. */
	return (strverscmp(x->name, y->name));
}

int
bench_identity_list(struct bench_identity **ret, unsigned *ret_n)
{
	struct bench_identity *list = NULL, *more;
	char dir[PATH_MAX], real[PATH_MAX];
	struct dirent *e;
	struct stat st;
	unsigned n = 0;
	DIR *d = opendir("/sys/block");

	if (d == NULL)
		return (errno == ENOENT ? -ENOTSUP : -errno);
	while ((e = readdir(d)) != NULL) {
		struct bench_identity id;

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(dir, sizeof dir, "/sys/block/%s", e->d_name);
		if (realpath(dir, real) == NULL)
			continue;
		memset(&id, 0, sizeof id);
		memset(&st, 0, sizeof st);
		id.is_disk = true;
		(void)snprintf(id.name, sizeof id.name, "%.60s", e->d_name);
		(void)snprintf(
		    id.path, sizeof id.path, "/dev/%.200s", e->d_name);
		id.size = number(real, "size") * 512;
		/* Loop and such without anything behind them are no drives. */
		if (id.size == 0)
			continue;
		from_sysfs(&id, real);
		id.logical = (uint32_t)number(real, "queue/logical_block_size");
		id.physical =
		    (uint32_t)number(real, "queue/physical_block_size");
		token(&id, &st);
		more = realloc(list, (n + 1) * sizeof *list);
		if (more == NULL) {
			free(list);
			(void)closedir(d);
			return (-ENOMEM);
		}
		list = more;
		list[n++] = id;
	}
	(void)closedir(d);
	if (n > 1)
		qsort(list, n, sizeof *list, by_name);
	*ret = list;
	*ret_n = n;
	return (0);
}
#else
int
bench_identity_list(struct bench_identity **ret, unsigned *ret_n)
{
	(void)ret;
	(void)ret_n;
	return (-ENOTSUP);
}
#endif
