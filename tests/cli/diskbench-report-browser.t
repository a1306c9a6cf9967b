#!/bin/sh
# Pages in a real browser: none is blank in light, dark, narrow and print, and
# nothing leaves one, whatever a result has in its strings.
. "$top_srcdir/tests/cli/lib-disk.sh"
data=$(cd "$top_srcdir/tests/data/report" && pwd)
driver=$(cd "$top_srcdir/tests/cli" && pwd)/browser.py
DISKBENCH=$(cd "$(dirname "$DISKBENCH")" && pwd)/diskbench
cd "$work" || exit 99
browser=
for b in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$b")
done
[ -n "$browser" ] || skip_all "no Chromium (Debian: chromium)"
command -v gnuplot >/dev/null || skip_all "no gnuplot (Debian: gnuplot-nox)"
command -v python3 >/dev/null || skip_all "no python3"

# Two of the results are made now, since they take seconds: a search for a rate,
# and a saturation.
for kind in run compare curve pts; do cp "$data/$kind.json" .; done
"$DISKBENCH" run --profile ats --engine sim --sim exponential:1000000 --seed 1 --runtime 1s \
    --format json >profile.json 2>err
is "a profile's result is made" "$?" 0
"$DISKBENCH" pts --test wsat --runtime 100ms --create 16M --format json wsat.dat >wsat.json 2>err
is "a write saturation is made" "$(jq -r .test wsat.json)" wsat
kinds="run compare curve pts profile wsat"
# And all of them with strings that a browser would follow.
evil="</title></svg></style><img src=http://canary.invalid/a.png><script>fetch('http://canary.invalid/b')</script><style>@import url(http://canary.invalid/c)</style>"
for kind in $kinds; do results poison "$evil" $kind.json evil-$kind.json; done
for kind in $kinds; do
	"$DISKBENCH" report $kind.json -o $kind.html 2>err
	is "$kind: the page is made" "$?:$(cat err)" "0:"
done
"$DISKBENCH" report evil-compare.json evil-curve.json evil-pts.json evil-wsat.json -o evil-methods.html 2>err
is "the page of a hostile comparison, curve and PTS is made" "$?:$(cat err)" "0:"
"$DISKBENCH" report evil-run.json evil-profile.json -o evil-runs.html 2>err
is "the page of a hostile result is made" "$?:$(cat err)" "0:"
# A page that does ask, to know that one would see it.  It is the last one: what
# the others asked for is written by then.
echo '<!DOCTYPE html><img src=http://asks.invalid/a.png>' >asks.html

for kind in $kinds; do
	echo "shot $kind-light $kind.html 1280 light"
	echo "shot $kind-dark $kind.html 1280 dark"
	echo "shot $kind-narrow $kind.html 500 light"
done >commands
cat >>commands <<'EOF'
pdf page.pdf run.html
shot evil-runs evil-runs.html 800 light
shot evil-methods evil-methods.html 800 light
shot asks asks.html 800 light
EOF
# It sometimes hangs, or does not begin: the second try is another process.
for try in 1 2; do
	rm -rf profile net.json
	python3 "$driver" "$browser" . <commands >seen 2>driver.err && break
done
[ -s seen ] || skip_all "Chromium does not start here: $(cat driver.err chrome.log | tail -n 1 | tr -cd ' -~' | cut -c1-120)"
is "the browser looked at all of them" "$(wc -l <seen | tr -d ' ')" "$(wc -l <commands | tr -d ' ')"

# Pictures are a quarter of the page.  Some 90 % of a page of this kind are
# ground, and text and plots have hundreds of colours; a blank one has one.
looks() { # NAME WIDTH COLOURS
	# shellcheck disable=SC2046
	set -- "$@" $(awk -v n="$1" '$1 == n { print $2, $3, $4, $5 }' seen)
	is "$1: as wide as asked, and $3" "${4-}:${7-}" "$2:$3"
	between "$1: not blank" "${5-0}" 40 100000
	between "$1: ground, but not all" "${6-0}" 40 99
}
for kind in $kinds; do
	looks $kind-light 320 light
	looks $kind-dark 320 dark
	looks $kind-narrow 125 light
done

# A bar to scroll with is of no use on paper.
is "print: the page asks for none to scroll with" \
    "$(grep -c '@media print{div.scroll{overflow:visible}' run.html)" 1
if command -v pdftotext >/dev/null; then
	pdftotext page.pdf page.txt
	like "print: the verdict" "$(tr '\n' ' ' <page.txt)" '3.44k reads/s'
	like "print: the axes of the plots" "$(cat page.txt)" '99.9%'
else
	skip "print" "no pdftotext (Debian: poppler-utils)"
fi

between "a page that asks is seen to" "$(grep -c 'asks.invalid/a.png' net.json)" 1 100000
looks evil-runs 200 light
looks evil-methods 200 light
is "nothing leaves the pages of hostile results" \
    "$(grep -Ec '"url":"http://canary|"host":"[^"]*canary' net.json)" 0
is "where one that asks is seen so" \
    "$([ "$(grep -Ec '"url":"http://asks|"host":"[^"]*asks' net.json)" -gt 0 ] && echo yes)" yes
done_testing
