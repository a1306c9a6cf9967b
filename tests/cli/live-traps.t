#!/bin/sh
# Each trap that Vary lays for Varnish, set up with a real varnishd, is found.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishtest varnishlog varnishd jq python3
# Varnish has that notice since 6.6.
notice='-p vary_notice=2'
case $(varnishlog -V 2>&1) in *varnish-6.0.*) notice= ;; esac

play <<'VTC'
varnishtest "the traps"
server s1 -repeat 40 -keepalive {
	rxreq
	txresp -hdr "Vary: Host,Accept-Encoding,User-Agent" -hdr "Cache-Control: max-age=100" -bodylen 100
} -start
server s2 {
	rxreq
	expect req.url == "/s2/malformed"
	txresp -hdr "Vary: Foo Bar" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/malformed"
	txresp -hdr "Vary: Foo" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/inert"
	txresp -hdr "Vary: Foo;q=1" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/star-list"
	txresp -hdr "Vary: Foo, *" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/star"
	txresp -hdr "Vary: *" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/range"
	txresp -hdr "Vary: Range" -hdr "Cache-Control: max-age=100" -bodylen 100
	rxreq
	expect req.url == "/s2/304"
	txresp -hdr "Vary: Foo" -hdr "Etag: \"a\"" -hdr "Cache-Control: max-age=1" -bodylen 100
	rxreq
	expect req.http.if-none-match == "\"a\""
	txresp -status 304 -hdr "Vary: Bar" -hdr "Etag: \"a\"" -hdr "Cache-Control: max-age=10" -nolen
} -start
varnish v1 -arg "-p default_grace=0 -p default_keep=60 NOTICE" -vcl+backend {
	sub vcl_recv {
		if (req.url ~ "^/s2") {
			set req.backend_hint = s2;
		} else {
			set req.backend_hint = s1;
		}
		if (req.url ~ "pass") {
			return (pass);
		}
		if (req.url ~ "synth") {
			return (synth(404));
		}
	}
	sub vcl_backend_fetch {
		if (bereq.url ~ "host") {
			set bereq.http.Host = "origin";
		}
	}
	# The truth is in the backend's response, not in the client's.
	sub vcl_deliver {
		unset resp.http.Vary;
	}
} -start
client c1 {
	loop 3 {
		txreq -url /mismatch/host -hdr "User-Agent: a"
		rxresp
	}
	txreq -url /repeated -hdr "User-Agent: a" -hdr "User-Agent: b"
	rxresp
	txreq -url /many -hdr "User-Agent: a"
	rxresp
	txreq -url /many -hdr "User-Agent: b"
	rxresp
	txreq -url /many -hdr "User-Agent: c"
	rxresp
	txreq -url /pass
	rxresp
	txreq -url /synth
	rxresp
	txreq -url /s2/malformed
	rxresp
	txreq -url /s2/malformed
	rxresp
	txreq -url /s2/inert
	rxresp
	txreq -url /s2/star-list
	rxresp
	txreq -url /s2/star
	rxresp
	txreq -url /s2/range -hdr "Range: bytes=0-1"
	rxresp
	txreq -url /s2/304
	rxresp
	delay 1.3
	txreq -url /s2/304
	rxresp
} -run
record traps 17
VTC

live -r "$work/traps.vsl" --format json
is "exit 0" "$code" 0
is "nothing on stderr" "$err" ""
is "the schema is named" "$(j .schema)" varykit.live/1
by_schema() { keep "$1" "$work/out"; }
by_schema "the traps"
is "the recording is whole" "$(j .source.complete)" true
is "all requests are there" "$(j .totals.requests)" 17
is "pass is told" "$(j .totals.handling.pass)" 1
is "synth is told" "$(j .totals.handling.synth)" 1
is "hit-for-miss is told" "$(j .totals.handling.hitmiss)" 1
is "the replay has the hit ratio of Varnish" "$(j .replay.error_points)" 0
is "and for each lookup" "$(j '.replay.only_observed + .replay.only_replayed')" 0

found() { # NAME RULE GROUP
	is "$1" "$(j '.findings[] | select(.rule == "'"$2"'") | .group' | grep -c -x -e "$3")" 1
}
found "req and bereq differ in Host" key-mismatch '127.0.0.1/mismatch/host'
is "it says which header" \
    "$(j '.findings[] | select(.rule == "key-mismatch") | .member + " " + (.count | tostring)')" "Host 3"
