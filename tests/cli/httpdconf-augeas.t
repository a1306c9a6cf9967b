#!/bin/sh
# The reader of Apache configuration sees in random configurations what Augeas sees:
# the same directives, sections and arguments.  More of them by hand:
#   AUGEAS_COUNT=5000 AUGEAS_SEED=2 make check TESTS=tests/cli/httpdconf-augeas.t
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v augtool >/dev/null || skip_all "no augtool (Debian: augeas-tools)"
command -v python3 >/dev/null || skip_all "no python3"
count=${AUGEAS_COUNT:-60}
python3 "$top_srcdir/tests/cli/httpdconf-augeas.py" \
    "$top_builddir/tests/unit/httpdconf_tree" "$count" "${AUGEAS_SEED:-1}" "$work" \
    >"$work/out" 2>&1
sed 's/^/# /' "$work/out" | tail -n 1
is "no file is read otherwise" "$(sed '$d' "$work/out")" ""
like "and hundreds of directives were compared" "$(tail -n 1 "$work/out")" \
    "^$count files, [0-9]{3,} directives; .* 0 differ$"
read_by=$(sed -n '$s/.*; \([0-9]*\) not read.*/\1/p' "$work/out")
is "most files were read by both" "$([ $((${read_by:-$count} * 4)) -lt "$count" ] &&
    echo most)" most
done_testing
