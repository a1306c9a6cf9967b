#!/bin/sh
# Origins that mean harm, or are broken: a clear outcome, in bounded time and
# memory.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"

# outcome PATH WANTED REASON [OPTIONS]: each with an origin that counts anew
outcome() {
	path=$1 want=$2 reason=$3
	shift 3
	began=$(date +%s)
	(
		# 600 MB of address space: a bomb would need more.  ASan
		# itself needs terabytes of it.
		case ${SANITIZED:-} in '') ulimit -v 600000 ;; esac
		"$VARYPROBE" audit --rate 0 --per-host 8 --seed 1 \
		    --format json "$@" "$base/hostile/$path"
	) >"$work/out" 2>"$work/err"
	code=$?
	took=$(($(date +%s) - began))
	is "$path: $want" "$(jq -r '.targets[0].outcome' "$work/out" 2>&1)" "$want"
	like "$path: the reason" "$(jq -r '.targets[0] | (.reason // "") + (.status | tostring)' "$work/out" 2>&1)" "$reason"
	is "$path: nothing on stderr" "$(cat "$work/err")" ""
	# Bounded, on a machine that does other things too: a bomb is unpacked for each
	# of some hundred requests, up to the limit, and ASan makes that slow.
	bound=60
	case ${SANITIZED:-} in ?*) bound=240 ;; esac
	[ $took -lt $bound ] || is "$path: in bounded time" "$took s" "less than $bound s"
}
# ASan reserves its shadow memory whatever the program does.
case $("$VARYPROBE" --version; ASAN_OPTIONS=help=1 "$VARYPROBE" --version 2>&1) in
*AddressSanitizer*) SANITIZED=yes ;;
esac
start_origin
outcome endless-head unreachable 'too (long|large)|head'
outcome endless-line unreachable 'too (long|large)|head'
outcome big-vary unreachable 'too (long|large)|head'
outcome endless-body judged 200 --max-body 64k
outcome drip unreachable 'timed out' --timeout 1s
outcome bad-chunk unreachable '[Cc]hunk|[Ii]llegal|hex'
outcome short-body unreachable 'transfer closed|bytes remaining'
outcome reset-before unreachable 'reset|[Ee]mpty reply|Recv'
outcome reset-head unreachable 'reset|[Rr]ecv|Empty'
outcome reset-body unreachable 'reset|[Rr]ecv|closed'
outcome no-http unreachable 'HTTP/0.9|[Uu]nsupported'
outcome bomb judged 200 --axes Accept-Encoding
outcome not-gzip judged 200
outcome binary judged 200
outcome loop judged 302
outcome many-vary judged 200 --axes User-Agent
outcome random-body unstable 'nothing in common'
outcome blocks-bots judged 200
is "a refusal of one kind of client is an effect, no interference" \
    "$(rules)" "vary-missing user-agent"

# These count requests: each has an origin of its own.
start_origin
outcome refuses-later interfered 'status 403 for what was 200 before'
start_origin
outcome limited interfered '429.*limits our requests'
outcome random-status unstable 'different status codes'
start_origin
outcome slow-down judged 200 --axes User-Agent
is "one that asks for patience is judged in the end" "$(rules)" ""

audit http://127.0.0.1:1/ --strict
is "--strict: what is not judged is exit 3" "$code" 3
like "refused: the reason" "$out" 'unreachable: .*connect'
audit http://no-such-host.invalid/ --strict
is "a name that is none: exit 3" "$code" 3
like "a name that is none: the reason" "$out" 'unreachable: .*resolve'
audit --strict "https://127.0.0.1:$port/plain"
is "no TLS there: exit 3" "$code" 3
like "no TLS there: the reason" "$out" 'unreachable: .*(SSL|TLS|wrong version)'

# One that resets in the handshake: before a word of ours is read, which may be seen
# as early as in connect, and after.
cat >"$work/reset.pl" <<'P'
use IO::Socket::INET; use Socket;
alarm 120; $| = 1;
my $l = IO::Socket::INET->new(Listen => 8, LocalAddr => "127.0.0.1");
print $l->sockport, "\n";
while (my $c = $l->accept) {
	sysread $c, my $b, 1 if $ARGV[0];
	setsockopt $c, SOL_SOCKET, SO_LINGER, pack "ii", 1, 0;
	close $c;
}
P
for read in 0 1; do
	perl "$work/reset.pl" $read >"$work/reset.$read" &
	pids="$pids $!"
	await [ -s "$work/reset.$read" ]
	audit --strict "https://127.0.0.1:$(cat "$work/reset.$read")/"
	is "a reset in the handshake, $read: exit 3" "$code" 3
	like "a reset in the handshake, $read: the reason" "$out" 'unreachable: .*(reset|SSL|TLS|connect)'
done
done_testing
