/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: one record of Varnish's log, in this room's own words, so that what
 * comes after it needs no Varnish to be built, tested or fuzzed.
 * Room: live/.
 */
#ifndef LIVE_RECORD_H
#define LIVE_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The kinds of record that something here reads; the rest is OTHER. */
enum live_tag {
	LIVE_TAG_OTHER = 0,
	LIVE_TAG_BEGIN,
	LIVE_TAG_END,
	LIVE_TAG_LINK,
	LIVE_TAG_TIMESTAMP,
	LIVE_TAG_METHOD,
	LIVE_TAG_URL,
	LIVE_TAG_REQ_HEADER, /* ReqHeader and BereqHeader alike */
	LIVE_TAG_REQ_UNSET,
	LIVE_TAG_STATUS, /* RespStatus and BerespStatus alike */
	LIVE_TAG_RESP_HEADER,
	LIVE_TAG_RESP_UNSET,
	LIVE_TAG_VCL_CALL,
	LIVE_TAG_VCL_RETURN,
	LIVE_TAG_HIT,
	LIVE_TAG_HITMISS,
	LIVE_TAG_HITPASS,
	LIVE_TAG_TTL,
	LIVE_TAG_LENGTH,
	LIVE_TAG_BACKEND,
	LIVE_TAG_ERROR,
	LIVE_TAG_FETCH_ERROR,
	LIVE_TAG_NOTICE,
	LIVE_TAG_HASH,
	LIVE_TAG_ACCT, /* ReqAcct */
	LIVE_TAG__MAX
};

/* The text is borrowed from the log, for the time of a call. */
struct live_record {
	uint64_t vxid;
	enum live_tag tag;
	const char *b; /* without the NUL that the log has at its end */
	size_t len;
};

/* For a literal: does the text begin with it, is it that? */
#define live_record_starts(r, s)                                               \
	((r)->len >= sizeof s - 1 && memcmp((r)->b, s, sizeof s - 1) == 0)
#define live_record_is(r, s)                                                   \
	((r)->len == sizeof s - 1 && live_record_starts(r, s))

/* Digits after blanks: behind them, and *ret; NULL: there are none. */
static inline const char *
live_record_integer(const char *p, const char *e, uint64_t *ret)
{
	const char *b;
	uint64_t v = 0;

	while (p < e && *p == ' ')
		p++;
	for (b = p; p < e && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == b)
		return (NULL);
	*ret = v;
	return (p);
}
#endif
