#!/bin/sh
# What cannot be looked at is not nobody; and the running system, token or not.
. "$top_srcdir/tests/cli/lib-disk.sh"
. "$top_srcdir/tests/cli/lib-disk-refused.sh"

# --- what cannot be looked at is not nobody
mkdir bound
# in_namespace COMMANDS [PROGRAM]: from here on diskbench runs in a mount namespace of its
# own, after these (and by way of PROGRAM); nothing of it is seen outside.  $$ is
# diskbench's process.
outside=$DISKBENCH
in_namespace() {
	DISKBENCH=$work/inside
	cat >inside <<END
#!/bin/sh
exec unshare -m --propagation private sh -c '$1 && exec ${2:-} "\$0" "\$@"' "$outside" "\$@"
END
	chmod +x inside
	"$DISKBENCH" --version >/dev/null 2>&1
}
zero_loop quiet.img 16
quiet=$dev
head -c 8388608 /dev/zero >quiet
# A node without a driver: not even root opens it.
mknod nothing c 240 250
if cat nothing 2>/dev/null; then
	skip "what cannot be looked at" "240:250 has a driver here"
elif in_namespace "mount --bind $work/nothing /proc/\$\$/mountinfo"; then
	watch=$quiet
	refused "no mountinfo" "$quiet" 43 'cannot be told \(/proc/self/mountinfo: .*needs /proc and /sys'
	bench run --runtime 100ms --allow-unwritten "$quiet"
	is "no mountinfo: reading is allowed" "$code" 0
	bench identify "$quiet"
	like "identify, no mountinfo: does not say that nobody has it" "$out" '^in use +who uses it cannot be told'
	in_namespace "mount --bind $work/nothing /proc/swaps"
	refused "no list of swap" "$quiet" 43 'cannot be told \(/proc/swaps: '
	watch=quiet
	refused "a file, no list of swap" quiet 43 'cannot be told \(/proc/swaps: '
	bench run --create 8m --rw randwrite --runtime 100ms --format json own3
	is "a file of this very run, no list of swap: written to" \
	    "$code $(jq '.jobs[0].write.iops > 0' out)" "0 true"
	# As container runtimes hide files.
	in_namespace "mount --bind /dev/null /proc/swaps"
	watch=$quiet
	refused "an empty list of swap" "$quiet" 43 '/proc/swaps: is empty'
	in_namespace "mount --bind $work/bound /sys"
	refused "no /sys" "$quiet" 43 'cannot be told \(its folder in /sys'
	# A loop device that nobody may ask: its name is asked for, and has to be here.
	in_namespace "mount --bind $work/nothing $quiet"
	watch=quiet.img
	refused "a file below a loop device that cannot be opened" quiet.img 34 "${quiet#/dev/} stands on it"
	watch=quiet
	in_namespace "mount --bind $work/nothing $quiet && mount -t tmpfs none $work/bound"
	bench run --rw randwrite --runtime 100ms --write "$(token_of quiet)" quiet
	is "a loop device that cannot be opened, and is on another file: written to" "$code" 0
	head -c 8388608 /dev/zero >quiet
	mv quiet.img bound
	in_namespace "mount --bind $work/nothing $quiet && mount -t tmpfs none $work/bound"
	refused "a loop device that cannot be opened, on something that is not here" quiet 43 \
	    "cannot be told \\(${quiet#/dev/}: "
	mv bound/quiet.img .
	in_namespace "mount --bind $work/nothing /proc/locks"
	watch=quiet
	refused "a file, no list of locks" quiet 43 'cannot be told \(/proc/locks: '
else
	skip "what cannot be looked at" "no unshare -m"
fi

# --- the system's own: never, token or not
if [ ! -d /boot ] || ! command -v mkfs.ext4 >/dev/null; then
	skip "the running system" "no /boot to mount over, or no mkfs.ext4 (Debian: e2fsprogs)"
