#!/bin/sh
# A source package of a release for rpmbuild: rpm.sh TARBALL FOLDER
# What it builds from that is for a system that has RPM packages to build against.
set -eu
tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
dir=$(cd "$2" && pwd)
rpmbuild -ts --nodeps --define "_topdir $dir" --define "_srcrpmdir $dir" "$tarball"
