#!/bin/sh
# Debian packages of a release: deb.sh TARBALL VERSION FOLDER
# Source and binary packages are in FOLDER afterwards.
set -eu
umask 022
tarball=$1 version=$2 dir=$3
for cmd in dpkg-buildpackage dh; do
	command -v $cmd >/dev/null || {
		echo "deb: $cmd is missing: apt-get install dpkg-dev debhelper" >&2
		exit 1
	}
done
rm -rf "$dir"
mkdir -p "$dir"
tar -xzf "$tarball" -C "$dir"
cd "$dir/varykit-$version"
# Not make's own jobs and variables: the package's build is another.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS-}" \
	dpkg-buildpackage -us -uc >../build.log 2>&1 || {
	tail -n 40 ../build.log >&2
	echo "deb: failed; $dir/build.log has the rest" >&2
	exit 1
}
cd ..
rm -rf "varykit-$version"
ls ./*.deb
