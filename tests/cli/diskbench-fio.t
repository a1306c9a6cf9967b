#!/bin/sh
# diskbench fio: fio's spelling, on a file of its own making.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99

bench fio
is "no job: exit 2" "$code:$out" "2:"
bench fio --name=x --rw=randread --size=1m --allow_mounted_write=1
is "never to what is mounted: exit 2" "$code:$out" "2:"
for o in zonemode=zbd lockmem=1g time_base=1 verify=crc32c ioscheduler=none; do
	bench fio --name=x --rw=randread --size=1m --$o
	is "--$o: exit 2" "$code:$out" "2:"
	like "--$o: named" "$err" "option \"${o%=*}\""
done
for o in rw=trim rw=randread:8 bs=0 bs=4k,4k,4k bsrange=8k-4k bssplit=4k/50:8k/60 \
    iodepth=0 numjobs=0 ioengine=warp direct=2 size=x runtime=1y \
    rwmixread=101 percentile_list=99:50 continue_on_error=maybe filename=a:b; do
	bench fio --name=x --size=1m --$o
	is "--$o: exit 2, and makes no file" "$code:$out:$(ls x.* a b 2>/dev/null)" "2::"
done
bench fio --name=x --rw=randread
is "no size and no filename: exit 2" "$code:$out" "2:"
bench fio --name=x --rw=randwrite --size=1m --readonly
is "--readonly forbids a job that writes: exit 2" "$code:$out" "2:"
bench fio --name=x --rw=randread --time_based --size=1m
is "time_based without a runtime: exit 2" "$code:$out" "2:"
bench fio --name=x --rw=randread --size=1m --filename=/dev/diskbench-nosuch
is "a typing error in /dev: exit 18" "$code:$out" "18:"
[ -e /dev/diskbench-nosuch ]
is "a typing error in /dev: makes no file" $? 1
bench fio --parse-only --name=x --rw=randread --size=1m
is "--parse-only: nothing is done" "$code:$out:$(ls)" "0::err
out"

# The jobs of the story, with Linux's engine and less time.
bench fio --name=probe --filename=probe.dat --rw=randread --direct=1 --size=1m
if [ "$code" = 13 ]; then
	skip "the rest" "no direct I/O on the file system of $work"
	done_testing
fi
bench fio --filename=device --direct=1 --rw=randread --bs=4k --ioengine=io_uring \
    --iodepth=64 --runtime=1 --numjobs=4 --time_based --group_reporting \
    --name=iops-test-job --eta-newline=1 --readonly --size=8m --output-format=json
[ "$code" != 14 ] || bench fio --filename=device --direct=1 --rw=randread --bs=4k \
    --ioengine=libaio --iodepth=64 --runtime=1 --numjobs=4 --time_based \
    --group_reporting --name=iops-test-job --eta-newline=1 --readonly --size=8m \
    --output-format=json
is "the story's random reads: exit 0" "$code" 0
is "its file is made, of its size" "$(stat -c %s device)" 8388608
is "one group of four jobs" \
    "$(jq -c '[(.jobs | length), .jobs[0].diskbench.threads, .jobs[0].jobname]' out)" \
    '[1,4,"iops-test-job"]'
between "it runs for its second" "$(jq '.jobs[0].read.runtime' out)" 990 1500
sum=$(sha256sum <device)
bench fio --filename=device --direct=1 --rw=randread --bs=4k --iodepth=4 --numjobs=2 \
    --runtime=300ms --time_based --name=a --output-format=json
is "without group_reporting: a result for each" "$code $(jq '.jobs | length' out)" "0 2"
bench fio --name=b --filename=device --rw=randread --direct=1 --bs=4k --iodepth=8 --output-format=json --size=8m
is "without time_based: each block once, and the end" \
    "$code $(jq .jobs[0].read.io_bytes out)" "0 8388608"
