#!/bin/sh
# Every command of the handbook, of README's consoles and of the manuals' EXAMPLES runs,
# with the programs of this build, against a real Apache with the story's .htaccess and a
# real varnishd; what the text shows is what they print.  "sh handbook.t update" writes what they print into the text.
. "$top_srcdir/tests/cli/lib-probe.sh"
. "$top_srcdir/tests/cli/lib-apache.sh"
for tool in python3 curl jq parallel varnishd patch; do
	command -v $tool >/dev/null || PATH=$PATH:/usr/sbin command -v $tool >/dev/null ||
		skip_all "no $tool"
done
[ -n "$APACHE" ] || skip_all "no Apache httpd (Debian: apache2-bin)"
for p in varyprobe varylive diskbench/diskbench vmod/.libs/libvmod_vary.so; do
	[ -e "$top_builddir/$p" ] || skip_all "$p was not built"
done
# The programs have their own tests in a sanitized build; the text is the same.
[ -z "${ASAN_PRELOAD-}" ] || skip_all "the text is tested in the build without sanitizers"
mkdir -p "$work/place/htdocs" "$work/place/bin" "$work/vmods"
chmod 755 "$work" "$work/place"
cp "$top_builddir/vmod/.libs/libvmod_vary.so" "$work/vmods/"
chmod -R a+rX "$work/vmods"
ln -s "$top_builddir/varyprobe" "$top_builddir/diskbench/diskbench" "$work/place/bin/"
# The reader's varnishd is the one without a name.
for p in "$top_builddir/varylive" "$(command -v varnishadm)" "$(command -v varnishlog)"; do
	printf '#!/bin/sh\ncase " $* " in *" -r "*) ;; *) set -- -n "%s" "$@" ;; esac\nexec "%s" "$@"\n' \
		"$work/varnish" "$p" >"$work/place/bin/$(basename "$p")"
	chmod +x "$work/place/bin/$(basename "$p")"
done
cp "$top_srcdir/demo/htaccess" "$work/place/htdocs/.htaccess"
for i in 1 2 3 4 5; do
	awk -v n=$i 'BEGIN { print "<!DOCTYPE html><title>Page " n "</title>"
		for (i = 0; i < 60; i++) print "<p>Paragraph " i " of page " n "." }' \
		>"$work/place/htdocs/page$i.html"
	echo "http://blog.example/page$i.html"
done >"$work/place/urls.txt"
chmod -R a+rX "$work/place"
mkdir "$work/htdocs" && cp -R "$work/place/htdocs/." "$work/htdocs/"
start_apache <<-CONF || { echo "Bail out! Apache does not start"; exit 99; }
	<IfModule !version_module>
	LoadModule version_module $modules/mod_version.so
	</IfModule>
	AddType text/html .html
CONF
apache=$port
# A cache without the module, as the reader has it at first.
cat >"$work/first.vcl" <<VCL
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$apache"; }
VCL
varnishd -j none -n "$work/varnish" -a 127.0.0.1:0 -f "$work/first.vcl" -s malloc,32m \
	-p vmod_path="$work/vmods" -p vcl_path="$work/place:$top_srcdir/vcl" \
	-P "$work/varnish.pid" >"$work/varnish.log" 2>&1 || {
	sed 's/^/# /' "$work/varnish.log"
	echo "Bail out! varnishd does not start"
	exit 99
}
pids="$pids $(cat "$work/varnish.pid")"
varnish=$(varnishadm -n "$work/varnish" debug.listen_address | awk '{ print $3; exit }')
# The drive of the manuals' examples, and the time they take.
head -c 33554432 /dev/urandom >"$work/place/sdX"
mode=check
[ "${1-}" != update ] || mode=update
shift $#
cd "$top_srcdir" || exit 99
# README.md comes first, while there is no module.  scale.md and choosing a drive need
# nothing that the others have left.
PATH=$work/place/bin:$PATH VK_VMODS=$work/vmods \
	VK_VCL=$work/place:$top_srcdir/vcl HOME=$work/place LC_ALL=C NO_COLOR=1 \
	python3 "$top_srcdir/tests/docs/handbook.py" $mode "$work/place" \
	"127.0.0.1:8080=>127.0.0.1:$apache" "127.0.0.1:6081=>127.0.0.1:$varnish" \
	"port = \"8080\"=>port = \"$apache\"" \
	"man:--connect-to 10.0.0.7:80 =>" \
	"man:varyprobe audit=>varyprobe audit --connect-to 127.0.0.1:$apache --rate 0" \
	"man:timeout 3600 varnishlog -w hour.vsl=>timeout 3 varnishlog -d -w hour.vsl || [ \$? -eq 124 ]" \
	"man:=varylive=>varylive -d --once" "man:varylive -D --prometheus /var/lib/node_exporter/=>varylive -d --once --prometheus ./" \
	"man:/dev/sdX=>./sdX" "man:./bench.dat=>./manual.dat" "man:--create 1G=>--create 32M" "man:--runtime=120=>--runtime=1" \
	"man:--runtime 30s=>" "man:--runtime 60s=>" "man:diskbench run=>diskbench run --runtime 300ms" \
	"man:--write TOKEN=>--overwrite-data --write \$(diskbench identify ./sdX | sed -n 's/^token *//p')" \
	-- "$top_srcdir/README.md" $(for f in ${HANDBOOK:-$(sed -n 's/^HANDBOOK = //p' doc/local.am)}; do
		echo "$top_srcdir/doc/$f"
	done) "$top_srcdir/probe/varyprobe.rst" "$top_srcdir/live/varylive.rst" \
	"$top_srcdir/diskbench/diskbench.rst"
