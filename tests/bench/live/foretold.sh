#!/bin/sh
# What varylive says from a log, beside what then happens: the hit-ratio benchmark (real
# Apache with the story's .htaccess, real varnishd, 952 browsers) is recorded with the
# leak and with varykit's policy on.  From the first log varylive gives the hit ratio that
# it shows, by its model, and foretells that of the second.
#   tests/bench/live/foretold.sh BUILD [SECONDS [MIX]]
# SECONDS of each (30), MIX as in tests/bench/hitratio.  Exit 1: an error above a point.
set -eu
export LC_ALL=C
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/../../.." && pwd)
built=$(cd "$1" && pwd)
mix=${3:-story}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What the benchmark's column "policy" has.
case $mix in
story) echo 'sub vcl_init { new site = vary.policy(); }' ;;
*) echo 'sub vcl_init { new site = vary.policy(); site.language("en, fr, de, es"); site.cookie("lang"); }' ;;
esac >"$work/policy.vcl"
VK_RECORD=$work "$top/tests/bench/hitratio" "$built" "${2:-30}" "$mix" >&2
for c in leak policy; do
	"$built/varylive" -r "$work/$c.vsl" --policy "$work/policy.vcl" --format json -o "$work/$c.json"
done
jq -rn --arg mix "$mix" --slurpfile l "$work/leak.json" --slurpfile p "$work/policy.json" '
	def points: . * 10000 | round / 100;
	def line($what; $got; $is): "\($what): \($got | points) %, measured \($is | points) %, error \($got - $is | points) points";
	($l[0].replay) as $a | ($p[0].replay) as $b |
	($a.scenarios[] | select(.kind == "policy") | .hit_ratio) as $foretold |
	($b.scenarios[] | select(.kind == "as-declared") | .hit_ratio) as $before |
	"\($mix): \($l[0].totals.requests) and \($p[0].totals.requests) requests",
	line("the leak, replayed"; $a.replayed_hit_ratio; $a.observed_hit_ratio),
	line("the policy, replayed"; $b.replayed_hit_ratio; $b.observed_hit_ratio),
	line("the policy, foretold from the leak"; $foretold; $b.observed_hit_ratio),
	line("the leak, told from the policy"; $before // 0; $a.observed_hit_ratio),
	([$a.replayed_hit_ratio - $a.observed_hit_ratio, $b.replayed_hit_ratio - $b.observed_hit_ratio,
	    $foretold - $b.observed_hit_ratio] | map(fabs) | max | if . > 0.01 then "MISSED: above one point" else "all within one point" end)' |
	tee "$work/said"
! grep -q MISSED "$work/said"
