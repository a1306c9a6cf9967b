#!/bin/sh
# The options that --help lists, those of the manual page, and those that the
# program takes are the same.
. "$top_srcdir/tests/cli/lib-probe.sh"
long() { grep -oE -e '--[a-z][a-z0-9.-]*[a-z0-9]' | sort -u; }
run audit --help
is "--help: exit 0" "$code" 0
is "--help: nothing on stderr" "$err" ""
printf '%s\n' "$out" | grep -E '^ +(-., )?--' | sed 's/^\( *\(-., \)\{0,1\}--[a-z0-9.-]*\).*/\1/' | long >"$work/help"
# In the manual: lines that begin an option, up to the next section.
sed -n '/^OPTIONS OF AUDIT/,/^OUTCOMES/p' "$top_srcdir/probe/varyprobe.rst" |
    grep -E '^-' | long >"$work/manual"
is "--help and the manual list the same options" "$(diff "$work/help" "$work/manual")" ""
is "they are more than thirty" "$([ "$(wc -l <"$work/help")" -gt 30 ] && echo yes)" yes
# An option that --help lists is taken: whatever is wrong, it is not the option.
while read -r o; do
	run audit "$o" x
	case $err in *"no option"*) is "$o is taken" "$err" "" ;; esac
done <"$work/help"
is "an option that is none is refused" "$(run audit --none http://a.example/; echo $code)" 2
run audit --none http://a.example/
is "and named" "$err" "varyprobe: no option --none; --help lists them"
for r in $(sed -n 's/^\t\[PROBE_VARY_[A-Z]*\] = "\(vary-[a-z]*\)",$/\1/p;s/^.*\] = "\(vary-[a-z]*\)",$/\1/p' "$top_srcdir/probe/finding.c" | sort -u); do
	grep -qx "$r" "$top_srcdir/probe/varyprobe.rst" ||
	    is "the manual explains $r" no yes
done
for f in human json ndjson sarif junit tap github prometheus; do
	run audit --format "$f" --dry-run http://a.example/
	is "format $f is known" "$code" 0
done
run help
is "help: exit 0" "$code" 0
for c in $(printf '%s\n' "$out" | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	like "the manual has the command $c" "$(cat "$top_srcdir/probe/varyprobe.rst")" "\*\*varyprobe\*\* $c"
done
like "help has --version" "$out" '^  --version +say'
run --version
like "--version" "$code $out" '^0 varyprobe \(varykit\) [0-9.]+$'
run nonsense
is "no such command: exit 2" "$code $out" "2 "
run help audit
is "help audit is audit --help" "$code" 0
done_testing
