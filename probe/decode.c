/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/decode.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <zlib.h>
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum {
	MAX_CODINGS = 4, /* more is an attack, not a web page */
	STEP = 64 * 1024,
};

/* Make room for some more output; false at the limit or without memory. */
static bool
grow(struct probe_decoded *d, size_t max)
{
	size_t cap;
	char *n;

	if (d->len < d->cap && d->len < max)
		return (true);
	if (d->len >= max)
		return (false);
	cap = d->cap > 0 ? d->cap * 2 : STEP;
	if (cap > max)
		cap = max;
	n = realloc(d->b, cap);
	if (n == NULL)
		return (false);
	d->b = n;
	d->cap = cap;
	return (true);
}

static size_t
space(const struct probe_decoded *d, size_t max)
{
	return ((d->cap < max ? d->cap : max) - d->len);
}

static enum probe_decode_status
inflate_with(
    struct probe_decoded *d, int window, const char *b, size_t len, size_t max)
{
	enum probe_decode_status st = PROBE_CUT;
	z_stream z;
	size_t n;
	int r;

	memset(&z, 0, sizeof z);
	if (inflateInit2(&z, window) != Z_OK)
		return (PROBE_DAMAGED);
	/* zlib's interface is older than const. */
	z.next_in = (Bytef *)(size_t)b;
	z.avail_in = (uInt)len;
	while (grow(d, max)) {
		n = space(d, max);
		z.next_out = (Bytef *)d->b + d->len;
		z.avail_out = (uInt)n;
		r = inflate(&z, Z_NO_FLUSH);
		d->len += n - z.avail_out;
		if (r == Z_STREAM_END) {
			/* gzip may be several members, one after the other. */
			if (window < 16 || z.avail_in == 0 ||
			    inflateReset(&z) != Z_OK) {
				st = PROBE_DECODED;
				break;
			}
		} else if (r == Z_BUF_ERROR && z.avail_in == 0)
			break; /* the input ended early */
		else if (r != Z_OK && r != Z_BUF_ERROR) {
			st = d->len > 0 ? PROBE_CUT : PROBE_DAMAGED;
			break;
		}
	}
	(void)inflateEnd(&z);
	return (st);
}

static enum probe_decode_status
gunzip(struct probe_decoded *d, const char *b, size_t len, size_t max)
{
	return (inflate_with(d, 15 + 16, b, len, max));
}

/* "deflate" is the zlib format; some servers send the bare stream. */
static enum probe_decode_status
undeflate(struct probe_decoded *d, const char *b, size_t len, size_t max)
{
	enum probe_decode_status st = inflate_with(d, 15, b, len, max);

	if (st == PROBE_DAMAGED) {
		d->len = 0;
		st = inflate_with(d, -15, b, len, max);
	}
	return (st);
}

