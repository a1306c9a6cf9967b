/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop, on engine sim: its clock is its own, its latencies are known, and
 * so is what has to come out.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>

#include "diskbench/run.h"

#define MS UINT64_C(1000000)

static struct bench_job
job(const char *sim)
{
	struct bench_job j;

	bench_job_init(&j);
	j.engine = "sim";
	j.sim = sim;
	j.seed = 42;
	j.shape.span = UINT64_C(1) << 40;
	j.runtime_ns = 10000 * MS;
	return (j);
}

static struct bench_result *
run(const struct bench_job *j)
{
	struct bench_target *none = NULL;
	struct bench_run_control control = { NULL, NULL, NULL };
	struct bench_refusal why = { 0 };
	struct bench_result *r = NULL;
	int e = bench_run(j, &none, 1, &control, &r, &why);

	if (e < 0)
		print_message("# %s\n", why.text);
	assert_int_equal(0, e);
	assert_non_null(r);
	return (r);
}

static void
near(double got, double want, double share)
{
	if (fabs(got - want) > share * want) {
		print_message("# got %f, wanted %f\n", got, want);
		fail();
	}
}

static uint64_t
percentile(const struct bench_hist *h, double p)
{
	uint64_t v = 0;

	assert_int_equal(0, bench_hist_percentile(h, p, &v));
	return (v);
}

static void
constant_latency_gives_depth_over_latency(void **state)
{
	struct bench_job j = job("constant:100000");
	struct bench_result *r;

	j.depth = 16;
	j.runtime_ns = 1000 * MS;
	r = run(&j);
	near(bench_result_iops(r, BENCH_OP_READ), 160000, 0.001);
	assert_true(r->side[0].service.min == 100000);
	assert_true(r->side[0].service.max == 100000);
	assert_true(r->complete);
	assert_string_equal("sim", r->engine);
	bench_result_free(&r);
}

/* The figure: percentiles within 0.8 % of the distribution's own. */
static void
percentiles_are_those_of_the_distribution(void **state)
{
	static const double ps[] = { 0.5, 0.9, 0.95, 0.99 };
	struct bench_job j = job("exponential:100000");
	struct bench_result *r;
	unsigned i;

	j.depth = 32;
	r = run(&j);
	assert_true(r->side[0].ios > 3000000);
	near(bench_hist_mean(&r->side[0].service), 100000, 0.003);
	for (i = 0; i < sizeof ps / sizeof *ps; i++)
		near((double)percentile(&r->side[0].service, ps[i]),
		    -log(1 - ps[i]) * 100000, 0.008);
	bench_result_free(&r);

	j = job("bimodal:80000:20000000:20000");
	j.depth = 32;
	r = run(&j);
	near((double)percentile(&r->side[0].service, 0.5), 80000, 0.0078);
	near((double)percentile(&r->side[0].service, 0.97), 80000, 0.0078);
	near((double)percentile(&r->side[0].service, 0.985), 20000000, 0.0078);
	bench_result_free(&r);

	j = job("uniform:50000:150000");
	j.depth = 8;
	r = run(&j);
	near((double)percentile(&r->side[0].service, 0.1), 60000, 0.008);
	near((double)percentile(&r->side[0].service, 0.99), 149000, 0.008);
	bench_result_free(&r);
}

/* The last 16 come half a second after the end: they are in the latencies, and
 * do not make 107,000 a second of 160,000. */
static void
stragglers_do_not_lower_the_rate(void **state)
{
	struct bench_job j = job("stall:100000:999950000:500000000");
	struct bench_result *r;

	j.depth = 16;
	j.runtime_ns = 1000 * MS;
	r = run(&j);
	near(bench_result_iops(r, BENCH_OP_READ), 160000, 0.001);
	assert_true(r->side[0].service.max > 499 * MS);
	assert_true(r->elapsed_ns >= 1499 * MS && r->window_ns == 1000 * MS);
	assert_int_equal(r->side[0].window_ios + 16, r->side[0].ios);
	bench_result_free(&r);

	/* Nothing at all by the end: what came is all there is. */
	j = job("constant:3000000000");
	j.depth = 16;
	j.runtime_ns = 1000 * MS;
	r = run(&j);
	near(bench_result_iops(r, BENCH_OP_READ), 16 / 3.0, 0.001);
	bench_result_free(&r);
}

