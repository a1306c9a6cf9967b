#!/bin/sh
# Add up the results of "make check" below the given build folders.
# Prints what failed and why anything was skipped, then the closing line;
# fails if a test failed or none ran.  What a test said is in its .log only.
for d in "${@:-.}"; do
	find "$d" -name '*.trs' -type f
done | sort | xargs -r awk '
	/^:test-result: (PASS|XFAIL)/ { pass++ }
	/^:test-result: (FAIL|XPASS|ERROR)/ { fail++; file[FILENAME] = 1 }
	/^:test-result: SKIP/ { skip++; file[FILENAME] = 1 }
	END {
		for (trs in file) {
			log_ = trs
			sub(/\.trs$/, ".log", log_)
			while ((getline line < log_) > 0)
				if (line ~ /^(1\.\.0|ok).*# *[Ss][Kk][Ii][Pp]/)
					print "skipped  " log_ ": " line
				else if (line ~ /^(not ok|Bail out!|# *TEST .* FAILED|#.*top *TEST .* FAILED)/)
					print "failed   " log_ ": " line
			close(log_)
		}
		printf "%d passed, %d failed, %d skipped\n", pass, fail, skip
		exit (fail > 0 || pass == 0)
	}'
