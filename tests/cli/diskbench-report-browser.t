#!/bin/sh
# A page in a real browser: it is not blank in light, dark, narrow and print,
# and nothing leaves it, whatever a result has in its strings.
. "$top_srcdir/tests/cli/lib-disk.sh"
data=$(cd "$top_srcdir/tests/data/report" && pwd)
DISKBENCH=$(cd "$(dirname "$DISKBENCH")" && pwd)/diskbench
cd "$work" || exit 99
browser=
for b in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$b")
done
[ -n "$browser" ] || skip_all "no Chromium (Debian: chromium)"
command -v gnuplot >/dev/null || skip_all "no gnuplot (Debian: gnuplot-nox)"
command -v python3 >/dev/null || skip_all "no python3"
# A home of its own, no network, nothing that it does of itself.  It sometimes
# hangs on its way out, or before it begins: the second try is another process.
chrome() {
	for try in 1 2; do
		timeout -k 5 60 env HOME="$work" \
		    "$browser" --headless=new --no-sandbox --disable-gpu \
		    --force-device-scale-factor=0.5 \
		    --hide-scrollbars --disable-dev-shm-usage --no-first-run \
		    --disable-background-networking --disable-component-update \
		    --disable-sync --user-data-dir="$work/profile$try" \
		    --host-resolver-rules='MAP * ~NOTFOUND' "$@" \
		    >chrome.log 2>&1 </dev/null && return
	done
}
echo '<!DOCTYPE html><p>here' >probe.html
chrome --window-size=100,100 --screenshot="$work/probe.png" "file://$work/probe.html"
[ -s probe.png ] || skip_all "Chromium does not start here: $(tail -n 1 chrome.log | tr -cd ' -~' | cut -c1-120)"

# shot NAME PAGE WIDTH [OPTIONS]: width of the picture (half of the page's: a
# quarter of the work), colours, share of the commonest, and whether that is dark
shot() {
	shot_name=$1 shot_page=$2 shot_width=$3
	shift 3
	chrome "$@" --window-size="$shot_width,1800" \
	    --screenshot="$work/$shot_name.png" "file://$work/$shot_page"
	python3 - "$shot_name.png" <<'EOF'
import collections, struct, sys, zlib
d = open(sys.argv[1], "rb").read()
assert d[:8] == b"\x89PNG\r\n\x1a\n"
at, idat = 8, b""
while at < len(d):
    n, kind = struct.unpack(">I4s", d[at:at + 8])
    body = d[at + 8:at + 8 + n]
    if kind == b"IHDR":
        w, h, depth, colour = struct.unpack(">IIBB", body[:10])
    elif kind == b"IDAT":
        idat += body
    at += 12 + n
assert depth == 8 and colour in (2, 6)
bpp = 3 if colour == 2 else 4
raw, prev, seen = zlib.decompress(idat), bytearray(w * bpp), collections.Counter()
for y in range(h):
    f, row = raw[y * (w * bpp + 1)], bytearray(raw[y * (w * bpp + 1) + 1:(y + 1) * (w * bpp + 1)])
    for i in range(w * bpp if f else 0):
        a = row[i - bpp] if i >= bpp else 0
        b, c = prev[i], prev[i - bpp] if i >= bpp else 0
        if f == 1: p = a
        elif f == 2: p = b
        elif f == 3: p = (a + b) // 2
        else:
            q = a + b - c
            pa, pb, pc = abs(q - a), abs(q - b), abs(q - c)
            p = a if pa <= pb and pa <= pc else b if pb <= pc else c
        row[i] = (row[i] + p) & 255
    prev = row
    for x in range(0, w * bpp, bpp * 2):
        seen[bytes(row[x:x + 3])] += 1
(top, n), total = seen.most_common(1)[0], sum(seen.values())
print(w, len(seen), round(100 * n / total), "dark" if sum(top) < 200 else "light")
EOF
}

"$DISKBENCH" report "$data/run.json" -o page.html 2>err
is "the page is made" "$?:$(cat err)" "0:"
# Of a page of this kind some 90 % are ground, and text and plots have hundreds
# of colours; a blank one has one.
set -- $(shot light page.html 1280)
is "light: as wide as asked, on light ground" "$1:$4" 640:light
between "light: not blank" "$2" 40 100000
between "light: mostly ground, but not all" "$3" 60 99
set -- $(shot dark page.html 1280 --blink-settings=preferredColorScheme=0)
is "dark: as wide as asked, on dark ground" "$1:$4" 640:dark
between "dark: not blank" "$2" 40 100000
set -- $(shot narrow page.html 500)
is "narrow: on light ground" "$4" light
between "narrow: not blank" "$2" 40 100000

