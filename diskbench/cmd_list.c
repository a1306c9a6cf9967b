/* SPDX-License-Identifier: BSD-2-Clause */
/* diskbench list and diskbench identify: what there is, and whose it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/diag.h"
#include "diskbench/command.h"
#include "diskbench/content.h"
#include "diskbench/guard.h"
#include "diskbench/signature.h"

struct identities {
	struct bench_identity *id;
	unsigned n;
};

static int
list_text(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_list_text(f, l->id, l->n));
}

static int
list_json(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_list_json(f, l->id, l->n));
}

static void
who_has(struct bench_identity *id, int fd)
{
	struct bench_hold h;
	struct stat st;

	if ((fd >= 0 ? fstat(fd, &st) : stat(id->path, &st)) == 0 &&
	    (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) &&
	    bench_guard_find(&st, fd, &h))
		memcpy(id->held_by, h.who, sizeof id->held_by);
}

int
bench_cmd_list(struct bench_call *c)
{
	struct identities l = { NULL, 0 };
	int r = bench_identity_list(&l.id, &l.n);
	unsigned i;

	if (r < 0) {
		cli_error("cannot list drives here: %s", strerror(-r));
		return (BENCH_EXIT_IO);
	}
	for (i = 0; i < l.n; i++)
		who_has(&l.id[i], -1);
	r = bench_call_print(c, list_text, list_json, &l);
	free(l.id);
	return (r);
}

static int
identify_text(FILE *f, const void *arg)
{
	const struct identities *l = arg;

	return (bench_report_identity_text(f, l->id));
}

/* What is on it: by name, or only that something is. */
static void
what_is_on(struct bench_identity *id, const struct bench_target *t)
{
	struct bench_content c;
	int r;

	r = bench_signature_find(
	    t->fd, t->size, id->contents, sizeof id->contents);
	if (r > 0)
		return;
	id->contents[0] = '\0';
	r = bench_content_sample(t->fd, 0, t->size, 256, &c);
	if (r < 0)
		(void)snprintf(id->contents, sizeof id->contents,
		    "not readable: %s", strerror(-r));
	else if (c.zero < c.blocks)
		(void)snprintf(id->contents, sizeof id->contents,
		    "data of an unknown kind (%u of %u blocks looked at are "
		    "not empty)",
		    c.blocks - c.zero, c.blocks);
}

int
bench_cmd_identify(struct bench_call *c)
{
	struct bench_target_wish wish = { 0 };
	struct bench_target *t = NULL;
	struct bench_identity id;
	struct bench_refusal why;
	struct identities l = { &id, 1 };
	int r;

	wish.path = c->options->job[0].target;
	wish.buffered = true;
	r = bench_target_open(&t, &wish, &why);
	if (r < 0)
		return (bench_call_refused(c, &why));
	id = t->identity;
	who_has(&id, t->fd);
	what_is_on(&id, t);
	r = bench_call_print(c, identify_text, list_json, &l);
	bench_target_close(&t);
	return (r);
}
