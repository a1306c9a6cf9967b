#!/bin/sh
# ^C, and SIGTERM: wherever an audit is, it ends, with what it has found, valid in
# each format, and says by its exit code that it was stopped.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin

# ^C: what was found so far, valid in each format
i=0
while [ $i -lt 2000 ]; do echo "$base/noise/$i?n=$i"; i=$((i + 1)); done >"$work/many"
catches_int() {
	grep -q '^Name.*varyprobe' "/proc/$1/status" &&
	    grep -q '^SigCgt.*[2367abef]$' "/proc/$1/status"
}
for format in json ndjson sarif junit tap github prometheus human; do
	"$VARYPROBE" audit --rate 0 --no-robots --urls "$work/many" --format $format \
	    >"$work/out" 2>"$work/err" &
	p=$!
	# Until it is no shell any more and catches SIGINT (bit 1 of the last
	# digit), and there is output; some write at the end alone.
	await catches_int $p
	case $format in
	json | ndjson | junit | tap | human) await [ -s "$work/out" ] ;;
	esac
	kill -INT $p
	wait $p
	is "SIGINT, $format: exit 130" $? 130
	is "SIGINT, $format: a strict reader of it says nothing" "$(reads_as $format "$work/out")" ""
	case $format in
	json) is "SIGINT, json: the summary is of these targets" "$(jq -r '.summary.urls == (.targets | length)' "$work/out")" true ;;
	ndjson) is "SIGINT, ndjson: ends with its summary" "$(tail -n 1 "$work/out" | jq -r .kind)" summary ;;
	sarif) is "SIGINT, sarif: the number of URLs" "$(jq '.runs[0].properties.urls >= 0' "$work/out")" true ;;
	junit) is "SIGINT, junit: complete" "$(tail -n 1 "$work/out")" "</testsuites>" ;;
	tap) like "SIGINT, tap: a plan" "$(tail -n 1 "$work/out")" '^1\.\.[0-9]+$' ;;
	prometheus) like "SIGINT, prometheus: complete" "$(tail -n 1 "$work/out")" '^varyprobe_requests_sent' ;;
	*) like "SIGINT, $format: a summary" "$(tail -n 1 "$work/out")" 'URLs' ;;
	esac
done

# ... and while it waits for a line of a pipe that stays open
sleeps() { grep -q '^Name.*varyprobe' "/proc/$1/status" && grep -q '^State:.S' "/proc/$1/status"; }
waits() { catches_int "$1" && sleeps "$1"; }
mkfifo "$work/pipe"
for signal in INT:130 TERM:143; do
	"$VARYPROBE" audit --rate 0 --urls - --format json <"$work/pipe" >"$work/out" 2>"$work/err" &
	p=$!
	exec 5>"$work/pipe"
	echo "$base/plain/1" >&5
	await waits $p
	kill -${signal%:*} $p
	wait $p
	is "SIG${signal%:*} while a pipe is read: exit ${signal#*:}" "$? $(cat "$work/err")" "${signal#*:} "
	is "SIG${signal%:*} while a pipe is read: a strict reader says nothing" "$(reads_as json "$work/out")" ""
	exec 5>&-
done


# A server that lets us wait: for the end of a handshake, an answer, robots.txt, what
# that redirects to, for as long as Retry-After says.  It writes down what it was asked
# once we wait.
cat >"$work/wait.pl" <<'P'
use IO::Socket::INET;
alarm 280; $| = 1;
my ($how, $log) = @ARGV;
my $l = IO::Socket::INET->new(Listen => 64, LocalAddr => "127.0.0.1", ReuseAddr => 1);
my $port = $l->sockport;
my (@kept, $n);
print "$port\n";
while (my $c = $l->accept) {
	my ($head, $b) = ("");
	if ($how eq "tls") { sysread $c, $head, 1; $head = "hello" }
	else { $head .= $b while $head !~ /\r\n\r\n/ && sysread $c, $b, 4096 }
	my ($path) = $head =~ m,^\S+ (\S+),;
	my $a = $how eq "redirect" && $path eq "/robots.txt"
	    ? "302 Found\r\nLocation: http://127.0.0.1:$port/elsewhere"
	    : $how eq "retry" ? "429 Slow\r\nRetry-After: 60"
	    : $how eq "busy" ? "503 Busy\r\nRetry-After: 60" : undef;
	print $c "HTTP/1.1 $a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" if $a;
	if ($a) { close $c } else { push @kept, $c }
	next if $how eq "redirect" && $a;
	open my $o, ">>", $log; print $o "asked\n"; close $o;
}
P
asked() { [ -s "$work/asked" ] && sleeps "$1"; }
for each in tls:sarif answer:junit robots:tap redirect:github retry:prometheus busy:human; do
	how=${each%:*}
	rm -f "$work/asked" "$work/wait.port"
	perl "$work/wait.pl" $how "$work/asked" >"$work/wait.port" &
	server=$!
	pids="$pids $server"
	await [ -s "$work/wait.port" ]
	there=127.0.0.1:$(cat "$work/wait.port")
	scheme=http robots=--no-robots
	case $how in
	tls) scheme=https ;;
	robots | redirect) robots= ;;
	esac
	for as in INT:130:ndjson "TERM:143:${each#*:}"; do
		code=${as#*:} format=${as##*:}
		code=${code%:*}
		rm -f "$work/asked" "$work/out"
		# shellcheck disable=SC2086
		"$VARYPROBE" audit --rate 0 --timeout 900s --axes User-Agent --no-checks $robots \
		    --format $format --urls - <"$work/pipe" >"$work/out" 2>"$work/err" &
		p=$!
		exec 5>"$work/pipe"
		echo "$base/plain/1" >&5
		case $format in ndjson) await [ -s "$work/out" ] ;; esac
		echo "$scheme://$there/x" >&5
		await asked $p
		began=$(date +%s)
		kill -${as%%:*} $p
		wait $p
		is "SIG${as%%:*}, $how, $format: exit $code" "$? $(cat "$work/err")" "$code "
		# Retry-After is a minute, the others wait for a quarter of an hour.
		took=$(($(date +%s) - began))
		[ $took -lt 50 ] || is "SIG${as%%:*}, $how, $format: at once" "$took s" "less"
		exec 5>&-
		case $format in
		ndjson) is "SIG${as%%:*}, $how: what was found, and what was not" \
		    "$(jq -r 'if .kind == "target" then .outcome + ":" + (.reason // "") else .kind end' "$work/out" | paste -sd,)" \
		    "judged:,interfered:stopped before it was finished,summary" ;;
		esac
		is "SIG${as%%:*}, $how, $format: a strict reader says nothing" "$(reads_as $format "$work/out")" ""
	done
	kill $server
	wait $server
done

# While nobody reads what it prints: the rest comes when somebody does.
"$VARYPROBE" audit --rate 0 --no-robots --axes User-Agent --no-checks --urls "$work/many" --format ndjson \
    >"$work/pipe" 2>"$work/err" &
p=$!
exec 5<"$work/pipe"
stuck() { catches_int "$1" && { [ ! -r "/proc/$1/wchan" ] || grep -q pipe_ "/proc/$1/wchan"; }; }
await stuck $p
kill -INT $p
cat <&5 >"$work/out"
wait $p
is "SIGINT while the output is stuck: exit 130" "$? $(cat "$work/err")" "130 "
is "SIGINT while the output is stuck: all of it is there" "$(tail -n 1 "$work/out" | jq -r .kind)$(reads_as ndjson "$work/out")" summary
exec 5<&-
done_testing
