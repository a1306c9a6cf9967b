#!/bin/sh
# Public reports, each with the verdict that it must get.  The origin plays
# them: tests/origin/origin.c.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin

# verdict CASE WHAT EXIT RULES [OPTIONS]: RULES sorted, ", " between
verdict() {
	path=$1 what=$2 want_code=$3 want=$4
	shift 4
	audit --format json "$@" "$base/case/$path"
	is "$path: $what" "$(rules | paste -sd, | sed 's/,/, /g')" "$want"
	[ "$(jq -r '.targets[0].outcome' "$work/out")" = judged ] ||
	    is "$path: is judged" "$(jq -r '.targets[0].reason' "$work/out")" ""
	[ "$code" = "$want_code" ] || is "$path: exit code" "$code" "$want_code"
	[ -z "$err" ] || is "$path: nothing on stderr" "$err" ""
}
allowed='Origin: https://allowed.example'
session='Cookie: sessionid=5f2a9c'

verdict 1 'CORS echo with Vary only when Origin is sent' 1 \
    'vary-inconsistent origin'
verdict 2 'allowed origin only' 1 'vary-inconsistent origin' --axis "$allowed"
verdict 2 'allowed origin only, and it is not among the values' 0 ''
verdict 4 'Origin echoed without Vary' 1 'vary-missing origin'
is '4: an error' "$(jq -r '.targets[0].findings[0].level' "$work/out")" error
verdict 5 'ACAO * for all and Vary: Origin' 1 'vary-leak origin'
verdict 7 'one configured origin echoed with credentials' 1 \
    'vary-missing origin' --axis "$allowed"
verdict 7b 'a preflight depends on more than its Vary says' 1 \
    'vary-missing access-control-request-method, vary-missing origin' --axis "$allowed"
is '7b: that of the preflight is a note' \
    "$(jq -r '.targets[0].findings[] | select(.member != "origin") | .level' "$work/out")" note
verdict 8 'identity without Vary' 1 'vary-inconsistent accept-encoding'
verdict 10a 'Vary: Content-Encoding' 1 \
    'vary-missing accept-encoding, vary-syntax content-encoding'
verdict 10b 'Vary: Content-Type' 1 'vary-missing accept, vary-syntax content-type'
verdict 11 'JSON or HTML without Vary' 1 'vary-missing accept'
verdict 13a 'webp with Vary, jpeg without' 1 'vary-inconsistent accept'
verdict 13b '.webp asked directly, Vary: Accept' 1 'vary-leak accept'
verdict 14 'q=0 taken for support' 1 'vary-missing accept'
verdict 16 'the payload depends on Next-Url' 1 'vary-missing next-url'
verdict 16b 'Next-Url counts for RSC alone' 1 'vary-missing next-url'
is '16b: the report says in what company' \
    "$(jq -r '.targets[0].findings[0].evidence | .tried[0:1] + " " + .with' "$work/out")" '/ RSC: 1'
verdict 16c 'Next-Router-State-Tree, too' 1 'vary-missing next-router-state-tree'
verdict 17 'Vary: rsc is right' 0 ''
verdict 17 'Vary: rsc is right, and the cache does not key on it' 1 \
    'vary-hop rsc' --cache-profile cloudflare
verdict 19 'fixed language, Vary: Accept-Language' 1 'vary-leak accept-language'
verdict 20 'one cookie of many matters' 1 'vary-partial cookie' --axis "$session"
verdict 20 'the same, given with -b, and another cookie' 1 'vary-partial cookie' \
    -b 'sessionid=5f2a9c' -b other=1
like '20: Cookie-Indices' "$(jq -r '.targets[0].findings[0].fix.origin' "$work/out")" \
    'Cookie-Indices: "sessionid"'
verdict 20 'and without a session it leaks' 1 'vary-leak cookie'
verdict 22 'Accept-Encoding, User-Agent on equal bodies' 1 'vary-leak user-agent'
verdict 24 'Vary: X-Forwarded-Proto, body the same' 1 'vary-leak x-forwarded-proto'
verdict 25 'Vary: Host' 0 'vary-redundant host'
verdict 25 'Vary: Host before Akamai' 1 'vary-hop host, vary-redundant host' \
    --cache-profile akamai
is '25: Akamai does not store it' "$(jq -c '.targets[0].cacheable' "$work/out")" \
    '{"stored":false,"why":"Vary, which may only be Accept-Encoding of what is compressed"}'
verdict 8 'Akamai stores what varies by coding alone' 1 \
    'vary-inconsistent accept-encoding' --cache-profile akamai
