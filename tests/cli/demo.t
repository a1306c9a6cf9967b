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
for part in say servers load run place; do . "demo/$part.sh"; done
"run_$3" "$2"
EOF
start() { TMPDIR=$t exec bash "$t/demo" "$top" "$built" demo >"$t/out" 2>"$t/err" </dev/null; }
# No folder, no file, and no process whose command line names them.
gone() {
	! ls -d "$t"/varykit.* "$built/quickstart.bench" 2>/dev/null &&
		! grep -lsF "$t/varykit." /proc/[0-9]*/cmdline
}

echo 1..13
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

# The place to type along in.  Ports that were free a moment ago.
ports=$(python3 -c 'import socket
s = [socket.socket() for i in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))')
cat >"$t/typed" <<'EOF'
varnishadm vcl.list | awk '$1 == "active" { print "vcl", $NF }'
varyprobe scan htdocs/.htaccess | grep -c vary-leak
varyprobe audit --connect-to "127.0.0.1:$1" --rate 0 --urls urls.txt --format json -o audit.json
echo "audit $?"
varyprobe policy audit.json >policy.vcl
printf 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "%s"; }\ninclude "policy.vcl";\n' "$1" >site.vcl
varnishadm vcl.load fixed "$PWD/site.vcl" >/dev/null
varnishadm vcl.use fixed
for browser in a b; do curl -s -o page -A $browser -H 'Host: blog.example' "http://127.0.0.1:$2/page2.html"; done
varylive -d --once | grep -o 'hit 1 '
EOF
rm -f "$t/out"
{ echo "set -- $ports"; cat "$t/typed"; } |
	TMPDIR=$t QUICKSTART_PORTS=$ports bash "$t/demo" "$top" "$built" place >"$t/out" 2>"$t/err"
ok $? "a place for the handbook: exit 0"
[ "$(grep -v '^place ' "$t/out" | tr '\n' ' ')" = "vcl boot 1 audit 1 VCL 'fixed' now active hit 1  " ]
ok $? "the steps of the story work there"
gone
ok $? "nothing is left of it"
# Somebody has the port.
python3 -c 'import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(5)
print(s.getsockname()[1], flush=True)
time.sleep(60)' >"$t/port" &
pid=$!
for _ in $(seq 300); do
	[ -s "$t/port" ] && break
	sleep 0.1
done
TMPDIR=$t QUICKSTART_PORTS="$(cat "$t/port") 1" bash "$t/demo" "$top" "$built" place >"$t/out" 2>"$t/err" </dev/null
[ $? -eq 1 ] && grep -q "listens on 127.0.0.1:$(cat "$t/port") already; stop it first" "$t/err" && gone
ok $? "a port that is taken is named, and nothing is left"
kill $pid
pid=