bench fio --name=b --filename=device --rw=read --direct=1 --bs=64k --size=50% --loops=2 --output-format=json
is "half of it, twice" "$code $(jq .jobs[0].read.io_bytes out)" "0 8388608"
# Of the target, up to the next block, as strace sees fio 3.33 do it here.
dd if=device of=uneven bs=512 count=16384 2>/dev/null
dd if=device of=uneven bs=512 count=3148 seek=16384 conv=notrunc 2>/dev/null
# begins AT OPTIONS: a job for each clone, and where its part begins
begins() {
	begins_at=$1
	shift
	bench fio --name=x --filename=uneven --direct=1 --rw=read --bs=4k --ioengine=psync --number_ios=9 "$@"
	is "$*: begins as fio does" "$code $(printf '%s' "$out" | sed -n 's/.* from \([0-9]*\) used.*/\1/p' | paste -sd' ' -)" \
	    "0 $begins_at"
}
begins "5001216" --offset=50%
begins "5005312" --offset=50% --size=25% --bs=8k
begins "1003520 1703936 2400256" --offset=10% --offset_increment=7% --numjobs=3
begins "40960 1343488 2641920" --offset=40960 --offset_increment=13% --numjobs=3
bench fio --name=x --filename=uneven --direct=1 --rw=read --bs=4k --offset=60% --size=50% --output-format=json
is "half of it from 60 %: what is left" "$code $(jq .jobs[0].read.io_bytes out)" "0 3997696"
# moves BYTES OPTIONS: so many bytes of 8 MiB, as fio 3.33 does
moves() {
	moved=$1
	shift
	bench fio --name=x --filename=device --direct=1 --rw=read --bs=4k --ioengine=psync --output-format=json "$@"
	is "$*: moves what fio does" "$code $(jq '[.jobs[].read.io_bytes] | add' out)" "0 $moved"
}
moves 4194304 --io_size=50%
moves 2097152 --io_size=50% --size=50%
moves 3145728 --io_size=50% --offset=25%
moves 2768896 --io_size=33%
moves 5537792 --io_size=33% --loops=2
moves 5537792 --io_size=33% --numjobs=2 --group_reporting
moves 2768896 --io_size=33% --rw=randread
moves 4194304 --size=2m --io_size=4m
moves 12288 --io_size=10000
moves 20480 --io_size=10000 --loops=2
moves 8192 --io_size=100 --bs=8k
moves 2097152 --io_size=4m --io_size=25%
moves 4194304 --io_size=25% --io_size=4m
for o in offset=101% offset_increment=x% offset=% io_size=101% io_size=0%; do
	bench fio --name=x --filename=uneven "--$o"
	like "$o: exit 2, named" "$code:$out:$err" "^2::.*${o%=*}: \"${o#*=}\" is not a"
done
bench fio --name=b --filename=device --rw=randread --direct=1 --bs=4k --number_ios=100 --output-format=json
is "number_ios" "$code $(jq .jobs[0].read.total_ios out)" "0 100"
bench fio --randrepeat=1 --ioengine=psync --direct=1 --gtod_reduce=1 --name=test \
    --filename=device --bs=4k --iodepth=64 --size=4m --readwrite=randread
is "gtod_reduce, readwrite: exit 0" "$code" 0
like "gtod_reduce takes no percentiles away" "$out" '99\.00th='
bench fio --name=own --rw=randread --size=1m --direct=1
is "a file of fio's own name" "$code $(stat -c %s own.0.0)" "0 1048576"
is "what was read is as it was" "$(sha256sum <device)" "$sum"
bench fio --name=x --rw=randread --filename=device --size=1g
is "more than the file has: exit 16" "$code:$out" "16:"

cat >job.fio <<'JOB'
; a job file
[global]
filename=device
direct=1
rw=randread
bs=4k
runtime=300ms
time_based
size=8m

[first]
iodepth=4
# after it
[second]
stonewall
bssplit=4k/60:16k/40
iodepth=2
JOB
bench fio job.fio --output-format=json
is "a job file: both jobs" "$code $(jq -c '[.jobs[].jobname]' out)" '0 ["first","second"]'
is "a job file: its global part" "$(jq -c '[.jobs[]["job options"].direct]' out)" '["1","1"]'
is "a stonewall: one after the other" \
    "$(jq '[.jobs[].job_runtime] | all(. >= 290 and . < 900)' out)" true
printf '[x]\nrw=randread\nsize=1m\nbogus=1\n' >bad.fio
bench fio bad.fio
is "a job file's unknown option: exit 2" "$code:$out" "2:"
like "a job file's unknown option: named, with its line" "$err" '^diskbench: bad.fio:4: option "bogus"'
# job NAME TEXT PATTERN: a job file that is wrong, and how that is said
job() {
	printf '%b' "$2" >odd.fio
	bench fio --parse-only odd.fio
	is "a job file, $1: exit 2" "$code:$out" "2:"
	like "a job file, $1: says so" "$err" "$3"
}
job "an option before any section" 'filename=device\n[x]\nrw=randread\n' \
    'odd.fio:1: "filename=device" before the first \[section\]'
