#!/bin/sh
# What fools a benchmark, one after the other: diskbench says so, and when it
# cannot measure at all it does not pretend to.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99
warned() { jq -r '.jobs[].diskbench.warnings[].id' out 2>/dev/null | sort -u | tr '\n' ' '; }
# has NAME ID, hasnot NAME ID
has() { like "$1: warns of $2" " $(warned)" " $2 "; }
hasnot() { is "$1: no word of $2" "$(warned | grep -cw -e "$2")" 0; }

bench run --create 16m --runtime 300ms --format json file
if [ "$code" = 13 ]; then
	skip_all "no direct I/O on the file system of $work"
fi
for i in unwritten compressible duplicates page-cache buffered misaligned direct-unproven; do
	hasnot "an honest file" "$i"
done

# Nothing was ever written there: thousands of MiB/s of nothing.
truncate -s 16m sparse
bench run --runtime 300ms sparse
is "a sparse file: exit 17" "$code:$out" "17:"
like "a sparse file: says what to do" "$err" 'never written.*--allow-unwritten'
bench run --runtime 300ms --allow-unwritten --format json sparse
is "a sparse file, --allow-unwritten: exit 0" "$code" 0
has "a sparse file" unwritten
if fallocate -l 16m pre 2>/dev/null; then
	bench run --runtime 300ms pre
	is "a preallocated file: exit 17" "$code:$out" "17:"
else
	skip "a preallocated file" "no fallocate here"
fi
cp file part
truncate -s 20m part
bench run --runtime 300ms --format json part
is "a fifth never written: exit 0" "$code" 0
has "a fifth never written" unwritten
yes 'the same words again and again, and still 4096 different blocks' | head -c 16777216 | nl >text
truncate -s 16777216 text
bench run --runtime 300ms --format json text
has "text" compressible
for i in 1 2 3 4; do head -c 65536 file; done >copies
i=0
while [ $i -lt 6 ]; do cat copies copies >copies2; mv copies2 copies; i=$((i + 1)); done
bench run --runtime 300ms --format json copies
has "the same 64 KiB again and again" duplicates

# Through the page cache.
cat file >/dev/null
bench run --buffered --runtime 300ms --format json file
is "--buffered: exit 0" "$code" 0
has "--buffered" buffered
case " $(jq -c '.jobs[0].diskbench.device_stat' out)" in
' null') skip "--buffered: page-cache" "the file system's device has no counts" ;;
*) has "--buffered" page-cache ;;
esac
bench run --engine mmap --runtime 300ms --format json file
has "engine mmap" buffered

# A depth that is not there.
bench run --engine psync --iodepth 32 --runtime 300ms --format json file
has "psync, depth 32" depth-ignored
bench run --engine psync --iodepth 1 --runtime 300ms --format json file
hasnot "psync, depth 1" depth-ignored
bench run --mode peak --runtime 300ms --format json file
has "mode peak" peak-mode
bench run --rw read --bs 64k --threads 2 --overlap --runtime 300ms --format json file
has "--overlap" overlapping-streams
bench fio --name=a --name=b --filename=file --rw=read --bs=64k --direct=1 --size=16m --output-format=json
bench fio --filename=file --rw=read --bs=64k --direct=1 --size=16m --output-format=json --name=a --name=b
has "fio: two jobs through the same blocks" overlapping-streams
bench fio --filename=file --rw=read --bs=64k --direct=1 --size=16m --output-format=json --name=a --numjobs=4
hasnot "fio: four clones" overlapping-streams

# io_uring is forbidden, as in a container.
noring=$top_builddir/tests/cli/noring
"$noring" true
if [ $? = 77 ]; then
	skip "io_uring is forbidden" "no seccomp here"
