#!/bin/sh
# compare: which of two is faster, by how much, how sure; and what it refuses.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99
for f in a.dat b.dat; do
	dd if=/dev/urandom of="$f" bs=1M count=8 2>/dev/null
done
dd if=/dev/urandom of=small.dat bs=1M count=4 2>/dev/null

bench compare --help
like "--help says compare's own defaults" "$(printf '%s\n' "$out" | grep -E -e '--(runtime|ramp) ' | paste -sd' ')" '\[2s\].*\[250ms\]'
bench compare --pairs 2 a.dat
is "one target alone: exit 2" "$code" 2
like "and what to do about it" "$err" 'name two targets, A and B; one alone: --aa or --buffered'
bench compare --aa a.dat b.dat
is "--aa with two: exit 2" "$code:$(printf '%s' "$err" | grep -c 'take one target')" 2:1
bench compare --pairs 3 --time-budget 1m a.dat b.dat
is "pairs and a budget: exit 2" "$code:$(printf '%s' "$err" | grep -c 'not both')" 2:1
bench compare --time-budget 2s a.dat b.dat
is "a budget for nothing: exit 2" "$code:$(printf '%s' "$err" | grep -c 'not enough')" 2:1
bench compare a.dat nosuch
is "a target that is not there: exit 10" "$code" 10
bench compare --rw randwrite a.dat b.dat
is "writes without a token: exit 30" "$code" 30

bench compare --runtime 100ms --ramp 10ms --pairs 3 --seed 7 --format json a.dat b.dat
is "three pairs: exit 0" "$code" 0
schema=varykit.disk-compare-1.schema.json
validate "as its schema says" $schema out
for change in '.verdict = "A is faster"' '.new = 1' 'del(.certainty)' \
    '.pairs[0].order = "AA"' '.sides[0].span = -1' '.schema = "varykit.disk-compare/2"'; do
	jq "$change" out >changed
	is "which says no to: $change" "$(validate x $schema changed | sed '/# SKIP/s/.*/not/; s/ .*//; 1q')" not
done
is "are too few, and it says so" "$(jq -r '.schema, .verdict, .complete' out | paste -sd,)" \
    "varykit.disk-compare/1,too few runs,true"
is "the pairs are in the result" "$(jq '.pairs | length' out)" 3
is "what reads and how is the same" \
    "$(jq '[.sides[] | [.engine, .depth, .span]] | unique | length' out)" 1
order=$(jq -c '[.pairs[].order]' out)
bench compare --runtime 100ms --ramp 10ms --pairs 3 --seed 7 --format json a.dat b.dat
is "the same seed, the same order" "$(jq -c '[.pairs[].order]' out)" "$order"
bench compare --runtime 100ms --ramp 10ms --pairs 1 --format json a.dat small.dat
is "of two sizes the smaller one is used, of both" "$(jq -c '[.sides[].span] | unique' out)" '[4194304]'
like "which is said" "$err" 'differ in size'

bench compare --aa --runtime 100ms --ramp 10ms --pairs 8 --rate 200 --format json a.dat
is "--aa at a rate goes by the latency" "$code:$(jq -r '[.kind, .metric] | join(",")' out)" "0:aa,mean_ns"
validate "which is as the schema says, too" $schema out
bench compare --runtime 50ms --ramp 0 --pairs 1 --format json a.dat b.dat
is "--ramp 0 is no ramp" "$code:$(jq .method.ramp_ns out)" 0:0
bench compare --buffered --runtime 100ms --ramp 10ms --pairs 2 a.dat
like "--buffered says what each figure means" "$out" 'what a program sees that reads through the page'
bench compare --buffered --rw randwrite a.dat
is "--buffered only reads: exit 2" "$code" 2

"$DISKBENCH" compare --runtime 300ms --pairs 1000 --format json a.dat b.dat >int.json 2>int.err &
pid=$!
pids=$pid
i=0
# Its handler is there before a target is opened.
while [ $i -lt 100 ] && ! find "/proc/$pid/fd" -lname '*/b.dat' 2>/dev/null | grep -q .; do
	i=$((i + 1))
	sleep 0.1
done
# It gives up what it does not need once they are open.
while [ $i -lt 100 ] && ! grep -q '^NoNewPrivs:.*1$' "/proc/$pid/status"; do
	i=$((i + 1))
	sleep 0.1
done
is "no new privileges while it measures" "$(sed -n 's/^NoNewPrivs:[^0-9]*//p' "/proc/$pid/status")" 1
kill -INT "$pid"
wait "$pid"
code=$?
pids=
is "SIGINT: exit 130, and what there is" \
    "$code:$(jq -r '[.complete, .signal] | map(tostring) | join(",")' int.json)" "130:false,2"

if [ "$(id -u)" = 0 ] && [ "$(uname -s)" = Linux ] && random_loop one.img 16; then
	one=$dev
	if random_loop two.img 16 && throttle "$one" riops 400 && throttle "$dev" riops 200; then
		bench_in_group compare --runtime 500ms --ramp 100ms --pairs 8 --format json "$one" "$dev"
		is "a drive twice as fast is found" "$code:$(jq -r .verdict out)" "0:A faster"
		between "by how much" "$(jq '.metrics[] | select(.name == "iops") | .ratio' out)" 1.6 2.4
	else
		skip "a drive twice as fast is found" "no block I/O controller"
	fi
else
	skip "a drive twice as fast is found" "no loop devices here"
fi
done_testing
