# Build out of tree, and run the tests.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

jobs() { nproc 2>/dev/null || echo 1; }

# What a configured tree depends on: the options, configure.ac, and the packages
# that configure looks for.  When one of them changes, configure runs again.
build_fingerprint() {
	local arg

	for arg; do printf '%s\n' "$arg"; done
	cksum <configure.ac
	command -v dpkg-query >/dev/null 2>&1 && packages_for build run check |
	    xargs dpkg-query -W -f '${Package} ${Version}\n' 2>/dev/null
	return 0
}

# build_tree FOLDER [configure's options]
build_tree() {
	local dir=$1 log=$top/$1/quickstart.log began=$SECONDS
	local -a options=("${@:2}")

	mkdir -p "$dir" || die "cannot make $top/$dir"
	: >"$log" || die "cannot write $log"
	if [ ! -x configure ] || [ ! -f Makefile.in ]; then
		watched ./autogen.sh >>"$log" 2>&1 || die_log "$log" "autogen.sh failed"
	fi
	if [ ! -f "$dir/config.status" ] ||
	    [ "$(build_fingerprint "${options[@]}")" != "$(cat "$dir/quickstart.stamp" 2>/dev/null)" ]; then
		(cd "$dir" && exec "$top/configure" -q "${options[@]}") >>"$log" 2>&1 &
		watched_pid $! || die_log "$log" "configure failed"
		build_fingerprint "${options[@]}" >"$dir/quickstart.stamp"
	fi
	watched make -C "$dir" -j"$(jobs)" all >>"$log" 2>&1 || die_log "$log" "make failed"
	step build "$dir/ is up to date ($((SECONDS - began)) s)"
}

# The same as watched, for what is running already.
watched_pid() {
	local status

	pids+=("$1")
	wait "$1"
	status=$?
	forget_pid "$1"
	return $status
}

# Which lines and branches the unit tests and the fuzz corpora reach, by room.
uncovered=0
print_coverage() {
	local began=$SECONDS

	watched tests/bench/coverage "$1" </dev/null >"$1.txt" || uncovered=1
	cat "$1.txt"
	step coverage "$1/: done ($((SECONDS - began)) s)"
}

# Run every test in each tree, whatever the ones before say; one closing line.
# build/ is the parent of all: its results are everybody's.
check_trees() {
	local dir status=$uncovered began

	find build -name '*.trs' -delete
	for dir; do
		began=$SECONDS
		step check "$dir/: make check; the log is $dir/check.log"
		watched make -C "$dir" -k -j"$(jobs)" check >"$dir/check.log" 2>&1 </dev/null ||
			status=1
		step check "$dir/: done ($((SECONDS - began)) s)"
		# What did not compile leaves no result that could be counted.
		[ $status -eq 0 ] || [ -n "$(find "$dir" -name '*.trs' -print -quit)" ] ||
			die_log "$dir/check.log" "make check did not get as far as the tests"
	done
	[ $status -eq 0 ] || grep -h 'Error [0-9]' build/check.log build/asan/check.log
	[ "$uncovered" -eq 0 ] || step coverage "too few lines are reached, or a test failed: see above"
	sh build-aux/tally.sh build || status=1
	exit $status
}
