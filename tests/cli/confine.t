#!/bin/sh
# What the programs have given up while they work, as the kernel sees it; and that
# they still do what they are for: names, certificates, results beside others.
. "$top_srcdir/tests/cli/lib-probe.sh"
[ -r /proc/self/status ] || skip_all "no /proc here"
"$VARYPROBE" --version | grep -q 'Landlock [0-9].*, seccomp' ||
	skip_all "this kernel has no Landlock, or no seccomp: $("$VARYPROBE" --version | tail -n 1)"
chmod 755 "$work"
root=no
[ "$(id -u)" -ne 0 ] || root=yes
start_origin

# state PID FIELD: of /proc/PID/status, when it is confined (its wait is bounded).
# What is done last: the filters, $filters more than this shell has; 0: none.
filters=1
had=$(awk '$1 == "Seccomp_filters:" { print $2 }' /proc/self/status)
is_confined() {
	awk -v n=$((had + filters)) '$1 == "NoNewPrivs:" { p = $2 }
		$1 == "Seccomp_filters:" { f = $2 } END { exit !(p == 1 && f == n) }' \
		"/proc/$1/status" 2>/dev/null
}
state() {
	await is_confined "$1"
	sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null
}
end() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# Two requests a second: it is at work for long.
echo "$base/" >"$work/urls"
chmod 644 "$work/urls"
# asking OPTIONS: an audit in the background, $pid
asking() {
	"$VARYPROBE" audit --rate 2 --no-robots "$@" "$base/" >"$work/out" 2>"$work/err" &
	pid=$!
	pids="$pids $pid"
}
asking --urls "$work/urls"
is "audit: no new privileges" "$(state $pid NoNewPrivs)" 1
is "audit: a filter of system calls" "$(state $pid Seccomp)" 2
is "audit: no capability" "$(state $pid CapEff)" 0000000000000000
[ $root = no ] ||
	is "audit: root has become nobody" "$(state $pid Uid | cut -f 1-4)" \
		"$(id -u nobody)	$(id -u nobody)	$(id -u nobody)	$(id -u nobody)"
end $pid
if [ $root = yes ]; then
	echo "$base/" >"$work/secret"
	chmod 600 "$work/secret"
	asking --urls "$work/secret"
	is "audit: root stays for a list that only root reads" "$(state $pid Uid | cut -f 2)" 0
	case $(state $pid CapEff) in
	000000000000000[0-9a-f]) few=yes ;;
	*) few="$(state $pid CapEff)" ;;
	esac
	is "audit: with no more than its permissions for files" "$few" yes
	end $pid
fi

# It does its work all the same.
audit --axes accept-language --urls "$work/urls" --format json
is "audit: judges" "$(jq -r '.targets[0].outcome' "$work/out")" judged
mkdir "$work/results"
[ $root = no ] || chown nobody "$work/results"
audit --axes accept-language --format json -o "$work/results/a.json" "$base/"
is "-o: exit code" "$code" 0
is "-o: the result is there, whole, in a folder of somebody else" \
	"$(jq -r '.schema' "$work/results/a.json")" varykit.audit/1
is "-o: nothing beside it" "$(ls "$work/results")" a.json
audit --axes accept-language --format json "http://localhost:$port/"
is "a name is looked up" "$(jq -r '.targets[0].outcome' "$work/out")" judged

diskbench=$top_builddir/diskbench/diskbench
if [ -x "$diskbench" ]; then
	"$diskbench" run --create 1M --engine psync --runtime 60s --buffered "$work/disk" \
		>/dev/null 2>"$work/err" &
	pid=$!
	pids="$pids $pid"
	filters=0
	is "diskbench: no new privileges" "$(state $pid NoNewPrivs)" 1
	case $(state $pid CapEff) in
	0000000000000000 | 0000000000004000 | 0000000000204000) few=yes ;;
	*) few="$(state $pid CapEff)" ;;
	esac
	is "diskbench: no more than locked memory, and rings where they need it" "$few" yes
	end $pid
	"$diskbench" run --create 1M --runtime 200ms --buffered --format json \
		-o "$work/results/d.json" "$work/disk2" 2>"$work/err"
	is "diskbench: -o" "$?-$(jq -r '.jobs | length' "$work/results/d.json")" 0-1

	# Results of others: what reads them waits here for one.
	data=$(cd "$top_srcdir/tests/data/report" && pwd)
	mkfifo "$work/result"
	chmod 644 "$work/result"
	# reading COMMAND...: in the background, $pid; its end closes the pipe
	reading() {
		"$@" >"$work/out" 2>"$work/err" &
		pid=$!
		pids="$pids $pid"
	}
	# given FILE: that is in the pipe; $code
	given() {
		cat "$1" >"$work/result"
		wait $pid
		code=$?
	}
	filters=1
	reading "$diskbench" report "$work/result"
	is "report: a filter of system calls" "$(state $pid Seccomp)" 2
	is "report: no capability" "$(state $pid CapEff)" 0000000000000000
	[ $root = no ] ||
		is "report: root has become nobody" "$(state $pid Uid | cut -f 1)" "$(id -u nobody)"
	given "$data/run.json"
	is "report: reads it all the same" "$code:$(cat "$work/err")" 0:
	reading "$diskbench" compare "$data/run.json" --vs "$work/result"
	is "compare --vs: a filter of system calls" "$(state $pid Seccomp)" 2
	is "compare --vs: no capability" "$(state $pid CapEff)" 0000000000000000
	given "$data/run.json"
	is "compare --vs: reads it all the same" "$code:$(cat "$work/err")" 0:

	# gnuplot draws what others wrote: this one says what it may.
	mkdir "$work/bin"
	cat >"$work/bin/gnuplot" <<'SH'
#!/bin/sh
while read -r field value; do
	case $field in
	NoNewPrivs: | Seccomp_filters:) echo "$field $value" >&2 ;;
	esac
done </proc/self/status
(: >"${0%/*}/written") 2>/dev/null && echo "can write" >&2
while read -r line; do :; done
exit 3
SH
	chmod 755 "$work/bin" "$work/bin/gnuplot"
	# Root, who may write anywhere, is not who is asked here.
	mkdir "$work/pages"
	chmod 777 "$work/bin" "$work/pages"
	PATH=$work/bin:$PATH
	filters=2
	reading "$diskbench" report "$work/result" -o "$work/pages/page.html"
	is "report -o: two filters: one that lets gnuplot start, one that lets nothing" \
		"$(state $pid Seccomp_filters)" $((had + 2))
	given "$data/run.json"
	is "report -o: a page all the same" \
		"$code:$(head -c 15 "$work/pages/page.html"):$(ls "$work/pages")" "0:<!DOCTYPE html>:page.html"
	like "report -o: gnuplot is confined" "$(cat "$work/err")" 'gnuplot failed .NoNewPrivs: 1'
	is "report -o: gnuplot writes no file" "$(ls "$work/bin")" gnuplot
fi
done_testing