else
	"$noring" "$DISKBENCH" run --runtime 300ms --format json file >out 2>err
	is "io_uring is forbidden: another engine" "$? $(jq -r '.jobs[0].diskbench.engine' out)" "0 libaio"
	like "io_uring is forbidden: says why" "$(cat err)" 'engine libaio; io_uring: forbidden here'
	"$noring" "$DISKBENCH" run --runtime 300ms --engine io_uring file >out 2>err
	is "io_uring is forbidden, and asked for by name: exit 14" "$?:$(cat out)" "14:"
	like "io_uring is forbidden, and asked for by name: says why" "$(cat err)" 'engine io_uring: forbidden here'
	# And so are more contexts of the older interface.
	"$noring" -a "$DISKBENCH" run --runtime 200ms --engine libaio --iodepth 48 file >out 2>err
	is "fs.aio-max-nr is used up: exit 14" "$?:$(cat out)" "14:"
	like "fs.aio-max-nr is used up: says what is needed, what there is, and what to do" "$(cat err)" \
	    'needs 48 of the system.s asynchronous I/Os; [0-9]+ of [0-9]+ are taken: raise sysctl fs.aio-max-nr'
	"$noring" "$noring" -a "$DISKBENCH" run --runtime 200ms --format json file >out 2>err
	is "neither of them: a third engine" "$? $(jq -r '.jobs[0].diskbench.engine' out)" "0 psync"
	like "neither of them: says why not, of both" "$(cat err)" \
	    'engine psync; io_uring: forbidden.*; libaio: needs 32 '
fi

# A drive with a cache: 8,000 I/Os a second, and after three seconds 800.  The
# mean is a number that it never had.
bench run --engine sim --sim step:4000000:40000000:3000000000 --runtime 12s --format json
has "a rate that falls" throttled
is "a rate that falls: both levels, and when" "$(jq -c '.jobs[0].diskbench.series.plateaus |
    map([.from_ns / 1e9, .to_ns / 1e9, (.bytes_per_second / 4096 / 100 | round)])' out)" \
    '[[0,3,80],[3,12,8]]'
validate "a rate that falls: as the schema says" varykit.diskbench-1.schema.json out
bench run --engine sim --sim constant:4000000 --runtime 12s --format json
hasnot "a rate that does not" throttled
bench run --engine sim --sim stall:4000000:4000000000:3000000000 --runtime 12s --format json
has "a rate that dips" uneven

# --- from here on with loop devices
if [ "$(id -u)" != 0 ] || ! random_loop disk.img 32; then
	skip "loop devices" "not root, or no loop devices"
	done_testing
fi
disk=$dev
settled bench run --runtime 300ms --format json "$disk"
is "a loop device of random data: exit 0" "$code" 0
hasnot "a loop device of random data" page-cache
hasnot "a loop device of random data" other-io
between "its own count is the device's" "$(jq '.jobs[0] |
    .diskbench.device_stat.read_ios / .read.total_ios' out)" 0.95 1.1
# A busy machine does not keep 32 in flight; buffered I/O has half of one.
between "the device's depth is nearer to what was asked for than to one" \
    "$(jq '.jobs[0].diskbench.device_stat.depth' out)" 3 34
bench run --poll --engine io_uring --runtime 300ms "$disk"
is "--poll where nothing polls: exit 14" "$code:$out" "14:"
like "--poll where nothing polls: names the reason" "$err" 'queue/io_poll is 0'
truncate -s 16m zeros.img
attach "$work/zeros.img"
bench run --runtime 300ms "$dev"
is "a device of zeros: exit 17" "$code:$out" "17:"
if command -v blkdiscard >/dev/null && random_loop trim.img 16 && blkdiscard "$dev" 2>/dev/null; then
	bench run --runtime 300ms "$dev"
	is "a device that was discarded: exit 17" "$code:$out" "17:"
else
	skip "a device that was discarded" "no blkdiscard, or not of loop devices here"
fi
bench run --runtime 300ms --engine libaio --iodepth 32 --buffered --format json "$disk"
if [ "$code" = 0 ]; then
	bench run --runtime 300ms --engine libaio --iodepth 32 --buffered --format json "$disk"
	like "libaio, buffered: has no depth, or comes from memory" " $(warned)" ' (depth-not-reached|page-cache) '
else
	skip "libaio, buffered" "engine libaio is not in this build"
fi

# Where io_uring would have a thread of the kernel's for each request.
if [ -r /sys/class/zram-control/hot_add ] && zram=$(cat /sys/class/zram-control/hot_add); then
	zrams=$zram
	if echo 16M >"/sys/block/zram$zram/disksize" 2>/dev/null &&
	    dd if=file of="/dev/zram$zram" bs=1M oflag=direct 2>/dev/null; then
		bench run --runtime 200ms --format json "/dev/zram$zram"
		is "zram: another engine" "$code $(jq -r '.jobs[0].diskbench.engine' out)" "0 libaio"
		like "zram: says why" "$err" 'engine libaio; io_uring: this target cannot say that a request would block'
		bench run --runtime 200ms --engine io_uring --format json "/dev/zram$zram"
		is "zram: the one that is asked for by name" "$code $(jq -r '.jobs[0].diskbench.engine' out)" "0 io_uring"
	else
		skip "zram" "it cannot be set up"
	fi
