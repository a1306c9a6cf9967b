/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a result has to be warned of: for conditions that no machine of a test
 * has (a drive that is too hot, on another NUMA node, with a cache of its own).
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diskbench/heat.h"
#include "diskbench/plateau.h"
#include "diskbench/verdict.h"

#define SECOND UINT64_C(1000000000)
#define GB     UINT64_C(1000000000)

struct stage {
	struct bench_job job;
	struct bench_target target;
	struct bench_result *result;
	struct bench_verdict verdict;
};

/* An honest minute: 1,000 reads of 4 KiB a second of a drive of 500 GB. */
static int
set_up(void **state)
{
	struct stage *g = calloc(1, sizeof *g);
	struct bench_result *r;

	if (g == NULL)
		return (-1);
	bench_job_init(&g->job);
	g->target.magic = BENCH_TARGET_MAGIC;
	g->target.is_disk = true;
	g->target.path = (char *)(uintptr_t) "/dev/nvme0n1";
	g->target.size = 500 * GB;
	g->target.geometry.logical = g->target.geometry.physical = 512;
	g->target.identity.numa_node = -1;
	(void)snprintf(g->target.identity.transport,
	    sizeof g->target.identity.transport, "nvme");
	r = g->result = bench_result_new(SECOND);
	if (r == NULL)
		return (-1);
	r->job = &g->job;
	r->target = &g->target;
	r->depth = g->job.depth;
	r->threads = 1;
	r->elapsed_ns = r->whole_ns = 60 * SECOND;
	r->side[0].ios = r->side[0].all_ios = 60000;
	r->side[0].bytes = r->side[0].all_bytes = 60000 * 4096;
	*state = g;
	return (0);
}

static int
tear_down(void **state)
{
	struct stage *g = *state;

	bench_result_free(&g->result);
	free(g);
	return (0);
}

static const char *
said(struct stage *g, const char *id)
{
	unsigned i;

	bench_verdict_init(&g->verdict);
	bench_verdict_judge(&g->verdict, g->result);
	for (i = 0; i < g->verdict.n; i++)
		if (strcmp(g->verdict.warning[i].id, id) == 0)
			return (g->verdict.warning[i].text);
	return (NULL);
}

/* n seconds more with so many I/Os of 4 KiB each, give or take a hundredth. */
static void
seconds(struct bench_series *s, unsigned n, unsigned ios)
{
	static struct bench_hist hist[BENCH_OPS];
	uint64_t bytes[BENCH_OPS] = { 0 };
	unsigned i, k, m;

	for (i = 0; i < n; i++) {
		bench_hist_init(&hist[0]);
		bench_hist_init(&hist[1]);
		m = ios + (s->n * 7919 % 11) * ios / 500 - ios / 100;
		for (k = 0; k < m; k++)
			bench_hist_add(&hist[0], 1000000);
		bytes[0] = m * UINT64_C(4096);
		bench_series_add(
		    s, (s->n + 1) * s->step_ns, s->step_ns, hist, bytes, 0);
	}
}

static void
an_honest_result_has_no_warning(void **state)
{
	struct stage *g = *state;

	seconds(g->result->series, 60, 1000);
	g->result->heat_mc = g->target.identity.temperature_mc = 45000;
	g->result->nodes = 1;
	g->target.identity.numa_node = 0;
	(void)said(g, "");
	if (g->verdict.n > 0)
		print_message("# %s: %s\n", g->verdict.warning[0].id,
		    g->verdict.warning[0].text);
	assert_int_equal(0, g->verdict.n);
}

/* A cache of a drive: 500 MB/s for 20 s, then 60. */
static void
a_rate_that_falls_is_two_numbers(void **state)
{
	struct stage *g = *state;
	struct bench_plateau p[BENCH_PLATEAUS];
	const char *text;

	seconds(g->result->series, 20, 5000);
	assert_null(said(g, "throttled"));
	seconds(g->result->series, 40, 600);
	assert_int_equal(2, bench_plateau_find(p, g->result->series));
	assert_true(p[0].from_ns == 0 && p[0].to_ns == 20 * SECOND);
	assert_true(p[1].from_ns == p[0].to_ns && p[1].to_ns == 60 * SECOND);
	assert_true(p[0].bytes_per_s > 0.98 * 5000 * 4096 &&
		    p[0].bytes_per_s < 1.02 * 5000 * 4096);
	assert_true(p[1].bytes_per_s > 0.98 * 600 * 4096 &&
		    p[1].bytes_per_s < 1.02 * 600 * 4096);
	text = said(g, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text, "until 20.0 s"));
	assert_non_null(strstr(text, "2.5 MB/s (sustained)"));
	/* Where requests come by the clock, that is the clock's affair. */
	g->result->paced = true;
	assert_null(said(g, "throttled"));
}

