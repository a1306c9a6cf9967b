#!/bin/sh
# Every output format, read by what usually reads it.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin
urls="$base/case/22 $base/case/28 $base/hostile/random-body $base/plain/%22%3C&a=1"

# shellcheck disable=SC2086
audit $urls
is "human: exit 1" "$code" 1
like "human: a block for each URL" "$out" 'status 200, unstable: equal requests'
like "human: the summary" "$out" '4 URLs: 3 judged, 1 unstable'
like "human: the cost" "$out" 'hit ratio at 100 requests per lifetime: 63.0 %, with the findings fixed: 99.0 %'
like "human: errors stand first" "$(printf '%s' "$out" | grep -E '^  (error|warning)' | head -n 1)" 'warning vary-leak'
is "human: nothing on stderr" "$err" ""

# shellcheck disable=SC2086
audit --format json $urls
is "json: one document" "$(jq -r '[.schema, (.targets | length), .summary.urls] | @tsv' "$work/out")" "varykit.audit/1	4	4"
is "json: the order of the input" "$(jq -r '.targets[].url' "$work/out" | paste -sd' ')" "$(echo "$urls" | sed 's/ $//')"
is "json: the summary agrees" "$(jq '.summary.findings["vary-leak"]' "$work/out")" 1
is "json: what design.md names is there" "$(jq -r '.targets[0] | [has("url", "status", "outcome", "vary", "members", "findings", "cost")] | all' "$work/out")" true
is "json: of a member" "$(jq -r '.targets[0].members[0] | [has("name", "declared", "effect", "tried", "p", "evidence")] | all' "$work/out")" true
is "json: of a finding" "$(jq -r '.targets[0].findings[0] | [has("rule", "member", "level", "message", "fix", "cause")] | all' "$work/out")" true
is "json: cost" "$(jq -r '.targets[0].cost | [.variants_effective, .hit_ratio, .hit_ratio_fixed] | map(. * 100 | round) | @tsv' "$work/out")" "4809	63	99"

# shellcheck disable=SC2086
audit --format ndjson $urls
is "ndjson: a line each, then the summary" "$(jq -r .kind "$work/out" | uniq -c | awk '{print $1 $2}' | paste -sd' ')" "4target 1summary"

# shellcheck disable=SC2086
audit --format sarif $urls
is "sarif: version" "$(jq -r .version "$work/out")" 2.1.0
is "sarif: each result's rule is in the table of rules" "$(jq '.runs[0] | .tool.driver.rules as $r | [.results[] | $r[.ruleIndex].id == .ruleId] | all and length == 2' "$work/out")" true
is "sarif: a region, and no URI scheme" "$(jq '[.runs[0].results[].locations[0].physicalLocation | .region.startLine >= 1 and (.artifactLocation.uri | test(":") | not)] | all' "$work/out" 2>&1)" true
is "sarif: fingerprints differ" "$(jq '[.runs[0].results[].partialFingerprints["varykit/v1"]] | unique | length' "$work/out")" 2
printf '# list\n%s\n%s\n' "$base/case/2" "$base/case/22" >"$work/list.txt"
audit --format sarif --sarif-anchor "$work/list.txt" "$base/case/22"
is "sarif: --sarif-anchor names the URL's line" "$(jq -r '.runs[0].results[0].locations[0].physicalLocation | .artifactLocation.uri + " " + (.region.startLine | tostring)' "$work/out")" "$work/list.txt 3"

# shellcheck disable=SC2086
audit --format junit $urls
if command -v xmllint >/dev/null; then
	is "junit: well-formed" "$(xmllint --noout "$work/out" 2>&1)" ""
else
	is "junit: well-formed" "$(perl -0ne 'print "no" unless /^<\?xml .*<\/testsuites>\s*$/s' "$work/out")" ""
fi
is "junit: failures" "$(grep -c '<failure' "$work/out")" 2
is "junit: skipped" "$(grep -c '<skipped' "$work/out")" 1

