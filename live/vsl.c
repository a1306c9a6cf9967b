/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/vsl.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vdef.h>
#include <vapi/vsm.h>
#include <vapi/vsl.h>

/*
 * The cursor of libvarnishapi reads a running log.  Files are read here: the
 * library asserts that they end between two records and hold only records,
 * and a file from a disk that ran full, or of another version, does not.
 */
enum {
	FILE_ID_LEN = 4,       /* "VSL" and a NUL, all versions */
	BUF_WORDS = 64 * 1024, /* a record is at most 16 Ki words */
	BATCH = 8192           /* records a call */
};

#ifndef VSL_OVERHEAD
#define VSL_OVERHEAD 2 /* Varnish 6.0 has no name for it */
#endif
#if VSL_OVERHEAD == 2
#define RECORD_VERSION 0U /* VXIDs of 32 bits, up to Varnish 7.2 */
#else
#define RECORD_VERSION 1U /* of 64 bits, since Varnish 7.3 */
#endif

#define OTHER_VERSION                                                          \
	"the records are of another version of Varnish: read the file with a " \
	"varylive that was built for that version"

struct live_vsl {
	struct VSL_data *vsl;
	struct vsm *vsm;
	struct VSL_cursor *cursor;
	struct VSLQ *vslq;
	const char *query;
	bool head, attached;
	char *spool; /* a copy without the damage, for a query to read */

	int fd; /* of the file; -1: none */
	uint32_t *buf;
	size_t words, at; /* in buf, read of it */
	size_t odd;       /* bytes of a word that is not complete yet */
	bool eof;
	uint64_t offset, records;
	unsigned char kind[256];  /* by tag */
	enum live_vsl_status end; /* of a file that a query reads */

	live_record_f *func;
	void *priv;
	int error;
	char text[512];
};

static const unsigned char tag_of[SLT__MAX] = {
	[SLT_Begin] = LIVE_TAG_BEGIN,
	[SLT_End] = LIVE_TAG_END,
	[SLT_Link] = LIVE_TAG_LINK,
	[SLT_Timestamp] = LIVE_TAG_TIMESTAMP,
	[SLT_ReqMethod] = LIVE_TAG_METHOD,
	[SLT_ReqURL] = LIVE_TAG_URL,
	[SLT_ReqHeader] = LIVE_TAG_REQ_HEADER,
	[SLT_ReqUnset] = LIVE_TAG_REQ_UNSET,
	[SLT_BereqHeader] = LIVE_TAG_REQ_HEADER,
	[SLT_BereqUnset] = LIVE_TAG_REQ_UNSET,
	[SLT_RespStatus] = LIVE_TAG_STATUS,
	[SLT_RespHeader] = LIVE_TAG_RESP_HEADER,
	[SLT_RespUnset] = LIVE_TAG_RESP_UNSET,
	[SLT_BerespStatus] = LIVE_TAG_STATUS,
	[SLT_BerespHeader] = LIVE_TAG_RESP_HEADER,
	[SLT_BerespUnset] = LIVE_TAG_RESP_UNSET,
	[SLT_VCL_call] = LIVE_TAG_VCL_CALL,
	[SLT_VCL_return] = LIVE_TAG_VCL_RETURN,
	[SLT_Hit] = LIVE_TAG_HIT,
	[SLT_HitMiss] = LIVE_TAG_HITMISS,
	[SLT_HitPass] = LIVE_TAG_HITPASS,
	[SLT_TTL] = LIVE_TAG_TTL,
	[SLT_Length] = LIVE_TAG_LENGTH,
	[SLT_BackendOpen] = LIVE_TAG_BACKEND,
	[SLT_Error] = LIVE_TAG_ERROR,
	[SLT_FetchError] = LIVE_TAG_FETCH_ERROR,
	[SLT_Notice] = LIVE_TAG_NOTICE,
	[SLT_Hash] = LIVE_TAG_HASH,
	[SLT_ReqAcct] = LIVE_TAG_ACCT,
};

/* What the head of a record tells of it. */
enum {
	KNOWN = 1,      /* this version of Varnish writes such records */
	BATCH_HEAD = 2, /* it has no text; its records follow */
	BINARY = 4,     /* its text need not end with a NUL */
	WANTED = 8
};

