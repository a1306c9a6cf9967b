#!/bin/sh
# Profiles of caches: what they make the block layer do is what was traced below
# the caches themselves; the search; workload files; advice.
# In memory: the shares must not depend on a slow disk.
if [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -gt 600000 ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq (Debian: jq)"

# --- without a disk -----------------------------------------------------------
bench profiles
is "profiles: exit 0, nothing on stderr" "$code:$err" "0:"
is "profiles: all of them, with where their numbers are from" \
    "$(printf '%s\n' "$out" | awk '{ print $1 ":" $2 }' | tr '\n' ' ')" \
    "blog:observed varnish-file:traced varnish-file-nuke:traced ats:traced nginx:traced squid-rock:traced navy:documented fellow:approximate mse:approximate "
for p in $(printf '%s\n' "$out" | awk '{ print $1 }'); do
	bench profiles "$p"
	is "profiles $p: exit 0" "$code:$err" "0:"
	cp "$work/out" "$work/$p.json"
	bench profiles "./$work/$p.json"
	[ "${work#/}" = "$work" ] || bench profiles "$work/$p.json"
	is "profiles $p: its file reads back as itself" "$(cmp "$work/out" "$work/$p.json" 2>&1)" ""
done
bench run --profile ats --engine sim --sim exponential:1000000 --seed 1 --runtime 3s --format json
# How busy the hypervisor is, is not this test's business.
is "a search: exit 0" "$code:$(printf %s "$err" | grep -v 'warning: steal')" "0:"
# Eight at once of 1 ms each are 8,000 reads a second: 8,889 objects with
# 90 % hits, and the knee is just below.
between "its highest rate is where eight readers are busy" \
    "$(jq '.diskbench.profile.objects_per_second' "$work/out")" 7000 8890
is "it held" "$(jq -r '.diskbench.profile.held' "$work/out")" true
between "its 99th percentile is within the limit" \
    "$(jq '.diskbench.profile.read_response_ns.percentile["99.000000"]' "$work/out")" 4000000 10000000
cp "$work/out" "$work/out.ats"
is "trials that did not hold are named" \
    "$(jq '[.diskbench.profile.trials[] | select(.held | not)] | length > 0' "$work/out")" true
between "Gbit/s of hits: objects, their size, 90 %" \
    "$(jq '.diskbench.profile | .hit_gbit_per_second * 1e9 / 8 / .object_bytes / 0.9 / .objects_per_second' "$work/out")" \
    0.999 1.001
bench run --profile ats --engine sim --sim exponential:1000000 --seed 1 --runtime 3s --slo 5ms --format json
between "a stricter limit is a lower rate" \
    "$(jq '.diskbench.profile.objects_per_second' "$work/out")" 3000 8500
bench run --profile ats --engine sim --sim constant:1000000000 --runtime 2s
like "a drive that answers in a second keeps no rate" "$out" "no rate kept p99 within 10ms"
bench run --profile ats --engine sim --sim exponential:1000000 --rate 1000 --runtime 5s
is "a given rate: exit 0" "$code:$(printf %s "$err" | grep -v 'warning: steal')" "0:"
like "a given rate is what is reported" "$out" "^  1000.0 objects/s of 39.8 KiB, 90% hits: p99 within 10ms"
bench run --profile ats --engine sim --sim exponential:1000000 --seed 1 --time-budget 20s
like "a search in a budget: a fifth of it for the run, and what that costs" "$code:$(printf '%s' "$out" | tr '\n' ' ')" \
    '^0:.*Certainty: one run of 3.95 s is what fits into the budget, after trials of a fifth of that'
bench run --profile ats --engine sim --time-budget 20s --advise
is "a budget and advice: exit 2" "$code" 2
bench run --profile blog --engine sim --sim exponential:1000000 --runtime 1s --format json
is "blog: four phases, one after the other" "$code:$(jq -c '[.jobs[] | .read.iops > 0]' "$work/out")" \
    "0:[true,true,false,true]"
bench run --profile fellow --engine sim --sim exponential:1000000 --rate 100 --runtime 1s
like "each of its streams is named, with what it may have in flight" "$(printf '%s\n' "$out" | grep '^  stream')" \
    '^  stream log: random writes of 4.0KiB, 1 in flight at most, 0.5 a second$'
like "an approximate one is called so" "$out" "^profile fellow \(approximate\)"

is "a profile's result: each kind of its requests, and not one for all" \
    "$(jq -c '.jobs[0].diskbench.streams | map([.name, .in_flight, (.sizes | length), (.sizes | map(.percent) | add | round)])' "$work/out.ats")" \
    '[["hits",8,14,100],["aggregates",1,3,100],["directory",1,1,100]]'
like "its options have a mix where fio has one" \
    "$(jq -r '.jobs[0]."job options" | [.bs, .bssplit] | map(tostring) | join(" ")' "$work/out.ats")" '^null 4096/10[.]989:8192/19[.]98:'
bench run --engine sim --sim exponential:1000000 --runtime 100ms --bs 4k:60,64k:40 --rw randrw --format json
is "so have those of a run" "$code:$(jq -r '.jobs[0]."job options" | [.bs, .bssplit] | map(tostring) | join(" ")' "$work/out")" \
    "0:null 4096/60:65536/40"

refuses() { # NAME PATTERN ARGS
	refuses_name=$1
	refuses_pattern=$2
	shift 2
	bench run "$@"
	is "$refuses_name: exit 2, nothing on stdout" "$code:$out" "2:"
	like "$refuses_name: says what to do" "$err" "$refuses_pattern"
}
refuses "no such profile" 'no profile "atx"; "diskbench profiles" has them' --profile atx --engine sim
refuses "a shape beside a profile" '--profile has its own --bs' --profile ats --bs 4k --engine sim
refuses "--slo without a profile" 'are for --profile' --slo 1ms --engine sim
refuses "a search in blog" 'has jobs of its own' --profile blog --slo 1ms --engine sim
refuses "fio's job file" 'use diskbench fio job.fio' --profile job.fio --engine sim
refuses "a file that is not there" 'workload file ./nosuch: No such file' --profile ./nosuch --engine sim
echo '{"schema": "varykit.workload/1", "streams": [{"sizes": [{"bytes": 4096}], "per_hits": 1}]}' >"$work/bad.json"
refuses "a key that nobody knows" 'bad.json: streams\[0\]: "per_hits" is not known' --profile "$work/bad.json" --engine sim
refuses "--show-fio" 'fio has no profiles' --profile ats --show-fio --engine sim

# --- the schemas hold -----------------------------------------------------------
set --
for p in blog varnish-file varnish-file-nuke ats nginx squid-rock navy fellow mse; do
	set -- "$@" "$work/$p.json"
done
validate "each profile is what the schema of workload files says" varykit.workload-1.schema.json "$@"
if can_validate; then
	is "a file with an unknown key is not" "$(python3 -W ignore -c '
import json, sys, jsonschema
v = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
print(v.is_valid(json.load(open(sys.argv[2]))))' \
	    "$top_srcdir/schema/varykit.workload-1.schema.json" "$work/bad.json")" False
fi
bench run --profile ats --engine sim --sim exponential:1000000 --runtime 2s --format json
cp "$work/out" "$work/result.1"
bench run --engine sim --sim exponential:1000000 --rw randrw --rate 100 --open-loop --runtime 2s --format json
validate "a profile's result and a run's are what the schema says" varykit.diskbench-1.schema.json \
    "$work/result.1" "$work/out"

# --- below it: the block layer --------------------------------------------------
if [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ]; then
	skip "what the block layer is asked for" "loop devices and tracefs need root on Linux"
	done_testing
fi
mkdir "$work/trace"
if ! mount -t tracefs nodev "$work/trace" 2>/dev/null; then
	skip "what the block layer is asked for" "no tracefs here"
	done_testing
fi
mounts="$mounts $work/trace"
if [ ! -d "$work/trace/events/block/block_bio_queue" ] ||
    ! random_loop cache.img 256; then
	skip "what the block layer is asked for" "no block events, or no loop devices"
	done_testing
fi
# An instance of our own: others may be tracing, too.
trace=$work/trace/instances/diskbench.$$
mkdir "$trace"
untrace() {
	[ ! -d "$trace" ] || {
		echo 0 >"$trace/tracing_on"
		rmdir "$trace"
	}
}
trap 'untrace; clean' EXIT
echo 16384 >"$trace/buffer_size_kb"
mm=$(majmin "$dev")
# On a busy machine requests come late and several at a time, and the block
# layer would make one of neighbours: what we ask for is what is looked at.
echo 2 >"/sys/block/${dev#/dev/}/queue/nomerges"
for e in block_rq_issue block_split; do
	echo "dev == $((${mm%:*} << 20 | ${mm#*:}))" >"$trace/events/block/$e/filter"
done
token=$("$DISKBENCH" identify --format json "$dev" | jq -r '.devices[0].token')

# Pieces that a device of small requests has large ones cut in are put together
# again: block_split says where.
joined() {
	sed -n \
	    -e 's/.*block_split: [0-9,]* [A-Z]* [0-9]* \/ \([0-9]*\) .*/S \1/p' \
	    -e 's/.*block_rq_issue: [0-9,]* \([A-Z]*\) \([0-9]*\) ([^)]*) \([0-9]*\) + .*/Q \1 \2 \3/p' \
	    "$trace/trace" | awk '
	$1 == "S" { cut[$2]++; next }
	{
		if (cut[$4] > 0 && $4 in ends) {
			cut[$4]--
			i = ends[$4]
			delete ends[$4]
		} else {
			i = n++
			flags[i] = $2
			at[i] = $4
		}
		len[i] += $3
		ends[at[i] + len[i] / 512] = i
	}
	END {
		for (i = 0; i < n; i++)
			print (flags[i] ~ /W/ ? "W" : flags[i] ~ /R/ ? "R" : "-"), flags[i], len[i], at[i]
	}'
}
# traced NAME PROFILE ARGS: $work/requests has one line a request: R or W, flags,
# bytes, sector.
traced() {
	p=$1
	profile=$2
	shift 2
	: >"$trace/trace"
	for e in block_rq_issue block_split; do echo 1 >"$trace/events/block/$e/enable"; done
	bench run --profile "$profile" --seed 7 --runtime 1s --write "$token" --overwrite-data \
	    --format json "$@" "$dev"
	for e in block_rq_issue block_split; do echo 0 >"$trace/events/block/$e/enable"; done
	is "$p: exit 0" "$code" 0
	[ "$code" = 0 ] || printf '%s\n' "$err" | sed 's/^/# /'
	joined >"$work/requests"
}
# only NAME STREAM: the named stream alone, in $work/only.json
only() {
	jq --arg s "$2" '.streams |= map(select(.name == $s) | .phase = 0)' "$work/$1.json" >"$work/only.json"
}
# writes NAME RATE: the writes of so many misses a second alone, enough of them
# to tell their shares
writes() {
	jq '.hit_percent = 0 | .streams |= map(select(.rw == "write" and .miss_bytes > 0))' \
	    "$work/$1.json" >"$work/writes.json"
	traced "$1, writes" "$work/writes.json" --slo 1s --rate "$2"
}
# share KIND LOW HIGH: percent of its requests above LOW KiB and up to HIGH
share() {
	sampled=0
	[ "$1" != R ] || sampled=$looked
	awk -v k="$1" -v l="$2" -v h="$3" -v s="$sampled" '
		$1 == k && $3 > 0 && !($3 <= 4096 && s-- > 0) { n++; if ($3 > l * 1024 && $3 <= h * 1024) m++ }
		END { printf "%.1f", n ? 100 * m / n : -1 }' "$work/requests"
}
# near NAME VALUE TABLE: within five points
near() {
	between "$1: $3 % in the table, $2 % here" "$2" "$(($3 - 5))" "$(($3 + 5))"
}
followers() {
	awk '$1 == "W" && $3 > 0 { if (n++ && $4 == e) m++; e = $4 + $3 / 512 }
		END { printf "%.1f", n ? 100 * m / n : -1 }' "$work/requests"
}
bytes_ratio() {
	awk '{ b[$1] += $3 } END { printf "%.2f", b["W"] ? b["R"] / b["W"] : -1 }' "$work/requests"
}

# What diskbench looks at before it writes there: reads of 4 KiB that are no load.
traced "an object in an hour" ats --slo 1s --rate 0.001 --runtime 200ms
looked=$(awk '$1 == "R" && $3 > 0 && $3 <= 4096' "$work/requests" | wc -l)
between "few of them" "$looked" 10 500

# Of reads and writes together the ratio is looked at: no more of them than a busy
# machine has.
traced varnish-file varnish-file --slo 1s --hit 70 --rate 300 --runtime 2s
near "varnish-file: reads of 4 KiB" "$(share R 0 4)" 100
between "varnish-file: each page read before it is written, and those of hits" "$(bytes_ratio)" 2 5
writes varnish-file 5000
near "varnish-file: writes up to 256 KiB" "$(share W 0 256)" 13
near "varnish-file: writes above" "$(share W 256 2048)" 87
near "varnish-file: writes that go on where the last ended" "$(followers)" 84

traced varnish-file-nuke varnish-file-nuke --slo 1s --rate 300 --runtime 2s
near "varnish-file-nuke: reads of 4 KiB" "$(share R 0 4)" 100
between "varnish-file-nuke: 2.6 bytes read for each byte written" "$(bytes_ratio)" 2 3.3
writes varnish-file-nuke 5000
near "varnish-file-nuke: writes of 4 KiB" "$(share W 0 4)" 10
near "varnish-file-nuke: writes up to 32 KiB" "$(share W 4 32)" 23
near "varnish-file-nuke: writes up to 256 KiB" "$(share W 32 256)" 34
near "varnish-file-nuke: writes of 512 KiB" "$(share W 256 2048)" 30
near "varnish-file-nuke: writes that go on where the last ended" "$(followers)" 22

traced ats ats --slo 1s --rate 4000
near "ats: reads up to 4 KiB" "$(share R 0 4)" 11
near "ats: reads up to 8 KiB" "$(share R 4 8)" 20
near "ats: reads up to 16 KiB" "$(share R 8 16)" 22
near "ats: reads up to 32 KiB" "$(share R 16 32)" 20
near "ats: reads up to 64 KiB" "$(share R 32 64)" 14
near "ats: reads up to 128 KiB" "$(share R 64 128)" 8
near "ats: reads up to 256 KiB" "$(share R 128 256)" 4
near "ats: reads above" "$(share R 256 2048)" 2
writes ats 5000
near "ats: writes of half a MiB and more" "$(share W 255 4096)" 100
# The pieces of one write may be issued in any order; together they leave no gap.
is "ats: writes in a row" "$(awk '$1 == "W" && $3 > 0' "$work/requests" | sort -n -k 4 |
    awk 'n++ && $4 != e { gaps++ } { e = $4 + $3 / 512 } END { print (n > 50), gaps + 0 }')" "1 0"
