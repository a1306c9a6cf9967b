#!/bin/sh
# If-Range as real servers know it, and that each was asked both ways: what they
# wrote into their logs.  Apache and nginx, by ETag, by date, and compressed.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
. "$top_srcdir/tests/cli/lib-nginx.sh"
command -v jq >/dev/null || skip_all "no jq"
[ -n "$APACHE" ] || has_nginx || skip_all "no Apache httpd, and $no_nginx"

old="2026-12-01T10:00:00Z"
# logged KIND N: so many lines of this kind, or more
logged() {
	[ "$(grep -c "$1" "$work/if-range.log")" -ge "$2" ]
}
# asked DIRECTORY STATUSES KIND: no finding from a warning on, and what the log has
# of requests with If-Range; KIND is its pattern.
asked() {
	: >"$work/if-range.log"
	audit --format json "http://127.0.0.1:$port/$1/page.html"
	is "$server, $1: nothing is wrong" "$code $(jq -r '.targets[0] | .outcome,
	    (.findings[] | select(.level != "note") | .rule)' "$work/out" | paste -sd' ' -)$err" "0 judged"
	# The log's line may come after the answer.
	await logged "$3" "$(echo "$2" | wc -w)"
	is "$server, $1: of what is there a part, of what is not all of it" \
	    "$(sed -n "/$3/s/.*=//p" "$work/if-range.log" | sort | paste -sd' ' -)" "$2"
}
for d in tagged dated packed; do
	mkdir -p "$work/htdocs/$d"
	write_page "$work/htdocs/$d/page.html"
	touch -d "$old" "$work/htdocs/$d/page.html"
done

server=Apache
if [ -n "$APACHE" ] && start_apache <<-CONF; then
	<IfModule !log_config_module>
	    LoadModule log_config_module $modules/mod_log_config.so
	</IfModule>
	LogFormat "%{If-Range}i=%>s" ranges
	CustomLog "$work/if-range.log" ranges
	<Location /dated>
	    FileETag None
	</Location>
	<Location /packed>
	    SetOutputFilter DEFLATE
	</Location>
CONF
	asked tagged "200 206" '^\\*"'
	asked dated "200 206" ' GMT='
	asked packed "200 206" '^\\*"'
else
	skip "Apache" "no Apache httpd (Debian: apache2-bin)"
fi

server=nginx
port=$(free_port)
nginx_conf <<CONF
	log_format ranges escape=none '\$http_if_range=\$status';
	types { text/html html; }
	server {
		listen 127.0.0.1:$port;
		access_log $work/if-range.log ranges;
		root $work/htdocs;
		location /dated { etag off; }
		location /packed { gzip on; gzip_vary on; }
	}
CONF
if has_nginx && start_nginx "$port"; then
	asked tagged "200 206" '^"'
	asked dated "200 206" ' GMT='
	# It sends no parts of what it compresses.
	asked packed "" '^[^=]'
else
	skip "nginx" "$no_nginx"
fi
done_testing
