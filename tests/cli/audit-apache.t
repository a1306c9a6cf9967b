#!/bin/sh
# The story: a real Apache whose .htaccess tests Host and User-Agent.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
command -v jq >/dev/null || skip_all "no jq"

# Text of some kilobytes, so that mod_deflate has something to do.
mkdir -p "$work/htdocs"
{
	echo '<!DOCTYPE html><html><head><title>A page</title></head><body>'
	i=0
	while [ $i -lt 120 ]; do
		echo "<p>This is paragraph $i of a page for everybody.</p>"
		i=$((i + 1))
	done
	echo '</body></html>'
} >"$work/htdocs/page.html"
cp "$work/htdocs/page.html" "$work/htdocs/index.html"
echo body >"$work/htdocs/mobile.css"

start_apache <<'CONF' || skip_all "Apache does not start"
AddOutputFilterByType DEFLATE text/html
CONF
url=http://127.0.0.1:$port/page.html

audit --format json "$url"
is "without .htaccess: exit 0" "$code" 0
is "without .htaccess: nothing on stderr" "$err" ""
is "without .htaccess: no finding from a warning on" \
    "$(jq '[.targets[].findings[] | select(.level != "note")] | length' "$work/out")" 0
is "without .htaccess: Accept-Encoding is declared and has its effect" \
    "$(jq -r '.targets[0].members[] | select(.name == "accept-encoding") |
	.declared + " " + .effect' "$work/out")" "yes headers"
is "the schema is named" "$(jq -r .schema "$work/out")" varykit.audit/1

# The two tests of the story.  Apache before 2.4.29 would add Host for the
# first one by itself; the line that does it here in its place is marked.
cat >"$work/htdocs/.htaccess" <<'CONF'
<If "%{HTTP_HOST} == 'dev.example.org'">
    Header set X-Robots-Tag noindex
</If>
# As httpd 2.4.6 did by itself:
Header merge Vary Host
RewriteEngine On
RewriteCond %{HTTP_HOST} !^dev\.
RewriteCond %{HTTP_USER_AGENT} .
RewriteRule ^page\.html$ - [E=seen:1]
CONF
audit --format json "$url"
is "with .htaccess: exit 1" "$code" 1
is "with .htaccess: User-Agent leaks" \
    "$(jq -r '.targets[0].findings[] | select(.rule == "vary-leak") |
	.member + " " + .level' "$work/out")" "user-agent warning"
is "with .htaccess: Host is redundant" \
    "$(jq -r '.targets[0].findings[] | select(.rule == "vary-redundant") |
	.member' "$work/out")" "host"
is "with .htaccess: that is all" "$(rules)" "vary-leak user-agent
vary-redundant host"
is "the values that were tried are listed" \
    "$(jq '.targets[0].members[] | select(.name == "user-agent") |
	.tried | length' "$work/out")" 5
like "never 'no effect', always 'with the values tried'" \
    "$(jq -r '.targets[0].findings[0].message' "$work/out")" \
    'no effect was observed with the 5 values tried'

audit "$url"
is "the same for people: exit 1" "$code" 1
like "the same for people: the finding" "$out" \
    'warning vary-leak user-agent'
like "the same for people: the fix" "$out" 'site.strip\("User-Agent"\)'
like "the same for people: no colour in a file" "$out" '^  warning'

audit --format json --config "$work/htdocs/.htaccess" \
    --apache-version 2.4.71 "$url"
is "--config names the line of each cause" \
    "$(jq -r '.targets[0].findings[] | .member + " " + (.cause.line | tostring) + " " + .cause.directive' \
	"$work/out")" "user-agent 8 RewriteCond
host 5 Header"

is "with --config no cause is guessed" \
    "$(jq -c '[.targets[0].findings[].likely_cause] | unique' "$work/out")" "[null]"

