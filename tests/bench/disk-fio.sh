#!/bin/bash
# The same job by diskbench and by fio, in turn, PAIRS times: IOPS, bandwidth,
# mean and p99, and beside them what two runs of one program differ by (A/A:
# the odd runs against the even ones).  They agree if the 95 % interval of their
# ratio holds 1, or a value within 1 % of it.  Jobs that the CPU limits are
# followed by some at a rate.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-fio.sh TARGET...
# Both in sessions of their own, as fio makes one for each job: on a busy machine
# that alone is several times the CPU (autogroup).
# Only reads.  Needs fio and jq; a target of random data, like a loop device.
set -u
export LC_ALL=C
: "${DISKBENCH:=./diskbench/diskbench}" "${FIO:=fio}" "${PAIRS:=12}" "${SECONDS_EACH:=2}"
[ $# -gt 0 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# IOPS, MiB/s, mean and p99 in us: the same places of the same JSON.
figures() {
	jq -r '.jobs[0].read | [.iops, .bw_bytes / 1048576, .clat_ns.mean / 1000,
	    (.clat_ns.percentile["99.000000"] // 0) / 1000] | map(tostring) | join(" ")' "$1"
}
job() { # NAME TARGET ARGS OF BOTH: one pair after the other, in both orders
	name=$1 target=$2
	shift 2
	: >"$work/ours"
	: >"$work/theirs"
	for ((i = 0; i < PAIRS; i++)); do
		for who in $([ $((i % 2)) = 0 ] && echo ours theirs || echo theirs ours); do
			if [ $who = ours ]; then
				setsid -w "$DISKBENCH" fio "$@" --filename="$target" --output-format=json >"$work/json" 2>/dev/null
			else
				"$FIO" "$@" --filename="$target" --output-format=json >"$work/json" 2>/dev/null
			fi
			figures "$work/json" >>"$work/$who"
		done
	done
	paste -d' ' "$work/ours" "$work/theirs" | awk -v name="$name" '
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
				printf "%-22s %-8s: too few I/Os in a run\n", name, names[c]
				continue
			}
			r = exp(mean(a, c, 1, 1) - mean(b, c, 1, 1))
			w = exp(width(c))
			printf "%-22s %-8s %11.1f %11.1f  ratio %.3f  95 %% %.3f-%.3f  A/A: diskbench %.3f fio %.3f  %s\n",
			    name, names[c], exp(mean(a, c, 1, 1)), exp(mean(b, c, 1, 1)), r, r / w, r * w,
			    exp(mean(a, c, 1, 2) - mean(a, c, 2, 2)), exp(mean(b, c, 1, 2) - mean(b, c, 2, 2)),
			    r / w <= 1.01 && r * w >= 0.99 ? "agree" : "DIFFER"
		}
	}'
}
printf '%-22s %-8s %11s %11s\n' job figure diskbench fio
for t; do
	common="--direct=1 --bs=4k --name=x --readonly --time_based --runtime=$SECONDS_EACH --norandommap --randrepeat=0"
	# shellcheck disable=SC2086
	{
		job "${t##*/} randread qd1" "$t" $common --rw=randread --ioengine=psync --iodepth=1
		job "${t##*/} randread qd8" "$t" $common --rw=randread --ioengine=libaio --iodepth=8
		job "${t##*/} randread qd32" "$t" $common --rw=randread --ioengine=io_uring --iodepth=32
		job "${t##*/} 64k read qd4" "$t" $common --rw=read --bs=64k --ioengine=libaio --iodepth=4
		# Where the CPU is the limit, the one that needs less of it does more:
		# at depth 8 and 32 that is no disagreement about the drive.  At a rate
		# that both keep, and with a CPU to spare, they can be compared.
		job "${t##*/} 500/s qd8" "$t" $common --rw=randread --ioengine=libaio --iodepth=8 --rate_iops=500
		job "${t##*/} 2000/s qd8" "$t" $common --rw=randread --ioengine=libaio --iodepth=8 --rate_iops=2000
		job "${t##*/} 2000/s qd32" "$t" $common --rw=randread --ioengine=io_uring --iodepth=32 --rate_iops=2000
	}
done
