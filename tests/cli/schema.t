#!/bin/sh
# What is printed as JSON is as the schemas in schema/ say; and they say no to what
# is not.
. "$top_srcdir/tests/cli/lib-probe.sh"
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
    skip_all "no jsonschema 4 for Python (Debian: python3-jsonschema)"
command -v jq >/dev/null || skip_all "no jq"
schema=$top_srcdir/schema/varykit.audit-1.schema.json
valid() { python3 "$top_srcdir/tests/cli/schema.py" "$schema" "$@" 2>&1; }
start_origin
cat >"$work/htaccess" <<'CONF'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} bot
RewriteRule . - [E=bot:1]
CONF
# One of each outcome, all kinds of evidence, causes, bytes that are no UTF-8
urls="$base/case/22 $base/case/28 $base/case/20 $base/case/11 $base/case/32b
    $base/case/42a $base/case/49a $base/case/30a $base/hostile/random-body
    $base/hostile/binary $base/hostile/reset-head $base/hostile/many-vary
    $base/no/such http://127.0.0.1:1/ ftp://a.example/"
for format in json ndjson; do
	# shellcheck disable=SC2086
	audit --axes main --config "$work/htaccess" --format $format $urls
	is "$format: exit 1" "$code" 1
	is "$format: by its schema" "$(valid "$work/out")" ""
	cp "$work/out" "$work/$format"
done
is "json: with causes" "$(jq '[.targets[].findings[].cause | select(. != null)] | length > 0' "$work/json")" true
is "json: with innocents, and likely causes" "$(jq '[.targets[] |
    (.innocent | length > 0), ([.findings[].likely_cause | select(. != null)] | length > 0)] |
    (any and (map(not) | any))' "$work/json")" true
is "json: three outcomes at least" "$(jq '[.targets[].outcome] | unique | length >= 3' "$work/json")" true
run summary "$work/ndjson"
is "summary: by the schema" "$(valid "$work/out")" ""
audit --format json --urls /dev/null
is "no URL at all: by the schema" "$(valid "$work/out")" ""
# The schema is no sieve: a change of each kind is seen.
for change in '.targets[0].outcome = "fine"' '.targets[0].new = 1' \
    'del(.summary.worst)' '.schema = "varykit.audit/2"' \
    '.targets[0].findings[0].level = "fatal"' '.targets[0].members[0].p = 2'; do
	jq "$change" "$work/json" >"$work/changed"
	is "said no to: $change" "$([ -n "$(valid "$work/changed")" ] && echo no)" no
done
done_testing
