#!/bin/sh
# varyprobe policy and summary.  The policy goes into a real varnishd before the
# same origin, which is then audited through it.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-nginx.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin
q="$base/noise"
leak="$q?n=1&declare=User-Agent,X-Forwarded-Proto"
lang="$q?n=2&axis=Accept-Language&effect=text&declare=Accept-Language"
gone="$q?n=3&axis=X-Forwarded-Host&effect=reflect"
miss="$q?n=4&axis=Accept&effect=header"
audit --format json --no-robots "$leak" "$lang" "$gone" "$miss" "$base/case/20" --axis 'Cookie: sessionid=5f2a9c'
cp "$work/out" "$work/audit.json"
run policy "$work/audit.json"
is "exit 0" "$code" 0
is "nothing on stderr" "$err" ""
like "what had no effect is stripped" "$out" 'vary\.policy\(strip = "Host, User-Agent, X-Forwarded-Proto"\)'
like "languages that were seen" "$out" 'site\.language\("en, de"\);'
like "cookies that matter" "$out" 'site\.cookie\("sessionid"\);'
like "what is reflected is dropped" "$out" 'site\.drop\("X-Forwarded-Host"\);'
like "media types, and what the origin forgot" "$(printf %s "$out" | tr -d '\n')" 'site\.media\("image/webp"\);.*site\.ensure\("Accept"\);'
cp "$work/out" "$work/policy.vcl"
run policy --format avail "$work/audit.json"
like "Avail-Language" "$out" '^Avail-Language: en;d, de$'
like "Cookie-Indices" "$out" '^Cookie-Indices: "sessionid"$'
run policy --format apache "$work/audit.json"
like "Apache: takes out" "$out" '^Header edit[*] Vary .*User-Agent'
like "Apache: puts in" "$out" '^Header always merge Vary Accept$'

# Refusals
audit --format json "$base/hostile/random-body" http://127.0.0.1:1/
cp "$work/out" "$work/unstable.json"
run policy "$work/unstable.json"
is "nothing was judged: exit 3" "$code" 3
is "nothing was judged: no policy" "$out" ""
like "nothing was judged: is said" "$err" 'no URL was judged, .*random-body is unstable'
run policy "$work/audit.json" "$work/unstable.json"
is "some were judged: exit 0" "$code" 0
like "some were judged: is said" "$err" 'warning: 2 of 7 URLs were not judged'
echo '{"a": 1}' >"$work/other.json"
run policy "$work/other.json"
is "another JSON: exit 2" "$code" 2
run policy "$work/none.json"
is "no such file: exit 2" "$code" 2

{
	printf '{"schema": "varykit.audit/1", "targets": ['
	head -c 67108864 /dev/zero | tr '\0' ' '
	echo ']}'
} >"$work/long.json"
run policy "$work/long.json"
is "a result too long: exit 2" "$code$out" 2
like "a result too long: is said, and what to do" "$err" '^varyprobe: .*/long.json: is longer than 64 MiB: audit fewer URLs'
if [ -x "$top_builddir/varylive" ]; then
	"$top_builddir/varylive" -r /dev/null --audit "$work/long.json" >"$work/out" 2>"$work/err"
	is "varylive --audit: the same limit" "$? $(sed 's/:.*long.json: /: /' "$work/err")" \
	    "2 varylive: is longer than 64 MiB: audit fewer URLs at a time, or use --format ndjson, where the limit is that of a line"
else
	skip "varylive --audit: the same limit" "no varylive in this build"
fi
rm "$work/long.json"

# A result is what somebody sent: no byte of it may become configuration.
hostile=$top_srcdir/tests/fuzz/corpus/fuzz_result/hostile
run policy "$hostile"
cp "$work/out" "$work/hostile.vcl"
is "hostile: exit 0" "$code" 0
is "hostile: VCL has our subs alone" "$(grep -c '^sub' "$work/out") $(grep -c 'return\|import\|synth(\|LoadModule\|C{' "$work/out")" "6 1"
like "hostile: a cookie that cannot be named is no lost cookie" "$out" '^	# Cookie stays as it is'
run policy --format apache "$hostile"
is "hostile: Apache gets whole directives with plain names" "$(grep -cvE '^(#.*|(Header always merge Vary|RequestHeader unset) [A-Za-z-]+( early)?)$' "$work/out")" 0
like "hostile: Apache: what has a meaning there is left out, and said" "$out" '^# Left out, .*: \$host$'
run policy --format nginx "$hostile"
is "hostile: nginx gets no variable, no quote of others" "$(grep -v '^#' "$work/out" | grep -cvE '^(add_header Vary [A-Za-z-]+ always;|proxy_set_header [A-Za-z-]+ "";)$')" 0
printf '{"schema": "varykit.audit/1", "targets": [{"url": "http://x/\\n\\u001b[2Jvaryprobe: all is well", "outcome": "unstable"}]}' >"$work/escape.json"
run policy "$work/escape.json"
is "hostile: no control reaches the terminal, and one line is one line" "$code $(wc -l <"$work/err") $(LC_ALL=C tr -d '\n -~' <"$work/err" | wc -c)" "3 1 0"
printf '{"schema": "varykit.audit/1", "targets": [{"url": "http://x/", "outcome": "judged", "members": [%s]}]}' \
    '{"name": "*", "declared": "yes", "effect": "none-observed"}, {"name": "Cookie", "declared": "yes", "effect": "body", "with_effect": ["xsid=1", "sid=1", "sid=2"]}' >"$work/star.json"
