#!/bin/sh
# doc/security.md names what there is: each fuzz target is built and has a corpus,
# each target that is built is in the table, each file of the table exists.
cd "$top_srcdir" || exit 99
echo 1..4
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
ok() {
	if [ ! -s "$t/bad" ]; then echo "ok $1"; else
		echo "not ok $1"
		sed 's/^/# /' "$t/bad"
	fi
}
table=$(grep '^|' doc/security.md)
printf '%s\n' "$table" | grep -o 'fuzz_[a-z]*' | sort -u >"$t/named"
for f in tests/fuzz/fuzz_*.c; do basename "$f" .c; done | sort >"$t/there"
comm -23 "$t/named" "$t/there" >"$t/bad"
[ -s "$t/named" ] || echo "no target is named" >>"$t/bad"
ok "1 - each target of the table is a file"
comm -13 "$t/named" "$t/there" | sed "s/\$/: add a line to the table of doc\/security.md/" >"$t/bad"
ok "2 - each target that there is stands in the table"
while read -r f; do
	[ -n "$(ls "tests/fuzz/corpus/$f" 2>/dev/null)" ] || echo "$f: no corpus"
	grep -q "FUZZ.*= .*$f\.t" ./*/local.am tests/fuzz/local.am || echo "$f: not built"
done <"$t/there" >"$t/bad"
ok "3 - each is built, and has a corpus"
printf '%s\n' "$table" | grep -oE '(vary|vmod|probe|scan|httpdconf|live|diskbench)/[a-z_]*(\.c)?' | sort -u |
	while read -r f; do [ -e "$f" ] || echo "$f"; done >"$t/bad"
ok "4 - each file of the table exists"
