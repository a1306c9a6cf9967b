#!/bin/sh
# The packages in a fresh Debian: chroot.sh FOLDER-OF-DEBS [SUITE [MIRROR]]
# Installs varykit alone as "apt install ./varykit_*.deb" does, loads the module,
# reads the manuals, purges, and compares what is left with what was there.  Root
# only; downloads about 150 MB and takes minutes.
set -eu
debs=$(cd "$1" && pwd)
# shellcheck source=/dev/null
suite=${2-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${3-$(sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) [^ ]* main.*/\2/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1)}
[ -n "$mirror" ] || mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[ "$(id -u)" -eq 0 ] || { echo "check-deb: needs root" >&2; exit 77; }
for cmd in debootstrap lintian; do
	command -v $cmd >/dev/null || { echo "check-deb: $cmd is missing" >&2; exit 77; }
done
root=$(mktemp -d "${TMPDIR-/tmp}/varykit-chroot.XXXXXX")
cleanup() {
	for m in proc dev; do
		mountpoint -q "$root/$m" && umount "$root/$m"
	done
	mountpoint -q "$root/proc" || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
say() { echo "check-deb: $*"; }
die() { say "FAILED: $*" >&2; exit 1; }
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
	DEBIAN_FRONTEND=noninteractive "$@"; }

say "lintian"
lintian --fail-on error,warning "$debs"/*.changes || die "lintian"

say "a fresh $suite"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$debs/debootstrap.log" 2>&1 ||
	die "debootstrap; see $debs/debootstrap.log"
# The servers in it run without rights.
chmod 755 "$root"
mount -t proc proc "$root/proc"
cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || :
cp -R /etc/apt/sources.list.d /etc/apt/trusted.gpg.d /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || :
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || :
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
in_root apt-get -qq update || die "apt-get update"
in_root apt-get -qq -y --no-install-recommends install man-db varnish >"$debs/apt.log" 2>&1 ||
	die "installing varnish; see $debs/apt.log"
# All but what apt and dpkg write for themselves.
everything() {
	(cd "$root" && find etc usr var opt srv home root -xdev \
		! -path 'var/lib/dpkg/*' ! -path 'var/lib/apt/*' ! -path 'var/cache/*' \
		! -path 'var/log/*' ! -name ld.so.cache ! -path '*/__pycache__*' | sort)
}
everything >"$debs/before"
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs/"
version=$(dpkg-deb -f "$(ls "$debs"/varykit_*.deb)" Version)

say "apt install ./varykit_*.deb"
in_root sh -c 'cd /debs && apt-get -y --no-install-recommends install ./varykit_*.deb' \
	>>"$debs/apt.log" 2>&1 || die "install; see $debs/apt.log"
for p in varyprobe varylive diskbench; do
	in_root $p --version | grep -q varykit || die "$p --version"
	in_root man -w $p >/dev/null || die "man $p"
	in_root sh -c "COLUMNS=80 man $p | cat" | grep -qi "$p" || die "man $p prints nothing"
done
in_root man -w vmod_vary >/dev/null || die "man vmod_vary"
printf 'vcl 4.1;\nimport vary;\nbackend default none;\nsub vcl_init { new site = vary.policy(); }\n' >"$root/debs/a.vcl"
in_root varnishd -C -f /debs/a.vcl -n /tmp/n >"$debs/varnishd.log" 2>&1 ||
	die "the module does not load; see $debs/varnishd.log"
printf 'vcl 4.1;\nbackend default none;\ninclude "vary.vcl";\n' >"$root/debs/b.vcl"
in_root varnishd -C -f /debs/b.vcl -n /tmp/n >"$debs/varnishd.log" 2>&1 ||
	die "vary.vcl is not found; see $debs/varnishd.log"
rm -rf "$root/tmp/n"
say "varykit $version is installed, its module loads, its manuals show"

say "the parts take its place, and it takes theirs"
in_root sh -c 'cd /debs && apt-get -y --no-install-recommends install ./varykit-vmod_*.deb ./varykit-tools_*.deb ./varykit-doc_*.deb' \
	>>"$debs/apt.log" 2>&1 || die "the parts; see $debs/apt.log"
in_root varylive --version >/dev/null && in_root diskbench --version >/dev/null || die "the parts' programs"
in_root dpkg-query -W -f '${Status}' varykit 2>/dev/null | grep -q 'install ok' && die "varykit is still there"
in_root sh -c 'cd /debs && apt-get -y --no-install-recommends install ./varykit_*.deb' \
	>>"$debs/apt.log" 2>&1 || die "back to the whole; see $debs/apt.log"

say "apt purge"
in_root apt-get -y purge varykit varykit-vmod varykit-tools varykit-doc >>"$debs/apt.log" 2>&1 || die "purge"
in_root apt-get -y autoremove --purge >>"$debs/apt.log" 2>&1 || die "autoremove"
everything >"$debs/after"
diff "$debs/before" "$debs/after" >"$debs/left" || {
	cat "$debs/left" >&2
	die "purge left something behind, or took something along"
}
say "nothing is left; all steps succeeded"
