#!/bin/sh
# Every example of vmod_vary(3) is VCL that varnishd compiles with this build's
# module, and every method of the interface is described there.
vcc=$top_srcdir/vmod/vmod_vary.vcc
tmp=$(mktemp -d) || exit 99
chmod 755 "$tmp"
trap 'rm -rf "$tmp"' EXIT
echo 1..5

compiles() {
	varnishd -C -n "$tmp/n" -p vmod_path="$top_builddir/vmod/.libs" \
		-p vcl_path="$top_srcdir/vcl" -f "$1" >"$tmp/out" 2>&1
}
report() {
	if [ "$1" -eq 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		sed 's/^/# /' "$tmp/out" | head -20
	fi
}

# The first example is a whole policy with its subs.
{
	echo 'vcl 4.1; backend b none;'
	awk '/^    import vary;/ { on = 1 } on && /^[^ ]/ { exit } on' "$vcc"
} >"$tmp/whole.vcl"
compiles "$tmp/whole.vcl"
report $? "1 - the example at the top compiles"

# All other lines that call a method on a policy.
{
	printf 'vcl 4.1; backend b none; import vary;\nsub vcl_init {\nnew site = vary.policy();\n'
	sed -n 's/^ \{4,\}\(site\.[a-z]*(.*);\).*$/\1/p; s/^.*``\(site\.[a-z]*(.*);\)``.*$/\1/p' "$vcc"
	echo '}'
} >"$tmp/lines.vcl"
n=$(grep -c '^site\.' "$tmp/lines.vcl")
compiles "$tmp/lines.vcl"
r=$?
[ "$n" -ge 12 ] || r=1
report $r "2 - the $n examples of single methods compile"

{
	printf 'vcl 4.1; backend b none; import vary;\nsub vcl_backend_response {\n'
	sed -n 's/^ \{8\}\(.*[ (]vary\.[a-z]*(beresp.*\)$/\1/p' "$vcc"
	echo '}'
	printf 'sub vcl_miss {\n'
	sed -n 's/^ \{8\}\(.*[ (]vary\.variants().*\)$/\1/p' "$vcc"
	echo '}'
} >"$tmp/functions.vcl"
n=$(grep -c 'vary\.[a-z]*(' "$tmp/functions.vcl")
compiles "$tmp/functions.vcl"
r=$?
[ "$n" -eq "$(grep -c '^\$Function' "$vcc")" ] || r=1
report $r "3 - the $n examples of functions compile"

# What it asserts, what it costs, and a line that calls it.
awk '
function over() { if (name && !(asserts && cost && example)) print name, asserts + 0, cost + 0, example + 0; name = "" }
/^\$(Method|Function)/ { over(); match($0, /[a-z]+\(/); name = substr($0, RSTART, RLENGTH)
	asserts = cost = example = 0 }
/^\$Object|^WHAT/ { over() }
/^:Asserts: / { asserts = 1 }
/^:Cost: / { cost = 1 }
/^    / && name && index($0, "." name) { example = 1 }
END { over() }' "$vcc" >"$tmp/out"
[ ! -s "$tmp/out" ]
report $? "4 - every method and function says what it asserts and costs, and has an example"

# A method or function without a word about it is not documented.
awk '/^\$(Method|Function|Object)/ { if (name && !text) print name; name = $0; text = 0; next }
	NF { text = 1 } END { if (!text) print name }' "$vcc" >"$tmp/out"
[ ! -s "$tmp/out" ]
report $? "5 - every method and function has its text"
