/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One suite, run against every engine of this build: what engine.h promises.
 * On a file of its own in the current folder, whose every block says where it
 * is; read through the page cache, so that any file system will do.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "diskbench/engine.h"

enum {
	BS = 4096,
	BLOCKS = 256,
	DEPTH = 16
};

static const struct bench_engine_type *type;
static const char *file = "contract-engine.tmp";

struct fixture {
	int fd;
	struct bench_io io[DEPTH];
	unsigned char *arena;
	struct bench_engine *e;
};

static void
fill_block(unsigned char *p, uint64_t block)
{
	unsigned i;

	for (i = 0; i < BS; i += 8) {
		uint64_t v = block << 16 | i;

		memcpy(p + i, &v, 8);
	}
}

/* 0: as it must be; 77: this engine does not work here, and says why. */
static int
open_it(struct fixture *f, bool writes)
{
	struct bench_engine_setup setup = { 0 };
	char why[256] = "";
	unsigned i;
	int r;

	f->fd = open(file, writes ? O_RDWR : O_RDONLY);
	assert_true(f->fd >= 0);
	assert_int_equal(
	    0, posix_memalign((void **)&f->arena, 4096, DEPTH * BS));
	memset(f->arena, 0xee, DEPTH * BS);
	memset(f->io, 0, sizeof f->io);
	for (i = 0; i < DEPTH; i++) {
		f->io[i].buf = f->arena + i * BS;
		f->io[i].slot = i;
		f->io[i].len = BS;
	}
	setup.fd = f->fd;
	setup.size = BLOCKS * BS;
	setup.ios = f->io;
	setup.depth = DEPTH;
	setup.arena = f->arena;
	setup.arena_len = DEPTH * BS;
	setup.writes = writes;
	setup.sim = strcmp(type->name, "sim") == 0 ? "uniform:1000:9000" : NULL;
	f->e = NULL;
	r = bench_engine_open(&f->e, type->name, &setup, why, sizeof why);
	if (r < 0) {
		print_message("# %s does not work here: %s\n", type->name, why);
		assert_true(why[0] != '\0');
		assert_null(f->e);
		close(f->fd);
		free(f->arena);
		return (77);
	}
	assert_non_null(f->e);
	assert_ptr_equal(type, f->e->type);
	assert_int_equal(0, f->e->flights);
	assert_int_equal(type->synchronous ? 1 : DEPTH, f->e->depth);
	return (0);
}

static void
close_it(struct fixture *f)
{
	bench_engine_close(&f->e);
	assert_null(f->e);
	bench_engine_close(&f->e); /* of nothing: nothing */
	close(f->fd);
	free(f->arena);
}

static void
every_block_comes_back_once_and_is_the_one_asked_for(void **state)
{
	struct fixture f;
	struct bench_io *ios[DEPTH], *done[DEPTH];
	unsigned char want[BS];
	unsigned sent = 0, got = 0, seen[BLOCKS] = { 0 }, n, i, free_n, k;
	int r;

	if (open_it(&f, false) != 0)
		fail_msg("worked a moment ago");
	free_n = f.e->depth;
	for (i = 0; i < free_n; i++)
		ios[i] = &f.io[i];
	while (got < BLOCKS) {
		for (n = 0; n < free_n && sent < BLOCKS; n++, sent++) {
			/* Not in their order. */
			ios[free_n - 1 - n]->offset =
			    (uint64_t)(sent * 37 % BLOCKS) * BS;
			ios[free_n - 1 - n]->op = BENCH_OP_READ;
			ios[free_n - 1 - n]->res = -1;
		}
		if (n > 0)
			bench_engine_submit(f.e, ios + free_n - n, n);
		free_n -= n;
		assert_true(f.e->flights > 0);
		r = bench_engine_reap(f.e, done, 1, f.e->depth, BENCH_FOREVER);
		assert_true(r >= 1 && r <= (int)f.e->depth);
		for (i = 0; i < (unsigned)r; i++) {
			struct bench_io *io = done[i];

			assert_int_equal(BS, io->res);
			k = (unsigned)(io->offset / BS);
			seen[k]++;
			fill_block(want, k);
			if (!type->fake)
				assert_memory_equal(want, io->buf, BS);
			ios[free_n++] = io;
			got++;
		}
	}
	for (i = 0; i < BLOCKS; i++)
		assert_int_equal(1, seen[i]);
	assert_int_equal(0, f.e->flights);
	close_it(&f);
}

static void
min_are_waited_for_and_max_is_kept(void **state)
{
	struct fixture f;
	struct bench_io *ios[DEPTH], *done[DEPTH];
	unsigned i, n, got = 0, max;
	int r;

	if (open_it(&f, false) != 0)
		fail_msg("worked a moment ago");
	n = f.e->depth;
	max = n > 1 ? n / 2 : 1;
	for (i = 0; i < n; i++) {
		ios[i] = &f.io[i];
		ios[i]->offset = (uint64_t)i * BS;
		ios[i]->op = BENCH_OP_READ;
	}
	bench_engine_submit(f.e, ios, n);
	while (got < n) {
		unsigned min = n - got < max ? n - got : max;

		r = bench_engine_reap(f.e, done, min, max, BENCH_FOREVER);
		assert_true(r >= (int)min && r <= (int)max);
		got += (unsigned)r;
		assert_int_equal(n - got, f.e->flights);
	}
	close_it(&f);
}

static void
beyond_the_end_is_an_answer_not_a_crash(void **state)
{
	struct fixture f;
	struct bench_io *ios[1], *done[DEPTH];

	if (open_it(&f, false) != 0)
		fail_msg("worked a moment ago");
	ios[0] = &f.io[0];
	ios[0]->offset = (uint64_t)BLOCKS * BS;
	ios[0]->op = BENCH_OP_READ;
	bench_engine_submit(f.e, ios, 1);
	assert_int_equal(
	    1, bench_engine_reap(f.e, done, 1, f.e->depth, BENCH_FOREVER));
	assert_true(done[0]->res <= 0);
	close_it(&f);
}

