# What the tests of a write that is refused share, beside lib-disk.sh: each asks with the
# right token and with --overwrite-data, so only the check at hand can save the device.
# With FIO=fio in the environment fio is asked for the same each time, and a comment says
# what it did: the table in the manual is made of those.
# shellcheck shell=sh disable=SC2154
command -v jq >/dev/null || skip_all "no jq"
need_loops
cd "$work" || exit 99
watch=

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
# map_and_close PATH: a process, $p, has it mapped for writing, and no descriptor of it.
map_and_close() {
	if ! command -v python3 >/dev/null; then
		skip "a mapping for writing of $1" "no python3"
		return 1
	fi
	rm -f mapped
	# Python's own mmap keeps a descriptor.
	python3 -c '
import ctypes, os, sys, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
fd = os.open(sys.argv[1], os.O_RDWR)
at = libc.mmap(None, ctypes.c_size_t(4096), 3, 1, fd, ctypes.c_long(0))
os.close(fd)
open("mapped", "w").close()
time.sleep(300)' "$1" &
	p=$!
	pids="$pids $p"
	await [ -e mapped ]
}
