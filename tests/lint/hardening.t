#!/bin/sh
# What was built is hardened as configure promised: read with readelf from the
# programs and the module of this build.
t=$top_builddir
n=0
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
# The file itself, not the script that libtool may have put in its place.
real() {
	if [ -f "$t/$(dirname "$1")/.libs/$(basename "$1")" ]; then
		echo "$t/$(dirname "$1")/.libs/$(basename "$1")"
	else
		echo "$t/$1"
	fi
}
if ! command -v readelf >/dev/null 2>&1; then
	echo "1..0 # SKIP readelf is not installed"
	exit 0
fi
if ! readelf -h "$(real varyprobe)" >/dev/null 2>&1; then
	echo "1..0 # SKIP the programs were not built, or are not ELF"
	exit 0
fi
if [ -n "$ASAN_PRELOAD" ] || readelf -Ws "$(real varyprobe)" | grep -q __asan_init; then
	echo "1..0 # SKIP sanitizers take the place of hardening in this build"
	exit 0
fi
for f in varyprobe varylive diskbench/diskbench vmod/libvmod_vary.so; do
	b=$(real $f)
	[ -f "$b" ] || continue
	d=$(readelf -Wd "$b")
	l=$(readelf -Wl "$b")
	s=$(readelf -Ws --dyn-syms "$b")
	case $f in
	*.so) ;;
	*)
		readelf -Wh "$b" | grep -q 'Type: *DYN' && echo "$d" | grep -q 'FLAGS_1.*PIE'
		ok $? "$f: position independent"
		;;
	esac
	echo "$l" | grep -q GNU_RELRO && echo "$d" | grep -qE 'BIND_NOW|FLAGS_1.*NOW'
	ok $? "$f: RELRO, all symbols bound at start"
	echo "$l" | grep 'GNU_STACK' | grep -q 'RW ' && ! echo "$l" | grep 'GNU_STACK' | grep -q RWE
	ok $? "$f: the stack is not executable"
	! echo "$d" | grep -qE 'TEXTREL|RPATH|RUNPATH'
	ok $? "$f: no text relocations, no search path of its own"
	echo "$s" | grep -q '__stack_chk_fail'
	ok $? "$f: stack protector"
	echo "$s" | grep -qE '__[a-z]+_chk'
	ok $? "$f: _FORTIFY_SOURCE"
	# The only writable and executable memory would be here.
	! echo "$l" | grep LOAD | grep -q 'RWE'
	ok $? "$f: no segment both writable and executable"
done
# The level that the C library makes of what configure asked for.  It knows 3 from
# glibc 2.34 on, with gcc 12 or clang 9.
cc=$(sed -n 's/^CC = //p' "$t/Makefile")
# shellcheck disable=SC2086
level=$(printf '#include <features.h>\n__USE_FORTIFY_LEVEL\n' |
	$cc $(sed -n 's/^HARDEN_CFLAGS = //p' "$t/Makefile") -O2 -E -P - 2>/dev/null | tail -n 1)
case $level in
[0-9])
	echo "# $cc: _FORTIFY_SOURCE $level"
	[ "$level" -eq 3 ]
	ok $? "_FORTIFY_SOURCE is 3"
	;;
*)
	n=$((n + 1))
	echo "ok $n # SKIP this C library does not say which _FORTIFY_SOURCE it has"
	;;
esac
# A module's door is one symbol.
m=$(real vmod/libvmod_vary.so)
if [ -f "$m" ]; then
	[ "$(readelf -Ws --dyn-syms "$m" | awk '$5 == "GLOBAL" && $7 != "UND" { print $8 }' | sort -u | tr '\n' ' ')" = "Vmod_vary_Data " ]
	ok $? "the module exports Vmod_vary_Data and nothing else"
fi
echo "1..$n"
