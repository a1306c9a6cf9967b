#!/bin/sh
# How often compare is right: one device against itself N times, and N times
# against one that is a tenth slower (two loop devices on one file, throttled).
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-compare.sh [N [itself|tenth]]
# N is 100 unless given; a comparison takes 21 seconds, so that 100 of each take 70
# minutes, and 35 if only one of the two is asked for.  Prints a line for each ten,
# and the counts; exit 1 where they are below what is promised: "no difference
# shown" in 95 of 100 of one device, 95 of 100 differences found, 90 of 100
# intervals that hold 1.1 (which the throttle keeps to a tenth of a percent).  A
# busy machine has more noise, and needs longer runs (RUNTIME).  The throttle lets a
# slice of 100 ms through at a time: a run that is no multiple of it has one slice
# more or less by chance, an eighth in 750 ms.
# Needs root, jq, losetup and the block I/O controller of cgroups.
: "${DISKBENCH:=./diskbench/diskbench}" "${PAIRS:=8}" "${RUNTIME:=1s}" "${RAMP:=200ms}"
n=${1:-100} which=${2:-both}
top_builddir=${DISKBENCH%/diskbench/diskbench}
top_srcdir=$(dirname "$0")/../..
. "$top_srcdir/tests/cli/lib-disk.sh"
need_loops
# In memory: what differs from run to run is then this machine's, as it is for
# whoever compares on it.
[ ! -d /dev/shm ] || { rm -rf "$work" && work=$(mktemp -d /dev/shm/diskbench.XXXXXX) || exit 99; }
random_loop disk.img 256 || skip_all "no loop devices here"
one=$dev
attach "$work/disk.img" || skip_all "no second loop device on one file"
two=$dev
same=0 found=0 held=0 wrong=0
compare() {
	in_group "$DISKBENCH" compare --pairs "$PAIRS" --runtime "$RUNTIME" --ramp "$RAMP" \
	    --iodepth 64 --format json "$@" >"$work/out" 2>"$work/err" </dev/null || {
		cat "$work/err"
		exit 99
	}
}
throttle "$one" riops 0 || skip_all "no block I/O controller here"
i=0
while [ "$which" != tenth ] && [ $i -lt "$n" ]; do
	i=$((i + 1))
	compare --aa "$one"
	[ "$(jq -r .verdict "$work/out")" != "no difference shown" ] || same=$((same + 1))
	[ $((i % 10)) -ne 0 ] || echo "itself: $i, no difference shown in $same"
done
throttle "$one" riops 550
throttle "$two" riops 500
i=0
while [ "$which" != itself ] && [ $i -lt "$n" ]; do
	i=$((i + 1))
	compare "$one" "$two"
	case $(jq -r .verdict "$work/out") in
	"A faster") found=$((found + 1)) ;;
	"B faster") wrong=$((wrong + 1)) ;;
	esac
	held=$((held + $(jq '[.metrics[] | select(.name == "iops") |
	    select(.ratio_low <= 1.1011 and .ratio_high >= 1.0989)] | length' "$work/out")))
	[ $((i % 10)) -ne 0 ] || echo "a tenth slower: $i, found $found, interval holds 1.1 in $held"
done
r=0
if [ "$which" != tenth ]; then
	echo "one device against itself: no difference shown in $same of $n (at least 95 %)"
	[ $((same * 100)) -ge $((n * 95)) ] || r=1
fi
if [ "$which" != itself ]; then
	echo "a tenth slower: found in $found of $n (at least 95 %), taken for faster in $wrong"
	echo "the interval holds the true ratio in $held of $n (at least 90 %)"
	[ $((found * 100)) -ge $((n * 95)) ] && [ $((held * 100)) -ge $((n * 90)) ] || r=1
fi
exit $r
