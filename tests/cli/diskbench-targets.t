#!/bin/sh
# Targets as they are met: write-protected, behind a link, of odd sizes, full, gone in
# the middle of a run.  What cannot be measured is said, with what to do, and nothing
# is written or left behind.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
need_loops
cd "$work" || exit 99

# --- write-protected
random_loop fixed.img 16 -r
fixed=$dev
before=$(hash_of "$fixed")
bench run --runtime 200ms --format json "$fixed"
is "write-protected: is read" "$code $(jq '.jobs[0].read.total_ios > 0' out)" "0 true"
bench run --rw randwrite --write "$(token_of "$fixed")" --overwrite-data "$fixed"
is "write-protected: is not written, exit 32" "$code:$out" 32:
like "write-protected: says what to do" "$err" 'is write-protected; it can be read, or unlock it: blockdev --setrw'
is "write-protected: is as it was" "$(hash_of "$fixed")" "$before"

# --- by a link, as /dev/disk/by-id has them
random_loop disk.img 16
disk=$dev
mkdir by-id
ln -s "$disk" "by-id/ata-Drive:1"
bench run --runtime 200ms --format json "by-id/ata-Drive:1"
is "a link to a device: is measured, and says which" \
    "$code $(jq -r '.jobs[0].diskbench.device.name' out)" "0 ${disk#/dev/}"
is "a link to a device: the token is the device's" "$(token_of "by-id/ata-Drive:1")" "$(token_of "$disk")"
before=$(hash_of "$disk")
bench run --runtime 200ms --rw randwrite --write "$(token_of "$fixed")" --overwrite-data "by-id/ata-Drive:1"
is "a link to a device: not with another's token" "$code:$out" 30:
bench fio --name=x --filename="by-id/ata-Drive\\:1" --direct=1 --rw=randread --number_ios=9 --output-format=json
is "a link to a device: fio's spelling" "$code $(jq '.jobs[0].read.total_ios' out)" "0 9"
is "a link to a device: nothing was written" "$(hash_of "$disk")" "$before"
ln -sf "$disk" moved
ln -sf moved twice
bench run --runtime 100ms twice
is "a link to a link: is measured" "$code" 0
ln -sf round round
bench run --runtime 100ms round
like "a link to itself: says so" "$code:$out:$err" '^20::diskbench: round: cannot open: Too many levels'

# --- neither a device nor a file: looked at, and not opened
mkdir folder
mkfifo pipe
ln -s nowhere dangling
ln -s /dev/zero zeros
long=$(printf '%0300d' 7)
# But for what other tests attach meanwhile.
names_in_dev() {
	for f in /dev/*; do
		case $f in /dev/loop* | /dev/zram*) ;; *) stat -c '%n %F' "$f" ;; esac
	done
}
names=$(names_in_dev)
for o in "folder/11/is a directory" "pipe/11/is a pipe" "dangling/10/does not exist" "zeros/11/is a character device" \
    "/dev/null/11/is a character device" "/dev/nosuch/10/does not exist" "$long/10/File name too long" \
    "/proc/self/mem/11/is a file of the kernel.s own .proc." \
    "/sys/class/block/${disk#/dev/}/size/11/is a file of the kernel.s own .sysfs."; do
	pattern=${o##*/} rest=${o%/*}
	exits=${rest##*/} path=${rest%/*}
	short=$(printf %.20s "$path")
	for c in identify "run --buffered" "run --rw randwrite --write x --overwrite-data"; do
		# shellcheck disable=SC2086
		bench $c "$path"
		is "$c $short: exit $exits, nothing on stdout" "$code:$out" "$exits:"
		like "$c $short: says why, in one line" \
		    "$(printf '%s\n' "$err" | wc -l):$err" "^1:.*$pattern"
	done
done
bench run --create 1m "$long"
like "no file of such a name is made" "$code:$out:$err" '^10::.*File name too long$'
is "and nothing is new in /dev" "$(names_in_dev)" "$names"
# Below names that are allowed, and above what fits into a short buffer.
far=$(printf '%0200d/%0200d' 1 2)
mkdir -p "$far"
cp disk.img "$far/file"
bench identify --format json "$far/file"
is "a long path: told in full" "$code:$(jq -r '.devices[0].path' out)" "0:$far/file"
bench identify "$far/file"
like "a long path: and in full where it is for a shell" "$out" "--overwrite-data $far/file\$"
odd="a
b'\$(c)"
cp disk.img "$odd"
bench identify "$odd"
is "a name with a line's end: no line of its own" \
    "$code:$(printf '%s\n' "$out" | sed -n '1p' | cut -d: -f1)" "0:a b'\$(c)"
like "and in quotes where it is for a shell" "$out" "--overwrite-data 'a b'\\\\''\\\$\\(c\\)'\$"

# --- a part of it that is none
for o in "--offset 16m/16/is beyond its 16777216 bytes" "--offset 100m/16/is beyond its 16777216 bytes" \
    "--offset 15m --size 2m/16/only 1048576 bytes are there after the offset" \
    "--size 4095/16/smaller .4095 bytes. than one request" \
    "--offset 100/15/no multiple of 512" "--size 0/2/is not a size" "--offset -1/2/is not a size" \
    "--size 110%/2/is not a size" "--size 50%/2/is not a size"; do
	args=${o%%/*} rest=${o#*/}
	# shellcheck disable=SC2086
	bench run --runtime 100ms $args "$disk"
	is "$args: exit ${rest%%/*}" "$code:$out" "${rest%%/*}:"
	like "$args: says why" "$err" "${rest#*/}"