like "ats: each with a flush" "$(grep -c F "$work/requests")" '^[1-9]'

traced nginx nginx --slo 1s --rate 2800
near "nginx: reads of 4 KiB" "$(share R 0 4)" 17
near "nginx: reads of 8 KiB" "$(share R 4 8)" 14
near "nginx: reads of 16 KiB" "$(share R 8 16)" 45
near "nginx: reads of 64 KiB" "$(share R 33 64)" 13
writes nginx 3000
near "nginx: writes of 4 KiB" "$(share W 0 4)" 14
near "nginx: writes of 128 KiB" "$(share W 113 128)" 31
near "nginx: writes of 256 KiB" "$(share W 129 256)" 20
near "nginx: writes that go on where the last ended" "$(followers)" 5

traced squid-rock squid-rock --slo 1s --rate 600
near "squid-rock: reads of 4 KiB" "$(share R 0 4)" 30
near "squid-rock: reads of 8 KiB" "$(share R 4 8)" 69
writes squid-rock 2000
near "squid-rock: writes that go on where the last ended" "$(followers)" 0
between "squid-rock: writes of 39 KiB on the average" \
    "$(awk '$1 == "W" { n++; b += $3 } END { print n ? b / n / 1024 : 0 }' "$work/requests")" 36 42

traced navy navy --slo 1s --rate 2000
near "navy: large writes are regions' megabytes" \
    "$(awk '$1 == "W" && $3 > 4096 { b += $3; if ($3 >= 512 * 1024) m += $3 } END { print b ? 100 * m / b : 0 }' "$work/requests")" 100