run policy "$work/star.json"
like "a * is no name to strip" "$out" 'strip = "Host"'
like "one cookie's name ends another's: each once" "$out" 'site\.cookie\("xsid, sid"\);'
printf '{"schema": "varykit.audit/1", "targets": [{"url": "http://x/", "outcome": "judged", "members": [%s], "findings": [%s]}]}' \
    '{"name": "Range", "declared": "no", "effect": "body"}, {"name": "Origin", "declared": "yes", "effect": "body", "with_effect": ["https://a.example/", "https://b.example"]}' \
    '{"rule": "vary-missing", "member": "Range", "level": "error", "message": "x"}' >"$work/keyless.json"
run policy "$work/keyless.json"
like "what no cache can key on is not ensured, and said" "$out" '^	# Range has an effect, and no cache can key on it\.$'
is "nor is anything else that would not load" "$code $(grep -c 'ensure\|allow' "$work/out")" "0 0"

# summary: any split gives the same
audit --format ndjson --no-robots "$leak" "$lang" "$gone" "$miss"
cp "$work/out" "$work/all"
audit --format ndjson --no-robots "$leak"
cp "$work/out" "$work/a"
audit --format ndjson --no-robots "$lang" "$gone"
cp "$work/out" "$work/b"
audit --format ndjson --no-robots "$miss"
cp "$work/out" "$work/c"
sed '$d' "$work/b" >"$work/killed"
counts() { jq -c 'del(.requests)' "$1"; }
run summary "$work/all"
whole=$(counts "$work/out")
is "summary: is what the run itself says" "$whole" "$(tail -n 1 "$work/all" | jq -c 'del(.requests)')"
run summary "$work/a" "$work/b" "$work/c"
is "summary: of three parts" "$(counts "$work/out")" "$whole"
run summary "$work/c" "$work/a" "$work/killed"
is "summary: another order, and a run that was killed" "$(counts "$work/out")" "$whole"
"$VARYPROBE" summary "$work/a" "$work/b" >"$work/ab"
run summary "$work/c" "$work/ab"
is "summary: of summaries" "$(counts "$work/out")" "$whole"
cat "$work/a" "$work/b" "$work/c" | "$VARYPROBE" summary - >"$work/out"
is "summary: of one stream" "$(counts "$work/out")" "$whole"
head -c 16777300 /dev/zero | tr '\0' ' ' | cat "$work/a" - >"$work/long"
run summary "$work/long"
like "summary: a line too long is exit 2, said with its number" "$code$out $err" '^2 varyprobe: .*/long:[0-9]+: is longer than 16 MiB'
run summary --format human "$work/all"
like "summary: for people" "$out" '4 URLs: 4 judged'
run summary "$work/all" "$work/other.json"
is "summary: what is no result is exit 2, and no sum" "$code$out" 2
like "summary: it says what it wants" "$err" "no line of 'varyprobe audit --format ndjson': "
sed 's,varykit.audit/1,varykit.audit/9,' "$work/a" >"$work/later"
run policy "$work/later"
like "policy: a result of another form is refused by its name" "$code$out $err" \
    '^2 varyprobe: .*/later: is varykit.audit/9; this reads varykit.audit/1$'
run policy "$work"
like "policy: a folder is no empty file" "$code$out $err" '^2 varyprobe: .*: Is a directory$'
if command -v parallel >/dev/null; then
	printf '%s\n' "$leak" "$lang" "$gone" "$miss" |
	    parallel --will-cite --pipe -N1 -j2 "$VARYPROBE" audit --rate 0 \
		--no-robots --urls - --format ndjson 2>/dev/null |
	    "$VARYPROBE" summary - >"$work/out"
	is "summary: GNU parallel" "$(counts "$work/out")" "$whole"
else
	skip "summary: GNU parallel" "no GNU parallel"
fi

