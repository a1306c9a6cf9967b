/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/group.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"

enum {
	SEGMENT_MAX = 48, /* bytes kept of a segment's name */
	MEMO = 16384      /* power of two */
};

#define NONE ((unsigned)-1)

struct node {
	char name[SEGMENT_MAX + 1];
	uint32_t hash;
	unsigned parent, child, sibling, children;
	unsigned depth;   /* 0 the root, 1 a host, 2.. segments */
	bool folded;      /* its only child is the star */
	unsigned group;   /* the first of its groups, NONE */
	unsigned backend; /* that filled it last; 0: none yet */
};

/* A group's number: what stands there, or who took it over. */
struct slot {
	struct live_group *g;
	unsigned heir;
	unsigned next; /* of the same node */
};

struct memo {
	uint64_t url;
	unsigned node, age;
};

struct live_groups {
	struct node *node;
	unsigned nodes, nodes_cap;
	struct slot *slot;
	unsigned slots, slots_cap, alive;
	size_t max;
	unsigned age; /* grows with every fold: what is older is not asked */
	struct memo memo[MEMO];
	char backend[LIVE_GROUP_BACKENDS][64];
	unsigned backends;
};

static int
add_node(struct live_groups *gs, unsigned parent, struct vary_span name,
    unsigned *ret)
{
	struct node *n;
	size_t len = name.len < SEGMENT_MAX ? name.len : SEGMENT_MAX;

	if (gs->nodes == gs->nodes_cap) {
		unsigned cap = gs->nodes_cap == 0 ? 64 : 2 * gs->nodes_cap;

		n = realloc(gs->node, cap * sizeof *n);
		if (n == NULL)
			return (-ENOMEM);
		gs->node = n;
		gs->nodes_cap = cap;
	}
	n = &gs->node[gs->nodes];
	memset(n, 0, sizeof *n);
	if (len > 0)
		memcpy(n->name, name.b, len);
	n->hash = (uint32_t)live_hash(name.b, name.len, 0);
	n->parent = parent;
	n->child = n->group = n->sibling = NONE;
	if (parent != NONE) {
		struct node *p = &gs->node[parent];

		n->depth = p->depth + 1;
		n->sibling = p->child;
		p->child = gs->nodes;
		p->children++;
	}
	*ret = gs->nodes++;
	return (0);
}

int
live_groups_open(struct live_groups **ret, size_t groups_max)
{
	struct live_groups *gs = calloc(1, sizeof *gs);
	unsigned root;

	assert(ret != NULL && groups_max > 0);
	if (gs == NULL)
		return (-ENOMEM);
	gs->max = groups_max;
	gs->backends = 1; /* "": not known */
	if (add_node(gs, NONE, vary_span_str(""), &root) < 0) {
		live_groups_close(&gs);
		return (-ENOMEM);
	}
	*ret = gs;
	return (0);
}

static void
empty(struct live_group *g)
{
	unsigned i;

	live_sketch_fini(&g->urls);
	live_sketch_fini(&g->variants);
	for (i = 0; i < LIVE_MEMBERS_MAX; i++) {
		if (g->member[i] == NULL)
			continue;
		live_sketch_fini(&g->member[i]->values);
		free(g->member[i]);
		g->member[i] = NULL;
	}
	for (i = 0; i < LIVE_TRAP__MAX; i++) {
		free(g->trap[i]);
		g->trap[i] = NULL;
	}
}

void
live_groups_close(struct live_groups **gp)
{
	struct live_groups *gs = *gp;
	unsigned i;

	if (gs == NULL)
		return;
	for (i = 0; i < gs->slots; i++) {
		if (gs->slot[i].g == NULL)
			continue;
		empty(gs->slot[i].g);
		free(gs->slot[i].g);
	}
	free(gs->slot);
	free(gs->node);
	free(gs);
	*gp = NULL;
}

