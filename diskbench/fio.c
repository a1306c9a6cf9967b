/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/fio.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/engine.h"
#include "diskbench/fio_section.h"
#include "diskbench/fio_set.h"

/* --- sections become jobs ------------------------------------------------- */

static int
add_clone(struct bench_fio_parser *p, const struct bench_fio_section *s,
    struct bench_job *j, unsigned clone)
{
	struct bench_options *o = p->o;
	char *file;
	size_t len;

	if (o->n_job == BENCH_JOBS)
		return (bench_fio_fail(
		    p, "more than %d jobs, clones included", BENCH_JOBS));
	if (s->filename == NULL &&
	    (j->engine == NULL || !bench_engine_find(j->engine)->fake)) {
		/* fio's own way to name them. */
		len = (s->directory != NULL ? strlen(s->directory) : 1) +
		      strlen(j->name) + 32;
		file = malloc(len);
		if (file != NULL)
			(void)snprintf(file, len, "%s/%s.%u.0",
			    s->directory != NULL ? s->directory : ".", j->name,
			    clone);
		j->target = bench_options_keep(o, file);
		if (j->target == NULL)
			return (bench_fio_fail(p, "too many files"));
	}
	o->job[o->n_job++] = *j;
	return (0);
}

/* directory is what stands before filename, too. */
static int
place_file(struct bench_fio_parser *p, struct bench_fio_section *s)
{
	char *path;
	size_t len;

	s->job.target = s->filename;
	if (s->filename == NULL || s->directory == NULL)
		return (0);
	if (s->filename[0] == '/')
		return (bench_fio_fail(p,
		    "job %s: filename %s is a whole path, and would be below "
		    "the directory %s; leave that out",
		    s->job.name, s->filename, s->directory));
	len = strlen(s->directory) + strlen(s->filename) + 2;
	path = malloc(len);
	if (path != NULL)
		(void)snprintf(path, len, "%s/%s", s->directory, s->filename);
	s->job.target = bench_options_keep(p->o, path);
	return (
	    s->job.target == NULL ? bench_fio_fail(p, "too many files") : 0);
}

/* There is one file: its size is the job's, unless that says otherwise. */
static int
settle_filesize(const struct bench_fio_parser *p, struct bench_fio_section *s)
{
	if (s->filesize == 0)
		return (0);
	if (s->size == 0 && s->size_percent == 0)
		s->size = s->filesize;
	if (s->size == s->filesize)
		return (0);
	return (bench_fio_fail(p,
	    "job %s: a filesize beside another size; size alone makes the "
	    "file, offset and io_size say what of it",
	    s->job.name));
}

static int
close_section(struct bench_fio_parser *p)
{
	struct bench_fio_section *s = &p->now;
	struct bench_job *j = &s->job;
	const struct bench_engine_type *e;
	unsigned i, clones;
	bool own_file, one_size, apart;
	int r;

	if (!p->open)
		return (0);
	p->open = false;
	/* In whichever order they came; of one kind alone it is no mix. */
	if (s->rw_mixed)
		j->shape.read_percent = s->mix;
	if (s->complete_min > 1) {
		j->mode = BENCH_MODE_PEAK;
		j->batch = s->complete_min;
	}
	j->reap = s->complete_max > s->complete_min ? s->complete_max
						    : s->complete_min;
	if (j->batch > j->depth)
		j->batch = j->depth;
	e = j->engine != NULL ? bench_engine_find(j->engine) : NULL;
	own_file = s->filename == NULL;
	r = place_file(p, s);
	if (r == 0)
		r = settle_filesize(p, s);
	if (r < 0)
		return (r);
	if (e != NULL && e->fake)
		j->target = NULL;
	else if (s->filename == NULL && s->size == 0)
		return (bench_fio_fail(p,
		    "job %s: no size; size=1g makes a file of it, "
		    "filename=DEVICE measures a device",
		    j->name));
	if (p->readonly && bench_job_writes(j))
		return (bench_fio_fail(
		    p, "job %s: writes, and --readonly forbids it", j->name));
	if (e != NULL && !e->direct && !j->buffered)
		return (bench_fio_fail(p,
		    "job %s: engine %s cannot do direct=1", j->name, e->name));
	j->seed = s->randrepeat ? 0x89 + s->seed : p->entropy;
	j->shape.span = s->size;
	j->shape.span_percent = s->size_percent;
	if (e != NULL && e->fake && j->shape.span == 0)
		j->shape.span = UINT64_C(1) << 40;
	/*
	 * Without time_based a job ends when it has moved its size, or when
	 * its time is over; with it, it goes round and round.
	 */
	if (s->time_based && j->runtime_ns == 0)
		return (bench_fio_fail(
		    p, "job %s: time_based needs a runtime", j->name));
	j->limit_whole_span = !s->time_based && s->io_size == 0;
	j->limit_rounds = (unsigned)s->loops;
	j->limit_percent = s->io_percent;
	if (!s->time_based && s->io_size > 0)
		bench_job_limit(j, s->io_size * s->loops);
	one_size = j->shape.n_size[0] == 1 && j->shape.n_size[1] == 1 &&
		   j->shape.size[0][0].bytes == j->shape.size[1][0].bytes &&
		   (j->shape.align == 0 ||
		       j->shape.align == j->shape.size[0][0].bytes);
	if (j->shape.random && !s->norandommap && one_size &&
	    j->shape.pick == BENCH_PICK_UNIFORM) {
		j->shape.pick = BENCH_PICK_ONCE;
		j->shape.each = true;
		j->shape.again = true;
	}
	j->create_missing = true;
	if (s->stonewall || s->new_group)
		p->groups++;
	j->stonewall = s->stonewall;
	if (!s->group)
		p->groups++;
	j->group = p->groups;
	clones = s->numjobs;
	/* One job of n threads, where they share a file and a report. */
	apart = s->offset_increment > 0 || j->shape.step_percent > 0;
	if (s->group && !own_file && !apart) {
		j->threads = clones;
		return (add_clone(p, s, j, 0));
	}
	for (i = 0, r = 0; i < clones && r == 0; i++) {
		if (i > 0 && !s->group)
			j->group = ++p->groups;
		if (i > 0)
			j->stonewall = false;
		j->part = own_file || apart ? 0 : i;
		j->parts = own_file || apart ? 0 : clones;
		if (i > 0)
			j->seed += 0x10000;
		r = add_clone(p, s, j, i);
		j->shape.offset += s->offset_increment;
		j->shape.step++;
	}
	return (r);
}

