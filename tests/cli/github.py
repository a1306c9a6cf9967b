#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""github.py FILE: says what in the output is not as GitHub's runner reads workflow
commands; nothing and 0 if all is.  Each line a command, its properties known and
escaped, a message that is not empty."""
import re
import sys

LINE = re.compile(r"::(notice|warning|error)(?: ([^:]*))?::(.+)$")
KNOWN = {"file", "line", "endLine", "col", "endColumn", "title"}


def wrong(line):
    m = LINE.match(line)
    if not m:
        return "is no command"
    seen = set()
    for p in (m[2] or "").split(","):
        key, eq, value = p.partition("=")
        if key not in KNOWN or not eq or not value or key in seen:
            return "has the property %r" % p
        seen.add(key)
        if key == "line" and not re.match(r"[1-9][0-9]*$", value):
            return "has the line %r" % value
        if re.search(r"%(?!25|0D|0A|3A|2C)", value):
            return "has a %% in %s" % key
    if "line" in seen and "file" not in seen:
        return "has a line, and no file"
    if re.search(r"%(?!25|0D|0A)", m[3]):
        return "has a % in its message"
    if any(ord(c) < 32 or ord(c) == 127 for c in line):
        return "has a control character"
    return None


def main():
    with open(sys.argv[1], encoding="utf-8", newline="\n") as f:
        text = f.read()
    bad = [] if text.endswith("\n") else ["no line feed at the end"]
    for n, line in enumerate(text.split("\n")[:-1], 1):
        w = wrong(line)
        if w:
            bad.append("%d: %s: %s" % (n, w, line[:200]))
    print("\n".join(bad), end="")
    return 1 if bad else 0


sys.exit(main())
