/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "diskbench/profile.h"
#include "diskbench/workload_file.h"

static void
every_profile_is_sound_and_survives_its_file(void **state)
{
	struct bench_profile p, q;
	struct bench_refusal why;
	char *text, *again, *exact;
	unsigned i;

	for (i = 0; bench_profile_get(i, &p); i++) {
		assert_null(bench_profile_check(&p));
		assert_true(p.name[0] != '\0' && p.help[0] != '\0');
		text = bench_workload_write(&p);
		assert_non_null(text);
		exact = unit_exact(text, strlen(text));
		assert_int_equal(
		    0, bench_workload_read(&q, "x", exact, strlen(text), &why));
		free(exact);
		again = bench_workload_write(&q);
		assert_string_equal(text, again);
		assert_int_equal(p.n, q.n);
		assert_memory_equal(p.stream[0].size, q.stream[0].size,
		    sizeof p.stream[0].size);
		free(text);
		free(again);
		assert_true(bench_profile_find(p.name, &q));
	}
	assert_int_equal(9, i);
	assert_false(bench_profile_find("nosuch", &p));
}

/* 1,000 objects a second, of which 90 % are hits. */
static void
objects_become_rates(void **state)
{
	struct bench_profile p;
	struct bench_job like, job[BENCH_STREAMS];
	unsigned n;

	assert_true(bench_profile_find("ats", &p));
	bench_job_init(&like);
	like.seed = 1;
	n = bench_profile_jobs(&p, &like, 1000, false, job);
	assert_int_equal(3, n);
	assert_true(fabs(job[0].rate[BENCH_OP_READ] - 900) < 1e-6);
	assert_true(job[0].rate[BENCH_OP_WRITE] <= 0);
	assert_int_equal(8, job[0].depth);
	/* 100 misses of 40,755 bytes, in writes of 3 MiB. */
	assert_true(
	    fabs(job[1].rate[BENCH_OP_WRITE] - 100 * 40755.0 / 3145728) < 1e-6);
	assert_int_equal(BENCH_SYNC_DSYNC, job[0].sync);
	/* A synchronous engine: as many threads as requests in flight, and the
	 * same rate by all of them. */
	n = bench_profile_jobs(&p, &like, 1000, true, job);
	assert_int_equal(8, job[0].threads);
	assert_int_equal(1, job[0].depth);
	assert_true(fabs(job[0].rate[BENCH_OP_READ] * 8 - 900) < 1e-6);
	/* Hits alone write nothing, not even now and then. */
	p.hit_percent = 100;
	n = bench_profile_jobs(&p, &like, 1000, false, job);
	assert_int_equal(1, n);
	assert_false(bench_profile_writes(&p));
	assert_true(bench_profile_find("varnish-file", &p));
	assert_false(bench_profile_writes(&p));
	p.hit_percent = 70;
	assert_true(bench_profile_writes(&p));
	/* A page read for each page written, and one for each of a hit. */
	assert_true(
	    fabs(bench_profile_bytes(&p, BENCH_OP_READ) / p.object_bytes - 1) <
	    0.01);
	assert_true(
	    fabs(bench_profile_bytes(&p, BENCH_OP_WRITE) / p.object_bytes -
		 0.3) < 0.01);
	/* About ten pages of 4 KiB for each object of 40 KiB. */
	assert_true(
	    fabs(bench_profile_requests(&p, BENCH_OP_READ) - 9.95) < 0.01);
}

static void
runs_stay_inside_and_have_their_lengths(void **state)
{
	struct bench_shape s;
	struct bench_workload w;
	struct bench_request q;
	unsigned i, n[2] = { 0, 0 };

	memset(&s, 0, sizeof s);
	s.offset = 8192;
	s.span = 16 * 4096;
	s.random = true;
	s.read_percent = 100;
	s.size[0][0].bytes = 4096;
	s.size[0][0].share = 1;
	s.n_size[0] = 1;
	s.run[0].bytes = 2048;
	s.run[0].share = 1;
	s.run[1].bytes = 5 * 4096;
	s.run[1].share = 3;
	s.n_run = 2;
	assert_int_equal(0, bench_workload_init(&w, &s, 3, 0, 1));
	for (i = 0; i < 10000; i++) {
		assert_true(bench_workload_next(&w, &q));
		assert_true(q.offset >= 8192);
		assert_true(q.offset + q.len + q.more <= 8192 + 16 * 4096);
		assert_int_equal(0, (q.offset - 8192) % 4096);
		assert_true(
		    q.len + q.more == 2048 || q.len + q.more == 5 * 4096);
		assert_true(q.len == 4096 || q.more == 0);
		n[q.more > 0]++;
	}
	assert_true(n[0] > 2300 && n[0] < 2700);
	s.span = 4 * 4096; /* the longer one does not fit */
	assert_int_equal(-ENOSPC, bench_workload_init(&w, &s, 3, 0, 1));
}

