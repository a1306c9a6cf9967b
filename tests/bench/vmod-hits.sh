# What a hit costs with the VMOD and without.  Sourced by vmod.sh.
# shellcheck shell=bash disable=SC2154
#
# A worker that has nothing else to do serves as many hits as its CPU allows: the
# ratio of hits with and without is that of the CPU that one takes.
# All are URLs of one VCL: two processes differ by more than that.  Each row has one of
# its own without, with the same answer of the backend: on and off differ in the calls
# and in nothing else.
cat >"$tmp/hits.vcl" <<'E2'
vcl 4.1; backend b none; import vary;
sub vcl_init {
	new p = vary.policy();
	new f = vary.policy();
	f.language("en, de"); f.media("image/webp"); f.cookie("session, lang");
}
sub vcl_recv {
	if (req.url == "/plain" || req.url == "/story") { p.recv(); }
	if (req.url == "/full") { f.recv(); }
	return (hash);
}
sub vcl_backend_error {
	set beresp.status = 200;
	set beresp.ttl = 1h;
	set beresp.http.Cache-Control = "max-age=3600";
	set beresp.http.Content-Type = "text/html";
	if (bereq.url ~ "^/plain") { set beresp.http.Vary = "Accept-Encoding"; }
	if (bereq.url ~ "^/story") { set beresp.http.Vary = "Host,Accept-Encoding,User-Agent"; }
	if (bereq.url ~ "^/full") { set beresp.http.Vary = "Host,Accept-Encoding,User-Agent,Accept-Language"; }
	if (bereq.url == "/plain" || bereq.url == "/story") { p.fetch(); }
	if (bereq.url == "/full") { f.fetch(); }
	return (deliver);
}
sub vcl_deliver {
	if (req.url == "/plain" || req.url == "/story") { p.deliver(); }
	if (req.url == "/full") { f.deliver(); }
}
E2
server hits "$tmp/hits.vcl"
visitor=(-H 'Accept-Language: de-AT,de;q=0.9,en;q=0.8' -H 'Accept: text/html,image/webp,*/*;q=0.8'
	-H 'Cookie: _ga=1; lang=de; session=abc' -H 'Accept-Encoding: gzip, deflate, br'
	-H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
	-H 'Sec-Fetch-Dest: document' -H 'Sec-Fetch-Mode: navigate' -H 'Upgrade-Insecure-Requests: 1')
rows=(plain plain-off story-off story full full-off)
for ((r = 0; r < 4 * rounds; r++)); do
	# Each row once as the first, the second …: whatever drifts hits all alike.
	for ((i = 0; i < ${#rows[@]}; i++)); do
		row=${rows[(r + i) % ${#rows[@]}]}
		c=$(cost hits 1 "/$row" "${visitor[@]}") || exit 1
		echo "$c" >>"$tmp/hits.$row"
	done
done
# middle: the median of stdin, and the interval that holds that of all rounds in 95
# of 100 cases (by the order: a binomial of one half).
middle() {
	sort -g | awk '{ v[NR] = $1 } END {
		lo = int(NR / 2 - 0.98 * sqrt(NR)); if (lo < 1) lo = 1
		m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
		printf "%.3f %.3f %.3f\n", m, v[lo], v[NR + 1 - lo] }'
}
echo "hits: microseconds of CPU of one; on / off is the median of ${r} turns"
while IFS='|' read -r row title; do
	printf '  %-50s %8.3f\n' "$title" "$(least <"$tmp/hits.$row")"
	printf '  %-50s %8.3f\n' '  the same answer without the VMOD' "$(least <"$tmp/hits.$row-off")"
	read -r m lo hi < <(paste "$tmp/hits.$row-off" "$tmp/hits.$row" | awk '{ print $1 / $2 }' | middle)
	figure "hits/s on / off, $title ($lo to $hi)" "$m" '>=' 0.98
done <<'E2'
plain|vcl/vary.vcl, nothing to change
story|vcl/vary.vcl, Vary of the story
full|language, media, cookie
E2
varnishd_stop hits