# Made now, since they take seconds: a search for a rate, and a saturation.
"$DISKBENCH" run --profile ats --engine sim --sim exponential:1000000 --seed 1 --runtime 1s \
    --format json >profile.json 2>err
is "a profile's result is made" "$?" 0
"$DISKBENCH" pts --test wsat --runtime 100ms --create 16M --format json wsat.dat >wsat.json 2>err
is "a write saturation is made" "$(jq -r .test wsat.json)" wsat
for json in "$data/compare.json" "$data/curve.json" "$data/pts.json" profile.json wsat.json; do
	kind=$(basename "$json" .json)
	"$DISKBENCH" report "$json" -o $kind.html 2>err
	is "$kind: the page is made" "$?:$(cat err)" "0:"
	set -- $(shot $kind $kind.html 1280)
	is "$kind: as wide as asked, on light ground" "$1:$4" 640:light
	between "$kind: not blank" "$2" 40 100000
	between "$kind: mostly ground, but not all" "$3" 60 99
done

# A bar to scroll with is of no use on paper.
is "print: the page asks for none to scroll with" \
    "$(grep -c '@media print{div.scroll{overflow:visible}' page.html)" 1
chrome --no-pdf-header-footer --print-to-pdf="$work/page.pdf" "file://$work/page.html"
if command -v pdftotext >/dev/null; then
	pdftotext page.pdf page.txt
	like "print: the verdict" "$(tr '\n' ' ' <page.txt)" '3.44k reads/s'
	like "print: the axes of the plots" "$(cat page.txt)" '99.9%'
else
	skip "print" "no pdftotext (Debian: poppler-utils)"
fi

# The pages of hostile results, and a page that does ask, to know that one
# would see it.
python3 - "$data/run.json" "$data/compare.json" "$data/curve.json" "$data/pts.json" \
    profile.json wsat.json <<'EOF'
import json, sys
evil = "</title></svg></style><img src=http://canary.invalid/a.png><script>fetch('http://canary.invalid/b')</script><style>@import url(http://canary.invalid/c)</style>"
def poison(v, key=""):
    if isinstance(v, dict):
        return {k: poison(x, k) for k, x in v.items()}
    if isinstance(v, list):
        return [poison(x) for x in v]
    return evil if isinstance(v, str) and key != "schema" else v
json.dump(poison(json.load(open(sys.argv[1]))), open("evil.json", "w"))
for i in range(2, 7):
    json.dump(poison(json.load(open(sys.argv[i]))), open("evil%d.json" % i, "w"))
EOF
"$DISKBENCH" report evil2.json evil3.json evil4.json evil6.json -o evil-compare.html 2>err
is "the page of a hostile comparison, curve and PTS is made" "$?:$(cat err)" "0:"
"$DISKBENCH" report evil.json evil5.json -o evil.html 2>err
is "the page of a hostile result is made" "$?:$(cat err)" "0:"
echo '<!DOCTYPE html><img src=http://canary.invalid/a.png>' >asks.html
for p in asks evil evil-compare; do
	chrome --log-net-log="$work/$p.net" --net-log-capture-mode=Everything \
	    --window-size=800,800 --screenshot="$work/$p.png" "file://$work/$p.html"
done
between "a page that asks is seen to" "$(grep -c 'canary.invalid/a.png' asks.net)" 1 100000
between "the other one was loaded" "$(grep -c 'evil.html' evil.net)" 1 100000
# Its address has no such name in it; requests would.
is "nothing leaves the page of a hostile result" \
    "$(grep -Ec '"url":"http://canary|"host":"[^"]*canary' evil.net)" 0
between "the hostile comparison, curve and PTS were loaded" "$(grep -c 'evil-compare.html' evil-compare.net)" 1 100000
is "nothing leaves them, either" \
    "$(grep -Ec '"url":"http://canary|"host":"[^"]*canary' evil-compare.net)" 0
is "where one that asks is seen so" \
    "$([ "$(grep -Ec '"url":"http://canary|"host":"[^"]*canary' asks.net)" -gt 0 ] && echo yes)" yes
done_testing