static void
so_many_follow_the_one_before(void **state)
{
	struct bench_shape s;
	struct bench_workload w;
	struct bench_request q;
	uint64_t end = 0;
	unsigned i, followed = 0;

	memset(&s, 0, sizeof s);
	s.span = UINT64_C(1) << 40;
	s.random = true;
	s.follow_percent = 84;
	for (i = 0; i < 2; i++) {
		s.size[BENCH_OP_WRITE][i].bytes = 65536U << i;
		s.size[BENCH_OP_WRITE][i].share = 1;
	}
	s.n_size[BENCH_OP_WRITE] = 2;
	assert_int_equal(0, bench_workload_init(&w, &s, 3, 0, 1));
	for (i = 0; i < 10000; i++) {
		assert_true(bench_workload_next(&w, &q));
		assert_int_equal(BENCH_OP_WRITE, q.op);
		assert_true(q.offset + q.len <= s.span);
		followed += i > 0 && q.offset == end;
		end = q.offset + q.len;
	}
	assert_true(followed > 8250 && followed < 8550);
}

static void
what_is_wrong_with_a_file_is_said(void **state)
{
	static const struct {
		const char *text, *said;
	} bad[] = {
		{ "", "empty" },
		{ "\xef\xbb\xbf{}", "byte order mark" },
		{ "{", "line 1" },
		{ "[]", "not an object" },
		{ "{}", "schema" },
		{ "{\"schema\":\"varykit.workload/2\"}", "schema" },
		{ "{\"schema\":\"varykit.workload/1\"}", "streams" },
		{ "{\"schema\":\"varykit.workload/1\",\"streams\":[]}",
		    "streams" },
		{ "{\"schema\":\"varykit.workload/1\",\"stream\":[]}",
		    "\"stream\"" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{}]}",
		    "streams[0]: without sizes" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":0}]}]}",
		    "streams[0]: sizes[0] has no bytes" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":1,\"share\":0}]}]}",
		    "streams[0]: sizes have no share above 0" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":1,\"percent\":99}]}]}",
		    "streams[0]: \"percent\" is not known" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":4096}]}]}",
		    "asks for anything" },
		{ "{\"schema\":\"varykit.workload/1\",\"streams\":[{\"sizes\":"
		  "[{\"bytes\":4096}],\"per_hit\":1}]}",
		    "object_bytes" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":4096}],\"per_hit\":-1}]"
		  "}",
		    "per_hit" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":4096}],\"in_flight\":0,"
		  "\"per_hit\":1}]}",
		    "in_flight is not a whole number from 1 to 4096" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":4096}],\"rw\":\"reed\","
		  "\"per_hit\":1}]}",
		    "\"reed\" is none of read, write, mixed" },
		{ "{\"schema\":\"varykit.workload/1\",\"object_bytes\":1,"
		  "\"streams\":[{\"sizes\":[{\"bytes\":4096}],\"rw\":\"write\","
		  "\"run\":[{\"bytes\":8192}],\"per_miss\":1}],"
		  "\"hit_percent\":50}",
		    "runs are for" },
	};
	struct bench_profile p;
	struct bench_refusal why;
	unsigned i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *exact = unit_exact(bad[i].text, strlen(bad[i].text));

		why.text[0] = '\0';
		assert_int_equal(
		    -EINVAL, bench_workload_read(&p, "f.json", exact,
				 strlen(bad[i].text), &why));
		free(exact);
		if (strstr(why.text, bad[i].said) == NULL)
			fail_msg("%s: said %s", bad[i].text, why.text);
		assert_non_null(strstr(why.text, "f.json: "));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_profile_is_sound_and_survives_its_file),
		cmocka_unit_test(objects_become_rates),
		cmocka_unit_test(runs_stay_inside_and_have_their_lengths),
		cmocka_unit_test(so_many_follow_the_one_before),
		cmocka_unit_test(what_is_wrong_with_a_file_is_said),
	};

	return (cmocka_run_group_tests_name("profile", tests, NULL, NULL));
}