static void
a_write_to_what_is_open_for_reading_fails_and_changes_nothing(void **state)
{
	struct fixture f;
	struct bench_io *ios[1], *done[DEPTH];
	unsigned char want[BS], is[BS];

	if (open_it(&f, false) != 0)
		fail_msg("worked a moment ago");
	ios[0] = &f.io[0];
	ios[0]->offset = 3 * BS;
	ios[0]->op = BENCH_OP_WRITE;
	bench_engine_submit(f.e, ios, 1);
	assert_int_equal(
	    1, bench_engine_reap(f.e, done, 1, f.e->depth, BENCH_FOREVER));
	assert_int_equal(-EBADF, done[0]->res);
	fill_block(want, 3);
	assert_int_equal(BS, pread(f.fd, is, BS, 3 * BS));
	assert_memory_equal(want, is, BS);
	close_it(&f);
}

static void
what_is_written_is_there(void **state)
{
	struct fixture f;
	struct bench_io *ios[DEPTH], *done[DEPTH];
	unsigned char is[BS], was[BS];
	unsigned i, n, got = 0;
	int r;

	if (open_it(&f, true) != 0)
		fail_msg("worked a moment ago");
	n = f.e->depth;
	for (i = 0; i < n; i++) {
		ios[i] = &f.io[i];
		ios[i]->offset = (uint64_t)i * BS;
		ios[i]->op = BENCH_OP_WRITE;
		memset(ios[i]->buf, (int)(i + 1), BS);
	}
	bench_engine_submit(f.e, ios, n);
	while (got < n) {
		r = bench_engine_reap(f.e, done, 1, f.e->depth, BENCH_FOREVER);
		assert_true(r >= 1);
		for (i = 0; i < (unsigned)r; i++)
			assert_int_equal(BS, done[i]->res);
		got += (unsigned)r;
	}
	for (i = 0; i < n; i++) {
		memset(was, (int)(i + 1), BS);
		assert_int_equal(BS, pread(f.fd, is, BS, (off_t)i * BS));
		assert_memory_equal(was, is, BS);
		fill_block(was, i);
		assert_int_equal(BS, pwrite(f.fd, was, BS, (off_t)i * BS));
	}
	close_it(&f);
}

static uint64_t
clock_of(const struct fixture *f)
{
	struct timespec ts;

	if (type->now != NULL)
		return (type->now(f->e));
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec);
}

static void
with_nothing_in_flight_it_sleeps_as_long_as_asked(void **state)
{
	struct fixture f;
	struct bench_io *done[DEPTH];
	uint64_t t;

	if (open_it(&f, false) != 0)
		fail_msg("worked a moment ago");
	t = clock_of(&f);
	assert_int_equal(
	    0, bench_engine_reap(f.e, done, 0, f.e->depth, 20000000));
	t = clock_of(&f) - t;
	assert_true(t >= 20000000);
	assert_int_equal(0, bench_engine_reap(f.e, done, 0, f.e->depth, 0));
	close_it(&f);
}

static int
use_engine(void **state)
{
	type = *(const struct bench_engine_type **)*state;
	return (0);
}

struct promise {
	struct CMUnitTest test;
	bool fake_too; /* engines without a disk keep it as well */
	bool mmap_too;
};

int
main(void)
{
	static const struct promise tests[] = {
		{ cmocka_unit_test(
		      every_block_comes_back_once_and_is_the_one_asked_for),
		    true, true },
		{ cmocka_unit_test(min_are_waited_for_and_max_is_kept), true,
		    true },
		{ cmocka_unit_test(beyond_the_end_is_an_answer_not_a_crash),
		    false, true },
		/* Memory mapped for reading: a fault, not an answer. */
		{ cmocka_unit_test(
		      a_write_to_what_is_open_for_reading_fails_and_changes_nothing),
		    false, false },
		{ cmocka_unit_test(what_is_written_is_there), false, true },
		{ cmocka_unit_test(
		      with_nothing_in_flight_it_sleeps_as_long_as_asked),
		    true, true },
	};
	enum {
		N = sizeof tests / sizeof *tests,
		ENGINES = 8
	};
	static struct CMUnitTest all[N * ENGINES];
	static const struct bench_engine_type *state[ENGINES];
	static char name[N * ENGINES][160];
	unsigned char block[BS];
	struct fixture f;
	unsigned i, k, n = 0;
	int fd, r;

	fd = open(file, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	if (fd < 0)
		return (99);
	for (i = 0; i < BLOCKS; i++) {
		fill_block(block, i);
		if (write(fd, block, BS) != BS)
			return (99);
	}
	close(fd);
	/* One group, so that the TAP has one plan; the engine is the state. */
	for (i = 0; bench_engines[i] != NULL && i < ENGINES; i++) {
		type = state[i] = bench_engines[i];
		if (open_it(&f, false) != 0)
			continue; /* it said why */
		close_it(&f);
		for (k = 0; k < N; k++) {
			if ((type->fake && !tests[k].fake_too) ||
			    (strcmp(type->name, "mmap") == 0 &&
				!tests[k].mmap_too))
				continue;
			all[n] = tests[k].test;
			(void)snprintf(name[n], sizeof name[n], "%s: %s",
			    type->name, tests[k].test.name);
			all[n].name = name[n];
			all[n].setup_func = use_engine;
			all[n].initial_state = &state[i];
			n++;
		}
	}
	r = _cmocka_run_group_tests("engine", all, n, NULL, NULL);
	(void)unlink(file);
	return (r);
}
