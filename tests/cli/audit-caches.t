#!/bin/sh
# Through real caches: what they do with a Vary that the origin got right (case
# 40), and with a * that they do not see (case 32).
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
. "$top_srcdir/tests/cli/lib-nginx.sh"
start_origin
cases=$base/case
fresh() { audit --no-checks --axes main --format json "$1"; }

fresh "$cases/40c"
is "case 40, the origin itself: nothing" "$(rules)" ""
if has_nginx; then
	port=$(free_port)
	nginx_conf <<CONF
	proxy_cache_path $work/keys keys_zone=keys:1m;
	proxy_cache_path $work/blind keys_zone=blind:1m;
	proxy_cache_valid 200 60s;
	add_header X-Cache-Status \$upstream_cache_status;
	server {
		listen 127.0.0.1:$port;
		location /blind/ {
			proxy_pass $cases/;
			proxy_cache blind;
			proxy_ignore_headers Vary;
		}
		location / { proxy_pass $cases/; proxy_cache keys; }
	}
CONF
	if start_nginx "$port"; then
		fresh "http://127.0.0.1:$port/blind/40c"
		is "case 40, nginx that ignores Vary: the cache does not key on it" \
		    "$(rules)" "vary-hop origin"
		like "it is said how that was seen" "$out" 'X-Cache-Status: HIT'
		fresh "http://127.0.0.1:$port/40c"
		is "case 40, nginx that honours Vary: nothing" "$(rules)" ""
	else
		tap_not_ok "nginx starts" </dev/null
	fi
else
	skip "case 40 through nginx" "$no_nginx"
fi
if command -v varnishd >/dev/null; then
	cat >"$work/builtin.vcl" <<VCL
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${base##*:}"; }
VCL
	vport=$(free_port)
	varnishd -F -n "$work/v" -a "127.0.0.1:$vport" -f "$work/builtin.vcl" \
	    -s malloc,32M >"$work/varnishd.log" 2>&1 &
	pids="$pids $!"
	if wait_port "$vport" $!; then
		fresh "http://127.0.0.1:$vport/case/32b"
		is "case 32, a star in a list: stock Varnish answers from its store" \
		    "$(rules)" "vary-hop *
vary-star *"
		fresh "http://127.0.0.1:$vport/case/32a"
		is "case 32, a lone star: stock Varnish does not store it" \
		    "$(rules)" "vary-star *"
	else
		tap_not_ok "varnishd starts" <"$work/varnishd.log"
	fi
else
	skip "case 32 through Varnish" "no varnishd"
fi
done_testing
