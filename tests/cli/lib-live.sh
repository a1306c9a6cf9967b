# For the tests of varylive: a TAP line a check, and recordings made here and
# now by a real varnishd on loopback (varnishtest finds the ports, and ends
# what it started).  Sourced; the test says done_testing at its end.
set -u
export LC_ALL=C
unset NO_COLOR
work=$(mktemp -d "${TMPDIR:-/tmp}/varylive.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
VARYLIVE=$top_builddir/varylive
checks=0

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
bail() {
	echo "Bail out! $1"
	exit 99
}

# is NAME GOT WANT
is() {
	checks=$((checks + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $checks - $1"
	else
		echo "not ok $checks - $1"
		printf '%s\n' "got:  $2" "want: $3" | sed 's/^/# /'
	fi
}
# like NAME GOT EXTENDED-REGEX
like() {
	checks=$((checks + 1))
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		echo "ok $checks - $1"
	else
		echo "not ok $checks - $1"
		printf '%s\n' "got:  $2" "want: $3" | sed 's/^/# /'
	fi
}
skip() {
	checks=$((checks + 1))
	echo "ok $checks - $1 # SKIP $2"
}
done_testing() {
	echo "1..$checks"
}

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

# A play for varnishtest on stdin; "record NAME" in it becomes the recording
# $work/NAME.vsl of all that v1 has logged until then.
play() {
	sed -e "s|^record \(.*\)\$|delay 0.3\nshell { varnishlog -n \${v1_name} -d -w $work/\1.vsl }|" \
		-e "s|VARYLIVE|$VARYLIVE|; s|WORK|$work|" >"$work/play.vtc"
	varnishtest -q -t 60 "$work/play.vtc" >"$work/play.log" 2>&1 || {
		sed 's/^/# /' "$work/play.log" | tail -n 40
		bail "the play failed"
	}
}
need() {
	[ -x "$VARYLIVE" ] || skip_all "varylive is not built"
	for tool in "$@"; do
		command -v "$tool" >/dev/null 2>&1 || skip_all "no $tool"
	done
}
