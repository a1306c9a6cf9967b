#!/bin/sh
# What a run that writes refuses: each row on loop devices of our own, with the
# right token and with --overwrite-data, and a hash of the whole device before
# and after.  The only thing that may save a device here is the check itself.
# With FIO=fio in the environment fio is asked for the same each time, and a
# comment says what it did: the table in the manual is made of those.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
need_loops
cd "$work" || exit 99

# refused NAME DEVICE CODE PATTERN: a write run is refused with this code, says
# why in one line, and DEVICES ($watch) are as they were.
refused() {
	t=$(token_of "$2")
	sums=
	for w in $watch; do sums="$sums $(watched "$w")"; done
	bench run --rw randwrite --runtime 200ms --write "$t" --overwrite-data "$2"
	is "$1: exit $3, nothing on stdout" "$code:$out" "$3:"
	like "$1: says why" "$err" "$4"
	is "$1: in one line" "$(printf '%s\n' "$err" | wc -l)" 1
	after=
	for w in $watch; do after="$after $(watched "$w")"; done
	is "$1: nothing is written" "$after" "$sums"
	# shellcheck disable=SC2086
	fio_too "$1" "$2" $watch
}
mount_on() {
	mkdir -p "$2"
	mount ${3:+-o "$3"} "$1" "$2" 2>/dev/null && mounts="$2 $mounts"
}

# --- without consent
zero_loop free.img 16 || skip_all "no loop device"
free=$dev
watch=$free
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 200ms "$free"
is "no token: exit 30" "$code:$out" "30:"
like "no token: says where it is to be had" "$err" 'diskbench identify /dev/loop'
bench run --rw randwrite --runtime 200ms --write yes "$free"
is "a wrong token: exit 30" "$code:$out" "30:"
bench run --rw randrw --runtime 200ms --write "" "$free"
is "an empty token: exit 30" "$code:$out" "30:"
for pty in yes y 1; do
	printf '%s\n' $pty | "$DISKBENCH" run --rw randwrite --runtime 200ms "$free" >out 2>err
	is "no token, \"$pty\" on stdin: exit 30" $? 30
done
if command -v script >/dev/null; then
	# The same with a terminal: nobody is asked.
	# script(1) waits two seconds for a standard input that has ended.
	{ printf 'yes\n'; sleep 0.4; } | script -qec "$DISKBENCH run --rw randwrite --runtime 200ms $free" /dev/null >out 2>&1
	is "no token, on a terminal: exit 30" $? 30
fi
bench fio --name=x --filename="$free" --rw=randwrite --bs=4k --runtime=1 --time_based --direct=1
is "fio without a token: exit 30" "$code:$out" "30:"
is "without consent nothing is written" "$(hash_of "$free")" "$sum"

# --- with it, on a device that nobody has
bench identify "$free"
is "identify: exit 0" "$code:$err" "0:"
like "identify: the token" "$out" '^token +[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$'
like "identify: an empty one" "$out" '^contents +empty'
like "identify: not in use" "$out" '^in use +no$'
t=$(token_of "$free")
is "identify: the same token each time" "$(token_of "$free")" "$t"
bench run --rw randwrite --runtime 300ms --write "$t" --format json "$free"
is "consent, a free and empty device: written to" "$code $(jq '.jobs[0].write.iops > 0' out)" "0 true"
is "and it is" "$([ "$(hash_of "$free")" = "$sum" ]; echo $?)" 1
is "and nobody is left holding it" "$("$DISKBENCH" list --format json |
    jq -r --arg d "$free" '.devices[] | select(.path == $d) | .in_use_by')" null
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 300ms --write "$t" "$free"
is "data of an unknown kind: exit 39" "$code:$out" "39:"
like "data of an unknown kind: says what to add" "$err" '--overwrite-data'
is "data of an unknown kind: nothing is written" "$(hash_of "$free")" "$sum"
fio_too "data of an unknown kind" "$free" "$free"
bench run --rw randwrite --runtime 200ms --write "$t" --overwrite-data --format json "$free"
is "and with --overwrite-data: written to" "$code" 0
# A ring is taken apart after its program; the device must not wait for that.
for e in io_uring ''; do
	codes=
	for i in 1 2 3 4 5 6; do
		bench run --rw randwrite --runtime 20ms --write "$t" --overwrite-data ${e:+--engine $e} "$free"
		codes=$codes$code
	done
	case $codes in
	14*) skip "${e:-default engine}: free again as soon as it ends" "no io_uring here" ;;
	*) is "${e:-default engine}: free again as soon as it ends" "$codes" 000000 ;;
	esac
