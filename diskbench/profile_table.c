/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The built-in profiles.  How they were come by: real varnishd, Traffic
 * Server, nginx and Squid on a block device whose requests were traced; 30,000
 * objects with sizes as CDNs have them (mean 39 kB), then hits by a Zipf law
 * from 64 connections, with too little memory to answer them from.
 */
#include "diskbench/profile.h"

#define K(n) (UINT32_C(n) * 1024)
#define M(n) (UINT32_C(n) * 1024 * 1024)
#define COUNT(...)                                                             \
	(sizeof((struct bench_size[]){ __VA_ARGS__ }) /                        \
	    sizeof(struct bench_size))
#define SIZES(...) .size = { __VA_ARGS__ }, .n_size = COUNT(__VA_ARGS__)
#define RUNS(...)  .run = { __VA_ARGS__ }, .n_run = COUNT(__VA_ARGS__)

/*
 * Objects of a CDN, as one read for each in Traffic Server's trace had them:
 * up to 4k 11 %, 8k 20 %, 16k 22 %, 32k 20 %, 64k 14 %, 128k 7.6 %, 256k 3.7 %,
 * 512k 1.8 %.  Each class is two sizes, so that the mean (40 KiB) is right, too.
 */
#define OBJECTS                                                                \
	{ K(4), 110 }, { K(8), 200 }, { K(12), 110 }, { K(16), 110 },          \
	    { K(24), 100 }, { K(32), 100 }, { K(48), 70 }, { K(64), 70 },      \
	    { K(80), 38 }, { K(112), 38 }, { K(160), 19 }, { K(224), 18 },     \
	    { K(320), 9 },                                                     \
	{                                                                      \
		K(448), 9                                                      \
	}
#define OBJECT_MEAN 40755.0

