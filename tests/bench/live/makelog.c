/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Write a Varnish log of any length to standard output: the records of a cache
 * whose origin says "Vary: Host,Accept-Encoding,User-Agent", in the layout of
 * the Varnish that this is built for.
 *
 *	makelog REQUESTS URLS RATE SEED AGENTS.tsv >log.vsl
 *
 * URLs by Zipf's law, browsers by weight, ttl 60 s; RATE requests a second of
 * the log's own time.  What is a hit is decided by a table of fixed size, in which
 * two objects may fight for a place: rarely, and then one is fetched again.
 */
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vdef.h>
#include <vapi/vsl.h>

#ifndef VSL_OVERHEAD
#define VSL_OVERHEAD 2 /* Varnish 6.0 has no name for it */
#endif

enum {
	AGENTS_MAX = 4096,
	TABLE_BITS = 24
};

static uint64_t state;

static double
uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((double)(state >> 11) / 9007199254740992.0);
}

static void rec(uint64_t vxid, int client, enum VSL_tag_e, const char *, ...)
    __attribute__((__format__(__printf__, 4, 5)));

static void
rec(uint64_t vxid, int client, enum VSL_tag_e tag, const char *fmt, ...)
{
	union {
		uint32_t w[1024];
		char c[4096];
	} u;
	va_list ap;
	int n;

	memset(&u, 0, VSL_OVERHEAD * sizeof u.w[0]);
	va_start(ap, fmt);
	n = vsnprintf(
	    u.c + VSL_OVERHEAD * 4, sizeof u - VSL_OVERHEAD * 4, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof u - VSL_OVERHEAD * 4)
		abort();
	n++;
	u.w[0] = (uint32_t)tag << 24 | (uint32_t)n;
#if VSL_OVERHEAD == 2
	u.w[1] =
	    (uint32_t)vxid | (client ? VSL_CLIENTMARKER : VSL_BACKENDMARKER);
#else
	u.w[0] |= (uint32_t)VSL_VERSION_3 << VSL_VERSHIFT;
	vxid |= client ? VSL_CLIENTMARKER : VSL_BACKENDMARKER;
	u.w[1] = (uint32_t)vxid;
	u.w[2] = (uint32_t)(vxid >> 32);
#endif
	(void)fwrite(u.w, 4, VSL_OVERHEAD + VSL_WORDS((unsigned)n), stdout);
}

static void
fetch(uint64_t id, uint64_t parent, double t, const char *url, const char *ua)
{
	rec(id, 0, SLT_Begin, "bereq %ju fetch", (uintmax_t)parent);
	rec(id, 0, SLT_VCL_use, "boot");
	rec(id, 0, SLT_Timestamp, "Start: %.6f 0.000000 0.000000", t);
	rec(id, 0, SLT_BereqMethod, "GET");
	rec(id, 0, SLT_BereqURL, "%s", url);
	rec(id, 0, SLT_BereqProtocol, "HTTP/1.1");
	rec(id, 0, SLT_BereqHeader, "Host: shop.example");
	rec(id, 0, SLT_BereqHeader, "User-Agent: %s", ua);
	rec(id, 0, SLT_BereqHeader, "X-Forwarded-For: 127.0.0.1");
	rec(id, 0, SLT_BereqHeader, "Accept-Encoding: gzip");
	rec(id, 0, SLT_BereqHeader, "X-Varnish: %ju", (uintmax_t)id);
	rec(id, 0, SLT_VCL_call, "BACKEND_FETCH");
	rec(id, 0, SLT_VCL_return, "fetch");
	rec(id, 0, SLT_Timestamp, "Fetch: %.6f 0.000012 0.000012", t);
	rec(id, 0, SLT_Timestamp, "Connected: %.6f 0.000015 0.000003", t);
	rec(id, 0, SLT_BackendOpen,
	    "24 b 127.0.0.1 8080 127.0.0.1 53066 reuse");
	rec(id, 0, SLT_Timestamp, "Bereq: %.6f 0.000099 0.000054", t);
	rec(id, 0, SLT_Timestamp, "Beresp: %.6f 0.000630 0.000530", t + 6e-4);
	rec(id, 0, SLT_BerespProtocol, "HTTP/1.1");
	rec(id, 0, SLT_BerespStatus, "200");
	rec(id, 0, SLT_BerespReason, "OK");
	rec(id, 0, SLT_BerespHeader, "Vary: Host,Accept-Encoding,User-Agent");
	rec(id, 0, SLT_BerespHeader, "Cache-Control: max-age=60");
	rec(id, 0, SLT_BerespHeader, "Content-Length: 1000");
	rec(id, 0, SLT_BerespHeader, "Date: Wed, 02 Dec 2026 01:40:54 GMT");
	rec(id, 0, SLT_TTL, "RFC 60 0 0 %.0f %.0f %.0f 0 60 cacheable", t, t,
	    t);
	rec(id, 0, SLT_VCL_call, "BACKEND_RESPONSE");
	rec(id, 0, SLT_VCL_return, "deliver");
	rec(id, 0, SLT_Timestamp, "Process: %.6f 0.000669 0.000039", t + 6e-4);
	rec(id, 0, SLT_Filters, "%s", "");
	rec(id, 0, SLT_Storage, "malloc s0");
	rec(id, 0, SLT_Fetch_Body, "3 length stream");
	rec(id, 0, SLT_BackendClose, "24 b recycle");
	rec(id, 0, SLT_Timestamp, "BerespBody: %.6f 0.001 0.0004", t + 1e-3);
	rec(id, 0, SLT_Length, "1000");
	rec(id, 0, SLT_BereqAcct, "120 0 120 107 1000 1107");
	rec(id, 0, SLT_End, "%s", "");
}

