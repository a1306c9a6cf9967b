#!/bin/bash
# The demonstration of quickstart, with what this build made: it succeeds, its
# summary fits a screen, and nothing of it is left, also when it is stopped.
top=${top_srcdir:-.}
built=$(cd "${top_builddir:-.}" && pwd) || exit 99
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
skip() {
	echo "1..1"
	echo "ok 1 # SKIP $1"
	exit 0
}
for tool in apache2 varnishd varnishadm varnishstat curl setpriv; do
	command -v $tool >/dev/null 2>&1 || skip "$tool is not installed"
done
vmod=$built/vmod/.libs/libvmod_vary.so
[ -e "$vmod" ] || skip "the VMOD was not built"
if nm -D "$vmod" 2>/dev/null | grep -q __asan; then
	skip "the VMOD is built with ASan, and this varnishd is not"
fi
t=$(mktemp -d) || exit 99
chmod 755 "$t"
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$t"' EXIT
trap 'exit 1' INT TERM HUP
n=0
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		tail -n 60 "$t/out" "$t/err" | sed 's/^/# /'
	fi
}

# The parts of quickstart without those that install and build.
cat >"$t/demo" <<'EOF'
set -u
umask 022
export LC_ALL=C
top=$1
cd "$top" || exit 1
for part in say servers load run; do . "demo/$part.sh"; done
run_demo "$2"
EOF
start() { TMPDIR=$t exec bash "$t/demo" "$top" "$built" >"$t/out" 2>"$t/err" </dev/null; }
# No folder, no file, and no process whose command line names them.
gone() {
	! ls -d "$t"/varykit.* "$built/quickstart.bench" 2>/dev/null &&
		! grep -lsF "$t/varykit." /proc/[0-9]*/cmdline
}

echo 1..9
(start)
ok $? "all steps succeed"
awk 'f { n++ } /^$/ { n = 0; f = 1 } END { exit !(f && n > 10 && n <= 25) }' "$t/out"
ok $? "the summary has at most 25 lines"
grep -q 'vary-leak *user-agent' "$t/out" && grep -q 'vary-redundant *host' "$t/out"
ok $? "varyprobe found what the .htaccess does"
awk '$1 == "hit" { exit !($3 < 90 && $5 > 99) }' "$t/out"
ok $? "the VMOD wins the hits back"
grep -qE 'new to this browser.* 503 +200$' "$t/out"
ok $? "with Apache dead the page is there with the VMOD, and not without"
gone
ok $? "nothing is left"

# Or the wait below would end at the line of the run before.
rm -f "$t/out"
(start) &
pid=$!
for _ in $(seq 300); do
	grep -qs '^c .*without' "$t/out" && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
status=$?
pid=
[ $status -eq 143 ]
ok $? "stopped by SIGTERM: exit 143 (it was $status)"
! grep -q '^All steps succeeded' "$t/out"
ok $? "stopped by SIGTERM: it does not claim success"
gone
ok $? "stopped by SIGTERM: nothing is left"
