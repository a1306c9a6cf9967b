#!/bin/sh
# How fast scan reads: 60 MB of mixed configuration, CPU seconds of one process;
# and COUNT random combinations against a real httpd, from SEED.
# usage: tests/bench/scan.sh BUILDDIR [COUNT [SEED]]
set -eu
build=$1
count=${2:-2000}
seed=${3:-1}
work=$(mktemp -d "${TMPDIR:-/tmp}/scan-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
awk 'BEGIN {
	for (i = 0; n < 60000000; i++) {
		s = sprintf("<IfModule mod_rewrite.c>\nRewriteEngine On\n" \
		    "RewriteCond %%{REQUEST_FILENAME} !-f\n" \
		    "RewriteRule ^old/%d$ /new/%d [R=301,L]\n</IfModule>\n" \
		    "    # as of release %d\n    AddType text/x-%d .k%d\n" \
		    "Header set X-Thing-%d \"value\"\n", i, i, i, i, i, i)
		printf "%s", s
		n += length(s)
	}
}' >"$work/httpd.conf"
ls -l "$work/httpd.conf"
time "$build/varyprobe" scan "$work/httpd.conf"
SCAN_HTTPD_COUNT=$count SCAN_HTTPD_SEED=$seed "$build/tests/unit/scan_httpd.t"
