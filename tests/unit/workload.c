/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>

#include "diskbench/workload.h"

static struct bench_shape
shape(uint64_t span, uint32_t bs)
{
	struct bench_shape s;
	unsigned op;

	memset(&s, 0, sizeof s);
	s.span = span;
	s.read_percent = 100;
	s.random = true;
	for (op = 0; op < BENCH_OPS; op++) {
		s.size[op][0].bytes = bs;
		s.size[op][0].share = 1;
		s.n_size[op] = 1;
	}
	return (s);
}

static void
the_same_seed_gives_the_same_requests_and_another_does_not(void **state)
{
	struct bench_shape s = shape(UINT64_C(1) << 40, 4096);
	struct bench_workload a, b, c, d;
	struct bench_request qa, qb, qc, qd;
	unsigned i, same_c = 0, same_d = 0;

	assert_int_equal(0, bench_workload_init(&a, &s, 7, 0, 2));
	assert_int_equal(0, bench_workload_init(&b, &s, 7, 0, 2));
	assert_int_equal(0, bench_workload_init(&c, &s, 8, 0, 2));
	assert_int_equal(0, bench_workload_init(&d, &s, 7, 1, 2));
	for (i = 0; i < 1000; i++) {
		assert_true(bench_workload_next(&a, &qa));
		assert_true(bench_workload_next(&b, &qb));
		assert_true(bench_workload_next(&c, &qc));
		assert_true(bench_workload_next(&d, &qd));
		assert_true(qa.offset == qb.offset);
		same_c += qa.offset == qc.offset;
		same_d += qa.offset == qd.offset;
	}
	assert_true(same_c <= 1 && same_d <= 1);
}

/* Above 16 TiB too, where generators of 32 bits repeat themselves. */
static void
random_offsets_are_aligned_inside_and_even(void **state)
{
	static const uint64_t spans[] = { 4096, 5 * 4096 + 512,
		UINT64_C(1) << 30, (UINT64_C(100) << 40) + 8192 };
	struct bench_workload w;
	struct bench_request q;
	unsigned i, k, part[16];

	for (i = 0; i < sizeof spans / sizeof *spans; i++) {
		struct bench_shape s = shape(spans[i], 4096);

		s.offset = 1 << 20;
		memset(part, 0, sizeof part);
		assert_int_equal(0, bench_workload_init(&w, &s, i, 0, 1));
		for (k = 0; k < 160000; k++) {
			assert_true(bench_workload_next(&w, &q));
			assert_true(q.offset >= s.offset);
			assert_true(q.offset + q.len <= s.offset + s.span);
			assert_int_equal(0, (q.offset - s.offset) % 4096);
			assert_int_equal(4096, q.len);
			assert_int_equal(BENCH_OP_READ, q.op);
			part[(q.offset - s.offset) / (s.span / 16 + 1)]++;
		}
		/* Even: 16 parts of 10,000, five standard deviations. */
		for (k = 0; i >= 2 && k < 16; k++)
			assert_true(part[k] > 9500 && part[k] < 10500);
	}
}

static void
once_is_every_block_once_for_all_threads_together(void **state)
{
	static const unsigned blocks[] = { 1, 2, 3, 4, 5, 63, 64, 65, 1000,
		4097 };
	unsigned i, k, t, seen, in_order;

	for (i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		struct bench_shape s = shape(blocks[i] * UINT64_C(4096), 4096);
		unsigned char *hit = calloc(blocks[i], 1);
		struct bench_workload w;
		struct bench_request q;
		uint64_t last = 0;

		assert_non_null(hit);
		s.pick = BENCH_PICK_ONCE;
		for (t = 0, seen = 0, in_order = 0; t < 3; t++) {
			assert_int_equal(
			    0, bench_workload_init(&w, &s, 99, t, 3));
			while (bench_workload_next(&w, &q)) {
				k = (unsigned)(q.offset / 4096);
				assert_true(k < blocks[i]);
				assert_int_equal(0, hit[k]);
				hit[k] = 1;
				seen++;
				in_order += q.offset == last + 4096;
				last = q.offset;
			}
		}
		assert_int_equal(blocks[i], seen);
		if (blocks[i] >= 1000)
			assert_true(in_order < blocks[i] / 50);
		free(hit);
	}
}

static void
once_again_comes_round_in_another_order(void **state)
{
	struct bench_shape s = shape(256 * 4096, 4096);
	uint64_t round[2][256];
	struct bench_workload w;
	struct bench_request q;
	unsigned i, k, same = 0, hit[256] = { 0 };

	s.pick = BENCH_PICK_ONCE;
	s.again = true;
	assert_int_equal(0, bench_workload_init(&w, &s, 5, 0, 1));
	for (k = 0; k < 2; k++)
		for (i = 0; i < 256; i++) {
			assert_true(bench_workload_next(&w, &q));
			round[k][i] = q.offset;
			hit[q.offset / 4096]++;
		}
	for (i = 0; i < 256; i++) {
		assert_int_equal(2, hit[i]);
		same += round[0][i] == round[1][i];
	}
	assert_true(same < 16);
}

