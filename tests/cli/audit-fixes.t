#!/bin/sh
# The fixes that an audit proposes: what is written there for Apache, nginx and VCL
# is loaded by the real ones, all of it; and done before the same origin, the
# finding is gone at the next audit.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
command -v jq >/dev/null || skip_all "no jq"
. "$top_srcdir/tests/cli/lib-nginx.sh"
start_origin
chmod 755 "$work"
origin=$base

# Findings of many kinds
urls=
for p in near/two-lines near/star-line near/semicolon near/misspelt near/new-visitor \
    near/opened-session near/whole-cookie near/to-https near/not-acceptable near/hotlink \
    near/referer near/declared-referer near/forwarded near/client-address near/hint \
    near/mobile near/declared-mobile app/django app/nextjs app/turbo case/1 case/8 case/10a \
    case/11 case/20 case/25 case/28 case/43 case/50; do
	urls="$urls $origin/$p"
done
# shellcheck disable=SC2086
audit --format json -b sessionid=5f2a9c $urls
fixes() { jq -r ".targets[].findings[].fix.$1 // empty" "$work/out" | sort -u; }
fixes origin >"$work/origin.txt"
fixes vcl >"$work/vcl.txt"
is "many kinds of findings" "$(jq -r '[.targets[].findings[].rule] | unique | length' "$work/out")" 11
# No fix stands for none: each has a directive, or is advice that has none.
grep -oE "Header (always merge Vary [A-Za-z-]+|edit[*] Vary .* \"\")" "$work/origin.txt" >"$work/apache.fixes"
grep -oE "in nginx, (add_header Vary [A-Za-z-]+ always|gzip_vary on)" "$work/origin.txt" |
    sed 's/^in nginx, //' | sort -u >"$work/nginx.fixes"
grep -oE 'site\.[a-z]+\("[^"]*"(, "[^"]*")*\);' "$work/vcl.txt" | grep -v '"\.\.\."' |
    sort -u >"$work/site.fixes"
grep -oE '^(unset req\.http\.[A-Za-z-]+;|if \(req\.http\.[A-Za-z-]+\) \{ return \(pass\); \})' \
    "$work/vcl.txt" | sort -u >"$work/recv.fixes"
is "there are fixes for each" "$(for f in apache nginx site recv; do
	[ "$(wc -l <"$work/$f.fixes")" -ge 2 ] || echo "$f"; done)" ""

if [ -n "$APACHE" ]; then
	{
		for m in mpm_event authz_core headers; do
			echo "LoadModule ${m}_module $modules/mod_$m.so"
		done
		echo "ServerRoot \"$work\""
		echo "ServerName localhost"
		echo "ErrorLog \"$work/fixes.log\""
		cat "$work/apache.fixes"
	} >"$work/fixes.conf"
	is "Apache takes all of them" "$("$APACHE" -t -f "$work/fixes.conf" 2>&1)" "Syntax OK"
	# Done, and audited again
	{
		for m in proxy proxy_http; do
			echo "LoadModule ${m}_module $modules/mod_$m.so"
		done
		echo "ProxyPass / $origin/"
		grep -x 'Header always merge Vary \(Cookie\|Accept\)' "$work/apache.fixes" | sort -u
		grep 'Header edit[*] Vary .*User-Agent' "$work/apache.fixes" | sort -u
	} >"$work/done.conf"
	if start_apache <"$work/done.conf"; then
		base=http://127.0.0.1:$port
		audit --format json "$base/near/opened-session" "$base/near/not-acceptable" \
		    "$base/near/two-lines"
		is "Apache: three findings are gone" "$(jq -r '[.targets[].outcome] | unique[]' "$work/out") $(rules |
		    grep -c 'missing\|inconsistent\|leak user-agent')" "judged 0"
	else
		tap_not_ok "Apache starts" </dev/null
	fi
else
	skip "Apache takes all of them" "no Apache"
fi

