/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of documents that somebody else wrote, each of a size that memory has
 * room for.  cli_document_read() is what a JSON reader calls for more.
 * Room: cli/.  Knows neither Vary nor disks.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
	/* Bytes of one document; a tree of it takes some ten times as much.
	 * An audit of 10,000 URLs has 30 MB; NDJSON has a document a line. */
	CLI_DOCUMENT_MAX = 64 * 1024 * 1024
};
#define CLI_DOCUMENT_LONG                                                      \
	"is longer than 64 MiB: audit fewer URLs at a time, or use --format "  \
	"ndjson, where the limit is that of a line"

struct cli_document {
	FILE *f; /* borrowed */
	size_t left;
	bool over; /* it was longer */
};

/* A document begins where the file is. */
void cli_document_init(struct cli_document *, FILE *);

/*
 * The next byte, never more: what follows the document stays in the file for the
 * next one.  0 at the end of the file, or of what a document may have.
 */
size_t cli_document_read(void *buf, size_t cap, void *document);
#endif