unsigned
live_groups_backend(struct live_groups *gs, struct vary_span name)
{
	unsigned i;
	size_t len = name.len < sizeof gs->backend[0]
			 ? name.len
			 : sizeof gs->backend[0] - 1;

	if (len == 0)
		return (0);
	for (i = 0; i < gs->backends; i++)
		if (strlen(gs->backend[i]) == len &&
		    memcmp(gs->backend[i], name.b, len) == 0)
			return (i);
	if (gs->backends == LIVE_GROUP_BACKENDS) {
		strcpy(gs->backend[LIVE_GROUP_BACKENDS - 1], "(other)");
		return (LIVE_GROUP_BACKENDS - 1);
	}
	memcpy(gs->backend[gs->backends], name.b, len);
	gs->backend[gs->backends][len] = '\0';
	return (gs->backends++);
}

const char *
live_groups_backend_name(const struct live_groups *gs, unsigned i)
{
	assert(i < gs->backends);
	return (gs->backend[i]);
}

/* --- Merging -------------------------------------------------------------- */

static int
merge_member(struct live_group *to, unsigned id, struct live_group_member *m)
{
	struct live_group_member *t;
	int r = live_group_member(to, id, &t);

	if (r < 0)
		return (r);
	t->declared += m->declared;
	t->mismatches += m->mismatches;
	t->repeated += m->repeated;
	t->won_dropped += m->won_dropped;
	t->won_normalised += m->won_normalised;
	return (live_sketch_merge(&t->values, &m->values));
}

static void
merge_vary(struct live_group *to, const char *text, uint64_t n)
{
	unsigned i;

	for (i = 0; i < LIVE_GROUP_VARIES; i++) {
		if (to->vary[i].n == 0)
			strcpy(to->vary[i].text, text);
		else if (strcmp(to->vary[i].text, text) != 0)
			continue;
		to->vary[i].n += n;
		return;
	}
	to->vary_other += n;
}

static int
merge(struct live_group *to, struct live_group *from)
{
	unsigned i;
	int r;

	for (i = 0; i < LIVE_HANDLING__MAX; i++)
		to->by[i] += from->by[i];
	to->requests += from->requests;
	to->grace_hits += from->grace_hits;
	to->fetches += from->fetches;
	to->failed += from->failed;
	to->bytes += from->bytes;
	to->stored_bytes += from->stored_bytes;
	to->fetch_us += from->fetch_us;
	if (to->variants_max < from->variants_max)
		to->variants_max = from->variants_max;
	to->replayed += from->replayed;
	to->replayed_hits += from->replayed_hits;
	to->hits_fixed += from->hits_fixed;
	to->vary_other += from->vary_other;
	to->vary_none += from->vary_none;
	for (i = 0; i < LIVE_GROUP_VARIES; i++)
		if (from->vary[i].n > 0)
			merge_vary(to, from->vary[i].text, from->vary[i].n);
	if ((r = live_sketch_merge(&to->urls, &from->urls)) < 0 ||
	    (r = live_sketch_merge(&to->variants, &from->variants)) < 0)
		return (r);
	for (i = 0; i < LIVE_MEMBERS_MAX; i++)
		if (from->member[i] != NULL &&
		    (r = merge_member(to, i, from->member[i])) < 0)
			return (r);
	for (i = 0; i < LIVE_TRAP__MAX; i++) {
		if (from->trap[i] == NULL)
			continue;
		if (to->trap[i] == NULL) {
			to->trap[i] = from->trap[i];
			from->trap[i] = NULL;
		} else {
			to->trap[i]->n += from->trap[i]->n;
			to->trap[i]->members |= from->trap[i]->members;
		}
	}
	empty(from);
	return (0);
}

