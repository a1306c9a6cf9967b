#!/bin/sh
# Who has a file, and what a file of this very run may.
. "$top_srcdir/tests/cli/lib-disk.sh"
. "$top_srcdir/tests/cli/lib-disk-refused.sh"

# --- files
head -c 8388608 /dev/urandom >data
sum=$(b2sum <data)
bench run --rw randwrite --runtime 200ms data
is "a file without consent: exit 30" "$code:$out" "30:"
bench run --rw randwrite --runtime 200ms --write "$(token_of data)" data
is "a file with data: exit 39" "$code:$out" "39:"
is "a file with data: nothing is written" "$(b2sum <data)" "$sum"
watch=data
ln data second
refused "a file with a second name" data 41 'second name|hard link'
rm second
if command -v flock >/dev/null; then
	sh -c 'exec 9<data && flock 9 && exec sleep 300' &
	p=$!
	pids="$pids $p"
	# It is flock(1)'s, and stays with the descriptor when that has ended.
	await grep -q "FLOCK .*:$(stat -c %i data) " /proc/locks
	refused "a file that somebody has locked" data 41 "process [0-9]+ has locked it"
	kill $p
	wait $p 2>/dev/null
fi
head -c 8388608 /dev/urandom >backing
attach "$work/backing"
watch=backing
refused "a file below a loop device" backing 34 'stands on it'
mkdir -p bound
if mount --bind . bound 2>/dev/null; then
	mounts="$work/bound $mounts"
	refused "a file below a loop device, by another path" bound/backing 34 'stands on it'
	umount bound
fi
# Its name is another file's, or nobody's here: there are its numbers.
mkdir -p real seen
head -c 8388608 /dev/zero >real/below
if mount --bind real seen 2>/dev/null; then
	attach "$work/seen/below"
	by_numbers=$dev
	mount -t tmpfs none seen
	: >seen/below
	watch=real/below
	refused "a file below a loop device, whose name is another file's" real/below 34 \
	    "the loop device ${by_numbers#/dev/} stands on it"
	attach "$work/real/below"
	refused "a loop device on it as well" "$dev" 34 "${by_numbers#/dev/} stands on it, or on the same file"
	losetup -d "$dev"
	umount seen
	umount -l seen
	refused "a file below a loop device, whose name is of another place" real/below 34 \
	    "the loop device ${by_numbers#/dev/} stands on it"
	losetup -d "$by_numbers"
else
	skip "a loop device whose name is another file's" "cannot mount here"
fi
head -c 8388608 /dev/zero >held
sh -c 'exec 9<>held && exec sleep 300' &
p=$!
pids="$pids $p"
await [ -e "/proc/$p/fd/9" ]
watch=held
refused "a file that a process writes to" held 41 "process $p "
kill $p
wait $p 2>/dev/null
map_and_close held && refused "a file that a process has mapped for writing" held 41 \
    "process $p \\(python3[^)]*\\) has it mapped"
kill $p 2>/dev/null
wait $p 2>/dev/null
if command -v chattr >/dev/null && chattr +i held 2>/dev/null; then
	refused "an immutable file" held 12 'held: not written to: .*lsattr shows whether it is immutable'
	chattr -i held
	chattr +a held
	refused "a file that only grows" held 12 'lsattr shows whether it is immutable or append-only'
	chattr -a held
else
	skip "an immutable file" "no chattr, or not on the file system of $work"
fi
if command -v mkfs.ext4 >/dev/null && zero_loop rofs.img 16 && mkfs.ext4 -qF "$dev" && mount_on "$dev" rofs; then
	head -c 1048576 /dev/zero >rofs/file
	mount -o remount,ro rofs
	watch=rofs/file
	refused "a file on a file system that is read alone" rofs/file 32 'Read-only file system'
	watch=rofs.img
	refused "the file below a mounted loop device" rofs.img 34 "${dev#/dev/} stands on it"
	umount rofs
else
	skip "a file on a file system that is read alone" "no mkfs.ext4 (Debian: e2fsprogs), or no mount"
fi
if command -v mkswap >/dev/null; then
	# The kernel's list has "swap\\040file" for it.
	head -c 8388608 /dev/zero >"swap file"
	chmod 600 "swap file"
	mkswap "swap file" >/dev/null 2>&1
	ln -s "swap file" swaplink
	if swapon "$work/swap file" 2>/dev/null; then
		swaps="$work/swap?file"
		watch=swaplink
		watch_bytes=4096
		refused "an active swap file" "swap file" 36 "$work/swap file is active swap"
		watch_bytes=
		swapoff "$work/swap file"
		swaps=
	else
		skip "an active swap file" "no swap files on the file system of $work"
	fi
fi
is "no file is any different" "$(b2sum <data)" "$sum"
bench run --create 8m --rw randrw --mix 50 --runtime 300ms --format json own
is "a file of this very run: written to without a token" \
    "$code $(jq '.jobs[0] | .read.iops > 0 and .write.iops > 0' out)" "0 true"
bench fio --name=test --rw=randrw --rwmixread=75 --bs=4k --iodepth=64 --size=8m --direct=1 \
    --randrepeat=1 --gtod_reduce=1 --ioengine=libaio --filename=own2 --output-format=json
[ "$code" != 14 ] || bench fio --name=test --rw=randrw --rwmixread=75 --bs=4k --size=8m --direct=1 \
    --randrepeat=1 --gtod_reduce=1 --ioengine=psync --filename=own2 --output-format=json
is "the story's mixed job, on a file of its own: exit 0" "$code" 0
between "and three quarters are reads" \
    "$(jq '.jobs[0] | .read.total_ios / (.read.total_ios + .write.total_ios)' out)" 0.71 0.79
bench fio --name=test --rw=randrw --bs=4k --size=8m --direct=1 --filename=own2
is "and again, when it is not of this run any more: exit 30" "$code:$out" "30:"

# --- the number of a stream that is closed is not the target's: nothing that is printed
# goes there
head -c 8388608 /dev/zero >zeros
t=$(token_of zeros)
for s in '>&-' '2>&-' '<&- >&- 2>&-'; do
	: >out
	: >err
	sh -c "exec \"\$@\" $s" - "$DISKBENCH" run --rw randwrite --buffered --offset 4m --runtime 100ms \
	    --status always --write "$t" --overwrite-data zeros >out 2>err
	code=$?
	case $s in '2>&-') wanted=0 ;; *) wanted=4 ;; esac
	is "started with $s: nothing of it is in the target, exit $wanted" \
	    "$code:$(cmp -n 4194304 zeros /dev/zero 2>&1)" "$wanted:"
done
"$DISKBENCH" run --runtime 100ms --format json data 1<>data 2>err
is "the target as the standard output: exit 18" $? 18
like "the target as the standard output: says why" "$(cat err)" '^diskbench: stdout: is what is measured: no result is written over it'
is "the target as the standard output: is as it was" "$(b2sum <data)" "$sum"
done_testing