static void
learn_kinds(struct live_vsl *v)
{
	unsigned i;

	for (i = 0; i < SLT__MAX; i++) {
		if (VSL_tags[i] == NULL)
			continue;
		v->kind[i] = KNOWN;
		if (VSL_tagflags[i] & SLT_F_BINARY)
			v->kind[i] |= BINARY;
		if (tag_of[i] != LIVE_TAG_OTHER)
			v->kind[i] |= WANTED;
	}
	v->kind[SLT__Batch] = KNOWN | BATCH_HEAD;
}

static void fail(struct live_vsl *, const char *, ...) v_printflike_(2, 3);

static void
fail(struct live_vsl *v, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	(void)vsnprintf(v->text, sizeof v->text, fmt, ap);
	va_end(ap);
	/* The library ends some of its texts with a newline. */
	for (n = strlen(v->text); n > 0 && v->text[n - 1] == '\n'; n--)
		v->text[n - 1] = '\0';
}

static inline int
hand_over(struct live_vsl *v, const uint32_t *p)
{
	struct live_record r;

	r.vxid = VSL_ID(p);
	r.tag = (enum live_tag)tag_of[VSL_TAG(p)];
	r.b = VSL_CDATA(p);
	r.len = VSL_LEN(p);
	if (r.len > 0 && r.b[r.len - 1] == '\0')
		r.len--;
	v->error = v->func(v->priv, &r);
	return (v->error);
}

/* One that the library gave us. */
static int
take(struct live_vsl *v, const uint32_t *p)
{
	v->records++;
	return (v->kind[VSL_TAG(p) & 0xff] & WANTED ? hand_over(v, p) : 0);
}

/* --- Files ---------------------------------------------------------------- */

static int
open_file(struct live_vsl *v, const char *name)
{
	char id[FILE_ID_LEN];
	size_t n = 0;
	ssize_t r;

	if (strcmp(name, "-") == 0)
		v->fd = STDIN_FILENO;
	else
		v->fd = open(name, O_RDONLY | O_CLOEXEC);
	if (v->fd < 0) {
		fail(v, "%s: %s", name, strerror(errno));
		return (-EIO);
	}
	while (n < sizeof id) {
		r = read(v->fd, id + n, sizeof id - n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			fail(v, "%s: %s", name, strerror(errno));
			return (-EIO);
		}
		if (r == 0)
			break;
		n += (size_t)r;
	}
	if (n < sizeof id || memcmp(id, "VSL", 3) != 0 ||
	    (id[3] != '\0' && id[3] != '2')) {
		fail(v,
		    "%s: no Varnish log: record one with varnishlog -w FILE; "
		    "access logs are read with --access-log",
		    n == 0 ? "the file is empty" : name);
		return (-EIO);
	}
	/* The records tell the rest: each has its version. */
	if (id[3] == '2' && RECORD_VERSION == 0) {
		fail(v, "%s: " OTHER_VERSION, name);
		return (-EIO);
	}
	v->offset = FILE_ID_LEN;
	v->buf = malloc(BUF_WORDS * sizeof *v->buf);
	return (v->buf == NULL ? -ENOMEM : 0);
}

/* Read on.  False: the end, or an error that v->text tells. */
static bool
fill(struct live_vsl *v, enum live_vsl_status *ret)
{
	size_t left = v->words - v->at;
	char *b;
	ssize_t r;

	if (v->eof) {
		*ret =
		    left > 0 || v->odd > 0 ? LIVE_VSL_TRUNCATED : LIVE_VSL_END;
		return (false);
	}
	b = (char *)v->buf;
	memmove(b, b + v->at * sizeof *v->buf, left * sizeof *v->buf + v->odd);
	v->at = 0;
	v->words = left;
	b += left * sizeof *v->buf + v->odd;
	r = read(v->fd, b, (BUF_WORDS - left) * sizeof *v->buf - v->odd);
	if (r < 0 && errno == EINTR) {
		*ret = LIVE_VSL_IDLE;
		return (false);
	}
	if (r < 0) {
		fail(v, "reading the log: %s", strerror(errno));
		*ret = LIVE_VSL_ERROR;
		return (false);
	}
	if (r == 0)
		v->eof = true;
	v->odd += (size_t)r;
	v->words += v->odd / sizeof *v->buf;
	v->odd %= sizeof *v->buf;
	return (true);
}

