/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does it hold something that has a name?
 * Room: diskbench/, doing: only reads.  libblkid is named in its .c file and
 * nowhere else.
 */
#ifndef DISKBENCH_SIGNATURE_H
#define DISKBENCH_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Look for file systems, RAID and LVM members, swap, partition tables, crypto
 * containers (libblkid), and for what it does not know: caches on raw disks.
 * 1 and what was found in buf; 0: nothing; -ENOSYS: built without libblkid;
 * other -errno.
 */
int bench_signature_find(int fd, uint64_t size, char *buf, size_t len);
#endif
