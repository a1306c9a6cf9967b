#!/bin/sh
# Two real caches before one origin get the same visits: one as the origin's
# Vary has it, one with the VMOD's policy.  From the log of the first, varylive
# has to say how the first did, and how the second will do.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishd varnishadm varnishlog varnishncsa jq python3
so=$top_builddir/vmod/.libs/libvmod_vary.so
[ -e "$so" ] || skip_all "the VMOD is not built"

start_origin
backend="backend b { .host = \"127.0.0.1\"; .port = \"$port\"; }"
# What many sites do; then Vary: Host never hits.
rewrite='sub vcl_backend_fetch {
	if (bereq.url ~ "^/shop/1[0-9]/") {
		set bereq.http.Host = "internal.example";
	}
}'
start_varnish v1 -p vsl_space=80M <<VCL
$backend
$rewrite
VCL
one=$port
start_varnish v2 -p vsl_space=80M -p "vmod_path=$top_builddir/vmod/.libs" <<VCL
import vary;
$backend
sub vcl_init {
	new site = vary.policy();
}
sub vcl_recv {
	site.recv();
}
$rewrite
sub vcl_backend_response {
	site.fetch();
}
sub vcl_deliver {
	site.deliver();
}
VCL
two=$port

# 5 seconds of 600 visits each, ttl 2 to 5 s: objects expire on the way.
n=3000
visit "$one" seed $n 600 100 &
visitors=$!
visit "$two" seed $n 600 100 || bail "visits to the second failed"
wait $visitors || bail "visits to the first failed"
record v1 $n
record v2 $n

cat >"$work/policy.vcl" <<'VCL'
sub vcl_init {
	new site = vary.policy();
}
VCL
# within NAME A B: hit ratios within one point.
within() {
	if awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d > -0.01 && d < 0.01) }'; then
		tap_ok "$1 ($2, $3)"
	else
		tap_not_ok "$1 ($2, $3)" </dev/null
	fi
}
scenario() {
	j '.replay.scenarios[] | select('"$1"') | .hit_ratio'
}
live -r "$work/v2.vsl" --format json
validate "with the VMOD: as the schema says" varykit.live-1.schema.json "$work/out"
is "with the VMOD: read" "$code $(j .totals.requests)" "0 $n"
fixed=$(j .replay.observed_hit_ratio)
within "with the VMOD: replayed as observed" "$(j .replay.replayed_hit_ratio)" "$fixed"
declared=$(scenario '.kind == "as-declared"')

live -r "$work/v1.vsl" --format json --policy "$work/policy.vcl"
is "without: read" "$code $(j .totals.requests)" "0 $n"
was=$(j .replay.observed_hit_ratio)
within "without: replayed as observed" "$(j .replay.replayed_hit_ratio)" "$was"
within "without: the policy's hits are foretold" "$(scenario '.kind == "policy"')" "$fixed"
within "with: what there was before is told" "$declared" "$was"
is "it made a difference" "$(awk -v a="$was" -v b="$fixed" 'BEGIN { print (b > a + 0.2) }')" 1
is "User-Agent costs most" \
    "$(j '[.replay.scenarios[] | select(.kind == "dropped")] | max_by(.hits_won) | .member')" User-Agent
is "the traps of Host are found where they are" \
    "$(j '[.findings[] | select(.rule == "key-mismatch") | .group] | sort | .[0]')" 'shop.example/shop/*'
is "Accept-Encoding costs nothing" \
    "$(scenario '.kind == "dropped" and .member == "Accept-Encoding"')" "$(scenario '.kind == "as-it-was"')"

# A cache of 300 kB holds less; the replay's does, too.
live -r "$work/v1.vsl" --storage 300k --format json
is "a small cache evicts" "$(j '.replay.scenarios[0].evicted > 0')" true
is "and hits less" "$(awk -v a="$(scenario '.kind == "as-it-was"')" -v b="$was" 'BEGIN { print (a < b - 0.01) }')" 1

# With little memory it samples, and says so.
live -r "$work/v1.vsl" --memory 64k --format json
is "it samples" "$(j '.replay.exact, (.replay.sample < 1)' | tr '\n' ' ')" "false true "

# The same from varnishncsa's lines.
varnishncsa -r "$work/v1.vsl" -F '%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-agent}i" "%{Host}i" "%{Accept}i" "%{Accept-Encoding}i" "%{Accept-Language}i" "%{Cookie}i" "%{Origin}i" "%{Vary}o" "%{Cache-Control}o" %D "%{Age}o" %{Varnish:handling}x' |
	grep -v '/shop/1[0-9]/' >"$work/ncsa.log"
live -r "$work/ncsa.log" --access-log varykit-ncsa --format json
validate "an access log: as the schema says" varykit.live-1.schema.json "$work/out"
is "an access log: read" "$code $(j .totals.requests)" "0 $(wc -l <"$work/ncsa.log")"
is "an access log: hits as in the log" "$(j .totals.handling.hit)" "$(grep -c ' hit$' "$work/ncsa.log")"
{
	head -n 1 "$work/ncsa.log"
	head -c 70000 /dev/zero | tr '\0' a
	echo
	tail -n +2 "$work/ncsa.log"
} >"$work/long.log"
"$VARYLIVE" -r "$work/long.log" --access-log varykit-ncsa --format json >"$work/long.json" 2>"$work/long.err"
like "an access log: a line too long is passed over, and said" \
    "$(jq -r .totals.requests "$work/long.json") $(cat "$work/long.err")" \
    "^$(wc -l <"$work/ncsa.log") varylive: warning: .*/long\.log:2: longer than 65536 bytes"
is "an access log: User-Agent costs most" \
    "$(j '[.replay.scenarios[] | select(.kind == "dropped")] | max_by(.hits_won) | .member')" User-Agent
# Its times are whole seconds.
is "an access log: the model is near" "$(j '.replay.error_points | fabs < 3')" true

done_testing
