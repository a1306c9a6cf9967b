/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What varyprobe found out about the origin ("varykit.audit/1"): the only thing
 * that can say that a member may go.
 * Room: live/.  jansson is named in audit.c, report_json.c and accesslog.c.
 */
#ifndef LIVE_AUDIT_H
#define LIVE_AUDIT_H

#include <stddef.h>
#include <stdio.h>

enum live_verdict {
	LIVE_NOT_AUDITED = 0,
	LIVE_SAFE,   /* no effect was observed, on any target of the host */
	LIVE_UNSAFE, /* it changes what the origin sends */
};

struct live_audit;

/*
 * Read a result, one document or one target a line.  0, -EINVAL (no such
 * document; *ret_text says what is wrong with it), -ENOMEM, or the errno of
 * the file, negative.
 */
int live_audit_open(
    struct live_audit **ret, const char *path, char *ret_text, size_t text_cap);
/* The same of an open file, which stays the caller's. */
int live_audit_read(
    struct live_audit **ret, FILE *, char *ret_text, size_t text_cap);
void live_audit_close(struct live_audit **);

/* Of a member on a host; host NULL: on all of them. */
enum live_verdict live_audit_verdict(
    const struct live_audit *, const char *host, const char *member);

size_t live_audit_targets(const struct live_audit *);
const char *live_verdict_word(enum live_verdict);
#endif
