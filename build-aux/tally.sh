#!/bin/sh
# Add up the results of "make check" below the given build folders.
# Prints what failed and why anything was skipped, then the closing line; fails if a
# test failed or none ran.  What a test said is in its .log; below a failure come the
# first lines that explain it, as the log may be gone with its machine.  A test that the
# Makefile of a given folder names, and that left no result, failed: make did not get
# to it, or could not build it.  Trees below that are not given need not have all.
for d in "${@:-.}"; do
	find "$d" -name '*.trs' -type f 2>/dev/null | sed 's/^/have /' | grep . || {
		[ -f "$d/config.status" ] || echo "none $d"
	}
	[ ! -f "$d/config.status" ] ||
		${MAKE:-make} -s --no-print-directory -C "$d" test-results 2>/dev/null |
			sed -n "s|^[^ ].*\.trs\$|want $d/&|p"
done | sort -u | awk '
	function failed(what) {
		fail++
		if (++missing <= 20)
			print "failed   " what
	}
	{ name = substr($0, 6) }
	$1 == "none" { failed(name ": no test ran there") }
	$1 == "want" && !(name in have) { failed(name ": did not run, or not to its end") }
	$1 == "have" {
		have[name] = 1
		none = 1
		while ((getline line < name) > 0) {
			if (line !~ /^:test-result: /)
				continue
			none = 0
			if (line ~ /^:test-result: (PASS|XFAIL)/)
				pass++
			else if (line ~ /^:test-result: SKIP/) {
				skip++
				file[name] = 1
			} else {
				fail++
				file[name] = 1
			}
		}
		close(name)
		if (none)
			delete have[name]
	}
	END {
		if (missing > 20)
			print "failed   and " missing - 20 " more that did not run"
		for (trs in file) {
			log_ = trs
			sub(/\.trs$/, ".log", log_)
			said = 0
			while ((getline line < log_) > 0) {
				# The driver repeats the name below the line itself.
				if (said > 0 && line ~ /^FAIL: /)
					continue
				if (said > 0 && line ~ /^#/) {
					said--
					print "         " substr(line, 1, 200)
					continue
				}
				said = 0
				if (line ~ /^(1\.\.0|ok).*# *[Ss][Kk][Ii][Pp]/)
					print "skipped  " log_ ": " line
				else if (line ~ /^(not ok|Bail out!|ERROR: |# *TEST .* FAILED|#.*top *TEST .* FAILED)/) {
					print "failed   " log_ ": " line
					said = line ~ /^not ok/ ? 6 : 0
				}
			}
			close(log_)
		}
		printf "%d passed, %d failed, %d skipped\n", pass, fail, skip
		exit (fail > 0 || pass == 0)
	}'
