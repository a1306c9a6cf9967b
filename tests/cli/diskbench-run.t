#!/bin/sh
# diskbench run: what it prints where, and how it says no.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99

bench --version
is "--version: exit 0" "$code" 0
like "--version: names the program" "$out" '^diskbench \(varykit\) [0-9]'
is "--version: nothing on stderr" "$err" ""
bench --help
is "--help: exit 0" "$code" 0
like "--help: the commands" "$out" '^  run '
is "--help: nothing on stderr" "$err" ""
bench
is "no command: exit 2" "$code" 2
is "no command: stdout is empty" "$out" ""
like "no command: says what to do" "$err" '^diskbench: no command; see diskbench --help$'
bench frobnicate
is "another command: exit 2" "$code" 2
like "another command: named" "$err" '^diskbench: no command "frobnicate"'
bench run
is "no target: exit 2" "$code" 2
like "no target: says so" "$err" '^diskbench: run: no target'
bench run --bogus x
is "another option: exit 2" "$code" 2
like "another option: named" "$err" '"--bogus"'
for a in "--iodepth 0" "--iodepth x" "--runtime 5x" "--bs 0" "--bs 4k:0" \
    "--rw trim" "--mix 101" "--engine warp" "--seed -1" "--percentiles 99,50" \
    "--format xml" "--pick zipf:0" "--size -4k" "--threads 99999" \
    "--open-loop" "--mix 50" "--sim constant:5" "--help=1" "--pick once --rw read"; do
	# shellcheck disable=SC2086
	bench run $a file
	is "run $a: exit 2" "$code:$out" "2:"
done

# What cannot be measured, each with its own code and one sentence.
bench run nosuch
is "does not exist: exit 10" "$code:$out" "10:"
like "does not exist: says what to do" "$err" '^diskbench: nosuch: does not exist; .*list.*--create'
is "does not exist: one line" "$(printf '%s\n' "$err" | wc -l)" 1
[ -e nosuch ]
is "does not exist: and does not exist now" $? 1
bench run .
is "a directory: exit 11" "$code:$out" "11:"
like "a directory: says so" "$err" 'is a directory, neither a block device nor a regular file'
bench run /dev/null
is "a character device: exit 11" "$code:$out" "11:"
mkfifo pipe
bench run pipe
is "a pipe: exit 11, and does not hang" "$code:$out" "11:"
: >empty
bench run empty
is "an empty file: exit 16" "$code:$out" "16:"
bench run --create 1m /dev/diskbench-nosuch
is "--create in /dev: exit 18" "$code:$out" "18:"
[ -e /dev/diskbench-nosuch ]
is "--create in /dev: nothing is made" $? 1
ln -s /dev devlink
bench run --create 1m devlink/diskbench-nosuch
is "--create in /dev by a link: exit 18" "$code:$out" "18:"
[ -e /dev/diskbench-nosuch ]
is "--create in /dev by a link: nothing is made" $? 1
bench run --create 1m empty
is "--create over a file: exit 19" "$code:$out" "19:"
[ -s empty ]
is "--create over a file: left alone" $? 1
bench run --create 100000t big
is "--create of more than fits: exit 18" "$code:$out" "18:"
[ -e big ]
is "--create of more than fits: nothing is left" $? 1
if [ -d /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
	shm=$(mktemp /dev/shm/diskbench.XXXXXX)
	head -c 1048576 /dev/urandom >"$shm"
	bench run "$shm"
	is "tmpfs: exit 13" "$code:$out" "13:"
	like "tmpfs: says why and what to do" "$err" 'direct I/O is not supported here.*--buffered'
	bench run --buffered --runtime 200ms --format json "$shm"
	is "tmpfs, --buffered: measures" "$code" 0
	like "tmpfs, --buffered: with a warning" "$err" 'warning: buffered: '
	rm -f "$shm"
else
	skip "tmpfs" "/dev/shm is no tmpfs"
fi
if [ "$(id -u)" != 0 ]; then
	: >forbidden
	chmod 0 forbidden
	bench run forbidden
	is "no permission: exit 12" "$code:$out" "12:"
elif command -v setpriv >/dev/null; then
	head -c 65536 /dev/urandom >forbidden
	chmod 0 forbidden
	chmod 711 "$work"
	setpriv --reuid=65534 --regid=65534 --clear-groups \
	    "$DISKBENCH" run "$work/forbidden" >out 2>err
	code=$?
	if [ "$code" = 126 ] || [ "$code" = 127 ]; then
		skip "no permission: exit 12" "the build folder is closed to others"
	else
		is "no permission: exit 12" "$code" 12
	fi
else
	skip "no permission: exit 12" "this is root, and there is no setpriv"
fi

# A file of our own: is direct I/O possible where we are?
bench run --create 8m --runtime 300ms --seed 5 --format json file
if [ "$code" = 13 ]; then
	skip "the rest" "no direct I/O on the file system of $work"
	done_testing
fi
is "a file: exit 0" "$code" 0
is "--create: of the size" "$(stat -c %s file)" 8388608
is "--create: nothing of it is a hole" "$(($(stat -c %b file) * 512 >= 8388608))" 1
gzip -1 <file >file.gz
is "--create: data that gzip cannot make smaller" \
    "$(($(stat -c %s file.gz) * 100 / 8388608 >= 99))" 1
sum=$(sha256sum <file)
bench run --runtime 500ms --iodepth 8 --format json file
is "json: exit 0" "$code" 0
is "json: is JSON, and nothing else is on stdout" "$(jq -r .diskbench.schema out)" varykit.diskbench/1
is "json: complete" "$(jq -c '[.diskbench.complete, .jobs[0].diskbench.complete]' out)" "[true,true]"
is "json: fio's places" "$(jq '[.jobs[0].read | .iops > 0, .bw > 0, .io_bytes > 0,
    .clat_ns.mean > 0, .clat_ns.N == .total_ios] | all' out)" true
