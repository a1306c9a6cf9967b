/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the result goes.  Whoever reads the file (node_exporter, an editor) finds
 * the old one whole or the new one whole: it is written beside its name, and
 * renamed.  What is no file (a pipe, /dev/stdout) is opened as it is.
 * Room: probe/.
 */
#ifndef PROBE_OUTPUT_H
#define PROBE_OUTPUT_H

#include "probe/run.h"

/* -1: there was a message, and the result would go to stdout. */
int probe_output_open(struct probe_run *);
/* Returns the exit code; an internal error leaves the old file. */
int probe_output_close(struct probe_run *, int code);
#endif