done

# --- the name was taken over by another drive
losetup -d "$free"
truncate -s 16M other.img
await losetup "$free" "$work/other.img" 2>losetup.err
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 200ms --write "$t" --overwrite-data "$free"
is "another drive under the name: exit 30" "$code:$out" "30:"
like "another drive under the name: says so" "$err" 'another drive has taken the name'
is "another drive under the name: nothing is written" "$(hash_of "$free")" "$sum"

# --- a result is no reason to write there either
for o in "list" "identify $free" "run --runtime 100ms --allow-unwritten $free" "run --engine null --runtime 100ms"; do
	# shellcheck disable=SC2086
	bench $o -o "$free"
	is "$o -o over a disk: exit 18" "$code:$out" "18:"
	like "$o -o over a disk: says why" "$err" 'is a disk: no result is written over it'
done
ln -s "$free" result.json
bench list -o result.json
is "list -o over a disk, by a link: exit 18" "$code:$out" "18:"
is "-o over a disk: nothing is written" "$(hash_of "$free")" "$sum"

# --- mounted
if command -v mkfs.ext4 >/dev/null; then
	zero_loop ext4.img 16
	mkfs.ext4 -qF "$dev"
	ext4=$dev
	watch=$ext4
	t=$(token_of "$ext4")
	sum=$(hash_of "$ext4")
	bench run --rw randwrite --runtime 200ms --write "$t" "$ext4"
	is "a file system, not mounted: exit 38" "$code:$out" "38:"
	like "a file system, not mounted: names it" "$err" 'holds a ext4'
	is "a file system, not mounted: nothing is written" "$(hash_of "$ext4")" "$sum"
	fio_too "a file system, not mounted" "$ext4" "$ext4"
	bench fio --name=x --filename="$ext4" --rw=randwrite --bs=4k --number_ios=10 --direct=1 --write="$t"
	is "fio, a file system, not mounted: exit 38" "$code:$out" "38:"
	if mount_on "$ext4" mnt ro,noload; then
		# ro,noload: the mount itself leaves the device as it is.
		refused "mounted" "$ext4" 35 "ext4 mounted on $work/mnt"
		ln -s "$ext4" link
		refused "mounted, by a symlink" "$work/link" 35 'mounted on'
		mknod node b $(stat -c '0x%t 0x%T' "$ext4")
		refused "mounted, by another node" "$work/node" 35 'mounted on'
		bench list
		like "list: who has it" "$out" "^$ext4 .*ext4 mounted on"
		bench identify "$ext4"
		like "identify: who has it" "$out" '^in use .*mounted on'
		bench run --runtime 200ms --allow-unwritten "$ext4"
		is "mounted: reading is allowed" "$code" 0
		# Only a bind of a part of it is left.
		mkdir -p bind
		mkdir -p mnt/lost+found 2>/dev/null
		mount --bind mnt/lost+found bind && mounts="bind $mounts"
		umount mnt
		refused "only a bind mount is left" "$ext4" 35 'mounted on'
		umount bind
		# Lazily unmounted, and still busy.
		mount -o ro,noload "$ext4" mnt
		sleep 300 <mnt/lost+found &
		p=$!
		pids="$pids $p"
		# Not before the folder is open there.
		await has_open $p lost+found
		umount -l mnt
		refused "lazily unmounted, still busy" "$ext4" 31 'somebody has it'
		kill $p
		wait $p 2>/dev/null
		# While we have it nobody else gets it.  What is written lies behind what
		# a mount reads.
		: >err
		"$DISKBENCH" run --rw randwrite --offset 12m --size 2m --runtime 60s --status always \
		    --write "$(token_of "$ext4")" --overwrite-data "$ext4" >out 2>err &
		p=$!
		pids="$pids $p"
		await says_jobs
		mount -o ro,noload "$ext4" mnt 2>mount.err
		is "a mount that comes while we write: refused" "$?:$(grep -c busy mount.err)" 32:1
		kill -INT $p
		wait $p
		is "a mount that comes while we write: disturbs nothing" $? 130
		mount -o ro,noload "$ext4" mnt
		is "and when we have done it is mounted" $? 0
		umount mnt
	else
		skip "mounted" "cannot mount here"
	fi
	# Mounted where only another mount namespace sees it.
	if command -v unshare >/dev/null && mkdir -p mnt2 &&
	    unshare -m sh -c "mount -o ro,noload $ext4 $work/mnt2" 2>/dev/null; then
		unshare -m sh -c "mount -o ro,noload $ext4 $work/mnt2 && : >$work/up && exec sleep 300" &
		p=$!
		pids="$pids $p"
		await [ -e up ]
		refused "mounted in another namespace" "$ext4" 35 'mount namespace of process'
		kill $p
		wait $p 2>/dev/null
	else
		skip "mounted in another namespace" "no unshare -m"
	fi
