/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undo the content codings of a body (RFC 9110 section 8.4): gzip, deflate,
 * br, zstd.  The result is bounded, whatever the input claims.
 * Room: probe/.  The only door to zlib, brotli and zstd.
 */
#ifndef PROBE_DECODE_H
#define PROBE_DECODE_H

#include <stdbool.h>
#include <stddef.h>

enum probe_decode_status {
	PROBE_DECODED = 0, /* all of it */
	PROBE_CUT,     /* as far as the limit, or as far as the input went */
	PROBE_UNKNOWN, /* a coding that we do not know; nothing written */
	PROBE_DAMAGED, /* no such coding in there; nothing written */
};

/* The caller's, to be used again and again; all zero to begin with. */
struct probe_decoded {
	char *b;
	size_t len, cap;
};

/*
 * Decode len bytes by the value of Content-Encoding, which may name several
 * codings and is not NUL-terminated.  At most max bytes are written.  With no
 * coding, or "identity", the body is copied.
 */
enum probe_decode_status
probe_decode(struct probe_decoded *ret, const char *coding, size_t coding_len,
    const char *body, size_t len, size_t max);
void probe_decoded_fini(struct probe_decoded *);

/* The codings that this build decodes, ", " between them. */
const char *probe_decode_known(void);
#endif