# before_origin PORT: nginx before the origin; on stdin what stands in its location
before_origin() {
	nginx_conf <<CONF
	server {
		listen 127.0.0.1:$1;
		location / {
			proxy_pass $origin;
$(cat)
		}
	}
CONF
}
if has_nginx; then
	sed 's/$/;/' "$work/nginx.fixes" | before_origin 1
	is "nginx takes all of them" \
	    "$(nginx -t -q -p "$work" -c "$work/nginx.conf" 2>&1)" ""
	# Done, and audited again
	nport=$(free_port)
	before_origin "$nport" <<CONF
$(grep -x 'add_header Vary Cookie always' "$work/nginx.fixes");
$(grep -x 'add_header Vary Accept always' "$work/nginx.fixes");
CONF
	if start_nginx "$nport"; then
		base=http://127.0.0.1:$nport
		audit --format json "$base/near/opened-session"
		is "nginx: what some responses named all name" \
		    "$(rules | grep -c 'missing\|inconsistent')" 0
		audit --format json "$base/near/not-acceptable"
		is "nginx: a refusal by Accept is declared" \
		    "$(rules | grep -c 'missing accept$')" 0
	else
		tap_not_ok "nginx starts" </dev/null
	fi
else
	skip "nginx takes all of them" "$no_nginx"
fi

if command -v varnishd >/dev/null && [ -e "$top_builddir/vmod/.libs/libvmod_vary.so" ]; then
	# vcl SITE RECV: files of lines
	vcl() {
		cat <<VCL
vcl 4.1;
import vary from "$(cd "$top_builddir" && pwd)/vmod/.libs/libvmod_vary.so";
backend default { .host = "127.0.0.1"; .port = "${origin##*:}"; }
sub vcl_init {
	new site = vary.policy();
$(cat "$1")
}
sub vcl_recv {
	site.recv();
$(cat "$2")
	return (hash);
}
sub vcl_backend_response { site.fetch(); }
sub vcl_deliver { site.deliver(); }
VCL
	}
	# Each of its own: one policy has one rule for a name.
	while IFS= read -r line; do
		echo "$line" >"$work/one"
		vcl "$work/one" "$work/recv.fixes" >"$work/one.vcl"
		varnishd -C -n "$work/v" -f "$work/one.vcl" >"$work/one.log" 2>&1 ||
		    echo "$line: $(tail -n 3 "$work/one.log")"
	done <"$work/site.fixes" >"$work/refused"
	is "varnishd takes all of them" "$(cat "$work/refused")" ""
	# Done, and audited again
	grep -xE 'site\.(strip\("User-Agent"\)|cookie\("lang"\)|ensure\("Cookie"\));' "$work/site.fixes" >"$work/some"
	grep 'X-Forwarded-Host\|Forwarded;\|Referer' "$work/recv.fixes" >"$work/some.recv"
	vcl "$work/some" "$work/some.recv" >"$work/site.vcl"
	vport=$(free_port)
	varnishd -F -n "$work/v" -a "127.0.0.1:$vport" -f "$work/site.vcl" \
	    -s malloc,32M >"$work/varnishd.log" 2>&1 &
	pids="$pids $!"
	if wait_port "$vport" $!; then
		base=http://127.0.0.1:$vport
		gone() {
			audit --no-checks --cache-buster cb --format json "$base/$1"
			is "varnishd: $1: $2 is gone" "$(jq -r '.targets[0].outcome' "$work/out") $(rules | grep -c "$2")" "judged 0"
		}
		gone near/two-lines 'vary-leak user-agent'
		gone near/misspelt 'vary-missing cookie'
		gone near/opened-session 'vary-inconsistent cookie'
		gone case/28 'vary-reflected x-forwarded-host'
		gone near/referer 'vary-reflected referer'
		gone near/forwarded 'vary-reflected forwarded'
	else
		tap_not_ok "varnishd starts" <"$work/varnishd.log"
	fi
else
	skip "varnishd takes all of them" "no varnishd, or no module in this build"
fi
done_testing
