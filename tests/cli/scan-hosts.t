#!/bin/sh
# varyprobe scan on a whole server: what a virtual host says reaches into the
# .htaccess files of its documents.  The same configurations are then served by
# a real httpd.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
command -v jq >/dev/null || skip_all "no jq"
docs=$work/htdocs
mkdir -p "$docs"
i=0
while [ $i -lt 40 ]; do
	echo "a page that is long enough to be worth compressing, line $i"
	i=$((i + 1))
done >"$docs/index.html"
# layout NAME WANTED: the server configuration on stdin in front of the
# .htaccess that is there; findings as "rule member line", from warnings on
layout() {
	{
		echo "DocumentRoot $docs"
		echo "<Directory $docs>"
		echo "AllowOverride All"
		echo "</Directory>"
		cat
	} >"$work/scanned.conf"
	run scan --era E3 --format json "$work/scanned.conf"
	is "$1" "$(jq -r '.findings[] | select(.level != "note") |
	    "\(.rule) \(.member) \(.line) \(.when)"' "$work/out")$err" "$2"
	tail -n +5 "$work/scanned.conf" >"$work/tail.conf"
}
# served NAME WANTED HOST ARGS...: Vary and Content-Encoding of that response
served() {
	name=$1 wanted=$2 host=$3
	shift 3
	if [ -z "$APACHE" ] || ! command -v curl >/dev/null; then
		tap_n=$((tap_n + 1))
		echo "ok $tap_n # SKIP no Apache httpd (Debian: apache2-bin) or curl"
		return
	fi
	is "$name" "$(curl -s -D - -o /dev/null -H "Host: $host" "$@" \
	    "http://127.0.0.1:$port/" | tr -d '\r' |
	    grep -iE '^(Vary|Content-Encoding):' | sort)" "$wanted"
}
serve() {
	if [ -z "$APACHE" ] || ! command -v curl >/dev/null; then
		return 0
	fi
	start_apache <"$work/tail.conf" || {
		echo "Bail out! httpd does not start"
		exit 1
	}
}
stop() {
	# shellcheck disable=SC2086
	[ -z "$pids" ] || { kill $pids; wait; } 2>/dev/null
	pids=
}

cat >"$docs/.htaccess" <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteRule ^ - [E=MOBILE:1]
F
layout "a host that takes Vary away does so for .htaccess, too" "" <<F
<VirtualHost *>
ServerName a.example
Header unset Vary
</VirtualHost>
F
serve
served "httpd: no Vary" "" a.example -A iPhone
stop
layout "of two hosts with the same documents only one does" \
    "vary-leak User-Agent 2 possible" <<F
<VirtualHost *>
ServerName a.example
Header unset Vary
</VirtualHost>
<VirtualHost *>
ServerName b.example
DocumentRoot $docs/
</VirtualHost>
F
serve
served "httpd: none in one" "" a.example -A iPhone
served "httpd: and a leak in the other" "Vary: User-Agent" b.example -A iPhone
stop
layout "a host with other documents does not count" \
    "vary-leak User-Agent 2 rule-matches" <<F
<VirtualHost *>
ServerName a.example
</VirtualHost>
<VirtualHost *>
ServerName b.example
DocumentRoot $work/elsewhere
Header unset Vary
</VirtualHost>
F

cat >"$docs/.htaccess" <<'F'
SetEnvIf Origin "^(https://a\.example)$" ORIGIN=$1
Header set Access-Control-Allow-Origin %{ORIGIN}e env=ORIGIN
F
layout "Vary: Origin in the host is enough for CORS in .htaccess" "" <<F
<VirtualHost *>
Header merge Vary Origin
</VirtualHost>
F
serve
served "httpd: it is there" "Vary: Origin" a.example
stop
layout "and in one of two hosts it is not" \
    "vary-missing Origin 2 always" <<F
<VirtualHost *>
ServerName a.example
Header merge Vary Origin
</VirtualHost>
<VirtualHost *>
ServerName b.example
</VirtualHost>
F

# A <Directory> inside another: between the .htaccess files of the two.
mkdir -p "$docs/sub"
cp "$docs/index.html" "$docs/sub/"
echo "Header merge Vary Accept-Language" >"$docs/.htaccess"
cat >"$docs/sub/.htaccess" <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteRule ^ - [E=MOBILE:1]
F
layout "a <Directory> around .htaccess, below another one" "" <<F
<Directory $docs/sub>
Header unset Vary
</Directory>
F
serve
served "httpd: no Vary below" "" a.example -A iPhone --path-as-is \
    --request-target /sub/
served "httpd: and one above" "Vary: Accept-Language" a.example -A iPhone
stop
layout "and one that is not around it" "vary-leak User-Agent 2 rule-matches" <<F
<Directory $docs/other>
Header unset Vary
</Directory>
F
rm -r "$docs/sub"

echo "Header unset Vary" >"$docs/.htaccess"
layout "the server compresses, .htaccess removes Vary" \
    "vary-missing Accept-Encoding 1 possible" <<F
AddOutputFilterByType DEFLATE text/html
F
serve
served "httpd: gzip without Vary" "Content-Encoding: gzip" a.example \
    -H "Accept-Encoding: gzip"
stop
layout "a host compresses, .htaccess removes Vary" \
    "vary-missing Accept-Encoding 1 possible" <<F
<VirtualHost *>
AddOutputFilterByType DEFLATE text/html
</VirtualHost>
F
printf 'Header unset Vary\nHeader merge Vary Accept-Encoding\n' >"$docs/.htaccess"
layout "and names it again: as it should be" "" <<F
AddOutputFilterByType DEFLATE text/html
F
serve
served "httpd: both are there" "Content-Encoding: gzip
Vary: Accept-Encoding" a.example -H "Accept-Encoding: gzip"
stop

# --- Hosts that do not let .htaccess say the same ------------------------------
echo 'Header append Vary Cookie' >"$docs/.htaccess"
# differ NAME WANTED FIRST SECOND: two hosts over one folder; levels and lines
differ() {
	for allow in "$3" "$4"; do
		echo "<VirtualHost *:80>"
		echo "DocumentRoot $docs"
		echo "<Directory $docs>"
		echo "AllowOverride $allow"
		echo "</Directory>"
		echo "</VirtualHost>"
	done >"$work/two.conf"
	run scan --era E3 --format json "$work/two.conf"
	is "$1" "$(jq -r '.findings[] | "\(.level) \(.rule)"' "$work/out")" "$2"
}
differ "one host reads it, the other does not: found, and said" "note conf-error
warning vary-costly" All None
like "by the lines of both hosts" "$(cat "$work/out")" "hosts of lines 1 and 7 of"
differ "the same, the other way round" "note conf-error
warning vary-costly" None All
differ "each allows something else" "note conf-error
warning vary-costly" AuthConfig FileInfo
differ "both alike: nothing to say" "warning vary-costly" All All
differ "neither reads it" "" None None
differ "neither allows it" "error conf-error" AuthConfig AuthConfig
# The section of the server comes before a host's of the same path.
{
	printf '<VirtualHost *:80>\nDocumentRoot %s\n<Directory %s>\n' "$docs" "$docs"
	printf 'AllowOverride None\n</Directory>\n</VirtualHost>\n'
	printf '<Directory %s>\nAllowOverride All\n</Directory>\n' "$docs"
} >"$work/two.conf"
run scan --era E3 --format json "$work/two.conf"
is "a host's own section has the last word, wherever it stands" \
    "$(jq '.findings | length' "$work/out")" 0
done_testing
