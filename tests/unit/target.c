/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the look at a target and the first write to it: a name that now means
 * another file, or a file that is not what it was.  Nothing is written here.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "diskbench/target.h"

static char folder[64];

static const char *
in_folder(const char *name, char *buf, size_t len)
{
	(void)snprintf(buf, len, "%s/%s", folder, name);
	return (buf);
}

static void
make(const char *name, size_t size)
{
	char path[128];
	size_t i;
	FILE *f = fopen(in_folder(name, path, sizeof path), "w");

	assert_non_null(f);
	for (i = 0; i < size; i++)
		(void)fputc((int)(i * 7 & 0xff), f);
	assert_int_equal(0, fclose(f));
}

static int
set_up(void **state)
{
	char a[128], link[128];

	(void)strcpy(folder, "/tmp/target.XXXXXX");
	if (mkdtemp(folder) == NULL)
		return (-1);
	make("a", 65536);
	make("b", 65536);
	return (symlink(
	    in_folder("a", a, sizeof a), in_folder("link", link, sizeof link)));
}

static int
tear_down(void **state)
{
	static const char *const names[] = { "a", "b", "link", "c" };
	char path[128];
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		(void)unlink(in_folder(names[i], path, sizeof path));
	return (rmdir(folder));
}

static struct bench_target *
open_name(const char *name)
{
	struct bench_target_wish wish = { 0 };
	struct bench_target *t = NULL;
	struct bench_refusal why;
	char path[128];

	wish.path = in_folder(name, path, sizeof path);
	wish.buffered = true;
	assert_int_equal(0, bench_target_open(&t, &wish, &why));
	assert_non_null(t);
	/* Looked at again at once, it is the same. */
	assert_int_equal(0, bench_target_recheck(t, &why));
	return (t);
}

static void
assert_changed(struct bench_target *t)
{
	struct bench_refusal why = { 0 };

	assert_int_equal(-EAGAIN, bench_target_recheck(t, &why));
	assert_int_equal(BENCH_EXIT_CHANGED, why.code);
	assert_int_equal(40, why.code);
	assert_non_null(strstr(why.text, "another device than a moment ago"));
	bench_target_close(&t);
}

static void
a_link_that_points_elsewhere_now(void **state)
{
	struct bench_target *t = open_name("link");
	char b[128], link[128];

	assert_int_equal(0, unlink(in_folder("link", link, sizeof link)));
	assert_int_equal(0, symlink(in_folder("b", b, sizeof b), link));
	assert_changed(t);
}

static void
a_name_that_another_file_took(void **state)
{
	struct bench_target *t = open_name("a");
	char a[128], b[128];

	assert_int_equal(0,
	    rename(in_folder("b", b, sizeof b), in_folder("a", a, sizeof a)));
	assert_changed(t);
}

static void
a_name_that_is_gone(void **state)
{
	struct bench_target *t = open_name("a");
	char a[128];

	assert_int_equal(0, unlink(in_folder("a", a, sizeof a)));
	assert_changed(t);
}

/* The same file by number, and not what the token was made of. */
static void
a_file_of_another_size(void **state)
{
	struct bench_target *t = open_name("a");
	char a[128];

	assert_int_equal(0, truncate(in_folder("a", a, sizeof a), 131072));
	assert_changed(t);
}

/* What was looked at stays ours under another name, if ours still leads to it. */
static void
a_second_name_changes_nothing(void **state)
{
	struct bench_target *t = open_name("a");
	struct bench_refusal why;
	char a[128], c[128];

	assert_int_equal(
	    0, link(in_folder("a", a, sizeof a), in_folder("c", c, sizeof c)));
	assert_int_equal(0, bench_target_recheck(t, &why));
	bench_target_close(&t);
	assert_null(t);
}

/* No file system here is one of these. */
static void
what_refuses_direct_io_is_told_from_what_is_not_there(void **state)
{
	static const struct {
		int error, code;
		const char *text;
	} t[] = {
		{ EINVAL, 13, "direct I/O is refused here (O_DIRECT" },
		{ ENOTDIR, 10, "does not exist" },
		{ ENOMEDIUM, 10, "no medium in it" },
		{ ENXIO, 10, "no such device behind it" },
		{ EACCES, 12, "needs root" },
		{ EBUSY, 31, "in use" },
		{ EIO, 20, "cannot open" },
	};
	struct bench_refusal why;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		assert_int_equal(-t[i].error,
		    bench_target_explain_open("/mnt/x", t[i].error, &why));
		assert_int_equal(t[i].code, why.code);
		assert_non_null(strstr(why.text, t[i].text));
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_link_that_points_elsewhere_now),
		CASE(a_name_that_another_file_took),
		CASE(a_name_that_is_gone),
		CASE(a_file_of_another_size),
		CASE(a_second_name_changes_nothing),
		cmocka_unit_test(
		    what_refuses_direct_io_is_told_from_what_is_not_there),
	};

	return (cmocka_run_group_tests_name("target", tests, NULL, NULL));
}