is '8: Akamai stores it' "$(jq -c '.targets[0].cacheable.stored' "$work/out")" true
verdict 26 'a redirect by language' 1 'vary-missing accept-language'
verdict 28 'X-Forwarded-Host in a link' 1 'vary-reflected x-forwarded-host'
verdict 29 'the edge always sets it' 0 '' --edge-sets X-Forwarded-Host
verdict 30a 'the 304 has less Vary' 1 'vary-hop accept, vary-leak accept-encoding, vary-validator -'
verdict 30b 'the 206 has less Vary' 1 'vary-hop accept, vary-leak accept-encoding, vary-validator -'
verdict 30c 'the answer to HEAD has none' 1 'vary-hop accept, vary-leak accept-encoding, vary-validator -'
verdict 31a 'one strong ETag for two codings' 1 'vary-validator -'
verdict 31b 'a weak one' 0 ''
verdict 31c 'one with a suffix' 0 ''
verdict 32a 'Vary: *' 1 'vary-star *'
verdict 32b 'a star in a list' 1 'vary-star *'
is '32b: an error' "$(jq -r '.targets[0].findings[0].level' "$work/out")" error
verdict 32d 'a star, and a line more' 1 'vary-star *'
is '32d: an error' "$(jq -r '.targets[0].findings[0].level' "$work/out")" error
verdict 32c 'a star, and a cache has stored it' 1 'vary-hop *, vary-star *'
verdict 34 'CORS has overwritten Vary' 1 'vary-missing x-language'
verdict 35 'Vary: * of a framework' 1 'vary-star *'
verdict 37 'our own query in a redirect' 0 '' --cache-buster cb
verdict 38 'always coded, never negotiated' 0 ''
verdict 40 'Vary: Origin is right' 0 ''
verdict 40b 'through a cache that has no Origin in its key' 1 'vary-hop origin'
verdict 41 'Access-Control-Allow-Headers names what Vary does not' 1 \
    'vary-missing x-tenant'
verdict 42a 'x-now-route-matches turns HTML into JSON' 1 \
    'vary-missing x-now-route-matches'
verdict 42b 'RSC without Vary' 1 'vary-missing rsc'
verdict 43 'X-Forwarded-For as a key' 1 'vary-costly x-forwarded-for'
verdict 45 'too small to be compressed' 0 ''
verdict 47 'the 304 has more Vary' 1 'vary-leak accept-encoding, vary-validator -'
verdict 49a 'a quoted member' 1 'vary-syntax -'
verdict 49b 'a parameter' 1 'vary-syntax -'
verdict 49c 'a colon' 1 'vary-syntax -'
verdict 49d 'a blank in place of a comma' 1 'vary-leak bar, vary-leak foo, vary-syntax -'
verdict 49e 'a blank before the colon' 1 'vary-leak foo, vary-syntax -'
verdict 50 'the second line of a header counts at the origin' 0 \
    'vary-hop accept-language'
verdict 51 'a cookie pins the language that is said anyway' 0 \
    'vary-hop accept-language, vary-missing cookie'
is '51: seen in the company of another language' \
    "$(jq -r '.targets[0].findings[0].evidence | .tried + ", " + .with' "$work/out")" \
    'sprache=en, Accept-Language: de-DE,de;q=0.9'
verdict 51b 'the same, declared: no leak' 1 \
    'vary-hop accept-language, vary-partial cookie'
verdict 51c 'the cookie is a header of -H' 1 'vary-missing cookie' -H 'Cookie: sprache=en'
verdict 52 'two headers together, and neither alone' 1 \
    'vary-missing dpr, vary-missing width'
verdict 53 'a cookie that nobody was told of' 1 'vary-missing cookie'
is '53: which one' "$(jq -c '.targets[0].members[] | select(.name == "cookie") | .with_effect' "$work/out")" \
    '["currency=CHF"]'
cat >"$work/jar" <<JAR
# Netscape HTTP Cookie File

#HttpOnly_127.0.0.1	FALSE	/	FALSE	0	sessionid	5f2a9c
127.0.0.1	FALSE	/other	FALSE	0	elsewhere	1
127.0.0.1	FALSE	/case	TRUE	0	secure	1
.example	TRUE	/	FALSE	0	foreign	1
127.0.0.1	FALSE	/case	FALSE	1	over	1
127.0.0.1	FALSE	/case	FALSE	4102444800	other	1
JAR
verdict 20 'a session in a jar' 1 'vary-partial cookie' --cookie-jar "$work/jar"
is '20: of the jar, what fits is tried, alone and together' \
    "$(jq -c '.targets[0].members[] | select(.name == "cookie") | [.tried[] | select(test("^(session|else|sec|for|over|other)"))]' "$work/out")" \
    '["other=1","sessionid=5f2a9c","other=1; sessionid=5f2a9c"]'
cp "$work/jar" "$work/jar.was"
echo "no jar" >"$work/nojar"
audit --cookie-jar "$work/nojar" "$base/case/20"
is 'no jar: exit 2, said with the line' "$code $(printf %s "$err" | sed 's/ .*nojar/ nojar/')" \
    '2 varyprobe: nojar: line 1 has no seven fields with tabs between: no cookie jar of curl -c or a browser'
is 'a jar is never written' "$(cmp "$work/jar" "$work/jar.was")" ''
done_testing