else
	skip "mounted" "no mkfs.ext4 (Debian: e2fsprogs)"
fi

# --- the whole disk, of which a partition is mounted
if command -v addpart >/dev/null && command -v mkfs.ext4 >/dev/null; then
	zero_loop disk.img 32
	disk=$dev
	if addpart "$disk" 1 2048 16384 2>/dev/null && addpart "$disk" 2 18432 16384; then
		i=0
		while [ ! -b "${disk}p1" ] && [ $i -lt 20 ]; do sleep 0.1; i=$((i + 1)); done
		p1=${disk}p1
		p2=${disk}p2
		[ -b "$p1" ] || { p1=$work/p1; mknod "$p1" b $(sed 's/:/ /' "/sys/class/block/${disk#/dev/}p1/dev"); }
		[ -b "$p2" ] || { p2=$work/p2; mknod "$p2" b $(sed 's/:/ /' "/sys/class/block/${disk#/dev/}p2/dev"); }
		mkfs.ext4 -qF "$p1"
		watch=$disk
		if mount_on "$p1" mntp ro,noload; then
			refused "the whole disk, a partition of it mounted" "$disk" 35 'mounted on'
			refused "the mounted partition" "$p1" 35 'mounted on'
			t=$(token_of "$p2")
			sum=$(hash_of "$p1")
			bench run --rw randwrite --runtime 200ms --write "$t" --format json "$p2"
			is "the free partition beside it: written to" "$code" 0
			is "and the mounted one is as it was" "$(hash_of "$p1")" "$sum"
			umount mntp
		fi
		watch=$disk
		if attach "$p1"; then
			refused "the whole disk, a loop device on a partition of it" "$disk" 34 "${dev#/dev/} stands on it"
			losetup -d "$dev"
		fi
		if command -v mkswap >/dev/null && mkswap "$p2" >/dev/null 2>&1 && swapon "$p2" 2>/dev/null; then
			swaps=$p2
			watch_bytes=$((18432 * 512 + 4096))
			refused "the whole disk, swap on a partition of it" "$disk" 36 'active swap'
			watch_bytes=
			swapoff "$p2"
			swaps=
		fi
		delpart "$disk" 1
		delpart "$disk" 2
	else
		skip "partitions" "addpart does not work here"
	fi
else
	skip "partitions" "no addpart (Debian: util-linux)"
fi

# --- the members of a file system of several devices
if command -v mkfs.btrfs >/dev/null && grep -qw btrfs /proc/filesystems; then
	truncate -s 48M bt1.img bt2.img
	attach "$work/bt1.img"; b1=$dev
	attach "$work/bt2.img"; b2=$dev
	# Small ones, as all of them is hashed.
	mkfs.btrfs -qf --mixed -d single -m single "$b1" "$b2" >/dev/null 2>&1
	btrfs device scan "$b1" "$b2" >/dev/null 2>&1
	if mount_on "$b1" mntb ro; then
		watch="$b1 $b2"
		refused "the first device of a mounted btrfs" "$b1" 35 'btrfs mounted on'
		refused "the second device of a mounted btrfs" "$b2" 35 'btrfs mounted on'
		umount mntb
	else
		skip "btrfs" "cannot be mounted"
	fi
