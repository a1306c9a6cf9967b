#!/bin/sh
# A small number of the noise matrix; tests/bench/noise.sh plays a thousand.
command -v jq >/dev/null || { echo "1..0 # SKIP no jq"; exit 0; }
echo 1..2
out=$(sh "$top_srcdir/tests/bench/noise.sh" 33) && ok= || ok="not "
printf '%s\n' "$out" | sed 's/^/# /'
echo "${ok}ok 1 - no false finding and no miss in the noise matrix"
case $out in
*"66          0      0      0"*) echo "ok 2 - 66 pages were judged" ;;
*) echo "not ok 2 - 66 pages were judged" ;;
esac
