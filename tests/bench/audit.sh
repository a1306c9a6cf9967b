#!/bin/sh
# Requests a second of an audit, bodies compared, against h2load's, at the same
# number of connections, from the same nginx; in turns, RUNS times.  CPU is the
# client's own: on a machine that does other things it says more than the rate.
# Half of an audit's is libcurl's: it formats each byte of a request's head, and
# looks at a kept connection before it is used again.
#	top_srcdir=. top_builddir=build tests/bench/audit.sh [URLS] [CONNECTIONS] [RUNS]
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-nginx.sh"
urls=${1:-2000} conns=${2:-16} runs=${3:-3}
command -v h2load >/dev/null || { echo "no h2load (Debian: nghttp2-client)"; exit 77; }
has_nginx || { echo "$no_nginx"; exit 77; }
port=$(free_port)
mkdir -p "$work/www"
write_page "$work/www/page.html"
nginx_conf <<CONF
	keepalive_requests 1000000;
	server {
		listen 127.0.0.1:$port;
		root $work/www;
		location / { try_files /page.html =404; }
	}
CONF
start_nginx "$port" || exit 1
base=http://127.0.0.1:$port
i=0
while [ $i -lt "$urls" ]; do echo "$base/$i"; i=$((i + 1)); done >"$work/list"
now() { date +%s.%N; }
# cpu COMMAND: CPU seconds of it into $work/cpu
cpu() {
	perl -e 'my $f = shift; system @ARGV; my @t = times; open my $o, ">", $f;
	    printf $o "%.3f\n", $t[2] + $t[3]' "$work/cpu" "$@"
}
r=0
while [ $r -lt "$runs" ]; do
	r=$((r + 1))
	a=$(now)
	cpu "$VARYPROBE" audit --rate 0 --seed 1 --no-robots --per-host "$conns" \
	    --concurrency "$conns" --urls "$work/list" --format ndjson >"$work/out"
	ca=$(cat "$work/cpu")
	b=$(now)
	n=$(tail -n 1 "$work/out" | jq .requests)
	# A browser's headers, as an audit has them: the origin's work is the same.
	cpu h2load --h1 -t 1 -c "$conns" -n "$n" \
	    -H 'Accept-Language: en-US,en;q=0.9' -H 'Accept-Encoding: gzip, deflate, br' \
	    -H 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' \
	    -H 'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36' \
	    "$base/1" >"$work/h2" 2>&1
	h=$(sed -n 's/^finished in .*, \([0-9.]*\) req\/s.*/\1/p' "$work/h2")
	awk -v a="$a" -v b="$b" -v n="$n" -v h="$h" -v ca="$ca" \
	    -v ch="$(cat "$work/cpu")" 'BEGIN {
		v = n / (b - a)
		printf "audit %.0f requests/s (%d requests), h2load %.0f: ratio %.2f; ", v, n, h, v / h
		printf "CPU a request %.1f us, h2load %.1f us: %.1f times\n",
		    ca / n * 1e6, ch / n * 1e6, ca / ch }'
done
