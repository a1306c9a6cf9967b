#!/bin/sh
# Print the longest tests of the last "make check" below the given build folders:
# seconds, seconds of CPU, and the test's log; then how long all took together.
# usage: longest.sh N [FOLDER]...
n=$1
shift
for d in "${@:-.}"; do
	find "$d" -name '*.trs' -type f
done | xargs -r awk '
	/^# [0-9.]+ seconds, [0-9.]+ of CPU$/ {
		sub(/\.trs$/, ".log", FILENAME)
		printf "%.1f %.1f %s\n", $2, $4, FILENAME
	}' | sort -rn | awk -v n="$n" '
	NR <= n { printf "%7.1f s %7.1f s of CPU  %s\n", $1, $2, $3 }
	{ all += $1; cpu += $2 }
	END { printf "%7.1f s %7.1f s of CPU  all %d\n", all, cpu, NR }'
