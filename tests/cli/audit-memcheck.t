#!/bin/sh
# varyprobe under memcheck: an audit, a scan, and what is made of results.
. "$top_srcdir/tests/cli/lib-probe.sh"
need_memcheck
start_origin
q="$base/noise"
memcheck "an audit" 1 "$VARYPROBE" audit --rate 0 --per-host 8 --seed 1 --no-robots --format json \
    --config "$top_srcdir/demo/htaccess" -o "$work/audit.json" \
    "$q?n=1&declare=User-Agent,X-Forwarded-Proto" "$q?n=3&axis=X-Forwarded-Host&effect=reflect" "$base/case/20"
memcheck "lines, many at once" 1 "$VARYPROBE" audit --rate 0 --per-host 8 --seed 1 --no-robots --format ndjson \
    -o "$work/audit.ndjson" "$base/case/1" "$base/case/2" "$base/case/3"
memcheck "nobody there" 0 "$VARYPROBE" audit --no-robots --timeout 1s http://127.0.0.1:1/
memcheck "a policy" 0 "$VARYPROBE" policy "$work/audit.json"
memcheck "a summary" 0 "$VARYPROBE" summary "$work/audit.ndjson"
memcheck "a scan" 1 "$VARYPROBE" scan --format sarif "$top_srcdir/demo/htaccess" "$top_srcdir/demo/apache.conf"
memcheck "an option that nobody knows" 2 "$VARYPROBE" audit --bogus "$base/"
done_testing
