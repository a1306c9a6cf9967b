#!/bin/sh
# diskbench/cases.md names the test of each public report: it is there, and is run.
cd "${top_srcdir:-.}" || exit 99
table=diskbench/cases.md
lost=
names=$(grep '^|' $table | grep -oE '\b(bench|cli|contract|docs|lint|unit|vtc)/[A-Za-z0-9_.-]+\.[a-z]+' | sort -u)
for name in $names; do
	[ -f "tests/$name" ] || lost="$lost
tests/$name"
	case $name in
	bench/*) ;;
	*)
		# A program's is named for it.
		grep -qw -e "tests/${name%.*}.t" diskbench/local.am || lost="$lost
tests/$name is not in diskbench/local.am"
		;;
	esac
done
# Told in so many words, where no test can be.
silent=$(awk -F'|' '/^\|/ && NF < 5 { print; next }
    /^\|/ && $4 !~ /[A-Za-z]/ && $4 !~ /-/ { print }' $table)
echo 1..3
if [ -n "$names" ]; then echo "ok 1 - $table names tests"; else echo "not ok 1 - $table names tests"; fi
if [ -z "$lost" ]; then
	echo "ok 2 - each of them is there, and is run"
else
	echo "not ok 2 - each of them is there, and is run"
	printf '%s\n' "$lost" | sed 1d | sed 's/^/# /'
fi
if [ -z "$silent" ]; then
	echo "ok 3 - each report has a test or a reason"
else
	echo "not ok 3 - each report has a test or a reason"
	printf '%s\n' "$silent" | sed 's/^/# /'
fi
