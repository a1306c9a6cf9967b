#!/bin/sh
# The cases.md of a room names the test of each public report: it is there, and is run.
# What stands in quotes behind a test is in it, and file:function is one of the room's.
cd "${top_srcdir:-.}" || exit 99
echo 1..7
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
		# What several tests read.
		cli/lib-*) grep -qw -e "tests/$name" ./*/local.am || lost="$lost
tests/$name is in no room" ;;
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
# A word on what is looked for where: "cli/x.t<TAB>check", "file.c<TAB>function".
lost=$(awk -F'|' '/^\|/ {
	for (c = 3; c <= 4; c++) {
		cell = $c
		while (match(cell, /[a-z_]+\.[ch]:[a-z_]+|(cli|unit)\/[A-Za-z0-9_.-]+\.(t|c|sh)|"([^"\\]|\\.)*"/)) {
			word = substr(cell, RSTART, RLENGTH)
			cell = substr(cell, RSTART + RLENGTH)
			if (word ~ /^"/)
				print test "\t" substr(word, 2, length(word) - 2)
			else if (word ~ /:/) {
				sub(/:/, "\t", word)
				print word
			} else
				test = word
		}
	}
}' diskbench/cases.md | while IFS='	' read -r file what; do
	case $file in
	cli/*) grep -qF -e "\"$what" "tests/$file" ;;
	unit/*) grep -q "^$what(" "tests/$file" ;;
	*) grep -q "^$what(" "diskbench/$file" ;;
	esac || echo "$file: $what"
done)
ok "diskbench/cases.md: its checks and functions are there" "$lost"