done
bench fio --name=x --filename="$disk" --direct=1 --size=110%
like "fio, --size=110%: says what may be" "$code:$out:$err" '^2::.*size: "110%" is not a percentage, 1% to 100%'
: >none.img
attach "$work/none.img"
bench run "$dev"
like "a device without a byte: exit 16" "$code:$out:$err" '^16::diskbench: .*is empty: no medium'

# --- no room
if command -v mkfs.ext4 >/dev/null && truncate -s 12m fs.img && mkfs.ext4 -qF fs.img 2>/dev/null && mkdir full &&
    attach "$work/fs.img" && mount "$dev" full 2>/dev/null; then
	mounts="$work/full $mounts"
	bench run --create 64m --runtime 100ms full/file
	is "a full file system: exit 18, and no file" "$code:$out:$(ls full)" "18::lost+found"
	like "a full file system: says what there is, and what to do" "$err" \
	    '64 MiB do not fit: [0-9]+ MiB are free there; use a smaller --create or another place'
	bench fio --name=x --directory=full --size=64m --direct=1
	is "a full file system, fio's spelling: exit 18, and no file" "$code:$out:$(ls full)" "18::lost+found"
else
	skip "a full file system" "no ext4 to be mounted here"
fi
# A limit shows only while it is being written, as a quota does.
sh -c 'ulimit -f 2000 && exec "$@"' - "$DISKBENCH" run --create 16m --runtime 100ms limited >out 2>err
is "a limit on the size of files: exit 18, and no file" "$?:$(cat out):$(ls limited 2>/dev/null)" "18::"
like "a limit on the size of files: says what to do" "$(cat err)" \
    'limited: 16 MiB do not fit: File too large; removed again; use a smaller --create'

# --- gone in the middle: its medium is, and then its driver
"$DISKBENCH" run --runtime 60s --status always --format json "$disk" >out 2>err &
p=$!
pids="$pids $p"
await says_jobs
truncate -s 0 disk.img
losetup -d "$disk"
wait $p
is "gone in the middle: exit 1, long before its time" "$? $(jq '.jobs[0].job_runtime < 50000' out)" "1 true"
is "gone in the middle: valid, not complete, the errors and where" \
    "$(jq -c '[.diskbench.complete, (.jobs[0].diskbench.errors | .read > 0, (.first | length > 0 and
	all(.errno == 5 and .offset % 4096 == 0)))]' out)" '[false,true,true]'
like "gone in the middle: says so" "$(jq -r '.jobs[0].diskbench.warnings[].id' out | paste -sd' ')" 'io-errors'
done_testing
