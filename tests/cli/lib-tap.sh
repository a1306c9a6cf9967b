# TAP for the tests in sh: a line a check, what was got and wanted below a failure.
# shellcheck shell=sh
tap_n=0
tap_failed=0
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
bail() {
	echo "Bail out! $1"
	exit 99
}
# await COMMAND...: until it succeeds, two minutes at most; false if it never does
await() {
	tap_i=0
	until "$@"; do
		tap_i=$((tap_i + 1))
		[ $tap_i -lt 1200 ] || return 1
		sleep 0.1
	done
}
# ended PID: nobody of this number is left; a shell waits for its own as it goes on
ended() {
	! kill -0 "$1" 2>/dev/null
}
tap_ok() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}
# tap_not_ok NAME, with what is to be said about it on stdin
tap_not_ok() {
	tap_n=$((tap_n + 1))
	tap_failed=1
	echo "not ok $tap_n - $1"
	sed 's/^/# /' | head -n 40
}
# is NAME GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" <<END
got:    $2
wanted: $3
END
	fi
}
# like NAME TEXT PATTERN (of grep -E)
like() {
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" <<END
wanted: $3
got:    $2
END
	fi
}
# between NAME VALUE LOW HIGH: numbers, fractions too
between() {
	if awk -v v="$2" -v l="$3" -v h="$4" \
	    'BEGIN { exit !(v == v + 0 && v >= l && v <= h) }'; then
		tap_ok "$1"
	else
		tap_not_ok "$1" <<END
got: $2, wanted: from $3 to $4
END
	fi
}
# skip NAME REASON
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}
# can_validate: is there what it takes?  Asked once, Python starts slowly.
tap_schemas=
can_validate() {
	[ -n "$tap_schemas" ] ||
	    tap_schemas=$(python3 -c 'import jsonschema; print("yes")' 2>/dev/null || echo no)
	[ "$tap_schemas" = yes ]
}
# validate NAME SCHEMA FILE...: the files are as schema/SCHEMA says
validate() {
	if can_validate; then
		tap_name=$1 tap_schema=$2
		shift 2
		is "$tap_name" "$(python3 -W ignore "$top_srcdir/tests/cli/schema.py" \
		    "$top_srcdir/schema/$tap_schema" "$@" 2>&1)" ""
	else
		skip "$1" "no python3-jsonschema"
	fi
}
# Many documents and one Python, in the test's folder $work.
# keep NAME FILE: a copy is kept, for validate_kept
tap_kept=0
keep() {
	tap_kept=$((tap_kept + 1))
	echo "$1" >>"$work/kept.names"
	cp "$2" "$work/kept.$tap_kept"
}
# validate_kept SCHEMA: as validate, of each that was kept
validate_kept() {
	if can_validate; then
		tap_says "$1" kept "$tap_kept"
		tap_i=0
		while IFS= read -r tap_name; do
			tap_i=$((tap_i + 1))
			is "$tap_name: by its schema" "$(tap_said kept $tap_i)" ""
		done <"$work/kept.names"
	else
		while IFS= read -r tap_name; do
			skip "$tap_name: by its schema" "no python3-jsonschema"
		done <"$work/kept.names"
	fi
}
# refuses SCHEMA FILE CHANGE...: what the schema is worth; each change of jq's to
# the file, which is a good one, is seen
refuses() {
	can_validate || return 0
	tap_schema=$1 tap_file=$2
	shift 2
	tap_i=0
	for tap_change in "$@"; do
		tap_i=$((tap_i + 1))
		jq "$tap_change" "$tap_file" >"$work/changed.$tap_i"
	done
	tap_says "$tap_schema" changed $#
	tap_i=0
	for tap_change in "$@"; do
		tap_i=$((tap_i + 1))
		like "the schema says no to: $tap_change" "$(tap_said changed $tap_i)" \
		    "^$work/changed\.$tap_i:1: /"
	done
}
# tap_says SCHEMA WHAT N: of $work/WHAT.1 to N; a broken Python says it of all
tap_says() {
	tap_schema=$1 tap_what=$2 tap_i=$3
	set --
	while [ "$tap_i" -gt 0 ]; do
		set -- "$work/$tap_what.$tap_i" "$@"
		tap_i=$((tap_i - 1))
	done
	python3 -W ignore "$top_srcdir/tests/cli/schema.py" "$top_srcdir/schema/$tap_schema" \
	    "$@" >"$work/$tap_what.said" 2>&1
	[ $? -le 1 ] || echo "Python failed" >>"$work/$tap_what.said"
}
tap_said() {
	awk -v mine="$work/$1.$2:" -v any="$work/$1." \
	    'index($0, mine) == 1 || index($0, any) != 1' "$work/$1.said"
}
# need_memcheck: a word on why not, where valgrind is missing or does not run
need_memcheck() {
	command -v valgrind >/dev/null || skip_all "no valgrind (Debian: valgrind)"
	tap_says=$(valgrind -q --error-exitcode=97 true 2>&1) || skip_all "valgrind: $tap_says"
}
# memcheck NAME STATUS COMMAND...: it ends with this status, and no byte was read that
# nobody had written, none beside what it was given, and none is lost at its end
memcheck() {
	tap_name=$1 tap_status=$2
	shift 2
	valgrind -q --error-exitcode=97 --leak-check=full \
	    --errors-for-leak-kinds=definite,indirect --log-file="$work/memcheck.log" \
	    "$@" >"$work/out" 2>"$work/err" </dev/null
	tap_code=$?
	if [ "$tap_code" = "$tap_status" ]; then
		tap_ok "memcheck: $tap_name"
	else
		# It says other things as well: what it does not know of the kernel.
		echo "exit $tap_code, wanted $tap_status" >>"$work/memcheck.log"
		tap_not_ok "memcheck: $tap_name" <"$work/memcheck.log"
	fi
}
# The last line of a test.
done_testing() {
	echo "1..$tap_n"
	exit $tap_failed
}
