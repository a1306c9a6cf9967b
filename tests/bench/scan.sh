#!/bin/sh
# How fast scan reads: 60 MB of mixed configuration, and a tree of 10,000 .htaccess
# files made of tests/data/served.txt: CPU seconds of one process, and the most
# memory; and COUNT random combinations against a real httpd, from SEED.
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
python3 - "$build/varyprobe" "$work" "$(dirname "$0")/../data/served.txt" <<'PY'
import os
import re
import resource
import subprocess
import sys
import time

program, work, served = sys.argv[1:]
cases = re.split(r'(?m)^=== .*\n', re.sub(r'(?m)^=> .*\n', '', open(served).read()))
cases = [c for c in (c.split('[conf]\n')[0] for c in cases[1:]) if c]
for i in range(10000):
    os.makedirs(f'{work}/tree/{i // 100}/{i % 100}')
    with open(f'{work}/tree/{i // 100}/{i % 100}/.htaccess', 'w') as f:
        f.write(cases[i % len(cases)])
for what in 'httpd.conf', 'tree':
    mbs = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        t = time.monotonic()
        out = subprocess.run([program, 'scan', '--format', 'json', f'{work}/{what}'],
                             capture_output=True).stdout
        t = time.monotonic() - t
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        size = re.search(rb'"bytes": (\d+)', out)
        mbs.append((int(size[1]) / cpu / 1e6, cpu, t))
    best, cpu, t = max(mbs)
    print(f'{what}: {int(size[1])} bytes, {cpu:.2f} s of CPU ({t:.2f} s in all): '
          f'{best:.0f} MB/s; all five: {" ".join("%.0f" % m[0] for m in mbs)}; '
          f'memory of the largest so far {after.ru_maxrss // 1024} MiB')
PY
SCAN_HTTPD_COUNT=$count SCAN_HTTPD_SEED=$seed "$build/tests/unit/scan_httpd.t"
