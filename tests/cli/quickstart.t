#!/bin/sh
# quickstart: what it says, its exit status, and what it does to a machine that
# lacks packages.  dpkg-query, apt-get, id and sudo are played by scripts here:
# nothing is installed.
top=${top_srcdir:-.}
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$t/bin" "$t/tree"
mkdir "$t/tree/build-aux"
cp -R "$top/quickstart" "$top/demo" "$t/tree/"
cp "$top/build-aux/tally.sh" "$top/build-aux/longest.sh" "$t/tree/build-aux/"
n=0

ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# out: /' "$t/out"
		sed 's/^/# err: /' "$t/err"
	fi
}
run() {
	PATH="$t/bin:$PATH" "$@" >"$t/out" 2>"$t/err" </dev/null
	status=$?
}
# terminated FILE COMMAND...: gets SIGTERM when FILE is there.
terminated() {
	waited=$1
	shift
	(PATH="$t/bin:$PATH" exec "$@" >"$t/out" 2>"$t/err" </dev/null) &
	pid=$!
	i=0
	while [ ! -s "$waited" ] && [ $i -lt 1200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
	kill -TERM $pid
	wait $pid
	status=$?
}
has() { grep -qF -- "$2" "$t/$1"; }
play() {
	printf '#!/bin/sh\n%s\n' "$2" >"$t/bin/$1"
	chmod +x "$t/bin/$1"
}
qs=$t/tree/quickstart

echo 1..21

run "$qs" --help
ok $((status != 0)) "--help: exit 0"
has out './quickstart check' && [ ! -s "$t/err" ]
ok $? "--help: on stdout, and nothing on stderr"
run "$qs" chekc
ok $((status != 2)) "unknown word: exit 2"
has err 'usage: ./quickstart' && [ ! -s "$t/out" ]
ok $? "unknown word: usage on stderr, nothing on stdout"
run "$qs" deps extra
ok $((status != 2)) "a word too many: exit 2"

# All packages are there.
play dpkg-query 'echo installed'
play apt-get 'echo "$@" >>'"$t"'/apt; exit 1'
run "$qs" deps
ok $((status != 0)) "nothing missing: exit 0"
has out 'nothing to install' && [ ! -e "$t/apt" ]
ok $? "nothing missing: apt-get is not called"

# One is missing, and we are nobody.
play dpkg-query 'case $* in *libjansson-dev) exit 1 ;; esac; echo installed'
play id 'echo 1000'
play sudo 'exit 1'
run "$qs" deps
ok $((status != 1)) "one missing, no root, no sudo: exit 1"
has err 'apt-get update && apt-get install -y --no-install-recommends libjansson-dev'
ok $? "one missing, no root, no sudo: the exact command"
[ ! -e "$t/apt" ]
ok $? "one missing, no root, no sudo: apt-get is not called"

# One is missing and we are root: what apt-get is told, and what it finds.
policy=$t/policy-rc.d
sed "s|^policy=.*|policy=$policy|" "$t/tree/demo/deps.sh" >"$t/deps.sh" &&
	cp "$t/deps.sh" "$t/tree/demo/deps.sh"
play id 'echo 0'
play apt-get 'echo "$@" >>'"$t/apt; cp $policy $t/seen 2>/dev/null; exit 0"
play systemctl 'exit 0'
run "$qs" deps
grep -q 'install -y --no-install-recommends libjansson-dev' "$t/apt" && [ "$status" -eq 0 ]
ok $? "root: apt-get installs what is missing"
[ "$(sh "$t/seen"; echo $?)" = 101 ] && [ ! -e "$policy" ]
ok $? "root: no service may start meanwhile, and the policy is gone afterwards"
rm -f "$t/seen"
play apt-get "cp $policy $t/seen 2>/dev/null; exit 100"
run "$qs" deps
[ "$status" -eq 1 ] && [ ! -e "$policy" ] && has err 'apt-get update failed'
ok $? "apt-get fails: said, exit 1, the policy is gone all the same"
echo 'mine' >"$policy"
play apt-get 'exit 0'
run "$qs" deps
[ "$(cat "$policy")" = mine ] && has out 'policy-rc.d of its own'
ok $? "a policy that was there stays as it was"

# Stopped while something runs that has children, as make has tests.
cat >"$t/stopped" <<'EOF'
set -u
. "$1/demo/say.sh"
watched sh -c 'trap "echo cleaned >$0/cleaned; exit" TERM; sleep 77 & echo $! >$0/child; wait' "$2"
EOF
terminated "$t/child" bash "$t/stopped" "$t/tree" "$t"
[ "$status" -eq 143 ] && [ -s "$t/child" ] && ! kill -0 "$(cat "$t/child")" 2>/dev/null
ok $? "stopped by SIGTERM: exit 143, and what its commands started is stopped, too"
[ "$(cat "$t/cleaned")" = cleaned ] && [ ! -s "$t/err" ]
ok $? "stopped by SIGTERM: its commands could clean up, and it says nothing of them"

# Both trees at the same time.  make is played: each waits for the other to have
# begun, says how its one test went, and that of the second tree may fail or stay.
cat >"$t/trees" <<'EOF'
set -u
top=$1
cd "$top" || exit 1
for part in say packages deps build; do . "demo/$part.sh"; done
packages_for() { :; }
print_coverage() { :; }
build_tree() { mkdir -p "$1"; }
build_tree build
check_trees
EOF
cat >"$t/bin/make" <<'EOF'
#!/bin/sh
mkdir -p $2/tests
echo $$ >$2/began
i=0
until [ -s build/began ] && [ -s build/asan/began ]; do
	[ $i -lt 1200 ] || exit 3
	i=$((i + 1)) && sleep 0.05
done
is=PASS
case $2 in */asan) is=$(cat ../second) ;; esac
if [ $is = STAY ]; then echo >$2/stays; exec sleep 77; fi
printf ':test-result: %s\n# 1.5 seconds, 0.5 of CPU\n' $is >$2/tests/one.trs
echo "not ok 1 - $is" >$2/tests/one.log
[ $is = PASS ]
EOF
chmod +x "$t/bin/make"
echo PASS >"$t/second"
run bash "$t/trees" "$t/tree"
[ "$status" -eq 0 ] && [ "$(tail -n 1 "$t/out")" = "2 passed, 0 failed, 0 skipped" ]
ok $? "two trees: tested at the same time, one closing line, exit 0"
has out '    3.0 s     1.0 s of CPU  all 2' && has out '1.5 s     0.5 s of CPU  build/asan/tests/one.log'
ok $? "two trees: the longest tests, and all together"
rm -rf "$t/tree/build"
echo FAIL >"$t/second"
run bash "$t/trees" "$t/tree"
[ "$status" -eq 1 ] && [ "$(tail -n 1 "$t/out")" = "1 passed, 1 failed, 0 skipped" ] &&
	has out 'failed   build/asan/tests/one.log: not ok 1 - FAIL'
ok $? "two trees: a test of the second fails: named, exit 1"
rm -rf "$t/tree/build"
echo STAY >"$t/second"
terminated "$t/tree/build/asan/stays" bash "$t/trees" "$t/tree"
[ "$status" -eq 143 ] && [ -s "$t/tree/build/asan/began" ] &&
	! kill -0 "$(cat "$t/tree/build/asan/began")" 2>/dev/null
ok $? "two trees, stopped by SIGTERM: exit 143, what they ran is stopped"
! has out 'passed,' && [ ! -s "$t/err" ]
ok $? "two trees, stopped by SIGTERM: no closing line, nothing on stderr"
