#!/bin/sh
# precondition and pts: what is written, what is recorded, when it ends; and what
# they refuse.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99
dd if=/dev/urandom of=a.dat bs=1M count=8 2>/dev/null
sum=$(sha256sum <a.dat)
schema=varykit.disk-pts-1.schema.json

bench pts
is "no target: exit 2" "$code:$(printf '%s' "$err" | grep -c 'name one target')" 2:1
bench precondition a.dat a.dat
is "two: exit 2" "$code" 2
bench pts --engine sim
is "an engine without a disk: exit 2" "$code" 2
bench pts --test speed a.dat
like "a test that is none" "$code:$err" '^2:.*iops, throughput, latency or wsat'
bench pts --test latency --iodepth 4 a.dat
like "latency has one I/O in flight" "$code:$err" '^2:.*one I/O in flight'
bench pts --test wsat --prepared x a.dat
is "wsat of a drive that was filled: exit 2" "$code" 2
bench pts --bs 128k a.dat
like "a size where none is to choose" "$code:$err" '^2:.*--test throughput'
bench pts --time-budget 10s a.dat
like "a budget for nothing says what would do" "$code:$err" '^2:.*not enough for this test; [0-9]+s is, and --quick'
bench precondition --rounds 3 a.dat
is "precondition has no rounds: exit 2" "$code" 2
for c in "precondition" "pts" "pts --test wsat" "pts --discard" "precondition --time-budget 5s"; do
	# shellcheck disable=SC2086
	bench $c a.dat
	is "$c without a token: exit 30" "$code" 30
done
is "and nothing was written" "$(sha256sum <a.dat)" "$sum"

bench precondition --create 16M --purge 'made new' --seed 3 --format json new.dat
is "precondition: exit 0, JSON alone" "$code:$(jq -r '[.schema, .test, .verdict] | join(",")' out)" \
    "0:varykit.disk-pts/1,precondition,preconditioned"
is "all of it was written, twice" \
    "$(jq -c '.preconditioning | [.bytes_wanted, .bytes_written, .passes]' out)" '[33554432,33554432,2]'
is "with what was said of the purge" "$(jq -c '.purge' out)" '{"said":"made new","discarded":false}'
validate "as its schema says" $schema out
cp out precondition.json
bench precondition --quick --create 16M new2.dat
is "quick is once: exit 0" "$code:$(printf '%s\n' "$out" | grep -c '0.017 of 0.017 GB')" 0:1
like "and says so" "$out" '^Left out: the second pass'
like "without --purge it says that nobody said" "$out" 'Purge: nobody said'

bench pts --quick --runtime 100ms --rounds 6 --create 16M --format json iops.dat
is "pts, quick: exit 0" "$code:$(jq -r .test out)" 0:iops
validate "as its schema says, too" $schema out
is "six cells, in the order of PTS" "$(jq -c '[.rounds[0][] | [.read_percent, .bytes / 1024]]' out)" \
    '[[100,128],[100,4],[65,128],[65,4],[0,128],[0,4]]'
is "4 KiB random writes decide" "$(jq -r .tracked.name out)" "4 KiB random writes"
is "it tracks the very cell" "$(jq '[.rounds[][5].iops] == .tracked.values' out)" true
is "what is left out is said" "$(jq '.method.left_out | length >= 4' out)" true
# Told again from the rounds, by the rule.
is "the verdict is the rule's" "$(jq '
    def ok(w): (w | add / 5) as $m | ((w | max) - (w | min) <= 0.2 * $m * (1 + 1e-9)) and
        (((-2 * w[0] - w[1] + w[3] + 2 * w[4]) / 10 * 4) | fabs <= 0.1 * $m * (1 + 1e-9));
    .tracked.values as $y | [range(($y | length) - 4) | ok($y[. : . + 5])] as $w |
    if ($w | any) then .steady.reached and .verdict == "steady" and .steady.last_round == ($y | length)
    else (.steady.reached | not) and .verdict == "not steady" and ($y | length) == 6 end' out)" true
is "the means are those of the window" "$(jq '.steady as $s |
    ([.rounds[$s.first_round - 1 : $s.last_round][][5].iops] | add / 5) as $m |
    (.means[5].iops / $m - 1 | fabs) < 1e-6 and ($s.average / $m - 1 | fabs) < 1e-6' out)" true
cp out iops.json

bench pts --rounds 5 --test throughput --bs 128k --runtime 100ms --create 16M --format json tp.dat
is "throughput: two cells in a row" "$code:$(jq -c '[.rounds[0][].name]' out)" \
    '0:["128 KiB sequential reads","128 KiB sequential writes"]'
bench pts --rounds 5 --test latency --quick --runtime 100ms --create 16M lat.dat
is "latency: exit 0" "$code" 0
like "for people, with the rule's figures" "$out" '^window: 1 .. 5; average'
like "and a bar for each round" "$(printf '%s\n' "$out" | grep -c '|##*$')" '^5$'
bench pts --test wsat --runtime 100ms --create 16M --format json wsat.dat
is "wsat: nothing is filled before" "$code:$(jq -c '.preconditioning.bytes_wanted' out)" 0:0
validate "wsat is as the schema says" $schema out
is "it ends when four times the capacity was written" \
    "$(jq '([.rounds[][0] | .bytes_per_s * 0.1] | add) > 1.5 * 16777216 and (.rounds | length) >= 5' out)" true
bench pts --test latency --quick --time-budget 4s --create 16M --format json budget.dat
is "a budget: what it costs is said" \
    "$code:$(jq -c '[.method.shortened, (.certainty | contains("time budget"))]' out)" '0:[true,true]'
between "and kept, as far as the cells go" "$(jq '[.method.runtime_ns * (.rounds | length) * 3 / 1e9] | add' out)" 0.1 4
bench precondition --create 64M --time-budget 10ms --format json part.dat
is "a budget too small to fill it: partial, and how far it came" "$code:$(jq -c '[.verdict,
    (.preconditioning.passes < 2), (.sentence | contains("the rest is as it was"))]' out)" '0:["partial",true,true]'

interrupted INT pts --runtime 60s --create 16M --format json int.dat
is "SIGINT: exit 130, and what there is" \
    "$code:$(jq -c '[.complete, .signal, .preconditioning.bytes_written]' out)" '130:[false,2,33554432]'
validate "which is as the schema says" $schema out

if [ "$(id -u)" = 0 ] && [ "$(uname -s)" = Linux ] && random_loop one.img 16; then
	bench identify --format json "$dev"
	token=$(jq -r '.devices[0].token' out)
	bench pts --quick --write "$token" "$dev"
	is "a device with data: exit 39" "$code" 39
	bench precondition --quick --discard --write "$token" --overwrite-data --format json "$dev"
	is "a device, discarded and filled by us" \
	    "$code:$(jq -c '[.purge.discarded, .verdict]' out)" '0:[true,"preconditioned"]'
	if throttle "$dev" wiops 400; then
		bench_in_group pts --prepared 'written once' --test iops --quick --runtime 250ms \
		    --rounds 5 --iodepth 8 --write "$token" --overwrite-data --format json "$dev"
		# Whether it is steady, a busy machine has a say in.
		like "a drive that is slowed down: what was said is kept" \
		    "$code:$(jq -r '[.verdict, .preconditioning.said] | join(",")' out)" '^0:(not )?steady,written once$'
		between "its random writes are about what it is slowed down to" \
		    "$(jq '.means[5].iops' out)" 200 520
	else
		skip "a drive that is slowed down" "no block I/O controller"
	fi
else
	skip "a device" "no loop devices here"
fi
done_testing