# Lines that somebody would suspect, and what the answers say about each.
cp "$work/htdocs/.htaccess" "$work/story"
cat >"$work/htdocs/.htaccess" <<'CONF'
RewriteEngine On
RewriteCond %{HTTP_COOKIE} session
RewriteRule ^other\.html$ - [E=seen:1]
RewriteCond %{HTTP_USER_AGENT} .
RewriteRule ^page\.html$ - [E=seen:1]
Header append Vary User-Agent
Header append Vary X-Two
<If "%{HTTP:X-Two} == '1'">
    Header set X-Lang de
</If>
RewriteCond %{HTTP:X-Own} .
RewriteRule ^other\.html$ - [E=seen:2]
CONF
audit --format json --config "$work/htdocs/.htaccess" \
    --apache-version 2.4.71 "$url"
is "the cause is the line that explains all answers" \
    "$(jq -r '.targets[0].findings[] | select(.level != "note") |
	.member + " " + (.cause.line | tostring)' "$work/out")" "user-agent 6"
is "the others are said to be innocent, and why" \
    "$(jq -r '.targets[0].innocent[] | "\(.line) \(.member) \(.why)"' "$work/out")" \
    "2 Cookie not-named
4 User-Agent named-without-it
7 X-Two rightly-named
8 X-Two rightly-named
11 X-Own not-named"
is "a header that only the configuration knows was tried" \
    "$(jq -r '.targets[0].members[] | select(.name == "x-own") |
	.effect + " " + (.tried | length | tostring)' "$work/out")" "none-observed 2"
audit --config "$work/htdocs/.htaccess" --apache-version 2.4.71 "$url"
like "people are told of them, too" "$out" 'htaccess:2: RewriteCond'
like "people are told why" "$out" 'no answer of this URL named Cookie, with'
audit --axes user-agent --format json --config "$work/htdocs/.htaccess" "$url"
is "--axes: what is neither in it nor named is not tried, and no innocent" \
    "$(jq -r '[.targets[0].innocent[].member] | unique | join(" ")' "$work/out")" \
    "User-Agent X-Two"
mv "$work/story" "$work/htdocs/.htaccess"

# Without the configuration: what is likely.
audit --format json "$url"
likely() {
	jq -r --arg m "$1" '.targets[0].findings[] | select(.member == $m) |
	    .likely_cause' "$work/out"
}
like "only some answers name it: a RewriteCond is likely" "$(likely user-agent)" \
    '^a RewriteCond on %\{HTTP_USER_AGENT\} .*\(by Server: Apache'
like "Host, from an Apache of today: no condition of its own" "$(likely host)" \
    '^a Header directive, the application or a backend'
is "and no cause is claimed" \
    "$(jq -c '[.targets[0].findings[].cause] | unique' "$work/out")" "[null]"
is "nor anybody's innocence" "$(jq '.targets[0] | has("innocent")' "$work/out")" false

audit --fail-on error "$url"
is "--fail-on error: a warning is none" "$code" 0

# Different pages for phones, which only phones are told: poisoning.
cat >"$work/htdocs/.htaccess" <<'CONF'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone
RewriteRule ^page\.html$ mobile.html [L]
CONF
sed s/everybody/phones/ "$work/htdocs/page.html" >"$work/htdocs/mobile.html"
audit --format json "$url"
is "only some responses name User-Agent: exit 1" "$code" 1
is "only some responses name User-Agent: inconsistent, an error" \
    "$(jq -r '.targets[0].findings[0] | .rule + " " + .member + " " + .level' \
	"$work/out")" "vary-inconsistent user-agent error"
like "the evidence shows the text" \
    "$(jq -r '.targets[0].findings[0].evidence | .a + " / " + .b' "$work/out")" \
    'everybody.* / .*phones'

# Declared nowhere: a RewriteCond with NV.
cat >"$work/htdocs/.htaccess" <<'CONF'
RewriteEngine On
RewriteCond %{HTTP_USER_AGENT} iPhone [NV]
RewriteRule ^page\.html$ mobile.html [L]
CONF
audit --format json "$url"
is "declared nowhere: missing" \
    "$(jq -r '.targets[0].findings[0] | .rule + " " + .member + " " + .level' \
	"$work/out")" "vary-missing user-agent error"
done_testing
