# Build out of tree, and run the tests.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2034,SC2154

# Not "jobs": say.sh asks bash's own for what runs.
cores() { nproc 2>/dev/null || echo 1; }

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
		rm -f "$dir/config.cache"
		# What the first tree has found out about this machine holds for the next.
		[ "$dir" = build ] || cp build/config.cache "$dir/" 2>/dev/null
		(cd "$dir" && exec "$top/configure" -q -C "${options[@]}") >>"$log" 2>&1 &
		watched_pid $! || die_log "$log" "configure failed"
		build_fingerprint "${options[@]}" >"$dir/quickstart.stamp"
	fi
	watched make -C "$dir" -j"$(cores)" all >>"$log" 2>&1 || die_log "$log" "make failed"
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
	# These tests are counted where all of them run.
	find "$1" -name '*.trs' -delete
	cat "$1.txt"
	step coverage "$1/: done ($((SECONDS - began)) s)"
}

# check_tree FOLDER: every test, whatever the ones before say.
check_tree() {
	local dir=$1 began=$SECONDS status=0

	step check "$dir/: make check; the log is $dir/check.log"
	watched make -C "$dir" -k -j"$(cores)" check >"$dir/check.log" 2>&1 </dev/null || status=1
	step check "$dir/: done ($((SECONDS - began)) s)"
	# What did not compile leaves no result that could be counted.
	[ $status -eq 0 ] || [ -n "$(find "$dir" -name '*.trs' -print -quit)" ] ||
		die_log "$dir/check.log" "make check did not get as far as the tests"
	return $status
}

# One of two lines of work that go on at the same time, in a process of its own: it
# ends what it has started, as we do.
line_of_work() {
	pids=() undo=() tmp=
	patience=100
	trap on_exit EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	"$@"
	exit
}

check_plain() {
	print_coverage build/coverage
	check_tree build && [ "$uncovered" -eq 0 ]
}
check_sanitized() {
	build_tree build/asan --enable-sanitizers
	check_tree build/asan
}

# Tests wait about as long as they work, compilers never do: one tree is tested
# while the other is built, and then both are.  Closing lines.
# build/ is the parent of all: its results are everybody's.
check_trees() {
	local began=$SECONDS status=0 plain sanitized

	find build -name '*.trs' -delete
	# These wait for what they have started before they end, ten seconds.
	patience=200
	set -m
	line_of_work check_plain &
	plain=$!
	line_of_work check_sanitized &
	sanitized=$!
	set +m
	pids+=("$plain" "$sanitized")
	wait "$plain" || status=1
	forget_pid "$plain"
	wait "$sanitized" || status=1
	forget_pid "$sanitized"
	[ $status -eq 0 ] ||
		grep -hs 'Error [0-9]' build/check.log build/asan/quickstart.log build/asan/check.log
	[ $status -eq 0 ] || step check "a test failed, did not compile, or too few lines are reached: see above"
	step check "all: $((SECONDS - began)) s; the longest tests:"
	sh build-aux/longest.sh 10 build
	sh build-aux/tally.sh build build/asan || status=1
	exit $status
}
