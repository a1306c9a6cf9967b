# A real nginx in $work, with a configuration of its own; to be read after
# lib-probe.sh.
# shellcheck shell=sh disable=SC2154
PATH=$PATH:/usr/sbin
has_nginx() { command -v nginx >/dev/null; }
no_nginx="no nginx (Debian: nginx-light)"
# nginx_conf: what stands on stdin, in http {}
nginx_conf() {
	# What root starts does not stay root, and wants to get here.
	chmod 755 "$work"
	{
		cat <<-CONF
		worker_processes 1;
		daemon off;
		pid $work/nginx.pid;
		error_log $work/error.log;
		events { worker_connections 1024; }
		http {
		    access_log off;
		    client_body_temp_path $work/a; proxy_temp_path $work/b;
		    fastcgi_temp_path $work/c; uwsgi_temp_path $work/d; scgi_temp_path $work/e;
		CONF
		cat
		echo "}"
	} >"$work/nginx.conf"
}
# certificate NAME FILE: of a host or a client, $work/FILE.pem and FILE.key
certificate() {
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1" \
	    -addext "subjectAltName=DNS:$1" -keyout "$work/$2.key" \
	    -out "$work/$2.pem" 2>/dev/null
}
# start_nginx PORT: where it listens, among others
start_nginx() {
	nginx -p "$work" -c "$work/nginx.conf" 2>>"$work/error.log" &
	pids="$pids $!"
	wait_port "$1" $! && return
	sed 's/^/# /' "$work/error.log"
	return 1
}
# write_page FILE: a page like any other
write_page() {
	i=0
	while [ $i -lt 121 ]; do
		echo "<p>Paragraph $i of a page like any other.</p>"
		i=$((i + 1))
	done >"$1"
}
