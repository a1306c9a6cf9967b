/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio_word.h"

#include <string.h>

const struct bench_fio_word bench_fio_words[] = {
	{ F_NAME, "name", NULL, false, ANY, "begins a job" },
	{ F_DESCRIPTION, "description", NULL, false, ANY, "for people" },
	{ F_FILENAME, "filename", NULL, false, ANY, "device or file" },
	{ F_DIRECTORY, "directory", NULL, false, ANY,
	    "of files without a name" },
	{ F_RW, "rw", "readwrite", false, ANY,
	    "read write randread randwrite rw randrw" },
	{ F_MIXREAD, "rwmixread", NULL, false, ANY, "percent" },
	{ F_MIXWRITE, "rwmixwrite", NULL, false, ANY, "percent" },
	{ F_BS, "bs", "blocksize", false, ANY, "4k, or read,write" },
	{ F_BSRANGE, "bsrange", "blocksize_range", false, ANY, "1k-64k" },
	{ F_BSSPLIT, "bssplit", NULL, false, ANY, "4k/60:16k/40" },
	{ F_BLOCKALIGN, "blockalign", "ba", false, ANY, "of offsets" },
	{ F_SIZE, "size", NULL, false, ANY, "of the file, and of the I/O" },
	{ F_IO_SIZE, "io_size", "io_limit", false, ANY, "of the I/O alone" },
	{ F_OFFSET, "offset", NULL, false, ANY, "" },
	{ F_OFFSET_INCREMENT, "offset_increment", NULL, false, ANY,
	    "for each clone" },
	{ F_NUMBER_IOS, "number_ios", NULL, false, ANY, "" },
	{ F_LOOPS, "loops", NULL, false, ANY, "" },
	{ F_IOENGINE, "ioengine", NULL, false, ANY, "or its name here" },
	{ F_IODEPTH, "iodepth", NULL, false, ANY, "" },
	{ F_IODEPTH_BATCH, "iodepth_batch", "iodepth_batch_submit", false, ANY,
	    "[1, as fio]" },
	{ F_IODEPTH_BATCH_COMPLETE, "iodepth_batch_complete_min",
	    "iodepth_batch_complete", false, ANY, "above 1: peak mode" },
	{ F_IODEPTH_BATCH_MOST, "iodepth_batch_complete_max", NULL, false, ANY,
	    "[that min, as fio]" },
	{ F_DIRECT, "direct", NULL, true, ANY, "[0, as fio]" },
	{ F_BUFFERED, "buffered", NULL, true, ANY, "" },
	{ F_NUMJOBS, "numjobs", NULL, false, ANY, "clones" },
	{ F_THREAD, "thread", NULL, true, ANY, "always" },
	{ F_GROUP, "group_reporting", NULL, true, ANY, "" },
	{ F_NEW_GROUP, "new_group", NULL, true, ANY, "" },
	{ F_STONEWALL, "stonewall", "wait_for_previous", true, ANY, "" },
	{ F_RUNTIME, "runtime", "timeout", false, ANY, "" },
	{ F_TIME_BASED, "time_based", NULL, true, ANY, "" },
	{ F_RAMP, "ramp_time", NULL, false, ANY, "" },
	{ F_STARTDELAY, "startdelay", NULL, false, ANY, "" },
	{ F_RATE, "rate", NULL, false, ANY, "bytes a second" },
	{ F_RATE_IOPS, "rate_iops", NULL, false, ANY, "read,write" },
	{ F_RATE_PROCESS, "rate_process", NULL, false, ANY, "linear poisson" },
	{ F_RANDREPEAT, "randrepeat", NULL, true, ANY, "[1]" },
	{ F_RANDSEED, "randseed", NULL, false, ANY, "" },
	{ F_NORANDOMMAP, "norandommap", NULL, true, ANY, "" },
	{ F_RANDOM_DISTRIBUTION, "random_distribution", NULL, false, ANY,
	    "random zipf:THETA" },
	{ F_REFILL, "refill_buffers", NULL, true, ANY, "" },
	{ F_SCRAMBLE, "scramble_buffers", NULL, true, ANY, "always" },
	{ F_COMPRESS, "buffer_compress_percentage", NULL, false, ANY, "" },
	{ F_DEDUPE, "dedupe_percentage", NULL, false, ANY, "" },
	{ F_SYNC, "sync", NULL, true, ANY, "none dsync sync" },
	{ F_FSYNC, "fsync", NULL, false, ANY, "done as fdatasync" },
	{ F_FDATASYNC, "fdatasync", NULL, false, ANY, "" },
	{ F_CONTINUE, "continue_on_error", NULL, false, ANY, "none io all" },
	{ F_FIXEDBUFS, "fixedbufs", NULL, true, ANY, "[0, as fio]" },
	{ F_REGISTERFILES, "registerfiles", NULL, true, ANY, "[0, as fio]" },
	{ F_USERSPACE_REAP, "userspace_reap", NULL, true, ANY, "[0, as fio]" },
	{ F_HIPRI, "hipri", NULL, true, ANY, "IOPOLL" },
	{ F_CPUS_ALLOWED, "cpus_allowed", NULL, false, ANY, "one: the first" },
	{ F_GTOD, "gtod_reduce", NULL, true, ANY, "nothing left to reduce" },
	{ F_CLAT_PERCENTILES, "clat_percentiles", NULL, true, ANY, "always" },
	{ F_PERCENTILE_LIST, "percentile_list", NULL, false, ANY,
	    "50:99:99.9" },
	{ F_READONLY, "readonly", NULL, true, LINE, "no job may write" },
	{ F_ETA, "eta", NULL, false, LINE, "always never auto" },
	{ F_ETA_NEWLINE, "eta-newline", NULL, false, LINE, "" },
	{ F_OUTPUT, "output", NULL, false, LINE, "file" },
	{ F_OUTPUT_FORMAT, "output-format", NULL, false, LINE,
	    "normal json json+" },
	{ F_PARSE_ONLY, "parse-only", NULL, true, LINE, "" },
	{ F_HELP, "help", NULL, true, LINE, "" },
	{ F_VERSION, "version", NULL, true, LINE, "" },
	{ F_WRITE, "write", NULL, false, LINE,
	    "not fio's: the token of \"diskbench identify\"" },
	{ F_OVERWRITE_DATA, "overwrite-data", NULL, true, LINE,
	    "not fio's: see diskbench(1)" },
	{ 0, NULL, NULL, false, ANY, NULL },
};

const struct bench_fio_word *
bench_fio_word_find(const char *name, size_t len)
{
	const struct bench_fio_word *w;

	for (w = bench_fio_words; w->name != NULL; w++) {
		if (strlen(w->name) == len && memcmp(w->name, name, len) == 0)
			return (w);
		if (w->other != NULL && strlen(w->other) == len &&
		    memcmp(w->other, name, len) == 0)
			return (w);
	}
	return (NULL);
}
