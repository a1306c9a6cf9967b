#!/bin/sh
# Where URLs come from: arguments, lists, stdin, sitemaps, HAR; robots.txt.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin
fast="--axes User-Agent --no-checks"
# paths: what was audited, in order, without the origin
paths() {
	jq -r 'select(.kind == "target") | .url' "$work/out" |
	    sed "s|^$base||" | paste -sd' '
}
list() {
	# shellcheck disable=SC2086
	audit $fast --format ndjson "$@"
}

printf '\357\273\277%s\r\n\n  # a comment\n\t%s  \n' "$base/plain/1" "$base/plain/2" >"$work/list"
list --urls "$work/list" "$base/plain/0"
is "list: arguments first; comments, blanks, CRLF, BOM" "$(paths)" "/plain/0 /plain/1 /plain/2"
# shellcheck disable=SC2086
printf '%s\n' "$base/plain/3" | "$VARYPROBE" audit --rate 0 $fast --format ndjson --urls - >"$work/out"
is "stdin" "$(paths)" "/plain/3"
{
	echo "$base/plain/1"
	head -c 70000 /dev/zero | tr '\0' a
	printf '\n%s\n' "$base/plain/2"
} >"$work/long"
list --urls "$work/long"
is "a line too long: the others are audited, exit 2" "$(paths) $code" "/plain/1 /plain/2 2"
like "a line too long: is said, with its number and the limit" "$err" '^varyprobe: .*/long: line 2 is longer than 65536 bytes$'
list --urls "$work/missing" --urls "$work/list"
is "a list that is not there: the others are audited" "$(paths)" "/plain/1 /plain/2"
is "a list that is not there: exit 2" "$code" 2
like "a list that is not there: is said" "$err" "^varyprobe: .*missing: No such file"
printf 'ftp://x.example/\nnot a url\nhttp://u:p@127.0.0.1/\n' >"$work/bad"
list --urls "$work/bad"
is "no URLs: each has an outcome" "$(jq -r 'select(.kind == "target") | .outcome' "$work/out" | sort | uniq -c | awk '{print $1 $2}')" "3unreachable"
like "no URLs: each has a reason" "$out" 'only http and https.*'
like "no URLs: no password in reports" "$out" 'use --user'

# robots.txt of the origin: /private/ but /private/open, /no-probe for us, and
# *.pdf for the others
printf "$base/%s\n" private/x private/open no-probe/y plain/z.pdf >"$work/list"
list --urls "$work/list"
is "robots.txt" "$(jq -r 'select(.kind == "target") | .outcome + ":" + ((.reason // "") | .[0:10])' "$work/out" | paste -sd,)" \
    "interfered:robots.txt,judged:,interfered:robots.txt,judged:"
list --no-robots --urls "$work/list"
is "--no-robots" "$(jq -r 'select(.kind == "target") | .outcome' "$work/out" | sort | uniq -c | awk '{print $1 $2}')" "4judged"
for host in busy gone moved loop; do
	printf 'http://%s.example/private/x\nhttp://%s.example/plain/1\n' $host $host
done >"$work/hosts"
list --connect-to "127.0.0.1:$port" --urls "$work/hosts"
is "robots.txt: an error is no, none is yes, a redirect is followed, a ring is none" \
    "$(jq -r 'select(.kind == "target") | (.url | capture("//(?<h>[a-z]*)").h) + " " + .outcome' "$work/out" | paste -sd,)" \
    "busy interfered,busy interfered,gone judged,gone judged,moved interfered,moved judged,loop judged,loop judged"
list "$base/private/x"
is "robots.txt has no say in arguments" "$(jq -r 'select(.kind == "target") | .outcome' "$work/out")" judged

# sitemaps
cat >"$work/one.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
 <url><loc> $base/plain/a </loc><image:image><image:loc>$base/plain/image</image:loc></image:image></url>
 <url><loc>$base/plain/b?x=1&amp;y=2</loc><image:loc>$base/plain/no</image:loc></url>
 <url><loc><![CDATA[$base/plain/c]]></loc></url>
</urlset>
XML
gzip -c "$work/one.xml" >"$work/one.xml.gz"
cat >"$work/index.xml" <<XML
<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
 <s:sitemap><s:loc>$base/files/one.xml.gz</s:loc></s:sitemap>
 <s:sitemap><s:loc>$base/files/index.xml</s:loc></s:sitemap>
 <s:sitemap><s:loc>$base/files/none.xml</s:loc></s:sitemap>
