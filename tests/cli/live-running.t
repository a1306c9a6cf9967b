#!/bin/sh
# A varnishd that runs: the log as it is written, the files that are kept up to
# date, and the ends that a reading can come to.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishd varnishadm varnishlog jq python3
start_origin
start_varnish v1 -p vsl_space=80M <<VCL
backend b { .host = "127.0.0.1"; .port = "$port"; }
VCL
web=$port

told() { # FILE N: the textfile has so many requests
	[ "$(awk '/^varylive_requests_total/ { n += $2 } END { print n + 0 }' "$1" 2>/dev/null)" = "$2" ]
}
reported() { # FILE N: the result has
	[ "$(jq .totals.requests "$1" 2>/dev/null)" = "$2" ]
}

# Live, until interrupted: no file, no -d.  It is at the log's end once it has
# written for the first time.
"$VARYLIVE" -n "$work/v1" --format json --prometheus "$work/v.prom" --interval 200ms \
	>"$work/out" 2>"$work/err" &
reader=$!
pids="$pids $reader"
await test -s "$work/v.prom"
visit "$web" a 400 400 20 || bail "visits failed"
await told "$work/v.prom" 400
is "the textfile is kept up to date" \
    "$(awk '/^varylive_requests_total/ { n += $2 } END { print n }' "$work/v.prom")" 400
is "and nothing else of it lies about" "$(echo "$work"/v.prom*)" "$work/v.prom"
like "it names the group" "$(cat "$work/v.prom")" \
    '^varylive_group_requests_total\{group="shop\.example/shop/[^"]*",backend="(boot\.)?b",handling="miss"\} [0-9]+$'
if command -v promtool >/dev/null 2>&1; then
	is "promtool has nothing to say" "$(promtool check metrics <"$work/v.prom" 2>&1)" ""
else
	skip "promtool has nothing to say" "no promtool (Debian: prometheus)"
fi
kill -INT $reader
wait $reader
is "interrupted: exit 0" "$?" 0
is "nothing on stderr" "$(cat "$work/err")" ""
is "the report is whole" "$(j .totals.requests)" 400
is "it knows where it is from" "$(j .source.kind)" varnishd
is "no overrun" "$(j .source.overruns)" 0

live -n "$work/v1" -d --format json
is "-d: what the log holds" "$code $(j .totals.requests)" "0 400"
is "-d: replayed as observed" "$(j '.replay.error_points | fabs < 1')" true
live -n "$work/v1" -d -q 'VCL_call eq "MISS"' --format json
is "-q: misses only" "$code $(j '.totals.handling.hit, (.totals.handling.miss > 0)' | tr '\n' ' ')" "0 0 true "
live -n "$work/v1" --duration 500ms --format json
is "--duration: ends by itself" "$code $(j .totals.requests)" "0 0"

# In the background, with its number in a file.
live -n "$work/v1" -D -P "$work/pid" -o "$work/daemon.json" --format json --interval 200ms
is "-D: exit 0 at once" "$code" 0
await reported "$work/daemon.json" 0
pid=$(cat "$work/pid")
pids="$pids $pid"
visit "$web" b 50 400 20 || bail "visits failed"
await reported "$work/daemon.json" 50
is "-D: the file is kept up to date" "$(jq .totals.requests "$work/daemon.json")" 50
kill "$pid"
await ended "$pid"
is "-D: ends when told to, and takes its file along" "$([ -e "$work/pid" ] || echo gone)" gone

# The screen needs a terminal: script(1) has one.
if command -v script >/dev/null 2>&1; then
	script -qec "stty rows 24 cols 80; $VARYLIVE -n $work/v1 --duration 3s --interval 300ms" \
	    /dev/null >"$work/screen" 2>&1 </dev/null &
	screen=$!
	await [ -s "$work/screen" ]
	visit "$web" c 50 400 20 || bail "visits failed"
	wait $screen
	is "a terminal: the table is drawn again and again" \
	    "$([ "$(grep -c "$(printf '\033')\[H" "$work/screen")" -ge 2 ] && echo yes)" yes
	like "a terminal: and says what is" "$(tr -d '\r' <"$work/screen")" 'requests in'
else
	skip "a terminal" "no script (Debian: bsdutils)"
fi
done_testing