job "a section that does not end" '[x\nfilename=device\n' 'odd.fio:1: a section without its "\]"'
job "words behind a section" '[x] y\nfilename=device\n' 'odd.fio:1: "y" behind the section'
job "a section without a name" '[]\nfilename=device\n' 'odd.fio:1: a job without a name'
job "sections without a job" '[global]\nfilename=device\n' 'no job'
job "nothing" '' 'no job'
job "a value of the environment" '[x]\nfilename=${HOME}/y\n' 'odd.fio:2: .*\$\{\.\.\.\}'
job "an include" '[x]\ninclude other.fio\n' 'odd.fio:2: option "include other.fio"'
job "kb_base" '[x]\nkb_base=1000\n' 'odd.fio:2: option "kb_base"'
job "an option in capitals" '[x]\nFILENAME=device\n' 'odd.fio:2: option "FILENAME"'
job "a range as a size" '[x]\nbs=4k-16k\n' 'odd.fio:2: bs: .*a range of them is a bsrange'
job "a range backwards" '[x]\nbsrange=16k-4k\n' 'odd.fio:2: bsrange: '
job "shares above 100" '[x]\nbssplit=4k/60:16k/60\n' 'odd.fio:2: bssplit: .*add up to 100'
job "more than all of it" '[x]\nsize=150%%\n' 'odd.fio:2: size: "150%%" is not a percentage'
job "a value that is none" '[x]\nbs=\n' 'odd.fio:2: "bs" needs a value'
job "no key" '[x]\n=4k\n' 'odd.fio:2: option ""'
job "1m30s" '[x]\nruntime=1m30s\n' 'odd.fio:2: runtime: "1m30s" is not a time, like'
job "a depth of nothing" '[x]\niodepth=0\n' 'odd.fio:2: iodepth: "0" is not a number from 1'
job "a depth without end" '[x]\niodepth=1000000\n' 'odd.fio:2: iodepth: .* to 32768'
# With what some editors begin a file with, too.
printf '\357\273\277\t[global] ; of all\r\n \tfilename=device \r\n# more\r\ndirect=1\n\n[x] # the job\n rw = randread \nbs=4k#x\nnumber_ios=9 ; nine\n' >odd.fio
bench fio odd.fio --output-format=json
is "a job file of tabs, blanks, comments, CRLF and a mark: runs" "$code $(jq '.jobs[0].read.total_ios' out)" "0 9"
# A mix is of rw and randrw alone, whichever comes first; else it would ask for
# consent to write where nothing is written.
for o in "rw=randread rwmixread=75" "rwmixread=75 rw=randread" "rwmixwrite=30 rw=read" "rwmixread=100 rw=randrw"; do
	# shellcheck disable=SC2086
	bench fio --name=x --filename=device --direct=1 --bs=4k --number_ios=50 --output-format=json --${o% *} --${o#* }
	is "$o: reads only" "$code $(jq -c '.jobs[0] | [.read.total_ios, .write.total_ios]' out)" "0 [50,0]"
done
for o in "rw=randrw rwmixread=0" "rwmixread=90 rw=randrw"; do
	bench fio --name=x --filename=device --direct=1 --bs=4k --number_ios=50 --${o% *} --${o#* }
	is "$o: writes, and needs consent" "$code:$out" "30:"
done
ln -s device "pci-0:1 of'it"
bench fio --name=x --filename="pci-0\\:1 of'it" --rw=randread --direct=1 --bs=4k --number_ios=9 --output-format=json
is "a name with a colon in it: runs" "$code $(jq '.jobs[0].read.total_ios' out)" "0 9"
for e in io_uring:fixedbufs:registerfiles libaio:userspace_reap: ; do
	names=${e#*:}
	bench fio --name=x --filename=device --direct=1 --number_ios=9 --ioengine="${e%%:*}" --output-format=json
	[ "$code" != 14 ] || {
		skip "${e%%:*}: its options are in the result" "not here"
		continue
	}
	is "${e%%:*}: its options are in the result" "$(jq -c --arg a "${names%:*}" --arg b "${names#*:}" \
	    '.jobs[0]."job options" | [.[$a], .[$b] // "0"]' out)" '["0","0"]'
	bench run --engine "${e%%:*}" --runtime 50ms --format json device
	is "${e%%:*}: and those of run, which has other defaults" "$(jq -c --arg a "${names%:*}" --arg b "${names#*:}" \
	    '.jobs[0]."job options" | [.[$a], .[$b] // "1"]' out)" '["1","1"]'
done
# What stands in many instructions.
mkdir below
bench fio -direct=1 -iodepth=4 -rw=randread -ioengine=psync -bs=4k -number_ios=9 -filename device -name=One_Dash --output-format=json
is "one dash: as fio takes it" "$code $(jq -r '.jobs[0] | .jobname, .read.total_ios' out | paste -sd' ')" "0 One_Dash 9"
bench fio --name=x --directory=below --filename=file --size=1m --direct=1 --rw=read --output-format=json
is "a directory and a filename: the file is there" \
    "$code $(stat -c %s below/file) $([ -e file ] || echo none) $(jq -r '.jobs[0]."job options".filename' out)" \
    "0 1048576 none below/file"
bench fio --name=x --directory=below --filename="$work/device" --direct=1
like "a directory and a whole path: exit 2, says why" "$code:$out:$err" '^2::.*is a whole path, and would be below the directory'
bench fio --name=x --directory=below:. --size=1m
like "two directories: exit 2, named" "$code:$out:$err" '^2::.*directory: "below:." is not one directory'
bench fio --name=x --filename=sized --filesize=1m --direct=1 --rw=read --output-format=json
is "filesize: the size of the file, and of the job" \
    "$code $(stat -c %s sized) $(jq .jobs[0].read.io_bytes out)" "0 1048576 1048576"
bench fio --name=x --filename=device --filesize=1m --size=2m
like "filesize, and another size: exit 2, says why" "$code:$out:$err" '^2::.*a filesize beside another size'
# Through the page cache: from the drive first, unless it is to stay as it is.  A drive
# of its own has the counts of this test alone; who has it open keeps its cache.
if [ "$(id -u)" = 0 ] && random_loop cached.img 16; then
	exec 8<"$dev"
	cat "$dev" >/dev/null
	bench fio --name=x --filename="$dev" --rw=randread --bs=64k --size=8m --invalidate=0 --output-format=json
	between "invalidate=0: comes from memory" "$(jq '.jobs[0].diskbench.device_stat.read_bytes' out)" 0 4194304
	bench fio --name=x --filename="$dev" --rw=randread --bs=64k --size=8m --output-format=json
	between "invalidate, as fio has it: comes from the drive" \
	    "$(jq '.jobs[0].diskbench.device_stat.read_bytes' out)" 7340032 1e12
	exec 8<&-
else
	skip "invalidate" "no loop devices here"
fi
bench fio --name=x --filename=zeros.dat --rw=write --bs=64k --size=1m --direct=1 --zero_buffers=1
is "zero_buffers: zeros, all of it" "$code:$(tr -d '\0' <zeros.dat | wc -c)" 0:0
for o in overwrite=1 fallocate=none nrfiles=1 softrandommap=1 random_generator=lfsr disable_lat=1 disable_slat=1 \
    disable_clat=1 disable_bw_measurement=1 disable_bw=1 ioengine=sync ioengine=pvsync ioengine=pvsync2 verify=0 do_verify=0 fadvise_hint=0; do
	bench fio --name=x --filename=device --direct=1 --number_ios=9 --$o --output-format=json
	is "$o: as fio takes it" "$code $(jq '.jobs[0].read.total_ios' out)" "0 9"
done
for o in nrfiles=2 fallocate=truncate random_generator=mine invalidate=maybe; do
	bench fio --name=x --filename=device --$o
	like "$o: exit 2, named" "$code:$out:$err" "^2::.*${o%=*}: \"${o#*=}\" is not "
done
# What reads fio's JSON finds it there.
bench fio --name=x --filename=device --rw=randread --direct=1 --bs=4k --number_ios=2000 --iodepth=4 --output-format=json+
is "json+: percentiles by fio's names, both sides, the disk" "$code $(jq -c '[.jobs[0].read.clat_ns.percentile."99.000000" > 0,
    [.jobs[].write.bw_bytes], (.disk_util | type)]' out)" '0 [true,[0],"array"]'
is "json+: bins, each I/O in one, between the least and the most" "$(jq -c '.jobs[0].read.clat_ns | . as $c |
    [(.bins | add), (.bins | keys | map(tonumber) | min >= $c.min * 0.99 and max <= $c.max * 1.01)]' out)" '[2000,true]'
bench fio --name=x --filename=device --rw=randread --direct=1 --number_ios=9 --output-format=json
is "json: no bins" "$code $(jq '.jobs[0].read.clat_ns | has("bins")' out)" "0 false"
bench fio --name=x --filename=device --rw=randread --direct=1 --number_ios=9 --output-format=terse
like "terse: says what there is" "$code:$out:$err" '^2::.*output-format: "terse" is not normal, json or json\+'
# fio's default is one I/O in each call; what is reaped by many is mode peak, in
# whichever order the two are.
# batch EXPECTED OPTIONS: how many are handed over and taken back at once, and the mode
batch() {
	expected=$1
	shift
	bench fio --name=x --filename=device --rw=randread --direct=1 --bs=4k --number_ios=99 --iodepth=8 \
	    --output-format=json "$@"
	is "batches by ${*:-default}" "$code:$(jq -r '.jobs[0] | [(."job options" |
	    .iodepth_batch, .iodepth_batch_complete_max), .diskbench.mode] | join(",")' out)" "0:$expected"
}
batch 1,1,latency
batch 4,1,latency --iodepth_batch=4
batch 8,8,latency --iodepth_batch_submit=100 --iodepth_batch_complete_max=100
batch 2,1,latency --iodepth_batch_complete_min=1 --iodepth_batch=2
batch 8,4,peak --iodepth_batch_complete=4
batch 8,6,peak --iodepth_batch_complete_max=6 --iodepth_batch_complete=4 --iodepth_batch=2
# And it is what the kernel sees.
if command -v strace >/dev/null && strace -f -o strace.out "$DISKBENCH" --version >/dev/null 2>&1; then
	traced() { # CALLS OPTIONS
		calls=$1
		shift
		strace -f -e trace="$calls" -o strace.out "$DISKBENCH" fio --name=x --filename=device \
		    --rw=randread --direct=1 --bs=4k --number_ios=99 --iodepth=8 --output-format=json "$@" >out 2>err
	}
	traced io_submit,io_getevents --ioengine=libaio
	is "fio: 99 I/Os are 99 calls" "$? $(grep -c 'io_submit(.*= 1$' strace.out)" "0 99"
	is "fio: and come back one by one, by a call each" \
	    "$(grep -c 'io_getevents(.*= 1$' strace.out) $(grep 'io_getevents(' strace.out | grep -vc '[^0-9][01]$')" "99 0"
	# Only for one that is not there yet a call is made.
	traced io_submit,io_getevents --ioengine=libaio --userspace_reap=1
	is "fio: userspace_reap takes what is there without one" \
	    "$? $(($(grep -c 'io_getevents(' strace.out) < 99))" "0 1"
	traced io_uring_register --ioengine=io_uring
	is "fio: nothing is registered" "$? $(grep -c 'REGISTER_\(BUFFERS\|FILES\)' strace.out)" "0 0"
	traced io_uring_register --ioengine=io_uring --fixedbufs=1 --registerfiles=1
	is "fio: but what is asked for" \
	    "$? $(grep -o 'REGISTER_\(BUFFERS\|FILES\)' strace.out | sort -u | tr '\n' ' ')" "0 REGISTER_BUFFERS REGISTER_FILES "
