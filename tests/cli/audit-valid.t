#!/bin/sh
# Validators, and what must agree with the 200: 304, 206, HEAD, other codings, a
# preflight.  The origin plays them: tests/origin/valid.c.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin

judged_as valid/etag-of-codings 1 'vary-validator - warning'
judged_as valid/weak-etag-of-codings 0 ''
judged_as valid/etag-with-suffix 0 ''
judged_as valid/etag-of-languages 1 'vary-hop accept-language note, vary-validator - warning'
# Whoever has one and asks for the other is told that nothing has changed.
judged_as valid/weak-etag-of-languages 0 'vary-hop accept-language note, vary-validator - note'
judged_as valid/etag-a-language 0 'vary-hop accept-language note'
judged_as valid/same-304 0 'vary-hop accept-language note'
judged_as valid/more-in-304 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/less-in-304 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/other-etag-in-304 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/bare-etag-in-304 0 ''
judged_as valid/same-206 0 'vary-hop accept-language note'
judged_as valid/less-in-206 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/other-in-206 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/no-such-range 0 'vary-hop accept-language note'
# What If-Range names is sent a part of, anything else is sent as a whole; and it
# names neither a weak ETag nor a date that may be two versions'.
judged_as valid/if-range 0 ''
asked() { jq .summary.requests "$work/out"; }
plain=$(audit --format json --no-checks "$base/valid/if-range" && asked)
judged_as valid/if-range-date 0 ''
is "a range takes two requests more: HEAD, OPTIONS, 304, 206 and these" "$(asked)" $((plain + 6))
judged_as valid/if-range-ignored 1 'vary-validator - warning'
like "stale: the text" "$(jq -r '.targets[0].findings[0].message' "$work/out")" \
    '^Range with If-Range: "[a-z0-9]*", which is no version'
judged_as valid/if-range-date-ignored 1 'vary-validator - warning'
like "stale: the text with a date" "$(jq -r '.targets[0].findings[0].message' "$work/out")" \
    '^Range with If-Range: Tue, 01 Dec 2026 10:00:00 GMT, '
judged_as valid/weak-if-range 0 ''
judged_as valid/young-if-range 0 ''
judged_as valid/if-range-whole 0 ''
judged_as valid/if-range-refused 1 'vary-validator - warning'
judged_as valid/if-range-other 1 'vary-validator - warning'
judged_as valid/less-in-if-range 1 'vary-leak origin warning, vary-validator - warning'
judged_as valid/less-in-whole 1 'vary-leak origin warning, vary-validator - warning'
judged_as valid/part-as-whole 1 'vary-validator - warning'
judged_as valid/short-whole 0 ''
judged_as valid/less-in-head 1 'vary-hop accept-language note, vary-validator - warning'
judged_as valid/no-coding-in-head 0 'vary-validator - note'
judged_as valid/bare-brotli 1 'vary-inconsistent accept-encoding error'
judged_as valid/named-brotli 0 ''
judged_as valid/gzip-twice 0 ''
judged_as valid/false-gzip 0 ''
judged_as valid/preflight 0 'vary-missing access-control-request-method note'
judged_as valid/declared-preflight 0 ''
judged_as valid/no-options 0 ''
done_testing