static void
request(uint64_t id, double t, const char *url, const char *ua, int hit,
    double left, uint64_t object)
{
	rec(id, 1, SLT_Begin, "req 1 rxreq");
	rec(id, 1, SLT_Timestamp, "Start: %.6f 0.000000 0.000000", t);
	rec(id, 1, SLT_Timestamp, "Req: %.6f 0.000000 0.000000", t);
	rec(id, 1, SLT_VCL_use, "boot");
	rec(id, 1, SLT_ReqStart, "127.0.0.1 40286 a0");
	rec(id, 1, SLT_ReqMethod, "GET");
	rec(id, 1, SLT_ReqURL, "%s", url);
	rec(id, 1, SLT_ReqProtocol, "HTTP/1.1");
	rec(id, 1, SLT_ReqHeader, "Host: shop.example");
	rec(id, 1, SLT_ReqHeader, "User-Agent: %s", ua);
	rec(id, 1, SLT_ReqHeader, "Accept-Encoding: gzip, deflate, br");
	rec(id, 1, SLT_ReqHeader, "X-Forwarded-For: 127.0.0.1");
	rec(id, 1, SLT_VCL_call, "RECV");
	rec(id, 1, SLT_VCL_return, "hash");
	rec(id, 1, SLT_ReqUnset, "Accept-Encoding: gzip, deflate, br");
	rec(id, 1, SLT_ReqHeader, "Accept-Encoding: gzip");
	rec(id, 1, SLT_VCL_call, "HASH");
	rec(id, 1, SLT_VCL_return, "lookup");
	if (hit) {
		rec(id, 1, SLT_Hit, "%ju %.6f 0.000000 0.000000",
		    (uintmax_t)object, left);
		rec(id, 1, SLT_VCL_call, "HIT");
		rec(id, 1, SLT_VCL_return, "deliver");
	} else {
		rec(id, 1, SLT_VCL_call, "MISS");
		rec(id, 1, SLT_VCL_return, "fetch");
		rec(id, 1, SLT_Link, "bereq %ju fetch", (uintmax_t)id + 1);
		rec(id, 1, SLT_Timestamp, "Fetch: %.6f 0.000888 0.000888",
		    t + 1e-3);
	}
	rec(id, 1, SLT_RespProtocol, "HTTP/1.1");
	rec(id, 1, SLT_RespStatus, "200");
	rec(id, 1, SLT_RespReason, "OK");
	rec(id, 1, SLT_RespHeader, "Vary: Host,Accept-Encoding,User-Agent");
	rec(id, 1, SLT_RespHeader, "Cache-Control: max-age=60");
	rec(id, 1, SLT_RespHeader, "Content-Length: 1000");
	rec(id, 1, SLT_RespHeader, "Date: Wed, 02 Dec 2026 01:40:54 GMT");
	rec(id, 1, SLT_RespHeader, "X-Varnish: %ju", (uintmax_t)id);
	rec(id, 1, SLT_RespHeader, "Age: %.0f", hit ? 60 - left : 0.0);
	rec(id, 1, SLT_RespHeader, "Via: 1.1 varnish (Varnish/7.1)");
	rec(id, 1, SLT_RespHeader, "Accept-Ranges: bytes");
	rec(id, 1, SLT_VCL_call, "DELIVER");
	rec(id, 1, SLT_VCL_return, "deliver");
	rec(id, 1, SLT_Timestamp, "Process: %.6f 0.0001 0.000092", t + 1e-3);
	rec(id, 1, SLT_Filters, "%s", "");
	rec(id, 1, SLT_RespHeader, "Connection: keep-alive");
	rec(id, 1, SLT_Timestamp, "Resp: %.6f 0.0012 0.0008", t + 1.2e-3);
	rec(id, 1, SLT_ReqAcct, "95 0 95 213 1000 1213");
	rec(id, 1, SLT_End, "%s", "");
}

