#!/bin/sh
# Add up the results of "make check" below the given build folders.
# Prints what failed and why anything was skipped, then the closing line;
# fails if a test failed or none ran.
for d in "${@:-.}"; do
	find "$d" -name '*.trs' -type f
done | sort | xargs -r awk '
	/^:test-result: (PASS|XFAIL)/ { pass++ }
	/^:test-result: (FAIL|XPASS|ERROR)/ {
		fail++; sub(/^:test-result: /, ""); bad[++nb] = FILENAME ": " $0 }
	/^:test-result: SKIP/ {
		skip++; sub(/^:test-result: SKIP ?/, ""); why[++nw] = FILENAME ": " $0 }
	END {
		for (i = 1; i <= nw; i++) print "skipped  " why[i]
		for (i = 1; i <= nb; i++) print "failed   " bad[i]
		printf "%d passed, %d failed, %d skipped\n", pass, fail, skip
		exit (fail > 0 || pass == 0)
	}'