is "json: percentiles rise" \
    "$(jq '[.jobs[0].read.clat_ns.percentile[] | values] | . == sort and length > 3' out)" true
is "json: what is not known is null" \
    "$(jq '.jobs[0].read | .total_ios >= 100000 or .clat_ns.percentile["99.990000"] == null' out)" true
is "json: buckets have every I/O" \
    "$(jq '.jobs[0] | ([.diskbench.latency.read.service_buckets[][2]] | add) == .read.total_ios' out)" true
is "json: the series has every I/O" \
    "$(jq '.jobs[0] | ([.diskbench.series.steps[].read.ios] | add) == .read.total_ios' out)" true
is "json: bandwidth is I/Os of 4 KiB" \
    "$(jq '.jobs[0].read | .io_bytes == .total_ios * 4096' out)" true
is "nothing is written" "$(sha256sum <file)" "$sum"
touch -a -d '2001-02-03 04:05:06 UTC' file
bench run --runtime 100ms file
is "not even when it was read" "$(stat -c %X file)" 981173106
bench run --runtime 300ms file
is "human: exit 0" "$code:$err" "0:"
like "human: as fio prints it" "$out" '^  read: IOPS=[0-9.]+[kM]?, BW=[0-9.]+[KMG]?iB/s \('
bench run --runtime 300ms -o result.json --format json file
is "-o: nothing on stdout" "$code:$out" "0:"
is "-o: the result" "$(jq '.jobs | length' result.json)" 1
bench run --runtime 300ms -o /nosuch/x file
is "-o to nowhere: exit 2" "$code" 2
bench run --create 1m --runtime 300ms -o /nosuch/x new
is "-o to nowhere: is said before anything is made" "$code:$out:$(ls new 2>/dev/null)" "2::"
bench run --create 1m --runtime 300ms -o . new
is "-o to a folder: exit 2, and nothing is made" "$code:$out:$(ls new 2>/dev/null)" "2::"
sum=$(sha256sum <file)
ln -s file filelink
for o in file ./file filelink; do
	bench run --runtime 100ms -o "$o" file
	is "-o $o over what is measured: exit 18" "$code:$out" "18:"
done
is "-o over what is measured: it is as it was" "$(sha256sum <file)" "$sum"
bench run --create 1m --runtime 100ms -o new new
is "-o over what is made: exit 18, and nothing is made" "$code:$out:$(ls new 2>/dev/null)" "18::"
echo '{ "an": "older and longer result", "of": "another run that nobody wants to keep" }' >older.json
for i in 1 2 3 4 5 6; do cat older.json older.json >x && cat x older.json >older.json; done
bench run --engine sim --runtime 100ms -o older.json --format json
is "-o over an older result: nothing of that is left" "$code:$(jq -s length older.json)" "0:1"
bench run --engine null --runtime 100ms -o /dev/null
is "-o /dev/null: exit 0" "$code:$out" "0:"

