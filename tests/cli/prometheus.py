#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""prometheus.py FILE: says what in a textfile is not as Prometheus reads it;
nothing and 0 if all is.  Each family once, HELP and TYPE before its samples, no
series twice, names and labels as the format has them."""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(
    r"(%s)(\{(?:%s(?:,%s)*)?\})? (-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|NaN|[-+]Inf)$"
    % (NAME, LABEL, LABEL))


def main():
    with open(sys.argv[1], encoding="utf-8", newline="\n") as f:
        text = f.read()
    bad, family, kinds, helped, series = [], None, {}, set(), set()
    if text and not text.endswith("\n"):
        bad.append("no line feed at the end")
    for n, line in enumerate(text.split("\n")[:-1], 1):
        m = re.match(r"# (HELP|TYPE) (%s) (.+)$" % NAME, line)
        if m and m[1] == "HELP":
            if m[2] in helped:
                bad.append("%d: %s again" % (n, m[2]))
            helped.add(m[2])
        elif m:
            family = m[2]
            if family in kinds or family not in helped or m[3] not in ("counter", "gauge"):
                bad.append("%d: TYPE of %s" % (n, family))
            kinds[family] = m[3]
            if (m[3] == "counter") != family.endswith("_total"):
                bad.append("%d: %s is no name of a %s" % (n, family, m[3]))
        else:
            m = SAMPLE.match(line)
            if not m:
                bad.append("%d: %s" % (n, line))
            elif m[1] != family:
                bad.append("%d: %s stands below %s" % (n, m[1], family))
            elif (m[1], m[2]) in series:
                bad.append("%d: %s%s again" % (n, m[1], m[2]))
            else:
                series.add((m[1], m[2]))
    print("\n".join(bad), end="")
    return 1 if bad or not series else 0


if __name__ == "__main__":
    sys.exit(main())
