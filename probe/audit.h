/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "varyprobe audit": options, plan, transport, analysis, rules and report in
 * one line.
 * Room: probe/.
 */
#ifndef PROBE_AUDIT_H
#define PROBE_AUDIT_H

/* The exit code. */
int probe_audit_main(int argc, char **argv);
#endif
