#!/bin/bash
# Every file of vcl/ compiles with the varnishd of this build, and without a word of
# complaint.  A build against Varnish 6.0 shows that the files are 6.0's VCL, too.
top=$(cd "${top_srcdir:-.}" && pwd) || exit 99
built=$(cd "${top_builddir:-.}" && pwd) || exit 99
# The varnishd that configure found, beside its varnishtest.
varnishd=$(sed -n 's/^VARNISHD = //p' "$built/Makefile")
vmoddir=$(sed -n 's/^varnish_vmoddir = //p' "$built/Makefile")
if [ ! -x "$varnishd" ] || [ ! -e "$built/vmod/.libs/libvmod_vary.so" ]; then
	echo "1..1"
	echo "ok 1 # SKIP no varnishd, or no VMOD in this build"
	exit 0
fi
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
files=$(cd "$top/vcl" && ls -- *.vcl examples/*.vcl)
echo "1..$(wc -w <<<"$files")"
n=0
for f in $files; do
	n=$((n + 1))
	{
		echo 'vcl 4.0;'
		# site.vcl brings its own backend.
		[ "$f" = site.vcl ] || echo 'backend default { .host = "127.0.0.1"; }'
		echo "include \"$f\";"
		# Subs that a file offers have to be called, or VCC complains about us.
		sed -n 's/^sub \(vary_device\) {/sub vcl_recv { call \1; }/p
		    s/^sub \(vary_device_origin\) {/sub vcl_backend_fetch { call \1; }/p' "$top/vcl/$f"
	} >"$t/play.vcl"
	mkdir "$t/n$n"
	varnishd -j none -C -n "$t/n$n" -f "$t/play.vcl" -p vcl_path="$top/vcl" \
	    -p vmod_path="$built/vmod/.libs:$vmoddir" >"$t/c" 2>"$t/err"
	status=$?
	# What it says before it prints the C source, on stdout or stderr; that it
	# cleans up behind itself is no complaint, nor is what 6.0 notes of each module.
	said=$(sed '/---===###/,$d' "$t/err" | grep -v -e '^Could not delete .*/vgc.sym' -e '^/\* VCC_INFO ')
	if [ $status -eq 0 ] && [ -z "$said" ] && grep -q VGC_ "$t/c" "$t/err"; then
		echo "ok $n - $f"
	else
		echo "not ok $n - $f"
		head -n 20 <<<"$said" | sed 's/^/# /'
	fi
done
