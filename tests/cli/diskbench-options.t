#!/bin/sh
# --help, the manual and the code agree on what options there are.
. "$top_srcdir/tests/cli/lib-disk.sh"
rst=$top_srcdir/diskbench/diskbench.rst
options_of() { sed -n 's/^  --\([a-z_-]*\).*/\1/p' | sort -u; }
for c in run compare curve precondition pts list identify report; do
	bench "$c" --help
	is "$c --help: exit 0, nothing on stderr" "$code:$err" "0:"
	printf '%s\n' "$out" | options_of >"$work/help.$c"
done
sort -u "$work/help.run" "$work/help.compare" "$work/help.curve" "$work/help.precondition" "$work/help.pts" "$work/help.list" "$work/help.identify" \
    "$work/help.report" >"$work/help"
# A definition in the manual begins its line with ``--name``.
sed -n 's/^``--\([a-z-]*\)[ `].*/\1/p' "$rst" | sort -u >"$work/manual"
is "the manual has run's options, and no other" "$(cat "$work/manual")" "$(cat "$work/help")"
# Each of them is known to the parser: one that is not is called so.
while read -r o; do
	bench run "--$o="
	like "run knows --$o" "$(printf '%s' "$err" | grep -c 'no option')" '^0$'
done <"$work/help.run"
bench --help
like "--help has --version" "$out" '^  --version '
bench --version
like "--version" "$code $out" '^0 diskbench \(varykit\) [0-9.]+$'
bench fio --help
is "fio --help: exit 0" "$code:$err" "0:"
printf '%s\n' "$out" | sed -n 's/^  --\([a-z_-]*\).*/\1/p' | sort -u >"$work/help.fio"
# The manual lists fio's in one paragraph between two marks.
sed -n '/^\.\. fio options begin/,/^\.\. fio options end/p' "$rst" |
    grep -v '^\.\.' | tr -s ' ,\n' '\n' | sed 's/[`.]//g' | grep . | sort -u >"$work/manual.fio"
is "the manual has fio's options, and no other" \
    "$(cat "$work/manual.fio")" "$(cat "$work/help.fio")"
# Exit codes: the manual's table is the code's list.
sed -n 's/^\tBENCH_EXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$top_srcdir/diskbench/refusal.h" |
    sort -n >"$work/codes"
awk '/^EXIT STATUS/ { on = 1 } /^WARNINGS/ { on = 0 } on && /^[0-9]+$/' "$rst" |
    sort -n >"$work/codes.manual"
is "the manual has every exit code" "$(cat "$work/codes.manual")" "$(cat "$work/codes")"
# Warnings: all ids that the code can add.
cat "$top_srcdir"/diskbench/*.c | tr -s '\n\t' '  ' |
    grep -o 'bench_verdict_add([^;]*;' | grep -o '"[a-z]*\(-[a-z]*\)*"[,: ]' |
    tr -d '",: ' | grep -v '^$' | sort -u >"$work/ids"
awk '/^WARNINGS/ { on = 1; next } on && /^[A-Z][A-Z ]+$/ { on = 0 } on && /^[a-z-]+$/' "$rst" |
    sort -u >"$work/ids.manual"
is "the manual has every warning" "$(cat "$work/ids.manual")" "$(cat "$work/ids")"
done_testing
