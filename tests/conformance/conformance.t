#!/bin/sh
# The public cache tests (npm http-cache-tests, https://cache-tests.fyi) against
# varnishd with its built-in VCL and with vary.vcl: all that concern Vary pass
# with it, the rest stay as they were.  ./quickstart deps puts the package into
# build/npm; HTTP_CACHE_TESTS names it elsewhere.
here=$top_srcdir/tests/conformance
pkg=${HTTP_CACHE_TESTS:-$top_srcdir/build/npm/node_modules/http-cache-tests}
varnishd=$(command -v varnishd || command -v vinyld)
skip() {
	echo "1..1"
	echo "ok 1 # SKIP $1"
	exit 0
}
[ -d "$pkg/tests" ] || skip "npm package http-cache-tests is not there: ./quickstart deps"
command -v node >/dev/null || skip "node is not installed"
[ -n "$varnishd" ] || skip "varnishd is not installed"
node=$(command -v node)
pkg=$(cd "$pkg" && pwd)
tmp=$(mktemp -d) || exit 99
chmod 755 "$tmp"
pids=
cleanup() {
	for p in $pids; do kill "$p" 2>/dev/null; done
	for p in $pids; do wait "$p" 2>/dev/null; done
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

free_port() {
	"$node" -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}
fail() {
	echo "Bail out! $1"
	sed "s/^/# /" "$tmp"/*.log "$tmp"/*.err
	exit 1
}

origin=$(free_port)
(cd "$pkg" && exec env npm_config_protocol=http npm_config_port="$origin" \
	npm_config_pidfile="$tmp/origin.pid" "$node" --no-warnings -r "$here/loopback.cjs" \
	server/server.mjs) >"$tmp/origin.log" 2>&1 &
pids="$pids $!"
i=0
until grep -q Listening "$tmp/origin.log"; do
	i=$((i + 1))
	[ $i -lt 100 ] || fail "the test server does not start"
	sleep 0.1
done

# cache NAME VCL: varnishd as the suite's own set-up runs it; prints its port.
cache() {
	port=$(free_port)
	cat >"$tmp/$1.vcl" <<-VCL
		vcl 4.1;
		backend origin { .host = "127.0.0.1"; .port = "$origin"; }
		$2
	VCL
	"$varnishd" -F -n "$tmp/$1" -a "127.0.0.1:$port" -f "$tmp/$1.vcl" -s malloc,64M \
		-p default_ttl=0 -p default_grace=0 -p default_keep=3600 \
		-p vmod_path="$top_builddir/vmod/.libs" \
		-p vcl_path="$here:$top_srcdir/vcl" >"$tmp/$1.log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	echo "$port" >"$tmp/$1.port"
	i=0
	until varnishadm -t 1 -n "$tmp/$1" status 2>/dev/null | grep -q running; do
		i=$((i + 1))
		[ $i -lt 100 ] && kill -0 $pid 2>/dev/null ||
			fail "varnishd does not start ($1)"
		sleep 0.1
	done
}
client() {
	(cd "$pkg" && exec env npm_config_base="http://127.0.0.1:$(cat "$tmp/$1.port")" \
		npm_config_id= npm_package_config_id= timeout 300 "$node" --no-warnings cli.mjs) >"$tmp/$1.json" 2>"$tmp/$1.err"
}

cache builtin ''
cache varykit 'include "german.vcl";'
# Both at once: the tests wait more than they work.
client builtin &
first=$!
pids="$pids $first"
client varykit || fail "the client failed"
wait $first || fail "the client failed"
"$node" --no-warnings "$here/judge.mjs" "$pkg" "$tmp/builtin.json" "$tmp/varykit.json"
