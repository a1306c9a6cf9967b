#!/bin/bash
# The same job by diskbench and by fio, in turn, PAIRS times: IOPS, bandwidth,
# mean and p99, of reads and of writes, and beside them what two runs of one program
# differ by (A/A: the odd runs against the even ones).  They agree if the 95 %
# interval of their ratio holds 1, or a value within 1 % of it.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-fio.sh [TARGET...]
# Without a TARGET on a loop device in memory of its own, with jobs that write to it
# and some behind a throttle, which is a device that is slower than the CPU.  In a
# TARGET that is a folder they have a file of their own, 1 GiB, read and written; any
# other TARGET is only read, and should hold random data.  JOBS (of grep -E) are those
# whose name it matches.  Both run in sessions of their own, as fio makes one for each job:
# on a busy machine that alone is several times the CPU (autogroup).
# Needs fio and jq, and root for the loop device.
: "${DISKBENCH:=./diskbench/diskbench}" "${FIO:=fio}" "${PAIRS:=12}" "${SECONDS_EACH:=2}" "${JOBS:=.}"
case ${1:-} in -*)
	sed -n '2,14s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
top_builddir=${DISKBENCH%/diskbench/diskbench}
top_srcdir=$(dirname "$0")/../..
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$top_srcdir/tests/cli/lib-disk.sh"
# IOPS, MiB/s, mean and p99 in us.  fio's clat begins when its asynchronous engines
# are back from the call that submits, 3 to 10 us later than ours, and its lat before
# it: that is the one of both that is the same.
figures() { # FILE read|write
	jq -r --arg op "$2" '.jobs[0][$op] | [.iops, .bw_bytes / 1048576, .lat_ns.mean / 1000,
	    ((.lat_ns.percentile // .clat_ns.percentile)["99.000000"] // 0) / 1000] | map(tostring) | join(" ")' "$1"
}
# The throttle is of the group that all of them run in, whether it is set or not.
in_a_session() {
	if [ -n "$group" ]; then in_group "$@"; else setsid -w "$@"; fi
}
job() { # NAME TARGET ARGS OF BOTH: one pair after the other, in both orders
	printf '%s\n' "$1" | grep -Eq -e "$JOBS" || return 0
	name=$1 target=$2
	shift 2
	ops=read consent=
	case " $* " in
	*" --rw=randrw "*) ops="read write" ;;
	*write*) ops='write' ;;
	esac
	[ "$ops" = read ] || consent="--write=$token --overwrite-data"
	rm -f "$work"/ours.* "$work"/theirs.*
	for ((i = 0; i < PAIRS; i++)); do
		for who in $([ $((i % 2)) = 0 ] && echo ours theirs || echo theirs ours); do
			if [ "$who" = ours ]; then
				# shellcheck disable=SC2086
				in_a_session "$DISKBENCH" fio "$@" --filename="$target" $consent \
				    --output-format=json >"$work/json" 2>"$work/err"
			else
				in_a_session "$FIO" "$@" --filename="$target" --lat_percentiles=1 \
				    --output-format=json >"$work/json" 2>"$work/err"
			fi || {
				echo "$name: $who failed: $(head -1 "$work/err")" >&2
				return 1
			}
			for op in $ops; do
				figures "$work/json" "$op" >>"$work/$who.$op"
			done
		done
	done
	for op in $ops; do
		compare "$name$([ "$ops" = read ] || echo " $op")" "$op"
	done
}
compare() { # NAME read|write
	paste -d' ' "$work/ours.$2" "$work/theirs.$2" | awk -v name="$1" '
	{
		# A step of fio'\''s buckets is 0.78 %, and p99 of both are logs of such.
		for (c = 1; c <= 4; c++) {
			# Too few I/Os have no p99.
			if ($c <= 0 || $(c + 4) <= 0) missing[c] = 1
			a[c, NR] = $c > 0 ? log($c) : 0
			b[c, NR] = $(c + 4) > 0 ? log($(c + 4)) : 0
		}
	}
	function mean(v, c, from, step,   i, n, s) {
		for (i = from; i <= NR; i += step) { s += v[c, i]; n++ }
		return s / n
	}
	# Half the width of a 95 % interval of the mean difference.
	function width(c,   i, m, s) {
		m = mean(a, c, 1, 1) - mean(b, c, 1, 1)
		for (i = 1; i <= NR; i++) s += (a[c, i] - b[c, i] - m) ^ 2
		return 2.2 * sqrt(s / (NR - 1) / NR)
	}
	END {
		split("IOPS MiB/s mean-us p99-us", names, " ")
		for (c = 1; c <= 4; c++) {
			if (missing[c]) {
				printf "%-30s %-8s: too few I/Os in a run\n", name, names[c]
				continue
			}
			r = exp(mean(a, c, 1, 1) - mean(b, c, 1, 1))
			w = exp(width(c))
			printf "%-30s %-8s %11.1f %11.1f  ratio %.3f  95 %% %.3f-%.3f  A/A: diskbench %.3f fio %.3f  %s\n",
			    name, names[c], exp(mean(a, c, 1, 1)), exp(mean(b, c, 1, 1)), r, r / w, r * w,
			    exp(mean(a, c, 1, 2) - mean(a, c, 2, 2)), exp(mean(b, c, 1, 2) - mean(b, c, 2, 2)),
			    (r / w <= 1.01 && r * w >= 0.99 ? "agree" : "DIFFER")
		}
	}'
}
all() { # NAME TARGET
	common="--direct=1 --name=x --time_based --runtime=$SECONDS_EACH --norandommap --randrepeat=0"
	r="$common --readonly --rw=randread --bs=4k"
	# shellcheck disable=SC2086
	{
		job "$1 randread qd1" "$2" $r --ioengine=psync --iodepth=1
		job "$1 randread qd8" "$2" $r --ioengine=libaio --iodepth=8
		job "$1 randread qd32" "$2" $r --ioengine=io_uring --iodepth=32
		job "$1 64k read qd4" "$2" $common --readonly --rw=read --bs=64k --ioengine=libaio --iodepth=4
		# Where the CPU is the limit, the one that needs less of it does more:
		# at depth 8 and 32 that is no disagreement about the drive.  At a rate
		# that both keep, and with a CPU to spare, they can be compared.
		job "$1 500/s qd1" "$2" $r --ioengine=psync --iodepth=1 --rate_iops=500
		job "$1 500/s qd8" "$2" $r --ioengine=libaio --iodepth=8 --rate_iops=500
		job "$1 2000/s qd8" "$2" $r --ioengine=libaio --iodepth=8 --rate_iops=2000
		job "$1 2000/s qd32" "$2" $r --ioengine=io_uring --iodepth=32 --rate_iops=2000
		job "$1 64k read 500/s" "$2" $common --readonly --rw=read --bs=64k --ioengine=libaio --iodepth=4 --rate_iops=500
	}
}
# What is lost with them is random data of our own.
written() { # NAME TARGET
	# shellcheck disable=SC2086
	{
		job "$1 randrw qd1" "$2" $common --rw=randrw --rwmixread=70 --bs=4k --ioengine=psync --iodepth=1
		job "$1 randrw qd8" "$2" $common --rw=randrw --rwmixread=70 --bs=4k --ioengine=libaio --iodepth=8
		job "$1 randrw 1400,600/s" "$2" $common --rw=randrw --rwmixread=70 --bs=4k --ioengine=libaio --iodepth=8 \
		    --rate_iops=1400,600
		job "$1 64k write qd4" "$2" $common --rw=write --bs=64k --ioengine=libaio --iodepth=4
	}
}
# Slower than any CPU: as many as may be in flight, and the device says when.
throttled() { # NAME DEVICE
	throttle "$2" riops 2000 || return 0
	# shellcheck disable=SC2086
	{
		# The throttle lets a tenth of a second's worth through at once when it is
		# new to a process: not counted, as in disk-accuracy.sh.
		r="$r --ramp_time=1" common="$common --ramp_time=1"
		job "$1 throttled randread qd8" "$2" $r --ioengine=libaio --iodepth=8
		job "$1 throttled randread qd32" "$2" $r --ioengine=io_uring --iodepth=32
		throttle "$2" wiops 860
		throttle "$2" riops 2000
		job "$1 throttled randrw qd32" "$2" $common --rw=randrw --rwmixread=70 --bs=4k --ioengine=libaio --iodepth=32
		throttle "$2" wiops 0
		throttle "$2" riops 0
		throttle "$2" rbps $((64 << 20))
		job "$1 throttled 64k read qd4" "$2" $common --readonly --rw=read --bs=64k --ioengine=libaio --iodepth=4
		throttle "$2" rbps 0
	}
}
token_for() {
	token=$("$DISKBENCH" identify --format json "$1" 2>/dev/null | jq -r '.devices[0].token')
}
printf '%-30s %-8s %11s %11s\n' job figure diskbench fio
for t; do
	if [ -d "$t" ]; then
		own=$(mktemp "$t/disk-fio.XXXXXX") || exit 1
		trap 'rm -f "$own"; clean' EXIT
		head -c 1G /dev/urandom >"$own" && sync "$own" || exit 1
		token_for "$own"
		all file "$own"
		written file "$own"
		rm -f "$own"
	else
		all "${t##*/}" "$t"
	fi
done
if [ $# = 0 ]; then
	need_loops
	random_loop disk.img 512
	token_for "$dev"
	all loop "$dev"
	written loop "$dev"
	throttled loop "$dev"
fi
