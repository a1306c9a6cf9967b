#!/bin/sh
# varylive under memcheck: a recording, read to its end.
. "$top_srcdir/tests/cli/lib-live.sh"
need varnishtest varnishd varnishlog varnishncsa
need_memcheck
play <<'END'
varnishtest "a few visits"
server s1 -repeat 4 {
	rxreq
	txresp -hdr "Vary: User-Agent, Accept-Encoding" -hdr "Cache-Control: max-age=60"
} -start
varnish v1 -vcl+backend {} -start
client c1 {
	txreq -hdr "User-Agent: one"
	rxresp
	txreq -hdr "User-Agent: two"
	rxresp
	txreq -hdr "User-Agent: two"
	rxresp
} -run
record visits 3
END
for f in text json; do
	memcheck "a recording, $f" 0 "$VARYLIVE" -r "$work/visits.vsl" --format $f
done
# All but a byte: at any other length the cut may fall between two records, which is no error.
head -c -1 "$work/visits.vsl" >"$work/half.vsl"
memcheck "a recording that ends within a record" 3 "$VARYLIVE" -r "$work/half.vsl"
memcheck "an option that nobody knows" 2 "$VARYLIVE" --bogus
done_testing