int
main(int argc, char **argv)
{
	static char *agent[AGENTS_MAX];
	static double weight[AGENTS_MAX];
	struct {
		uint32_t object;  /* half a hash of it */
		uint32_t expires; /* in milliseconds of the log */
	} *table = calloc((size_t)1 << TABLE_BITS, sizeof *table), *e;
	uint64_t n, urls, i, vxid = 2;
	double rate, total = 0, t = 1796175654;
	unsigned agents = 0;
	char line[4096];
	FILE *f;

	if (argc != 6 || table == NULL || (f = fopen(argv[5], "r")) == NULL) {
		(void)fprintf(stderr,
		    "usage: makelog REQUESTS URLS RATE SEED AGENTS.tsv\n");
		return (2);
	}
	n = strtoull(argv[1], NULL, 10);
	urls = strtoull(argv[2], NULL, 10);
	rate = strtod(argv[3], NULL);
	state = strtoull(argv[4], NULL, 10) * 2 + 1;
	while (agents < AGENTS_MAX && fgets(line, sizeof line, f) != NULL) {
		char *tab = strchr(line, '\t');

		if (tab == NULL)
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		total += strtod(line, NULL);
		weight[agents] = total;
		agent[agents] = strdup(tab + 1);
		if (agent[agents++] == NULL)
			return (4);
	}
	(void)fclose(f);
	if (urls == 0 || rate <= 0 || agents == 0)
		return (2);
	(void)fwrite(VSL_OVERHEAD == 2 ? "VSL" : "VSL2", 1, 4, stdout);
	for (i = 0; i < n; i++) {
		/* Zipf's law with exponent 1: the inverse of its integral. */
		uint64_t u =
		    (uint64_t)(exp(uniform() * log((double)urls + 1)) - 1);
		double x = uniform() * total;
		uint32_t now = (uint32_t)((double)i / rate * 1000);
		unsigned lo = 0, hi = agents - 1;
		uint64_t h;
		char url[64];

		while (lo < hi) {
			unsigned mid = (lo + hi) / 2;

			if (weight[mid] < x)
				lo = mid + 1;
			else
				hi = mid;
		}
		(void)snprintf(url, sizeof url, "/shop/%ju/item", (uintmax_t)u);
		h = (u * 4099 + lo + 1) * UINT64_C(0x9e3779b97f4a7c15);
		e = &table[h >> (64 - TABLE_BITS)];
		if (e->object == (uint32_t)h && e->expires > now)
			request(vxid, t + now / 1e3, url, agent[lo], 1,
			    (e->expires - now) / 1e3, 1);
		else {
			e->object = (uint32_t)h;
			e->expires = now + 60000;
			fetch(vxid + 1, vxid, t + now / 1e3, url, agent[lo]);
			request(vxid, t + now / 1e3, url, agent[lo], 0, 0, 0);
		}
		vxid += 2;
	}
	return (fflush(stdout) != 0 ? 4 : 0);
}
