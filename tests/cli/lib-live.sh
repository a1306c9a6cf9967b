# For the tests of varylive: a TAP line a check, and recordings made here and
# now by a real varnishd on loopback (varnishtest finds the ports, and ends
# what it started).  Sourced; the test says done_testing at its end.
set -u
export LC_ALL=C
unset NO_COLOR
work=$(mktemp -d "${TMPDIR:-/tmp}/varylive.XXXXXX") || exit 99
trap 'exit 99' HUP INT TERM
VARYLIVE=$top_builddir/varylive
. "$top_srcdir/tests/cli/lib-tap.sh"

# Run varylive: $code, $err, and what it printed in $work/out.
live() {
	"$VARYLIVE" "$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	err=$(cat "$work/err")
}
# jq on that.
j() {
	jq -r "$1" "$work/out"
}

# record FOLDER N FILE: what a varnishd has logged, when N visits are in it
cat >"$work/record" <<'END'
i=0
until [ "$(varnishncsa -n "$1" -d 2>&1 | wc -l)" -ge "$2" ]; do
	i=$((i + 1))
	[ $i -lt 600 ] || exit 1
	sleep 0.1
done
exec varnishlog -n "$1" -d -w "$3"
END
record() {
	sh "$work/record" "$work/$1" "$2" "$work/$1.vsl" || bail "$2 visits were not logged"
}
# A play for varnishtest on stdin; "record NAME N" in it becomes the recording
# $work/NAME.vsl of all that v1 has logged, when N visits are in it.
play() {
	sed -e "s|^record \(.*\) \(.*\)\$|shell { sh $work/record \${v1_name} \2 $work/\1.vsl }|" \
		-e "s|VARYLIVE|$VARYLIVE|; s|WORK|$work|; s|NOTICE|${notice-}|" >"$work/play.vtc"
	varnishtest -t 60 -b 200m "$work/play.vtc" >"$work/play.log" 2>&1 || {
		sed 's/^/# /' "$work/play.log" | tail -n 60
		bail "the play failed"
	}
}

# start_varnish NAME [OPTION...] with VCL on stdin: a varnishd of its own in
# $work/NAME, at $port.  Ends with the test.
pids=
trap 'end_all; rm -rf "$work"' EXIT
end_all() {
	for p in $pids; do
		kill "$p" 2>/dev/null
	done
	for p in $pids; do
		await ended "$p"
	done
	pids=
}
start_varnish() {
	v=$1
	shift
	{
		echo 'vcl 4.1;'
		cat
	} >"$work/$v.vcl"
	# No jail: the test's folder is the test's alone.
	varnishd -j none -n "$work/$v" -a 127.0.0.1:0 -f "$work/$v.vcl" \
		-s malloc,64m -P "$work/$v.pid" "$@" >"$work/$v.log" 2>&1 || {
		sed 's/^/# /' "$work/$v.log"
		bail "varnishd does not start"
	}
	pids="$pids $(cat "$work/$v.pid")"
	port=$(varnishadm -n "$work/$v" debug.listen_address | awk '{ print $NF; exit }')
	[ -n "$port" ] || bail "varnishd has no port"
}
# start_origin [VARY]: tests/cli/live-site.py, at $port.
start_origin() {
	rm -f "$work/port"
	python3 "$top_srcdir/tests/cli/live-site.py" origin "$work/port" "$@" &
	pids="$pids $!"
	await [ -s "$work/port" ] || bail "the origin does not start"
	port=$(cat "$work/port")
}
# visit PORT SEED N RATE URLS
visit() {
	python3 "$top_srcdir/tests/cli/live-site.py" visit "$@" \
		"$top_srcdir/data/useragents.tsv"
}
need() {
	[ -x "$VARYLIVE" ] || skip_all "varylive is not built"
	for tool in "$@"; do
		command -v "$tool" >/dev/null 2>&1 || skip_all "no $tool"
	done
}
