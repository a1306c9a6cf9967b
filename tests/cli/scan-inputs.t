#!/bin/sh
# varyprobe scan of what is no good configuration, or none at all: an error has its
# file and line, the rest is read all the same, and the output keeps to its schema.
# 10,000 folders are gone at once there; a disk takes up to ten seconds.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
site=$work/site
mkdir -p "$site"
ht=$site/.htaccess
valid() { keep "$1" "$work/out"; }
# gives NAME CODE WANTED ARGS...: "level rule line" of each finding
gives() {
	name=$1 wanted_code=$2 wanted=$3
	shift 3
	run scan --format json "$@"
	is "$name: exit $wanted_code" "$code" "$wanted_code"
	is "$name" "$(jq -r '.findings[] | "\(.level) \(.rule) \(.line)"' "$work/out")" \
	    "$wanted"
	valid "$name"
}
cookie='Header append Vary Cookie'

printf '\357\273\277%s\n%s\n' "$cookie" "$cookie" >"$ht"
gives "BOM" 1 "error conf-error 1
warning vary-costly 1
warning vary-costly 2" "$site"
printf 'RewriteEngine On\r\n%s\\\r\n,Accept\r\n' "$cookie" >"$ht"
gives "CRLF is a line end, continued or not" 1 "warning vary-costly 2" "$site"
is "and the last line of a continued one is known" \
    "$(jq '.findings[0].line_last' "$work/out")" 3
printf '%s\0hidden\n%s\n' "$cookie" "$cookie" >"$ht"
gives "NUL" 1 "warning conf-error 1
warning vary-costly 1
warning vary-costly 2" "$site"
# httpd's buffer of 8,192 bytes holds 8,190 and a line end.
long() {
	awk -v n="$1" 'BEGIN { s = "Header set X-A "; while (length(s) < n) s = s "a"
	    print s }'
	echo "$cookie"
}
long 8190 >"$ht"
gives "a line of 8,190 bytes" 1 "warning vary-costly 2" "$site"
long 8193 >"$ht"
gives "a line of 8,193 bytes, and what follows is read" 1 "error conf-error 1
warning vary-costly 2" "$site"
long 8193 >"$work/a.conf"
gives "in httpd.conf it may be so long" 1 "warning vary-costly 2" "$work/a.conf"
printf '<IfModule mod_x.c>\n%s\n<Files y>\n%s\n' "$cookie" "$cookie" >"$ht"
gives "unclosed containers" 1 "note conf-error 1
warning vary-costly 2
error conf-error 3
warning vary-costly 4" "$site"
printf '</If>\n<If>\n</If>\n<\n%s\n</Files >\n' "$cookie" >"$ht"
run scan --format json "$site"
is "closed too often, empty, nameless: each has its line" \
    "$(jq -r '[.findings[] | select(.level == "error").line] | unique | join(" ")' "$work/out")" \
    "1 2 4 6"
is "and the line in between is read" \
    "$(jq -r '.findings[] | select(.rule == "vary-costly").line' "$work/out")" 5
awk 'BEGIN { for (i = 0; i < 500; i++) printf "\001%c\377\200%c\n", 0, 0 }' >"$ht"
run scan --format json "$site"
is "a binary file: a few lines, not hundreds" \
    "$(jq '.findings | length' "$work/out")" 4
like "and it is said to be one" "$(jq -r '.findings[].message' "$work/out")" "binary file"
valid "a binary file"
# UTF-8 that is none, in names and members
printf 'Header append Vary \377\376\n' >"$ht"
gives "a member that is no UTF-8" 1 "error vary-syntax 1" "$site"
run scan --format sarif "$site"
is "and SARIF is JSON all the same" "$(jq -r '.runs[0].results | length' "$work/out")" 1
: >"$ht"
gives "an empty file" 0 "" "$site"
printf '%s' "$cookie" >"$ht"
gives "no line end at the end" 1 "warning vary-costly 1" "$site"