</s:sitemapindex>
XML
list --sitemap "$base/files/one.xml"
is "sitemap: namespaces, entities, CDATA, blanks" "$(paths)" "/plain/a /plain/b?x=1&y=2 /plain/c"
is "sitemap: exit 0" "$code" 0
list --sitemap "$base/files/index.xml"
is "sitemap index: gzip; an index in an index is not followed" "$(paths)" "/plain/a /plain/b?x=1&y=2 /plain/c"
like "sitemap index: one that is not there is said" "$err" "none.xml: status 404"
is "sitemap index: and is exit 2" "$code" 2
list --sitemap "$work/one.xml.gz"
is "sitemap: a file of this machine" "$(paths)" "/plain/a /plain/b?x=1&y=2 /plain/c"
mkfifo "$work/pipe"
cat "$work/one.xml.gz" >"$work/pipe" &
list --sitemap "$work/pipe"
is "sitemap: a pipe" "$code $(paths)" "0 /plain/a /plain/b?x=1&y=2 /plain/c"
kill $! 2>/dev/null
cat >"$work/bomb.xml" <<XML
<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY e SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>$base/plain/&e;</loc></url><url><loc>$base/plain/&b;&b;</loc></url></urlset>
XML
list --sitemap "$work/bomb.xml"
is "sitemap: no external entity is read" "$(grep -c root: "$work/out")" 0
echo '<html><body>404</body></html>' >"$work/no.xml"
list --sitemap "$work/no.xml"
like "sitemap: HTML is none" "$err" 'no.xml: is no sitemap'
is "sitemap: HTML is exit 2" "$code" 2

# HAR
cat >"$work/x.har" <<JSON
{"log": {"version": "1.2", "entries": [
 {"request": {"method": "GET", "url": "$base/plain/h1"}},
 {"request": {"method": "POST", "url": "$base/plain/h2"}},
 {"request": {"method": "GET", "url": "data:text/plain,x"}},
 {"request": {"method": "GET", "url": "$base/plain/h1"}},
 {"request": {"method": "GET", "url": "$base/plain/h3"}}, {}, 3]}}
JSON
list --har "$work/x.har"
is "HAR: each GET once" "$(paths)" "/plain/h1 /plain/h3"
{ cat "$work/x.har"; sleep 0.1; head -c 200000 /dev/zero | tr '\0' ' '; } >"$work/pipe" &
list --har "$work/pipe"
is "HAR: a pipe, longer than it holds at a time" "$(paths)" "/plain/h1 /plain/h3"
kill $! 2>/dev/null
{
	printf '\357\273\277'
	cat <<JSON
{"log": {"entries": [{"request": null}, {"request": {"method": "GET"}}, {"request": {"method": "get", "url": 7}},
 {"request": {"method": "GET", "url": "$base/plain/h2", "headers": [{"name": ":authority", "value": "x"}, 7]},
  "response": {"status": 200, "content": {"encoding": "base64", "text": "AAAA"}}},
 {"request": {"method": "GET", "url": "wss://127.0.0.1/chat"}, "_webSocketMessages": []},
 {"request": {"method": "GET", "url": "blob:$base/1"}},
 {"request": {"method": "GET", "url": "$base/plain/chat"}, "response": {"status": 101}}]}}
JSON
} >"$work/odd.har"
list --har "$work/odd.har"
is "HAR: a BOM, HTTP/2's own headers, bodies, WebSockets, what is missing" "$(paths)$err" "/plain/h2"
echo '{"log": {"entries": []}}' >"$work/empty.har"
list --har "$work/empty.har"
is "HAR: without an entry there is nothing to ask" "$(paths)$err" ""
echo '{"log": {}}' >"$work/none.har"
list --har "$work/none.har"
is "HAR: another JSON is none, exit 2" "$code $(printf %s "$err" | sed 's/.*none/none/')" "2 none.har: no log.entries: not a HAR file"
echo '{"log": ' >"$work/y.har"
list --har "$work/y.har"
like "HAR: broken is said with its line" "$err" 'y.har: line [0-9]+:'
is "HAR: broken is exit 2" "$code" 2

