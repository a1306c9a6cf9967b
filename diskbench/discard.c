/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/discard.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <linux/fs.h>
#endif

int
bench_discard(const struct bench_target *t, uint64_t offset, uint64_t len,
    struct bench_refusal *why)
{
#ifdef BLKDISCARD
	uint64_t range[2] = { offset, len };
#endif

	assert(t->access == BENCH_ACCESS_WRITE);
	if (!t->is_disk)
		return (bench_refuse(why, EOPNOTSUPP, BENCH_EXIT_KIND,
		    "%.200s: --discard is for devices, and this is a file",
		    t->path));
#ifdef BLKDISCARD
	if (ioctl(t->fd, BLKDISCARD, range) == 0)
		return (0);
	if (errno != EOPNOTSUPP)
		return (bench_refuse(why, errno, BENCH_EXIT_IO,
		    "%.200s: discard: %s", t->path, strerror(errno)));
#else
	(void)offset;
	(void)len;
#endif
	return (bench_refuse(why, EOPNOTSUPP, BENCH_EXIT_KIND,
	    "%.200s: the drive takes no discard; purge it with its own tool "
	    "(nvme format, hdparm --security-erase) and say so with --purge",
	    t->path));
}
