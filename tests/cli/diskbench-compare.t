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
bench compare r1.json r2.json
like "results without --vs: exit 2, they are no targets" "$code:$err" '^2:.*r1.json is no target: results are compared with A.json --vs B.json'
bench compare a.dat r2.json
like "a target and a result: exit 2" "$code:$err" '^2:.*r2.json is no target'
ln -s a.dat link.dat
for b in a.dat ./a.dat link.dat; do
	bench compare --pairs 1 a.dat $b
	like "one file under two names, $b: exit 2" "$code:$err" '^2:.*are one and the same; --aa'
done
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

# One of a thousand holes: nothing to read is no state to compare.
truncate -s 8M holes.dat
bench compare --allow-unwritten --runtime 50ms --ramp 0 --pairs 1 a.dat holes.dat
like "data against nothing: exit 51, and why" "$code:$err" '^51:.*of A 0 % was never written, of B 100 %'
bench compare --allow-unwritten --different --runtime 50ms --ramp 0 --pairs 1 a.dat holes.dat
is "--different does it" "$code" 0

# Results of before: six of each are made of one, B's a tenth faster.
bench run --runtime 100ms --iodepth 4 --prepared 'filled twice' --format json a.dat
cp out one.json
is "run keeps what was done to the drive" "$(jq -r '.jobs[0].diskbench.prepared' out)" 'filled twice'
validate "as its schema says" varykit.diskbench-1.schema.json out
for i in 1 2 3 4 5 6; do
	jq --argjson i $i '.jobs[0].read.iops = 1000 + $i' one.json >a$i.json
	jq --argjson i $i '.jobs[0].read.iops = 1100 + $i | .jobs[0].diskbench.device.path = "b"' one.json >b$i.json
done
bench compare a1.json a2.json a3.json a4.json a5.json --vs b1.json b2.json b3.json b4.json b5.json b6.json --format json
is "files: B is faster" "$code:$(jq -r '[.kind, .verdict, .method.test] | join(",")' out)" "0:files,B faster,rank-sum"
between "by how much" "$(jq '.metrics[] | select(.name == "iops") | .ratio' out)" 0.9085 0.9105
between "p is that of eleven ranks, 2 / 462" "$(jq '.metrics[] | select(.name == "iops") | .p' out)" 0.0043 0.0044
is "each with its file" "$(jq -c '[(.runs.a | length), .runs.b[5].file]' out)" '[5,"b6.json"]'
validate "as its schema says, too" $schema out
bench compare a1.json --vs b1.json
like "one run a side are too few" "$code:$out" 'Too few runs: 1 of A and 1 of B'
is "which is no error" "$code" 0
for change in '.jobs[0]."job options".bs = "8192"/block size (4096 and 8192)' \
    '.jobs[0]."job options".iodepth = "64"/I.Os in flight (4 and 64)' \
    '.jobs[0].diskbench.engine = "psync"/engine (' '.jobs[0]."job options".rw = "randrw"/kind of I.O (' \
    '.jobs[0]."job options".iodepth_batch = "2"/I.Os handed over at once (all there are and 2)' \
    '.jobs[0]."job options".iodepth_batch_complete_max = "2"/I.Os taken back at once (all there are and 2)' \
    '(.jobs[0] | .diskbench.engine, ."job options".ioengine) = "io_uring" | .jobs[0]."job options".fixedbufs = "0"/engine (.* and io_uring, registerfiles)' \
    '(.jobs[0] | .diskbench.engine, ."job options".ioengine) = "io_uring" | .jobs[0]."job options" += {registerfiles: "0", hipri: "1"}/engine (.* and io_uring, fixedbufs, hipri)' \
    '(.jobs[0] | .diskbench.engine, ."job options".ioengine) = "libaio" | .jobs[0]."job options".userspace_reap = "0"/engine (.* and libaio)' \
    '.jobs[0]."job options".direct = "0"/direct I.O (1 and 0)' '.jobs[0].diskbench.span = 4096/size of what was measured (8388608 and 4096)' \
    '.jobs[0].diskbench.span_offset = 4096/where that begins (0 and 4096)' '.jobs[0].diskbench.mode = "peak"/mode (' \
    '.jobs[0].diskbench.prepared = null/preconditioning (filled twice and not said)' \
    '.jobs[0]."job options".runtime = "60"/runtime (1 s and 60 s)' '.jobs[0].diskbench.complete = false/the run (' \
    '.jobs[0].diskbench.warnings += [{"id": "unwritten", "text": ""}]/what is stored there (data and in part never written)'; do
	jq "${change%%/*}" one.json >other.json
	bench compare one.json --vs other.json
	like "refused, and named: ${change%%/*}" "$code:$err" "^51:.*differ in: $(printf '%s' "${change#*/}" | sed 's/(/\\(/; s/)/\\)/')"
done
bench compare one.json --vs other.json --different --format json
is "--different says what differs" "$code:$(jq -r .differs out)" "0:what is stored there (data and in part never written)"
validate "and the schema has it" $schema out
# Everything at once, in words as long as a file can make them.
jq --arg w "$(printf '%080d' 0)" '.jobs[0] |= (."job options" |= (.bs = "8192" | .iodepth = "64" | .rw = "randrw" |
    .direct = "0" | .runtime = "60" | .numjobs = "3" | .rate_iops = $w | .sync = $w | .fdatasync = $w) |
    .diskbench |= (.engine = "psync" | .span = 4096 | .span_offset = 4096 | .mode = $w | .prepared = $w | .complete = false))' \
    one.json >other.json
