# What a hit costs with the VMOD and without.  Sourced by vmod.sh.
# shellcheck shell=bash disable=SC2154
#
# A worker that has nothing else to do serves as many hits as its CPU allows: the
# ratio of hits with and without is that of the CPU that one takes.
hits_vcl() {
	cat <<E2
vcl 4.1; backend b none; import vary;
$2
sub vcl_recv { $3 return (hash); }
sub vcl_backend_error {
	set beresp.status = 200;
	set beresp.ttl = 1h;
	set beresp.http.Vary = "$1";
	set beresp.http.Cache-Control = "max-age=3600";
	set beresp.http.Content-Type = "text/html";
	$4
	return (deliver);
}
sub vcl_deliver { $5 }
E2
}
all="p.recv();|p.fetch();|p.deliver();"
hits_server() {
	local a b c

	IFS='|' read -r a b c <<<"$4"
	hits_vcl "$2" "$3" "$a" "$b" "$c" >"$tmp/$1.vcl"
	server "$1" "$tmp/$1.vcl"
}
# The same URL is the same object for all of them, in one variant.
hits_server off 'Accept-Encoding' '' '||'
hits_server plain 'Accept-Encoding' 'sub vcl_init { new p = vary.policy(); }' "$all"
hits_server story 'Host,Accept-Encoding,User-Agent' 'sub vcl_init { new p = vary.policy(); }' "$all"
hits_server full 'Host,Accept-Encoding,User-Agent,Accept-Language' \
	'sub vcl_init { new p = vary.policy(); p.language("en, de"); p.media("image/webp"); p.cookie("session, lang"); }' "$all"
visitor=(-H 'Accept-Language: de-AT,de;q=0.9,en;q=0.8' -H 'Accept: text/html,image/webp,*/*;q=0.8'
	-H 'Cookie: _ga=1; lang=de; session=abc' -H 'Accept-Encoding: gzip, deflate, br'
	-H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
	-H 'Sec-Fetch-Dest: document' -H 'Sec-Fetch-Mode: navigate' -H 'Upgrade-Insecure-Requests: 1')
for ((r = 0; r < 3 * rounds; r++)); do
	for row in off plain story full; do
		c=$(cost "$row" 1 / "${visitor[@]}") || exit 1
		echo "$c" >>"$tmp/hits.$row"
	done
done
echo 'hits: microseconds of CPU of one'
hits_off=$(least <"$tmp/hits.off")
printf '  %-50s %8.3f\n' 'without the VMOD' "$hits_off"
while IFS='|' read -r row title; do
	on=$(least <"$tmp/hits.$row")
	printf '  %-50s %8.3f\n' "$title" "$on"
	figure "hits/s on / off, $title" "$(ratio "$hits_off" "$on")" '>=' 0.98
	varnishd_stop "$row"
done <<'E2'
plain|vcl/vary.vcl, nothing to change
story|vcl/vary.vcl, Vary of the story
full|language, media, cookie
E2
varnishd_stop off