elif zero_loop boot.img 16 && boot=$dev && mkfs.ext4 -qF "$boot" &&
    in_namespace "mount -o ro,noload $boot /boot"; then
	watch=$boot
	refused "the running system" "$boot" 37 'holds the running system \(/boot\): never written to'
	bench identify "$boot"
	like "identify: the running system" "$out" '^in use .*holds the running system'
	if command -v setpriv >/dev/null; then
		# Who may not open it is told that nobody may, not to become root.
		mknod -m 0 closed b $(stat -c '0x%t 0x%T' "$boot")
		t=$(token_of "$boot")
		in_namespace "mount -o ro,noload $boot /boot" 'setpriv --bounding-set -dac_override'
		bench run --rw randwrite --runtime 100ms --write "$t" closed
		is "the running system, without permission: exit 37" "$code:$out" "37:"
		DISKBENCH=$outside
		bench run --rw randwrite --runtime 100ms --write "$t" --overwrite-data closed
		is "and with permission, not mounted: written to" "$code" 0
		mkfs.ext4 -qF "$boot"
	fi
	# The kernel calls neither of these busy.
	watch=boot.img
	refused "the file below the running system" boot.img 34 'stands on it'
	if attach "$boot"; then
		over=$dev
		in_namespace "mount -o ro,noload $boot /boot"
		refused "a loop device on the disk of the running system" "$over" 37 \
		    "${boot#/dev/} holds the running system \\(/boot\\)"
		losetup -d "$over"
	fi
	if attach "$boot" --read-only; then
		in_namespace "mount -o ro,noload $dev /boot"
		watch=$boot
		refused "the disk below the loop device of the running system" "$boot" 37 \
		    'holds the running system \(/boot\)'
		losetup -d "$dev"
	fi
	if command -v addpart >/dev/null && zero_loop parts.img 32 && parts=$dev &&
	    addpart "$parts" 1 2048 16384 2>/dev/null; then
		mknod part1 b $(sed 's/:/ /' "/sys/class/block/${parts#/dev/}p1/dev")
		mkfs.ext4 -qF part1
		in_namespace "mount -o ro,noload $work/part1 /boot"
		watch=$parts
		refused "the whole disk, the running system on a partition of it" "$parts" 37 \
		    'holds the running system \(/boot\)'
		delpart "$parts" 1
	fi
else
	skip "the running system" "no unshare -m"
fi
DISKBENCH=$outside

# --- what is written to is in the system's log, whose socket is ours here
mkdir devices
head -c 8388608 /dev/zero >logged
token=$(token_of logged)
cat >log.py <<'END'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("log")
open("listens", "w").close()
s.settimeout(120)
open("logged.line", "wb").write(s.recv(8192))
END
if command -v python3 >/dev/null && in_namespace \
    "mount --rbind /dev $work/devices && mount -t tmpfs none /dev && ln -s $work/devices/* /dev && ln -sf $work/log /dev/log"; then
	python3 log.py &
	p=$!
	pids="$pids $p"
	await [ -e listens ]
	bench run --runtime 50ms --allow-unwritten logged
	bench run --rw randwrite --runtime 50ms logged
	bench run --rw randwrite --runtime 50ms --write "$token" logged
	is "a file is written to" "$code" 0
	await ended $p
	like "and that is in the system's log, what and by which token" "$(cat logged.line)" \
	    "^<13>.* diskbench\\[[0-9]+\\]: writes to logged: a file, .*, 8388608 bytes, token $token\$"
	head -c 8388608 /dev/zero >logged
else
	skip "the system's log" "no python3, or no unshare -m"
fi
DISKBENCH=$outside
is "the result has what was written to, and the token" "$("$DISKBENCH" run --rw randwrite --runtime 50ms \
    --write "$token" --format json logged 2>err | jq -r '.jobs[0].diskbench.device | .path, .token' | paste -sd' ')" "logged $token"

# --- the disk that the system runs from: only looked at
# In a chroot / is no mount, and nothing says what it is on.
root=$(stat -c %d /)
if awk '$5 == "/" { on = 1 } END { exit !on }' /proc/self/mountinfo &&
    [ "$((root >> 8))" != 0 ] && [ -e "/sys/dev/block/$((root >> 8)):$((root & 255))" ]; then
	bench list
	like "list: the system's disk is called so" "$out" 'holds the running system'
fi
done_testing
