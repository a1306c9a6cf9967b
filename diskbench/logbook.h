/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who wrote over this drive?  A line in the system's log before the first write.
 * Room: diskbench/, doing: syslog(3), and nothing else.
 */
#ifndef DISKBENCH_LOGBOOK_H
#define DISKBENCH_LOGBOOK_H

#include "diskbench/target.h"

/*
 * The device or file, what is known of it, and its token.  A system without a log
 * has no line, and is no reason not to write.
 */
void bench_logbook_write(const struct bench_target *);
#endif