found "a header in two lines" repeated-lines '127.0.0.1/repeated'
found "a star in a list was stored" star-stored '127.0.0.1/s2/star-list'
is "a star alone was not, thanks to builtin.vcl" \
    "$(j '[.findings[] | select(.rule == "star-stored" and .group == "127.0.0.1/s2/star")] | length')" 0
found "a malformed Vary, refused" vary-malformed '127.0.0.1/s2/malformed'
found "a malformed Vary, taken" vary-malformed '127.0.0.1/s2/inert'
found "it hides a good response" hfm-hides '127.0.0.1/s2/malformed'
found "a member no fetch carries" vary-unkeyable '127.0.0.1/s2/range'
found "a 304 with another Vary" vary-304 '127.0.0.1/s2/304'
if [ -n "$notice" ]; then
	found "Varnish's own notice" many-variants '127.0.0.1/many'
	found "also of variants that nobody can hit" many-variants '127.0.0.1/mismatch/host'
else
	skip "Varnish's own notice" "Varnish 6.0 has none"
fi
is "no finding but these" "$(j '.findings | length')" "$([ -n "$notice" ] && echo 10 || echo 8)"
is "Vary is what the origin sent" \
    "$(j '.groups[] | select(.path == "/many") | .vary[0].value')" "Host,Accept-Encoding,User-Agent"
is "the backend is named" "$(j '.groups[] | select(.path == "/s2/304") | .backend | sub("^vcl1\\."; "")')" s2
is "different values are counted" \
    "$(j '.groups[] | select(.path == "/many") | .members[] | select(.name == "User-Agent") | .distinct')" 3
is "variants are counted" "$(j '.groups[] | select(.path == "/many") | .variants')" 3
is "two of three were lost to User-Agent" \
    "$(j '.groups[] | select(.path == "/many") | .members[] | select(.name == "User-Agent") | .lost_hits')" 2
is "without Host the mismatch would be hits" \
    "$(j '.groups[] | select(.path == "/mismatch/host") | .members[] | select(.name == "Host") | .lost_hits')" 2
is "Accept-Encoding costs nothing" \
    "$(j '[.groups[].members[] | select(.name == "Accept-Encoding") | .lost_hits] | add')" 0

# What the schema is worth: a change of each kind is seen.
refuses varykit.live-1.schema.json "$work/out" 'del(.totals.requests)' '.new = 1' \
    '.findings[0].rule = "other"' '.replay.scenarios[0].member = "Host"' \
    '.groups[0].handling.hit = -1' '.source.kind = "pipe"'
live -r "$work/traps.vsl" --format prometheus
is "prometheus: a textfile as its format has it" "$code$(python3 "$top_srcdir/tests/cli/prometheus.py" "$work/out")" 0
is "prometheus: the requests add up" \
    "$(awk '/^varylive_requests_total/ { n += $2 } END { print n }' "$work/out")" 17
like "prometheus: findings have their places" "$(cat "$work/out")" \
    '^varylive_findings\{rule="key-mismatch",level="error",group="127\.0\.0\.1/mismatch/host",backend="(vcl1\.)?s1",member="Host"\} 3$'
live -r "$work/traps.vsl" --fail-on error
is "--fail-on error: exit 1" "$code" 1
like "text: the replay says how good it is" "$(cat "$work/out")" 'observed 0\.00 %, replayed 0\.00 %: error \+0\.00 points'
like "text: the finding" "$(cat "$work/out")" '^error: key-mismatch: 127\.0\.0\.1/mismatch/host: Host$'
like "text: no counterfactual is called safe" "$(cat "$work/out")" '^no User-Agent .*not audited$'
live -r "$work/traps.vsl" --fail-on warning -q 'ReqURL ~ "/s2/inert"' --format json
is "a query leaves out the rest" "$(j .totals.requests)" 1

live -r "$work/traps.vsl" -k 5 --format json
is "-k ends after five" "$code $(j .totals.requests)" "0 5"

