#!/bin/sh
# What diskbench holds while it measures: of a reader a descriptor that cannot write; of a
# writer the one that was looked at, and nobody else has the device meanwhile.
. "$top_srcdir/tests/cli/lib-disk.sh"
. "$top_srcdir/tests/cli/lib-disk-refused.sh"

# access_of PID DEVICE: of each descriptor of it how it was opened, 0 for reading alone,
# 2 for both; in a line
access_of() {
	find "/proc/$1/fd" -lname "$2" 2>/dev/null | while read -r f; do
		flags=$(sed -n 's/^flags:[^0-9]*//p' "/proc/$1/fdinfo/${f##*/}")
		echo "$((0$flags & 3))"
	done | paste -sd' ' -
}
# begins ARGS: as bench, in the background, $p; it measures when this returns
begins() {
	: >its.err
	"$DISKBENCH" "$@" --runtime 60s --status always >its.out 2>its.err &
	p=$!
	pids="$pids $p"
	await measures_or_ended
}
measures_or_ended() {
	tr '\r' '\n' <its.err | grep -q '^Jobs: 1 ' || ended $p
}
# ends NAME: it is told to, and was not disturbed
ends() {
	kill -INT $p
	wait $p
	is "$1: is not disturbed by it" "$?:$(tr '\r' '\n' <its.err | grep '^diskbench: [^w]')" 130:
}

zero_loop disk.img 32 || skip_all "no loop device"
disk=$dev
begins run --allow-unwritten "$disk"
is "a reader: its descriptor cannot write" "$(access_of $p "$disk")" 0
token=$(token_of "$disk")
bench run --rw randwrite --runtime 50ms --write "$token" "$disk"
is "a reader: claims nothing, so another one may write" "$code" 0
ends "a reader"
head -c 1048576 /dev/zero >file
begins run --allow-unwritten file
is "a reader of a file: its descriptor cannot write" "$(access_of $p "$work/file")" 0
ends "a reader of a file"

# --- a writer of the whole disk
begins run --rw randwrite --offset 28m --write "$token" --overwrite-data "$disk"
is "a writer: one descriptor, of all looks and all I/O" "$(access_of $p "$disk")" 2
watch=
refused "a disk that another run writes to" "$disk" 31 "process $p \\(.*diskbench\\) has it open for writing"
if attach "$disk"; then
	over=$dev
	refused "a loop device on a disk that is written to" "$over" 31 "process $p \\(.*diskbench\\) has it open"
	losetup -d "$over"
fi
ends "a writer"

# --- and of partitions
if command -v addpart >/dev/null && command -v mkfs.ext4 >/dev/null &&
    addpart "$disk" 1 2048 16384 2>/dev/null && addpart "$disk" 2 18432 16384; then
	for i in 1 2; do
		mknod part$i b $(sed 's/:/ /' "/sys/class/block/${disk#/dev/}p$i/dev")
	done
	mkfs.ext4 -qF part1
	mkdir mnt
	mounts=$work/mnt
	begins run --rw randwrite --offset 28m --write "$token" --overwrite-data "$disk"
	mount -o ro,noload part1 mnt 2>mount.err
	is "a writer of the whole disk: a partition of it is not mounted" "$?:$(grep -c busy mount.err)" 32:1
	refused "a partition of a disk that is written to" part2 31 "process $p \\(.*diskbench\\) has it open"
	ends "a writer of the whole disk"
	begins run --rw randwrite --write "$(token_of part1)" --overwrite-data part1
	refused "the whole disk, a partition of it is written to" "$disk" 31 "process $p \\(.*diskbench\\) has it open"
	bench run --rw randwrite --runtime 50ms --write "$(token_of part2)" --overwrite-data part2
	is "the partition beside one that is written to: is free" "$code" 0
	ends "a writer of a partition"
	delpart "$disk" 1
	delpart "$disk" 2
else
	skip "partitions" "addpart does not work here, or no mkfs.ext4"
fi

# --- write-protected by its switch
zero_loop locked.img 16
blockdev --setro "$dev"
watch=$dev
refused "write-protected by blockdev --setro" "$dev" 32 'is write-protected; it can be read, or unlock it: blockdev --setrw'
blockdev --setrw "$dev"
bench run --rw randwrite --runtime 50ms --write "$(token_of "$dev")" --overwrite-data "$dev"
is "and unlocked again: written to" "$code" 0
done_testing
