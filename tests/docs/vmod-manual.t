#!/bin/sh
# Every example of vmod_vary(3) is VCL that varnishd compiles with this build's
# module, and every method of the interface is described there.
vcc=$top_srcdir/vmod/vmod_vary.vcc
tmp=$(mktemp -d) || exit 99
chmod 755 "$tmp"
trap 'rm -rf "$tmp"' EXIT
echo 1..3

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

# A method or function without a word about it is not documented.
awk '/^\$(Method|Function|Object)/ { if (name && !text) print name; name = $0; text = 0; next }
	NF { text = 1 } END { if (!text) print name }' "$vcc" >"$tmp/out"
[ ! -s "$tmp/out" ]
report $? "3 - every method and function has its text"