else
	skip "zram" "none here"
fi

# Sectors of 4096 bytes.
head -c 8388608 /dev/urandom >4kn.img
if attach "$work/4kn.img" --sector-size 4096; then
	bench run --runtime 200ms --bs 512 "$dev"
	is "4Kn, bs 512: exit 15" "$code:$out" "15:"
	like "4Kn, bs 512: says the alignment" "$err" 'no multiple of 4096'
	bench run --runtime 200ms --bs 4kB "$dev"
	is "4Kn, bs 4kB (4000): exit 15" "$code:$out" "15:"
	bench run --runtime 200ms --offset 512 "$dev"
	is "4Kn, offset 512: exit 15" "$code:$out" "15:"
	bench run --runtime 200ms --bs 4k "$dev"
	is "4Kn, bs 4k: exit 0" "$code" 0
else
	skip "4Kn" "losetup cannot do --sector-size"
fi

# A part of the device cannot be read.
random_loop bad.img 32
bad=$dev
truncate -s 16m bad.img
bench run --runtime 2s --on-error continue --format json "$bad"
is "EIO, --on-error continue: exit 1" "$code" 1
is "EIO: counted, and in no other number" "$(jq '.jobs[0] | .diskbench.errors.read > 0 and
    .read.total_ios > 0 and .read.total_ios == .read.clat_ns.N' out)" true
is "EIO: the first offsets are listed, all behind the end" \
    "$(jq '.jobs[0].diskbench.errors.first | length > 0 and
	all(.offset >= 16777216 - 4096 and .errno == 5)' out)" true
has "EIO" io-errors
bench run --runtime 20s --format json "$bad"
is "EIO, stop: exit 1, at once" "$code $(jq '.jobs[0].job_runtime < 5000' out)" "1 true"
is "EIO, stop: says that it is not complete" "$(jq .diskbench.complete out)" false
like "EIO: for people" "$("$DISKBENCH" run --runtime 1s "$bad" 2>/dev/null)" 'error: read of 4096 bytes at [0-9]+: Input/output error'

# The device below is full: a write fails, and is not a success.
mkdir full
if mount -t tmpfs -o size=4m none full 2>/dev/null; then
	mounts="$work/full $mounts"
	truncate -s 32m full/disk.img
	if attach "$work/full/disk.img"; then
		t=$("$DISKBENCH" identify --format json "$dev" | jq -r '.devices[0].token')
		bench run --rw randwrite --write "$t" --runtime 2s --on-error continue --format json "$dev"
		is "ENOSPC below: exit 1" "$code" 1
		is "ENOSPC below: counted" "$(jq '.jobs[0].diskbench.errors.write > 0' out)" true
		losetup -d "$dev"
	fi
else
	skip "ENOSPC" "cannot mount a tmpfs"
fi

# 500 a second, and the device stops for a second: who is asked for the time of
# each I/O alone never hears of it.
if throttle "$disk" riops 100000; then
	in_group "$DISKBENCH" run --open-loop --gaps fixed --rate 500 --runtime 6s \
	    --status always --format json "$disk" >out 2>stall.err &
	p=$!
	pids="$pids $p"
	# Its first live line: a second of it is over.
	await [ -s stall.err ]
	throttle "$disk" riops 1
	sleep 1
	throttle "$disk" riops 0
	wait $p
	is "a stall of one second: exit 0" $? 0
	between "a stall of one second: p90 of the response, ms" \
	    "$(jq '.jobs[0].diskbench.latency.read.response_ns.percentile["90.000000"] / 1e6' out)" 300 1500
	between "a stall of one second: p99 of the response, ms" \
	    "$(jq '.jobs[0].diskbench.latency.read.response_ns.percentile["99.000000"] / 1e6' out)" 900 2500
	between "a stall of one second: every request is there" "$(jq .jobs[0].read.total_ios out)" 2990 3001
else
	skip "a stall of one second" "no block I/O controller of cgroups here"
fi
done_testing
