#!/bin/sh
# The cases.md of a room names the test of each public report: it is there, and is run.
cd "${top_srcdir:-.}" || exit 99
echo 1..6
n=0
# ok WHAT FAULTS: none is well
ok() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed '/^$/d; s/^/# /'
	fi
}
for table in diskbench/cases.md probe/cases.md; do
	lost=
	names=$(grep '^|' $table | grep -oE '\b(bench|cli|contract|docs|lint|unit|vtc)/[A-Za-z0-9_.-]+\.[a-z]+' | sort -u)
	for name in $names; do
		[ -f "tests/$name" ] || lost="$lost
tests/$name"
		case $name in
		bench/*) ;;
		*)
			# A program's is named for it.
			grep -qw -e "tests/${name%.*}.t" ./*/local.am || lost="$lost
tests/$name is run by no room"
			;;
		esac
	done
	# Told in so many words, where no test can be.
	silent=$(awk -F'|' '/^\|/ && NF < 5 { print; next }
	    /^\|/ && $4 !~ /[A-Za-z]/ && $4 !~ /-/ { print }' $table)
	ok "$table names tests" "$([ -n "$names" ] || echo none)"
	ok "$table: each of them is there, and is run" "$lost"
	ok "$table: each report has a test or a reason" "$silent"
done
