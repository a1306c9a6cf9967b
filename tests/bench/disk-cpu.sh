#!/bin/sh
# CPU time for each I/O: diskbench, fio's best configurations, and fio's own peak
# tester (t/io_uring, which no package has: T_IO_URING=path), on zram, a file
# and a loop device in memory, and without any device.  Interleaved, ROUNDS
# times; what is printed are medians: of the program's own time, the kernel's,
# both, and diskbench's best against each of the others.
#	DISKBENCH=build/diskbench/diskbench tests/bench/disk-cpu.sh [FOLDER]
# Below them is the ratio again with its quartiles over the rounds, each to the one
# of the same round: what a busy machine does to one round it does to all in it.
# The peak tester runs twice in each round: its second run to its first is what the
# machine makes of two equal things, and nothing nearer to 1 than that is known.
# ON: which of loop, zram, file and null [all].
# FOLDER: where the file is made [.].  Needs root, fio, jq, python3, losetup, zram.
set -u
LC_ALL=C
export LC_ALL
: "${DISKBENCH:=./diskbench/diskbench}" "${FIO:=fio}" "${T_IO_URING:=}"
: "${ROUNDS:=5}" "${SECONDS_EACH:=3}" "${MIB:=512}" "${ON:=loop zram file null}"
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
# How many I/Os there were the kernel says as well, of all in the same way (blocks
# of 512 bytes read): t/io_uring prints a rate once a second, and seconds are
# longer when others want the CPU.
timed() { # NAME COMMAND...: a line of user and system ns for each I/O, to NAME
	timed_name=$1
	shift
	python3 -c '
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
u = os.wait4(pid, 0)[2]
n = u.ru_inblock / 8e9
if n > 0:
    print(u.ru_utime / n, u.ru_stime / n, (u.ru_utime + u.ru_stime) / n)' "$@" >>"$work/row.$timed_name"
}
ours() { # NAME TARGET ARGS
	name=$1 t=$2
	shift 2
	timed "$name" "$DISKBENCH" run --runtime "${SECONDS_EACH}s" --iodepth 64 \
	    --allow-unwritten --format json "$@" "$t"
}
theirs() { # NAME TARGET ARGS
	name=$1 t=$2
	shift 2
	timed "$name" "$FIO" --name=x --filename="$t" --readonly --direct=1 --rw=randread \
	    --bs=4k --norandommap --iodepth=64 --thread --time_based --runtime="$SECONDS_EACH" \
	    --output-format=json --iodepth_batch_submit=32 --iodepth_batch_complete_min=32 \
	    --iodepth_batch_complete_max=64 "$@"
}
peak_tester() { # NAME TARGET
	[ -n "$T_IO_URING" ] || return 0
	timed "$1" "$T_IO_URING" -d64 -s32 -c32 -b4096 -p0 -B1 -F1 -t1 -n1 -r"$SECONDS_EACH" "$2"
}
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.3f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; else printf "-" }'; }
column() { awk -v c="$2" '{ print $c }' "$work/row.$1" | median; }
cheapest() { for cheapest_of; do echo "$(column "$cheapest_of" 3) $cheapest_of"; done | sort -g | sed -n '1s/.* //p'; }
paired() { # ROW A B: A to B of the same round
	[ -s "$work/row.$2" ] && [ -s "$work/row.$3" ] || return 0
	paste -d' ' "$work/row.$2" "$work/row.$3" | awk '{ print $3 / $6 }' | sort -g |
	    awk -v n="$1" -v a="$2" -v b="$3" '{ v[NR] = $1 } END { printf "%-6s %s / %s: %.2f (%.2f-%.2f)\n", n, a, b,
		NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2, v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
}
names="peak peak-libaio latency fio fio-libaio fio-gtod tester tester-again"
on() { # NAME: is it asked for?
	case " $ON " in *" $1 "*) return 0 ;; esac
	return 1
}
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
		peak_tester tester-again "$2"
		ours latency "$2" --engine io_uring
	done
	mine=$(cheapest peak peak-libaio)
	fios=$(cheapest fio fio-libaio fio-gtod)
	best=$(column "$mine" 3)
	for k in $names; do
		[ -s "$work/row.$k" ] || continue
		v=$(column $k 3)
		printf '%-6s %-12s %9.0f %9.0f %9.0f %9s\n' "$1" "$k" "$(column $k 1)" "$(column $k 2)" "$v" \
		    "$(awk -v a="$best" -v b="$v" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')"
	done
	for k in fio fio-libaio fio-gtod tester tester-again; do
		paired "$1" "$mine" "$k"
	done
	paired "$1" tester-again tester
	# How much of fio's cost is the kernel's: where it is nearly all, nobody has 0.8 of it.
	paired "$1" tester "$fios"
}
echo "ns of CPU for each 4 KiB random read, depth 64, batches of 32; medians of $ROUNDS"
printf '%-6s %-12s %9s %9s %9s %9s\n' "" "" user system both "ours/it"
dd if=/dev/urandom of="$ram/file" bs=1M count="$MIB" 2>/dev/null
if on loop; then
	loop=$(losetup --find --show "$ram/file") && row loop "$loop"
fi
if on zram && [ -r /sys/class/zram-control/hot_add ]; then
	n=$(cat /sys/class/zram-control/hot_add)
	zram=/dev/zram$n
	echo "${MIB}M" >"/sys/block/zram$n/disksize"
	dd if="$ram/file" of="$zram" bs=1M count="$MIB" oflag=direct 2>/dev/null
	row zram "$zram"
fi
if on file; then
	dd if="$ram/file" of="$work/file" bs=1M count="$MIB" oflag=direct 2>/dev/null ||
	    dd if="$ram/file" of="$work/file" bs=1M count="$MIB" 2>/dev/null
	row file "$work/file"
fi
on null || exit 0
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
