/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a block device is a part of, and what it is made of: the kernel's own
 * account in /sys.
 * Room: diskbench/, doing: reads /sys, and opens loop devices for reading to
 * ask what they stand on.  Linux alone.
 */
#ifndef DISKBENCH_TOPOLOGY_H
#define DISKBENCH_TOPOLOGY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "diskbench/devset.h"
#include "diskbench/fileset.h"

/* Its folder below /sys/devices, into ret[PATH_MAX]; false: it has none. */
bool bench_topology_dir(dev_t, char *ret);
/* "sda1", into buf; its numbers where /sys has no name for them. */
const char *bench_topology_name(dev_t, char *buf, size_t len);
/* The whole disk of a partition; 0 if it is none. */
dev_t bench_topology_disk(dev_t partition);
/* The numbers of DIR/NAME, a folder of a device in /sys; 0: it has none. */
dev_t bench_topology_dev(const char *dir, const char *name);

/* Has this one ("loop0") something that it stands on? */
bool bench_topology_is_loop(const char *name);
/*
 * What that is, as stat() would have it.  By its
 * numbers st_mode has no permissions, and the device has to be opened; by its
 * name, that may be of another mount namespace.
 * False: it is not to be had so (errno).
 */
bool bench_topology_loop_numbers(const char *name, struct stat *ret);
bool bench_topology_loop_name(const char *name, struct stat *ret);

/* These add to the set.  False: a folder that should be there cannot be read
 * (errno), and the set may lack some. */
bool bench_topology_add_partitions(struct bench_devset *, dev_t disk);
/* Every device of the btrfs that has this one: they are one file system. */
bool bench_topology_add_btrfs(struct bench_devset *, dev_t one);
/* A device, what it is a part of, and what it is made of, down to the disks. */
void bench_topology_add_chain(struct bench_devset *, dev_t);
/*
 * Of a device and of all that it is made of: the devices and files on which the
 * loop devices among them stand.  A loop device opens these without claiming
 * them, so others may have them.  `through` has the devices that were followed.
 * False: what a loop device stands on is not to be had.
 */
bool bench_topology_add_below(struct bench_devset *, struct bench_fileset *,
    struct bench_devset *through, dev_t);
#endif
