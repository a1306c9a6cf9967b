#!/bin/sh
# A throttled loop device: what diskbench says of a limit that is known.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-accuracy.sh
# The controller works in ticks of the kernel: with fewer in flight than come in
# a tick (20 at 5,000/s and 250 Hz) the depth is the limit, not the throttle.
# Needs root, jq, losetup and the block I/O controller of cgroups.
: "${DISKBENCH:=./diskbench/diskbench}" "${SECONDS_EACH:=10}"
top_builddir=${DISKBENCH%/diskbench/diskbench}
top_srcdir=$(dirname "$0")/../..
. "$top_srcdir/tests/cli/lib-disk.sh"
need_loops
random_loop disk.img 256
printf '%-14s %-22s %12s %8s\n' limit engine measured error
row() { # KIND LIMIT UNIT-EXPRESSION ARGS
	kind=$1 limit=$2 expr=$3
	shift 3
	throttle "$dev" "$kind" "$limit" || skip_all "no block I/O controller here"
	bench_in_group run --ramp 1s --runtime "${SECONDS_EACH}s" --format json "$@" "$dev"
	v=$(jq "$expr" "$work/out")
	awk -v k="$kind" -v l="$limit" -v v="$v" -v a="$*" \
	    'BEGIN { printf "%-14s %-22s %12.1f %7.2f%%\n", k " " l, a, v, (v / l - 1) * 100 }'
	throttle "$dev" "$kind" 0
}
for n in 100 1000 5000; do
	row riops $n .jobs[0].read.iops --iodepth 64
	row riops $n .jobs[0].read.iops --iodepth 64 --engine libaio
	row riops $n .jobs[0].read.iops --iodepth 64 --mode peak --batch 8
done
row rbps 10485760 .jobs[0].read.bw_bytes --iodepth 16
row rbps 10485760 .jobs[0].read.bw_bytes --iodepth 8 --bs 64k
