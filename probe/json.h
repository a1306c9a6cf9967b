/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JSON text (RFC 8259), written from the first byte to the last: for what is
 * written a million times, where a tree of values costs more than the audit.
 * Room: probe/.  Pure; malloc only.
 */
#ifndef PROBE_JSON_H
#define PROBE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero to begin with.  b and len are for the caller to read; where nomem is
 * set they are a part only. */
struct probe_json {
	bool compact; /* on one line; else indented by one blank a level */
	bool nomem;
	char *b;
	size_t len;
	/* private */
	size_t cap;
	unsigned depth;
	bool empty, named;
};

/* Begin again; the memory is kept. */
void probe_json_reset(struct probe_json *);
void probe_json_fini(struct probe_json *);

/* '{' or '[', and its end. */
void probe_json_open(struct probe_json *, char bracket);
void probe_json_close(struct probe_json *, char bracket);

/* A member's name; then its value.  In a list there is none. */
void probe_json_name(struct probe_json *, const char *name);

/*
 * A string of anybody's bytes: if it is no UTF-8, each byte of it that is not
 * ASCII becomes U+FFFD.  NULL is null.
 */
void probe_json_string(struct probe_json *, const char *);
void probe_json_integer(struct probe_json *, int64_t);
/* With eight digits, and always as a number with a point or an exponent. */
void probe_json_real(struct probe_json *, double);
void probe_json_bool(struct probe_json *, bool);
#endif