else
	skip "what the kernel sees" "no strace here, or not of this build"
fi
bench fio nosuch.fio
is "no such job file: exit 2" "$code:$out" "2:"

bench run --show-fio --rw randrw --mix 70 --bs 4k:60,16k:40 --iodepth 16 device
is "--show-fio: exit 0" "$code" 0
shown=$out
like "--show-fio: as many in a call as here" "$shown" ' --iodepth=16 --numjobs=1 --iodepth_batch=16 --iodepth_batch_complete_max=16 '
bench run --show-fio --iodepth 16 --batch 4 device
like "--show-fio: a batch of one's own" "$out" ' --iodepth=16 --numjobs=1 --iodepth_batch=4 --iodepth_batch_complete_max=16 '
bench run --show-fio --mode peak --iodepth 16 --batch 4 device
like "--show-fio: mode peak" "$out" ' --iodepth_batch=16 --iodepth_batch_complete_max=16 --iodepth_batch_complete_min=4 '
bench run --show-fio --buffered device
like "--show-fio: through the page cache as it is" "$out" ' --direct=0 --rw=randread --invalidate=0 '
bench run --show-fio --bs 4k:1,8k:1,12k:1,16k:1,20k:1,24k:1,28k:1 --name 'a b' "pci-0:1 of'it"
like "--show-fio: the shares are 100 in all" "$(printf '%s\n' "$out" |
    sed 's/.*bssplit=\([^ ]*\).*/\1/' | tr : '\n' | awk -F/ '{ n += $2; c++ } END { print c, n }')" '^7 100$'
like "--show-fio: a name is one word of the shell's, and one file" "$out" \
    "^fio --name='a b' --filename='pci-0[\\]:1 of'[\\]''it' "
if command -v fio >/dev/null; then
	# What it prints, fio takes.
	for c in "$shown" "$out"; do
		sh -c "$c --parse-only" >fio.out 2>&1
		is "--show-fio: fio takes it" "$?:$(cat fio.out)" "0:"
	done
else
	skip "--show-fio: fio takes it" "no fio"
fi
done_testing