/* This is no head of a record of this version: which one is it? */
static enum live_vsl_status
corrupt(struct live_vsl *v, const uint32_t *p)
{
	if ((p[0] >> 16 & 3) != RECORD_VERSION)
		fail(v, OTHER_VERSION);
	else
		fail(v, "no record of this kind is known: %u", VSL_TAG(p));
	return (LIVE_VSL_CORRUPT);
}

/*
 * The next record is in the buffer, whole: its words, and its kind.  0: it is not,
 * and *ret_st tells; LIVE_VSL_MORE: there may be more behind a call of fill().
 */
static inline size_t
look_at(struct live_vsl *v, const uint32_t *p, size_t words, unsigned *ret_kind,
    enum live_vsl_status *ret_st)
{
	unsigned kind, len;
	size_t need;

	*ret_st = LIVE_VSL_MORE;
	if (words < VSL_OVERHEAD)
		return (0);
	kind = v->kind[VSL_TAG(p) & 0xff];
	if ((p[0] >> 16 & 3) != RECORD_VERSION || !(kind & KNOWN)) {
		*ret_st = corrupt(v, p);
		return (0);
	}
	len = kind & BATCH_HEAD ? 0 : VSL_LEN(p);
	need = VSL_OVERHEAD + VSL_WORDS(len);
	if (words < need)
		return (0);
	/* Varnish ends every text with a NUL. */
	if (len > 0 && !(kind & BINARY) && VSL_CDATA(p)[len - 1] != '\0') {
		fail(v, "a record without its end");
		*ret_st = LIVE_VSL_CORRUPT;
		return (0);
	}
	*ret_kind = kind;
	return (need);
}

static enum live_vsl_status
read_file(struct live_vsl *v)
{
	enum live_vsl_status st;
	size_t at, need;
	unsigned n, kind;
	int e = 0;

	do {
		at = v->at;
		for (n = 0; n < BATCH && e == 0; n++) {
			need =
			    look_at(v, v->buf + at, v->words - at, &kind, &st);
			if (need == 0)
				break;
			v->records += !(kind & BATCH_HEAD);
			if (kind & WANTED)
				e = hand_over(v, v->buf + at);
			at += need;
		}
		v->offset += (at - v->at) * sizeof *v->buf;
		v->at = at;
		if (e != 0)
			return (LIVE_VSL_ERROR);
		if (n == BATCH || st != LIVE_VSL_MORE)
			return (n == BATCH ? LIVE_VSL_MORE : st);
	} while (fill(v, &st));
	return (st);
}

static int
count_only(void *priv, const struct live_record *r)
{
	(void)priv;
	(void)r;
	return (0);
}

/*
 * Have the library read a file for a query.  It is read through here first,
 * and a damaged one copied as far as it is whole.
 */
static int
open_query_file(struct live_vsl *v, const char *name)
{
	static const char tmpl[] = "varylive.XXXXXX";
	const char *dir = getenv("TMPDIR");
	enum live_vsl_status st;
	char path[4096], buf[65536];
	uint64_t left;
	int fd;

	v->func = count_only;
	while ((st = read_file(v)) == LIVE_VSL_MORE || st == LIVE_VSL_IDLE)
		continue;
	v->end = st;
	v->records = 0;
	if (st == LIVE_VSL_END) {
		v->cursor = VSL_CursorFile(v->vsl, name, 0);
		if (v->cursor == NULL)
			fail(v, "%s", VSL_Error(v->vsl));
		return (v->cursor == NULL ? -EIO : 0);
	}
	if (snprintf(path, sizeof path, "%s/%s",
		dir != NULL && *dir != '\0' ? dir : "/tmp",
		tmpl) >= (int)sizeof path) {
		fail(v, "TMPDIR is too long");
		return (-EIO);
	}
	fd = mkstemp(path);
	if (fd < 0) {
		fail(v, "%s: %s", path, strerror(errno));
		return (-EIO);
	}
	v->spool = strdup(path);
	(void)lseek(v->fd, 0, SEEK_SET);
	for (left = v->offset; left > 0;) {
		size_t want = left < sizeof buf ? (size_t)left : sizeof buf;
		ssize_t r = read(v->fd, buf, want);

		if (r <= 0 || write(fd, buf, (size_t)r) != r) {
			fail(v, "%s: %s", path,
			    r == 0 ? "the file shrank" : strerror(errno));
			(void)close(fd);
			return (-EIO);
		}
		left -= (uint64_t)r;
	}
	(void)close(fd);
	v->cursor = VSL_CursorFile(v->vsl, path, 0);
	if (v->cursor == NULL && v->offset > FILE_ID_LEN)
		fail(v, "%s", VSL_Error(v->vsl));
	return (v->cursor == NULL ? -EIO : 0);
}