# --- What cannot be read --------------------------------------------------
rm "$ht"
ln -s .htaccess "$ht"
run scan "$ht"
is "a link to itself: exit 2" "$code $out" "2 "
like "and why" "$err" "^varyprobe: $ht: Too many levels"
mkdir "$site/sub"
ln -s .. "$site/sub/up"
echo "$cookie" >"$site/sub/.htaccess"
gives "links that lead in a circle are not followed" 1 "warning vary-costly 1" "$site"
like "the file that is not read is named" "$err" \
    "^varyprobe: $ht: not read: Too many levels"
is "it is in the result, too" "$(jq -r '.unread[].path' "$work/out")" "$ht"
run scan --strict --fail-on error "$site"
is "--strict: exit 3" "$code" 3
rm "$ht"
mkfifo "$ht"
run scan "$ht"
is "a pipe is not waited for: exit 2" "$code $err" "2 varyprobe: $ht: not a regular file"
run scan --as httpd /dev/zero
is "nor is a device read" "$code $err" "2 varyprobe: /dev/zero: not a regular file"
rm "$ht"
mkdir "$ht"
run scan --fail-on error "$site"
is "a folder by that name: the rest is read" "$code" 0
like "and it is named" "$err" "^varyprobe: $ht: not read: "
rmdir "$ht"
if [ "$(id -u)" = 0 ]; then
	tap_n=$((tap_n + 1))
	echo "ok $tap_n # SKIP root may read everything"
else
	echo "$cookie" >"$ht"
	chmod 0 "$ht"
	run scan "$ht"
	is "no right to read: exit 2" "$code $err" "2 varyprobe: $ht: Permission denied"
	rm -f "$ht"
fi

# --- Includes -------------------------------------------------------------
printf 'Include loop.conf\n%s\n' "$cookie" >"$work/loop.conf"
gives "a file that includes itself" 1 "error conf-error 1
warning vary-costly 2" "$work/loop.conf"
printf 'Include b/*.conf\n' >"$work/c.conf"
mkdir "$work/b"
printf 'Include %s/c.conf\n%s\n' "$work" "$cookie" >"$work/b/x.conf"
gives "a circle by way of a pattern" 1 "warning vary-costly 2
error conf-error 1" "$work/c.conf"
printf 'IncludeOptional no/*.conf\nInclude no.conf\n%s\n' "$cookie" >"$work/d.conf"
gives "what is not there" 1 "error conf-error 2
warning vary-costly 3" "$work/d.conf"
printf '<Macro m>\nUse m\n%s\n</Macro>\nUse m\n' "$cookie" >"$work/m.conf"
run scan --format json "$work/m.conf"
like "a macro that uses itself ends" "$(jq -r '.findings[].message' "$work/out")" "uses itself"

# --- Many -----------------------------------------------------------------
echo "$cookie" >"$work/one"
perl -e 'my ($d, $one) = @ARGV;
	for my $i (0 .. 9999) {
		my $in = "$d/" . int($i / 100);
		mkdir $_ for $d, $in, "$in/$i";
		link $one, "$in/$i/.htaccess" or die "$in/$i: $!";
	}' "$work/many" "$work/one"
run scan --format json "$work/many"
is "10,000 files, each with its finding" \
    "$code $(jq -r '"\(.summary.files) \(.summary.warnings) \([.findings[].file] | unique | length)"' "$work/out")" \
    "1 10000 10000 10000"

# --- The schema is no sieve ------------------------------------------------
printf 'RewriteEngine On\nRewriteCond %%{HTTP_USER_AGENT} x\nRewriteRule ^a b\n' >"$ht"
run scan --format json "$site" "$work/nowhere"
cp "$work/out" "$work/good"
valid "sources, changes and unread files"
is "each of them is there" "$(jq '[.sources, .upgrade, .unread, .findings | length > 0] | all' "$work/good")" true
validate_kept varykit.scan-1.schema.json
refuses varykit.scan-1.schema.json "$work/good" '.schema = "varykit.scan/2"' \
    '.findings[0].new = 1' 'del(.summary.files)' '.findings[0].line = 0' \
    '.sources[0].when = "never"' '.upgrade[0].change = "stays"'
done_testing