# Odd targets and numbers: one sentence each.
bench run ''
is "a target without a name: exit 10" "$code:$out" "10:"
like "a target without a name: says so" "$err" '^diskbench: the target.s name is empty'
bench run --create 1m ''
is "--create without a name: exit 10, one line" "$code:$(printf '%s\n' "$err" | wc -l)" "10:1"
for f in file . nowhere devlink/nosuch; do
	ln -sf nosuch nowhere
	bench run --create 1m $f
	is "--create $f: nothing but why not" "$(printf '%s\n' "$err" | wc -l):$(printf '%s' "$err" | grep -c 'making')" 1:0
done
bench run --create 5000 --runtime 50ms --buffered small
like "--create 5000: says how much that is" "$err" 'making a file of 0.004768 MiB'
for e in "--engine null" file; do
	# shellcheck disable=SC2086
	bench run --cpu 4000 --runtime 100ms $e
	is "--cpu that is not there, $e: exit 2" "$code:$out" "2:"
	like "--cpu that is not there, $e: says which is the last" "$err" 'no CPU 4000 here.*the last one is [0-9]+$'
done

# Each engine that this build has, by name.
for e in $("$DISKBENCH" run --help | sed -n '/^Engines/,$s/^  \([a-z_]*\) .*/\1/p'); do
	case $e in
	null | sim) bench run --engine "$e" --runtime 100ms --format json ;;
	*) bench run --engine "$e" --runtime 200ms --format json file ;;
	esac
	if [ "$code" = 14 ]; then
		skip "engine $e" "$(printf '%s\n' "$err" | head -1)"
		continue
	fi
	is "engine $e: exit 0, and is what it says" \
	    "$code $(jq -r '.jobs[0].diskbench.engine' out)" "0 $e"
	is "engine $e: did something" "$(jq '.jobs[0].read.iops > 0' out)" true
done
bench run --engine null file
is "engine null with a target: exit 2" "$code" 2

bench run --bs 4k:60,16k:40 --runtime 300ms --iodepth 4 --format json file
is "a mix of sizes: exit 0" "$code" 0
is "a mix of sizes: its mean" \
    "$(jq '.jobs[0].read | .io_bytes / .total_ios | . > 8000 and . < 10000' out)" true
bench run --pick once --format json file
is "the span of a job is all of the target, and is in the result" \
    "$(jq '.jobs[0].diskbench | [.span_offset, .span, .span_percent] == [0, 8388608, 100]' out)" true
is "--pick once: every block once" "$code $(jq '.jobs[0].read.io_bytes' out)" "0 8388608"
bench run --rw read --bs 64k --threads 4 --runtime 300ms --format json file
is "sequential threads: exit 0" "$code $(jq .jobs[0].diskbench.threads out)" "0 4"
bench run --size 16m file
is "--size above the target: exit 16" "$code:$out" "16:"
bench run --offset 9m file
is "--offset beyond the target: exit 16" "$code:$out" "16:"
bench run --rw read --bs 4m --threads 3 file
is "threads that do not fit: exit 16" "$code:$out" "16:"
bench run --bs 4000 file
is "--bs 4000, direct: exit 15" "$code:$out" "15:"
like "--bs 4000, direct: says the alignment" "$err" 'block size 4000 is no multiple of (512|4096).*4kB is 4000'
bench run --offset 32 --size 64k file
is "--offset 32, direct: exit 15" "$code:$out" "15:"

