#!/bin/sh
# diskbench report: results become a page or text; hostile, broken and foreign
# files; where a page is written and where not.
. "$top_srcdir/tests/cli/lib-disk.sh"
data=$(cd "$top_srcdir/tests/data/report" && pwd)
DISKBENCH=$(cd "$(dirname "$DISKBENCH")" && pwd)/diskbench
report() { bench report "$@"; }
cd "$work" || exit 99
cp "$data/run.json" run.json

report run.json
is "text: exit 0, nothing on stderr" "$code:$err" "0:"
is "text: as in tests/data/report/run.txt" "$out" "$(cat "$data/run.txt")"
is "text: no line is wider than the terminal, but for names and commands" \
    "$(awk 'length > 84' out)" ""
report - <run.json
like "a result from stdin needs something there" "$code:$err" '^50:.*empty'
"$DISKBENCH" report - <run.json >out 2>err
is "a result from stdin" "$?:$(sed -n 1p out | cut -c1-22)" "0:nvme0n1: 3.44k reads/s"

# A page.
gnuplot=$(command -v gnuplot)
report run.json -o page.html
if [ -n "$gnuplot" ]; then
	is "page: exit 0, silent" "$code:$out:$err" "0::"
	is "page: two sizes of each of 6 plots" \
	    "$(grep -c '<svg class=' page.html)" 12
	is "page: every plot has words for who cannot see it" \
	    "$(grep '<svg class=' page.html | grep -vc 'role="img".*aria-label="[^"]')" 0
	like "page: bars and lines in the page's colours" \
	    "$(cat page.html)" "path stroke='var\(--g3\)'"
	is "page: no colour of gnuplot's own" "$(grep -c 'rgb(' page.html)" 0
else
	skip "page with plots" "no gnuplot (Debian: gnuplot-nox)"
fi
is "page: a strict policy" \
    "$(grep -c "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';" page.html)" 1
is "page: no script, nothing to load, no link" \
    "$(grep -Eic '<script|<link|<img|<iframe|<object|src=|url\(|@import|<a ' page.html)" 0
like "page: the verdict comes first" \
    "$(sed -n '/<h1>/,/<h2>/p' page.html)" 'class="verdict"'
like "page: names are text" "$(cat page.html)" 'Example &lt;Drive&gt; &amp; &quot;Co&quot;'
report run.json -o page.html
is "a report of ours is replaced" "$code" 0
is "no temporary file is left" "$(find . -name '*.html.*')" ""
: >empty.html
report run.json -o empty.html
is "so is an empty file" "$code" 0
before=$(cksum run.json)
report run.json -o run.json
like "not what somebody else wrote" "$code:$err" '^19:diskbench: run.json: exists and is not a report'
is "which is as it was" "$(cksum run.json)" "$before"
report run.json -o /dev/null
like "not a device" "$code:$err" '^18:diskbench: /dev/null: no report is written there'
report run.json -o /dev/nosuch.html
like "nothing new in /dev" "$code:$err" '^18:'
[ ! -e /dev/nosuch.html ]
is "where nothing was made" "$?" 0
ln -s /dev dev
report run.json -o dev/nosuch.html
like "also not through a link" "$code" '^18$'
ln -s page.html link.html
report run.json -o link.html
like "a link is not followed" "$code:$err" '^19:.*not a regular file'
report run.json -o nosuch/page.html
like "nowhere" "$code:$err" '^18:.*No such file'
report run.json -o -
like "-o - is stdout" "$code:$(printf '%s' "$out" | sed -n 1p)" '^0:<!DOCTYPE html>'
if [ -e /dev/full ]; then
	"$DISKBENCH" report run.json >/dev/full 2>err
	like "a full disk is noticed" "$?:$(cat err)" '^4:.*No space'
fi

# Without gnuplot: tables.
mkdir bin
env PATH="$work/bin" "$DISKBENCH" report run.json -o tables.html >out 2>err
code=$?
err=$(cat err)
like "no gnuplot: a page all the same, and a word" "$code:$err" \
    '^0:diskbench: warning: gnuplot is not installed \(Debian: gnuplot-nox\)'
is "no gnuplot: the numbers are open" "$(grep -c '<details open>' tables.html)" 6
printf '#!/bin/sh\necho "line 7: no" >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
env PATH="$work/bin:$PATH" "$DISKBENCH" report run.json -o tables.html >out 2>err
code=$?
err=$(cat err)
like "a gnuplot that fails is quoted" "$code:$err" '^0:.*gnuplot failed \(line 7: no\)'

# Several, and depths.
for d in 1 4 16; do
	sed "s/\"iodepth\":\"8\"/\"iodepth\":\"$d\"/; s/\"iops\":[0-9.]*/\"iops\":$((d < 8 ? d * 1000 : 4300))/g" \
	    run.json >depth$d.json
done
report depth1.json depth4.json depth16.json
is "several: exit 0" "$code" 0
like "a sweep has its knee" "$out" 'The knee is at depth 8: 8k IOPS'
like "several: says what single runs do not show" "$out" 'diskbench|compare'
if [ -n "$gnuplot" ]; then
	report depth1.json depth4.json depth16.json -o sweep.html
	is "sweep page" "$code:$err" "0:"
	like "sweep page: its plots" "$(cat sweep.html)" 'IOPS by depth'
fi

# Comparisons.
"$DISKBENCH" report - <"$data/compare.json" >out 2>err
is "comparison: exit 0, nothing on stderr" "$?:$(cat err)" "0:"
is "comparison: as in tests/data/report/compare.txt" "$(cat out)" "$(cat "$data/compare.txt")"
# edit FILE STATEMENT: the comparison j, changed
edit() { results change "$data/compare.json" "$1" "$2"; }
cp "$data/compare.json" compare.json
if [ -n "$gnuplot" ]; then
	report compare.json -o compare.html
	is "comparison page: exit 0, silent" "$code:$out:$err" "0::"
	is "comparison page: the forest and the pairs, each in two sizes" \
	    "$(grep -c '<svg class=' compare.html)" 4
	like "comparison page: the verdict comes first" \
	    "$(sed -n '/<h1>/,/<h2>/p' compare.html)" '<p class="good">A faster: A has 1.137 of'
	like "comparison page: the forest says in words what it shows" "$(cat compare.html)" \
	    'aria-label="The 95 % interval of each of 5 figures, and a line at 1: 4 lie wholly on A&#39;s side of it, 0 on B&#39;s'
fi
edit partial.json 'j["complete"] = False; j["pairs"] = j["pairs"][:4]; j["verdict"] = "too few runs"; j["sentence"] = "Too few runs."'
report partial.json
like "a partial comparison: a warning first" "$code:$out" '^0:warning: Too few runs[.]'
like "and what there is" "$out" 'PROBLEM: Partial: 4 of 10 pairs'
edit aa.json 'j["kind"] = "aa"'
report aa.json
like "one with itself that differs is a problem" "$code:$out" '^0:PROBLEM: A faster'
like "and said to be the same" "$out" 'B is the same: this measures the rig'
edit buffered.json 'j["kind"] = "buffered"; j["sides"][1]["engine"] = "psync"'
report buffered.json
like "through the page cache: what each side means" "$out" 'A is what a program sees'
like "different engines: a warning" "$out" '^warning: The sides were measured with different engines, io_uring and psync'
edit wide.json 'j["metrics"][0].update(ratio=8, ratio_low=4, ratio_high=16)'
report wide.json
like "far apart: the middle of a logarithmic forest" "$out" '[|]-------+o-------+[|]'
report compare.json partial.json
is "several comparisons" "$code:$(grep -c '^Comparison: ' out)" "0:2"
report compare.json run.json
like "a comparison and a run: refused" "$code:$out:$err" '^50::diskbench: results of single runs together with others'
for key in sides metrics pairs verdict; do
	edit lacks.json "del j['$key']"
	report lacks.json
	like "a comparison without $key" "$code:$out:$err" "^50::diskbench: lacks.json: a comparison without \"$key\"; make it again"
done
edit none.json 'j["pairs"] = []; j["metrics"] = []; j["sides"] = [3, None]; j["method"] = 7'
report none.json
is "a comparison of nothing: text all the same" "$code:$err" "0:"
edit numbers.json 'j["metrics"] = [dict(m, ratio=x, ratio_low=y, ratio_high=z) for m in j["metrics"] for x, y, z in [(1e300, 1e-300, 1e308), (-1, -2, -3), (0, 0, 0), (5, 7, 3), ("x", None, {})]]; j["pairs"] = [{"a": {"iops": x}, "b": 3} for x in [1e308, -5, None, "y"]]; j["metric"] = "x" * 3000'
report numbers.json -o numbers.html
is "a comparison of impossible numbers: a page" "$code:$err" "0:"
report numbers.json
is "and text" "$code:$err" "0:"

# fio's.
if command -v fio >/dev/null; then
	dd if=/dev/urandom of=f.img bs=1M count=4 2>/dev/null
	fio --name=r --filename=f.img --rw=randread --bs=4k --iodepth=2 --number_ios=500 \
	    --readonly --output-format=json+ --output=fio.json >/dev/null 2>&1
	report fio.json
	is "fio's result: exit 0" "$code:$err" "0:"
	like "fio's result: its percentiles" "$out" 'p50  '
	like "fio's result: its histogram" "$out" 'Histogram: read latency'
	like "fio's result: says what it lacks" "$out" 'Measured by fio: no values over time'
else
	skip "fio's result" "no fio (Debian: fio)"
fi

# Files that are none.
report
like "no file" "$code:$err" '^2:.*report: name a result'
report nosuch.json
like "a file that is not there" "$code:$err" '^50:diskbench: nosuch.json: cannot read: No such file'
report .
like "a folder" "$code:$err" '^50:diskbench: .: cannot read: Is a directory'
printf '  \n' >blank.json
report blank.json
like "an empty file" "$code:$err" '^50:diskbench: blank.json: empty'
head -c 3000 run.json >half.json
report half.json
like "half a file" "$code:$err" '^50:diskbench: half.json: not JSON, line .*ends too early'
{
	echo 'fio: this is a message'
	cat run.json
} >chatty.json
report chatty.json
like "fio's message before its JSON" "$code:$err" '^50:.*something stands before its first \{'
for text in '[]' '{}' '3' '{"jobs":{}}' '{"jobs":[]}' '{"jobs":[3]}' '{"jobs":[{}]}' \
    '{"jobs":null}' '"jobs"' '{"jobs":[{"read":1,"write":[]}]}'; do
	printf '%s' "$text" >foreign.json
	report foreign.json
	like "not a result: $text" "$code:$out:$err" '^50::diskbench: foreign.json: '
done
echo '{"schema":"varykit.audit/1","targets":[]}' >audit.json
report audit.json
like "another tool's result is named" "$code:$err" '^50:.*is a "varykit.audit/1"'
sed 's|varykit.diskbench/1|varykit.diskbench/2|' run.json >later.json
report later.json
like "of another version: refused, and named" "$code:$out:$err" '^50::diskbench: later.json: a "varykit.diskbench/2", and this diskbench reads varykit.diskbench/1'
printf '\357\273\277' | cat - run.json >bom.json
report bom.json
like "a byte order mark is called so" "$code:$err" '^50:.*bom.json: begins with a byte order mark'
report run.json audit.json -o both.html
like "one bad file of two: no page" "$code:$(ls both.html 2>&1)" '^50:.*(No such|cannot access)'
printf '{"fio version":"fio-2.16","jobs":[{"jobname":"x","read":{"iops":1000,"total_ios":9,"clat":{"min":1,"max":9,"mean":3}},"write":{}}]}' >fio2.json
report fio2.json
like "of fio 2: says so, and what to do" "$code:$out:$err" '^50::diskbench: fio2.json: a result of fio 2, .*measure with fio 3 or with diskbench fio'
printf '{"jobs":[{"read":{},"write":{}}]}' >nothing.json
report nothing.json
like "a job without an I/O" "$code:$out" '^0:PROBLEM: job: not one I/O was measured'

# Hostile ones.
evil='</title></svg><script>alert(1)</script><img src=x onerror=alert(1)>"'\''`touch owned`$(touch owned)'
evil=$evil$(printf "\nsystem('touch owned')\n\033]0;title\007\302\2332J\342\200\256")
results poison "$evil" run.json evil.json
python3 - <<'EOF'
import json
big = json.load(open("run.json"))
d = big["jobs"][0]["diskbench"]
for i, s in enumerate(d["series"]["steps"]):
    s["read"]["ios"] = [1e300, -1, 0, "x", None, 1e17, {}][i % 7]
    s["t_ns"] = [1e308, -5, None][i % 3]
d["latency"]["read"]["service_buckets"] = [[9, 1, 5], [-1, -1, 3], [1e300, 1e301, 2], [5, 6, -2], [], 7, None, ["a", "b", "c"], [0, 0, 1e17], [3, 4, 1]]
d["latency"]["write"]["service_ns"]["percentile"] = {"nan": 3, "99.9": "x", "": [], "200": 1, "50.000000": -4, "." * 4000: 5, "000": 1, ".0": 1}
big["jobs"][0]["job options"].update(iodepth="1e999", numjobs="-3", bs="18446744073709551616k")
json.dump(big, open("numbers.json", "w"))
EOF
report evil.json -o evil.html
is "hostile strings: exit 0" "$code:$err" "0:"
is "hostile strings: nothing ran" "$(ls owned 2>/dev/null)" ""
is "hostile strings: none is markup" "$(grep -Eic '<script|<img|onerror=alert\(1\)>' evil.html)" 0
# A cache's load, with the search for its rate, and what advice there was.
"$DISKBENCH" run --profile ats --engine sim --sim exponential:1000000 --seed 1 --time-budget 20s \
    --format json >profile.json 2>err
python3 -c '
import json
j = json.load(open("profile.json"))
j["diskbench"]["profile"]["advice"] = {"storage": "raw", "madvise": "random", "file_objects_per_second": 400,
    "raw_objects_per_second": 8000, "file_gbit_per_second": 0.13, "raw_gbit_per_second": 2.6,
    "read_amplification": {"random": 1, "normal": 56.6, "sequential": None},
    "text": ["amplified 1", "amplified 57", "use the raw disk"]}
json.dump(j, open("profile.json", "w"))'
report profile.json
like "a profile: its rate comes first" "$out" '^As ats: [0-9]{4} objects a second with 99 of 100 reads within 10 ms'
like "then the advice" "$(printf '%s\n' "$out" | sed -n 's/^Advice: //p')" '^use the raw disk[.]$'
like "and what the time budget cost" "$(printf '%s' "$out" | tr '\n' ' ')" 'Certainty: one run of 3.95 s is what fits into the budget, after trials'
like "with the trials, those that held and those that did not" "$out" 'objects a second +held +did not hold'
like "and the read amplification" "$out" 'the same, advice normal +56[.]6'
like "what its streams asked for, each with its mix of sizes" "$(printf '%s' "$out" | tr '\n' ' ')" \
    ' hits: random reads of 4k 11 %, 8k 20 %, .* at most 8 in flight, [0-9.]+k a second. aggregates: sequential writes of 2M 33 %, 3M 33 %, 4M 33 %, at most 1 in flight'
like "and not one size and depth for all" "$(printf '%s\n' "$out" | grep '^  ats ' | tr -s ' ' | tr '\n' ' ')" \
    '^ ats read 4k-448k 10 .* ats write 2M-4M 10 '
if [ -n "$gnuplot" ]; then
	report profile.json -o profile.html
	is "a profile's page: exit 0, silent" "$code:$out:$err" "0::"
	is "a profile's page: the search is drawn" "$(grep -Ec 'aria-label="The 99th percentile of reads at each rate that was tried: [0-9]+ rates held .discs., [0-9]+ did not' profile.html)" 2
	is "a profile's page: what held and what did not differ in shape, not in colour alone" \
	    "$(grep -c "xlink:href='#gpPt1'" profile.html | awk '{ print ($1 > 1) }'):$(grep -c "xlink:href='#gpPt6'" profile.html | awk '{ print ($1 > 1) }'):$(grep -Ec 'id="gpPt1".*id="gpPt6"' profile.html)" 1:1:1
fi
# Curves and SNIA's tests.
for kind in curve pts; do
	"$DISKBENCH" report - <"$data/$kind.json" >out 2>err
	is "$kind: exit 0, nothing on stderr" "$?:$(cat err)" "0:"
	is "$kind: as in tests/data/report/$kind.txt" "$(cat out)" "$(cat "$data/$kind.txt")"
	cp "$data/$kind.json" $kind.json
done
if [ -n "$gnuplot" ]; then
	report pts.json curve.json compare.json -o methods.html
	is "one page of all three: exit 0, silent" "$code:$out:$err" "0::"
	is "with its plots, each in two sizes" "$(grep -c '<svg class=' methods.html)" 16
	like "a window has its lines" "$(cat methods.html)" \
	    'average of the window</li>.*110 % of it</li>.*90 % of it</li>.*least-squares line</li>'
	like "and says in words what it shows" "$(cat methods.html)" \
	    'aria-label="Rounds 5 to 9, their average, .* slope 8.6 % of at most 10: steady[.]"'
	like "filling has its burst" "$(cat methods.html)" 'burst</li>.*sustained</li>'
fi
# change FILE STATEMENT: the test of PTS or the curve j, changed, as changed.json
change() { results change "$1" changed.json "$2"; }
change pts.json 'j["verdict"] = "not steady"; j["steady"]["reached"] = j["complete"] = False; j["errors"] = 3'
report changed.json
like "not steady: a warning, and what failed" "$(printf '%s' "$out" | tr '\n' ' ')" \
    '^warning: .*PROBLEM: Partial.*PROBLEM: 3 I/Os failed.*which are not steady'
change pts.json 'j["steady"] = None; j["means"] = j["levels"] = []; j["tracked"]["values"] = [1, 2, 3, 4]'
report changed.json
is "four rounds, no window: text" "$code:$err" "0:"
for lacks in pts/verdict pts/preconditioning pts/rounds pts/means curve/points curve/bytes_per_s curve/access; do
	change "${lacks%/*}.json" "del j['${lacks#*/}']"
	report changed.json
	like "$lacks missing" "$code:$out:$err" "^50::diskbench: changed.json: a .* without \"${lacks#*/}.*make it again with diskbench ${lacks%/*}"
done
report evil.json
is "hostile strings: no control character reaches the terminal" \
    "$(LC_ALL=C tr -d '\n -~\200-\377' <out | wc -c):$(LC_ALL=C grep -c "$(printf '\302\233')" out)" "0:0"
report numbers.json -o numbers.html
is "impossible numbers: a page" "$code:$err" "0:"
report numbers.json
is "impossible numbers: text" "$code:$err" "0:"
results poison "$evil" "$data/compare.json" evil-compare.json "$data/pts.json" evil-pts.json \
    "$data/curve.json" evil-curve.json
report evil-compare.json evil-pts.json evil-curve.json -o evil-compare.html
is "hostile comparison, curve and PTS: exit 0" "$code:$err" "0:"
is "hostile comparison, curve and PTS: nothing ran, none is markup" \
    "$(ls owned 2>/dev/null):$(grep -Eic '<script|<img|onerror=alert\(1\)>' evil-compare.html)" ":0"
report evil-compare.json evil-pts.json evil-curve.json
is "hostile comparison, curve and PTS: no control character reaches the terminal" \
    "$(LC_ALL=C tr -d '\n -~\200-\377' <out | wc -c):$(LC_ALL=C grep -c "$(printf '\302\233')" out)" "0:0"
python3 -c 'print("[" * 100000)' >deep.json
report deep.json
like "a deep one" "$code" '^50$'
done_testing