only blog mixed
traced blog-mixed "$work/only.json" --runtime 300ms
near "blog: 75 reads to 25 writes" "$(awk '{ n[$1]++ } END { printf "%.1f", 100 * n["R"] / (n["R"] + n["W"]) }' "$work/requests")" 75
near "blog: reads of 4 KiB" "$(share R 0 4)" 100
near "blog: writes of 4 KiB" "$(share W 0 4)" 100
only blog endurance
traced blog-endurance "$work/only.json" --runtime 500ms
near "blog: 50 reads to 50 writes" "$(awk '{ n[$1]++ } END { printf "%.1f", 100 * n["R"] / (n["R"] + n["W"]) }' "$work/requests")" 50
near "blog: both of 128 KiB" "$(awk '$3 > 0 { n++; if ($3 == 131072) m++ } END { print 100 * m / n }' "$work/requests")" 100

# What is approximate does at least what its own table says.
traced fellow fellow --slo 1s --rate 2800
near "fellow: reads up to 4 KiB" "$(share R 0 4)" 11
near "fellow: reads up to 16 KiB" "$(share R 8 16)" 22
near "fellow: reads up to 64 KiB" "$(share R 32 64)" 14
near "fellow: reads above" "$(share R 256 2048)" 2
like "fellow: a log with its flushes" "$(grep -c F "$work/requests")" '^[1-9]'
# A tenth are misses, with a read and a write of the book each.
traced mse mse --slo 1s --rate 2800
near "mse: reads of 4 KiB, the book" "$(share R 0 4)" 10
near "mse: reads of 16 KiB" "$(share R 4 16)" 48
near "mse: reads of 32 KiB" "$(share R 16 32)" 18
near "mse: reads of 64 KiB" "$(share R 32 64)" 13
near "mse: reads above" "$(share R 256 2048)" 2

