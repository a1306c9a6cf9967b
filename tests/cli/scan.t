#!/bin/sh
# varyprobe scan: what people's configurations give, exit codes, formats, and a
# patch that a real httpd then serves without the leak.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
command -v jq >/dev/null || skip_all "no jq"
site=$work/site
mkdir -p "$site"
# found NAME WANTED: the .htaccess on stdin has these findings, "rule member
# line era,era" a line, and no others from warning on
found() {
	cat >"$site/.htaccess"
	run scan --format json "$site"
	is "$1" "$(jq -r '.findings[] | select(.level != "note") |
	    "\(.rule) \(.member // "-") \(.line) \(.eras | join(","))"' \
	    "$work/out")" "$2"
	[ -z "$err" ] || is "$1: nothing on stderr" "$err" ""
}

# --- When ------------------------------------------------------------------
cat >"$site/.htaccess" <<'F'
Header set X-A "expr=%{HTTP_REFERER}"
Header set X-B "expr=%{HTTP_COOKIE}" "expr=%{QUERY_STRING} =~ /a/"
Header set X-C "expr=%{HTTP_ACCEPT}" env=x
SetEnvIf Origin a acao
<If "%{QUERY_STRING} =~ /a/">
Header set X-D "expr=%{HTTP_USER_AGENT}"
Header set Access-Control-Allow-Origin * env=acao
</If>
Header set Access-Control-Allow-Origin * env=acao
F
run scan --format json "$site"
is "what a condition may leave out is possible, and the rest always" \
    "$(jq -r '.findings[] | select(.rule == "vary-missing") | "\(.line) \(.when)"' "$work/out")" \
    "1 always
2 possible
3 possible
6 possible
7 possible
9 always"

