#!/bin/sh
# debian/changelog of a release: changelog.sh VERSION SOURCE-FOLDER
# The version is configure.ac's, the date that of the newest change.
set -eu
export LC_ALL=C
version=$1 srcdir=$2
if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
	epoch=$SOURCE_DATE_EPOCH
elif ! epoch=$(git -C "$srcdir" log -1 --format=%ct 2>/dev/null); then
	epoch=$(stat -c %Y "$srcdir/CHANGES.md" 2>/dev/null || stat -f %m "$srcdir/CHANGES.md")
fi
date=$(date -u -d "@$epoch" '+%a, %d %b %Y %H:%M:%S +0000' 2>/dev/null ||
	date -u -r "$epoch" '+%a, %d %b %Y %H:%M:%S +0000')
maintainer=$(sed -n 's/^Maintainer: //p' "$srcdir/debian/control")
cat <<END
varykit ($version) unstable; urgency=medium

  * Upstream's own packages; CHANGES.md says what changed.

 -- $maintainer  $date
END
