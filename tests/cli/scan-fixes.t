#!/bin/sh
# Each kind of fix that scan proposes, carried out and served by a real httpd: what
# leaked is gone (or what was missing is there), scan has nothing more to say about
# it, and all else that a client sees is as before.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
for tool in curl jq patch; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
mkdir -p "$work/htdocs"
start_apache <<'CONF' || skip_all "Apache does not start"
UseCanonicalName Off
CONF
n=0
# before: the .htaccess on stdin, in a directory of its own
before() {
	n=$((n + 1))
	dir=$work/htdocs/d$n
	mkdir "$dir"
	for f in index mobile; do
		echo "<html>this is the page $f of everybody, long enough to compress,\
 long enough to compress, long enough to compress</html>" >"$dir/$f.html"
	done
	cat >"$dir/.htaccess"
	cp "$dir/.htaccess" "$work/before"
}
# seen: what each of five clients gets, but for the lines that differ each time
seen() {
	u=http://127.0.0.1:$port/d$n/
	rm -f "$work"/body*
	curl -s -D - -o "$work/body1" "$u" -A iPhone \
	    --next -s -D - -o "$work/body2" "$u" -A x \
	    --next -s -D - -o "$work/body3" "$u" -A iPhone -H Host:dev.example.org \
	    --next -s -D - -o "$work/body4" "$u" -A x -H Accept-Encoding:gzip \
	    --next -s -D - -o "$work/body5" "$u" -A x -b session=1 \
	    -H Accept-Language:de | tr -d '\r' |
	    grep -viE '^(Date|Server|ETag|Last-Modified|Content-Length|Keep-Alive):'
	cksum "$work"/body*
}
others() { grep -v '^Vary:' "$1"; }
findings() {
	run scan --era "$era" --format json "$dir"
	jq -r --arg m "$1" '.findings[] | select(.level != "note" and
	    (.member // "" | ascii_downcase) == $m) | .rule' "$work/out" | sort -u
}
# fixed NAME MEMBER RULE FIX CHANGE: with the finding's fix like FIX; the file after
# it on stdin.  CHANGE: goes, comes, or same (where no httpd here has it).
fixed() {
	name=$1 member=$2 rule=$3 fix=$4 change=$5
	is "$name: before it there is $rule" "$(findings "$member")" "$rule"
	like "$name: the fix is proposed" "$(jq -r --arg m "$member" '.findings[] |
	    select((.member // "" | ascii_downcase) == $m) | .fix' "$work/out")" "$fix"
	seen >"$work/seen.before"
	cat >"$dir/.htaccess"
	seen >"$work/seen.after"
	is "$name: after it there is nothing to say" "$(findings "$member")" ""
	is "$name: all but Vary is as it was" "$(others "$work/seen.after")" \
	    "$(others "$work/seen.before")"
	b=$(grep -ic "^Vary:.*$member" "$work/seen.before")
	a=$(grep -ic "^Vary:.*$member" "$work/seen.after")
	case $change in
	goes) is "$name: $member was in Vary, and is not" \
	    "$([ "$b" -gt 0 ] && echo was) $a" "was 0" ;;
	comes) is "$name: $member comes into Vary" \
	    "$([ "$a" -gt "$b" ] && echo comes)" comes ;;
	same) is "$name: Vary is as it was" "$(cat "$work/seen.after")" \
	    "$(cat "$work/seen.before")" ;;
	esac
}

era=E3
before <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone [NC]
RewriteRule ^ - [E=MOBILE:1]
Header set X-Mobile yes env=MOBILE
F
fixed "NV" user-agent vary-leak "flag NV" goes <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone [NC,NV]
RewriteRule ^ - [E=MOBILE:1]
Header set X-Mobile yes env=MOBILE
F
cp "$work/before" "$dir/.htaccess"
fixed "SetEnvIf and %{ENV:}" user-agent vary-leak "SetEnvIf and test %\{ENV:" goes <<'F'
SetEnvIfNoCase User-Agent iPhone PHONE
RewriteEngine On
RewriteCond %{ENV:PHONE} .
RewriteRule ^ - [E=MOBILE:1]
Header set X-Mobile yes env=MOBILE
F
before <<'F'
<If "%{HTTP_USER_AGENT} =~ /iPhone/ && %{HTTP_COOKIE} !~ /never/">
Header set X-Mobile yes
</If>
F
fixed "req_novary" user-agent vary-leak "req_novary" goes <<'F'
<If "%{req_novary:User-Agent} =~ /iPhone/ && %{req_novary:Cookie} !~ /never/">
Header set X-Mobile yes
</If>
F
cp "$work/before" "$dir/.htaccess"
fixed "Header edit" user-agent vary-leak "." goes <<'F'
<If "%{HTTP_USER_AGENT} =~ /iPhone/ && %{HTTP_COOKIE} !~ /never/">
Header set X-Mobile yes
</If>
Header edit Vary "(^|,\s*)User-Agent" ""
F
before <<'F'
RewriteEngine On
RewriteCond %{HTTP:Accept-Language} ^de
RewriteRule ^$ /elsewhere/ [R=301,L]
F
fixed "Header always merge on a redirect" accept-language vary-missing \
    "Header always merge Vary Accept-Language env=redirected" comes <<'F'