# a budget
list --max-requests 5 "$base/plain/1" "$base/plain/2"
like "--max-requests" "$(jq -r 'select(.kind == "target") | .reason // "judged"' "$work/out" | paste -sd,)" 'max-requests is used up'
is "--max-requests: no more were sent" "$(jq 'select(.kind == "summary") | .requests <= 5' "$work/out")" true

run audit --dry-run "$base/plain/1"
is "--dry-run: exit 0" "$code" 0
like "--dry-run: the plan" "$out" 'User-Agent: curl'
size=$(printf '%s\n' "$out" | sed -n 's/^1 URLs, \([0-9]*\) requests.*/\1/p')
audit --format json "$base/plain/1"
is "--dry-run: its size is what a plain page takes" "$size" "$(jq .summary.requests "$work/out")"
run audit --dry-run --no-checks --axes main "$base/plain/1" "$base/plain/2"
size=$(printf '%s\n' "$out" | sed -n 's/^2 URLs, \([0-9]*\) requests.*/\1/p')
audit --format json --no-checks --axes main "$base/plain/1" "$base/plain/2"
is "--dry-run: with fewer axes, of two" "$size" "$(jq .summary.requests "$work/out")"

mkfifo "$work/pipe"
# A pipe that stays open: what came is asked for and printed, and its writer may
# wait for that.
printed() { [ "$(grep -c "$1" "$work/out")" = "$2" ]; }
for format in ndjson tap human; do
	case $format in
	ndjson) a_url='"kind": *"target"' ;;
	tap) a_url='^ok' ;;
	human) a_url='^http' ;;
	esac
	case $format in
	human)
		# shellcheck disable=SC2086
		"$VARYPROBE" audit --rate 0 $fast --format $format --urls "$work/pipe" >"$work/out" 2>"$work/err" &
		;;
	*)
		# shellcheck disable=SC2086
		"$VARYPROBE" audit --rate 0 $fast --format $format --urls - <"$work/pipe" >"$work/out" 2>"$work/err" &
		;;
	esac
	p=$!
	exec 5>"$work/pipe"
	echo "$base/plain/1" >&5
	await printed "$a_url" 1
	printf '%s\n%s' "$base/plain/2" "$base/pl" >&5
	await printed "$a_url" 2
	echo "ain/3" >&5
	await printed "$a_url" 3
	exec 5>&-
	wait $p
	is "a slow pipe, $format: each URL is done while the next is not there" \
	    "$? $(grep -c "$a_url" "$work/out") $(cat "$work/err")" "0 3 "
done
"$VARYPROBE" audit --dry-run --no-checks --axes Save-Data --urls - <"$work/pipe" >"$work/out" 2>"$work/err" &
p=$!
exec 5>"$work/pipe"
sleeps() { grep -q '^Name.*varyprobe' "/proc/$1/status" && grep -q '^State:.S' "/proc/$1/status"; }
await sleeps $p
printf '%s\n' "$base/plain/1" "$base/plain/2" >&5
exec 5>&-
wait $p
like "a slow pipe, --dry-run: all are counted" "$(tail -n 1 "$work/out")" '^2 URLs'

# Ways to the origin
audit --format json --connect-to "127.0.0.1:$port" http://www.site.example/plain/1
is "--connect-to: another name" "$(jq -r '.targets[0] | .url + " " + .outcome' "$work/out")" "http://www.site.example/plain/1 judged"
audit --format json --resolve "www.site.example:$port:127.0.0.1" "http://www.site.example:$port/plain/1"
is "--resolve" "$(jq -r '.targets[0].outcome' "$work/out")" judged
run audit --connect-to nonsense http://a.example/
is "usage: exit 2" "$code" 2
like "usage: says what is wanted" "$err" "^varyprobe: --connect-to takes HOST:PORT, not 'nonsense'"
for bad in "--no-such" "--pairs 1" "--format xml" "--fail-on never" "-H novalue" \
    "--cache-profile none" "--timeout soon" "--axis x" "--population x"; do
	# shellcheck disable=SC2086
	run audit $bad http://a.example/
	is "usage: $bad is exit 2" "$code $(wc -l <"$work/err")" "2 1"
done
run audit
is "usage: no URL" "$code $err" "2 varyprobe: no URL; give one, or --urls FILE"
done_testing