else
	skip "btrfs" "no mkfs.btrfs (Debian: btrfs-progs), or no btrfs in the kernel"
fi
if command -v mkfs.xfs >/dev/null && grep -qw xfs /proc/filesystems; then
	# Small ones need a word that not every mkfs.xfs has.
	xfs_small=--unsupported
	truncate -s 64M xfs.img
	truncate -s 16M log.img
	mkfs.xfs -qf $xfs_small -l logdev=log.img,size=12m xfs.img 2>xfs.err || {
		xfs_small=
		truncate -s 320M xfs.img
		truncate -s 80M log.img
	}
	attach "$work/xfs.img"; x1=$dev
	attach "$work/log.img"; x2=$dev
	if mkfs.xfs -qf $xfs_small -l logdev="$x2"${xfs_small:+,size=12m} "$x1" 2>xfs.err &&
	    mount_on "$x1" mntx "logdev=$x2,ro,norecovery"; then
		watch="$x1 $x2"
		refused "the log of a mounted xfs" "$x2" 35 'xfs mounted on'
		umount mntx
	else
		skip "the log of a mounted xfs" "$(head -1 xfs.err) (mkfs.xfs or mount)"
	fi
else
	skip "the log of a mounted xfs" "no mkfs.xfs (Debian: xfsprogs), or no xfs in the kernel"
fi

# --- swap
if command -v mkswap >/dev/null; then
	zero_loop swap.img 16
	mkswap -q "$dev" >/dev/null 2>&1 || mkswap "$dev" >/dev/null 2>&1
	watch=$dev
	swap=$dev
	t=$(token_of "$swap")
	bench run --rw randwrite --runtime 200ms --write "$t" "$swap"
	is "swap, not in use: exit 38" "$code:$out" "38:"
	if swapon "$swap" 2>/dev/null; then
		swaps=$swap
		watch_bytes=4096
		refused "active swap" "$swap" 36 'active swap'
		watch_bytes=
		swapoff "$swap"
		swaps=
	else
		skip "active swap" "swapon is not allowed here"
	fi
fi

# --- device mapper
if command -v dmsetup >/dev/null && dmsetup version >/dev/null 2>&1 && zero_loop dm.img 16 &&
    dmsetup create "diskbench-$$" --table "0 32768 linear $dev 0" 2>/dev/null; then
	watch=$dev
	refused "part of a device-mapper device" "$dev" 33 'part of dm-'
	dmsetup remove "diskbench-$$"
else
	skip "part of a device-mapper device" "this kernel has no device mapper"
fi

# --- below a loop device; held by a process; write-protected
zero_loop under.img 16
under=$dev
if attach "$under"; then
	watch=$under
	refused "a loop device stands on it" "$under" 34 "${dev#/dev/} stands on it"
	losetup -d "$dev"
fi
sh -c "exec 9<>$under && exec sleep 300" &
p=$!
pids="$pids $p"
await has_open $p "${under#/dev/}"
watch=$under
refused "a process has it open for writing" "$under" 31 "process $p \(sleep\) has it open"
kill $p
wait $p 2>/dev/null
truncate -s 16M ro.img
attach "$work/ro.img" -r
watch=$dev
refused "write-protected" "$dev" 32 'write-protected'

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
head -c 8388608 /dev/zero >held
sh -c 'exec 9<>held && exec sleep 300' &
p=$!
pids="$pids $p"
await [ -e "/proc/$p/fd/9" ]
watch=held
refused "a file that a process writes to" held 41 "process $p "
kill $p
wait $p 2>/dev/null
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

# --- what cannot be looked at is not nobody
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

# --- the disk that the system runs from: only looked at
# In a chroot / is no mount, and nothing says what it is on.
root=$(stat -c %d /)
if awk '$5 == "/" { on = 1 } END { exit !on }' /proc/self/mountinfo &&
    [ "$((root >> 8))" != 0 ] && [ -e "/sys/dev/block/$((root >> 8)):$((root & 255))" ]; then
	bench list
	like "list: the system's disk is called so" "$out" 'holds the running system'
fi
done_testing
