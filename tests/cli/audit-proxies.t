#!/bin/sh
# By proxies, good and bad ones: HTTP and CONNECT, SOCKS, one that wants a password,
# those that refuse, die or say nothing.  Nothing that is a proxy's is told of the
# origin, and each ends.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
. "$top_srcdir/tests/cli/lib-nginx.sh"
has_nginx || skip_all "$no_nginx"
command -v openssl >/dev/null || skip_all "no openssl"
mkdir -p "$work/www"
write_page "$work/www/page.html"
certificate www.site.example server
port=$(free_port)
tls=$(free_port)
nginx_conf <<CONF
	default_type text/html;
	root $work/www;
	server { listen 127.0.0.1:$port; }
	server {
		listen 127.0.0.1:$tls ssl;
		ssl_certificate $work/server.pem;
		ssl_certificate_key $work/server.key;
		location /gateway/ { return 502 "a page\n"; }
	}
CONF
start_nginx "$port" || skip_all "nginx does not start"
mkfifo "$work/in"
"$top_builddir/tests/origin/proxy" -s "${ORIGIN_SECONDS:-300}" -l "$work/asked" \
    -t "$tls" <"$work/in" >"$work/ports" 2>"$work/proxy.log" &
pids="$pids $!"
exec 6>"$work/in"
await grep -q ready "$work/ports"

http=http://127.0.0.1:$port/page.html
https=https://www.site.example/page.html
at() { echo "127.0.0.1:$(sed -n "s/^$1 //p" "$work/ports")"; }
# by SCHEME PROXY URL [OPTIONS]: outcome, status, reason and rules
by() {
	url=$3 route=$1://$(at "$2")
	shift 3
	: >"$work/asked"
	audit --format json --strict --axes main --no-checks --cacert "$work/server.pem" --proxy "$route" "$@" "$url"
	was=$(jq -r '.targets[0] | "\(.outcome) \(.status) \(.reason // "") " +
	    ([.findings[] | "\(.rule) \(.member)"] | join(", "))' "$work/out" | sed 's/ *$//')$err
}
asked() { sort -u "$work/asked" 2>/dev/null | tr '\n' ' '; }

by http open "$http"
is "http: by HTTP" "$code $was" "0 judged 200"
by http open "$https"
is "https: by CONNECT" "$code $was: $(asked)" "0 judged 200: CONNECT www.site.example:443 "
by http open https://www.site.example/gateway/
is "https: a 502 within the tunnel is the origin's" "$code $was" "0 judged 502"
why="the proxy answers 407: it wants a user name and a password that it knows, give --proxy-user"
for url in "$http" "$https"; do
	kind=${url%%:*}
	by http password "$url"
	is "$kind: a password is wanted" "$code $was" "3 unreachable 0 $why"
	by http password "$url" --proxy-user user:wrong
	is "$kind: another one" "$code $was" "3 unreachable 0 $why"
	by http password "$url" --proxy-user user:secret
	is "$kind: --proxy-user" "$code $was" "0 judged 200"
	is "$kind: --proxy-user: it is in no report" "$(grep -c secret "$work/out")" 0
	by http dies "$url" --timeout 20s
	like "$kind: it dies" "$code $was" '^3 unreachable 0 (Proxy CONNECT aborted|Empty reply|.*[Rr]eset|.*closed)'
	by http hangs "$url" --timeout 500ms
	like "$kind: it says nothing" "$code $was" '^3 unreachable 0 .*timed out'
done
for proxy in forbids bad-gateway unavailable; do
	case $proxy in forbids) s=403 ;; bad-gateway) s=502 ;; *) s=503 ;; esac
	by http $proxy "$https"
	is "https: $proxy: CONNECT's status is the proxy's" "$code $was" \
	    "3 unreachable 0 the proxy answers $s: it does not connect us to the origin"
done
for s in 502 503; do
	proxy=$([ $s = 502 ] && echo bad-gateway || echo unavailable)
	by http "$proxy" "$http"
	is "http: $proxy: whose $s that is, nobody knows" "$code $was" \
	    "3 unreachable 0 status $s, of the proxy or of the origin behind it"
	by http picky-$s "$http"
	is "http: a $s by the proxy for one value is no effect of it" \
	    "$code $was" "0 judged 200"
done
by http forbids "$http"
is "http: forbids" "$code $was" "3 interfered 403 status 403 for the plain request"
echo "$http" >"$work/list"
by http bad-gateway "$http" --urls "$work/list"
is "http: robots.txt with an error of the proxy's is no robots.txt" \
    "$(jq -r '[.targets[].reason] | unique[]' "$work/out")" \
    "status 502, of the proxy or of the origin behind it"

by socks5 socks "$http"
is "socks5" "$code $was: $(asked)" "0 judged 200: address 127.0.0.1:$port "
by socks5h socks "$https"
is "socks5h: the proxy looks for the address" "$code $was: $(asked)" \
    "0 judged 200: name www.site.example:443 "
by socks5h socks-forbids "$https"
is "socks5h: it does not allow it" "$code $was" "3 unreachable 0 the SOCKS proxy does not allow it"
by socks5h socks https://www.site.example:1/
is "socks5h: nobody is there" "$code $was" \
    "3 unreachable 0 the SOCKS proxy's connection to the origin is refused"
by socks5h dies "$http" --timeout 500ms
is "socks5h: it is none" "$code $(echo "$was" | cut -d' ' -f1,2)" "3 unreachable 0"
for url in 'ftp://127.0.0.1:1' 'socks6://user:secret@127.0.0.1:1' 'http://a b/'; do
	audit --proxy "$url" "$http"
	like "--proxy $url: usage" "$code $out $err" '^2  varyprobe: --proxy: '
	is "--proxy $url: no password is repeated" "$(grep -c secret "$work/err")" 0
done
all_proxy=socks5h://$(at socks) https_proxy='' audit --format json --axes Accept-Language --no-checks "$http"
is "all_proxy of the environment" "$(jq -r '.targets[0].outcome' "$work/out")" judged
http_proxy=http://$(at bad-gateway) audit --format json --proxy '' --axes Accept-Language --no-checks "$http"
is "an empty --proxy is none, whatever the environment says" "$(jq -r '.targets[0].outcome' "$work/out")" judged
done_testing