# --- What plugins and frameworks write -----------------------------------
found "WordPress' own rules are clean" "" <<'F'
# BEGIN WordPress
<IfModule mod_rewrite.c>
RewriteEngine On
RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
RewriteBase /
RewriteRule ^index\.php$ - [L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME} !-d
RewriteRule . /index.php [L]
</IfModule>
# END WordPress
F
found "a page cache by mod_rewrite: nothing in Vary before 2.4.30, then some" \
"vary-inconsistent Cookie 3 E3
vary-missing Cookie 3 E1,E2
vary-inconsistent User-Agent 4 E3
vary-missing User-Agent 4 E1,E2" <<'F'
RewriteEngine On
RewriteCond %{REQUEST_METHOD} !POST
RewriteCond %{HTTP:Cookie} !^.*(logged_in|comment_author).*$
RewriteCond %{HTTP_USER_AGENT} !^.*(Android|iPhone).*$ [NC]
RewriteCond %{DOCUMENT_ROOT}/cache/$1/index.html -f
RewriteRule ^(.*) /cache/$1/index.html [L]
F
found "a variable by X-Forwarded-Proto leaks in every era" \
"vary-leak X-Forwarded-Proto 3 E1,E2,E3" <<'F'
RewriteEngine On
RewriteCond %{HTTPS} on [OR]
RewriteCond %{HTTP:X-Forwarded-Proto} https
RewriteRule .* - [E=SSL:1]
F
found "Laravel and Symfony: Authorization is for requests no cache keeps" "" <<'F'
RewriteEngine On
RewriteCond %{HTTP:Authorization} .
RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
RewriteCond %{HTTP:x-xsrf-token} .
RewriteRule .* - [E=HTTP_X_XSRF_TOKEN:%{HTTP:X-XSRF-Token}]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteRule ^ index.php [L]
F
found "h5bp: www by redirect is clean, and so is compression" "" <<'F'
<IfModule mod_rewrite.c>
RewriteEngine On
RewriteCond %{HTTPS} !=on
RewriteCond %{HTTP_HOST} ^www\.(.+)$ [NC]
RewriteRule ^ http://%1%{REQUEST_URI} [R=301,L]
</IfModule>
<IfModule mod_deflate.c>
AddOutputFilterByType DEFLATE text/html text/css
</IfModule>
<FilesMatch "\.(css|js)$">
Header append Vary Accept-Encoding
</FilesMatch>
F
found "Drupal and Joomla: stored gzip, with the header declared" "" <<'F'
RewriteEngine on
RewriteCond %{HTTP:Accept-encoding} gzip
RewriteCond %{REQUEST_FILENAME}\.gz -s
RewriteRule ^(.*)\.css$ $1\.css\.gz [QSA]
<FilesMatch "(\.js\.gz|\.css\.gz)$">
Header set Content-Encoding gzip
Header append Vary Accept-Encoding
</FilesMatch>
F
found "Magento's old recipe: User-Agent on everything" \
"vary-costly User-Agent 3 E1,E2,E3" <<'F'
SetOutputFilter DEFLATE
SetEnvIfNoCase Request_URI \.(?:gif|jpe?g|png)$ no-gzip dont-vary
Header append Vary User-Agent env=!dont-vary
F
found "AEM: an expression on Host leaks up to 2.4.28" \
"vary-redundant Host 1 E1" <<'F'
Require expr "%{HTTP_HOST} == 'pod.internal'"
F
found "OpenCart: Host inside a file name, internal in .htaccess: nothing" "" <<'F'
RewriteEngine On
RewriteCond %catalog/view/html/%{HTTP_HOST}/x.html -f
RewriteRule ^x$ catalog/view/x.html [L]
F
found "bad robots get 403, which is not cached" "" <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} AhrefsBot [NC,OR]
RewriteCond %{HTTP_USER_AGENT} SemrushBot [NC]
RewriteRule ^ - [F,L]
F
found "CORS by SetEnvIf without Vary: Origin" \
"vary-missing Origin 2 E1,E2,E3" <<'F'
SetEnvIf Origin "^(https://a\.example)$" ORIGIN=$1
Header set Access-Control-Allow-Origin %{ORIGIN}e env=ORIGIN
F
found "and with it" "" <<'F'
SetEnvIf Origin "^(https://a\.example)$" ORIGIN=$1
Header set Access-Control-Allow-Origin %{ORIGIN}e env=ORIGIN
Header merge Vary Origin
F
found "compressed, and Vary removed after it" \
"vary-missing Accept-Encoding 2 E1,E2,E3" <<'F'
AddOutputFilterByType DEFLATE text/html
Header unset Vary
F
found "a condition that is never true is said to be dead" \
"conf-dead-condition - 2 E1,E2,E3" <<'F'
RewriteEngine On
RewriteCond %{HTTP_ACCEPT_LANGUAGE} ^de
RewriteRule ^$ /de/ [R=302,L]
F
found "an error has its line, and what follows is read" \
"conf-error - 1 E1,E2,E3
vary-costly Cookie 2 E1,E2,E3" <<'F'
Header append Vary Accept # a comment that is none
Header append Vary Cookie
F

found "a module's name has case and an ending: the section is never read" \
"conf-error - 1 E1,E2,E3
conf-error - 4 E1,E2,E3" <<'F'
<IfModule mod_Headers.c>
Header append Vary User-Agent
</IfModule>
<IfModule mod_headers>
Header append Vary User-Agent
</IfModule>
<IfModule LiteSpeed>
Header append Vary User-Agent
</IfModule>
<IfModule !LiteSpeed>
Header append Vary Accept
</IfModule>
F

# --- The same file for another server ------------------------------------
cat >"$site/.htaccess" <<'F'
<IfModule LiteSpeed>
Header append Vary Referer
</IfModule>
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteRule ^ - [E=MOBILE:1]
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteRule ^page mobile [L]
RewriteCond %{HTTP_ACCEPT} webp
RewriteRule ^img /webp [R=301,L]
<If "%{HTTP_HOST} == 'a' || %{HTTP_COOKIE} =~ /x/">
Header set X-A b
</If>
F
served_by() {
	run scan --server "$1" --format json "$site"
	is "$1: findings" "$(jq -r '.findings[] | "\(.rule) \(.member // "-") \(.line // "-")"' \
	    "$work/out")$err" "$2"
	is "$1: it is named, and has no eras" "$(jq -r '.server + " " +
	    ([.findings[].eras, .sources[].eras, .eras] | add | length | tostring)' "$work/out")" "$3 0"
}
served_by litespeed "vary-costly Referer 2
vary-missing User-Agent 7
vary-missing Accept 9
vary-missing Cookie 11" LiteSpeed
run scan --server litespeed "$site"
like "people are told whose reading it is" "$out" "RewriteCond, User-Agent: .*, LiteSpeed$"
served_by nginx "conf-unread - 1" nginx
run scan --server nginx --as htaccess --era E1 "$site"
is "eras are Apache's: exit 2" "$code" 2
run scan --server iis "$site"
is "no such server: exit 2" "$code" 2
run scan --server Apache --format json "$site"
is "Apache: it is named" "$(jq -r '.server + " " + (.eras | join(","))' "$work/out")" "Apache E1,E2,E3"

