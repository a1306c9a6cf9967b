#!/bin/sh
# What reads a result, or a workload file: each member of one in its turn left out, and something else than
# it should be, JSON or not.  It is read without it, or refused in one line that names
# the file; no page and no text has a figure that is none.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v python3 >/dev/null || skip_all "no python3"
data=$(cd "$top_srcdir/tests/data/report" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
DISKBENCH=$(cd "$(dirname "$DISKBENCH")" && pwd)/diskbench
cd "$work" || exit 99
# What is given to gnuplot is of interest here, not what it does with it.
mkdir bin
printf '#!/bin/sh\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
for kind in run compare curve pts; do
	is "report, of $kind" "$(results sweep "$data/$kind.json" "$DISKBENCH" report swept.json)" "enough places"
	is "report, of $kind, as a page" \
	    "$(results sweep "$data/$kind.json" env PATH="$work/bin" "$DISKBENCH" report swept.json -o -)" "enough places"
done
is "compare, as A" "$(results sweep "$data/run.json" "$DISKBENCH" compare swept.json --vs "$data/run.json")" "enough places"
is "compare, as B" "$(results sweep "$data/run.json" "$DISKBENCH" compare "$data/run.json" --vs swept.json)" "enough places"
# Those that there were.
results change "$data/pts.json" changed.json 'j["means"][0]["iops"] = 1e-320'
timeout 60 env PATH="$work/bin" "$DISKBENCH" report changed.json -o - >out 2>err
is "a figure next to nothing has its place on an axis, or none: the page ends" "$?" 0
for figure in range_percent average; do
	results change "$data/pts.json" changed.json "j['steady']['$figure'] = []"
	bench report changed.json -o -
	like "a steady state without its $figure: refused" "$code:$out:$err" "^50::.*changed.json: a test of PTS without \"$figure\""
done

# Workload files: what is taken is as the schema has it, and is printed as it was taken.
cat >mixed.json <<'END'
{"schema": "varykit.workload/1", "name": "all", "description": "each member", "note": "of it", "generator": "hand",
 "basis": "observed", "hit_percent": 50, "object_bytes": 65536, "streams": [{"name": "s", "rw": "mixed", "read_percent": 70,
 "pattern": "random", "follow_percent": 10, "in_flight": 4, "closed": false, "phase": 0, "per_hit": 1, "per_miss": 1,
 "miss_bytes": 1, "per_second": 1, "sizes": [{"bytes": 4096, "share": 1}], "align": 4096, "sync": "none", "fsync": 4}]}
END
results change mixed.json runs.json 's = j["streams"][0]; s["rw"] = "read"; del s["read_percent"], s["fsync"];
s["run"] = [{"bytes": 65536, "share": 1}]'
for kind in mixed runs; do
	is "a workload file, of $kind" "$(results workload "$top_srcdir/schema/varykit.workload-1.schema.json" $kind.json \
	    "$DISKBENCH" profiles ./swept.json)" "enough places"
done
results change mixed.json lines.json 'j["note"] = "a\x1b[2J\nb"'
bench profiles ./lines.json
is "a workload file's words: none for the terminal" "$(printf '%s' "$out" | jq -r .note)" 'a?[2J b'
done_testing
