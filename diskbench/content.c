/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "diskbench/content.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fiemap.h>
#include <linux/fs.h>
#endif

enum {
	BLOCK = 4096,
	BLOCKS_MAX = 1024
};

static uint64_t
hash(const unsigned char *p, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325), v;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&v, p, 8);
		h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (h);
}

static bool
all_zero(const unsigned char *p, size_t len)
{
	return (p[0] == 0 && memcmp(p, p + 1, len - 1) == 0);
}

static double
entropy(const uint64_t *count)
{
	uint64_t total = 0;
	double e = 0, p;
	unsigned i;

	for (i = 0; i < 256; i++)
		total += count[i];
	for (i = 0; i < 256; i++) {
		if (count[i] == 0)
			continue;
		p = (double)count[i] / (double)total;
		e -= p * log2(p);
	}
	return (e);
}

/* What share of the file has no block, or one that was never written. */
static int
unwritten(int fd, uint64_t offset, uint64_t span)
{
#if defined(__linux__) && defined(FS_IOC_FIEMAP)
	enum {
		N = 128
	};
	union {
		struct fiemap map;
		unsigned char room[sizeof(struct fiemap) +
				   N * sizeof(struct fiemap_extent)];
	} u;
	struct fiemap *m = &u.map;
	uint64_t at = offset, end = offset + span, written = 0, from, to;
	const struct fiemap_extent *x;
	bool last = false;
	unsigned i;

	while (!last && at < end) {
		memset(&u, 0, sizeof u);
		m->fm_start = at;
		m->fm_length = end - at;
		m->fm_extent_count = N;
		if (ioctl(fd, FS_IOC_FIEMAP, m) < 0)
			return (-1);
		if (m->fm_mapped_extents == 0)
			break;
		for (i = 0; i < m->fm_mapped_extents; i++) {
			x = &m->fm_extents[i];
			from = x->fe_logical > offset ? x->fe_logical : offset;
			to = x->fe_logical + x->fe_length;
			at = to;
			last = (x->fe_flags & FIEMAP_EXTENT_LAST) != 0;
			if (to > end)
				to = end;
			if ((x->fe_flags & FIEMAP_EXTENT_UNWRITTEN) == 0 &&
			    to > from)
				written += to - from;
		}
	}
	if (written > span)
		written = span;
	return ((int)((double)(span - written) * 100 / (double)span + 0.5));
#else
	(void)fd;
	(void)offset;
	(void)span;
	return (-1);
#endif
}

int
bench_content_sample(int fd, uint64_t offset, uint64_t span, unsigned blocks,
    struct bench_content *ret)
{
	uint64_t seen[BLOCKS_MAX], count[256] = { 0 }, at, h, whole;
	struct bench_content c = { 0, 0, 0, 8, -1 };
	struct stat st;
	unsigned char *p;
	unsigned i, k, n = 0;
	ssize_t len;
	int r = 0;

	if (blocks > BLOCKS_MAX)
		blocks = BLOCKS_MAX;
	whole = span / BLOCK;
	if (whole < blocks)
		blocks = (unsigned)whole;
	if (posix_memalign((void **)&p, BLOCK, BLOCK) != 0)
		return (-ENOMEM);
	for (i = 0; i < blocks && r == 0; i++) {
		at = blocks == 1
			 ? 0
			 : (whole - 1) / (blocks - 1) * i +
			       (whole - 1) % (blocks - 1) * i / (blocks - 1);
		len = pread(fd, p, BLOCK, (off_t)(offset + at * BLOCK));
		if (len != BLOCK) {
			r = len < 0 ? -errno : -EIO;
			break;
		}
		c.blocks++;
		if (all_zero(p, BLOCK)) {
			c.zero++;
			continue;
		}
		for (k = 0; k < BLOCK; k++)
			count[p[k]]++;
		h = hash(p, BLOCK);
		for (k = 0; k < n; k++)
			if (seen[k] == h)
				break;
		if (k < n)
			c.copies++;
		else
			seen[n++] = h;
	}
	free(p);
	if (r < 0)
		return (r);
	if (c.blocks > c.zero)
		c.entropy = entropy(count);
	if (span > 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		c.unwritten_percent = unwritten(fd, offset, span);
	*ret = c;
	return (0);
}
