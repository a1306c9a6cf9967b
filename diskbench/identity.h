/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which drive is this?  Not its name: names move when a drive is unplugged.
 * Room: diskbench/, doing: reads /sys and /proc; on other systems knows only
 * what the descriptor says.
 */
#ifndef DISKBENCH_IDENTITY_H
#define DISKBENCH_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define BENCH_TOKEN_LEN 32

struct bench_identity {
	char path[4096]; /* "/dev/sda", or a file's path */
	char name[64];   /* "sda"; "" of a file */
	bool is_disk, partition, read_only, removable, rotational;
	char model[80], serial[80], wwid[128], firmware[32];
	char transport[16]; /* nvme usb sata virtio loop zram ... */
	char backing[256];  /* of a loop device: its file */
	char scheduler[32], write_cache[24];
	char fstype[32]; /* a file's file system; "" if not known */
	uint64_t size;   /* bytes */
	uint32_t logical, physical;
	uint64_t diskseq; /* rises whenever another disk takes the place; 0 */
	bool polls;       /* its queues can be polled */
	int numa_node;    /* -1: none */
	/* Thousandths of a degree C; 0: not known. */
	unsigned temperature_mc, temperature_limit_mc;
	/* What main asked others about, for people; "" if nothing. */
	char held_by[400];  /* guard: what uses it */
	char contents[200]; /* signature, content: what is on it */
	/*
	 * Of this very disk, with this size, in this place; 12 letters and
	 * digits.  Whoever types it has looked at what identify printed.
	 */
	char token[BENCH_TOKEN_LEN];
};

/* Of what is open as fd at path; cannot fail, only know little. */
struct bench_geometry;
void bench_identity_read(struct bench_identity *ret, const char *path, int fd,
    bool is_disk, const struct bench_geometry *);

/*
 * All drives of this system, partitions not among them, in the order of their
 * names.  The caller frees *ret.  -errno; -ENOTSUP where nobody can be asked.
 */
int bench_identity_list(struct bench_identity **ret, unsigned *ret_n);
#endif