/* --- Live ----------------------------------------------------------------- */

static int
open_live(struct live_vsl *v, const struct live_vsl_options *o)
{
	v->vsm = VSM_New();
	if (v->vsm == NULL)
		return (-ENOMEM);
	if (o->instance != NULL && VSM_Arg(v->vsm, 'n', o->instance) <= 0) {
		fail(v, "-n: %s", VSM_Error(v->vsm));
		return (-EINVAL);
	}
	if (o->patience != NULL && VSM_Arg(v->vsm, 't', o->patience) <= 0) {
		fail(v, "-t: %s", VSM_Error(v->vsm));
		return (-EINVAL);
	}
	if (VSM_Attach(v->vsm, -1) != 0) {
		fail(v,
		    "%s: is varnishd running, is -n its directory, and may "
		    "this user read it (group varnish)?",
		    VSM_Error(v->vsm));
		return (-EIO);
	}
	return (0);
}

/* Find the log of the running child.  False: it is not there yet. */
static bool
acquire(struct live_vsl *v)
{
	struct VSL_cursor *c;

	(void)VSM_Status(v->vsm);
	c = VSL_CursorVSM(
	    v->vsl, v->vsm, v->head ? VSL_COPT_TAILSTOP : VSL_COPT_TAIL);
	if (c == NULL) {
		VSL_ResetError(v->vsl);
		return (false);
	}
	if (v->query != NULL)
		VSLQ_SetCursor(v->vslq, &c);
	else
		v->cursor = c;
	v->attached = true;
	return (true);
}

static enum live_vsl_status
lose(struct live_vsl *v)
{
	if (v->query != NULL)
		VSLQ_SetCursor(v->vslq, NULL);
	else if (v->cursor != NULL) {
		VSL_DeleteCursor(v->cursor);
		v->cursor = NULL;
	}
	v->attached = false;
	return (v->head ? LIVE_VSL_END : LIVE_VSL_ABANDONED);
}

static enum live_vsl_status
status_of(struct live_vsl *v, enum vsl_status s)
{
	switch (s) {
	case vsl_more: return (LIVE_VSL_MORE);
	case vsl_end: return (LIVE_VSL_IDLE);
	case vsl_e_eof: return (LIVE_VSL_END);
	case vsl_e_abandon: return (lose(v));
	case vsl_e_overrun: (void)lose(v); return (LIVE_VSL_OVERRUN);
	case vsl_e_io:
	case vsl_e_write:
	default: fail(v, "reading the log failed"); return (LIVE_VSL_ERROR);
	}
}

static enum live_vsl_status
read_live(struct live_vsl *v)
{
	unsigned n;

	for (n = 0; n < BATCH; n++) {
		enum vsl_status s = VSL_Next(v->cursor);

		if (s != vsl_more)
			return (status_of(v, s));
		/*
		 * varnishd may write over what the record points to.  It has
		 * two segments to go before that, which is checked by the
		 * next VSL_Next().
		 */
		if (take(v, v->cursor->rec.ptr) != 0)
			return (LIVE_VSL_ERROR);
	}
	return (LIVE_VSL_MORE);
}

static int
dispatch(
    struct VSL_data *vsl, struct VSL_transaction *const trans[], void *priv)
{
	struct live_vsl *v = priv;
	struct VSL_transaction *t;
	unsigned i;

	(void)vsl;
	for (i = 0; (t = trans[i]) != NULL; i++) {
		while (VSL_Next(t->c) == vsl_more)
			if (take(v, t->c->rec.ptr) != 0)
				return (-100);
	}
	return (0);
}