#ifdef HAVE_BROTLI
static enum probe_decode_status
unbrotli(struct probe_decoded *d, const char *b, size_t len, size_t max)
{
	enum probe_decode_status st = PROBE_CUT;
	BrotliDecoderState *s;
	BrotliDecoderResult r;
	const uint8_t *in = (const uint8_t *)b;
	uint8_t *out;
	size_t n;

	s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	if (s == NULL)
		return (PROBE_DAMAGED);
	while (grow(d, max)) {
		n = space(d, max);
		out = (uint8_t *)d->b + d->len;
		r = BrotliDecoderDecompressStream(s, &len, &in, &n, &out, NULL);
		d->len = (size_t)(out - (uint8_t *)d->b);
		if (r == BROTLI_DECODER_RESULT_SUCCESS) {
			st = PROBE_DECODED;
			break;
		}
		if (r == BROTLI_DECODER_RESULT_ERROR) {
			st = d->len > 0 ? PROBE_CUT : PROBE_DAMAGED;
			break;
		}
		if (r == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
			break;
	}
	BrotliDecoderDestroyInstance(s);
	return (st);
}
#endif

#ifdef HAVE_ZSTD
static enum probe_decode_status
unzstd(struct probe_decoded *d, const char *b, size_t len, size_t max)
{
	enum probe_decode_status st = PROBE_CUT;
	ZSTD_inBuffer in = { b, len, 0 };
	ZSTD_outBuffer out;
	ZSTD_DStream *s;
	size_t r;

	s = ZSTD_createDStream();
	if (s == NULL)
		return (PROBE_DAMAGED);
	/* RFC 9659: no window above 8 MiB in "zstd" on the web. */
	(void)ZSTD_DCtx_setParameter(s, ZSTD_d_windowLogMax, 23);
	while (grow(d, max)) {
		out.dst = d->b + d->len;
		out.size = space(d, max);
		out.pos = 0;
		r = ZSTD_decompressStream(s, &out, &in);
		d->len += out.pos;
		if (ZSTD_isError(r)) {
			st = d->len > 0 ? PROBE_CUT : PROBE_DAMAGED;
			break;
		}
		if (r == 0 && in.pos == in.size) {
			st = PROBE_DECODED;
			break;
		}
		if (in.pos == in.size && out.pos < out.size)
			break; /* the input ended early */
	}
	(void)ZSTD_freeDStream(s);
	return (st);
}
#endif

static enum probe_decode_status
copy(struct probe_decoded *d, const char *b, size_t len, size_t max)
{
	size_t n;

	while (len > 0) {
		if (!grow(d, max))
			return (PROBE_CUT);
		n = space(d, max);
		if (n > len)
			n = len;
		memcpy(d->b + d->len, b, n);
		d->len += n;
		b += n;
		len -= n;
	}
	return (PROBE_DECODED);
}

typedef enum probe_decode_status
decoder(struct probe_decoded *, const char *, size_t, size_t);

static const struct {
	const char *name;
	decoder *decode;
} codings[] = {
	{ "gzip", gunzip },
	{ "x-gzip", gunzip },
	{ "deflate", undeflate },
#ifdef HAVE_BROTLI
	{ "br", unbrotli },
#endif
#ifdef HAVE_ZSTD
	{ "zstd", unzstd },
#endif
	{ "identity", copy },
};

const char *
probe_decode_known(void)
{
	return ("gzip, deflate"
#ifdef HAVE_BROTLI
		", br"
#endif
#ifdef HAVE_ZSTD
		", zstd"
#endif
	);
}

static decoder *
find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof codings / sizeof *codings; i++)
		if (strlen(codings[i].name) == len &&
		    strncasecmp(codings[i].name, name, len) == 0)
			return (codings[i].decode);
	return (NULL);
}

enum probe_decode_status
probe_decode(struct probe_decoded *ret, const char *coding, size_t coding_len,
    const char *body, size_t len, size_t max)
{
	decoder *steps[MAX_CODINGS];
	struct probe_decoded in = { NULL, 0, 0 }, swap;
	enum probe_decode_status st, worst = PROBE_DECODED;
	const char *p = coding, *e = coding + coding_len, *b;
	size_t n = 0;

	ret->len = 0;
	while (p < e) {
		while (p < e && (*p == ' ' || *p == '\t' || *p == ','))
			p++;
		for (b = p; p < e && *p != ',' && *p != ' ' && *p != '\t'; p++)
			continue;
		if (p == b)
			continue;
		if (n == MAX_CODINGS)
			return (PROBE_UNKNOWN);
		steps[n] = find(b, (size_t)(p - b));
		if (steps[n] == NULL)
			return (PROBE_UNKNOWN);
		if (steps[n] != copy)
			n++;
	}
	/* An empty body is not damaged: HEAD, 304. */
	if (n == 0 || len == 0)
		return (copy(ret, body, len, max));
	while (n-- > 0) {
		st = steps[n](ret, body, len, max);
		if (st != PROBE_DECODED)
			worst = st;
		if (st == PROBE_DAMAGED) {
			ret->len = 0;
			break;
		}
		if (n > 0) {
			swap = in;
			in = *ret;
			*ret = swap;
			ret->len = 0;
			body = in.b;
			len = in.len;
		}
	}
	free(in.b);
	return (worst);
}

void
probe_decoded_fini(struct probe_decoded *d)
{
	free(d->b);
	memset(d, 0, sizeof *d);
}
