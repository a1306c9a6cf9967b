#!/bin/sh
# What httpd refuses, and what looks like it and is fine: a real httpd answers 500
# or does not start just where scan has an error.  See tests/data/refused.txt.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
command -v python3 >/dev/null || skip_all "no python3"
refused() { python3 "$top_srcdir/tests/cli/scan-refused.py" "$@"; }
data=$top_srcdir/tests/data/refused.txt
refused write "$data" "$work" || exit 99
chmod -R a+rX "$work"
for m in authn_core authz_host alias proxy proxy_http version; do
	[ ! -e "$modules/mod_$m.so" ] ||
	    echo "LoadModule ${m}_module $modules/mod_$m.so"
done >"$work/more.conf"
start_apache <"$work/more.conf" || {
	echo "Bail out! httpd does not start"
	exit 99
}
cp "$work/apache.conf" "$work/base.conf"
release=$("$APACHE" -v | sed -n 's,.*Apache/\([0-9.]*\).*,\1,p')
refused ask "$data" "$work" "$port" "$VARYPROBE" "$release" "$APACHE" \
    >"$work/asked" 2>"$work/err"
is "every case is asked" "$(grep -c . "$work/asked")$(cat "$work/err")" \
    "$(grep -c '^[a-z0-9]*	' "$data")"
while IFS='	' read -r name wrong; do
	is "$name" "$wrong" ""
done <"$work/asked"

# --- What is for the server alone ------------------------------------------
# Every module says what it knows, and where: a name that one of them takes in
# .htaccess is refused by none of these.
{
	echo "ServerRoot $work"
	echo "ErrorLog $work/all.log"
	for m in watchdog proxy dav cache session dbd ldap slotmem_shm "$modules"/mod_*.so; do
		m=${m##*/mod_}
		m=${m%.so}
		case $m in mpm_prefork | mpm_worker) continue ;; esac
		[ ! -e "$modules/mod_$m.so" ] || printf '<IfModule !%s_module>\n%s\n</IfModule>\n' \
		    "$m" "LoadModule ${m}_module $modules/mod_$m.so"
	done
} >"$work/all.conf"
"$APACHE" -L -f "$work/all.conf" >"$work/known" 2>"$work/err"
awk '/^[^\t]/ { name = $1 }
	name ~ /^</ { next }
	/Allowed in/ { if (/htaccess/) may[name] = 1; else not[name] = 1 }
	END { for (n in not) if (!(n in may)) print n }' "$work/known" | sort >"$work/server"
like "httpd lists hundreds of them" "$(wc -l <"$work/server")" "^ *[2-9][0-9][0-9]"
mkdir "$work/site"
cat "$work/server" >"$work/site/.htaccess"
run scan --format json "$work/site"
sed -n 's/.*"message": "\(.*\) is not allowed here".*/\1/p' "$work/out" |
    sort -f >"$work/said"
is "each is refused in .htaccess, by its name" \
    "$(sort -f "$work/server" | grep -vxiFf "$work/said")" ""
awk '/^[^\t]/ { name = $1 } name !~ /^</ && /Allowed in.*htaccess/ { print name }' \
    "$work/known" | sort -u >"$work/site/.htaccess"
run scan --format json "$work/site"
is "and of the others, none" "$(grep 'not allowed here' "$work/out")" ""

# --- What the finding says -------------------------------------------------
printf 'RewriteEngine On\nRewriteRule *.html x [L]\n' >"$work/site/.htaccess"
run scan "$work/site"
like "the pattern, where it fails and why" "$out" \
    '"\*\.html" is refused, at byte 1: quantifier does not follow a repeatable item'
like "file and line" "$out" "site/.htaccess:2"
like "a shell's pattern is told from a regular expression" "$out" 'write "\.\*" for any'
run scan --server litespeed "$work/site"
is "LiteSpeed reads on" "$out" "$(printf '%s' "$out" | grep -v refused)"
# PCRE 1 took an unknown escape for the letter.
printf 'RewriteRule \\y x\n' >"$work/site/.htaccess"
run scan --apache-version 2.4.41 "$work/site"
is "what only PCRE 2 refuses is none of an older httpd" "$code" 0
run scan --apache-version 2.4.62 "$work/site"
is "and an error in a newer one" "$code" 1
printf 'RewriteRule (a x\n' >"$work/site/.htaccess"
run scan --apache-version 2.4.6 "$work/site"
is "what both refuse is an error in all" "$code" 1
done_testing