static const struct bench_profile profiles[] = {
	{
		.name = "blog",
		.help = "the original jobs: 4k 75/25, reads, writes, then 128k at a rate",
		.note = "Four phases, one after the other.  The last one, at 1,280 "
			"reads and as many writes a second, ran "
			"for 24 hours.",
		.basis = BENCH_BASIS_OBSERVED,
		.hit_percent = 100,
		.object_bytes = 4096,
		.n = 4,
		.stream = {
			{ .name = "mixed", .read_percent = 75, .in_flight = 64,
			    .closed = true, SIZES({ K(4), 1 }) },
			{ .name = "reads", .read_percent = 100, .in_flight = 64,
			    .closed = true, .phase = 1, SIZES({ K(4), 1 }) },
			{ .name = "writes", .in_flight = 64, .closed = true,
			    .phase = 2, SIZES({ K(4), 1 }) },
			{ .name = "endurance", .read_percent = 50,
			    .in_flight = 16, .per_second = 2560, .phase = 3,
			    SIZES({ K(128), 1 }) },
		},
	},
	{
		.name = "varnish-file",
		.help = "Varnish, storage file: 4 KiB page faults, one after the other",
		.note = "Each page of an object is read for itself, when its "
			"turn comes, and before it is written, too: 4,000 "
			"reads a second are 100 objects of 160 KiB.  With "
			"fetches (--hit 70) pages are read to be overwritten.",
		.basis = BENCH_BASIS_TRACED,
		.hit_percent = 100,
		.object_bytes = OBJECT_MEAN,
		.n = 3,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 64,
			    .per_hit = 1, SIZES({ K(4), 1 }), RUNS(OBJECTS) },
			{ .name = "fill-reads", .read_percent = 100,
			    .in_flight = 32, .per_miss = 1, SIZES({ K(4), 1 }),
			    RUNS(OBJECTS) },
			{ .name = "writeback", .in_flight = 32, .miss_bytes = 1,
			    .follow_percent = 84,
			    SIZES({ K(256), 13 }, { K(512), 60 },
				{ M(1), 27 }) },
		},
	},
	{
		.name = "varnish-file-nuke",
		.help = "the same with a store smaller than the content: LRU nuking",
		.note = "The free space is in pieces: most writes are small "
			"and scattered.",
		.basis = BENCH_BASIS_TRACED,
		.hit_percent = 40,
		.object_bytes = OBJECT_MEAN,
		.n = 3,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 64,
			    .per_hit = 1, SIZES({ K(4), 1 }), RUNS(OBJECTS) },
			{ .name = "fill-reads", .read_percent = 100,
			    .in_flight = 64, .per_miss = 1, SIZES({ K(4), 1 }),
			    RUNS(OBJECTS) },
			/* Bytes read to bytes written: 2.6 to 1. */
			{ .name = "writeback", .in_flight = 32,
			    .miss_bytes = 0.641, .follow_percent = 22,
			    SIZES({ K(4), 10 }, { K(8), 8 }, { K(16), 8 },
				{ K(32), 7 }, { K(64), 11 }, { K(128), 11 },
				{ K(256), 12 }, { K(512), 33 }) },
		},
	},
	{
		.name = "ats",
		.help = "Apache Traffic Server, raw disk: a read an object, writes in a row",
		.note = "Eight reads at once for a disk (threads_per_disk). "
			"Writes are collected to 2 to 4 MiB, each with a flush.",
		.basis = BENCH_BASIS_TRACED,
		.hit_percent = 90,
		.object_bytes = OBJECT_MEAN,
		.n = 3,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 8,
			    .per_hit = 1, SIZES(OBJECTS) },
			{ .name = "aggregates", .sequential = true,
			    .align = K(4),
			    .in_flight = 1, .miss_bytes = 1,
			    .sync = BENCH_SYNC_DSYNC,
			    SIZES({ M(2), 1 }, { M(3), 1 }, { M(4), 1 }) },
			{ .name = "directory", .in_flight = 1,
			    .per_second = 1.0 / 60, .sync = BENCH_SYNC_DSYNC,
			    SIZES({ M(2), 1 }) },
		},
	},
	{
		.name = "nginx",
		.help = "nginx, a file an object: buffered reads, scattered writes",
		.note = "Two workers that wait for the disk (aio off). What "
			"the page cache makes of it is what is asked for; "
			"the file system's own writes are left out.",
		.basis = BENCH_BASIS_TRACED,
		.hit_percent = 90,
		.object_bytes = OBJECT_MEAN,
		.n = 2,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 2,
			    .per_hit = 1.66,
			    SIZES({ K(4), 17 }, { K(8), 14 }, { K(16), 45 },
				{ K(32), 6 }, { K(64), 13 }, { K(96), 5 }) },
			{ .name = "writeback", .in_flight = 32, .miss_bytes = 1,
			    .follow_percent = 5,
			    SIZES({ K(4), 14 }, { K(64), 20 }, { K(112), 15 },
				{ K(128), 31 }, { K(256), 20 }) },
		},
	},
	{
		.name = "squid-rock",
		.help = "Squid, rock store: 16 KiB slots through the page cache",
		.note = "One process reads and writes, one slot at a time.",
		.basis = BENCH_BASIS_TRACED,
		.hit_percent = 70,
		.object_bytes = OBJECT_MEAN,
		.n = 3,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 1,
			    .per_hit = 5.9, SIZES({ K(4), 30 }, { K(8), 70 }) },
			{ .name = "fill-reads", .read_percent = 100,
			    .in_flight = 1, .per_miss = 0.1,
			    SIZES({ K(4), 1 }) },
			{ .name = "writeback", .in_flight = 32, .miss_bytes = 1,
			    SIZES({ K(16), 30 }, { K(32), 30 }, { K(48), 20 },
				{ K(80), 20 }) },
		},
	},
	{
		.name = "navy",
		.help = "CacheLib Navy: a read an object, 1 MiB writes in 16 MiB regions",
		.note = "From CacheLib's manual.  Small objects are in buckets "
			"of 4 KiB that are read, changed and written.",
		.basis = BENCH_BASIS_DOCUMENTED,
		.hit_percent = 90,
		.object_bytes = OBJECT_MEAN,
		.n = 4,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 32,
			    .per_hit = 1, SIZES(OBJECTS) },
			{ .name = "regions", .sequential = true,
			    .in_flight = 32, .miss_bytes = 1,
			    SIZES({ M(1), 1 }) },
			{ .name = "bucket-reads", .read_percent = 100,
			    .in_flight = 32, .per_miss = 0.2,
			    SIZES({ K(4), 1 }) },
			{ .name = "bucket-writes", .in_flight = 32,
			    .per_miss = 0.2, SIZES({ K(4), 1 }) },
		},
	},
	{
		.name = "fellow",
		.help = "SLASH/fellow: io_uring, up to 1 MiB a request (approximate)",
		.note = "Its request sizes are not public: from announcements, "
			"and approximate.",
		.basis = BENCH_BASIS_APPROXIMATE,
		.hit_percent = 90,
		.object_bytes = OBJECT_MEAN,
		.n = 3,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 128,
			    .per_hit = 1, SIZES(OBJECTS) },
			{ .name = "objects", .in_flight = 64, .miss_bytes = 1,
			    SIZES(OBJECTS) },
			{ .name = "log", .in_flight = 1, .per_second = 0.5,
			    .fsync = 1, SIZES({ K(4), 1 }) },
		},
	},
	{
		.name = "mse",
		.help = "Varnish Enterprise MSE: store and book (approximate)",
		.note = "Its request sizes are not public: from manuals, and "
			"approximate.",
		.basis = BENCH_BASIS_APPROXIMATE,
		.hit_percent = 90,
		.object_bytes = OBJECT_MEAN,
		.n = 4,
		.stream = {
			{ .name = "hits", .read_percent = 100, .in_flight = 16,
			    .per_hit = 1,
			    SIZES({ K(16), 530 }, { K(32), 200 },
				{ K(64), 140 }, { K(128), 76 }, { K(256), 37 },
				{ K(512), 10 }, { M(1), 7 }) },
			{ .name = "objects", .in_flight = 16, .miss_bytes = 1,
			    SIZES({ K(16), 530 }, { K(32), 200 },
				{ K(64), 140 }, { K(128), 76 }, { K(256), 37 },
				{ K(512), 10 }, { M(1), 7 }) },
			{ .name = "book-reads", .read_percent = 100,
			    .in_flight = 4, .per_miss = 1, SIZES({ K(4), 1 }) },
			{ .name = "book-writes", .in_flight = 4, .per_miss = 1,
			    .fsync = 8, SIZES({ K(4), 1 }) },
		},
	},
};

bool
bench_profile_get(unsigned i, struct bench_profile *ret)
{
	if (i >= sizeof profiles / sizeof *profiles)
		return (false);
	*ret = profiles[i];
	return (true);
}
