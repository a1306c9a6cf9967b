#!/bin/sh
# Who has a device: each row on loop devices of our own, and a hash of the whole device
# before and after.
. "$top_srcdir/tests/cli/lib-disk.sh"
. "$top_srcdir/tests/cli/lib-disk-refused.sh"

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
		delpart "$disk" 2
		# The other way round.
		mkfs.ext4 -qF "$disk"
		if mount_on "$disk" mntw ro,noload; then
			refused "a partition of a mounted whole disk" "$p1" 35 "${disk#/dev/} is used by the ext4 mounted on"
			umount mntw
		fi
		delpart "$disk" 1
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

if command -v mke2fs >/dev/null && zero_loop journal.img 16 && j=$dev && zero_loop journaled.img 16 &&
    mke2fs -q -O journal_dev "$j" 2>mke2fs.err && mke2fs -q -t ext4 -J device="$j" "$dev" 2>mke2fs.err &&
    mount_on "$dev" mntj ro; then
	watch="$j $dev"
	refused "the journal of a mounted ext4" "$j" 31 'somebody has it, the kernel says'
	umount mntj
else
	skip "the journal of a mounted ext4" "$(head -1 mke2fs.err 2>/dev/null) (mke2fs or mount)"
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

# --- above and below loop devices: none of them claims what it stands on
zero_loop under.img 16
under=$dev
if attach "$under"; then
	over=$dev
	watch=$under
	refused "a loop device stands on it" "$under" 34 "${over#/dev/} stands on it"
	if attach "$under"; then
		refused "another loop device stands on the same device" "$over" 34 "${dev#/dev/} stands on it"
		losetup -d "$dev"
	fi
	if command -v mkfs.ext4 >/dev/null && mkfs.ext4 -qF "$under" && mount_on "$under" mntu ro,noload; then
		refused "a loop device on a mounted one" "$over" 35 "${under#/dev/} is used by the ext4 mounted on"
		umount mntu
	else
		skip "a loop device on a mounted one" "no mkfs.ext4 (Debian: e2fsprogs), or no mount"
	fi
	if command -v mkswap >/dev/null && mkswap "$under" >/dev/null 2>&1 && swapon "$under" 2>/dev/null; then
		swaps=$under
		watch_bytes=4096
		refused "a loop device on active swap" "$over" 36 "$under is active swap"
		watch_bytes=
		swapoff "$under"
		swaps=
	else
		skip "a loop device on active swap" "swapon is not allowed here"
	fi
	t=$(token_of "$over")
	bench run --rw randwrite --runtime 100ms --write "$t" --overwrite-data "$over"
	is "a loop device on one that nobody has: written to" "$code" 0
	losetup -d "$over"
fi
if attach "$work/under.img"; then
	watch=$under
	refused "another loop device on the same file" "$dev" 34 \
	    "${under#/dev/} stands on it, or on the same file"
	losetup -d "$dev"
fi
sh -c "exec 9<>under.img && exec sleep 300" &
p=$!
pids="$pids $p"
await has_open $p under.img
refused "a process writes to the file below it" "$under" 31 "process $p \\(sleep\\) has the file below it open"
kill $p
wait $p 2>/dev/null
if command -v flock >/dev/null; then
	sh -c 'exec 9<under.img && flock 9 && exec sleep 300' &
	p=$!
	pids="$pids $p"
	await grep -q "FLOCK .*:$(stat -c %i under.img) " /proc/locks
	refused "a process has locked the file below it" "$under" 41 'has locked the file below it'
	kill $p
	wait $p 2>/dev/null
fi

# --- held by a process; write-protected
sh -c "exec 9<>$under && exec sleep 300" &
p=$!
pids="$pids $p"
await has_open $p "${under#/dev/}"
watch=$under
refused "a process has it open for writing" "$under" 31 "process $p \(sleep\) has it open"
kill $p
wait $p 2>/dev/null
# A mapping stays when its descriptor is closed.
map_and_close "$under" && refused "a process has it mapped for writing" "$under" 31 \
    "process $p \\(python3[^)]*\\) has it mapped"
kill $p 2>/dev/null
wait $p 2>/dev/null
truncate -s 16M ro.img
attach "$work/ro.img" -r
watch=$dev
refused "write-protected" "$dev" 32 'write-protected'
done_testing
