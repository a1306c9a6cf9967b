#!/bin/bash
# What the VMOD costs, beside what one would write without it.
#
#   tests/bench/vmod.sh BUILD_FOLDER [ROUNDS, 5 [PART...]]
#
# Parts, all by default:
#   calls   CPU of one call inside varnishd, beside regular expressions and
#           varnish-modules' accept
#   core    the functions of vary/ alone, in nanoseconds and instructions
#   hits    what a hit costs with the VMOD and without
#   walk    what a hit costs among 1 to 4,000 variants, as a table and a plot
#           (BUILD_FOLDER/vmod-walk.svg), and with a policy that leaves one
# Each figure that the project has set itself is printed with "reached" or "missed"; exits
# 1 if one was missed.  All is CPU time, rows take turns, and the least of ROUNDS
# counts: what else the machine does can only add to it.  Loopback only; needs varnish, wrk; valgrind
# for instructions, gnuplot for the plot, varnish-modules for the rows of accept.
set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cd "$top" || exit 2
[ $# -ge 1 ] || { sed -n '2,17s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
rounds=${2:-5}
case $rounds in
'' | *[!0-9]* | 0) echo "vmod.sh: ROUNDS is a number" >&2; exit 2 ;;
esac
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- calls core hits walk
for part in say servers; do
	# shellcheck source=/dev/null
	. "demo/$part.sh"
done
vmods=$(ls -d /usr/lib/*/varnish/vmods 2>/dev/null | head -n 1)
servers_folder
mkdir "$tmp/vcl" "$tmp/vmod" && cp "$build/vmod/.libs/libvmod_vary.so" "$tmp/vmod/" ||
	die "cannot fill $tmp"
cp "$top"/vcl/*.vcl "$tmp/vcl/"
have_accept=no
if [ -e "$vmods/libvmod_accept.so" ]; then have_accept=yes; fi
# An import that a row does not use is no error here; the parameter has two names.
unref='-p vcc_err_unref=off'
if varnishd -x parameter 2>/dev/null | grep -q '^vcc_feature'; then
	unref='-p vcc_feature=-err_unref'
fi

# server NAME VCL: one whose log costs nothing.
server() {
	# shellcheck disable=SC2206
	varnish_options=(-p vmod_path="$tmp/vmod:$vmods" $unref
		-p workspace_client=8m -p workspace_backend=8m -p thread_pool_max=20
		-p thread_pool_stack=2m
		-p vsl_mask=-VCL_call,-ReqHeader,-ReqUnset,-BerespHeader,-BerespUnset,-RespHeader,-RespUnset,-VCL_Log)
	varnishd_start "$1" "$2"
	child=$(cut -d ' ' -f 1 "/proc/${varnish_pid[$1]}/task/${varnish_pid[$1]}/children")
	varnish_child[$1]=$child
}
declare -A varnish_child

# cost NAME SECONDS PATH [WRK'S ARGUMENTS]: microseconds of the worker's CPU a request.
cost() {
	local before n

	before=$(cpu_ns "$1")
	n=$(wrk -t1 -c1 -d"$2" "${@:4}" "http://127.0.0.1:${varnish_port[$1]}$3" |
	    awk '/requests in/ { n = $1 } /Non-2xx/ { bad = 1 } END { print bad ? 0 : n }')
	[ "${n:-0}" -gt 0 ] || die_log "$tmp/$1.out" "no answers, or none with 200"
	awk -v b="$before" -v a="$(cpu_ns "$1")" -v n="$n" 'BEGIN { printf "%.3f\n", (a - b) / 1000 / n }'
}
cpu_ns() { cat /proc/"${varnish_child[$1]}"/task/*/schedstat | awk '{ s += $1 } END { printf "%.0f\n", s }'; }
least() { sort -g | head -n 1; }

missed=0
# figure TEXT VALUE OPERATOR LIMIT
figure() {
	local verdict=reached

	awk -v a="$2" -v b="$4" "BEGIN { exit !(a $3 b) }" || { verdict=missed; missed=1; }
	printf '  figure: %s: %s, must be %s %s: %s\n' "$1" "$2" "$3" "$4" "$verdict"
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", a / b }'; }

printf 'varnishd %s, the least of %d rounds\n' \
	"$(varnishd -V 2>&1 | sed -n 's/^varnishd (varnish-\([^ )]*\).*/\1/p')" "$rounds"
for part; do
	case $part in
	calls | core | hits | walk)
		echo
		# shellcheck source=/dev/null
		. "tests/bench/vmod-$part.sh"
		;;
	*) echo "vmod.sh: no part $part" >&2; exit 2 ;;
	esac
done
exit $missed
