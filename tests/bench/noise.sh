#!/bin/sh
# The noise matrix: pages that differ by themselves, with and without a header
# that has an effect.  Prints false findings and misses by kind of noise; exits 1
# if there is one.
#	top_srcdir=. top_builddir=build tests/bench/noise.sh [PAGES]
# PAGES is the number without effect, and of those with one (default 1000).
. "$top_srcdir/tests/cli/lib-probe.sh"
n=${1:-1000}
# Hours, on a slow machine: the origin must not end before the audit does.
ORIGIN_SECONDS=7200
start_origin
noises="none nonce csrf counter shuffle ads ab promo rr cookie nonce,counter,ads,ab,shuffle"
effects="User-Agent:text User-Agent:digit User-Agent:class User-Agent:inab
Accept-Language:text Accept-Language:digit X-Forwarded-Host:reflect
X-Forwarded-Proto:header Cookie:text Origin:header Accept:status"
i=0
while [ $i -lt "$n" ]; do
	for k in $noises; do
		[ $i -lt "$n" ] || break
		echo "$base/noise/$k?n=$i&noise=$k"
		i=$((i + 1))
	done
done >"$work/quiet"
i=0
while [ $i -lt "$n" ]; do
	for e in $effects; do
		for k in $noises; do
			[ $i -lt "$n" ] || break
			# An effect inside the A/B block needs the block.
			case $e in *:inab) [ "$k" = none ] && k=ab
				case $k in *ab*) ;; *) k=$k,ab ;; esac ;; esac
			echo "$base/noise/$k?n=$i&noise=$k&axis=${e%:*}&effect=${e#*:}"
			i=$((i + 1))
		done
	done
done >"$work/loud"
[ -n "${seed:-}" ] || seed=1
for set in quiet loud; do
	"$VARYPROBE" audit --rate 0 --per-host 16 --concurrency 16 \
	    --seed "$seed" --urls "$work/$set" --format ndjson \
	    >"$work/$set.ndjson" 2>"$work/$set.err"
	# What the URL's query says must be found, and nothing else.
	jq -r 'select(.kind == "target") |
	    (.url | capture("noise=(?<k>[^&]*)(&axis=(?<a>[^&]*)&effect=(?<e>.*))?$"))
	    as $q | (($q.a // "") | ascii_downcase) as $want |
	    ([.findings[] | select(.rule | test("missing|inconsistent|reflected"))
	     | .member]) as $got |
	    [$q.k, .outcome, ($got | map(select(. != $want)) | length),
	     (if $want == "" or ($got | index($want)) then 0 else 1 end)] | @tsv' \
	    "$work/$set.ndjson" >"$work/$set.tsv"
done
awk -F'\t' '
	{ n[$1]++; if ($2 != "judged") u[$1]++; f[$1] += $3; m[$1] += $4
	  N++; F += $3; M += $4; if ($2 != "judged") U++ }
	END {
		printf "%-32s %6s %10s %6s %6s\n", "noise", "pages", "not judged", "false", "missed"
		for (k in n) printf "%-32s %6d %10d %6d %6d\n", k, n[k], u[k], f[k], m[k] | "sort"
		close("sort")
		printf "%-32s %6d %10d %6d %6d\n", "all", N, U, F, M
		exit (F + M + U > 0)
	}' "$work/quiet.tsv" "$work/loud.tsv"
code=$?
jq -r 'select(.kind == "summary") | "\(.urls) URLs, \(.requests) requests"' \
    "$work/quiet.ndjson" "$work/loud.ndjson"
exit $code
