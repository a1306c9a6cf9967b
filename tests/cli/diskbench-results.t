#!/bin/sh
# What reads a result: each member of one in its turn left out, and something else than
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
done_testing
