# What the tests of diskbench share: TAP, a folder of one's own, loop devices
# that are detached whatever happens.  Never a disk of the machine's.
# shellcheck shell=sh disable=SC2034
set -u
# Mounts of one's own: a namespace that another test makes meanwhile would have a copy of
# what is mounted here, and keep it busy when it is unmounted here.
if [ -z "${disk_namespace:-}" ] &&
    unshare -m --propagation private true 2>/dev/null; then
	disk_namespace=$$
	export disk_namespace
	exec unshare -m --propagation private "$(readlink "/proc/$$/exe")" "$0" "$@"
fi
DISKBENCH=$top_builddir/diskbench/diskbench
# Tests read this back; the machine's language must not matter.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin
. "$top_srcdir/tests/cli/lib-tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/diskbench.XXXXXX") || exit 99
pids=
loops=
mounts=
swaps=
zrams=
group=
watch_bytes=
clean() {
	for p in $pids; do
		kill "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	for s in $swaps; do swapoff "$s" 2>/dev/null; done
	for m in $mounts; do umount "$m" 2>/dev/null; done
	# A device that a test has let go may be another test's by now: only what
	# holds a file of ours is ours.
	for l in $loops; do
		case $(cat "/sys/block/${l#/dev/}/loop/backing_file" 2>/dev/null) in
		"$work"/*)
			# Its partitions would be the next file's.
			partx -d "$l" 2>/dev/null
			losetup -d "$l" 2>/dev/null
			;;
		esac
	done
	for z in $zrams; do echo "$z" >/sys/class/zram-control/hot_remove; done
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# bench ARGS: exit code in $code, output in $out and $err, and in $work/out.
bench() {
	"$DISKBENCH" "$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}
# has_open PID NAME: a file of this name
has_open() {
	find "/proc/$1/fd" -lname "*/$2" 2>/dev/null | grep -q .
}
# In the background, until it says that it runs: its stderr, in the file err, has the
# status line.
says_jobs() {
	tr '\r' '\n' <"$work/err" | grep -Eq '^(.*: )?Jobs: 1 '
}
# interrupted SIGNAL ARGS: as bench; has the signal once it says that it measures.
interrupted() {
	interrupted_by=$1
	shift
	: >"$work/err"
	"$DISKBENCH" "$@" --status always >"$work/out" 2>"$work/err" </dev/null &
	interrupted=$!
	pids="$pids $interrupted"
	await says_jobs
	kill -"$interrupted_by" $interrupted
	wait $interrupted
	code=$?
	pids=${pids% "$interrupted"}
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}
# results ARGS: see there.
results() {
	python3 "$top_srcdir/tests/cli/results.py" "$@"
}
need_loops() {
	[ "$(uname -s)" = Linux ] || skip_all "loop devices are Linux's"
	[ "$(id -u)" = 0 ] || skip_all "loop devices need root"
	command -v losetup >/dev/null || skip_all "no losetup (Debian: mount)"
	command -v flock >/dev/null || skip_all "no flock (Debian: util-linux)"
	dd if=/dev/urandom of="$work/probe.img" bs=1M count=1 2>/dev/null
	attach "$work/probe.img" || skip_all "no loop devices here"
	losetup -d "$dev"
	rm -f "$work/probe.img"
}
# attach FILE [OPTIONS OF LOSETUP]: the device in $dev
# One at a time, whatever tests run: of two that are told the same free device, the
# one that comes too late has it open for a while, and that is to have it in use.
attach() {
	attach_file=$1
	shift
	dev=$(flock /dev/loop-control \
	    losetup --find --show "$@" "$attach_file" 2>/dev/null) || return 1
	loops="$loops $dev"
}
# attach_instead FILE DEVICE: DEVICE lets its file go and has FILE.  Nobody else is
# given it in between.
attach_instead() {
	(
		flock 9 && losetup -d "$2" && await losetup "$2" "$1" 2>/dev/null
	) 9</dev/loop-control
}
# random_loop NAME MIB [OPTIONS]: a file of random data and a device on it
random_loop() {
	dd if=/dev/urandom of="$work/$1" bs=1M count="$2" 2>/dev/null
	random_name=$1
	shift 2
	attach "$work/$random_name" --direct-io=on "$@" ||
	    attach "$work/$random_name" "$@"
}
# zero_loop NAME MIB [OPTIONS]: a file of nothing and a device on it
zero_loop() {
	truncate -s "$2"M "$work/$1"
	shift_name=$1
	shift 2
	attach "$work/$shift_name" "$@"
}
# token_of DEVICE: the word that stands for consent
token_of() {
	"$DISKBENCH" identify --format json "$1" 2>/dev/null | jq -r '.devices[0].token'
}
# watched DEVICE: its hash.  Of active swap only what the kernel leaves alone, the first
# $watch_bytes: others on this machine may be short of memory.
watched() {
	if [ -n "$watch_bytes" ]; then
		blockdev --flushbufs "$1" 2>/dev/null
		head -c "$watch_bytes" "$1" | b2sum | cut -d' ' -f1
	else
		hash_of "$1"
	fi
}
# What fio does there: writes or not, and its exit status.  Then all is as before.
fio_too() { # NAME PATH DEVICES AND FILES TO WATCH
	[ -n "${FIO:-}" ] || return 0
	fio_name=$1 fio_path=$2
	shift 2
	n=0 wrote=no
	for w; do
		n=$((n + 1))
		watched "$w" >"fio.sum.$n"
		cat "$w" >"fio.saved.$n"
	done
	"$FIO" --name=x --filename="$fio_path" --rw=randwrite --bs=4k --direct=1 \
	    --number_ios=64 --randrepeat=0 >fio.out 2>&1
	r=$?
	n=0
	for w; do
		n=$((n + 1))
		[ "$(watched "$w")" = "$(cat "fio.sum.$n")" ] || {
			wrote=yes
			dd if="fio.saved.$n" of="$w" bs=1M conv=notrunc 2>/dev/null
			blockdev --flushbufs "$w" 2>/dev/null
		}
		rm -f "fio.saved.$n"
	done
	printf '# fio: %s: exit %d, wrote: %s\n' "$fio_name" "$r" "$wrote"
}
majmin() {
	stat -c '%t %T' "$1" | {
		read -r a b
		echo $((0x$a)):$((0x$b))
	}
}
# throttle DEVICE KIND N: KIND is riops, wiops, rbps or wbps; N 0 lifts it.
# Commands run by `in_group` are slowed down.  1: not possible here.
throttle() {
	if [ -z "$group" ]; then
		if [ -e /sys/fs/cgroup/blkio/blkio.throttle.read_iops_device ]; then
			group=/sys/fs/cgroup/blkio/diskbench.$$
		elif [ -e /sys/fs/cgroup/cgroup.subtree_control ] &&
		    grep -qw io /sys/fs/cgroup/cgroup.subtree_control; then
			group=/sys/fs/cgroup/diskbench.$$
		else
			return 1
		fi
		mkdir "$group" 2>/dev/null || {
			group=
			return 1
		}
	fi
	case $group in
	*/blkio/*)
		case $2 in
		riops) f=read_iops_device ;;
		wiops) f=write_iops_device ;;
		rbps) f=read_bps_device ;;
		wbps) f=write_bps_device ;;
		esac
		echo "$(majmin "$1") $3" 2>/dev/null >"$group/blkio.throttle.$f"
		;;
	*)
		n=$3
		[ "$n" != 0 ] || n=max
		echo "$(majmin "$1") $2=$n" 2>/dev/null >"$group/io.max"
		;;
	esac
}
# A session of its own is a group of its own for the scheduler (autogroup), and
# does not share its part of the CPUs with whatever else these tests run.  fio's
# jobs have such sessions.
in_group() {
	setsid -w sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
bench_in_group() {
	in_group "$DISKBENCH" "$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}
# settled COMMAND...: up to three times, as long as the result in $work/out says that
# others were using this machine.  The bounds of what is asked then are the same.
settled() {
	for settled_try in 1 2 3; do
		"$@"
		jq -e '[.jobs[].diskbench.warnings[].id] | any(IN("steal", "cpu-wait", "cpu-bound", "generator-late"))' \
		    "$work/out" >/dev/null 2>&1 || return 0
		[ "$settled_try" = 3 ] || echo "# once more: others were using this machine"
	done
}
# Of the whole device, not of what the page cache has of it.
hash_of() {
	blockdev --flushbufs "$1" 2>/dev/null
	b2sum <"$1" | cut -d' ' -f1
}