# The policies of real servers, before the same origin.
through() {
	audit --format json --no-robots "$1?n=1&declare=User-Agent,X-Forwarded-Proto" \
	    "$1?n=1&declare=Accept-Encoding,X-Forwarded-Proto,User-Agent,Cookie" \
	    "$1?n=3&axis=X-Forwarded-Host&effect=reflect" \
	    "$1?n=4&axis=Accept&effect=header"
}
origin_port=$port
run policy --format apache "$work/audit.json"
cp "$work/out" "$work/apache.policy"
if [ -n "$APACHE" ] && [ -e "$modules/mod_proxy_http.so" ]; then
	if start_apache <<-CONF
		LoadModule proxy_module $modules/mod_proxy.so
		LoadModule proxy_http_module $modules/mod_proxy_http.so
		ProxyPass / http://127.0.0.1:$origin_port/
		Include "$work/apache.policy"
		CONF
	then
		is "Apache: httpd takes the policy" "$("$APACHE" -t -f "$work/apache.conf" 2>&1)" "Syntax OK"
		through "http://127.0.0.1:$port/noise"
		is "Apache: what it took out is no leak, what it named is not missing, what it dropped is not reflected" \
		    "$(rules | grep -v 'vary-hop accept$\|vary-leak \(cookie\|accept\|accept-encoding\)$')" ""
		is "Apache: no empty member is left in Vary, and no empty Vary" \
		    "$(jq -c '[.targets[0, 1].vary.lines]' "$work/out")" '[["Accept"],["Accept,Accept-Encoding,Cookie"]]'
	else
		tap_not_ok "Apache: httpd takes the policy" <"$work/apache.log"
	fi
else
	skip "the policy in Apache" "no Apache httpd with mod_proxy_http (Debian: apache2-bin)"
fi
run policy --format nginx "$work/audit.json"
cp "$work/out" "$work/nginx.policy"
if has_nginx; then
	port=$(free_port)
	nginx_conf <<CONF
	server {
		listen 127.0.0.1:$port;
		include $work/nginx.policy;
		location / { proxy_pass http://127.0.0.1:$origin_port; }
	}
CONF
	like "nginx takes the policy" "$(nginx -t -p "$work" -c "$work/nginx.conf" 2>&1)" 'test is successful'
	start_nginx "$port"
	through "http://127.0.0.1:$port/noise"
	is "nginx: what it named is not missing, what it dropped is not reflected" \
	    "$(rules | grep 'missing\|inconsistent\|reflected')" ""
else
	skip "the policy in nginx" "$no_nginx"
fi
port=$origin_port

# The policy in Varnish.
if ! command -v varnishd >/dev/null || [ ! -e "$top_builddir/vmod/.libs/libvmod_vary.so" ]; then
	skip "the policy in Varnish" "no varnishd or no VMOD in this build"
	done_testing
fi
chmod 755 "$work"
cat >"$work/hostile-site.vcl" <<VCL
vcl 4.1;
backend default none;
include "$work/hostile.vcl";
VCL
hport=$(free_port)
varnishd -F -n "$work/h" -a "127.0.0.1:$hport" -f "$work/hostile-site.vcl" \
    -p "vmod_path=$top_builddir/vmod/.libs" -s malloc,32M >"$work/hostile.log" 2>&1 &
pids="$pids $!"
if wait_port "$hport" $!; then
	is "varnishd loads what is printed of a hostile result" yes yes
else
	tap_not_ok "varnishd loads what is printed of a hostile result" <"$work/hostile.log"
fi
cat >"$work/site.vcl" <<VCL
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$port"; }
# builtin.vcl passes what has a cookie, and a passed response has other headers.
sub vcl_recv { if (req.url ~ "^/noise") { unset req.http.Cookie; } }
include "$work/policy.vcl";
VCL
vport=$(free_port)
# Varnish names its objects by the URL: /noise?n=1... is what was audited.
varnishd -F -n "$work/v" -a "127.0.0.1:$vport" -f "$work/site.vcl" \
    -p "vmod_path=$top_builddir/vmod/.libs" -s malloc,32M >"$work/varnishd.log" 2>&1 &
pids="$pids $!"
if wait_port "$vport" $!; then
	is "varnishd takes the policy" yes yes
else
	sed 's/^/# /' "$work/varnishd.log"
	is "varnishd takes the policy" no yes
	done_testing
fi
v=http://127.0.0.1:$vport/noise
audit --format json --no-robots "$v?n=1&declare=User-Agent,X-Forwarded-Proto" \
    "$v?n=2&axis=Accept-Language&effect=text&declare=Accept-Language" \
    "$v?n=3&axis=X-Forwarded-Host&effect=reflect" \
    "$v?n=4&axis=Accept&effect=header" "http://127.0.0.1:$vport/case/20" \
    --axis 'Cookie: sessionid=5f2a9c'
is "through it: all judged" "$(jq '.summary.outcomes.judged' "$work/out")" 5
# A policy is for a site: Accept is in the Vary of all URLs now.
is "through it: no leak, nothing missing, nothing reflected" \
    "$(rules | grep -Ev 'vary-(partial|hop|presence|costly)|vary-leak accept$')" ""
# No content is mixed up, whoever came first
for l in de en-US 'de,en;q=0.5' fr en de; do
	curl -s -H "Accept-Language: $l" "$v?n=2&axis=Accept-Language&effect=text&declare=Accept-Language" |
	    grep -c 'only some are told'
done >"$work/told"
is "through it: each language gets its own" "$(paste -sd' ' "$work/told")" "1 0 1 0 0 1"
done_testing