static void
a_dip_is_uneven_and_not_throttled(void **state)
{
	struct stage *g = *state;

	seconds(g->result->series, 30, 1000);
	seconds(g->result->series, 10, 400);
	seconds(g->result->series, 30, 1000);
	assert_null(said(g, "throttled"));
	assert_non_null(said(g, "uneven"));
	assert_non_null(strstr(said(g, "uneven"), "from 30.0 to 40.0 s"));
}

static void
a_few_seconds_have_no_levels(void **state)
{
	struct stage *g = *state;
	struct bench_plateau p[BENCH_PLATEAUS];

	assert_int_equal(0, bench_plateau_find(p, g->result->series));
	seconds(g->result->series, 5, 1000);
	seconds(g->result->series, 4, 100);
	assert_int_equal(0, bench_plateau_find(p, g->result->series));
	assert_null(said(g, "throttled"));
}

/* A second in which nothing came back, and a run in which nothing did. */
static void
stalls_have_levels_too(void **state)
{
	struct stage *g = *state;
	struct bench_plateau p[BENCH_PLATEAUS];
	unsigned n;

	seconds(g->result->series, 20, 0);
	assert_int_equal(0, bench_plateau_find(p, g->result->series));
	seconds(g->result->series, 20, 1000);
	n = bench_plateau_find(p, g->result->series);
	assert_int_equal(2, n);
	assert_true(p[0].bytes_per_s < 1 && p[1].from_ns == 20 * SECOND);
}

static void
a_hot_drive_is_named_with_its_limit(void **state)
{
	struct stage *g = *state;

	g->target.identity.temperature_mc = 41000;
	g->result->heat_mc = 69000;
	assert_null(said(g, "hot"));
	g->result->heat_mc = 71000;
	assert_non_null(strstr(said(g, "hot"), "71 C (41 when"));
	/* Its own limit counts more than ours. */
	g->target.identity.temperature_limit_mc = 82000;
	assert_null(said(g, "hot"));
	g->result->heat_mc = 82000;
	assert_non_null(strstr(said(g, "hot"), "above 82 C"));
}

static void
a_drive_on_another_node_is_named(void **state)
{
	struct stage *g = *state;

	g->target.identity.numa_node = 1;
	g->result->nodes = 2;
	assert_null(said(g, "numa"));
	g->result->nodes = 3;
	assert_non_null(strstr(said(g, "numa"), "node 1"));
	g->target.identity.numa_node = -1;
	assert_null(said(g, "numa"));
}

static void
few_writes_may_be_in_a_cache(void **state)
{
	struct stage *g = *state;

	g->result->side[1].all_bytes = 20 * GB;
	assert_non_null(strstr(said(g, "short-write"), "20.0 GB"));
	g->result->side[1].all_bytes = 125 * GB;
	assert_null(said(g, "short-write"));
	g->result->side[1].all_bytes = 20 * GB;
	g->target.identity.rotational = true;
	assert_null(said(g, "short-write"));
	g->target.identity.rotational = false;
	(void)snprintf(g->target.identity.transport,
	    sizeof g->target.identity.transport, "loop");
	assert_null(said(g, "short-write"));
}

/* The device's own counts against ours. */
static void
the_counts_have_to_agree(void **state)
{
	struct stage *g = *state;
	struct bench_devstat *d = &g->result->device;

	d->known = true;
	assert_non_null(said(g, "no-device-counts"));
	d->ios[0] = 60000;
	d->in_queue_ms = 60000 * 32;
	d->sectors[0] = 60000 * 8;
	assert_null(said(g, "no-device-counts"));
	assert_null(said(g, "page-cache"));
	/* 5 % apart is well; a tenth, through the page cache. */
	d->sectors[0] = 57000 * 8;
	assert_null(said(g, "page-cache"));
	d->sectors[0] = 57000 * 8 - 1;
	assert_non_null(strstr(said(g, "page-cache"), "of 234.4 MiB read"));
	g->job.buffered = true;
	assert_null(said(g, "page-cache"));
	d->sectors[0] = 54000 * 8;
	assert_null(said(g, "page-cache"));
	d->sectors[0] = 54000 * 8 - 1;
	assert_non_null(said(g, "page-cache"));
	g->job.buffered = false;
	d->sectors[0] = 63000 * 8;
	assert_null(said(g, "other-io"));
	d->sectors[0] = 63000 * 8 + 1;
	assert_non_null(said(g, "other-io"));
	d->sectors[0] = 60000 * 8;
	g->result->side[1].all_bytes = 100000 * 4096;
	d->sectors[1] = 80000 * 8;
	assert_non_null(said(g, "write-cache"));
	assert_null(said(g, "depth-not-reached"));
	/* Less than half of it. */
	d->in_queue_ms = 60000 * 16;
	assert_null(said(g, "depth-not-reached"));
	d->in_queue_ms = 60000 * 15;
	assert_non_null(strstr(said(g, "depth-not-reached"), "15.0 on"));
}