/* 500 a second for 6 s, with a device that stops for one second: whoever asks
 * only how long each I/O took sees p99 of a few ms. */
static void
an_open_loop_shows_a_stall_in_what_came_during_it(void **state)
{
	struct bench_job j = job("stall:200000:3000000000:1000000000");
	struct bench_result *r;

	j.runtime_ns = 6000 * MS;
	j.rate[BENCH_OP_READ] = 500;
	j.depth = 8; /* as a closed loop would have it */
	j.open_loop = true;
	r = run(&j);
	assert_true(r->paced);
	near((double)r->side[0].ios, 3000, 0.001);
	assert_true(percentile(&r->side[0].service, 0.99) < 1 * MS);
	assert_true(percentile(&r->side[0].response, 0.90) > 300 * MS);
	assert_true(percentile(&r->side[0].response, 0.99) > 900 * MS);
	assert_true(percentile(&r->side[0].response, 0.5) < 1 * MS);
	assert_true(r->late > 400 && r->late < 520);
	assert_int_equal(0, r->unserved);
	bench_result_free(&r);
	/* With room for all of them, none waits here. */
	j.depth = 1024;
	r = run(&j);
	assert_true(percentile(&r->side[0].service, 0.99) > 900 * MS);
	assert_true(percentile(&r->side[0].response, 0.99) > 900 * MS);
	assert_int_equal(0, r->late);
	bench_result_free(&r);
}

static void
a_rate_is_kept_exactly_with_either_gaps(void **state)
{
	struct bench_job j = job("constant:50000");
	struct bench_result *r;
	unsigned k;

	for (k = 0; k < 2; k++) {
		j.gaps = k == 0 ? BENCH_GAPS_FIXED : BENCH_GAPS_EXPONENTIAL;
		j.shape.read_percent = 75;
		j.rate[BENCH_OP_READ] = 750;
		j.rate[BENCH_OP_WRITE] = 250;
		j.runtime_ns = 100000 * MS;
		r = run(&j);
		/* Poisson: five standard deviations of 75,000 and 25,000. */
		near((double)r->side[0].ios, 75000, k == 0 ? 0.0001 : 0.018);
		near((double)r->side[1].ios, 25000, k == 0 ? 0.0001 : 0.032);
		bench_result_free(&r);
	}
}

static void
too_high_a_rate_is_said_not_hidden(void **state)
{
	struct bench_job j = job("constant:10000000");
	struct bench_result *r;

	/* 100 a second is all that depth 1 at 10 ms can do; 40 s of backlog are
	 * more than the 30 s that are given to it. */
	j.depth = 1;
	j.rate[BENCH_OP_READ] = 500;
	r = run(&j);
	near((double)r->side[0].ios, 4000, 0.01);
	near((double)r->unserved, 1000, 0.02);
	near((double)(r->side[0].ios + r->unserved), 5000, 0.001);
	bench_result_free(&r);
}

static void
limits_end_a_run_and_the_ramp_does_not_count(void **state)
{
	struct bench_job j = job("constant:1000000");
	struct bench_result *r;

	j.depth = 4;
	j.runtime_ns = 0;
	j.limit_ios = 1000;
	r = run(&j);
	assert_int_equal(1000, r->side[0].ios);
	assert_true(r->elapsed_ns == 250 * MS);
	bench_result_free(&r);
	j.limit_ios = 0;
	j.limit_bytes = 10 * 4096 + 4095;
	r = run(&j);
	assert_int_equal(10, r->side[0].ios);
	bench_result_free(&r);
	j.limit_bytes = 0;
	j.ramp_ns = 500 * MS;
	j.runtime_ns = 1000 * MS;
	r = run(&j);
	near((double)r->side[0].ios, 4000, 0.005);
	near((double)r->side[0].all_ios, 6000, 0.005);
	near(bench_result_iops(r, BENCH_OP_READ), 4000, 0.005);
	bench_result_free(&r);
}

