#!/bin/sh
# What can be checked of the house style: one SPDX line a file, header guards
# named for their path, no blanks at line ends, no files named for nothing.
cd "${top_srcdir:-.}" || exit 99
files=$(find vary vmod cli probe diskbench live tests -name '*.[ch]' 2>/dev/null | sort)
t=0
check() {
	t=$((t + 1))
	if [ -z "$2" ]; then
		echo "ok $t - $1"
	else
		echo "not ok $t - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}
echo 1..4
check "every C file starts with the SPDX line" "$(
	for f in $files; do
		[ "$(head -n 1 "$f")" = '/* SPDX-License-Identifier: BSD-2-Clause */' ] || echo "$f"
	done)"
check "no blank at the end of a line" "$(
	grep -nE '[[:blank:]]+$' $files | head -20)"
check "every header has a guard" "$(
	for f in $files; do
		case $f in *.h) ;; *) continue ;; esac
		grep -qE '^#ifndef [A-Z_]+_H$' "$f" || echo "$f"
	done)"
check "a file is a noun: no utils, common, helpers, misc" "$(
	printf '%s\n' $files | grep -E '(^|/)(utils?|common|helpers?|misc)\.[ch]$')"
