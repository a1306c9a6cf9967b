#!/bin/sh
# A throttled loop device in memory: what diskbench says of a limit that is
# known, and what fio says of it.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-accuracy.sh
# The controller works in ticks of the kernel: with fewer in flight than come in
# a tick (20 at 5,000/s and 250 Hz) the depth is the limit, not the throttle.
# Needs root, jq, fio, losetup and the block I/O controller of cgroups.
: "${DISKBENCH:=./diskbench/diskbench}" "${SECONDS_EACH:=10}"
top_builddir=${DISKBENCH%/diskbench/diskbench}
top_srcdir=$(dirname "$0")/../..
# Behind the throttle there must be more than it lets through, all the time.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$top_srcdir/tests/cli/lib-disk.sh"
need_loops
random_loop disk.img 256
printf '%-14s %-36s %12s %8s\n' limit options measured error
line() { # LIMIT OPTIONS LIMIT-NUMBER MEASURED
	awk -v k="$1" -v a="$2" -v l="$3" -v v="$4" \
	    'BEGIN { printf "%-14s %-36s %12.1f %7.2f%%\n", k, a, v, (v / l - 1) * 100 }'
}
row() { # KIND LIMIT UNIT-EXPRESSION ARGS
	kind=$1 limit=$2 expr=$3
	shift 3
	throttle "$dev" "$kind" "$limit" || skip_all "no block I/O controller here"
	bench_in_group run --ramp 1s --runtime "${SECONDS_EACH}s" --format json "$@" "$dev"
	line "$kind $limit" "$*" "$limit" "$(jq "$expr" "$work/out")"
	throttle "$dev" "$kind" 0
}
fio_row() { # KIND LIMIT UNIT-EXPRESSION ARGS
	command -v fio >/dev/null || return 0
	kind=$1 limit=$2 expr=$3
	shift 3
	throttle "$dev" "$kind" "$limit"
	in_group fio --name=x --filename="$dev" --readonly --direct=1 --rw=randread --norandommap --ioengine=io_uring \
	    --ramp_time=1 --runtime="$SECONDS_EACH" --time_based --output-format=json "$@" >"$work/out" 2>/dev/null
	line "$kind $limit" "fio $*" "$limit" "$(jq "$expr" "$work/out")"
	throttle "$dev" "$kind" 0
}
for n in 100 1000 5000; do
	row riops $n .jobs[0].read.iops --iodepth 64
	row riops $n .jobs[0].read.iops --iodepth 64 --engine libaio
	row riops $n .jobs[0].read.iops --iodepth 64 --mode peak --batch 8
	fio_row riops $n .jobs[0].read.iops --bs=4k --iodepth=64
done
row rbps 10485760 .jobs[0].read.bw_bytes --iodepth 16
fio_row rbps 10485760 .jobs[0].read.bw_bytes --bs=4k --iodepth=16
row rbps 10485760 .jobs[0].read.bw_bytes --iodepth 8 --bs 64k
fio_row rbps 10485760 .jobs[0].read.bw_bytes --bs=64k --iodepth=8
