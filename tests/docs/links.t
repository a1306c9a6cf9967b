#!/bin/sh
# What the pages refer to is there: files of this tree, headings of pages.
. "$top_srcdir/tests/cli/lib-tap.sh"
cd "$top_srcdir" || exit 99
command -v python3 >/dev/null || skip_all "no python3"
pages=$(ls ./*.md doc/*.md tests/*.md data/*.md diskbench/*.md 2>/dev/null)
# shellcheck disable=SC2086
says=$(python3 - $pages <<'PYTHON' 2>&1
import os, re, sys

def text(path):
    with open(path, encoding='utf-8') as f:
        return re.sub(r'^ *```.*?^ *```$', '', f.read(), flags=re.S | re.M)

def anchors(path):
    for h in re.findall(r'^#+ +(.*)$', text(path), re.M):
        h = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', h).strip().lower()
        yield re.sub(r'[^\w\- ]', '', h).replace(' ', '-')

n = 0
for page in sys.argv[1:]:
    for link in re.findall(r'\]\(([^) ]+)\)', text(page)):
        if re.match(r'[a-z]+:', link):
            continue
        n += 1
        path, _, anchor = link.partition('#')
        there = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(there):
            print(f'{page}: ({link}): no such file')
        elif anchor and anchor not in anchors(there):
            print(f'{page}: ({link}): no such heading')
if n < 20:
    print(f'only {n} links were found')
PYTHON
)
is "each link leads to something" "$says" ""
# A page that nobody is sent to is not read.
unnamed=$(for f in doc/*.md; do
	[ "$f" = doc/README.md ] || grep -q "($(basename "$f"))" doc/README.md || echo "$f"
done)
is "the handbook's contents name each page" "$unnamed" ""
done_testing
