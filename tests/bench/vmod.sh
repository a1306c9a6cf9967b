#!/bin/bash
# CPU of the worker process per call, inside varnishd: what this module's calls
# cost beside the usual regular expressions and beside varnish-modules' accept.
# Each row repeats its lines N times in one sub, and its cost is what a request
# takes more than one that repeats the row's own preparation only, so that the
# request itself cancels out.  The rows of a group take turns, ROUNDS times, and
# the median is printed.  Loopback only; needs wrk, varnishd, and for the accept
# rows varnish-modules.
#
#	tests/bench/vmod.sh BUILD [ROUNDS]
set -u
build=$(cd "${1:?usage: vmod.sh BUILD [ROUNDS]}" && pwd) || exit 2
rounds=${2:-5}
top=$(cd "$(dirname "$0")/../.." && pwd)
N=100
tmp=$(mktemp -d) && chmod 755 "$tmp" || exit 1
pid=
trap '[ -n "$pid" ] && kill $pid 2>/dev/null; rm -rf "$tmp"' EXIT
jail=
[ "$(id -u)" -eq 0 ] && jail='-j none'

# repeat LINES: N times.
repeat() {
	local i
	for ((i = 0; i < N; i++)); do printf '%s\n' "$1"; done
}

# vcl FILE SUB INIT LINES
vcl() {
	{
		echo 'vcl 4.1; backend b none; import vary; import std;'
		[ "$have_accept" = yes ] && echo 'import accept;'
		printf 'sub vcl_init { new p = vary.policy(); %s }\n' "$3"
		case $2 in
		recv)
			echo 'sub vcl_recv {'
			repeat "$4"
			echo 'return (synth(200)); }'
			;;
		backend)
			echo 'sub vcl_recv { return (pass); } sub vcl_backend_error { set beresp.status = 200;'
			repeat "$4"
			echo 'return (deliver); }'
			;;
		deliver)
			echo 'sub vcl_recv { return (synth(200)); } sub vcl_synth {'
			repeat "$4"
			echo 'return (deliver); }'
			;;
		esac
	} >"$1"
}

# An import that a row does not use is no error here; the parameter has two names.
unref='-p vcc_err_unref=off'
varnishd -x parameter 2>/dev/null | grep -q '^vcc_feature' && unref='-p vcc_feature=-err_unref'

have_accept=no
[ -e /usr/lib/*/varnish/vmods/libvmod_accept.so ] && have_accept=yes

# ticks VCL: microseconds of CPU of the worker per request.
cost() {
	local port child before after n
	port=$((20000 + RANDOM % 20000))
	varnishd $jail -F -n "$tmp/n" -a "127.0.0.1:$port" -f "$1" -s malloc,32M \
		-p thread_pools=1 -p workspace_client=8m -p workspace_backend=8m \
		-p vsl_mask=-VCL_call,-ReqHeader,-ReqUnset,-BerespHeader,-BerespUnset,-RespHeader,-RespUnset,-VCL_Log \
		-p vmod_path="$build/vmod/.libs:$(ls -d /usr/lib/*/varnish/vmods)" \
		$unref >"$tmp/log" 2>&1 &
	pid=$!
	until varnishadm -t 1 -n "$tmp/n" status 2>/dev/null | grep -q running; do
		kill -0 $pid 2>/dev/null || { cat "$tmp/log" >&2; exit 1; }
		sleep 0.1
	done
	child=$(pgrep -P $pid -x cache-main)
	wrk -t1 -c1 -d1 -H 'Accept-Language: de-AT,de;q=0.9,en;q=0.8' \
		-H 'Accept: text/html,image/webp,*/*;q=0.8' -H 'Cookie: _ga=1; lang=de; session=abc' \
		"http://127.0.0.1:$port/" >/dev/null
	before=$(awk '{ print $14 + $15 }' "/proc/$child/stat")
	n=$(wrk -t1 -c1 -d3 -H 'Accept-Language: de-AT,de;q=0.9,en;q=0.8' \
		-H 'Accept: text/html,image/webp,*/*;q=0.8' -H 'Cookie: _ga=1; lang=de; session=abc' \
		"http://127.0.0.1:$port/" | awk '/requests in/ { print $1 }')
	after=$(awk '{ print $14 + $15 }' "/proc/$child/stat")
	kill $pid; wait $pid 2>/dev/null; pid=
	awk -v t=$((after - before)) -v n="$n" -v hz="$(getconf CLK_TCK)" \
		'BEGIN { printf "%.3f\n", t / hz * 1e6 / n }'
}
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

# group SUB PREPARATION, then NAME|INIT|LINES on stdin.
group() {
	local sub=$1 prep=$2 name init lines r
	rm -f "$tmp"/row.*
	vcl "$tmp/base.vcl" "$sub" '' "$prep"
	while IFS='|' read -r name init lines; do
		vcl "$tmp/row.$name.vcl" "$sub" "$init" "$prep $lines"
	done
	for ((r = 0; r < rounds; r++)); do
		b=$(cost "$tmp/base.vcl") || exit 1
		for f in "$tmp"/row.*.vcl; do
			c=$(cost "$f") || exit 1
			awk -v c="$c" -v b="$b" -v n=$N 'BEGIN { printf "%.4f\n", (c - b) / n }' >>"$f.us"
		done
	done
	for f in "$tmp"/row.*.vcl; do
		name=${f#"$tmp"/row.}
		printf '%-44s %8.3f\n' "${name%.vcl}" "$(median <"$f.us")"
	done
}

echo "microseconds of CPU per call, median of $rounds"
group backend 'set beresp.http.Vary = "Host,Accept-Encoding,User-Agent";' <<'E2'
response, three regsub steps||set beresp.http.Vary = regsuball(beresp.http.Vary, "(?i)(^|,)[ \t]*(host|user-agent)[ \t]*(?=,|$)", ""); set beresp.http.Vary = regsub(beresp.http.Vary, "^[ ,]+", ""); set beresp.http.Vary = regsub(beresp.http.Vary, "[ ,]+$", "");
response, .fetch()||p.fetch();
E2
group backend 'set beresp.http.Vary = "Accept-Encoding";' <<'E2'
response in normal form, .fetch()||p.fetch();
E2
if [ $have_accept = yes ]; then
	group recv 'set req.http.Accept-Language = "de-AT,de;q=0.9,en;q=0.8"; set req.http.Accept = "text/html,image/webp,*/*;q=0.8"; set req.http.Cookie = "_ga=1; lang=de; session=abc";' <<'E2'
request, accept.filter twice and two regsub|new l = accept.rule("en"); l.add("de"); l.add("de-AT"); new m = accept.rule("text/plain"); m.add("image/webp");|set req.http.Accept-Language = l.filter(req.http.Accept-Language); set req.http.Accept = m.filter(req.http.Accept); set req.http.Cookie = regsuball(";" + req.http.Cookie, "; *(?!session=|lang=)[^;]*", ""); set req.http.Cookie = regsub(req.http.Cookie, "^[; ]+", "");
request, .recv() of language, media, cookie|p.language("en, de"); p.media("image/webp"); p.cookie("session, lang");|p.recv();
E2
fi
group recv 'set req.http.X = "1";' <<'E2'
request, .recv() with nothing to do||p.recv();
E2
group deliver 'set resp.http.X = "1";' <<'E2'
response, .deliver() with nothing to do||p.deliver();
E2
