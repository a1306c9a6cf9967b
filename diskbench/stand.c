/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/stand.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/diag.h"
#include "diskbench/content.h"
#include "diskbench/engine.h"
#include "diskbench/logbook.h"

/* Targets that several jobs share are opened once: the second opening of a
 * device held exclusively would be refused to ourselves. */
static struct bench_target *
already_open(
    struct bench_target *const *target, const struct bench_job *job, unsigned i)
{
	unsigned k;

	for (k = 0; k < i; k++)
		if (target[k] != NULL && job[k].target != NULL &&
		    strcmp(job[k].target, job[i].target) == 0 &&
		    job[k].buffered == job[i].buffered)
			return (target[k]);
	return (NULL);
}

/* Does this job, or another one on the same target, write? */
static bool
will_write(const struct bench_job *job, unsigned n, unsigned i)
{
	unsigned k;

	for (k = 0; k < n; k++)
		if (job[k].target != NULL &&
		    strcmp(job[k].target, job[i].target) == 0 &&
		    bench_job_writes(&job[k]))
			return (true);
	return (false);
}

static int
open_target(struct bench_target **ret, const struct bench_stand *s,
    const struct bench_consent *consent, unsigned i,
    const volatile sig_atomic_t *stop, struct bench_refusal *why)
{
	const struct bench_job *j = &s->job[i];
	struct bench_target_wish wish = { 0 };
	uint64_t make = j->create;
	struct stat st;
	int r;

	wish.path = j->target;
	wish.buffered = j->buffered;
	wish.sync = j->sync;
	wish.token = consent->token;
	wish.overwrite_data = consent->overwrite_data;
	if (will_write(s->job, s->n, i))
		wish.access = BENCH_ACCESS_WRITE;
	if (make == 0 && j->create_missing && stat(j->target, &st) < 0 &&
	    errno == ENOENT) {
		make = j->shape.span + j->shape.offset;
		if (j->shape.span == 0)
			return (bench_refuse(why, ENOENT, BENCH_EXIT_NOENT,
			    "%s: does not exist; a size makes a file of it",
			    j->target));
	}
	if (make > 0) {
		r = bench_target_may_create(j->target, why);
		if (r < 0)
			return (r);
		cli_note("%s: making a file of %.4g MiB", j->target,
		    (double)make / 1048576);
		return (
		    bench_target_create(ret, &wish, make, j->seed, stop, why));
	}
	return (bench_target_open(ret, &wish, why));
}

/* What speaks against the numbers before there are any. */
static int
examine(struct bench_verdict *v, const struct bench_job *j,
    const struct bench_target *t, struct bench_refusal *why)
{
	struct bench_content c;
	int r;

	bench_verdict_align(v, j, t);
	/* What we made ourselves is known; what is only written need not be. */
	if (t->made || j->shape.read_percent == 0)
		return (0);
	r = bench_content_sample(t->fd, j->shape.offset, j->shape.span, 64, &c);
	if (r < 0) {
		/* The run will see it, count it, and say where. */
		bench_verdict_add(v, "sample-failed",
		    "%s: some blocks cannot be read (%s)", t->path,
		    strerror(-r));
		return (0);
	}
	return (bench_verdict_content(v, &c, t->path, j->allow_unwritten, why));
}

/* Open the target of job i, or find it open; fit the job to it. */
static int
open_one(struct bench_stand *s, const struct bench_consent *consent, unsigned i,
    const volatile sig_atomic_t *stop, struct bench_refusal *why)
{
	struct bench_job *j = &s->job[i];
	const struct bench_engine_type *e;
	int r = 0;

	/* What goes through the page cache by nature. */
	e = j->engine != NULL ? bench_engine_find(j->engine) : NULL;
	if (e != NULL && !e->direct)
		j->buffered = true;
	s->target[i] = already_open(s->target, s->job, i);
	if (s->target[i] == NULL)
		r = open_target(&s->target[i], s, consent, i, stop, why);
	if (r == 0)
		r = bench_job_fit(j, j->target, s->target[i]->size,
		    j->buffered ? 1 : s->target[i]->geometry.align, why);
	if (r == 0 && j->poll && s->target[i]->is_disk &&
	    !s->target[i]->identity.polls)
		r = bench_refuse(why, EOPNOTSUPP, BENCH_EXIT_ENGINE,
		    "%s: its queues cannot be polled (queue/io_poll is "
		    "0 in sysfs; NVMe: nvme.poll_queues)",
		    j->target);
	if (r == 0)
		r = examine(&s->before, j, s->target[i], why);
	return (r);
}

/* Threads beyond the last CPU begin with the first one again; the first thread
 * does not. */
static int
check_cpu(const struct bench_job *j, struct bench_refusal *why)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (j->cpu < 0 || cpus < 1 || j->cpu < cpus)
		return (0);
	return (bench_refuse_usage(why,
	    "there is no CPU %d here (--cpu), the last one is %ld", j->cpu,
	    cpus - 1));
}

