#!/bin/sh
# varylive and varnishncsa on the same file, in turns: CPU time of each run and
# the ratio of the medians; then varylive's memory on a long log.
#   top_builddir=BUILD tests/bench/live/throughput.sh FILE.vsl|REQUESTS [LONG]
# A number instead of a file: such a log is made by makelog, which is compiled for
# the Varnish that is here.  LONG: requests of the log for the memory (10000000).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
varylive=${top_builddir:?}/varylive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
# shellcheck disable=SC2046
$cc -O2 -I"$top" $(pkg-config --cflags varnishapi) -o "$work/makelog" "$here/makelog.c" -lm
agents=$top/data/useragents.tsv
case ${1:-300000} in
*[!0-9]*) log=$1 ;;
*)
	log=$work/log.vsl
	"$work/makelog" "${1:-300000}" 10000 2000 1 "$agents" >"$log"
	;;
esac
n=$("$varylive" -r "$log" --format json | sed -n 's/.*"transactions": \([0-9]*\),.*/\1/p')
cpu() { # seconds of user and system time
	python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.3f" % (u.ru_utime + u.ru_stime))' "$@"
}
i=0
while [ $i -lt 5 ]; do
	cpu varnishncsa -r "$log" >>"$work/ncsa"
	cpu "$varylive" -r "$log" >>"$work/live"
	i=$((i + 1))
done
median() { sort -n "$1" | sed -n 3p; }
awk -v n="$n" -v a="$(median "$work/ncsa")" -v b="$(median "$work/live")" 'BEGIN {
	printf "varnishncsa  %.3f s CPU  %d transactions/s\n", a, n / a
	printf "varylive     %.3f s CPU  %d transactions/s  ratio %.2f\n", b, n / b, a / b
}'
[ "${2:-0}" -gt 0 ] || exit 0
"$work/makelog" "$2" 1000000 5000 1 "$agents" | python3 -c '
import resource, subprocess, sys
subprocess.run([sys.argv[1], "-r", "-"], stdout=subprocess.DEVNULL, check=True)
print("memory       %d kB for %s requests, a million URLs"
    % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, sys.argv[2]))' "$varylive" "$2"
