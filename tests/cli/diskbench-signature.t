#!/bin/sh
# What a device holds that nobody uses now: known by its name, and not written over
# with the right token alone.  The bytes are those that each program leaves there.
# With FIO=fio fio is asked for the same, as in diskbench-safety.t.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
need_loops
cd "$work" || exit 99
zero_loop held.img 8 || skip_all "no loop device"
small=$dev
held=$small

# bytes OFFSET BYTES: as printf(1) has them, onto the device
bytes() {
	# shellcheck disable=SC2059
	printf "$2" | dd of="$held" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
# refused NAME DEVICE CODE PATTERN
refused() {
	blockdev --flushbufs "$2"
	sum=$(hash_of "$2")
	bench run --rw randwrite --runtime 100ms --write "$(token_of "$2")" "$2"
	is "$1: exit $3, nothing on stdout" "$code:$out" "$3:"
	like "$1: named" "$err" "$4; --overwrite-data, besides the token, destroys it\$"
	is "$1: nothing is written" "$(hash_of "$2")" "$sum"
	fio_too "$1" "$2" "$2"
}
# holds NAME PATTERN: what was put onto the device is known; then nothing is left
holds() {
	refused "$1" "$held" 38 "holds a $2"
	dd if=/dev/zero of="$held" bs=1M count=8 2>/dev/null
}

bench identify "$held"
like "nothing on it: identify says so" "$out" '^contents +empty'

# An entry and the end mark.
bytes 446 '\200\0\1\0\203\0\77\0\0\10\0\0\0\20\0\0'
bytes 510 '\125\252'
holds "a partition table" 'partition table \(dos\)'
# gpt_backup: all that is left of a GPT whose beginning was written over
gpt_backup() {
	bytes 8388096 'EFI PART\0\0\1\0\134\0\0\0\052\343\374\074\0\0\0\0\377\077\0\0\0\0\0\0'
	bytes 8388128 '\001\0\0\0\0\0\0\0\042\0\0\0\0\0\0\0\336\077\0\0\0\0\0\0'
	bytes 8388152 '\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037'
	bytes 8388168 '\337\077\0\0\0\0\0\0\200\0\0\0\200\0\0\0\206\322\124\253'
}
gpt_backup
holds "the second copy of a partition table" 'partition table \(gpt\)'
gpt_backup
bytes 446 '\0\0\2\0\356\377\377\377\1\0\0\0\377\077\0\0'
bytes 510 '\125\252'
holds "the second copy, and the MBR that protects it" 'partition table \(gpt\)'

# Encrypted, by cryptsetup luksFormat: its first header, and its second alone.
bytes 0 'LUKS\272\276\0\1'
holds "LUKS 1" crypto_LUKS
bytes 0 'LUKS\272\276\0\2\0\0\0\0\0\0\100\0'
holds "LUKS 2" crypto_LUKS
bytes 16384 'SKUL\272\276\0\2\0\0\0\0\0\0\100\0'
bytes 16640 '\0\0\0\0\0\0\100\0'
holds "LUKS 2, its second header alone" crypto_LUKS

# pvcreate's label, in the second of four sectors in which it may be.
bytes 512 'LABELONE\1\0\0\0\0\0\0\0\0\0\0\0\40\0\0\0LVM2 001'
holds "a physical volume of LVM" LVM2_member

# mdadm: metadata 1.0 and 0.90 are at the end, 1.2 is 4 KiB from the beginning.
bytes 8380416 '\374\116\053\251\1\0\0\0'
bytes 8380560 '\360\077\0\0\0\0\0\0'
holds "md, metadata 1.0 at the end" linux_raid_member
bytes 8323072 '\374\116\053\251\0\0\0\0\132\0\0\0'
holds "md, metadata 0.90 at the end" linux_raid_member
bytes 4096 '\374\116\053\251\1\0\0\0'
bytes 4240 '\010\0\0\0\0\0\0\0'
holds "md, metadata 1.2" linux_raid_member

bytes 4104 '\010\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\306\205\163\366\116\032\105\312\202\145\365\177\110\272\155\201'
holds "bcache" bcache

# ZFS: four of its uberblocks; it takes no drive below 64 MiB.
zero_loop zfs.img 64
held=$dev
for at in 131072 132096 133120 134144; do
	bytes $at '\014\261\272\0\0\0\0\0\210\023\0\0\0\0\0\0'
done
refused "a member of a ZFS pool" "$held" 38 'holds a zfs_member'
losetup -d "$held"
held=$small

if command -v mkswap >/dev/null; then
	mkswap "$held" >/dev/null 2>&1
	holds "swap, not in use" swap
else
	skip "swap, not in use" "no mkswap (Debian: util-linux)"
fi
bytes 0 'bluestore block device\n'
holds "Ceph's BlueStore" ceph_bluestore
bytes 32 'ORCLDISK'
holds "a disk of Oracle's ASM" oracleasm

# What libblkid knows nothing of.
bytes 8192 '\067\022\315\253'
bench identify "$held"
like "identify: a cache of Traffic Server" "$out" '^contents .*Traffic Server'
holds "a cache of Traffic Server" '.*Traffic Server'

# Something, and no more is known of it: where it is looked for in any case.
bytes 0 'x'
refused "a byte at the beginning" "$held" 39 'holds data \(1 of 256 blocks .*'
bytes 0 '\0'
bytes 8388607 'x'
refused "a byte at the end" "$held" 39 'holds data \(1 of 256 blocks .*'

if command -v mkfs.ext4 >/dev/null; then
	mkfs.ext4 -qF -L "the cellar" -M /srv/wine "$held"
	bench identify "$held"
	like "identify: a file system, its label and where it was" "$out" \
	    '^contents +ext4 labelled "the cellar", last mounted on /srv/wine$'
	holds "a file system" 'ext4 labelled "the cellar", last mounted on /srv/wine'
else
	skip "a file system" "no mkfs.ext4 (Debian: e2fsprogs)"
fi

if command -v mkfs.btrfs >/dev/null; then
	truncate -s 48M bt1.img bt2.img
	attach "$work/bt1.img"
	b1=$dev
	attach "$work/bt2.img"
	if mkfs.btrfs -qf --mixed -d single -m single "$b1" "$dev" >btrfs.out 2>&1; then
		refused "the first device of a btrfs of two" "$b1" 38 'holds a btrfs'
		refused "the second device of a btrfs of two" "$dev" 38 'holds a btrfs'
	else
		skip "a btrfs of two devices" "$(head -1 btrfs.out)"
	fi
else
	skip "a btrfs of two devices" "no mkfs.btrfs (Debian: btrfs-progs)"
fi
done_testing
