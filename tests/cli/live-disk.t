#!/bin/sh
# --profile-disk: what was sent through a real varnishd is in it, and diskbench
# takes it as it is.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishtest varnishlog varnishd jq

# Stored: 2 x 3,000, 50,000 and 1,500,000 bytes.  Hits: 6 x 3,000, 2 x 50,000,
# 1 x 1,500,000, and one answered with 304.  What is passed needs no disk.
play <<'VTC'
varnishtest "objects of three sizes"
server s1 {
	rxreq
	txresp -hdr "Etag: \"s\"" -hdr "Cache-Control: max-age=100" -bodylen 3000
	rxreq
	txresp -hdr "Cache-Control: max-age=100" -bodylen 3000
	rxreq
	txresp -hdr "Cache-Control: max-age=100" -bodylen 50000
	rxreq
	txresp -hdr "Cache-Control: max-age=100" -bodylen 1500000
	rxreq
	txresp -hdr "Cache-Control: no-store" -bodylen 7000
	rxreq
	txresp -hdr "Cache-Control: max-age=100" -bodylen 7000
} -start
varnish v1 -vcl+backend {
	sub vcl_recv {
		if (req.url == "/pass") {
			return (pass);
		}
	}
} -start
client c1 {
	loop 4 {
		txreq -url /small1
		rxresp
	}
	loop 4 {
		txreq -url /small2
		rxresp
	}
	loop 3 {
		txreq -url /middle
		rxresp
	}
	loop 2 {
		txreq -url /large
		rxresp
	}
	txreq -url /small1 -hdr "If-None-Match: \"s\""
	rxresp
	expect resp.status == 304
	txreq -url /uncacheable
	rxresp
	txreq -url /pass
	rxresp
} -run
record disk 16
VTC

live -r "$work/disk.vsl" --profile-disk "$work/site.json" --format json
is "exit 0, nothing on stderr" "$code$err" 0
is "the requests are all there" "$(j '.totals | .requests, .handling.hit' | tr '\n' ' ')" "16 10 "
cp "$work/out" "$work/report"
cp "$work/site.json" "$work/out"
validate "it is what the schema of workload files says" varykit.workload-1.schema.json "$work/out"
is "hits with a body, by size" \
    "$(j '.generator.read | .objects, .bytes, (.sizes[] | .objects, .bytes)' | tr '\n' ' ')" \
    "9 1618000 6 18000 2 100000 1 1500000 "
is "a 304 needs no disk" "$(j .generator.hits_without_body)" 1
is "stored fetches, by size" \
    "$(j '.generator.write | .objects, .bytes, (.sizes[] | .objects, .bytes)' | tr '\n' ' ')" \
    "4 1556000 2 6000 1 50000 1 1500000 "
is "the share of hits: 9 of 13, rounded" "$(j .hit_percent)" 69
is "the mean object" "$(j '.object_bytes * 13 | round')" 3174000
# What is lost by whole percents is in the requests for each: 1,500,000 bytes are two.
is "10 reads for 9 hits, 5 writes for 4 stored, of 13 objects" \
    "$(j '.hit_percent as $p | .streams | 13 * $p * .[0].per_hit / 100, 13 * (100 - $p) * .[1].per_miss / 100 | . * 1000 | round')" \
    "10000
5000"
is "sizes of reads, in whole blocks" "$(j '.streams[0].sizes | map([.bytes, (.share * 10 / 1e6 | round)]) | tojson')" \
    '[[4096,6],[53248,2],[753664,2]]'
is "and of writes" "$(j '.streams[1] | .rw, (.sizes | map([.bytes, (.share * 5 / 1e6 | round)]) | tojson)' | tr '\n' ' ')" \
    'write [[4096,2],[53248,1],[753664,2]] '
between "requests at a time" "$(j '.streams[0].in_flight')" 1 256

# It is never written over what is there, unless told to.
cp "$work/site.json" "$work/before"
live -r "$work/disk.vsl" --profile-disk "$work/site.json"
is "there is one already: exit 2, nothing on stdout" "$code$(cat "$work/out")" 2
like "and what to do" "$err" 'site\.json is there already: name another file, or give --replace'
is "it is as it was" "$(cmp "$work/before" "$work/site.json" 2>&1)" ""
echo x >"$work/site.json"
live -r "$work/disk.vsl" --profile-disk "$work/site.json" --replace
is "--replace: it is written" "$code$(cmp "$work/before" "$work/site.json" 2>&1)" 0
live -r "$work/disk.vsl"
is "not asked for: not written" "$(ls "$work" | grep -c -e '^site')" 1
live -r "$work/disk.vsl" -q 'ReqURL eq "/pass"' --profile-disk "$work/none.json"
is "no object: exit 2, the report is there" "$code $(grep -c requests "$work/out")" "2 1"
like "no object: it is said" "$err" 'none\.json is not written: no hit and no stored fetch'
is "no object: no file" "$(ls "$work" | grep -c none)" 0

live -r "$work/disk.vsl" --profile-disk "$work/site.fio"
is "a job for fio" "$code:$(grep -v -e '^;' -e iodepth "$work/site.fio" | tr '\n' ' ')" \
    "0:[cache] rw=randrw rwmixread=69 bssplit=4k/60:52k/20:736k/20,4k/40:52k/20:736k/40 blockalign=4k direct=1 "

bench=$top_builddir/diskbench/diskbench
if [ -x "$bench" ]; then
	"$bench" run --profile "$work/site.json" --engine sim --sim constant:100000 --rate 1300 \
		--runtime 2s --seed 1 --format json >"$work/out" 2>"$work/err"
	is "diskbench takes it" "$?:$(grep -v 'warning: steal' "$work/err")" 0:
	# 1,300 objects a second are 1,000 reads and 500 writes.
	between "reads a second" "$(j '.jobs[0].read.iops')" 900 1100
	between "writes a second" "$(j '.jobs[0].write.iops')" 430 570
	between "bytes of a read" \
	    "$(j '.jobs[0].read | .io_bytes / .total_ios')" 140000 190000
	"$bench" fio --parse-only --filename="$work/image" "$work/site.fio" >"$work/out" 2>&1
	is "diskbench fio takes the job" "$?:$(cat "$work/out")" 0:
else
	skip "diskbench takes it" "diskbench is not built"
fi
done_testing