# shellcheck disable=SC2086
audit --format tap $urls
is "tap: points" "$(grep -Ec '^(not )?ok ' "$work/out")" 4
is "tap: plan" "$(tail -n 1 "$work/out")" 1..4
if command -v prove >/dev/null; then
	like "tap: prove reads it" "$(prove -e cat "$work/out" 2>&1)" 'Failed 2/4 subtests'
fi

# shellcheck disable=SC2086
audit --format github $urls
like "github: a warning" "$out" '^::warning title=vary-leak user-agent::http'
like "github: the colon of a property is escaped, that of a message is not" "$out" '^::error title=vary-reflected x-forwarded-host::http:'

# shellcheck disable=SC2086
audit --format prometheus -o "$work/prom" $urls
is "prometheus: nothing on stdout" "$out" ""
is "prometheus: samples of a metric stand together" "$(grep -v '^#' "$work/prom" | sed 's/[{ ].*//' | uniq | sort | uniq -d)" ""
like "prometheus: a finding" "$(cat "$work/prom")" 'varyprobe_finding\{url="http[^"]*",rule="vary-leak",level="warning",member="user-agent"\} 1'
is "prometheus: no temporary file is left" "$(ls "$work" | grep -c tmp)" 0
if command -v promtool >/dev/null; then
	is "prometheus: promtool" "$(promtool check metrics <"$work/prom" 2>&1)" ""
fi

# What strict readers of each format say: of all kinds of findings and outcomes,
# with bytes that no format likes, and of nothing at all.
cat >"$work/ht access" <<'CONF'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} bot
RewriteRule . - [E=bot:1]
CONF
odd="$base/case/22 $base/case/28 $base/case/11 $base/case/32b $base/case/49a
    $base/case/30a $base/hostile/random-body $base/hostile/binary http://127.0.0.1:1/ ftp://a.example/
    $base/plain/%22%3C&a=1'b,c;d#e $base/plain/$(printf '\303\244\377')"
# (JSON has a test of its own: schema.t.)
for format in sarif junit tap github prometheus; do
	if ! has_reader $format; then
		skip "$format: a strict reader" "python3-jsonschema, xmllint or TAP::Parser is not here"
		continue
	fi
	# shellcheck disable=SC2086
	audit --axes Accept,Accept-Encoding,User-Agent,X-Forwarded-Host --config "$work/ht access" --format $format $odd
	is "$format: a strict reader has nothing to say" "$(reads_as $format "$work/out")" ""
	audit --format $format --urls /dev/null
	is "$format: nor of no URL at all" "$(reads_as $format "$work/out")" ""
done
# They are no sieves: a change of each kind is seen.
spoilt() {
	[ -n "$(reads_as "$1" "$work/spoilt")" ] && echo seen
}
if has_reader sarif; then
	audit --format sarif "$base/case/22"
	for change in 'del(.runs[0].results[0].locations[0].physicalLocation.region)' \
	    '.runs[0].results[0].level = "fatal"' '.version = "2.0.0"' \
	    '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri = "http://a/"'; do
		jq "$change" "$work/out" >"$work/spoilt"
		is "sarif: its reader sees $change" "$(spoilt sarif)" seen
	done
fi
for format in junit tap github prometheus; do
	has_reader $format || continue
	audit --format $format "$base/case/22"
	case $format in
	junit) sed 's/ tests="[0-9]*"//' ;;
	tap) sed '$d' ;;
	github) sed 's/title=/name=/' ;;
	prometheus) sed 's/^# TYPE varyprobe_finding .*//' ;;
	esac <"$work/out" >"$work/spoilt"
	is "$format: its reader sees a fault" "$(spoilt $format)" seen
done

# A disc that is full
if [ -c /dev/full ]; then
	audit --format json -o /dev/full "$base/case/22"
	is "a full disc: exit 4" "$code" 4
	like "a full disc: is said" "$err" 'varyprobe: .*(cannot write|No space)'
fi
audit --format json -o "$work/no/such/folder" "$base/case/22"
is "no such folder: exit 2" "$code" 2
done_testing
