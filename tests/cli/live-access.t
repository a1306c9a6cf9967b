#!/bin/sh
# Access logs that a real Apache and a real varnishncsa have written, in the very
# formats that the manual gives.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
VARYLIVE=$top_builddir/varylive
[ -x "$VARYLIVE" ] || skip_all "varylive is not built"
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
for tool in jq curl varnishd varnishadm varnishncsa; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
live() {
	"$VARYLIVE" "$@" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	err=$(cat "$work/err")
}
j() { jq -r "$1" "$work/out"; }
# manual WORD: the line of the manual that begins with it and ends with NAME
manual() { sed -n "s/^	  \($1 .*$2\)\$/\1/p" "$top_srcdir/live/varylive.rst"; }

for m in log_config logio; do
	[ -e "$modules/mod_$m.so" ] && echo "LoadModule ${m}_module $modules/mod_$m.so"
done >"$work/formats"
{
	manual LogFormat ' varykit'
	manual LogFormat ' varykit-json'
	cat <<CONF
LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" combined
LogFormat "%h %l %u %t \"%r\" %>s %b" common
CONF
	for f in varykit varykit-json combined common; do
		echo "CustomLog $work/$f.log $f"
	done
	cat <<CONF
Header set Cache-Control max-age=100
Header set Vary "User-Agent,Accept-Language"
CONF
} >>"$work/formats"
is "the manual has Apache's two formats" "$(grep -c '^LogFormat.* varykit' "$work/formats")" 2
mkdir -p "$work/htdocs"
echo "a page" >"$work/htdocs/page.html"
start_apache <"$work/formats" || skip_all "Apache does not start"
origin=$port

written() { # N COMMAND...: it prints so many lines
	written_n=$1
	shift
	[ "$("$@" | wc -l)" -ge "$written_n" ]
}
# Ten requests: four browsers, one of which has all that must be escaped; two of
# them without Accept-Language.
visit() { # PORT
	for ua in one 'two "2" \ of them' "drei $(printf '\303\244\t')" four; do
		curl -s -o /dev/null -A "$ua" -H 'Accept-Language: en' "http://127.0.0.1:$1/page.html?a=%22"
		curl -s -o /dev/null -A "$ua" -H 'Accept-Language: de' "http://127.0.0.1:$1/page.html?a=%22"
	done
	curl -s -o /dev/null -A one "http://127.0.0.1:$1/page.html?a=%22"
	curl -s -o /dev/null -A one "http://127.0.0.1:$1/page.html?a=%22"
}
visit "$origin"
await written 10 cat "$work/common.log"

values='.groups[0].members[] | "\(.name) \(.distinct)"'
for f in varykit varykit-json; do
	case $f in *json) name=json ;; *) name=$f ;; esac
	live -r "$work/$f.log" --access-log $name --format json
	is "$f of Apache: read, all of it" "$code$err $(j '.totals.requests, .source.unread' | tr '\n' ' ')" "0 10 0 "
	is "$f of Apache: the values that Vary lists" "$(j "$values" | sort | tr '\n' ' ')" \
	    "Accept-Language 3 User-Agent 4 "
	is "$f of Apache: its Vary" "$(j '.groups[0].vary[0] | "\(.value): \(.responses)"')" \
	    "User-Agent,Accept-Language: 10"
	is "$f of Apache: host and path" "$(j '.groups[0] | .host + .path')" "127.0.0.1:$origin/page.html"
	# An origin's log has no hits: nine variants, and one more of the last.
	is "$f of Apache: the model's hits" "$(j '.replay | .observed_hit_ratio, .replayed_hit_ratio' | tr '\n' ' ')" \
	    "null 0.1 "
	between "$f of Apache: its time is now" "$(j "$(date +%s) - .period.start | fabs")" 0 100
	cp "$work/out" "$work/$f.json"
done
is "both say the same" "$(jq .replay.scenarios "$work/varykit.json")" "$(jq .replay.scenarios "$work/varykit-json.json")"
for f in combined common; do
	live -r "$work/$f.log" --access-log $f --format json
	is "$f of Apache: read" "$code$err $(j '.totals.requests, .source.unread, (.groups[0].members | length)' | tr '\n' ' ')" \
	    "0 10 0 0 "
done
own='%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"'
live -r "$work/combined.log" --access-log "$own" --format json
is "a LogFormat of one's own" "$code$err $(j .totals.requests)" "0 10"
# A log that is cut, and one of another format, are said and not guessed at.
head -c $(($(wc -c <"$work/varykit.log") - 40)) "$work/varykit.log" >"$work/cut.log"
live -r "$work/cut.log" --access-log varykit --format json
is "the last line is cut: exit 3" "$code $(j '.totals.requests, .source.unread' | tr '\n' ' ')" "3 9 1 "
like "and it is said" "$err" '1 of 10 lines are not in the format'
live -r "$work/common.log" --access-log json --format json
is "another format: exit 3, nothing read" "$code $(j '.totals.requests, .source.unread' | tr '\n' ' ')" "3 0 10 "

# The same visits through Varnish, and what varnishncsa writes of them.
cat >"$work/v.vcl" <<VCL
vcl 4.1;
backend b { .host = "127.0.0.1"; .port = "$origin"; }
VCL
varnishd -j none -n "$work/v" -a 127.0.0.1:0 -f "$work/v.vcl" -s malloc,16m -P "$work/v.pid" >"$work/v.log" 2>&1 || {
	sed 's/^/# /' "$work/v.log"
	bail "varnishd does not start"
}
pids="$pids $(cat "$work/v.pid")"
port=$(varnishadm -n "$work/v" debug.listen_address | awk '{ print $NF; exit }')
visit "$port"
await written 10 varnishncsa -n "$work/v" -d
manual varnishncsa "'" >"$work/commands"
is "the manual has two commands of varnishncsa" "$(wc -l <"$work/commands")" 2
while read -r command; do
	case $command in
	*" -j "*) f=json ;;
	*) f=varykit-ncsa ;;
	esac
	if [ $f = json ] && ! varnishncsa -h 2>&1 | grep -q -e '^ *\[-j\]'; then
		skip "json of varnishncsa" "this varnishncsa has no -j"
		continue
	fi
	sh -c "$command -n '$work/v' -d" >"$work/$f.log"
	live -r "$work/$f.log" --access-log $f --format json
	is "$f of varnishncsa: read, all of it" "$code$err $(j '.totals.requests, .source.unread' | tr '\n' ' ')" "0 10 0 "
	is "$f of varnishncsa: hits as Varnish had them" "$(j '.totals.handling | .hit, .miss' | tr '\n' ' ')" "1 9 "
	is "$f of varnishncsa: the values that Vary lists" "$(j "$values" | sort | tr '\n' ' ')" \
	    "Accept-Language 3 User-Agent 4 "
	is "$f of varnishncsa: replayed as observed" "$(j .replay.error_points)" 0
done <"$work/commands"
done_testing