# --- The story, and exit codes ------------------------------------------
story='<If "%{HTTP_HOST} == '"'dev.example.org'"' \&\& %{HTTP_USER_AGENT} =~ /iPhone/">
Header set X-Dev 1
</If>'
printf '%s\n' "$story" | sed 's/\\&/\&/g' >"$site/.htaccess"
run scan "$site/.htaccess"
is "findings: exit 1" "$code" 1
like "file and line come first" "$out" "^$site/.htaccess:1: warning: .*\[vary-redundant\]$"
like "an upgrade is told of" "$out" "Host goes"
is "nothing on stderr" "$err" ""
run scan --fail-on error "$site/.htaccess"
is "below --fail-on: exit 0" "$code" 0
run scan --apache-version 2.4.6 --upgrade-to 2.4.62 --format json "$site/.htaccess"
is "from one release to another: Host goes" \
    "$(jq -r '.upgrade[] | "\(.from) \(.to) \(.member) \(.change)"' "$work/out")" \
    "E1 E3 Host goes"
is "the schema is named" "$(jq -r .schema "$work/out")" varykit.scan/1
run scan --era E3 "$site/.htaccess"
like "one era: User-Agent alone" "$out" "vary-leak"
is "and no Host" "$(printf '%s\n' "$out" | grep -c Host)" 0
run scan "$work/nowhere"
is "no such path: exit 2" "$code $out" "2 "
is "and the path is named" "$err" "varyprobe: $work/nowhere: No such file or directory"
run scan --strict --fail-on error "$site" "$work/nowhere"
is "--strict with one of two: exit 3" "$code" 3
for bad in "--apache-version 3.0" "--apache-version x" "--era E4" "--as x" \
    "--format x" "--fail-on x" "--upgrade-to 2.4.6" "--nonsense" "-D"; do
	# shellcheck disable=SC2086
	run scan $bad
	is "$bad: exit 2" "$code $out" "2 "
done
run scan
is "no path: exit 2" "$code" 2
run scan --format sarif "$site"
is "SARIF 2.1.0 that points at the line" "$(jq -r '.version + " " +
    (.runs[0].results[0].locations[0].physicalLocation |
    (.region.startLine | tostring) + " " + .artifactLocation.uri)' "$work/out")" \
    "2.1.0 1 file://$site/.htaccess"
if command -v python3 >/dev/null; then
	sarif() { SARIF_MEMBERS=1 python3 "$top_srcdir/tests/cli/sarif.py" "$@" 2>&1; }
	# Names that a URI has to write in another way, and lines that go on.
	odd="$work/odd tree/50%? #1/$(printf '\303\244')"
	mkdir -p "$odd/broken"
	cat >"$odd/.htaccess" <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_\
AGENT} iPhone \
    [NC]
RewriteRule ^page /other [L]
RewriteCond %{HTTP_REFERER} .
RewriteRule ^ - [E=r:1]
RewriteCond %{HTTP:X-Own} .
RewriteRule ^old /new [R=301]
<If "%{HTTP_COOKIE} =~ /x/">
Header append Vary Host
</If>
F
	printf '\357\273\277Header append Vary Cookie\n<If>\n</Files>' >"$odd/broken/.htaccess"
	run scan --format sarif "$odd"
	is "SARIF: as the standard says, each result at its line" "$(sarif "$work/out")" ""
	is "SARIF: with results of several rules" "$(jq '[.runs[0].results[].ruleId] |
	    unique | length >= 5' "$work/out")" true
	is "SARIF: no tab, no line end, no blank in a URI" "$(jq -r \
	    '.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri' \
	    "$work/out" | grep -c '[^!-~]')" 0
	cp "$work/out" "$work/sarif"
	for change in '.version = "2.0"' '.runs[0].results[0].line = 1' \
	    'del(.runs[0].results[0].message)' '.runs[0].results[0].ruleIndex = 7' \
	    '.runs[0].results[0].level = "fatal"' \
	    '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 99' \
	    '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri = "a b"'; do
		jq "$change" "$work/sarif" >"$work/changed"
		is "SARIF: said no to $change" "$([ -n "$(sarif "$work/changed")" ] &&
		    echo no)" no
	done
	(cd "$work" && "$VARYPROBE" scan --format sarif "odd tree" >"$work/out")
	is "SARIF: of a relative path, too" "$(sarif "$work/out" "$work")" ""
