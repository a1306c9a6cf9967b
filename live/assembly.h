/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records, in the order of the log, become transactions.
 *
 * The log of one request comes in several pieces, and that of its fetch may
 * come before or after it.  Each piece is read once, as it passes; nothing is
 * kept of a record that no one will ask for.
 *
 * Room: live/.  No I/O, no clock.
 */
#ifndef LIVE_ASSEMBLY_H
#define LIVE_ASSEMBLY_H

#include "live/record.h"
#include "live/transaction.h"

struct live_assembly;

typedef void live_transaction_f(void *priv, const struct live_transaction *);

struct live_assembly_count {
	uint64_t transactions;
	uint64_t incomplete; /* given out before their end was seen */
	uint64_t orphans;    /* fetches whose request was never seen */
	size_t open;
};

/*
 * `limit` is how many requests and fetches may be open at a time (Varnish's
 * -L); the oldest is then completed by force.  Returns 0 or -ENOMEM.
 */
int live_assembly_open(
    struct live_assembly **ret, size_t limit, live_transaction_f *, void *priv);
void live_assembly_close(struct live_assembly **);

/* Take one record; may call back.  0 or -ENOMEM. */
int live_assembly_take(struct live_assembly *, const struct live_record *);

/* The log is at its end: give out what is still open. */
void live_assembly_flush(struct live_assembly *);

const struct live_assembly_count *
live_assembly_count(const struct live_assembly *);
#endif
