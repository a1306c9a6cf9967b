/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "varyprobe policy": an audit's JSON into a vary.policy for VCL.  Strips only
 * what no judged response depended on, and nothing that a response which could
 * not be judged declares.
 * Room: probe/.
 */
#ifndef PROBE_POLICY_H
#define PROBE_POLICY_H

/* The exit code. */
int probe_policy_main(int argc, char **argv);
#endif
