#!/bin/sh
# Neighbours of the cases of public reports, each with the verdict that it must
# get.  The origin plays them: tests/origin/near.c.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin

near() {
	name=$1
	shift
	judged_as "near/$name" "$@"
}
near two-lines 1 'vary-leak user-agent warning'
near any-case 1 'vary-leak user-agent warning'
near twice 0 'vary-redundant - note'
near empty-members 0 ''
near star-line 1 'vary-star * error'
near semicolon 1 'vary-syntax - error'
near misspelt 1 'vary-leak cookies warning, vary-missing cookie error'
near cookie-of-language 1 'vary-hop accept-language note, vary-missing cookie error'
near new-visitor 0 'vary-missing cookie note'
near new-visitor 1 'vary-missing cookie error' --cache-profile rfc9111
near old-visitor 1 'vary-missing cookie error'
near opened-session 1 'vary-inconsistent cookie error'
# Each is as good as any without the cookie: two of them are compared.
near arm 1 'vary-missing cookie error'
near rare-arm 1 'vary-missing cookie error'
near session-token 1 'vary-missing cookie error'
near request-token 0 'vary-missing cookie note'
near sticky 0 'vary-missing cookie note'
near whole-cookie 1 'vary-costly cookie warning'
near not-found 1 'vary-missing accept-language error'
near failed 0 'vary-missing accept-language note'
near to-https 1 'vary-missing x-forwarded-proto error'
near no-content 1 'vary-missing origin error'
near bare-304 1 'vary-hop accept-language note, vary-validator - warning'
near no-head 0 ''
near not-acceptable 1 'vary-missing accept error'
near hotlink 1 'vary-missing referer error'
near clocked 0 ''
near csp-nonce 0 ''
near json-order 0 ''
near json-language 1 'vary-missing accept-language error'
near two-backends 0 ''
near two-backends-mobile 1 'vary-missing user-agent error'
near codings 0 ''
near bare-gzip 1 'vary-missing accept-encoding error, vary-validator - warning'
near null-origin 1 'vary-missing origin error'
near credentials 0 ''
# What carries it is answered from no shared cache, but by the answer's own word.
near authorization 0 'vary-leak authorization note'
near shared-authorization 1 'vary-leak authorization warning'
near greeting 0 '' --axis 'Authorization: Basic YTpi'
near public-greeting 1 'vary-missing authorization error' --axis 'Authorization: Basic YTpi'
near guarded 0 'vary-missing accept-language note' -u a:b
near guarded 0 'vary-missing accept-language note' -H 'Authorization: Basic YTpi'
near guarded 1 'vary-missing accept-language error' -u a:b --cache-profile browser
near referer 1 'vary-reflected referer error'
near declared-referer 1 'vary-costly referer warning'
near forwarded 1 'vary-reflected forwarded error'
near forwarded-host-location 1 'vary-reflected x-forwarded-host error'
near client-address 1 'vary-missing x-forwarded-for error'
near hint 1 'vary-missing sec-ch-ua-model error'
near critical-hint 0 ''
near save-data 1 'vary-missing save-data error'
near fragment 1 'vary-missing x-requested-with error'
near htmx 0 ''
near language-header 1 'vary-missing accept-language error'
near mobile 1 'vary-missing user-agent error'
near private-mobile 0 'vary-missing user-agent note'
near private-mobile 1 'vary-missing user-agent error' --cache-profile browser
near expired-mobile 0 'vary-missing user-agent note' --cache-profile rfc9111
near past-mobile 0 'vary-missing user-agent note'
near surrogate-mobile 0 'vary-missing user-agent note'
near surrogate-mobile 1 'vary-missing user-agent error' --cache-profile rfc9111
near cdn-mobile 0 'vary-missing user-agent note' --cache-profile akamai
near cdn-mobile 1 'vary-missing user-agent error'
near some-mobile 1 'vary-leak user-agent warning'
near declared-mobile 1 'vary-costly user-agent warning'
near policy-by-browser 1 'vary-missing user-agent error'
near private-for-session 1 'vary-missing cookie error' -b sid=1
near blanks 1 'vary-missing user-agent error'
near late 1 'vary-missing accept-language error'
near emptied 1 'vary-missing x-requested-with error'
near underscore 1 'vary-leak accept_encoding warning, vary-missing accept-encoding error'
near no-ascii 1 'vary-syntax - error'
# The same content in another coding, which was asked for
near old-browser 0 'vary-missing user-agent note'
near old-browser-declared 1 'vary-costly user-agent warning'
like "old-browser-declared: no class is made of it" \
    "$(jq -r '.targets[0].findings[0].fix.origin' "$work/out")" 'Accept-Encoding alone'
near picture 1 'vary-missing accept error'
near api-version 1 'vary-missing accept-version error'
near theme 1 'vary-partial cookie warning'
done_testing