static void
zipf_has_the_frequencies_of_its_law(void **state)
{
	static const double thetas[] = { 0.6, 0.9, 1.2 };
	enum {
		BLOCKS = 1000,
		N = 400000
	};
	unsigned i, k, j;

	for (i = 0; i < sizeof thetas / sizeof *thetas; i++) {
		struct bench_shape s = shape(BLOCKS * UINT64_C(4096), 4096);
		unsigned hit[BLOCKS] = { 0 }, top[3] = { 0 };
		struct bench_workload w;
		struct bench_request q;
		double h = 0, want;

		s.pick = BENCH_PICK_ZIPF;
		s.theta = thetas[i];
		assert_int_equal(0, bench_workload_init(&w, &s, 3, 0, 1));
		for (k = 0; k < N; k++) {
			assert_true(bench_workload_next(&w, &q));
			assert_true(q.offset + q.len <= s.span);
			hit[q.offset / 4096]++;
		}
		for (k = 1; k <= BLOCKS; k++)
			h += pow(k, -thetas[i]);
		for (k = 0; k < BLOCKS; k++)
			for (j = 0; j < 3; j++)
				if (hit[k] > top[j]) {
					memmove(top + j + 1, top + j,
					    (2 - j) * sizeof *top);
					top[j] = hit[k];
					break;
				}
		for (j = 0; j < 3; j++) {
			want = N * pow(j + 1, -thetas[i]) / h;
			assert_true(fabs(top[j] - want) < 0.02 * want + 150);
		}
	}
}

static void
sizes_and_kinds_come_in_their_shares(void **state)
{
	static const struct bench_size mix[] = { { 4096, 11 }, { 8192, 20 },
		{ 16384, 22 }, { 32768, 20 }, { 65536, 14 }, { 131072, 8 },
		{ 262144, 4 }, { 524288, 1 } };
	struct bench_shape s = shape(UINT64_C(1) << 40, 4096);
	struct bench_workload w;
	struct bench_request q;
	unsigned i, k, n[8] = { 0 }, reads = 0;

	memcpy(s.size[BENCH_OP_READ], mix, sizeof mix);
	s.n_size[BENCH_OP_READ] = 8;
	s.read_percent = 75;
	assert_int_equal(4096, bench_shape_smallest(&s));
	assert_int_equal(524288, bench_shape_largest(&s));
	assert_int_equal(0, bench_workload_init(&w, &s, 11, 0, 1));
	for (k = 0; k < 400000; k++) {
		assert_true(bench_workload_next(&w, &q));
		assert_true(q.offset + q.len <= s.span);
		assert_int_equal(0, q.offset % 4096);
		if (q.op == BENCH_OP_WRITE)
			continue;
		reads++;
		for (i = 0; i < 8; i++)
			n[i] += q.len == mix[i].bytes;
	}
	assert_true(reads > 298500 && reads < 301500);
	for (i = 0; i < 8; i++)
		assert_true(fabs(n[i] - reads * mix[i].share / 100.0) < 1500);
}

/* 104 MB/s became 5,066 when four threads began at the same block. */
static void
sequential_threads_have_ranges_of_their_own(void **state)
{
	struct bench_shape s = shape(1001 * 4096, 4096);
	unsigned char hit[1001] = { 0 };
	struct bench_workload w;
	struct bench_request q;
	unsigned t, i;
	uint64_t next;

	s.random = false;
	for (t = 0; t < 4; t++) {
		unsigned own = t == 3 ? 251 : 250;

		assert_int_equal(0, bench_workload_init(&w, &s, 1, t, 4));
		for (i = 0, next = t * 250 * 4096; i < own; i++) {
			assert_true(bench_workload_next(&w, &q));
			assert_true(q.offset == next);
			assert_int_equal(0, hit[q.offset / 4096]++);
			next += 4096;
		}
		/* And round. */
		assert_true(bench_workload_next(&w, &q));
		assert_true(q.offset == t * 250 * 4096);
	}
	s.overlap = true;
	assert_int_equal(0, bench_workload_init(&w, &s, 1, 3, 4));
	assert_true(bench_workload_next(&w, &q));
	assert_true(q.offset == 0);
}

static void
what_cannot_be_is_refused(void **state)
{
	struct bench_shape s = shape(4095, 4096);
	struct bench_workload w;

	assert_int_equal(-ENOSPC, bench_workload_init(&w, &s, 1, 0, 1));
	s = shape(8192, 4096);
	s.random = false;
	assert_int_equal(-ENOSPC, bench_workload_init(&w, &s, 1, 0, 3));
	s = shape(8192, 0);
	assert_int_equal(-EINVAL, bench_workload_init(&w, &s, 1, 0, 1));
	s = shape(8192, 4096);
	s.n_size[BENCH_OP_READ] = 0;
	assert_int_equal(-EINVAL, bench_workload_init(&w, &s, 1, 0, 1));
	s = shape(8192, 4096);
	s.pick = BENCH_PICK_ZIPF;
	s.theta = 1;
	assert_int_equal(-EINVAL, bench_workload_init(&w, &s, 1, 0, 1));
	s = shape(8192, 4096);
	s.read_percent = 101;
	assert_int_equal(-EINVAL, bench_workload_init(&w, &s, 1, 0, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_same_seed_gives_the_same_requests_and_another_does_not),
		cmocka_unit_test(random_offsets_are_aligned_inside_and_even),
		cmocka_unit_test(
		    once_is_every_block_once_for_all_threads_together),
		cmocka_unit_test(once_again_comes_round_in_another_order),
		cmocka_unit_test(zipf_has_the_frequencies_of_its_law),
		cmocka_unit_test(sizes_and_kinds_come_in_their_shares),
		cmocka_unit_test(sequential_threads_have_ranges_of_their_own),
		cmocka_unit_test(what_cannot_be_is_refused),
	};

	return (cmocka_run_group_tests_name("workload", tests, NULL, NULL));
}