else
	skip "SARIF" "no python3"
fi
run scan -o "$work/result" --format json "$site"
is "-o: the result goes there" "$out$(jq -r .schema "$work/result")" varykit.scan/1

# --- Layouts -------------------------------------------------------------
deb=$work/etc/apache2
mkdir -p "$deb/mods-enabled" "$deb/sites-enabled" "$work/www/sub" "$work/www/off"
cat >"$deb/apache2.conf" <<CONF
PidFile \${APACHE_PID_FILE}
<Directory />
	AllowOverride None
	Require all denied
</Directory>
<Directory $work/www/>
	AllowOverride All
	Require all granted
</Directory>
<Directory $work/www/off>
	AllowOverride None
</Directory>
AccessFileName .htaccess
<FilesMatch "^\.ht">
	Require all denied
</FilesMatch>
IncludeOptional mods-enabled/*.load
IncludeOptional mods-enabled/*.conf
IncludeOptional sites-enabled/*.conf
CONF
echo 'export APACHE_PID_FILE=/var/run/apache2$SUFFIX.pid' >"$deb/envvars"
echo 'LoadModule deflate_module /m/mod_deflate.so' >"$deb/mods-enabled/deflate.load"
cat >"$deb/mods-enabled/deflate.conf" <<'CONF'
<IfModule mod_filter.c>
	AddOutputFilterByType DEFLATE text/html text/plain
</IfModule>
<IfModule mod_rewrite.c>
	Header append Vary User-Agent
</IfModule>
CONF
cat >"$deb/sites-enabled/000-default.conf" <<CONF
<VirtualHost *:80>
	DocumentRoot $work/www
</VirtualHost>
CONF
run scan "$deb"
is "Debian's layout is clean" "$code $(printf '%s\n' "$out" | tail -n 1)" \
    "0 4 files read: 0 errors, 0 warnings, 0 notes"
echo 'Header append Vary Cookie' >"$work/www/sub/.htaccess"
cp "$work/www/sub/.htaccess" "$work/www/off/.htaccess"
run scan --format json "$deb"
is ".htaccess under the document root counts where AllowOverride lets it" \
    "$(jq -r '.findings[].file' "$work/out")" "$work/www/sub/.htaccess"
rh=$work/rh
mkdir -p "$rh/conf" "$rh/conf.d"
printf 'ServerRoot "%s"\nInclude conf.d/*.conf\n' "$rh" >"$rh/conf/httpd.conf"
echo 'Header set Vary "*"' >"$rh/conf.d/x.conf"
run scan --format json "$rh"
is "Red Hat's layout is read" "$(jq -r '.findings[] | .rule + " " + .file' "$work/out")" \
    "vary-star $rh/conf.d/x.conf"
cat >"$work/nginx.conf" <<'CONF'
http {
    gzip on;
    map $http_user_agent $mobile { default 0; ~iPhone 1; }
    add_header Vary Accept-Encoding;
    server {
        location / { add_header X-A b; if ($mobile) { rewrite ^ /m last; } }
        location /x { if ($http_referer) { return 403; } }
    }
}
CONF
run scan --format json "$work/nginx.conf"
is "nginx: if by way of map, and an add_header that ends the inheritance" \
    "$(jq -r '.findings[] | "\(.rule) \(.member) \(.line)"' "$work/out")" \
"vary-missing null 6
vary-missing User-Agent 6"

# --- Options, in three places --------------------------------------------
run scan --help
is "--help: exit 0, nothing on stderr" "$code$err" 0
long() { grep -oE -e '--[a-z][a-z-]*[a-z]' | sort -u; }
printf '%s\n' "$out" | grep -E '^ +(-., )?--' |
    sed 's/^\( *\(-., \)\{0,1\}--[a-z-]*\).*/\1/' | long >"$work/help"
