#!/bin/sh
# curve: how fast at each place, how long to get there; and what it refuses.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99
dd if=/dev/urandom of=a.dat bs=1M count=16 2>/dev/null
dd if=/dev/urandom of=tiny.dat bs=64k count=1 2>/dev/null

bench curve
is "no target: exit 2" "$code:$(printf '%s' "$err" | grep -c 'name one target')" 2:1
bench curve a.dat tiny.dat
is "two: exit 2" "$code" 2
bench curve --engine sim
is "an engine without a disk: exit 2" "$code" 2
bench curve --points 0 a.dat
like "no points: says what is allowed" "$code:$err" '^2:.*a number from 1 to 1024'
bench curve --write x a.dat
like "it never writes: no such option" "$code:$err" '^2:.*no option "--write"'
bench curve --time-budget 100ms a.dat
is "a budget for nothing: exit 2" "$code:$(printf '%s' "$err" | grep -c 'not enough')" 2:1
bench curve nosuch
is "a target that is not there: exit 10" "$code" 10
bench curve tiny.dat
is "a target below one read: exit 16" "$code" 16
truncate -s 16M holes
bench curve holes
is "nothing was ever written there: exit 17" "$code" 17

sum=$(sha256sum <a.dat)
bench curve --points 8 --accesses 100 --runtime 100ms --seed 5 --format json a.dat
is "eight points: exit 0, JSON alone" "$code:$(jq -r '.schema, .complete' out | paste -sd,)" \
    "0:varykit.disk-curve/1,true"
is "they are spread evenly, in order" "$(jq -c '[.points[].offset / 1048576]' out)" '[0,2,4,6,8,10,12,14]'
is "none reads a block twice" "$(jq '[.points[] | select(.bytes > 2097152)] | length' out)" 0
is "rate is bytes over time" "$(jq '[.points[] | .bytes * 1e9 / .elapsed_ns / .bytes_per_s |
    select(. < 0.999 or . > 1.001)] | length' out)" 0
is "each access is a dot, on 4 KiB, inside" "$(jq -c '[.access.n, (.access.dots | length),
    ([.access.dots[] | select(.offset % 4096 != 0 or .offset >= 16777216 or .ns == 0)] | length)]' out)" '[100,100,0]'
is "the figures are those of the dots" "$(jq '.access as $a | [$a.dots[].ns] |
    ($a.min_ns == min) and ($a.max_ns == max) and ($a.p50_ns >= min) and ($a.p95_ns <= max)' out)" true
dots=$(jq -c '[.access.dots[].offset]' out)
is "the accesses are all over it" "$(jq '[.access.dots[].offset / 2097152 | floor] | unique | length' out)" 8
bench curve --points 8 --accesses 100 --runtime 100ms --seed 5 --format json a.dat
is "the same seed, the same places" "$(jq -c '[.access.dots[].offset]' out)" "$dots"
is "nothing is written" "$(sha256sum <a.dat)" "$sum"
validate "the result is what the schema says" varykit.disk-curve-1.schema.json out

bench curve --points 8 --accesses 100 --runtime 50ms --size 8M --offset 4M --format json a.dat
is "of a part: begins there, ends there" "$(jq -c '[.points[0].offset, .points[-1].offset,
    ([.access.dots[].offset] | min >= 4194304 and max < 12582912)]' out)" '[4194304,11534336,true]'
bench curve --accesses 0 --runtime 50ms --format json a.dat
is "a small one: a point a MiB, and no accesses if none are wanted" \
    "$(jq -c '[(.points | length), .access.n, .access.p50_ns]' out)" '[16,0,null]'
like "which is said" "$err" '16 points, one a MiB, in place of 32'
bench curve --points 8 --accesses 50 --time-budget 2s --format json a.dat
is "a budget shortens the points, and says so" \
    "$(jq -c '[.method.shortened, .method.runtime_ns < 500000000, (.certainty | contains("shortened"))]' out)" '[true,true,true]'

bench curve --points 4 --accesses 200 --runtime 50ms a.dat
is "for people: exit 0" "$code" 0
# Two that are as fast as each other to a fortieth have bars alike.
like "a bar for each point, the longest of 40" \
    "$(printf '%s\n' "$out" | grep -c '|##*$'):$(printf '%s\n' "$out" | grep -c '|#\{40\}$'):$(printf '%s\n' "$out" | grep -c '|#\{41\}')" '^4:[1-4]:0$'
like "the scatter, and its figures" "$out" 'Access times: 200 reads'
like "with the median" "$out" 'min .*, median .*, 95 % .*, max .* ms'

# A fast drive has done it all before a live line: it is enough that the handler is
# there, which is so before a target is opened.
"$DISKBENCH" curve --points 1 --accesses 65536 --format json a.dat >out 2>err &
pid=$!
pids=$pid
await has_open "$pid" a.dat
kill -INT "$pid"
wait "$pid"
code=$?
pids=
is "SIGINT: exit 130, and what there is" \
    "$code:$(jq -c '[.schema, .complete, .signal]' out)" '130:["varykit.disk-curve/1",false,2]'
validate "which is as the schema says" varykit.disk-curve-1.schema.json out

if [ "$(id -u)" = 0 ] && [ "$(uname -s)" = Linux ] && random_loop one.img 64; then
	if throttle "$dev" rbps $((10 << 20)); then
		bench_in_group curve --points 4 --accesses 20 --runtime 1s --format json "$dev"
		is "a drive that is slowed down: exit 0" "$code" 0
		between "its rate is what it is slowed down to, in MiB/s" \
		    "$(jq '.bytes_per_s.mean / 1048576' out)" 8 12
	else
		skip "a drive that is slowed down" "no block I/O controller"
	fi
else
	skip "a drive that is slowed down" "no loop devices here"
fi
done_testing
