#!/bin/sh
# Make configure and the Makefile.in files.  Needs autoconf, automake, libtool
# and pkg-config; a release tarball needs none of them.
set -e
cd "$(dirname "$0")"
mkdir -p m4 build-aux
for tool in autoreconf automake libtoolize pkg-config; do
	command -v "$tool" >/dev/null 2>&1 || {
		echo "autogen.sh: $tool is missing; ./quickstart deps installs it" >&2
		exit 1
	}
done
exec autoreconf --install --force --warnings=all,no-obsolete
