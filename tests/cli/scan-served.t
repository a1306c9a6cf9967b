#!/bin/sh
# What people have in .htaccess files and hosts, served by a real httpd: each
# member of Vary that is sent was predicted, what is certain is there, and the
# findings are those of the case, and no others; then what --patch makes of it is
# served.  See tests/data/served.txt.
# Thousands of small files: a disk takes its time with them.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
for tool in python3 patch; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
served() { python3 "$top_srcdir/tests/cli/scan-served.py" "$@"; }
data=$top_srcdir/tests/data/served.txt
mkdir -p "$work/htdocs"
served write "$data" "$work" || exit 99
chmod -R a+rX "$work"
{
	for m in access_compat authn_core authz_host authz_user auth_basic alias \
	    autoindex brotli expires include macro proxy proxy_http; do
		[ -e "$modules/mod_$m.so" ] &&
		    echo "LoadModule ${m}_module $modules/mod_$m.so"
	done
	cat <<-CONF
	MaxKeepAliveRequests 0
	KeepAliveTimeout 60
	<Directory "$work/htdocs">
	    Options All
	</Directory>
	<VirtualHost *>
	    ServerName localhost
	</VirtualHost>
	CONF
	cat "$work/cases.conf"
} >"$work/served.conf"
start_apache <"$work/served.conf" || {
	echo "Bail out! httpd does not start"
	exit 99
}
release=$("$APACHE" -v | sed -n 's,.*Apache/\([0-9.]*\).*,\1,p')
served ask "$data" "$work" "$port" "$VARYPROBE" "$release" >"$work/asked" \
    2>"$work/err"
is "every case is asked" "$(cut -f 1 "$work/asked")$(cat "$work/err")" \
    "$(sed -n 's/^=== //p' "$data")"
while IFS='	' read -r name wrong; do
	is "$name" "$wrong" ""
done <"$work/asked"
done_testing
