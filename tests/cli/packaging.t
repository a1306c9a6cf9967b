#!/bin/sh
# What distributions take: parsed by their own tools, and in step with the tree.
# The packages themselves are built and installed by "make check-deb".
cd "$top_srcdir" || exit 99
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
n=0
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' "$t/out" 2>/dev/null
	fi
}
skip() {
	n=$((n + 1))
	echo "ok $n # SKIP $1"
}
version=$(sed -n 's/^PACKAGE_VERSION = //p' "$top_builddir/Makefile")

# One place has the version; what says it, in the programs and in what they print in
# the manuals, has it from there.
for p in varyprobe varylive diskbench/diskbench; do
	[ ! -x "$top_builddir/$p" ] ||
		"$top_builddir/$p" --version | sed -n 1p | grep -Fqx "${p##*/} (varykit) $version" || echo "$p"
done >"$t/out" 2>&1
[ -n "$version" ] && grep -Fqx "AC_INIT([varykit],[$version])" configure.ac &&
	grep -q "^## $version" CHANGES.md && [ ! -s "$t/out" ]
ok $? "the programs, CHANGES.md and configure.ac have one version"
grep -rnE '\(varykit\) [0-9]|(varyprobe|varylive|diskbench) [0-9]+\.[0-9]+\.[0-9]' README.md doc |
	grep -vF " $version" >"$t/out"
[ ! -s "$t/out" ]
ok $? "so has what the manuals show"

SOURCE_DATE_EPOCH=1700000000 sh packaging/changelog.sh "$version" . >"$t/changelog"
grep -q 'Tue, 14 Nov 2023 22:13:20 +0000' "$t/changelog"
ok $? "debian/changelog: its date is SOURCE_DATE_EPOCH"
if command -v dpkg-parsechangelog >/dev/null 2>&1; then
	dpkg-parsechangelog -l "$t/changelog" >"$t/out" 2>&1 &&
		grep -qx "Version: $version" "$t/out"
	ok $? "debian/changelog: dpkg reads it, with configure.ac's version"
else
	skip "dpkg-parsechangelog is not installed"
fi
# Each library that quickstart installs to build, but for what all Debian
# builds have, is a build dependency, too.
sed -n 's/^build	\(lib.*-dev\)$/\1/p' demo/packages.sh | grep -vx libc6-dev |
	while read -r p; do
		grep -q "^ $p" debian/control || echo "$p"
	done >"$t/out"
[ ! -s "$t/out" ]
ok $? "debian/control: every library that quickstart installs is a build dependency"
# A program, module or page that one package forgot is in none.
sed -n 's|^usr/bin/||p' debian/varykit-*.install | sort >"$t/got"
printf '%s\n' diskbench varylive varyprobe >"$t/want"
diff "$t/want" "$t/got" >"$t/out"
ok $? "debian/: each program is in one part of the whole"

sed "s/@VERSION@/$version/" packaging/varykit.spec.in >"$t/varykit.spec"
if command -v rpmspec >/dev/null 2>&1; then
	rpmspec -q --define "_topdir $t" --qf '%{name} %{version}\n' "$t/varykit.spec" >"$t/out" 2>&1 &&
		grep -qx "varykit $version" "$t/out" &&
		grep -qx "varykit-tools $version" "$t/out" &&
		grep -qx "varykit-vmod $version" "$t/out"
	ok $? "RPM: rpmspec reads the spec: three packages of this version"
	rpmspec -P --define "_topdir $t" "$t/varykit.spec" >"$t/out" 2>&1 &&
		grep -qxF "$(pkg-config --variable=vmoddir varnishapi 2>/dev/null ||
			echo "$(rpm -E '%{_libdir}')/varnish/vmods")/libvmod_vary.so" "$t/out"
	ok $? "RPM: the module is packaged where this varnishd looks for it"
else
	skip "rpmspec is not installed"
	skip "rpmspec is not installed"
fi
# A file that is installed and in no package, or in one twice, ends rpmbuild.
grep -qxF '%{_docdir}/%{name}' "$t/varykit.spec" && ! grep '^%doc' "$t/varykit.spec" >"$t/out"
ok $? "RPM: what is installed as documentation is packaged whole, and once"
if command -v rpmlint >/dev/null 2>&1; then
	XDG_CONFIG_HOME=$t rpmlint "$t/varykit.spec" >"$t/out" 2>&1
	# It asks for a tag that RPM dropped in 2009, and for a download site.
	grep -q ' 0 errors, ' "$t/out" &&
		! grep ': W: ' "$t/out" | grep -vqE 'no-buildroot-tag|invalid-url Source0'
	ok $? "RPM: rpmlint has nothing to say that concerns us"
else
	skip "rpmlint is not installed"
fi

if command -v systemd-analyze >/dev/null 2>&1; then
	mkdir "$t/units"
	# The program is where it was built.
	for u in packaging/systemd/*.service packaging/systemd/*.timer; do
		sed "s|/usr/bin/varyprobe|$top_builddir/varyprobe|" "$u" >"$t/units/$(basename "$u")"
	done
	systemd-analyze verify --man=no "$t"/units/varykit-audit.timer \
		"$t"/units/varykit-audit.service >"$t/out" 2>&1 && ! grep -q varykit "$t/out"
	ok $? "systemd: the timer and its service are verified"
	systemd-analyze security --offline=true --threshold=30 \
		"$t"/units/varykit-audit.service >"$t/out" 2>&1
	ok $? "systemd: the service's exposure is below 3.0"
else
	skip "systemd-analyze is not installed"
	skip "systemd-analyze is not installed"
fi
for f in packaging/*.sh; do
	sh -n "$f" || echo "$f"
done >"$t/out" 2>&1
[ ! -s "$t/out" ]
ok $? "the scripts parse"
if command -v shellcheck >/dev/null 2>&1; then
	shellcheck -x -e SC2015,SC2016 packaging/*.sh >"$t/out" 2>&1 &&
		shellcheck -s bash -e SC2195 "$top_builddir"/completion/[dv]* >>"$t/out" 2>&1
	ok $? "shellcheck has nothing to say"
else
	skip "shellcheck is not installed"
fi
echo "1..$n"