static void
what_went_wrong_is_said(void **state)
{
	struct stage *g = *state;
	struct bench_result *r = g->result;
	unsigned i;

	g->target.direct_unproven = true;
	assert_non_null(said(g, "direct-unproven"));
	r->lost = 3;
	assert_non_null(strstr(said(g, "lost"), "3 I/Os"));
	r->side[0].errors = 7;
	assert_non_null(strstr(said(g, "io-errors"), "7 I/Os"));
	r->steal_percent = 12;
	assert_non_null(strstr(said(g, "steal"), "12%"));
	/* 95 % of a minute. */
	r->busy_ns = 57 * SECOND + 1;
	assert_non_null(said(g, "cpu-bound"));
	r->busy_ns = 57 * SECOND;
	assert_null(said(g, "cpu-bound"));
	r->wait_ns = 5 * SECOND;
	assert_null(said(g, "cpu-wait"));
	r->wait_ns = 9 * SECOND;
	assert_non_null(strstr(said(g, "cpu-wait"), "15% of the time"));
	r->paced = true;
	r->late = 100;
	assert_non_null(strstr(said(g, "depth-cap"), "100 of 60000"));
	r->unserved = 9;
	assert_non_null(strstr(said(g, "unserved"), "9 requests"));
	r->late = 0;
	for (i = 0; i < 1000; i++)
		bench_hist_add(&r->lag, i < 980 ? 1000 : 2000000);
	assert_non_null(strstr(said(g, "generator-late"), "2.0 ms"));
	r->side[0].errors = r->side[0].ios = 0;
	assert_non_null(said(g, "nothing-done"));
}

static const char *
alignment(struct stage *g)
{
	bench_verdict_init(&g->verdict);
	bench_verdict_align(&g->verdict, &g->job, &g->target);
	return (g->verdict.n > 0 ? g->verdict.warning[0].id : NULL);
}

/* 512e: takes 512 bytes and turns them into a read and a write of 4096. */
static void
parts_of_a_physical_sector_are_misaligned(void **state)
{
	struct stage *g = *state;

	g->target.geometry.physical = 4096;
	assert_null(alignment(g));
	bench_job_size(&g->job, 512);
	assert_string_equal("misaligned", alignment(g));
	bench_job_size(&g->job, 6144);
	assert_string_equal("misaligned", alignment(g));
	bench_job_size(&g->job, 8192);
	assert_null(alignment(g));
	/* As on a partition that begins at sector 63. */
	g->job.shape.offset = UINT64_C(63) * 512;
	assert_string_equal("misaligned", alignment(g));
	g->job.shape.offset = 1 << 20;
	assert_null(alignment(g));
	/* 512n, and 4Kn, which takes nothing smaller. */
	bench_job_size(&g->job, 512);
	g->target.geometry.physical = 512;
	assert_null(alignment(g));
	g->target.geometry.logical = g->target.geometry.physical = 4096;
	assert_null(alignment(g));
}