static int
group_of(struct live_groups *gs, unsigned node, unsigned backend, unsigned *ret)
{
	struct live_group *g;
	unsigned i;

	/* Who it was is forgotten; its neighbours have it from there. */
	if (backend == 0)
		backend = gs->node[node].backend;
	gs->node[node].backend = backend;
	for (i = gs->node[node].group; i != NONE; i = gs->slot[i].next) {
		if (gs->slot[i].g->backend == backend) {
			*ret = i;
			return (0);
		}
	}
	if (gs->slots == gs->slots_cap) {
		unsigned cap = gs->slots_cap == 0 ? 64 : 2 * gs->slots_cap;
		struct slot *p = realloc(gs->slot, cap * sizeof *p);

		if (p == NULL)
			return (-ENOMEM);
		gs->slot = p;
		gs->slots_cap = cap;
	}
	g = calloc(1, sizeof *g);
	if (g == NULL)
		return (-ENOMEM);
	g->node = node;
	g->backend = backend;
	gs->slot[gs->slots] = (struct slot){ g, NONE, gs->node[node].group };
	gs->node[node].group = gs->slots;
	*ret = gs->slots++;
	gs->alive++;
	return (0);
}

/* Everything that was counted under a node goes to the star. */
static int
sweep(struct live_groups *gs, unsigned node, unsigned star)
{
	unsigned i, c;
	int r;

	for (i = gs->node[node].group; i != NONE;) {
		unsigned next = gs->slot[i].next, to;

		r = group_of(gs, star, gs->slot[i].g->backend, &to);
		if (r < 0)
			return (r);
		r = merge(gs->slot[to].g, gs->slot[i].g);
		if (r < 0)
			return (r);
		free(gs->slot[i].g);
		gs->slot[i].g = NULL;
		gs->slot[i].heir = to;
		gs->alive--;
		i = next;
	}
	gs->node[node].group = NONE;
	for (c = gs->node[node].child; c != NONE; c = gs->node[c].sibling)
		if ((r = sweep(gs, c, star)) < 0)
			return (r);
	return (0);
}

static int
fold(struct live_groups *gs, unsigned node)
{
	unsigned star, c, next;
	int r;

	c = gs->node[node].child;
	gs->node[node].child = NONE;
	gs->node[node].children = 0;
	r = add_node(gs, node, vary_span_str("*"), &star);
	if (r < 0)
		return (r);
	gs->node[node].folded = true;
	gs->age++;
	for (; c != NONE; c = next) {
		next = gs->node[c].sibling;
		if ((r = sweep(gs, c, star)) < 0)
			return (r);
	}
	return (0);
}

/* --- Finding -------------------------------------------------------------- */

static int
step(
    struct live_groups *gs, unsigned node, struct vary_span name, unsigned *ret)
{
	uint32_t h = (uint32_t)live_hash(name.b, name.len, 0);
	unsigned c;
	int r;

	if (gs->node[node].folded) {
		*ret = gs->node[node].child;
		return (0);
	}
	for (c = gs->node[node].child; c != NONE; c = gs->node[c].sibling) {
		if (gs->node[c].hash == h) {
			*ret = c;
			return (0);
		}
	}
	if (node == 0) {
		/* The last place is for all that come too late. */
		if (gs->node[0].children + 1 >= LIVE_GROUP_HOSTS &&
		    !(name.len == 1 && *name.b == '*'))
			return (step(gs, 0, vary_span_str("*"), ret));
	} else if (gs->node[node].children >= LIVE_GROUP_FANOUT ||
		   gs->alive >= gs->max) {
		r = fold(gs, node);
		if (r == 0)
			*ret = gs->node[node].child;
		return (r);
	}
	return (add_node(gs, node, name, ret));
}

int
live_groups_find(struct live_groups *gs, struct vary_span host,
    struct vary_span url, unsigned backend, unsigned *ret)
{
	const char *p = url.b, *e, *q;
	unsigned node = 0, depth;
	struct memo *m;
	uint64_t h;
	int r;

