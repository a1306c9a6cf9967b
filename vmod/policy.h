/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The object behind vary.policy(): filled in vcl_init, read by all threads
 * afterwards, gone with its VCL.  So requests take no lock.
 * Room: vmod/.  Included after cache/cache.h.
 */
#ifndef VMOD_POLICY_H
#define VMOD_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "vary/policy.h"
#include "vary/request.h"
#include "vmod/headers.h"

struct VSC_vary;
struct crowd;
struct learn;
struct vsc_seg;

/* What .recv() does with one header. */
struct policy_request {
	struct header_name name;
	struct vary_request_rule rule;
	struct vary_span word[VARY_WORDS_MAX]; /* rule.words points here */
};

struct vmod_vary_policy {
	unsigned magic;
#define POLICY_MAGIC 0x7a3b5c19
	bool observe;
	char *name; /* as in VCL */
	double bypass_ttl;
	struct vary_policy vary;
	struct policy_request **request;
	unsigned n_request;
	struct header_name *promoted; /* in the hash by .key(), not in Vary */
	unsigned n_promoted;
	struct learn *learn; /* NULL without learn = 1 */
	struct crowd *crowd; /* NULL with notice = 0 */
	unsigned notice;     /* more variants of one URL than this are said */
	unsigned keyed;      /* .key() was called at least once */
	char **text;         /* what VCL said: the rules' names point into it */
	unsigned n_text;
	struct VSC_vary *vsc;
	struct vsc_seg *vsc_seg;
};

/* Several threads count at once; nothing else is ordered by it. */
static inline void
policy_count(uint64_t *counter, uint64_t n)
{
	if (n > 0)
		(void)__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/*
 * Called where it belongs?  Else the transaction fails and says where that is
 * (.verb of VCL, VCL_MET_ bits, and these in words).
 */
bool policy_in_method(const struct vrt_ctx *, const struct vmod_vary_policy *,
    const char *verb, unsigned allowed, const char *where);

/* A copy of s that lives as long as the policy. */
const char *policy_keep_text(struct vmod_vary_policy *, const char *s);

/* The rule for this name, a new one if need be; NULL: no field name. */
struct vary_rule *
policy_rule_for(struct vmod_vary_policy *, struct vary_span name);

/* False: this rule cannot do what it says, and the VCL does not load. */
bool policy_makes_sense(const struct vrt_ctx *, const struct vmod_vary_policy *,
    const char *verb, const struct vary_rule *);

/* What a doubt means to who writes VCL, in words; NULL: there is none. */
const char *policy_doubt_text(enum vary_doubt);

/* The transaction fails; the headers are as they were. */
void policy_fail(const struct vrt_ctx *, const struct vmod_vary_policy *,
    const char *verb, const char *why);

#define FULL_CLIENT  "out of workspace; raise workspace_client"
#define FULL_BACKEND "out of workspace; raise workspace_backend"
#define FULL_HEADERS "too many headers; raise http_max_hdr"

/* Header names with their length byte, as header_name_init() makes them. */
extern const struct header_name header_vary;
/*
 * What the client is to be told travels with the object in a header of our own,
 * from .fetch() to .deliver(), where it differs from the stored Vary.  Nobody
 * outside ever sees it: .fetch() takes it out of what the origin sends,
 * .deliver() out of what the client gets.
 */
extern const struct header_name header_side;
#endif
