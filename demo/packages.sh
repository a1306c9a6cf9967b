# Which Debian packages varykit needs, for what, and what they are called where.
# Sourced by quickstart.
# shellcheck shell=bash
#
# One package a line: what it is for, then its name on Debian 12, Debian 13 and
# Ubuntu 24.04; one name alone is the name everywhere, "-" is nowhere (Chromium is
# a snap in Ubuntu, and needs snapd running).  apache2-bin rather than
# apache2, nginx-light rather than nginx: the program without the site.
packages_table() {
	sed -e 's/#.*//' <<'EOF'
build	autoconf
build	automake
build	libtool
build	pkgconf
build	gcc
build	libc6-dev
build	make
build	python3
build	python3-docutils
build	libvarnishapi-dev
build	libcurl4-openssl-dev
build	libapr1-dev
build	libaprutil1-dev
build	libjansson-dev
build	zlib1g-dev
build	libbrotli-dev
build	libzstd-dev
build	libxml2-dev
build	libpcre2-dev
build	liburing-dev
build	libaio-dev
build	libblkid-dev
run	apache2-bin
run	varnish
run	curl
run	gnuplot-nox
shell	jq
shell	parallel
check	libcmocka-dev
check	libmicrohttpd-dev
check	nginx-light
check	wrk
check	fio
check	jq
check	openssl
check	xz-utils
check	shellcheck
check	patch
check	augeas-tools
check	perl
check	zstd
check	python3-jsonschema
check	libxml2-utils
check	parallel
check	chromium	chromium	-
check	poppler-utils
check	e2fsprogs
check	xfsprogs
check	btrfs-progs
check	valgrind
check	binutils
check	dpkg-dev
check	zsh
check	rpm
check	rpmlint
check	systemd
check	prometheus
check	ansible-core
EOF
}

# Prints debian-12, debian-13 or ubuntu-24.04; nothing for what we do not know.
packages_system() {
	local ID='' VERSION_ID=''

	# shellcheck source=/dev/null
	[ -r /etc/os-release ] && . /etc/os-release
	case $ID-$VERSION_ID in
	debian-12 | debian-13 | ubuntu-24.04) printf '%s\n' "$ID-$VERSION_ID" ;;
	esac
}

# The names of the packages for these purposes (build, run, shell, check) on this system.
# Node.js often comes from elsewhere, under other names: one that is there is used.
packages_for() {
	case " $* " in
	*" check "*)
		command -v node >/dev/null 2>&1 || echo nodejs
		command -v npm >/dev/null 2>&1 || echo npm
		;;
	esac
	packages_table | awk -v sys="$(packages_system)" -v want=" $* " '
		NF && index(want, " " $1 " ") {
			col = sys == "debian-13" ? 3 : sys == "ubuntu-24.04" ? 4 : 2
			name = NF >= col ? $col : $2
			if (name != "-")
				print name
		}'
}

# Of the names on stdin, those that dpkg does not have installed.
packages_missing() {
	local p

	while read -r p; do
		case $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) in
		installed*) ;;
		*) printf '%s\n' "$p" ;;
		esac
	done
}