sed -n '/^OPTIONS OF SCAN/,/^EXIT STATUS/p' "$top_srcdir/probe/varyprobe.rst" |
    grep -E '^-' | long >"$work/manual"
is "--help and the manual list the same options" \
    "$(diff "$work/help" "$work/manual")" ""
is "they are a dozen or more" "$([ "$(wc -l <"$work/help")" -ge 12 ] && echo yes)" yes
while read -r o; do
	run scan "$o" x
	case $err in *"no option"*) is "$o is taken" "$err" "" ;; esac
done <"$work/help"

# --- The patch, served ---------------------------------------------------
mkdir -p "$work/htdocs"
cat >"$work/htdocs/.htaccess" <<'F'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone [NC]
RewriteCond %{HTTP_COOKIE} !never
RewriteRule ^ - [E=MOBILE:1]
Header set X-Mobile yes env=MOBILE
<If "%{HTTP_REFERER} =~ /ref/ || req('X-Requested-With') == 'XMLHttpRequest'">
Header set X-If yes
</If>
<If "tolower(%{HTTP:Accept-Language}) =~ /de/ && 'x%{HTTP_HOST}' != 'x'">
Header set X-German yes
</If>
SetEnvIfExpr "-n http('X-Forwarded-For')" FWD
Header set X-Fwd yes env=FWD
F
sed 's/$/\r/' "$work/htdocs/.htaccess" >"$work/crlf"
run scan --era E3 --patch "$work/htdocs"
cp "$work/out" "$work/diff"
like "cautions are on stderr" "$err" "note: .*safe only if"
cp "$work/htdocs/.htaccess" "$work/before"
if command -v patch >/dev/null; then
	is "patch takes it" "$(cd / && patch -s -p1 <"$work/diff" 2>&1)" ""
	is "only lines with a reference changed" \
	    "$(diff "$work/before" "$work/htdocs/.htaccess" | grep -c '^>')" 5
	run scan --era E3 --format json "$work/htdocs"
	is "the patched file has no leak" \
	    "$(jq '[.findings[] | select(.rule == "vary-leak")] | length' "$work/out")" 0
	mkdir -p "$work/crlf.d"
	cp "$work/crlf" "$work/crlf.d/.htaccess"
	run scan --era E3 --patch "$work/crlf.d"
	(cd / && patch -s --binary -p1 <"$work/out") >"$work/log" 2>&1
	is "lines that end in CRLF stay so" \
	    "$(grep -c "$(printf '\r')$" "$work/crlf.d/.htaccess") $(grep -c NV "$work/crlf.d/.htaccess")" \
	    "13 2"
	if [ -n "$APACHE" ] && command -v curl >/dev/null &&
	    start_apache </dev/null; then
		echo hello >"$work/htdocs/index.html"
		mkdir "$work/htdocs/old"
		cp "$work/htdocs/index.html" "$work/htdocs/old"
		mv "$work/htdocs/.htaccess" "$work/after"
		ask() {
			curl -s -D - -o /dev/null "http://127.0.0.1:$port/" "$@" |
			    tr -d '\r' | grep -iE '^(HTTP|Vary|X-)' | sort
		}
		n=0
		for args in "-A iPhone" "-A x -e http://ref.example/" \
		    "-H Accept-Language:de" "-H X-Forwarded-For:1" \
		    "-A iPhone -H Cookie:a -H X-Requested-With:XMLHttpRequest"; do
			cp "$work/before" "$work/htdocs/.htaccess"
			# shellcheck disable=SC2086
			old=$(ask $args)
			cp "$work/after" "$work/htdocs/.htaccess"
			# shellcheck disable=SC2086
			new=$(ask $args)
			n=$((n + 1))
			like "request $n: leaked before" "$old" '^Vary: .'
			is "request $n: the patched file gives the same without Vary" \
			    "$new" "$(printf '%s\n' "$old" | grep -v '^Vary:')"
		done
	else
		tap_n=$((tap_n + 1))
		echo "ok $tap_n # SKIP no Apache httpd (Debian: apache2-bin) or curl"
	fi
else
	tap_n=$((tap_n + 1))
	echo "ok $tap_n # SKIP no patch(1)"
fi
done_testing