static void
put(const char *root, const char *path, const char *text)
{
	char name[512], *p;
	FILE *f;

	(void)snprintf(name, sizeof name, "%s/%s", root, path);
	for (p = strchr(name + strlen(root) + 1, '/'); p != NULL;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		assert_true(mkdir(name, 0700) == 0 || errno == EEXIST);
		*p = '/';
	}
	f = fopen(name, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(0, fclose(f));
}

static struct bench_heat
heat(const char *root, const char *dir)
{
	char name[512];
	struct bench_heat h = { 1, 1 };

	(void)snprintf(name, sizeof name, "%s/%s", root, dir);
	bench_heat_read(name, &h);
	return (h);
}

/* As kernels lay it out: the folders are ours, the names are theirs. */
static void
temperatures_are_read_where_kernels_have_them(void **state)
{
	char root[] = "unit-heat.XXXXXX", cmd[64];
	struct bench_heat h;

	assert_non_null(mkdtemp(root));
	put(root, "nvme/device/hwmon3/temp1_input", "38850\n");
	put(root, "nvme/device/hwmon3/temp1_max", "81850\n");
	put(root, "nvme/device/hwmon3/temp1_crit", "84850\n");
	h = heat(root, "nvme");
	assert_int_equal(38850, h.now_mc);
	assert_int_equal(81850, h.limit_mc);
	put(root, "sata/device/hwmon/hwmon0/temp1_input", "31000\n");
	put(root, "sata/device/hwmon/hwmon0/temp1_crit", "70000\n");
	h = heat(root, "sata");
	assert_int_equal(31000, h.now_mc);
	assert_int_equal(70000, h.limit_mc);
	put(root, "old/device/device/hwmon/hwmon1/temp1_input", "50000\n");
	h = heat(root, "old");
	assert_int_equal(50000, h.now_mc);
	assert_int_equal(0, h.limit_mc);
	/* A partition's folder lies in its drive's. */
	put(root, "nvme/nvme0n1p1/partition", "1\n");
	assert_int_equal(38850, heat(root, "nvme/nvme0n1p1").now_mc);
	/* Nonsense, below zero, nothing at all. */
	put(root, "absurd/device/hwmon0/temp1_input", "4294967295\n");
	assert_int_equal(0, heat(root, "absurd").now_mc);
	put(root, "cold/device/hwmon0/temp1_input", "-5000\n");
	assert_int_equal(0, heat(root, "cold").now_mc);
	put(root, "text/device/hwmon0/temp1_input", "warm\n");
	assert_int_equal(0, heat(root, "text").now_mc);
	assert_int_equal(0, heat(root, "nosuch").now_mc);
	(void)snprintf(cmd, sizeof cmd, "rm -r ./%s", root);
	assert_int_equal(0, system(cmd));
}

static void
samples_of_a_day_fit(void **state)
{
	struct bench_heat_log *l = calloc(1, sizeof *l);
	unsigned i;

	assert_non_null(l);
	for (i = 0; i < 86400; i++)
		bench_heat_log_add(l, i * SECOND, 30000 + i % 1000);
	assert_true(
	    l->n > BENCH_HEAT_SAMPLES / 2 && l->n <= BENCH_HEAT_SAMPLES);
	assert_true(l->at[0].t_ns == 0);
	for (i = 1; i < l->n; i++)
		assert_true(l->at[i].t_ns > l->at[i - 1].t_ns);
	assert_true(l->at[l->n - 1].t_ns > 86000 * SECOND);
	free(l);
}

static void
the_series_keeps_the_hottest_of_each_step(void **state)
{
	struct stage *g = *state;
	struct bench_series *s = g->result->series;

	seconds(s, 3, 10);
	bench_series_heat(s, SECOND + 1, 40000);
	bench_series_heat(s, SECOND + 2, 42000);
	bench_series_heat(s, SECOND + 3, 41000);
	bench_series_heat(s, 3 * SECOND, 99000); /* after the end */
	assert_int_equal(3, s->n);
	assert_int_equal(0, s->step[0].heat_mc);
	assert_int_equal(42000, s->step[1].heat_mc);
	assert_int_equal(0, s->step[2].heat_mc);
	/* A day's halving keeps it. */
	seconds(s, BENCH_STEPS, 1);
	assert_int_equal(42000, s->step[0].heat_mc);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_honest_result_has_no_warning),
		TEST(a_rate_that_falls_is_two_numbers),
		TEST(a_dip_is_uneven_and_not_throttled),
		TEST(a_few_seconds_have_no_levels),
		TEST(stalls_have_levels_too),
		TEST(a_hot_drive_is_named_with_its_limit),
		TEST(a_drive_on_another_node_is_named),
		TEST(few_writes_may_be_in_a_cache),
		TEST(the_counts_have_to_agree),
		TEST(what_went_wrong_is_said),
		TEST(parts_of_a_physical_sector_are_misaligned),
		cmocka_unit_test(temperatures_are_read_where_kernels_have_them),
		cmocka_unit_test(samples_of_a_day_fit),
		TEST(the_series_keeps_the_hottest_of_each_step),
	};

	return (cmocka_run_group_tests_name("verdict", tests, NULL, NULL));
}