int
bench_stand_open(struct bench_stand *s, struct bench_job *job, unsigned n,
    const struct bench_consent *consent, const volatile sig_atomic_t *stop,
    struct bench_refusal *why)
{
	unsigned i;
	int r = 0;

	memset(s, 0, sizeof *s);
	s->job = job;
	s->n = n;
	bench_verdict_init(&s->before);
	for (i = 0; i < n && r == 0; i++)
		r = check_cpu(&job[i], why);
	for (i = 0; i < n && r == 0; i++)
		if (job[i].target != NULL)
			r = open_one(s, consent, i, stop, why);
	for (i = 0; i < n && r == 0; i++)
		if (s->target[i] != NULL &&
		    s->target[i]->access == BENCH_ACCESS_WRITE)
			r = bench_target_recheck(s->target[i], why);
	if (r < 0) {
		bench_stand_close(s);
		return (r);
	}
	for (i = 0; i < n; i++)
		if (s->target[i] != NULL && !s->target[i]->made &&
		    s->target[i]->access == BENCH_ACCESS_WRITE &&
		    already_open(s->target, job, i) == NULL)
			bench_logbook_write(s->target[i]);
	bench_verdict_jobs(&s->before, job, n);
	return (0);
}

void
bench_stand_close(struct bench_stand *s)
{
	unsigned i, k;

	for (i = 0; i < s->n; i++) {
		struct bench_target *t = s->target[i];

		for (k = i; k < s->n; k++)
			if (s->target[k] == t)
				s->target[k] = NULL;
		bench_target_close(&t);
	}
	s->n = 0;
}

/* What an earlier run, or somebody else, left in the page cache. */
static void
forget(const struct bench_stand *s, unsigned i)
{
#ifdef POSIX_FADV_DONTNEED
	const struct bench_job *j = &s->job[i];

	if (s->target[i] != NULL && j->buffered && j->invalidate)
		(void)posix_fadvise(s->target[i]->fd, (off_t)j->shape.offset,
		    (off_t)j->shape.span, POSIX_FADV_DONTNEED);
#else
	(void)s;
	(void)i;
#endif
}

/* Jobs up to the next stonewall run at once, then the next lot. */
static int
run_all(const struct bench_stand *s, const struct bench_run_control *control,
    struct bench_result **result, struct bench_refusal *why)
{
	unsigned from, to;
	int r = 0;

	for (from = 0; from < s->n && r == 0; from = to) {
		to = from + 1;
		forget(s, from);
		while (to < s->n && !s->job[to].stonewall)
			forget(s, to++);
		r = bench_run(s->job + from, s->target + from, to - from,
		    control, result + from, why);
	}
	return (r);
}

/* Results of jobs become groups of a report. */
static void
group_results(const struct bench_stand *s, struct bench_report *rep,
    struct bench_result **result)
{
	unsigned i;

	for (i = 0; i < s->n; i++) {
		struct bench_group *g =
		    rep->n > 0 ? &rep->group[rep->n - 1] : NULL;

		if (g == NULL || g->result->job->group != s->job[i].group) {
			g = &rep->group[rep->n++];
			g->result = result[i];
			g->job = &s->job[i];
			g->n = 1;
			result[i] = NULL;
			g->verdict = s->before;
			if (g->result->target != NULL)
				g->identity = g->result->target->identity;
		} else {
			g->n++;
			bench_result_merge(g->result, result[i]);
			bench_result_free(&result[i]);
		}
	}
	rep->complete = true;
	for (i = 0; i < rep->n; i++) {
		bench_verdict_judge(
		    &rep->group[i].verdict, rep->group[i].result);
		rep->complete = rep->complete && rep->group[i].result->complete;
	}
}

int
bench_stand_run(const struct bench_stand *s,
    const struct bench_run_control *control, struct bench_report *ret,
    struct bench_refusal *why)
{
	struct bench_result *result[BENCH_JOBS] = { NULL };
	struct bench_report rep = { 0 };
	unsigned i;
	int r;

	rep.group = calloc(s->n > 0 ? s->n : 1, sizeof *rep.group);
	if (rep.group == NULL)
		return (bench_refuse(
		    why, ENOMEM, BENCH_EXIT_INTERNAL, "out of memory"));
	r = run_all(s, control, result, why);
	if (r < 0) {
		for (i = 0; i < s->n; i++)
			bench_result_free(&result[i]);
		free(rep.group);
		return (r);
	}
	group_results(s, &rep, result);
	*ret = rep;
	return (0);
}

void
bench_report_fini(struct bench_report *rep)
{
	unsigned i;

	for (i = 0; i < rep->n; i++)
		bench_result_free(&rep->group[i].result);
	free(rep->group);
	memset(rep, 0, sizeof *rep);
}
