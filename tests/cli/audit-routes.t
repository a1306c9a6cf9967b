#!/bin/sh
# Ways to an origin: TLS, client certificates, HTTP/1.0 and 2, a unix socket,
# passwords.  A real nginx, whose gzip without gzip_vary is a finding too.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
. "$top_srcdir/tests/cli/lib-nginx.sh"
has_nginx || skip_all "$no_nginx"
command -v openssl >/dev/null || skip_all "no openssl"
mkdir -p "$work/www"
write_page "$work/www/page.html"
certificate www.site.example server
certificate a.client client
chmod 644 "$work"/*.key
echo "user:$(openssl passwd -apr1 secret)" >"$work/htpasswd"
port=$(free_port)
tls=$(free_port)
mutual=$(free_port)
haproxy=$(free_port)
proxy=$(free_port)
listen6=
if perl -MSocket=:DEFAULT,inet_pton,pack_sockaddr_in6 -e 'socket(S, AF_INET6, SOCK_STREAM, 0) &&
    bind(S, pack_sockaddr_in6(0, inet_pton(AF_INET6, "::1"))) or exit 1'; then
	port6=$(free_port)
	listen6="listen [::1]:$port6;"
fi
nginx_conf <<CONF
	default_type text/html;
	root $work/www;
	server {
		listen 127.0.0.1:$port;
		listen unix:$work/socket;
		listen 127.0.0.1:$haproxy proxy_protocol;
		$listen6
		location /gzip/ { alias $work/www/; gzip on; }
		location /vary/ { alias $work/www/; gzip on; gzip_vary on; }
		location /secret/ {
			alias $work/www/;
			auth_basic x; auth_basic_user_file $work/htpasswd;
		}
	}
	# a proxy for http:, with and without a password; each request says so
	log_format proxied "\$request";
	server {
		listen 127.0.0.1:$proxy;
		access_log $work/proxied proxied;
		set \$to \$http_host;
		location / { proxy_pass http://\$to\$request_uri; }
	}
	server {
		listen 127.0.0.1:$tls ssl http2;
		ssl_certificate $work/server.pem;
		ssl_certificate_key $work/server.key;
		location /sni { return 200 "the site of \$ssl_server_name, and a page\n"; }
		location /strict {
			if (\$ssl_server_name != \$host) { return 421; }
			return 200 "a page\n";
		}
	}
	server {
		listen 127.0.0.1:$mutual ssl;
		ssl_certificate $work/server.pem;
		ssl_certificate_key $work/server.key;
		ssl_client_certificate $work/client.pem;
		ssl_verify_client on;
	}
CONF
start_nginx "$port" || skip_all "nginx does not start"
base=http://127.0.0.1:$port
outcome() { jq -r '.targets[0] | .outcome + " " + (.status | tostring)' "$work/out"; }

audit --format json "$base/gzip/page.html"
is "nginx, gzip without gzip_vary: missing" "$(rules)" "vary-missing accept-encoding"
audit --format json "$base/vary/page.html"
is "nginx, gzip_vary: nothing from a warning on" \
    "$(jq '[.targets[].findings[] | select(.level != "note")] | length' "$work/out") $code" "0 0"
audit --format json --http1.0 "$base/vary/page.html"
is "HTTP/1.0" "$(outcome)" "judged 200"
audit --format json --unix-socket "$work/socket" http://www.site.example/page.html
is "unix socket" "$(outcome)" "judged 200"
audit --format json "$base/secret/page.html"
is "a password is wanted" "$(outcome)" "interfered 401"
like "a password is wanted: what to do" "$out" 'give --user'
audit --format json -u user:secret "$base/secret/page.html"
is "--user" "$(outcome)" "judged 200"
is "--user: the password is in no report" "$(grep -c secret: "$work/out")" 0

# The host is tried as well, and the proxy goes where it says.
audit --format json --proxy "http://127.0.0.1:$proxy" --axes Accept-Language,Accept-Encoding "$base/vary/page.html"
is "--proxy" "$(outcome)" "judged 200"
is "--proxy: all requests went by it, with the whole URL" \
    "$(grep -c "^[A-Z]* http://127.0.0.1:$port/vary/page.html HTTP/1.1\$" "$work/proxied") $(grep -vc "^[A-Z]* http://" "$work/proxied")" \
    "$(jq '.summary.requests' "$work/out") 0"
: >"$work/proxied"
http_proxy=http://127.0.0.1:$proxy audit --format json --axes Accept-Language --no-checks "$base/vary/page.html"
is "http_proxy of the environment" "$(outcome) $([ -s "$work/proxied" ] && echo proxied)" "judged 200 proxied"
: >"$work/proxied"
http_proxy=http://127.0.0.1:$proxy no_proxy=127.0.0.1 audit --format json --axes Accept-Language --no-checks "$base/vary/page.html"
is "no_proxy of the environment" "$(outcome) $([ -s "$work/proxied" ] && echo proxied)" "judged 200 "
audit --format json --proxy http://127.0.0.1:1 "$base/vary/page.html"
is "--proxy: there is none" "$(outcome)" "unreachable 0"

echo "machine 127.0.0.1 login user password secret" >"$work/.netrc"
HOME=$work audit --format json --netrc "$base/secret/page.html"
is "--netrc" "$(outcome)" "judged 200"
audit --format json "http://127.0.0.1:$haproxy/vary/page.html"
is "PROXY protocol: without it there is no answer" "$(outcome)" "unreachable 0"
audit --format json --haproxy-protocol "http://127.0.0.1:$haproxy/vary/page.html"
is "PROXY protocol: --haproxy-protocol" "$(outcome)" "judged 200"
if [ -n "$listen6" ]; then
	audit --format json "http://[::1]:$port6/vary/page.html"
	is "IPv6" "$(outcome)" "judged 200"
else
	skip "IPv6" "no ::1 here"
fi

site=https://www.site.example/page.html
audit --format json --connect-to "127.0.0.1:$tls" "$site"
is "TLS: a certificate that nobody knows" "$(outcome)" "unreachable 0"
like "TLS: the reason" "$(jq -r '.targets[0].reason' "$work/out")" 'certificate'
audit --format json --connect-to "127.0.0.1:$tls" -k "$site"
is "TLS: -k" "$(outcome)" "judged 200"
audit --format json --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" "$site"
is "TLS: --cacert" "$(outcome)" "judged 200"
audit --format json --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" https://www.site.example/sni
is "SNI apart from Host: the origin goes by it" "$(rules)" "vary-hop sni"
audit --format json --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" -H 'Cookie: a=1' https://www.site.example/sni
is "SNI: what is for one host is not sent to another name" "$(rules) $(grep -c '"sni"' "$work/out")" " 0"
audit --format json -k --resolve "www.site.example:$tls:127.0.0.1" "https://www.site.example:$tls/sni"
is "SNI: with --resolve" "$(rules)" "vary-hop sni"
audit --format json --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" https://www.site.example/strict
is "SNI: 421 is right" "$(outcome) $(rules)" "judged 200 "
like "SNI: 421 is a note" "$(jq -r '.targets[0].notes[]' "$work/out")" 'answers 421'
audit --format json --http2 --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" https://www.site.example/sni
is "SNI: over HTTP/2" "$(rules)" "vary-hop sni"
audit --format json --http2 --connect-to "127.0.0.1:$tls" --cacert "$work/server.pem" "$site"
is "HTTP/2" "$(outcome)" "judged 200"
audit --format json --connect-to "127.0.0.1:$mutual" --cacert "$work/server.pem" "$site"
like "a client certificate is wanted" "$(outcome)" '^(judged 400|unreachable 0|interfered)'
audit --format json --connect-to "127.0.0.1:$mutual" --cacert "$work/server.pem" \
    --cert "$work/client.pem" --key "$work/client.key" "$site"
is "--cert and --key" "$(outcome)" "judged 200"
done_testing