# What the audit says makes the difference between safe and not.
audit() { # EFFECT
	printf '%s' '{"schema": "varykit.audit/1", "targets": [{"url":
	    "http://127.0.0.1:8080/many", "outcome": "judged", "members": [
	    {"name": "user-agent", "declared": "yes", "effect": "'"$1"'"}]}]}' >"$work/audit.json"
}
safe='.replay.scenarios[] | select(.kind == "dropped" and .member == "User-Agent") | .safe'
audit none-observed
live -r "$work/traps.vsl" --audit "$work/audit.json" --format json
is "audited, without effect: safe" "$code $(j "$safe")" "0 true"
by_schema "audited"
audit body
live -r "$work/traps.vsl" --audit "$work/audit.json" --format json
is "audited, with one: not safe" "$(j "$safe")" false
echo '{"schema": "other"}' >"$work/audit.json"
live -r "$work/traps.vsl" --audit "$work/audit.json"
is "no audit: exit 2" "$code" 2
like "and a message" "$err" 'varylive: .*audit\.json: no varykit\.audit/1 result'

# A policy, as it stands in VCL.
cat >"$work/policy.vcl" <<'VCL'
vcl 4.1;
import vary;
sub vcl_init {
	# site.language("not, this");
	new site = vary.policy(strip = "Host, User-Agent");
}
VCL
live -r "$work/traps.vsl" --policy "$work/policy.vcl" --format json
is "the policy is replayed: 2 hits of host, 2 of many" \
    "$code $(j '.replay.scenarios[] | select(.kind == "policy") | .hits_won')" "0 4"
by_schema "with a policy"
echo 'vcl 4.1;' >"$work/policy.vcl"
live -r "$work/traps.vsl" --policy "$work/policy.vcl"
is "VCL without a policy: exit 2" "$code" 2
like "and a message" "$err" 'policy\.vcl: there is no vary\.policy\(\) in it'

# Damaged files: what could be read is reported.
size=$(wc -c <"$work/traps.vsl")
head -c $((size - 5)) "$work/traps.vsl" >"$work/truncated.vsl"
live -r "$work/truncated.vsl" --format json
is "truncated: exit 3" "$code" 3
like "truncated: where" "$err" 'the file ends inside a record, after [0-9]+ bytes'
is "truncated: the rest is there" "$(j .totals.requests)" 17
is "truncated: it is said in the result" "$(j .source.complete)" false
by_schema "truncated"
live -r "$work/truncated.vsl" -q 'ReqURL ~ "/many"' --format json
is "truncated, with a query" "$code $(j .totals.requests)" "3 3"
{
	head -c 20000 "$work/traps.vsl"
	head -c 5000 /dev/zero | tr '\0' '\377'
} >"$work/corrupt.vsl"
live -r "$work/corrupt.vsl" --format json
is "corrupt: exit 3" "$code" 3
like "corrupt: where" "$err" 'at byte [0-9]+: '
like "corrupt: what could be read is there" "$(j .totals.requests)" '^[1-9]'
echo "GET / HTTP/1.1" >"$work/foreign"
live -r "$work/foreign"
is "foreign: exit 2, nothing on stdout" "$code$(cat "$work/out")" 2
like "foreign: what to do" "$err" 'no Varnish log.*varnishlog -w.*--access-log'
# The same log, said to be of the other framing: Varnish 7.3 changed it.
other=2
[ "$(head -c 4 "$work/traps.vsl" | tr '\0' 0)" != VSL2 ] || other='\0'
{
	printf 'VSL%b' "$other"
	printf '\0\0\0\001'
	tail -c +9 "$work/traps.vsl"
} >"$work/other.vsl"
live -r "$work/other.vsl"
like "of another version: exit 2 or 3" "$code" '^[23]$'
like "of another version: it is said" "$err" 'another version of Varnish'
: >"$work/empty"
live -r "$work/empty"
is "empty: exit 2" "$code" 2
like "empty: it is said" "$err" 'the file is empty'
printf 'VSL\0' >"$work/head.vsl"
live -r "$work/head.vsl" --format json
is "a recording of nothing is one" "$code $(j .totals.requests)" "0 0"
by_schema "nothing"
live -r - --format json <"$work/traps.vsl"
"$VARYLIVE" -r - --format json <"$work/traps.vsl" >"$work/out"
is "standard input" "$? $(j .totals.requests)" "0 17"
live -r "$work/traps.vsl" -q 'ReqURL ~~'
is "a bad query: exit 2" "$code" 2
like "a bad query: Varnish's own words" "$err" '^varylive: -q: '
validate_kept varykit.live-1.schema.json
done_testing