static enum live_vsl_status
read_query(struct live_vsl *v)
{
	unsigned n;
	int i = 1;

	for (n = 0; n < BATCH && i == 1; n++)
		i = VSLQ_Dispatch(v->vslq, dispatch, v);
	if (v->error != 0)
		return (LIVE_VSL_ERROR);
	if (i == vsl_e_eof || i < vsl_e_eof) {
		/* What was begun and is not ended is looked at as it is. */
		(void)VSLQ_Flush(v->vslq, dispatch, v);
		if (v->error != 0)
			return (LIVE_VSL_ERROR);
		if (v->fd >= 0 && i == vsl_e_eof)
			return (v->end);
	}
	return (status_of(v, (enum vsl_status)i));
}

/* --- Both ----------------------------------------------------------------- */

int
live_vsl_open(struct live_vsl **ret, const struct live_vsl_options *o)
{
	struct live_vsl *v;
	int r;

	assert(ret != NULL && o != NULL);
	v = calloc(1, sizeof *v);
	if (v == NULL)
		return (-ENOMEM);
	*ret = v;
	v->fd = -1;
	v->head = o->head;
	learn_kinds(v);
	v->query = o->query;
	v->vsl = VSL_New();
	if (v->vsl == NULL)
		return (-ENOMEM);
	if ((o->limit != NULL && VSL_Arg(v->vsl, 'L', o->limit) < 0) ||
	    (o->timeout != NULL && VSL_Arg(v->vsl, 'T', o->timeout) < 0)) {
		fail(v, "%s", VSL_Error(v->vsl));
		return (-EINVAL);
	}
	if (v->query != NULL) {
		v->vslq = VSLQ_New(v->vsl, NULL, VSL_g_request, v->query);
		if (v->vslq == NULL) {
			fail(v, "-q: %s", VSL_Error(v->vsl));
			return (-EINVAL);
		}
	}
	if (o->file == NULL)
		return (open_live(v, o));
	if (v->query != NULL && strcmp(o->file, "-") == 0) {
		fail(v,
		    "-q cannot be asked of standard input: give the query to "
		    "varnishlog, or read from a file");
		return (-EINVAL);
	}
	r = open_file(v, o->file);
	if (r == 0 && v->query != NULL) {
		r = open_query_file(v, o->file);
		if (r == 0)
			VSLQ_SetCursor(v->vslq, &v->cursor);
	}
	v->attached = r == 0;
	return (r);
}

enum live_vsl_status
live_vsl_read(
    struct live_vsl *v, live_record_f *func, void *priv, int *ret_error)
{
	enum live_vsl_status st;

	assert(v != NULL && func != NULL && ret_error != NULL);
	v->func = func;
	v->priv = priv;
	v->error = 0;
	if (v->vsm != NULL) {
		unsigned s = v->attached ? VSM_Status(v->vsm) : 0;

		if (s & VSM_WRK_RESTARTED)
			(void)lose(v);
		if (!v->attached && !acquire(v)) {
			*ret_error = 0;
			return (LIVE_VSL_IDLE);
		}
	}
	if (v->query != NULL)
		st = read_query(v);
	else
		st = v->fd >= 0 ? read_file(v) : read_live(v);
	*ret_error = v->error;
	return (st);
}

const char *
live_vsl_error(const struct live_vsl *v)
{
	return (v == NULL || v->text[0] == '\0' ? "out of memory" : v->text);
}

uint64_t
live_vsl_offset(const struct live_vsl *v)
{
	return (v->offset);
}

uint64_t
live_vsl_records(const struct live_vsl *v)
{
	return (v->records);
}

void
live_vsl_close(struct live_vsl **vp)
{
	struct live_vsl *v = *vp;

	if (v == NULL)
		return;
	if (v->vslq != NULL)
		VSLQ_Delete(&v->vslq);
	if (v->cursor != NULL)
		VSL_DeleteCursor(v->cursor);
	if (v->vsm != NULL)
		VSM_Destroy(&v->vsm);
	if (v->vsl != NULL)
		VSL_Delete(v->vsl);
	if (v->spool != NULL) {
		(void)unlink(v->spool);
		free(v->spool);
	}
	if (v->fd > STDIN_FILENO)
		(void)close(v->fd);
	free(v->buf);
	free(v);
	*vp = NULL;
}
