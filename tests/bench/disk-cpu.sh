#!/bin/sh
# CPU time for each I/O: diskbench, fio's best configurations, and fio's own peak
# tester (t/io_uring, which no package has: T_IO_URING=path), on zram, a file
# and a loop device in memory, and without any device.  Interleaved, ROUNDS
# times; what is printed are medians: of the program's own time, the kernel's,
# both, and diskbench's best against each of the others.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-cpu.sh [FOLDER]
# FOLDER: where the file is made [.].  Needs root, fio, jq, losetup, zram.
set -u
LC_ALL=C
export LC_ALL
: "${DISKBENCH:=./diskbench/diskbench}" "${FIO:=fio}" "${T_IO_URING:=}"
: "${ROUNDS:=5}" "${SECONDS_EACH:=3}" "${MIB:=512}"
folder=${1:-.}
work=$(mktemp -d "$folder/disk-cpu.XXXXXX") || exit 1
ram=$(mktemp -d /dev/shm/disk-cpu.XXXXXX) || exit 1
loop= zram=
clean() {
	[ -z "$loop" ] || losetup -d "$loop"
	[ -z "$zram" ] || echo "${zram#/dev/zram}" >/sys/class/zram-control/hot_remove
	rm -rf "$work" "$ram"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The system does part of the I/O in threads of its own (io_uring's workers on
# zram), which no program sees in its own account.  So all are measured from
# outside: user and system time of the whole process, start and all.
timed() { # FILE COMMAND...: its output to FILE, its CPU seconds to stdout
	out=$1
	shift
	bash -c 'TIMEFORMAT="%U %S"; out=$0; time "$@" >"$out" 2>/dev/null' "$out" "$@" 2>&1
}
ns() { # NAME SECONDS IOS: a line of user and system ns for each I/O, to NAME
	printf '%s %s\n' "$2" "$3" | awk '$3 > 0 { print $1 * 1e9 / $3, $2 * 1e9 / $3, ($1 + $2) * 1e9 / $3 }' >>"$work/row.$1"
}
ours() { # NAME TARGET ARGS
	name=$1 t=$2
	shift 2
	s=$(timed "$work/json" "$DISKBENCH" run --runtime "${SECONDS_EACH}s" --iodepth 64 \
	    --allow-unwritten --format json "$@" "$t")
	ns "$name" "$s" "$(jq '.jobs[0].read.total_ios' "$work/json")"
}
theirs() { # NAME TARGET ARGS
	name=$1 t=$2
	shift 2
	s=$(timed "$work/json" "$FIO" --name=x --filename="$t" --readonly --direct=1 --rw=randread \
	    --bs=4k --norandommap --iodepth=64 --thread --time_based --runtime="$SECONDS_EACH" \
	    --output-format=json --iodepth_batch_submit=32 --iodepth_batch_complete_min=32 \
	    --iodepth_batch_complete_max=64 "$@")
	ns "$name" "$s" "$(jq '.jobs[0].read.total_ios' "$work/json")"
}
peak_tester() { # NAME TARGET
	[ -n "$T_IO_URING" ] || return 0
	s=$(timed "$work/tester.out" "$T_IO_URING" -d64 -s32 -c32 -b4096 -p0 -B1 -F1 -t1 -n1 -r"$SECONDS_EACH" "$2")
	# One line a second; the last second may be missing.
	ios=$(awk '/^IOPS=/ { split($1, a, "="); v = a[2]; sub(/,/, "", v)
		m = v ~ /K$/ ? 1e3 : v ~ /M$/ ? 1e6 : 1; s += v * m; n++ }
		END { if (n) printf "%.0f", s / n * '"$SECONDS_EACH"' }' "$work/tester.out")
	ns "$1" "$s" "${ios:-0}"
}
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.3f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; else printf "-" }'; }
column() { awk -v c="$2" '{ print $c }' "$work/row.$1" | median; }
names="peak peak-libaio latency fio fio-libaio fio-gtod tester"
row() { # NAME TARGET
	for k in $names; do : >"$work/row.$k"; done
	i=0
	while [ $i -lt "$ROUNDS" ]; do
		i=$((i + 1))
		ours peak "$2" --engine io_uring --mode peak --batch 32
		theirs fio "$2" --ioengine=io_uring --fixedbufs=1 --registerfiles=1
		peak_tester tester "$2"
		theirs fio-gtod "$2" --ioengine=io_uring --fixedbufs=1 --registerfiles=1 --gtod_reduce=1
		ours peak-libaio "$2" --engine libaio --mode peak --batch 32
		theirs fio-libaio "$2" --ioengine=libaio
		ours latency "$2" --engine io_uring
	done
	best=$(for k in peak peak-libaio; do column $k 3; echo; done | sort -g | head -1)
	for k in $names; do
		[ -s "$work/row.$k" ] || continue
		v=$(column $k 3)
		printf '%-6s %-12s %9.0f %9.0f %9.0f %9s\n' "$1" "$k" "$(column $k 1)" "$(column $k 2)" "$v" \
		    "$(awk -v a="$best" -v b="$v" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')"
	done
}
echo "ns of CPU for each 4 KiB random read, depth 64, batches of 32; medians of $ROUNDS"
printf '%-6s %-12s %9s %9s %9s %9s\n' "" "" user system both "ours/it"
dd if=/dev/urandom of="$ram/file" bs=1M count="$MIB" 2>/dev/null
loop=$(losetup --find --show "$ram/file") && row loop "$loop"
if [ -r /sys/class/zram-control/hot_add ]; then
	n=$(cat /sys/class/zram-control/hot_add)
	zram=/dev/zram$n
	echo "${MIB}M" >"/sys/block/zram$n/disksize"
	dd if="$ram/file" of="$zram" bs=1M count="$MIB" oflag=direct 2>/dev/null
	row zram "$zram"
fi
dd if="$ram/file" of="$work/file" bs=1M count="$MIB" oflag=direct 2>/dev/null ||
    dd if="$ram/file" of="$work/file" bs=1M count="$MIB" 2>/dev/null
row file "$work/file"
# No device: I/Os a second, of one thread.
: >"$work/peak"
: >"$work/fio"
i=0
while [ $i -lt "$ROUNDS" ]; do
	i=$((i + 1))
	"$DISKBENCH" run --engine null --mode peak --batch 32 --iodepth 64 --runtime "${SECONDS_EACH}s" \
	    --format json 2>/dev/null | jq '.jobs[0].read.iops / 1e6' >>"$work/peak"
	"$FIO" --name=x --ioengine=null --rw=randread --bs=4k --size=100g --norandommap --iodepth=64 \
	    --iodepth_batch_submit=32 --iodepth_batch_complete_min=32 --gtod_reduce=1 --thread \
	    --time_based --runtime="$SECONDS_EACH" --output-format=json 2>/dev/null |
	    jq '.jobs[0].read.iops / 1e6' >>"$work/fio"
done
a=$(median <"$work/peak")
b=$(median <"$work/fio")
echo "engine null: diskbench $a M IOPS, fio (gtod_reduce, batch 32) $b M, ratio $(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.1f", a / b }')"
