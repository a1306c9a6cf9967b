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
# The last line of a test.
done_testing() {
	echo "1..$tap_n"
	exit $tap_failed
}