# What is written: nothing that a drive could make smaller, unless it is asked for.
# NAME ARGS: 2 MiB, written over at least once; a line for each block of 4 KiB
written() {
	rm -f out.dat
	written_name=$1
	shift
	bench run --create 2m --rw write --bs 64k --runtime 400ms --format json "$@" out.dat
	is "$written_name: all of it" "$code $(jq '.jobs[0].write.io_bytes >= 2097152' out)" "0 true"
	gz=$(gzip -1 <out.dat | wc -c)
	alike=$(od -An -v -tx8 -w4096 out.dat | sort | uniq -D | wc -l)
}
written "what is written"
between "what is written: percent that gzip leaves" $((gz * 100 / 2097152)) 99 102
is "what is written: no two blocks are alike" "$alike" 0
written "--compressible 50" --compressible 50
between "--compressible 50: percent that gzip leaves" $((gz * 100 / 2097152)) 48 53
written "--duplicates 30" --duplicates 30
between "--duplicates 30: percent of the blocks that are alike" $((alike * 100 / 512)) 22 38
# In place of dd, as the manual has it.
rm -f bench.dat
bench run --create 8m --rw write --bs 1m --iodepth 4 --fsync 4 --runtime 300ms --format json ./bench.dat
is "in place of dd: to the medium" "$code $(jq '.jobs[0].write.bw > 0' out)" "0 true"
rm -f out.dat bench.dat

# Two targets: two results.
cp file file2
bench run --runtime 200ms --format json file file2
is "two targets: two results" "$code $(jq -c '[.jobs[].jobname]' out)" '0 ["file","file2"]'

# Told to stop: what there is, and it is JSON.
for s in INT:130 TERM:143; do
	interrupted "${s%:*}" run --runtime 60s --format json file
	is "SIG${s%:*}: exit ${s#*:}" "$code" "${s#*:}"
	is "SIG${s%:*}: a valid result that says it is partial" \
	    "$(jq -c '[.diskbench.complete, .jobs[0].diskbench.complete, .jobs[0].read.total_ios > 0]' out)" \
	    "[false,false,true]"
done
# Both at once, to one that cannot take them one by one.
: >err
"$DISKBENCH" run --runtime 60s --status always file >out 2>err </dev/null &
p=$!
pids="$pids $p"
await says_jobs
kill -STOP $p
kill -INT $p
kill -TERM $p
kill -CONT $p
wait $p
like "a second signal: ends it at once, without a result" "$?:$(cat out)" '^1(30|43):$'
interrupted INT run --runtime 60s file
is "--status always: exit 130" "$code" 130
like "--status always: a line on stderr" "$(tr '\r' '\n' <err)" '^Jobs: 1 \(f=1\): \[[0-9.]+%\]\[r=.*IOPS\]\[eta '
like "--status always: PARTIAL on stdout" "$(cat out)" '\(PARTIAL\)'
if [ -e /dev/full ]; then
	"$DISKBENCH" run --runtime 100ms --format json file >/dev/full 2>err
	is "a full disk for the result: exit 4" $? 4
	like "a full disk for the result: is said" "$(cat err)" \
	    '^diskbench: stdout: the result could not be written: No space left on device$'
	bench run --runtime 100ms -o /dev/full file
	like "a full disk for -o: exit 4, is said" "$code:$err" '^4:.*/dev/full: .*: No space left on device$'
fi
"$DISKBENCH" profiles 2>err >&-
like "no standard output: exit 4, is said" "$?:$(cat err)" '^4:diskbench: stdout: .*: Bad file descriptor$'
# Reads nothing, and ends before anything is written.
mkfifo ends
true <ends &
{ await ended $!; "$DISKBENCH" profiles; echo $? >code; } 2>err >ends
like "a reader that is gone: exit 4, is said" "$(cat code):$(cat err)" '^4:diskbench: stdout: .*: Broken pipe$'
# What a name may have: nothing for the terminal, and no line of its own.
escape=$(printf 'a\033[31mb\nread: c')
bench run --engine null --runtime 100ms --name "$escape"
is "a name with a sequence for the terminal: shown without" \
    "$code:$(printf '%s\n' "$out" | sed -n '1s/: (groupid.*//p')" '0:a?[31mb read: c'
bench run --time-budget 1s --runtime 1s --engine sim
is "a budget and a runtime: exit 2" "$code:$(printf '%s' "$err" | grep -c 'not both')" 2:1
bench run --time-budget 100ms --engine sim
is "a budget for nothing says what would do" "$code:$(printf '%s' "$err" | grep -c '250ms is')" 2:1
bench run --time-budget 1s --engine sim --sim constant:100000 --format json
is "a budget: the runtime that fits, and what it costs" "$code:$(jq -c '[.diskbench.time_budget_ns,
    (.diskbench.certainty | contains("one run of 0.95 s"))]' "$work/out")" '0:[1000000000,true]'
validate "as the schema says" varykit.diskbench-1.schema.json "$work/out"
done_testing