	/* An absolute URL, or what CONNECT and OPTIONS have, has no path. */
	if (url.len == 0 || *p != '/')
		url.len = 0;
	q = url.len > 0 ? memchr(p, '?', url.len) : NULL;
	e = q != NULL ? q : p + url.len;
	h = live_hash(p, (size_t)(e - p), live_hash(host.b, host.len, 0));
	m = &gs->memo[h % MEMO];
	if (m->url == h && m->age == gs->age + 1)
		return (group_of(gs, m->node, backend, ret));
	r = step(gs, node, host, &node);
	for (depth = 0; r == 0 && depth < LIVE_GROUP_DEPTH && p < e; depth++) {
		const char *b = p + 1, *s;

		s = memchr(b, '/', (size_t)(e - b));
		/* A folder's name has its slash, so that it is no file's. */
		p = s != NULL ? s : e;
		if (p == b && s == NULL)
			break;
		r = step(gs, node,
		    (struct vary_span){ b, (size_t)(p - b) + (s != NULL) },
		    &node);
		if (gs->node[gs->node[node].parent].folded)
			break;
	}
	if (r < 0)
		return (r);
	*m = (struct memo){ h, node, gs->age + 1 };
	return (group_of(gs, node, backend, ret));
}

struct live_group *
live_groups_get(struct live_groups *gs, unsigned i)
{
	assert(i < gs->slots);
	while (gs->slot[i].g == NULL)
		i = gs->slot[i].heir;
	return (gs->slot[i].g);
}

unsigned
live_groups_end(const struct live_groups *gs)
{
	return (gs->slots);
}

const struct live_group *
live_groups_at(const struct live_groups *gs, unsigned i)
{
	assert(i < gs->slots);
	return (gs->slot[i].g);
}

void
live_groups_name(const struct live_groups *gs, const struct live_group *g,
    char *buf, size_t cap)
{
	unsigned path[LIVE_GROUP_DEPTH + 2], n = 0, i;
	size_t at = 0;

	assert(cap > 0);
	for (i = g->node; i != 0 && n < LIVE_GROUP_DEPTH + 2;
	     i = gs->node[i].parent)
		path[n++] = i;
	while (n-- > 0) {
		const struct node *d = &gs->node[path[n]];
		size_t len = strlen(d->name), k;

		for (k = 0; k < len && at + 1 < cap; k++)
			buf[at++] = d->name[k];
		/* The host has no slash of its own. */
		if (d->depth == 1 && at + 1 < cap)
			buf[at++] = '/';
	}
	buf[at] = '\0';
}

const char *
live_groups_host(const struct live_groups *gs, const struct live_group *g)
{
	unsigned i = g->node;

	while (gs->node[i].depth > 1)
		i = gs->node[i].parent;
	return (gs->node[i].name);
}

/* --- One group ------------------------------------------------------------ */

static void
copy(char *to, struct vary_span v)
{
	size_t len = v.len < LIVE_GROUP_TEXT ? v.len : LIVE_GROUP_TEXT - 1;

	if (len > 0)
		memcpy(to, v.b, len);
	to[len] = '\0';
}

int
live_group_vary(struct live_group *g, struct vary_span v, bool has)
{
	char text[LIVE_GROUP_TEXT];

	if (!has) {
		g->vary_none++;
		return (0);
	}
	copy(text, v);
	merge_vary(g, text, 1);
	return (0);
}

int
live_group_member(
    struct live_group *g, unsigned id, struct live_group_member **ret)
{
	assert(id < LIVE_MEMBERS_MAX);
	if (g->member[id] == NULL) {
		g->member[id] = calloc(1, sizeof *g->member[id]);
		if (g->member[id] == NULL)
			return (-ENOMEM);
	}
	*ret = g->member[id];
	return (0);
}

int
live_group_trap(struct live_group *g, enum live_trap trap, uint32_t members,
    struct vary_span url)
{
	struct live_trap_count *t = g->trap[trap];

	if (t == NULL) {
		t = g->trap[trap] = calloc(1, sizeof *t);
		if (t == NULL)
			return (-ENOMEM);
		copy(t->example, url);
	}
	t->n++;
	t->members |= members;
	return (0);
}
