# Apache and varnishd for the demonstration: as a user without rights, on ports of
# 127.0.0.1 that were free, in $tmp.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

# Sets $tmp: a folder of the user that the servers run as.
as=()
servers_folder() {
	PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/varykit.XXXXXX") || die "cannot make a temporary folder"
	chmod 755 "$tmp"
	if [ "$(id -u)" -eq 0 ]; then
		as=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
		chown nobody:nogroup "$tmp" && "${as[@]}" true ||
			die "cannot become the user nobody with setpriv"
	fi
}

# A port that nobody answers on; whoever takes it has to cope if another was faster.
port_free() {
	local port

	while :; do
		port=$((20000 + RANDOM % 20000))
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	done
	printf '%s\n' "$port"
}

# apache_start [PORT]: sets $apache_port and $apache_pid.
apache_start() {
	local try i

	for ((try = 0; try < 5; try++)); do
		apache_port=${1:-$(port_free)}
		: >"$tmp/apache.out"
		"${as[@]}" apache2 -D FOREGROUND -C "Define VK_PORT $apache_port" \
			-C "Define VK_RUN $tmp" -C "Define VK_MODULES $(apache_modules)" \
			-f "$tmp/apache.conf" >>"$tmp/apache.out" 2>&1 </dev/null &
		apache_pid=$!
		pids+=("$apache_pid")
		for ((i = 0; i < 100; i++)); do
			if curl -s -o /dev/null "http://127.0.0.1:$apache_port/"; then
				# It is ours only if ours is alive: another may have the port.
				kill -0 "$apache_pid" 2>/dev/null && return 0
			fi
			kill -0 "$apache_pid" 2>/dev/null || break
			sleep 0.1
		done
		apache_stop
		grep -q 'Address already in use' "$tmp/apache.out" || break
	done
	cat "$tmp/apache.log" >>"$tmp/apache.out" 2>/dev/null
	die_log "$tmp/apache.out" "Apache did not start"
}

apache_stop() {
	stop_pid "$apache_pid"
	forget_pid "$apache_pid"
}

apache_modules() {
	printf '%s\n' /usr/lib/apache2/modules
}

# VARNISHD names another than the one on PATH, as the tests do: they have a
# script of their own there, which a user without rights may not be able to read.
# varnishd_start NAME VCL: one more varnishd, known by NAME from then on.
# It chooses its port itself; its own command line tells which.
declare -A varnish_port varnish_pid
varnish_memory=64M
varnish_options=()
varnishd_start() {
	local dir=$tmp/$1 i

	"${as[@]}" mkdir "$dir" || die "cannot make $dir"
	"${as[@]}" "${VARNISHD:-varnishd}" -F -j none -n "$dir" -a 127.0.0.1:0 -T 127.0.0.1:0 -f "$2" \
		-p vcl_path="$tmp/vcl" -p vmod_path="$tmp/vmod" -p vsl_space=8M \
		-p thread_pools=1 -p thread_pool_min=20 -s "malloc,$varnish_memory" "${varnish_options[@]}" \
		>"$dir.out" 2>&1 </dev/null &
	varnish_pid[$1]=$!
	pids+=("$!")
	for ((i = 0; i < 300; i++)); do
		varnish_port[$1]=$(varnishadm -n "$dir" debug.listen_address 2>/dev/null |
		    awk '$2 ~ /^127/ { print $3; exit }')
		[ -n "${varnish_port[$1]}" ] &&
			varnishadm -n "$dir" status 2>/dev/null | grep -q running &&
			return 0
		kill -0 "${varnish_pid[$1]}" 2>/dev/null || break
		sleep 0.1
	done
	die_log "$dir.out" "varnishd ($1) did not start"
}

varnishd_stop() {
	stop_pid "${varnish_pid[$1]}"
	forget_pid "${varnish_pid[$1]}"
	rm -rf "${tmp:?}/$1"
}

# varnishd_counters NAME COUNTER...: their values, on one line, in that order.
varnishd_counters() {
	local c args=()

	for c in "${@:2}"; do args+=(-f "$c"); done
	varnishstat -n "$tmp/$1" -1 "${args[@]}" | awk -v want="${*:2}" '
		{ value[$1] = $2 }
		END {
			n = split(want, name, " ")
			for (i = 1; i <= n; i++)
				printf "%s%d", (i > 1 ? " " : ""), value[name[i]]
			print ""
		}'
}
