#!/bin/sh
# The closing line of "make check" counts what there is to count: results, and the
# tests that left none.
. "$top_srcdir/tests/cli/lib-tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/tally.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
aux=$(cd "$top_srcdir/build-aux" && pwd)
build=$(cd "$top_builddir" && pwd)
cd "$work" || exit 99
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
# tree NAME TEST...: a folder whose Makefile names these tests
tree() {
	t=$1
	shift
	mkdir -p "$t/tests"
	: >"$t/config.status"
	{
		echo "test-results:"
		printf '\t@printf '\''%%s\\n'\'
		printf ' tests/%s.trs' "$@"
		echo
	} >"$t/Makefile"
}
# result FILE RESULT...: what a test left
result() {
	f=$1
	shift
	printf ':test-result: %s\n' "$@" >"$f.trs"
	echo ':copy-in-global-log: no' >>"$f.trs"
	printf '%s\n' "not ok 1 - broken" "FAIL: three.t 1 - broken" "# got:    1" "# wanted: 2" "ok 2 # SKIP no disk" "# elsewhere" >"$f.log"
}
tally() {
	out=$(sh "$aux/tally.sh" "$@" 2>err)
	code=$?
	err=$(cat err)
}
tree a one two three
result a/tests/one PASS PASS
result a/tests/two XFAIL
result a/tests/three PASS
tally a
is "all ran, all well" "$code:$out:$err" "0:4 passed, 0 failed, 0 skipped:"
result a/tests/three PASS 'FAIL 2' SKIP
tally a
is "a failure and a skip, and what they say" "$code:$out:$err" "1:failed   a/tests/three.log: not ok 1 - broken
         # got:    1
         # wanted: 2
skipped  a/tests/three.log: ok 2 # SKIP no disk
4 passed, 1 failed, 1 skipped:"
result a/tests/three PASS
rm a/tests/two.trs
tally a
is "one that make did not run failed" "$code:$out:$err" \
    "1:failed   a/tests/two.trs: did not run, or not to its end
3 passed, 1 failed, 0 skipped:"
: >a/tests/two.trs
tally a
like "so did one that left an empty result" "$out" '^3 passed, 1 failed, 0 skipped$'
result a/tests/two ERROR
tally a
like "so did one that the driver calls an error" "$out" '^3 passed, 1 failed, 0 skipped$'
result a/tests/two PASS
# Two trees, one below the other, as quickstart has them.
tree a/asan one four
tally a
is "a tree below that is not asked for" "$code:$out" "0:4 passed, 0 failed, 0 skipped"
tally a a/asan
like "a tree below, in which nothing ran" "$out" '^4 passed, 2 failed, 0 skipped$'
like "... is named" "$out" '^failed   a/asan/tests/four\.trs: did not run'
result a/asan/tests/one PASS
result a/asan/tests/four PASS
tally a a/asan
is "a tree that is given twice counts once" "$code:$out" "0:6 passed, 0 failed, 0 skipped"
tally a nosuch
is "a tree that was not even made" "$code:$out:$err" "1:failed   nosuch: no test ran there
6 passed, 1 failed, 0 skipped:"
mkdir empty
tally empty
like "nothing at all is no success" "$out" '^0 passed, 1 failed, 0 skipped$'
# shellcheck disable=SC2046
tree many $(seq 1 50)
tally many
is "of many, twenty are named" "$code:$(printf '%s\n' "$out" | tail -n 2):$(printf '%s\n' "$out" | wc -l | tr -d ' ')" \
    "1:failed   and 30 more that did not run
0 passed, 50 failed, 0 skipped:22"
# The Makefile of this build says what its tests leave.
want=$(make -s --no-print-directory -C "$build" test-results 2>/dev/null | grep '\.trs$')
is "this build names its tests, and this one" "$(printf '%s\n' "$want" | grep -cx tests/cli/tally.trs)" 1
is "each as a file below tests/" "$(printf '%s\n' "$want" | grep -vc '^tests/[a-z]*/[A-Za-z0-9_.-]*\.trs$')" 0
done_testing
