#!/bin/sh
# Call a test driver, and add to the .trs it writes how long the test took:
# "# S seconds, C of CPU".  Automake and tally.sh pass over such a line, longest.sh
# reads it.  CPU is that of the processes the test waited for.
# usage: timed.sh DRIVER... --trs-file FILE...
trs=
was=
for arg; do
	[ "$was" != --trs-file ] || trs=$arg
	was=$arg
done
# Hundredths where date knows them.
now() {
	case $(date +%s.%N) in
	*N) date +%s ;;
	*) date +%s.%N ;;
	esac
}
began=$(now)
"$@"
status=$?
ended=$(now)
if [ -n "$trs" ] && [ -f "$trs" ]; then
	# Into a file: a subshell has times of its own.  Its second line is the children's.
	times >"$trs.times"
	{
		echo "$began $ended"
		tr ms '  ' <"$trs.times"
	} | awk '
		NR == 1 { took = $2 - $1 }
		NR == 3 { cpu = 60 * ($1 + $3) + $2 + $4 }
		END { printf "# %.1f seconds, %.1f of CPU\n", took, cpu }' >>"$trs"
	rm -f "$trs.times"
fi
exit $status