static int
open_section(struct bench_fio_parser *p, const char *name)
{
	int r = close_section(p);

	if (r < 0)
		return (r);
	if (strcmp(name, "global") == 0)
		return (0);
	if (*name == '\0')
		return (bench_fio_fail(p, "a job without a name"));
	p->now = p->global;
	p->open = true;
	p->any = true;
	(void)snprintf(p->now.job.name, sizeof p->now.job.name, "%s", name);
	return (0);
}

/* key and, maybe, value: both writable, both outlive the run. */
static int
option(struct bench_fio_parser *p, char *key, char *value, bool in_file)
{
	static char one[] = "1";
	const struct bench_fio_word *w = bench_fio_word_find(key, strlen(key));

	if (w == NULL) {
		if (strcmp(key, "allow_mounted_write") == 0)
			return (bench_fio_fail(p,
			    "allow_mounted_write: diskbench never "
			    "writes to what is mounted"));
		return (bench_fio_fail(p,
		    "option \"%s\" is fio's, or nobody's, and not "
		    "one that diskbench knows; see diskbench fio "
		    "--help",
		    key));
	}
	if (in_file && w->place == LINE)
		return (bench_fio_fail(
		    p, "\"%s\" belongs on the command line", key));
	if (value == NULL || *value == '\0') {
		if (!w->flag)
			return (bench_fio_fail(p, "\"%s\" needs a value", key));
		/* Written by nobody that takes it for a flag. */
		value = one;
	}
	if (w->code == F_NAME)
		return (open_section(p, value));
	return (bench_fio_set(p, p->open ? &p->now : &p->global, w, value));
}

