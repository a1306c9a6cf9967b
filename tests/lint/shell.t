#!/bin/sh
# Shell scripts parse, tests may be run, and shellcheck has nothing to say about them.
cd "${top_srcdir:-.}" || exit 99
echo 1..3
bad=
for f in quickstart demo/*.sh .ci/run; do
	bash -n "$f" 2>&1 || bad="$bad $f"
done
if [ -z "$bad" ]; then echo "ok 1 - bash reads them"; else echo "not ok 1 - bash reads them:$bad"; fi
bad=
for f in tests/*/*.t; do [ -x "$f" ] || bad="$bad $f"; done
if [ -z "$bad" ]; then echo "ok 2 - tests may be run"; else echo "not ok 2 - tests may be run:$bad"; fi
if ! command -v shellcheck >/dev/null 2>&1; then
	echo "ok 3 # SKIP shellcheck is not installed"
elif out=$(shellcheck -x -e SC2015,SC2016 quickstart .ci/run demo/*.sh \
    tests/cli/quickstart.t tests/cli/demo.t tests/lint/shell.t 2>&1); then
	echo "ok 3 - shellcheck"
else
	echo "not ok 3 - shellcheck"
	printf '%s\n' "$out" | sed 's/^/# /'
fi
