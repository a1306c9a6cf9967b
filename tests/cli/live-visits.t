#!/bin/sh
# Visits of the kinds that there are: restarts, ESI, HTTP/2, HEAD, Range, pipe,
# marks not to cache, grace, a ban and a PURGE; each is counted as what it is.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishtest varnishlog varnishd jq
play <<'VTC'
varnishtest "visits of many kinds"
server s9 {
	rxreq
	txresp -bodylen 50
} -start
server s8 -repeat 2 {
	rxreq
	txresp -hdr "Vary: User-Agent" -hdr "Cache-Control: max-age=100" -bodylen 50
	expect_close
} -start
server s0 {
	loop 40 {
		rxreq
		txresp -hdr "Vary: Accept-Encoding,User-Agent" -hdr "Cache-Control: max-age=100" -body {<html><esi:include src="/plain/inc"/></html>}
	}
} -dispatch
varnish v1 -arg "-p feature=+http2 -p default_grace=10" -vcl {
	vcl 4.1;
	backend b { .host = "${s0_addr}"; .port = "${s0_port}"; }
	backend p0 { .host = "${s9_addr}"; .port = "${s9_port}"; }
	backend p1 { .host = "${s8_addr}"; .port = "${s8_port}"; }
	sub vcl_recv {
		if (req.url ~ "^/thrown") { set req.backend_hint = p1; }
		if (req.method == "PURGE") { return (purge); }
		if (req.url ~ "^/pipe") { set req.backend_hint = p0; return (pipe); }
		if (req.url ~ "^/restart" && req.restarts == 0) { set req.url = "/plain/restarted"; return (restart); }
		if (req.url ~ "^/ban") { ban("req.url == /plain/a"); return (synth(200)); }
	}
	sub vcl_backend_fetch {
		if (bereq.url ~ "^/gone") { return (abandon); }
	}
	sub vcl_backend_response {
		if (bereq.url ~ "^/thrown") { return (abandon); }
		if (bereq.url ~ "^/esi") { set beresp.do_esi = true; }
		if (bereq.url ~ "^/hfp") { return (pass(10s)); }
		if (bereq.url ~ "^/hfm") { set beresp.uncacheable = true; set beresp.ttl = 10s; }
		if (bereq.url ~ "^/grace") { set beresp.ttl = 0.3s; }
	}
} -start
client c1 {
	txreq -url /plain/a -hdr "User-Agent: a"
	rxresp
	txreq -url /plain/a -hdr "User-Agent: a"
	rxresp
	txreq -method HEAD -url /plain/a -hdr "User-Agent: a"
	rxresp -no_obj
	txreq -url /plain/a -hdr "User-Agent: a" -hdr "Range: bytes=0-9"
	rxresp
	txreq -url /plain/a -hdr "User-Agent: b" -hdr "Range: bytes=0-9"
	rxresp
	txreq -url /esi/page -hdr "User-Agent: a"
	rxresp
	txreq -url /esi/page -hdr "User-Agent: a"
	rxresp
	txreq -url /esi/page -hdr "User-Agent: b"
	rxresp
	txreq -url /restart/x -hdr "User-Agent: a"
	rxresp
	txreq -url /restart/x -hdr "User-Agent: a"
	rxresp
	txreq -url /hfp/x -hdr "User-Agent: a"
	rxresp
	txreq -url /hfp/x -hdr "User-Agent: a"
	rxresp
	txreq -url /hfm/x -hdr "User-Agent: a"
	rxresp
	txreq -url /hfm/x -hdr "User-Agent: a"
	rxresp
	txreq -url /ban -hdr "User-Agent: a"
	rxresp
	txreq -url /plain/a -hdr "User-Agent: a"
	rxresp
	txreq -method PURGE -url /plain/a
	rxresp
	txreq -url /plain/a -hdr "User-Agent: a"
	rxresp
	txreq -url /grace/x -hdr "User-Agent: a"
	rxresp
	delay .6
	txreq -url /grace/x -hdr "User-Agent: a"
	rxresp
	delay .4
	txreq -url /gone/x -hdr "User-Agent: a"
	rxresp
	loop 2 {
		txreq -url /thrown/x -hdr "User-Agent: a"
		rxresp
	}
	txreq -url "/plain/%C3%A4?b=2&a=1" -hdr "User-Agent: \xc3\xa4\xff"
	rxresp
	txreq -url "/plain/ä?ü" -hdr "Host: [::1]:80" -hdr "User-Agent: a"
	rxresp
} -run
client c2 {
	stream 1 {
		txreq -url /plain/h2 -hdr "user-agent" "a"
		rxresp
	} -run
	stream 3 {
		txreq -url /plain/h2 -hdr "user-agent" "b"
		rxresp
	} -run
} -run
client c3 {
	txreq -url /pipe/x -hdr "User-Agent: a" -hdr "Connection: close"
	rxresp
} -run
record visits 28
VTC
live -r "$work/visits.vsl" --format json
is "read whole" "$code$err $(j .source.complete)" "0 true"
validate "by its schema" varykit.live-1.schema.json "$work/out"
# 25 of c1, 3 of ESI, 2 by HTTP/2, 1 by pipe.
is "a restart is no visit of its own" "$(j '.totals | "\(.requests) \(.restarted)"')" "31 2"
# A hit that is read before the end of the fetch has a group without backend.
group() { # PATH: requests hit miss hitmiss hitpass pipe synth
	j '[.groups[] | select(.path == "'"$1"'") | [.requests] + (.handling |
	    [.hit, .miss, .hitmiss, .hitpass, .pipe, .synth])] |
	    transpose | map(add | tostring) | join(" ")'
}
is "restarts: a miss and a hit" "$(group /plain/restarted)" "2 1 1 0 0 0 0"
is "HEAD and Range hit; a ban and PURGE make misses" "$(group /plain/a)" "8 3 4 0 0 0 1"
is "ESI: the page" "$(group /esi/page)" "3 1 2 0 0 0 0"
is "ESI: what it includes" "$(group /plain/inc)" "3 1 2 0 0 0 0"
is "ESI: lost to User-Agent" "$(j '[.groups[] | select(.path == "/plain/inc") |
    .members[] | select(.name == "User-Agent") | .lost_hits] | add')" 1
is "HTTP/2" "$(group /plain/h2)" "2 0 2 0 0 0 0"
is "hit-for-pass" "$(group /hfp/x)" "2 0 1 0 1 0 0"
is "hit-for-miss" "$(group /hfm/x)" "2 0 1 1 0 0 0"
is "grace: a hit" "$(group /grace/x) $(j .totals.grace_hits)" "2 1 1 0 0 0 0 1"
is "pipe" "$(group /pipe/x)" "1 0 0 0 0 1 0"
is "no backend: a miss all the same" "$(group /gone/x)" "1 0 1 0 0 0 0"
is "a response that VCL abandons is stored nowhere" "$(group /thrown/x)" "2 0 2 0 0 0 0"
is "paths that are no ASCII" "$(group "/plain/$(printf '\303\244')")$(group /plain/%C3%A4)" \
    "1 0 1 0 0 0 01 0 1 0 0 0 0"
like "hosts by their address" "$(j '.groups[].host')" '^\[::1\]:80$'
is "no finding" "$(j '.findings | length')" 0
# PURGE and abandon are in the log; what a ban took away is a hit to the replay.
is "the replay is that much off, and says so" \
    "$(j '.replay | "\(.only_observed) \(.only_replayed)"')" "0 1"
done_testing