RewriteEngine On
RewriteCond %{HTTP:Accept-Language} ^de
RewriteRule ^$ /elsewhere/ [R=301,L,E=redirected:1]
Header always merge Vary Accept-Language env=redirected
F
before <<'F'
RewriteEngine On
RewriteCond %{HTTP:Accept-Language} ^de
RewriteRule ^(index\.html)?$ mobile.html [L]
F
fixed "Header merge where some answers name it" accept-language vary-inconsistent \
    "Header merge Vary Accept-Language" comes <<'F'
RewriteEngine On
RewriteCond %{HTTP:Accept-Language} ^de
RewriteRule ^(index\.html)?$ mobile.html [L]
Header merge Vary Accept-Language
F
before <<'F'
AddOutputFilterByType DEFLATE text/html
Header unset Vary
F
fixed "Header merge after Header unset" accept-encoding vary-missing \
    "Header merge Vary Accept-Encoding" comes <<'F'
AddOutputFilterByType DEFLATE text/html
Header unset Vary
Header merge Vary Accept-Encoding
F
before <<'F'
SetEnvIf Accept-Language ^de GERMAN
Header set Access-Control-Allow-Origin https://de.example env=GERMAN
F
fixed "Header merge for SetEnvIf" accept-language vary-missing \
    "Header merge Vary Accept-Language" comes <<'F'
SetEnvIf Accept-Language ^de GERMAN
Header set Access-Control-Allow-Origin https://de.example env=GERMAN
Header merge Vary Accept-Language
F
before <<'F'
Header append Vary Accept-Encoding
Header append Vary Host
F
fixed "Host taken out of the value" host vary-redundant "take Host out" goes <<'F'
Header append Vary Accept-Encoding
F
# Only Apache up to 2.4.28 names Host for a condition; the host that is meant is
# the same one, with UseCanonicalName Off.
era=E1
before <<'F'
<If "%{HTTP_HOST} == 'dev.example.org'">
Header set X-Dev yes
</If>
F
fixed "SERVER_NAME" host vary-redundant "SERVER_NAME\} with UseCanonicalName Off" \
    same <<'F'
<If "%{SERVER_NAME} == 'dev.example.org'">
Header set X-Dev yes
</If>
F
before <<'F'
RewriteEngine On
RewriteCond %{HTTP_HOST} ^dev\.
RewriteRule ^ - [E=DEV:1]
Header set X-Dev yes env=DEV
F
fixed "SERVER_NAME in a condition" host vary-redundant "SERVER_NAME" same <<'F'
RewriteEngine On
RewriteCond %{SERVER_NAME} ^dev\.
RewriteRule ^ - [E=DEV:1]
Header set X-Dev yes env=DEV
F

# --- What --patch carries out: all of it at once, then nothing is left ----
era=E3
before <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteCond "%{HTTP_COOKIE}" "!never" "[NC]"
RewriteRule ^ - [E=MOBILE:1]
Header set X-Mobile yes env=MOBILE
<If "req('Referer') =~ /ref/ || %{HTTP:X-Requested-With} == 'x' || -n http('DNT')">
Header set X-If yes
</If>
SetEnvIfExpr "%{REQ:Accept-Language} -strmatch 'de*'" GERMAN
Header set X-German yes env=GERMAN
Header set X-Late yes "expr=%{HTTP_ACCEPT} != 'x'"
Header append Vary Host
F
seen >"$work/seen.before"
run scan --era "$era" --patch "$dir"
is "--patch: patch(1) takes it" "$(cd / && patch -s -p1 <"$work/out" 2>&1)" ""
seen >"$work/seen.after"
is "--patch: Vary was there five times" "$(grep -c '^Vary:' "$work/seen.before")" 5
is "--patch: and is nowhere" "$(grep -c '^Vary:' "$work/seen.after")" 0
is "--patch: all else is as it was" "$(others "$work/seen.after")" \
    "$(others "$work/seen.before")"
run scan --era "$era" --patch "$dir"
is "--patch: a second one is empty" "$out$err" ""
done_testing
