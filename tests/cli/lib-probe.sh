# What the tests of varyprobe share: TAP, a folder of one's own, a free port,
# servers that are stopped by their pid whatever happens.
# shellcheck shell=sh disable=SC2034
set -u
VARYPROBE=$top_builddir/varyprobe
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
tap_n=0
tap_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/varyprobe.XXXXXX") || exit 99
pids=
clean() {
	for p in $pids; do
		kill "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
# is NAME GOT WANTED
is() {
	tap_n=$((tap_n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $tap_n - $1"
	else
		echo "not ok $tap_n - $1"
		printf '%s\n' "got:    $2" "wanted: $3" | sed 's/^/# /'
		tap_failed=1
	fi
}
# like NAME TEXT PATTERN (of grep -E)
like() {
	tap_n=$((tap_n + 1))
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		echo "ok $tap_n - $1"
	else
		echo "not ok $tap_n - $1"
		printf '%s\n' "$2" | sed 's/^/# got: /' | head -n 40
		echo "# wanted: $3"
		tap_failed=1
	fi
}
done_testing() {
	echo "1..$tap_n"
	exit $tap_failed
}
# run ARGS: varyprobe's exit code in $code, its output in $out and $err.  Fast,
# and the same each time.
run() {
	"$VARYPROBE" "$@" >"$work/out" 2>"$work/err"
	code=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}
audit() {
	run audit --rate 0 --per-host 8 --seed 1 "$@"
}
# The rules that were found, sorted: "vary-leak user-agent" a line.
rules() {
	jq -r '.targets[].findings[] | .rule + " " + (.member // "-")' \
	    "$work/out" | sort
}
# A port that nobody has now.  Another process may take it before the server
# does: start_server tries again.
free_port() {
	perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1,
	    LocalAddr => "127.0.0.1")->sockport'
}
# wait_port PORT PID: until somebody listens there
wait_port() {
	perl -MIO::Socket::INET -e '
		for (1 .. 100) {
			exit 0 if IO::Socket::INET->new(PeerAddr => "127.0.0.1",
			    PeerPort => $ARGV[0]);
			exit 1 unless kill 0, $ARGV[1];
			select undef, undef, undef, 0.05;
		}
		exit 1' "$1" "$2"
}
