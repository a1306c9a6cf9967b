#!/bin/sh
# varyprobe scan on nginx: what its reader finds in a configuration is what a real
# nginx, with the same one, sends.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
. "$top_srcdir/tests/cli/lib-nginx.sh"
has_nginx || skip_all "$no_nginx"
command -v curl >/dev/null || skip_all "no curl"
mkdir -p "$work/www/p" "$work/conf.d"
write_page "$work/www/p/page.html"
sed s/any/mobile/ "$work/www/p/page.html" >"$work/www/p/page.html.other"
port=$(free_port)
# One location a line.  The maps come after what uses them: nginx does not mind.
cat >"$work/conf.d/site.conf" <<CONF
server {
	listen 127.0.0.1:$port;
	root $work/www;
	location /plain/ { alias $work/www/p/; }
	location /gzip/ { alias $work/www/p/; gzip on; }
	location /gzipvary/ { alias $work/www/p/; gzip on; gzip_vary on; }
	location /gziphdr/ { alias $work/www/p/; gzip on; add_header Vary Accept-Encoding; }
	location /trap/ { alias $work/www/p/; add_header X-A b; }
	location /notrap/ { alias $work/www/p/; add_header X-A b; add_header Vary "X-Site, X-B"; }
	location /if/ { alias $work/www/p/; if (\$http_user_agent ~ iPhone) { add_header X-Phone 1; } }
	location /refuse/ { alias $work/www/p/; if (\$http_referer ~ evil) { return 403; } }
	location /set/ { alias $work/www/p/; if (\$http_cookie ~ session) { set \$skip 1; } add_header Vary X-Site; }
	location ~ ^/map/ { alias $work/www/p/page.html\$other; }
	location /try/ { rewrite ^/try/(.*)\$ /p/\$1 break; try_files \$uri\$other \$uri =404; }
	location ~ ^/named/ { alias $work/www/p/page.html\$other; add_header Vary Accept; }
	location /cors/ { alias $work/www/p/; add_header Vary X-Site; add_header Access-Control-Allow-Origin \$cors; }
	location /corsvary/ { alias $work/www/p/; add_header Vary "X-Site, Origin"; add_header Access-Control-Allow-Origin \$cors; }
	location /chain/ { set \$a \$http_x_own; set \$b "x\$a"; return 200 "\$b\n"; }
	location /cookie/ { return 302 /\$cookie_lang/; }
	location /late/ { if (\$http_x_late) { return 200 "late\n"; } alias $work/www/p/; add_header Vary X-Late; }
	location /costly/ { alias $work/www/p/; add_header Vary User-Agent; }
	location /star/ { alias $work/www/p/; add_header Vary *; }
}
map \$http_accept \$other { default ""; ~webp .other; }
map \$http_origin \$cors { default ""; ~^https://a\\.example\$ \$http_origin; }
CONF
nginx_conf <<CONF
	default_type text/html;
	add_header Vary X-Site;
	include conf.d/*.conf;
CONF
run scan --format json "$work/nginx.conf"
is "nothing on stderr" "$err" ""
jq -r '.findings[] | "\(.line) \(.rule) \(.member // "-") \(.directive)"' "$work/out" |
    while read -r line what; do
	    sed -n "${line}s,.*location [~^ ]*/\([a-z]*\)/.*,\1 $what,p" "$work/conf.d/site.conf"
    done | sort >"$work/found"
is "findings, by location" "$(cat "$work/found")" "\
chain vary-missing X-Own return
cookie vary-missing Cookie return
cors vary-missing Origin add_header
costly vary-costly User-Agent add_header
gzip vary-missing Accept-Encoding gzip
if vary-missing - add_header
if vary-missing User-Agent if
map vary-missing Accept alias
star vary-star * add_header
trap vary-missing - add_header
try vary-missing Accept try_files"
is "and no others" "$(jq '.findings | length' "$work/out")" "$(wc -l <"$work/found")"

start_nginx "$port" || skip_all "nginx does not start"
# got LOCATION ARGS: status, Vary, coding and body in one line
got() {
	where=$1
	shift
	curl -s -D "$work/head" -o "$work/body" "$@" "http://127.0.0.1:$port/$where/page.html"
	tr -d '\r' <"$work/head" | sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p
	    /^\(Vary\|Content-Encoding\|Location\|X-Phone\|Access-Control-Allow-Origin\):/Ip' | tr '\n' ' '
	cksum <"$work/body"
}
vary() { sed -n 's/\r$//;s/^Vary: //Ip' "$work/head" | tr '\n' ' '; }
# differs LOCATION VARY ARGS: another answer for who sends that, with this Vary
differs() {
	where=$1 wanted=$2
	shift 2
	a=$(got "$where")
	b=$(got "$where" "$@")
	is "nginx: /$where/ answers differ" "$([ "$a" != "$b" ] && echo differ)" differ
	is "nginx: /$where/ has Vary: $wanted" "$(vary)" "$wanted"
}
differs gzip "X-Site " -H "Accept-Encoding: gzip"
differs gzipvary "Accept-Encoding X-Site " -H "Accept-Encoding: gzip"
differs gziphdr "Accept-Encoding " -H "Accept-Encoding: gzip"
got trap >/dev/null
is "nginx: an add_header of its own ends the inheritance" "$(vary)" ""
got notrap >/dev/null
is "nginx: unless it is repeated" "$(vary)" "X-Site, X-B "
differs if "" -A iPhone
differs refuse "" -e http://evil.example/
is "nginx: and add_header is not for 403" "$(got refuse -e http://evil.example/ |
    cut -d ' ' -f 1)" 403
is "nginx: if with set alone changes nothing" "$(got set -b session=1)" "$(got set)"
differs map "X-Site " -H "Accept: image/webp"
differs try "X-Site " -H "Accept: image/webp"
differs named "Accept " -H "Accept: image/webp"
differs cors "X-Site " -H "Origin: https://a.example"
differs corsvary "X-Site, Origin " -H "Origin: https://a.example"
differs chain "X-Site " -H "X-Own: 1"
differs cookie "X-Site " -b lang=de
done_testing
