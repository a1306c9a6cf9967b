#!/bin/sh
# Results that 1.0.0 printed are committed (tests/data/golden/, and tests/data/report/
# for reports).  They are never made again: whoever changes a form so that the schema
# of its number says no to them, or a program does not read them, wants the next number.
. "$top_srcdir/tests/cli/lib-tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/golden.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
command -v jq >/dev/null || skip_all "no jq"
can_validate || skip_all "no jsonschema 4 for Python (Debian: python3-jsonschema)"
schemas=$(cd "$top_srcdir/schema" && echo *.schema.json)
golden=$top_srcdir/tests/data/golden
report=$top_srcdir/tests/data/report
names() { # the schemas that a result says it has
	jq -r '.schema // .diskbench.schema // empty' "$1" | sort -u
}

# A schema's name, file and number are one.
for s in $schemas; do
	name=$(printf '%s' "${s%.schema.json}" | sed 's|-\([0-9]*\)$|/\1|')
	jq -r --arg n "$name" --arg s "$s" '
		(if .["$id"] == "https://varykit.example/schema/" + $s then empty else "$id: " + (.["$id"] // "none") end),
		(if (.title + ":" | startswith($n + ":")) then empty else "title: " + .title end),
		(if [.. | objects | select(.properties? | objects | has("schema")) | .properties.schema.const] | unique == [$n]
		 then empty else "const: another, or none" end)' \
		"$top_srcdir/schema/$s" >"$work/bad" 2>&1
	is "$s: says that it is $name, in \$id, title and schema" "$(cat "$work/bad")" ""
done

# All that is committed as a result, whoever added it, is as its schema says.
find "$top_srcdir/tests/data" -name '*.json' -o -name '*.ndjson' | sort >"$work/files"
: >"$work/seen"
for s in $schemas; do
	name=$(printf '%s' "${s%.schema.json}" | sed 's|-\([0-9]*\)$|/\1|')
	set --
	while read -r f; do
		[ "$(names "$f")" = "$name" ] || continue
		set -- "$@" "$f"
		echo "$f" >>"$work/seen"
	done <"$work/files"
	if [ $# -eq 0 ]; then
		echo "make one, for tests/data/golden/" | tap_not_ok "$name has a golden file"
		continue
	fi
	validate "$name: $# committed results are as the schema says" "$s" "$@"
	case $s in
	*diskbench-1*) refuses "$s" "$1" '.diskbench.schema = "varykit.diskbench/2"' \
	    'del(.diskbench.version)' 'del(.jobs[0].diskbench.device.name)' \
	    '.jobs[0].diskbench.latency.read.new = 1' ;;
	*audit-1*) refuses "$s" "$golden/audit.json" '.schema = "varykit.audit/2"' '.new = 1' \
	    'del(.summary)' 'del(.targets[0].members)' ;;
	*) refuses "$s" "$1" ".schema = \"${name%/1}/2\"" '.new = 1' ;;
	esac
done
sort "$work/seen" | comm -23 "$work/files" - >"$work/bad"
is "each file of JSON there is says which schema it has" "$(cat "$work/bad")" ""

# And the programs of today read them.
reads() { # NAME PATTERN-OF-OUTPUT PROGRAM ARGUMENT...
	tap_name=$1 tap_want=$2
	shift 2
	if [ ! -x "$1" ]; then
		skip "$tap_name" "${1##*/} was not built"
		return
	fi
	"$@" >"$work/out" 2>"$work/err" </dev/null
	like "$tap_name" "$?:$(cat "$work/out")" "$tap_want"
}
VARYPROBE=$top_builddir/varyprobe DISKBENCH=$top_builddir/diskbench/diskbench
reads "policy reads audit/1" '^	new site = vary.policy\(strip = "Host, User-Agent"\);' \
    "$VARYPROBE" policy "$golden/audit.json"
reads "summary reads audit/1, line by line" '^0:\{"urls":5,"outcomes":\{"judged":3,"unstable":1,"interfered":0,"unreachable":1\}.*"vary-leak":1' \
    "$VARYPROBE" summary "$golden/audit.ndjson"
printf '192.0.2.1 - - [02/Dec/2026:00:00:00 +0000] "GET http://site.example/case/22 HTTP/1.1" 200 9 "-" "a"\n' >"$work/log"
reads "varylive reads audit/1" '^0:1 request' "$top_builddir/varylive" --access-log combined \
    -r "$work/log" --audit "$golden/audit.json"
for f in "$report"/run "$report"/compare "$report"/curve "$report"/pts "$golden"/profile; do
	reads "report reads $(names "$f.json")" '^0:..' "$DISKBENCH" report "$f.json"
done
reads "compare reads diskbench/1" '^0:A: /dev/nvme0n1.*' \
    "$DISKBENCH" compare "$report/run.json" --vs "$report/run.json"
reads "run reads workload/1" '^2:' "$DISKBENCH" run --profile "$golden/workload.json" --show-fio
is "... up to what fio lacks" "$(cat "$work/err" 2>/dev/null)" "diskbench: --show-fio: fio has no profiles"
done_testing