static void
the_series_has_every_io_and_shows_the_stall(void **state)
{
	struct bench_job j = job("stall:1000000:3000000000:2000000000");
	struct bench_result *r;
	uint64_t n = 0, quiet = 0;
	unsigned i;

	j.depth = 2;
	r = run(&j);
	assert_true(r->series->step_ns == 1000 * MS);
	for (i = 0; i < r->series->n; i++) {
		n += r->series->step[i].side[0].ios;
		if (r->series->step[i].covered_ns == 1000 * MS &&
		    r->series->step[i].side[0].ios < 10)
			quiet++;
	}
	assert_int_equal(r->side[0].ios, n);
	assert_true(quiet >= 1 && quiet <= 2);
	bench_result_free(&r);
}

static void
peak_mode_waits_for_the_batch(void **state)
{
	struct bench_job j = job("uniform:100000:200000");
	struct bench_result *r;

	j.depth = 32;
	j.batch = 16;
	j.mode = BENCH_MODE_PEAK;
	j.runtime_ns = 500 * MS;
	r = run(&j);
	assert_true(r->side[0].ios > 1000);
	assert_true(r->side[0].service.min >= 100000);
	assert_true(bench_hist_mean(&r->side[0].service) > 150000);
	bench_result_free(&r);
}

/* Whatever the batch, depth I/Os are in flight: constant latency says so. */
static void
a_batch_does_not_cost_depth(void **state)
{
	struct bench_job j = job("bimodal:100000:1000000:500000");
	struct bench_result *r;
	unsigned peak;

	for (peak = 0; peak < 2; peak++) {
		j.depth = 64;
		j.batch = 8;
		j.mode = peak ? BENCH_MODE_PEAK : BENCH_MODE_LATENCY;
		j.runtime_ns = 1000 * MS;
		r = run(&j);
		/* Little: I/Os a second times mean latency is the depth.  Peak
		 * mode's latencies have the wait for the batch in them. */
		near(bench_result_iops(r, BENCH_OP_READ) *
			 bench_hist_mean(&r->side[0].service) / 1e9,
		    64, 0.02);
		near(bench_hist_mean(&r->side[0].service), 550000,
		    peak ? 0.25 : 0.02);
		bench_result_free(&r);
	}
}

static void
threads_add_up_and_the_seed_repeats(void **state)
{
	struct bench_job j = job("exponential:100000");
	struct bench_result *a, *b;

	j.threads = 3;
	j.depth = 4;
	j.runtime_ns = 1000 * MS;
	a = run(&j);
	b = run(&j);
	assert_int_equal(3, a->threads);
	near(bench_result_iops(a, BENCH_OP_READ), 120000, 0.01);
	assert_true(a->side[0].ios == b->side[0].ios);
	assert_memory_equal(&a->side[0].service, &b->side[0].service,
	    sizeof a->side[0].service);
	bench_result_free(&a);
	bench_result_free(&b);
}

static void
what_cannot_start_says_why(void **state)
{
	struct bench_job j = job("nonsense");
	struct bench_target *none = NULL;
	struct bench_run_control control = { NULL, NULL, NULL };
	struct bench_refusal why;
	struct bench_result *r = NULL;

	assert_true(bench_run(&j, &none, 1, &control, &r, &why) < 0);
	assert_null(r);
	assert_int_equal(BENCH_EXIT_ENGINE, why.code);
	assert_non_null(strstr(why.text, "nonsense"));
	j = job("constant:1");
	j.shape.span = 100;
	assert_true(bench_run(&j, &none, 1, &control, &r, &why) < 0);
	assert_int_equal(BENCH_EXIT_SMALL, why.code);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_latency_gives_depth_over_latency),
		cmocka_unit_test(percentiles_are_those_of_the_distribution),
		cmocka_unit_test(stragglers_do_not_lower_the_rate),
		cmocka_unit_test(
		    an_open_loop_shows_a_stall_in_what_came_during_it),
		cmocka_unit_test(a_rate_is_kept_exactly_with_either_gaps),
		cmocka_unit_test(too_high_a_rate_is_said_not_hidden),
		cmocka_unit_test(limits_end_a_run_and_the_ramp_does_not_count),
		cmocka_unit_test(the_series_has_every_io_and_shows_the_stall),
		cmocka_unit_test(peak_mode_waits_for_the_batch),
		cmocka_unit_test(a_batch_does_not_cost_depth),
		cmocka_unit_test(threads_add_up_and_the_seed_repeats),
		cmocka_unit_test(what_cannot_start_says_why),
	};

	return (cmocka_run_group_tests_name("run", tests, NULL, NULL));
}