static char *
trim(char *s)
{
	size_t len;

	while (isspace((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len > 0 && isspace((unsigned char)s[len - 1]))
		s[--len] = '\0';
	return (s);
}

/* A job file: [sections] of key=value lines; ; and # begin comments, behind a
 * value, too: fio knows no quotes. */
static int
file_text(struct bench_fio_parser *p, const char *file, char *text)
{
	char where[160], *line, *next, *eq, *end;
	unsigned number = 0;
	bool in_section = false;
	int r = 0;

	p->where = where;
	/* What some editors begin UTF-8 with. */
	if (strncmp(text, "\357\273\277", 3) == 0)
		text += 3;
	for (line = text; line != NULL && r == 0; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		number++;
		(void)snprintf(
		    where, sizeof where, "%.100s:%u: ", file, number);
		line[strcspn(line, ";#")] = '\0';
		line = trim(line);
		if (*line == '\0')
			continue;
		if (*line == '[') {
			end = strchr(line, ']');
			if (end == NULL)
				r = bench_fio_fail(
				    p, "a section without its \"]\"");
			else if (*trim(end + 1) != '\0')
				r = bench_fio_fail(p,
				    "\"%.60s\" behind the section's name",
				    trim(end + 1));
			else {
				*end = '\0';
				in_section = true;
				r = open_section(p, trim(line + 1));
			}
			continue;
		}
		/* It would be taken for what the line before the file said. */
		if (!in_section) {
			r = bench_fio_fail(p,
			    "\"%.60s\" before the first [section]; what is "
			    "for all jobs goes below [global]",
			    line);
			continue;
		}
		if (strstr(line, "${") != NULL) {
			r = bench_fio_fail(p,
			    "\"${...}\" is not replaced by the environment's; "
			    "write what it stands for");
			continue;
		}
		eq = strchr(line, '=');
		if (eq != NULL)
			*eq++ = '\0';
		r = option(p, trim(line), eq != NULL ? trim(eq) : NULL, true);
	}
	if (r == 0)
		r = close_section(p);
	p->where = "fio: ";
	return (r);
}

static int
file_read(struct bench_fio_parser *p, const char *file)
{
	char *text;
	size_t len;
	int r;

	r = bench_options_file(p->o, "job file", file, &text, &len, p->why);
	if (r < 0)
		return (r);
	return (file_text(p, file, text));
}

static void
parser_init(struct bench_fio_parser *p, struct bench_options *o,
    uint64_t entropy, struct bench_refusal *why)
{
	memset(p, 0, sizeof *p);
	p->o = o;
	p->why = why;
	p->where = "fio: ";
	p->entropy = entropy;
	bench_fio_section_init(&p->global);
}

int
bench_fio_parse_text(struct bench_options *o, const char *file,
    const char *text, uint64_t entropy, struct bench_refusal *why)
{
	struct bench_fio_parser p;
	char *copy;

	parser_init(&p, o, entropy, why);
	copy = bench_options_keep(o, strdup(text));
	if (copy == NULL)
		return (bench_fio_fail(&p, "out of memory"));
	return (file_text(&p, file, copy));
}

static int
word_of_line(struct bench_fio_parser *p, char *const *argv, int *used)
{
	char *copy, *eq, *value = NULL;
	const struct bench_fio_word *w;
	int r;

	*used = 1;
	if (argv[0][0] != '-')
		return (file_read(p, argv[0]));
	/* One dash will do, as with fio. */
	copy = argv[0] + (argv[0][1] == '-' ? 2 : 1);
	if (*copy == '\0' || *copy == '-')
		return (bench_fio_fail(
		    p, "no option \"%s\"; see diskbench fio --help", argv[0]));
	copy = bench_options_keep(p->o, strdup(copy));
	if (copy == NULL)
		return (bench_fio_fail(p, "too many words"));
	eq = strchr(copy, '=');
	if (eq != NULL) {
		*eq = '\0';
		value = eq + 1;
	}
	w = bench_fio_word_find(copy, strlen(copy));
	if (eq == NULL && w != NULL && !w->flag && argv[1] != NULL) {
		value = bench_options_keep(p->o, strdup(argv[1]));
		if (value == NULL)
			return (bench_fio_fail(p, "too many words"));
		*used = 2;
	}
	r = option(p, copy, value, false);
	return (r);
}

int
bench_fio_parse(struct bench_options *o, int argc, char *const *argv,
    uint64_t entropy, struct bench_refusal *why)
{
	struct bench_fio_parser p;
	int i, used, r;

	parser_init(&p, o, entropy, why);
	for (i = 0; i < argc; i += used) {
		r = word_of_line(&p, argv + i, &used);
		if (r < 0)
			return (r);
		if (o->command != BENCH_CMD_FIO)
			return (0);
	}
	r = close_section(&p);
	if (r < 0)
		return (r);
	if (o->n_job == 0)
		return (bench_fio_fail(&p, "no job; --name=NAME begins one"));
	return (0);
}

void
bench_fio_help(FILE *f)
{
	const struct bench_fio_word *w;
	char name[64];

	(void)fputs("Usage: diskbench fio [--option=value ...] [job.fio ...]\n"
		    "fio's options, with fio's meaning; any other is an "
		    "error.\n\n",
	    f);
	for (w = bench_fio_words; w->name != NULL; w++) {
		(void)snprintf(name, sizeof name, "--%s%s%s", w->name,
		    w->other != NULL ? ", --" : "",
		    w->other != NULL ? w->other : "");
		(void)fprintf(f, "  %-36s %s\n", name, w->help);
	}
}
