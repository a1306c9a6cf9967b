/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>

#include "diskbench/mountinfo.h"

static void
lines_are_read_with_and_without_optional_fields(void **state)
{
	char ext4[] = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext4 "
		      "/dev/root rw,errors=continue\n";
	char none[] = "25 1 0:24 / / rw - btrfs /dev/sda1 rw,subvolid=5";
	char many[] = "1 2 3:4 / /a\\040b\\134c rw shared:1 master:2 x - xfs "
		      "/dev/x\\011y rw,logdev=/dev/log1,noquota";
	struct bench_mount m;
	char buf[32];

	assert_int_equal(0, bench_mountinfo_parse(ext4, &m));
	assert_int_equal(98, m.major);
	assert_int_equal(0, m.minor);
	assert_string_equal("/mnt2", m.point);
	assert_string_equal("ext4", m.type);
	assert_string_equal("/dev/root", m.source);
	assert_string_equal("rw,errors=continue", m.options);
	assert_int_equal(0, bench_mountinfo_parse(none, &m));
	assert_string_equal("btrfs", m.type);
	assert_int_equal(0, bench_mountinfo_parse(many, &m));
	assert_string_equal("/a b\\c", m.point);
	assert_string_equal("/dev/x\ty", m.source);
	assert_int_equal(
	    9, bench_mountinfo_option(m.options, "logdev", buf, sizeof buf));
	assert_string_equal("/dev/log1", buf);
	assert_int_equal(
	    0, bench_mountinfo_option(m.options, "rtdev", buf, sizeof buf));
	assert_int_equal(
	    0, bench_mountinfo_option(m.options, "log", buf, sizeof buf));
	/* Does not fit: nothing, rather than half a name. */
	assert_int_equal(
	    0, bench_mountinfo_option(m.options, "logdev", buf, 9));
	assert_int_equal(
	    9, bench_mountinfo_option(m.options, "logdev", buf, 10));
}

static void
what_is_no_such_line_is_refused(void **state)
{
	static const char *const bad[] = { "", "\n", "a", "1 2 3:4",
		"1 2 3:4 / /x rw ext4 /dev/a rw", "1 2 3:4 / /x rw - ext4 a",
		"1 2 x:4 / /x rw - ext4 a rw", "1 2 3:4x / /x rw - ext4 a rw",
		"1 2 3 / /x rw - ext4 a rw" };
	struct bench_mount m = { 7, 7, NULL, NULL, NULL, NULL };
	unsigned i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *line = strdup(bad[i]);

		assert_non_null(line);
		assert_int_equal(-EINVAL, bench_mountinfo_parse(line, &m));
		assert_int_equal(7, m.major);
		free(line);
	}
}

/* A swap file of such a name was none, as nothing has the name as written. */
static void
names_become_what_they_were(void **state)
{
	static const struct {
		const char *written, *name;
	} names[] = { { "/swap\\040file", "/swap file" },
		{ "/a\\134040", "/a\\040" }, { "/a\\", "/a\\" },
		{ "/a\\04", "/a\\04" }, { "/a\\400", "/a\\400" },
		{ "\\012\\011", "\n\t" }, { "", "" } };
	char buf[32];
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		(void)strcpy(buf, names[i].written);
		bench_mountinfo_unescape(buf);
		assert_string_equal(names[i].name, buf);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    lines_are_read_with_and_without_optional_fields),
		cmocka_unit_test(what_is_no_such_line_is_refused),
		cmocka_unit_test(names_become_what_they_were),
	};

	return (cmocka_run_group_tests_name("mountinfo", tests, NULL, NULL));
}
