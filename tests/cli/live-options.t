#!/bin/sh
# The options: --help, the manual and the code say the same; what cannot be
# meant is refused with a word on what to do.
. "$top_srcdir/tests/cli/lib-live.sh"
need sed

live --help
is "--help: exit 0" "$code" 0
is "--help: nothing on stderr" "$err" ""
sed -n 's/^  -\(.\), --\([a-z-]*\) *\([A-Z][A-Za-z.]*\)\{0,1\} .*/-\1 --\2 \3/p; s/^      --\([a-z-]*\) *\([A-Z][A-Za-z.]*\)\{0,1\} .*/--\1 \2/p' \
    "$work/out" | sed 's/ *$//; s/ [A-Z][a-z][a-z]*$//' | sort >"$work/help"
sed -n 's/^-\(.\)\( [^,]*\)\{0,1\}, --\([a-z-]*\)\( .*\)\{0,1\}$/-\1 --\3\4/p; s/^\(--[a-z-]*\)\( .*\)\{0,1\}$/\1\2/p' \
    "$top_srcdir/live/varylive.rst" | grep -v -e '^---*$' | sort >"$work/manual"
# The table of the code, by way of what it takes.
sed -n 's/^X([A-Z_]*,[[:blank:]]*"\([a-z-]*\)",[[:blank:]]*\(0\|.\(.\).\),[[:blank:]]*\(NULL\|"\([^"]*\)"\),.*/\3 --\1 \5/p' \
    "$top_srcdir/live/options.c" | sed 's/^ //; s/^\([^-]\) /-\1 /; s/ *$//' | sort >"$work/code"
is "there are many" "$([ "$(wc -l <"$work/code")" -gt 25 ] && echo yes)" yes
is "the manual has what the code has" "$(diff "$work/code" "$work/manual")" ""
is "--help has what the code has" "$(diff "$work/code" "$work/help")" ""
while read -r a b c; do
	case $a in --*) c=$b b=$a a= ;; esac
	for o in $a $b; do
		case $o in
		-h | --help | -V | --version) "$VARYLIVE" "$o" >/dev/null 2>"$work/err" ;;
		*) "$VARYLIVE" "$o" ${c:+x} --no-such-option >/dev/null 2>"$work/err" ;;
		esac
		grep -q -e "no option $o;" "$work/err" && echo "$o"
	done
done <"$work/code" >"$work/unknown"
is "the program takes each of them" "$(cat "$work/unknown")" ""

live -V
like "-V: the version" "$code $(cat "$work/out")" '^0 varylive \(varykit\) [0-9.]+$'
like "... and of which Varnish it reads the log" "$(cat "$work/out")" \
    '^log of: (varnish|vinyl)api [0-9.]+'

refused() { # NAME REGEX ARGS...
	name=$1 regex=$2
	shift 2
	live "$@"
	is "$name: exit 2, nothing on stdout" "$code$(cat "$work/out")" 2
	like "$name: why" "$err" "$regex"
}
refused "no such option" 'Try "varylive --help"' --no-such
refused "an argument too many" 'what is "x"' x
refused "-n and -r" 'give one of them' -n x -r y
refused "-d and -r" '-d is for a running varnishd' -d -r y
refused "an access log from nowhere" 'needs its file' --access-log combined
refused "a query on an access log" "not an access log" --access-log combined -r /dev/null -q x
refused "a format without a request" '%t and %r' --access-log '%h %l' -r /dev/null
refused "two fields in one" '%t and %r' --access-log '%t %r%b' -r /dev/null
refused "-D to nowhere" 'give --prometheus FILE or -o FILE' -D
refused "-k" '"0" is not a number from 1' -k 0
refused "--storage" '"1x" is not a size' --storage 1x
refused "--fail-on" 'note, warning or error' --fail-on all
refused "--format" 'text, json or prometheus' --format xml
refused "--gzip-support" 'on, off or auto' --gzip-support yes
refused "a file that is not there" 'No such file' -r "$work/nothing"
refused "a policy that is not there" 'No such file' -r /dev/null --policy "$work/nothing"
refused "no varnishd" 'is varnishd running' -n "$work" -t 0 -d
done_testing
