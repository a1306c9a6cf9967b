/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/signature.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "config.h"

#ifdef HAVE_LIBBLKID
#include <blkid.h>
#endif

#include "cli/diag.h"
#include "diskbench/legible.h"

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

/*
 * Caches write to raw disks without a mark that libblkid would know.  Apache
 * Traffic Server: DISK_HEADER_MAGIC, in the byte order of its machine, at the
 * beginning of the disk header, one of the first 8 KiB blocks.
 */
static const struct {
	unsigned char magic[4];
	const char *name;
} raw[] = {
	{ { 0x37, 0x12, 0xcd, 0xab }, "cache of Apache Traffic Server" },
	{ { 0xab, 0xcd, 0x12, 0x37 }, "cache of Apache Traffic Server" },
};

static int
find_raw(int fd, uint64_t size, char *buf, size_t len)
{
	enum {
		LOOK = 128 * 1024
	};
	unsigned char *p;
	size_t at, want = size < LOOK ? (size_t)(size / 4096 * 4096) : LOOK;
	unsigned i;
	ssize_t n;
	int r = 0;

	if (want == 0)
		return (0);
	if (posix_memalign((void **)&p, 4096, LOOK) != 0)
		return (-ENOMEM);
	n = pread(fd, p, want, 0);
	if (n < 0)
		r = -errno;
	for (at = 0; r == 0 && n > 0 && at + 4 <= (size_t)n; at += 512)
		for (i = 0; r == 0 && i < sizeof raw / sizeof *raw; i++)
			if (memcmp(p + at, raw[i].magic, 4) == 0) {
				(void)snprintf(buf, len, "%s", raw[i].name);
				r = 1;
			}
	free(p);
	return (r);
}

#ifdef HAVE_LIBBLKID
/* ext2 to ext4 remember where: 1024 + 136 bytes from the beginning. */
static void
last_mount(int fd, const char *type, char *buf, size_t len)
{
	char point[65] = "";

	if (strncmp(type, "ext", 3) != 0 ||
	    pread(fd, point, sizeof point - 1, 1024 + 136) <= 0 ||
	    point[0] != '/')
		return;
	bench_legible(point);
	cli_append(buf, len, ", last mounted on %s", point);
}

static void
describe(blkid_probe pr, int fd, char *buf, size_t len)
{
	const char *type = NULL, *label = NULL, *table = NULL;

	(void)blkid_probe_lookup_value(pr, "TYPE", &type, NULL);
	(void)blkid_probe_lookup_value(pr, "LABEL", &label, NULL);
	(void)blkid_probe_lookup_value(pr, "PTTYPE", &table, NULL);
	if (type != NULL) {
		(void)snprintf(buf, len, "%s%s%s%s", type,
		    label != NULL ? " labelled \"" : "",
		    label != NULL ? label : "", label != NULL ? "\"" : "");
		last_mount(fd, type, buf, len);
	} else if (table != NULL)
		(void)snprintf(buf, len, "partition table (%s)", table);
	else
		(void)snprintf(buf, len, "a known signature");
}
#endif

static int
find(int fd, uint64_t size, char *buf, size_t len)
{
#ifdef HAVE_LIBBLKID
	blkid_probe pr;
	int r;

	pr = blkid_new_probe();
	if (pr == NULL)
		return (-ENOMEM);
	if (blkid_probe_set_device(pr, fd, 0, (blkid_loff_t)size) != 0) {
		blkid_free_probe(pr);
		return (-EIO);
	}
	(void)blkid_probe_enable_superblocks(pr, 1);
	(void)blkid_probe_set_superblocks_flags(
	    pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL | BLKID_SUBLKS_BADCSUM);
	(void)blkid_probe_enable_partitions(pr, 1);
	/* Its second copy outlives whatever was written over the beginning. */
	(void)blkid_probe_set_partitions_flags(pr, BLKID_PARTS_FORCE_GPT);
	/* Not the "safe" probe: two signatures are more reason, not less. */
	r = blkid_do_probe(pr);
	if (r == 0)
		describe(pr, fd, buf, len);
	blkid_free_probe(pr);
	if (r < 0)
		return (-EIO);
	if (r == 0)
		return (1);
	return (find_raw(fd, size, buf, len));
#else
	int r = find_raw(fd, size, buf, len);

	return (r == 0 ? -ENOSYS : r);
#endif
}

int
bench_signature_find(int fd, uint64_t size, char *buf, size_t len)
{
	int r, flags = fcntl(fd, F_GETFL);

	/* libblkid's buffers are not aligned for direct I/O; and to ask another
	 * descriptor would be to ask about another moment. */
	if (O_DIRECT != 0 && flags >= 0 && (flags & O_DIRECT) != 0)
		(void)fcntl(fd, F_SETFL, flags & ~O_DIRECT);
	r = find(fd, size, buf, len);
	if (O_DIRECT != 0 && flags >= 0 && (flags & O_DIRECT) != 0 &&
	    fcntl(fd, F_SETFL, flags) < 0)
		return (-errno);
	return (r);
}
