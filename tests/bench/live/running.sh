#!/bin/sh
# varylive beside a varnishd that is busy: requests a second, what varylive takes of one
# core for them, and whether the log ever overran it.
#   top_builddir=BUILD tests/bench/live/running.sh [RATE [SECONDS]]
# RATE requests a second (5000), for SECONDS (20).  Visitors are wrk's, in pipelines of
# ten (fifty for more than 10,000), with 20 of the browsers of data/useragents.tsv and 50 pages: nearly all are hits, for
# the origin must not be what is measured.  Needs wrk, varnish and python3; loopback only.
set -eu
export LC_ALL=C
top_srcdir=$(cd "$(dirname "$0")/../../.." && pwd)
: "${top_builddir:?}"
. "$top_srcdir/tests/cli/lib-live.sh"
rate=${1:-5000}
seconds=${2:-20}
connections=40
pipeline=$((rate > 10000 ? 50 : 10))
start_origin
start_varnish v1 -p vsl_space=80M <<VCL
backend b { .host = "127.0.0.1"; .port = "$port"; }
sub vcl_backend_response { set beresp.ttl = 120s; }
VCL
head -n 20 "$top_srcdir/data/useragents.tsv" | cut -f 2 >"$work/agents"
cat >"$work/visit.lua" <<LUA
local agents = {}
for line in io.lines("$work/agents") do agents[#agents + 1] = line end
-- How long a connection waits: two hundred batches make a second's rate exact.
local wait = math.floor($connections * $pipeline * 1000 / $rate)
function delay() return wait end
function request()
	local r = {}
	for i = 1, $pipeline do
		local ua = agents[math.floor((#agents) ^ math.random())]
		r[i] = "GET /shop/" .. math.floor(50 ^ math.random()) .. "/item HTTP/1.1\r\nHost: shop.example\r\n" ..
		    "User-Agent: " .. ua .. "\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n"
	end
	return table.concat(r)
end
LUA
"$VARYLIVE" -n "$work/v1" --format json --once >"$work/out" 2>"$work/err" &
reader=$!
pids="$pids $reader"
sleep 1
counter() { varnishstat -n "$work/v1" -1 -f MAIN.client_req | awk '{ print $2 }'; }
ticks() { sed 's/^.*) //' "/proc/$reader/stat" | awk '{ print $12 + $13 }'; }
wrk -t1 -c$connections -d"${seconds}s" -s "$work/visit.lua" "http://127.0.0.1:$port/" >"$work/wrk" 2>&1 &
crowd=$!
pids="$pids $crowd"
# The caches of both fill first.
sleep 2
n=$(counter)
t=$(ticks)
began=$(date +%s.%N)
sleep $((seconds - 4))
m=$(counter)
u=$(ticks)
ended=$(date +%s.%N)
wait $crowd || { cat "$work/wrk" >&2; exit 1; }
sleep 2
kill -INT $reader
wait $reader || true
awk -v n=$((m - n)) -v t=$((u - t)) -v hz="$(getconf CLK_TCK)" -v a="$began" -v b="$ended" 'BEGIN {
	printf "asked of varnishd   %.0f requests/s\n", n / (b - a)
	printf "varylive            %.1f %% of one core, %.1f us a request\n", 100 * t / hz / (b - a), 1e6 * t / hz / n
}'
j '"overruns            \(.source.overruns)", "requests counted    \(.totals.requests), \(.totals.incomplete) of them not to their end", "hit ratio           \(.totals.hit_ratio)"'
# Not varnishd's own counter, in which a request that waited for another counts twice.
echo "requests logged     $(varnishncsa -n "$work/v1" -d | wc -l) (as far back as the log goes)"
cat "$work/err"
