# A real Apache httpd in $work, on a free port of the loopback interface, with
# no privileges and no configuration but this.
# shellcheck shell=sh disable=SC2154
APACHE=
for a in /usr/sbin/apache2 /usr/sbin/httpd; do
	[ -x "$a" ] && APACHE=$a && break
done
for m in /usr/lib/apache2/modules /usr/lib64/httpd/modules; do
	[ -d "$m" ] && modules=$m && break
done
# start_apache: configuration on stdin goes behind the common part
start_apache() {
	mkdir -p "$work/htdocs"
	cat >"$work/extra.conf"
	for try in 1 2 3; do
		port=$(free_port)
		{
			for m in mpm_event authz_core dir mime rewrite headers \
			    deflate filter negotiation env setenvif; do
				[ -e "$modules/mod_$m.so" ] && echo \
				    "LoadModule ${m}_module $modules/mod_$m.so"
			done
			cat <<-CONF
			ServerRoot "$work"
			ServerName localhost
			Listen 127.0.0.1:$port
			PidFile "$work/apache.pid"
			ErrorLog "$work/apache.log"
			DocumentRoot "$work/htdocs"
			TypesConfig /etc/mime.types
			DirectoryIndex index.html
			<Directory "$work/htdocs">
			    Require all granted
			    AllowOverride All
			</Directory>
			Include "$work/extra.conf"
			CONF
			# A server that root starts must not stay root.
			[ "$(id -u)" != 0 ] || printf 'User nobody\nGroup nogroup\n'
		} >"$work/apache.conf"
		chmod 755 "$work"
		"$APACHE" -f "$work/apache.conf" -DFOREGROUND \
		    >>"$work/apache.log" 2>&1 &
		pid=$!
		if wait_port "$port" $pid; then
			pids="$pids $pid"
			return 0
		fi
		kill $pid 2>/dev/null
		wait $pid 2>/dev/null
	done
	sed 's/^/# /' "$work/apache.log"
	return 1
}