# --- nothing but reads without a token -------------------------------------------
before=$(hash_of "$dev")
bench run --profile ats --hit 100 --rate 200 --runtime 1s --slo 1s "$dev"
is "hits alone need no token" "$code" 0
bench run --profile ats --rate 200 --runtime 1s "$dev"
is "fetches need one" "$code:$out" "$(sed -n 's/^\tBENCH_EXIT_TOKEN = \([0-9]*\),.*/\1/p' "$top_srcdir/diskbench/refusal.h"):"
# At a rate: the search is looked at above, and each trial of advice that is too
# much is waited for four times the limit.
bench run --profile varnish-file --advise --runtime 1s --rate 50 --slo 200ms --format json "$dev"
is "advice: exit 0" "$code" 0
like "advice: a storage of Varnish's" "$(jq -r '.diskbench.profile.advice.storage' "$work/out")" '^(malloc|file|raw)$'
between "advice: without readahead nothing is read in vain" \
    "$(jq '.diskbench.profile.advice.read_amplification.random' "$work/out")" 0.8 1.3
between "advice: readahead reads many times what is wanted" \
    "$(jq '.diskbench.profile.advice.read_amplification.normal' "$work/out")" 1.5 1000
validate "advice is what the schema says" varykit.diskbench-1.schema.json "$work/out"
is "nothing was written by any of them" "$(hash_of "$dev")" "$before"
done_testing
