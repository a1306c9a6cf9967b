# What the tests of varyprobe share: TAP, a folder of one's own, a free port,
# servers that are stopped by their pid whatever happens.
# shellcheck shell=sh disable=SC2034
set -u
VARYPROBE=$top_builddir/varyprobe
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
. "$top_srcdir/tests/cli/lib-tap.sh"
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
# reads_as FORMAT FILE: nothing, or what a strict reader of the format says against
# the file; readers that are not here say nothing, as has_reader tells.
has_reader() {
	case $1 in
	json | ndjson | sarif) python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ;;
	junit) command -v xmllint >/dev/null ;;
	tap) perl -MTAP::Parser -e 1 2>/dev/null ;;
	github | prometheus) command -v python3 >/dev/null ;;
	*) false ;;
	esac
}
reads_as() {
	has_reader "$1" || return 0
	case $1 in
	json | ndjson) python3 "$top_srcdir/tests/cli/schema.py" \
	    "$top_srcdir/schema/varykit.audit-1.schema.json" "$2" 2>&1 ;;
	sarif) python3 "$top_srcdir/tests/cli/schema.py" \
	    "$top_srcdir/tests/cli/sarif.schema.json" "$2" 2>&1 ;;
	junit) xmllint --noout --schema "$top_srcdir/tests/cli/junit.xsd" "$2" 2>&1 |
	    sed '/ validates$/d' ;;
	tap) perl -MTAP::Parser -e '
		my $p = TAP::Parser->new({ exec => ["cat", $ARGV[0]], version => 13 });
		$p->run;
		print "$_\n" for $p->parse_errors;
		print "no plan\n" unless defined $p->plan;' "$2" 2>&1 ;;
	github) python3 "$top_srcdir/tests/cli/github.py" "$2" 2>&1 ;;
	prometheus) python3 "$top_srcdir/tests/cli/prometheus.py" "$2" 2>&1 ;;
	esac
}

# The rules that were found, sorted: "vary-leak user-agent" a line.
rules() {
	jq -r '.targets[].findings[] | .rule + " " + (.member // "-")' \
	    "$work/out" | sort
}
# judged_as PATH EXIT FINDINGS [OPTIONS]: of our own origin; "rule member level",
# sorted, ", " between, or "outcome: reason"
judged_as() {
	path=$1 want_code=$2 want=$3
	shift 3
	audit --format json "$@" "$base/$path"
	is "$path $*" "$code $(jq -r '.targets[0] | if .outcome == "judged" then
	    ([.findings[] | "\(.rule) \(.member // "-") \(.level)"] | sort | join(", "))
	    else "\(.outcome): \(.reason)" end' "$work/out")$err" "$want_code $want"
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
		for (1 .. 1200) {
			exit 0 if IO::Socket::INET->new(PeerAddr => "127.0.0.1",
			    PeerPort => $ARGV[0]);
			exit 1 unless kill 0, $ARGV[1];
			select undef, undef, undef, 0.05;
		}
		exit 1' "$1" "$2"
}
# start_origin: our own origin; $port is its port.  It ends with its stdin,
# which is this shell, so that nothing is left behind even by kill -9.
origin_n=0
start_origin() {
	origin_n=$((origin_n + 1))
	rm -f "$work/in" "$work/port"
	mkfifo "$work/in"
	"$top_builddir/tests/origin/origin" -s "${ORIGIN_SECONDS:-300}" -d "$work" <"$work/in" \
	    >"$work/port" 2>>"$work/origin.log" &
	pids="$pids $!"
	# The first open of a fifo waits for the other side.
	case $origin_n in
	1) exec 6>"$work/in" ;;
	2) exec 7>"$work/in" ;;
	3) exec 8>"$work/in" ;;
	*) exec 9>"$work/in" ;;
	esac
	await [ -s "$work/port" ]
	port=$(sed -n 's/^port //p' "$work/port")
	[ -n "$port" ] || {
		sed 's/^/# /' "$work/origin.log"
		echo "Bail out! the origin does not start"
		exit 99
	}
	base=http://127.0.0.1:$port
}