bench compare one.json --vs other.json
like "more than fits into a sentence: whole entries, and how many more" "$code:$err" \
    '^51:.*[0-9a-z]\); and [0-9]+ more; measure again alike, or say --different$'
bench compare one.json --vs other.json --different --format json
is "--different has all of them" "$(jq -r '.differs / "; " | length, last' out | paste -sd:)" \
    "17:the run (to the end and stopped early)"
jq '.jobs[0].diskbench.device.serial = "other"' one.json >other.json
bench compare one.json other.json --vs one.json
is "two drives on one side: exit 51" "$code:$(printf '%s' "$err" | grep -c 'different targets')" 51:1
bench compare one.json one.json --vs one.json
like "one run that is counted twice: exit 2" "$code:$err" '^2:.*one.json is named twice on one side'
echo '{"jobs": [' >broken.json
bench compare one.json --vs broken.json
is "no result: exit 50" "$code:$(printf '%s' "$err" | grep -c 'broken.json: not JSON')" 50:1
jq '.jobs += .jobs' one.json >two-jobs.json
bench compare one.json --vs two-jobs.json
is "two jobs in one: exit 50" "$code:$(printf '%s' "$err" | grep -c 'several jobs')" 50:1
bench compare one.json --vs nosuch.json
is "not there: exit 50" "$code" 50
# Numbers that are none: none is compared, and none is a crash.
for v in NaN Infinity 1e999 1e300 -5 0 null '"x"' '[]'; do
	sed 's/"iops": *[0-9.eE+-]*/"iops": '"$v"/ one.json >odd.json
	bench compare one.json --vs odd.json --format json
	case $v in
	NaN | Infinity | 1e999) like "iops of $v: not JSON" "$code:$out:$err" '^50::diskbench: odd.json: not JSON' ;;
	*) like "iops of $v: exit 50, and named" "$code:$out:$err" '^50::diskbench: odd.json: has no number of IOPS above 0' ;;
	esac
done
# Of a profile that looked for its highest rate, what it found is what is compared.
bench run --profile ats --engine sim --sim exponential:100000 --seed 1 --runtime 200ms --format json
jq '.diskbench.profile.held = true' out >searched.json
for i in 1 2 3 4 5 6; do
	jq --argjson i $i '.jobs[0].read.iops = 1000 + $i | .jobs[0].diskbench.pacing.rate += $i' searched.json >sa$i.json
	jq --argjson i $i '.jobs[0].read.iops = 1100 + $i | .jobs[0].diskbench.pacing.rate += 100 + $i' searched.json >sb$i.json
done
bench compare sa1.json sa2.json sa3.json sa4.json sa5.json sa6.json --vs sb1.json sb2.json sb3.json sb4.json sb5.json sb6.json --format json
is "highest rates of a profile: compared, though they differ" "$code:$(jq -r '[.metric, .verdict] | join(",")' out)" "0:iops,B faster"
for change in '.diskbench.profile.hit_percent = 70/profile (ats, 90 % hits of 40755 bytes within 10 ms and ats, 70' \
    '.diskbench.profile.held = false/rate (the highest that held and none that held'; do
	jq "${change%%/*}" searched.json >other.json
	bench compare searched.json --vs other.json
	like "refused, and named: ${change%%/*}" "$code:$err" "^51:.*differ in: $(printf '%s' "${change#*/}" | sed 's/(/\\(/; s/)/\\)/')"
done
bench compare searched.json --vs one.json
like "a profile's beside a run's: refused" "$code:$err" '^51:.*differ in: profile \(ats, .* and none\)'
bench compare --vs one.json
is "--vs without A: exit 2" "$code" 2
bench compare one.json --vs one.json --pairs 4
like "nothing is measured: no pairs" "$code:$err" '^2:.*--pairs is for measuring'
jq '{"fio version": "fio-3.33", "global options": {filename: "/dev/sdX", bs: "4k"}, jobs: [{jobname: "j",
    "job options": {rw: "randread", ioengine: "libaio", iodepth: "4", direct: "1"}, read: .jobs[0].read}]}' one.json >fio.json
bench compare fio.json --vs fio.json --format json
is "fio's own: its options in both places" "$code:$(jq -c '.sides[0] | [.path, .engine, .depth]' out)" '0:["/dev/sdX","libaio",4]'

"$DISKBENCH" compare --runtime 300ms --pairs 1000 --format json a.dat b.dat >int.json 2>int.err &
pid=$!
pids=$pid
# Its handler is there before a target is opened.
await has_open "$pid" b.dat
# It gives up what it does not need once they are open.
await grep -q '^NoNewPrivs:.*1$' "/proc/$pid/status"
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
		bench_in_group compare --runtime 300ms --ramp 100ms --pairs 8 --format json "$one" "$dev"
		is "a drive twice as fast is found" "$code:$(jq -r .verdict out)" "0:A faster"
		between "by how much" "$(jq '.metrics[] | select(.name == "iops") | .ratio' out)" 1.6 2.4
	else
		skip "a drive twice as fast is found" "no block I/O controller"
	fi
else
	skip "a drive twice as fast is found" "no loop devices here"
fi
done_testing
