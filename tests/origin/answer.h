/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A request of the test origin and its answer, and what the plays share: text,
 * pages, codings, what a request says.
 */
#ifndef ORIGIN_ANSWER_H
#define ORIGIN_ANSWER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MAX_HEADERS = 128,
	LINES = 121, /* of a page */
};

struct text {
	char *b;
	size_t len, cap;
};

struct request {
	char method[16], path[2048];
	char *query;
	struct {
		const char *name, *value;
	} h[MAX_HEADERS];
	int nh;
	int fd;
	unsigned connection; /* its number */
};

struct response {
	int status;
	struct text head; /* lines, each with CRLF */
	struct text body;
	bool has_type, raw, close;
};

/* Of what was played so far: visitors, and answers until one changes. */
extern atomic_uint counter;

void add_bytes(struct text *, const void *, size_t);
void add(struct text *, const char *, ...)
    __attribute__((__format__(__printf__, 2, 3)));

/* The first line of this name; NULL: none. */
const char *get(const struct request *, const char *name);
/* Does a line of this name have this part?  All lines: an origin that joins them. */
bool says(const struct request *, const char *name, const char *part);
bool cookie(const struct request *, const char *name, char *ret, size_t cap);
/* A parameter of the query, "" if it is not there. */
const char *param(const struct request *, const char *name, char *, size_t cap);
uint64_t random64(void);

/* A page like any other, with a line more in its middle, or NULL. */
void page(struct text *, const char *extra);
/* The body is gzip from here on, and says so. */
void zip(struct response *);
bool takes_gzip(const struct request *);
/* zip(), where the request takes it. */
void negotiate(const struct request *, struct response *);
const char *language(const struct request *);

/* A page whose header fields, or text, a play changes: by the name behind the path's
 * first part; none of that name is 404. */
struct play {
	const char *name;
	void (*play)(const struct request *, struct response *);
};
void play_named(
    const struct play *, size_t n, const struct request *, struct response *);

/* The plays, each in a file of its own. */
void play_case(const struct request *, struct response *, int n, char letter);
void play_near(const struct request *, struct response *);
void play_app(const struct request *, struct response *);
void play_valid(const struct request *, struct response *);
void play_noise(const struct request *, struct response *);
/* Returns true when it has answered in its own way. */
bool play_hostile(const struct request *, struct response *);
bool put(int fd, const char *, size_t len);
#endif
